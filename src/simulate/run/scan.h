/* SPDX-License-Identifier: BSD-3-Clause */
/* The search for event functions that change their sign twice within a step: a stop that closes and opens, several
 * teeth that pass. The step is looked at along the cubic between its ends, from one time to the next at which a
 * function can be zero at the earliest,
 *
 *     dt = |g| / (2 max |gdot|),   the rates at both ends, and for the distance l of two points                 (1)
 *     |v|^2 = d/dt (l ldot) = ((l ldot)_1 - (l ldot)_0) / h                                                     (2)
 *
 * the square of their relative velocity if that is constant: a point that passes by has no other rate for a while. */
#ifndef HOLON_SIMULATE_RUN_SCAN_H
#define HOLON_SIMULATE_RUN_SCAN_H

#include "simulate/simulation.h"

/* The first part of the step of size h, from y to y_new, at which a function has another sign than at its beginning;
 * 0: there is none. The functions at both ends are known. */
double hol_events_scan(HolSimulation *s, double h);

/* Whether a function has another sign at the time t after the beginning of that step. */
bool hol_events_have_changed(HolSimulation *s, double t, double h);

#endif
