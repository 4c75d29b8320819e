/* SPDX-License-Identifier: BSD-3-Clause */
/* By how much a motion enlarges small errors.
 *
 * A small difference d from the motion x = (q, v) is carried along the run over intervals H, each by one Runge-Kutta
 * step F from the states that the run has reached, and scaled back after each:
 *
 *     d_k+1 = F(x_k + d_k) - F(x_k),   A = max over k > j of |d_k| / |d_j|                                      (1)
 *
 * |d| is relative to the range of the positions and to the largest speed. H follows the motion so that F(x_k) arrives
 * at x_k+1, the next state of the run; F takes several steps where it does not, which end where steps of the run do: it
 * sees what short steps of the run have seen. H ends at breakpoints and events.
 *
 * At an event g = 0 the motion beside passes later by tau, and forces that jump act on it so much later or earlier:
 *
 *     d+ = d- + tau (xdot- - xdot+),   tau = (g(x) - g(x + d)) / gdot                                            (3)
 *
 * F is applied up to shortly before the event and from shortly after it, so that x and x + d are on the same side.
 *
 * With one degree of freedom and no function of time nothing is chaotic, but a motion that leaves an unstable
 * equilibrium enlarges errors, too. A difference grows in proportion to the speed while it does so, and the delay that
 * it causes becomes a difference in proportion to the speed once more, so that
 *
 *     A = max over k > j of (|xdot_k| / |xdot_j|)^2                                                             (2)
 *
 * which costs next to nothing. With redundant constraints F is not the formulation but a carrier (run/carrier.h), whose
 * choice of rows may see states beside the motion. */
#ifndef HOLON_SIMULATE_RUN_SENSITIVITY_H
#define HOLON_SIMULATE_RUN_SENSITIVITY_H

#include "simulate/simulation.h"

HolStatus hol_sensitivity_create(HolSimulation *s);

/* The direction of the first d: a local error of the run. */
void hol_sensitivity_begin(HolSimulation *s, const double *dq, const double *dv);

/* Before a step, at the accepted state. */
void hol_sensitivity_update(HolSimulation *s);

/* After some steps: (2). */
void hol_sensitivity_follow(HolSimulation *s);

void hol_sensitivity_archive(HolSimulation *s, HolArchive *archive);

/* A; NAN: not known */
double hol_sensitivity(const HolSimulation *s);

/* The part of the intervals in which F failed or was far from the run, so that A may be anything. */
double hol_sensitivity_unknown(const HolSimulation *s);

/* By how much F, in so many parts that twice as many would change nothing, leads elsewhere than the run, if that is
 * more than a good error. Probes of single steps may not show it. Intervals with a singular configuration, where F may
 * take another branch, do not count. */
double hol_sensitivity_missed(const HolSimulation *s);

#endif
