/* SPDX-License-Identifier: BSD-3-Clause */
/* Velocities that satisfy the constraints at the end of an energy-preserving step, by multipliers mu of their own.
 *
 * Between q_0, v_0 and q_1, v_1, with delta = q_1 - q_0, v_m = (v_0 + v_1) / 2, the discrete gradients Q and B
 * (discrete_gradient.h) and D_0, D_1 the Jacobians at the ends,
 *
 *     M (delta / h - v_m) = B^T mu                                                                          (1)
 *     M (v_1 - v_0) / h   = Q + B^T lambda - F                                                              (2)
 *     Phi(t_1, q_1) = 0,   B delta = h nu at the midpoint for nonholonomic rows                             (3)
 *     D_1 v_1 = nu_1                                                                                        (4)
 *
 * (2) multiplied by delta, with (1) multiplied by v_1 - v_0, reads
 *
 *     T_1 - T_0 = Q . delta + lambda . B delta - (F . delta + mu . B (v_1 - v_0)).                          (5)
 *
 * So F must be the part in q of a discrete gradient of mu . D v, whose part in v is B^T mu:
 *
 *     F . delta + mu . B (v_1 - v_0) = mu . (D_1 v_1 - D_0 v_0).                                            (6)
 *
 * By (4) at both ends the right-hand side is zero for rows at rest, and known work for moving ones: the energy is as
 * exact as without mu. Where Phi is at most quadratic in q, D is affine in q, and (6) holds for
 *
 *     F = ((D_1 - D_0) / h - 2/h (D_x - D_m))^T mu,   D_x at q_m + x / 2,   x = delta - h v_m,              (7)
 *
 * which is d(mu . D v)/dq at q_m and v_m, so that angular momentum is preserved, too. Elsewhere (6) is satisfied by a
 * multiple of M delta in addition. It is of fourth order in h. Rotations (HolSystemOps.evaluate_mean) have no q_m:
 * there F is the first term of (7) and such a multiple, and angular momentum is preserved to fourth order only.
 *
 * (1) has no inverse of M: mu does no work on coordinates without mass, whose v_1 follows from (4). With displacements
 * eta = h mu and multipliers Lambda = lambda + 2 eta / h^2 the equations are, with k = h^2/2,
 *
 *     M (delta - h v_0) = k (Q + B^T Lambda) - f,   f = k F = ((D_1 - D_0)/2 - (D_x - D_m))^T eta           (8)
 *     M x = B^T eta,   D_1 (delta - x) = h/2 (D_1 v_0 + nu_1).                                              (9)
 *
 * But for f, which is of third order, (8) is the step without mu: it is iterated as before, and each iteration is
 * followed by one of (9) with the change d of delta, the residual r of (9) and the penalty matrix A = M + D^T w D,
 *
 *     A dx = B^T eta - M x + D^T w (r + D d),   deta = w (r + D (d - dx)).                                  (10) */
#ifndef HOLON_SOLVE_STEPS_END_VELOCITY_H
#define HOLON_SOLVE_STEPS_END_VELOCITY_H

#include "linalg/schur/penalty_matrix.h"
#include "solve/steps/discrete_gradient.h"
#include "solve/steps/energy_step.h"

typedef struct HolEndVelocity {
    const HolPattern *pattern;
    HolEnergyStep *step;
    HolPenaltyMatrix *matrix; /* A, of D */
    const double *w;          /* m: of the step, unless others are set; a row with 0 has no mu and keeps its velocity */
    double *x, *eta;          /* nv, m: unknown */
    double *v;                /* nv: v_1 */
    double *f, *B_eta;        /* nv: (8), B^T eta */
    double *residual;         /* m: r of (10) */
    double *D_0, *D_1, *D;
    double *D_0v, *D_1v; /* m: D_0 v_0, D_1 v_1 */
    double *q, *y, *z;   /* scratch: nq, nv, m */
} HolEndVelocity;

/* The number of displacements of a step with these unknowns: delta, x, and eta as displacements of rows. */
int hol_end_velocity_displacements(const HolPattern *pattern);

/* `step` has that many. */
HolStatus hol_end_velocity_create(const HolSetup *setup, HolEnergyStep *step, HolEndVelocity **end);

HolStatus hol_end_velocity_begin(HolEndVelocity *end, HolWorkspace *work, const HolSubstep *part);

/* For part->q_new = q_0 + delta and v = delta / h: v_1, r, Phi at the end (nh numbers) and all of f but D_m^T eta.
 * Moves the workspace. */
HolStatus hol_end_velocity_evaluate(HolEndVelocity *end, HolWorkspace *work, const HolSubstep *part,
                                    const double *delta, const double *v, double *Phi);

/* The rest of f; the workspace is at the midpoint, where `gradient` has left it. Residuals r of the size of rounding
 * are set to zero. */
void hol_end_velocity_force(HolEndVelocity *end, const HolWorkspace *work, const HolSubstep *part,
                            const HolDiscreteGradient *gradient);

/* A of the present D_1, for all iterations that follow. */
HolStatus hol_end_velocity_factor(HolEndVelocity *end, const HolTerms *terms);

/* (10): dx and deta go behind d in the changes of the step. Returns the largest change of x. */
double hol_end_velocity_correct(HolEndVelocity *end, const HolTerms *terms);

/* Adds the changes, which have been accelerated. */
void hol_end_velocity_update(HolEndVelocity *end);

/* Replaces the Lambda of the step by lambda. */
void hol_end_velocity_find_multipliers(HolEndVelocity *end, double h);

/* Adds the work of mu, the right-hand side of (6) with the opposite sign. */
void hol_end_velocity_add_work(const HolEndVelocity *end, double h, double *work);

#endif
