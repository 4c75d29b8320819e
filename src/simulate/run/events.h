/* SPDX-License-Identifier: BSD-3-Clause */
/* Breakpoints in time and events of the state (docs/methods/events.md). Steps end where the system jumps or has a kink.
 * The terms of a step are evaluated strictly between two breakpoints, so that its last stage belongs to the time before
 * the breakpoint, and ydot is renewed after it. The zero of an event function is located by repeating the step with
 * another size. */
#ifndef HOLON_SIMULATE_RUN_EVENTS_H
#define HOLON_SIMULATE_RUN_EVENTS_H

#include "simulate/simulation.h"

/* Before the first evaluation. A breakpoint at the initial time itself has been passed. */
HolStatus hol_breakpoints_open(HolSimulation *s, double t);

/* Before a step of at most h: passes the breakpoint at the present time, if any, and searches the next one.
 * HOL_BAD_INPUT and a message if a prescribed motion jumps there, or a velocity that has no impulses. */
HolStatus hol_breakpoints_update(HolSimulation *s, double h);

/* By which a time is before or after a breakpoint at t, more than rounding of the functions of time. */
double hol_breakpoint_side(const HolSimulation *s, double t);

HolStatus hol_events_create(HolSimulation *s);

/* Before a step, if there are event functions: evaluates them where inputs or the side of an event are new. */
void hol_events_begin(HolSimulation *s);

/* The step of size *h to *t has succeeded, its result is in y_new. Shortens it to end at the first event, just after
 * its zero, if there is one, and prepares the formulation. */
HolStatus hol_events_locate(HolSimulation *s, double *h, double *t, bool *is_rejected);

/* Tries a step of the size h and returns whether a stage of it is past an event; y_new is then its result. */
bool hol_events_cross(HolSimulation *s, double h);

/* Whether a step that has failed may be tried shorter, because of an event in it. */
bool hol_events_may_shorten(HolSimulation *s);

/* A step has ended at a breakpoint or event: what an adaptive integrator knows of its steps no longer holds. */
void hol_events_restart(HolSimulation *s);

#endif
