/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps that resolve functions of time (docs/methods/events.md). A smooth pulse has no breakpoint, but a step across it
 * would not see it. Bounds of each function f over any interval are known. A step from t of size w <= h is compared
 * with the line between the values of f at its ends:
 *
 *     w max |f - line| over [t, t + w]  <=  J/500                                                            (1)
 *     J = max I - min I,  I = integral of f - mean f,  over [t - 32 w, t + 32 w]                             (2)
 *
 * If f is a force, J is the change of momentum that it causes around t, and the step misses a small part of it. Where f
 * is a prescribed velocity, the step must see each change of it:
 *
 *     max |f - line| over [t, t + w]  <=  S/100                                                              (3)
 *     S = max f - min f over [t - 32 w, t + 32 w]                                                            (4)
 *
 * The nominal step h does so for slow functions, and for vibrations with twenty or sixteen steps in a period. Otherwise
 * w is halved until (1) or (3) holds. */
#ifndef HOLON_SIMULATE_RUN_RESOLUTION_H
#define HOLON_SIMULATE_RUN_RESOLUTION_H

#include "simulate/simulation.h"

/* s->resolution stays NULL if the system has no functions of time. */
HolStatus hol_resolution_create(HolSimulation *s);

/* The longest step from the present time, at most h, that resolves all functions of time; the breakpoints are known. */
double hol_resolution_step(HolSimulation *s, double h);

/* Whether the present step is shortened, or next to one that may be. */
bool hol_resolution_is_near(const HolSimulation *s);

void hol_resolution_archive(HolSimulation *s, HolArchive *archive);

/* Fills shortened_steps, unresolved_steps and the name of the function. */
void hol_resolution_summarise(const HolSimulation *s, HolSummary *summary);

#endif
