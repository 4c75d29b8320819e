/* SPDX-License-Identifier: BSD-3-Clause */
/* The iteration of midpoint steps with discrete gradients Q and B, from q_0 with the velocity v_0,
 *
 *     M (delta - h v_0) = k (Q + B^T lambda) - f,   Phi(t_1, q_1) = 0,   k = h^2/2,                         (1)
 *
 * with f of end_velocity.h, where velocities satisfy the rows at the end of the step. With penalties w and residuals g
 * of the rows an iteration is
 *
 *     (M + c h^2 K + h/2 C + w D^T D) d = k (Q + B^T lambda) - f - M (delta - h v_0) - w D^T g              (2)
 *     delta <- delta + d,   lambda <- lambda - w/k (g + D d).                                               (3) */
#ifndef HOLON_SOLVE_STEPS_MIDPOINT_STEP_H
#define HOLON_SOLVE_STEPS_MIDPOINT_STEP_H

#include "solve/steps/discrete_gradient.h"
#include "solve/steps/end_velocity.h"
#include "solve/steps/energy_step.h"

typedef struct HolMidpointStep {
    HolEnergyStep *step; /* has lambda, w and the residuals */
    HolDiscreteGradient *gradient;
    HolEndVelocity *end_velocity; /* NULL: velocities are not enforced at the end */
    HolPenaltyMatrix *tangent;    /* (2), divided by mass_factor */
    double mass_factor;           /* 1 where (2) is positive definite */
    bool has_tangent;
    double *weights, *y;   /* m: penalties over mass_factor; scratch */
    double *delta, *v, *x; /* nv: delta; scratch */
} HolMidpointStep;

/* With the memory for velocities enforced at the end where that is wanted; `step` then has their displacements, too. */
HolStatus hol_midpoint_step_create(const HolSetup *setup, HolEnergyStep *step, bool enforces,
                                   HolMidpointStep *midpoint);

/* (2) at the point of the workspace, with c for the stiffness. Mass is added to an indefinite matrix. */
HolStatus hol_midpoint_step_factor(HolMidpointStep *midpoint, HolWorkspace *work, double h, double c);

/* (2), (3); returns the largest change of a coordinate. */
double hol_midpoint_step_correct(HolMidpointStep *midpoint, const HolWorkspace *work, double h, const double *v_0);

#endif
