/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of the state over the path of a step (docs/methods/events.md). A step evaluates a force law at a few points
 * of its path: a narrow latch between them, or a tooth that passes as often as the steps, it does not see. The argument
 * of the law, such as a length, is known along the step as a cubic, and bounds of the law over any part of it.
 *
 * Where a law leaves the values that the ends of the step suggest,
 *
 *     f(theta) outside [min f - r, max f + r],   of f and h |df/dt| at both ends, r = min h |df/dt|          (1)
 *
 * the part outside is missed. A law is not resolved if that adds up to more than a hundredth of the law itself,
 *
 *     sum of the integrals of what is missed  >  1/100 sum of h (|f_0| + |f_1|) / 2                          (2) */
#ifndef HOLON_SIMULATE_RUN_SWEPT_H
#define HOLON_SIMULATE_RUN_SWEPT_H

#include "simulate/simulation.h"

/* s->swept stays NULL if the system has no functions of the state. */
HolStatus hol_swept_create(HolSimulation *s);

/* Before a step: evaluates the arguments where the state is new. */
void hol_swept_begin(HolSimulation *s);

/* The step of size h to y_new: the first part of it at which an event function has another sign than at its beginning,
 * 0 if there is none. *certain: up to this part of the step, 1 or less, that is known. */
double hol_swept_scan(HolSimulation *s, double h, double *certain);

/* A step with such a part, which could not be shortened, is accepted. */
void hol_swept_count_uncertain(HolSimulation *s);

/* After a step was accepted: (1). */
void hol_swept_accept(HolSimulation *s);

void hol_swept_archive(HolSimulation *s, HolArchive *archive);

/* Fills missed_steps and missed_function by (2), and adds to unresolved_events. */
void hol_swept_summarise(const HolSimulation *s, HolSummary *summary);

#endif
