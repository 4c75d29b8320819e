/* SPDX-License-Identifier: BSD-3-Clause */
/* Discrete gradients: forces and rows between two configurations a and b whose work is exact.
 *
 * With delta = q_b - q_a and the midpoint m, at one time t:
 *
 *     B delta = Phi(t, q_b) - Phi(t, q_a)                                                               (1)
 *     Q . delta = V_a - V_b + the work of forces without potential, evaluated at m                      (2)
 *
 * D and Q at the midpoint satisfy these where rows and potential are at most quadratic in q. Elsewhere each row is
 * corrected along delta,
 *
 *     B_i = D_i + r_i delta_g^T / |delta_g|^2,                                                           (3)
 *
 * with r_i the residual of (1) and delta_g the coordinates of delta in the row's group. The forces of a potential are
 * corrected one by one by the system (HolSystemOps.discrete_gradient), or else all together,
 *
 *     Q = Q_m - r M delta / (delta . M delta),                                                           (4)
 *
 * which is less accurate with stiff springs. The work of V's force at the midpoint follows from the power:
 * -grad V . v = Q . v - power, with delta for v. Residuals of the size of rounding are not corrected. */
#ifndef HOLON_SOLVE_STEPS_DISCRETE_GRADIENT_H
#define HOLON_SOLVE_STEPS_DISCRETE_GRADIENT_H

#include "solve/setup.h"

/* One of the two configurations. */
typedef struct HolDiscreteGradientEnd {
    const double *q;
    double *Phi; /* nh */
    double potential;
} HolDiscreteGradientEnd;

typedef struct HolDiscreteGradient {
    const HolPattern *pattern;
    double t;
    HolDiscreteGradientEnd a, b;
    const double *delta;
    double *q, *v;            /* midpoint, and the velocity of the forces there */
    double *B, *Q;            /* (3), (4) */
    double along_v;           /* Q . delta with the uncorrected forces at the midpoint */
    double *nu;               /* at the midpoint */
    double *zero;             /* nv */
    double *x, *size, *along; /* scratch: nv, and m sizes of rows and D delta */
} HolDiscreteGradient;

HolStatus hol_discrete_gradient_create(const HolSetup *setup, HolDiscreteGradient **gradient);

/* Begins at q_a, which must remain unchanged. */
HolStatus hol_discrete_gradient_begin(HolDiscreteGradient *gradient, HolWorkspace *work, double t, const double *q_a);

/* Ends at q_b = q_a + delta, with the velocity v. Leaves the workspace at the midpoint with its D, Q and nu, ready for
 * K and C. */
HolStatus hol_discrete_gradient_end(HolDiscreteGradient *gradient, HolWorkspace *work, const double *q_b,
                                    const double *delta, const double *v);

/* K and C at the midpoint, with the multipliers lambda; K is that of (2) where the system provides it. */
HolStatus hol_discrete_gradient_tangent(const HolDiscreteGradient *gradient, HolWorkspace *work, const double *lambda);

/* The work of forces without potential and of moving rows along delta. Moves the workspace. */
HolStatus hol_discrete_gradient_work(HolDiscreteGradient *gradient, HolWorkspace *work, const double *lambda,
                                     double *done);

#endif
