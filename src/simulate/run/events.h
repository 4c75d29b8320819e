/* SPDX-License-Identifier: BSD-3-Clause */
/* Breakpoints in time (docs/methods/events.md). Steps end at times at which the system jumps or has a kink. The terms
 * of a step are evaluated strictly between two breakpoints, so that its last stage belongs to the time before the
 * breakpoint, and ydot is renewed after it. */
#ifndef HOLON_SIMULATE_RUN_EVENTS_H
#define HOLON_SIMULATE_RUN_EVENTS_H

#include "simulate/simulation.h"

/* Before the first evaluation. A breakpoint at the initial time itself has been passed. */
void hol_breakpoints_open(HolSimulation *s, double t);

/* Before a step of at most h: passes the breakpoint at the present time, if any, and searches the next one. */
void hol_breakpoints_update(HolSimulation *s, double h);

/* A step has ended at a breakpoint: what an adaptive integrator knows of its steps no longer holds. */
void hol_breakpoints_arrive(HolSimulation *s);

#endif
