/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors of single steps, measured along a run.
 *
 * About one step in two hundred is taken twice. The difference d of both results gives the local error e of a step of a
 * method of order p:
 *
 *     explicit methods: the step again as two of h/2,       d = (1 - 2^-p) e                                 (1)
 *     implicit methods: two steps of the run as one of 2h,  d = (2^(p+1) - 2) e                              (2)
 *
 * (1) holds also where the motion is not smooth. Implicit methods keep values of the accepted state between steps, so
 * only a step from that state is comparable. Both are tried before the step of the run, like an attempt that fails:
 * the run itself is the same without them, bit by bit.
 *
 * Local errors add up. Relative to the range R of the positions and to the largest speed V, rotations at the lever arm
 * of the joints, the error of the run is about
 *
 *     E = max(sum e_q / R, sum e_v / V),   each e for all steps since the probe before                       (3)
 *
 * where nothing enlarges or dissipates it: a chaotic motion enlarges errors, damping reduces them.
 *
 * Other steps are probed beside these: some after events, and the one after the wildest step so far, by
 *
 *     max_i |vdot_i(t + h) - vdot_i(t)|                                                                      (4)
 *
 * if it is four times that of the last one. A hard spring may be compressed for a few steps only, between regular
 * probes. Its error counts for all steps with a quarter of that change. The larger of this sum and (3) is the
 * estimate. */
#ifndef HOLON_SIMULATE_RUN_ESTIMATE_H
#define HOLON_SIMULATE_RUN_ESTIMATE_H

#include "simulate/simulation.h"

HolStatus hol_estimate_create(HolSimulation *s);

/* A run until `until` begins, or another part of it: probes are spread over it. */
void hol_estimate_schedule(HolSimulation *s, double until);

/* Whether the schedule of a run is still there. */
bool hol_estimate_is_scheduled(const HolSimulation *s);

/* That run has ended: single steps that follow are not probed. */
void hol_estimate_pause(HolSimulation *s);

/* Before a step from the accepted state of size h that ends at `end`: takes it in another way if a probe is due. */
void hol_estimate_try(HolSimulation *s, double h, double end);

/* Before the step from the accepted state of size h that ends at an event: takes it in another way if it began soon
 * after another event. No other step may show the force between the two. */
void hol_estimate_try_between(HolSimulation *s, double h);

/* After a step was accepted: compares, and follows the ranges of the motion. */
void hol_estimate_accept(HolSimulation *s);

/* An event has been stepped over although nothing follows it at once. */
void hol_estimate_count_unresolved(HolSimulation *s);

void hol_estimate_archive(HolSimulation *s, HolArchive *archive);

/* |x| of x = (q, v) relative to the range of the positions and to the largest speed so far. */
double hol_estimate_size(const HolSimulation *s, const double *x);

/* The larger of |v| relative to the range of the positions and |vdot| relative to the largest speed so far. */
double hol_estimate_rate(const HolSimulation *s, const double *v, const double *vdot);

/* Fills motion, max_speed, estimated_error, checked_steps and unchecked_steps of the summary. */
void hol_estimate_summarise(const HolSimulation *s, HolSummary *summary);

#endif
