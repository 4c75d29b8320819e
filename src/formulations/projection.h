/* SPDX-License-Identifier: BSD-3-Clause */
/* Pulling a state onto its constraints by the shortest way.
 *
 *     positions:   q <- q (+) dq,   min |dq|_W  subject to  D dq = -Phi,  repeated      (1)
 *     velocities:  v <- v + dv,     min |dv|_W  subject to  D dv = nu - D v             (2)
 *
 * where W is the mass matrix (heavy bodies move least) or the identity. With the mass, dq = M^-1 D^T (D M^-1 D^T)^-1
 * (-Phi). Redundant rows are met through the rows that are kept. Nonholonomic rows ask D dq = 0 in (1), so that a wheel
 * is not pushed sideways; where they are nonlinear in v, (2) is repeated. */
#ifndef HOLON_FORMULATIONS_PROJECTION_H
#define HOLON_FORMULATIONS_PROJECTION_H

#include "formulations/kkt.h"

typedef struct HolProjection {
    const HolPattern *pattern;
    HolKkt *kkt;
    HolSchur *identity; /* D D^T, for the weight identity; else NULL */
    double tolerance;   /* on the largest |Phi_i| / max_j |D_ij| */
    int max_iterations;
    int velocity_iterations; /* of (2): once is exact but for rounding where rows are linear in v */
    double *c, *x, *lambda, *size, *q;
} HolProjection;

/* The projection solves with the caller's kkt, so that its factorisation serves the next acceleration too. */
HolStatus hol_projection_create(const HolSetup *setup, HolKkt *kkt, bool identity, HolProjection **projection);

/* (1), then (2). Leaves the workspace standing at the result with D evaluated. HOL_NO_CONVERGENCE if (1) does not
 * reach the tolerance or the rounding level of Phi, whichever is larger. */
HolStatus hol_projection_apply(HolProjection *projection, HolWorkspace *work, double t, double *q, double *v,
                               HolStepReport *report);

/* (2) alone, where the workspace stands with v. */
HolStatus hol_projection_velocities(HolProjection *projection, HolWorkspace *work, double *v, HolStepReport *report);

/* Whether an iteration on the rows may end: they are small enough, or have come down to rounding. Rows are compared as
 * distances, |x_i| / max_j |D_ij|, so that their scale does not matter. */
typedef struct HolDescent {
    double tolerance, previous;
    double *size; /* m, of the rows; memory of the caller's */
    bool is_measured;
} HolDescent;

/* x: Phi or D v - nu, n of the rows of the workspace's D; scale: of the coordinates or velocities, for rounding. */
bool hol_descent_done(HolDescent *descent, const HolWorkspace *work, int n, const double *x, double scale);

/* The k-th iteration of one position solution, k = 1, 2, ... */
void hol_count_projection(HolStepReport *report, int iteration);

#endif
