/* SPDX-License-Identifier: BSD-3-Clause */
/* A force F at a point and a torque T, given functions of time and of inputs, on one body, and their reaction on
 * another at the same point in space. In global axes, with d_i = x - r_i from the centre of body i to the point x of
 * the first
 * body:
 *
 *     F_i = +-F,  N_i = +-(d_i x F + T)          + on the first, - on the second body                      (1)
 *     Q_i = (F_i, R_i^T N_i)                                                                               (2)
 *
 * Moving body j by (c, a), a in its own axes and A = R_j a:
 *
 *     dF = A x F, dT = A x T   if they turn with the first body and j is the first, else 0                 (3)
 *     dd_0 = A x d_0 (j first),   dd_1 = c + A x d_0 (j first) or -c (j second)                            (4)
 *     dQ_i = (+-dF, R_i^T dN_i + [i = j] (R_i^T N_i) x a),   dN_i = +-(dd_i x F + d_i x dF + dT)           (5) */
#ifndef HOLON_MECHANISM_FORCES_WRENCH_H
#define HOLON_MECHANISM_FORCES_WRENCH_H

#include "mechanism/forces/force_kind.h"

typedef struct HolWrench {
    HolMark place;                   /* of the force, on the first body */
    HolFunction force[3], torque[3]; /* of t and inputs */
    bool turns;                      /* they are given in the axes of the first body, and rotate with it */
    bool has_potential;              /* -F . x: a constant force in global axes on one body alone */
} HolWrench;

enum { HOL_GLOBAL_AXES, HOL_BODY_AXES };
extern const char *const hol_axes_names[]; /* choices for tables of fields */
extern const char *const hol_time_names[]; /* the variable t */

/* Three components at the time and inputs of the motion, times its load. */
void hol_wrench_evaluate(const HolFunction *f, const HolMotion *motion, double *x);

/* force->self is a HolWrench; force->body[1] takes the reaction. */
void hol_wrench_apply(const HolForce *force, const HolMotion *motion);
double hol_wrench_potential(const HolForce *force, const HolMotion *motion);
void hol_wrench_tangent(const HolForce *force, const HolMotion *motion);
void hol_wrench_discrete_gradient(const HolForce *force, const HolDiscreteGradientMotion *motion);
int hol_wrench_ends(const HolForce *force, const HolMechanism *mechanism, HolMark ends[2]); /* its place */

/* False after an error: the 'vector' must be finite at t = 0. */
bool hol_wrench_starts(HolBuilder *builder, const HolPart *part, const HolFunction *vector);
/* False after an error at the key: a wrench cannot act between these bodies. */
bool hol_wrench_bodies(HolBuilder *builder, const HolPart *part, const char *key, const int *body);

#endif
