/* SPDX-License-Identifier: BSD-3-Clause */
/* By how much a motion enlarges small errors.
 *
 * A small difference d from the motion x = (q, v) is carried along the run over intervals H, each by one Runge-Kutta
 * step F from the states that the run has reached, and scaled back after each:
 *
 *     d_k+1 = F(x_k + d_k) - F(x_k),   A = max over k > j of |d_k| / |d_j|                                      (1)
 *
 * |d| is relative to the range of the positions and to the largest speed. H follows the motion so that
 * z = H |f(x + d) - f(x)| / |d| stays below one, where F is accurate. Chaotic motion has two degrees of freedom at
 * least, so others cost nothing. Left out are formulations that report means of steps, and redundant constraints,
 * whose choice must not see states beside the motion. */
#ifndef HOLON_SIMULATE_RUN_SENSITIVITY_H
#define HOLON_SIMULATE_RUN_SENSITIVITY_H

#include "simulate/simulation.h"

HolStatus hol_sensitivity_create(HolSimulation *s);

/* The direction of the first d: a local error of the run. */
void hol_sensitivity_begin(HolSimulation *s, const double *dq, const double *dv);

/* Before a step, at the accepted state. */
void hol_sensitivity_update(HolSimulation *s);

void hol_sensitivity_archive(HolSimulation *s, HolArchive *archive);

/* A; NAN: not known */
double hol_sensitivity(const HolSimulation *s);

#endif
