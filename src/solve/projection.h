/* SPDX-License-Identifier: BSD-3-Clause */
/* Projection of a state onto its constraints.
 *
 *     positions:   q <- q (+) dq,   min |dq|_W  subject to  D dq = -Phi,  repeated      (1)
 *     velocities:  v <- v + dv,     min |dv|_W  subject to  D dv = nu - D v             (2)
 *
 * where W is the mass matrix (heavy bodies move least) or the identity. With the mass, dq = M^-1 D^T (D M^-1 D^T)^-1
 * (-Phi). Redundant rows are satisfied through the independent ones. Nonholonomic rows require D dq = 0 in (1), so that
 * a wheel is not pushed sideways; where they are nonlinear in v, (2) is repeated. */
#ifndef HOLON_SOLVE_PROJECTION_H
#define HOLON_SOLVE_PROJECTION_H

#include "solve/kkt.h"

typedef struct HolProjection {
    const HolPattern *pattern;
    HolKkt *kkt;
    HolSchur *identity; /* D D^T, for the weight identity; else NULL */
    double tolerance;   /* on the largest |Phi_i| / max_j |D_ij| */
    int max_iterations;
    int velocity_iterations; /* of (2): one is exact where rows are linear in v */
    double *c, *x, *lambda, *size, *q;
} HolProjection;

/* The projection solves with the caller's kkt, so that its factorisation serves the next acceleration too. */
HolStatus hol_projection_create(const HolSetup *setup, HolKkt *kkt, bool identity, HolProjection **projection);

/* Computes (1), then (2). Leaves the workspace at the result, with D evaluated. HOL_NO_CONVERGENCE if (1) does not
 * reach the tolerance or the rounding level of Phi, whichever is larger. */
HolStatus hol_projection_apply(HolProjection *projection, HolWorkspace *work, double t, double *q, double *v,
                               HolStepReport *report);

/* The same at the point of the workspace, whose positions and velocities are q and v: its terms are not evaluated again
 * unless q changes. */
HolStatus hol_projection_apply_here(HolProjection *projection, HolWorkspace *work, double *q, double *v,
                                    HolStepReport *report);

/* (2) alone, at the point of the workspace, whose velocities are v. */
HolStatus hol_projection_velocities(HolProjection *projection, HolWorkspace *work, double *v, HolStepReport *report);

/* Convergence test of an iteration on the rows: they are within the tolerance, or have stalled at the level of
 * rounding. Rows are compared as distances, |x_i| / max_j |D_ij|, so that their scale has no effect. */
typedef struct HolRowConvergence {
    double tolerance, previous;
    double *size; /* m, of the rows; scratch of the caller */
    bool is_measured;
} HolRowConvergence;

/* Phi at q, relative to the size of the system; D v - nu relative to hol_velocity_unit(). */
bool hol_positions_converged(HolRowConvergence *convergence, const HolWorkspace *work, const double *q);
bool hol_velocities_converged(HolRowConvergence *convergence, const HolWorkspace *work, const double *residual,
                              const double *v);

/* The k-th iteration of one position solution, k = 1, 2, ... */
void hol_count_position_iteration(HolStepReport *report, int iteration);

#endif
