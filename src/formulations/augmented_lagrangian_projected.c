/* SPDX-License-Identifier: BSD-3-Clause */
/* Augmented Lagrangian accelerations, then after every step mass-orthogonal projections by the same matrix
 * A = M + D^T w D. See docs/methods/augmented-lagrangian-projected.md.
 *
 *     positions:   A dq = -M delta - D^T (lam + w Phi),  q <- q (+) dq,  delta <- delta + dq,
 *                  lam <- lam + w (Phi + D dq),  from delta = 0, lam = 0           (1)
 *     velocities:  A dv = -D^T w (D v - nu),  v <- v + dv, repeated                (2)
 *
 * delta is the displacement from the initial point. (1) is Newton's method for the least
 * |delta|_M^2 / 2 + lam^T Phi + w |Phi|^2 / 2, where lam takes over what the penalty carried: after each step
 * M delta + D^T lam = 0. With the true Phi of the new point in the update, as it is often printed, w times its
 * nonlinear part would go into lam, only to be taken back by the next step. It ends where delta is M-orthogonal to the
 * constraints and Phi = 0. */
#include "base/message.h"
#include "base/tolerances.h"
#include "formulations/augmented_lagrangian.h"
#include "formulations/formulation.h"
#include "linalg/block/blocks.h"
#include "solve/projection.h"

#include <math.h>
#include <string.h>

enum { VELOCITY_ITERATIONS = 10 };

typedef struct Options {
    HolPenaltyOptions penalty;
    double projection_tolerance;
    int max_projections;
} Options;

typedef struct Projected {
    HolAugmentedLagrangian accelerations; /* first, for projected_accelerate() */
    Options options;
    double *delta, *dq, *lam, *r, *size;
} Projected;

static HolStatus projected_create(const HolSetup *setup, const void *options, void **self)
{
    const HolPattern *p = hol_system_pattern(setup->system);
    Projected *s = hol_arena_alloc(setup->arena, sizeof *s);
    HOL_TRY(hol_arena_status(setup->arena));
    *self = s;
    s->options = *(const Options *)options;
    HOL_DOUBLES(setup->arena, p->nv, &s->delta, &s->dq);
    HOL_DOUBLES(setup->arena, p->m, &s->lam, &s->r, &s->size);
    HOL_TRY(hol_arena_status(setup->arena));
    return hol_augmented_lagrangian_create(setup, &s->options.penalty, &s->accelerations);
}

static HolStatus projected_accelerate(void *self, HolWorkspace *work, double h, double *vdot, double *lambda,
                                      HolStepReport *report)
{
    (void)h;
    Projected *s = self;
    return hol_augmented_lagrangian_accelerate(&s->accelerations, work, vdot, lambda, report);
}

/* (1). A must be that of this point: where D has rotated by more than 1/sqrt(w), an older one makes q diverge. */
static void position_increment(Projected *s, const HolTerms *terms)
{
    const HolPattern *p = terms->pattern;
    const double *w = s->accelerations.augmented->w;
    for (int i = 0; i < p->m; ++i)
        s->r[i] = s->lam[i] + (i < p->nh ? w[i] * terms->Phi[i] : 0);
    hol_mass_times(p, terms->M, s->delta, s->dq);
    hol_jacobian_add_transposed(p, terms->D, s->r, s->dq);
    for (int i = 0; i < p->nv; ++i)
        s->dq[i] = -s->dq[i];
    hol_penalty_matrix_solve(s->accelerations.augmented->penalty, s->dq);
    hol_jacobian_times(p, terms->D, s->dq, s->r);
    for (int i = 0; i < p->m; ++i)
        s->lam[i] += w[i] * (s->r[i] + (i < p->nh ? terms->Phi[i] : 0));
    hol_add_scaled(p->nv, 1, s->dq, s->delta);
}

static HolStatus projected_project_positions(Projected *s, HolWorkspace *work, double t, double *q, double *v,
                                             HolStepReport *report)
{
    const HolPattern *p = work->pattern;
    HolRowConvergence convergence = {
        .tolerance = s->options.projection_tolerance, .previous = HUGE_VAL, .size = s->size};
    memset(s->delta, 0, (size_t)p->nv * sizeof *s->delta);
    memset(s->lam, 0, (size_t)p->m * sizeof *s->lam);
    for (int i = 0; i <= s->options.max_projections; ++i) {
        hol_workspace_move(work, t, q, v);
        HOL_TRY(hol_workspace_need(work, HOL_WANT_MASS | HOL_WANT_PHI | HOL_WANT_JACOBIAN | HOL_WANT_NU));
        if (hol_positions_converged(&convergence, work, q))
            return HOL_OK;
        if (!isfinite(convergence.previous))
            return HOL_NOT_FINITE;
        HOL_TRY(hol_augmented_factor(s->accelerations.augmented, work));
        position_increment(s, work->terms);
        hol_system_retract(work->system, q, s->dq, q);
        hol_count_position_iteration(report, i + 1);
    }
    return HOL_NO_CONVERGENCE;
}

static HolStatus projected_project_velocities(Projected *s, HolWorkspace *work, double *v)
{
    const HolPattern *p = work->pattern;
    HolAugmented *a = s->accelerations.augmented;
    HolRowConvergence convergence = {
        .tolerance = s->options.projection_tolerance, .previous = HUGE_VAL, .size = s->size};
    for (int i = 0; i < VELOCITY_ITERATIONS; ++i) {
        HOL_TRY(hol_workspace_need(work, HOL_WANT_MASS | HOL_WANT_JACOBIAN | HOL_WANT_NU));
        hol_workspace_velocity_residual(work, s->r);
        if (hol_velocities_converged(&convergence, work, s->r, v))
            return HOL_OK;
        HOL_TRY(hol_augmented_factor(a, work));
        for (int row = 0; row < p->m; ++row)
            s->r[row] *= -a->w[row];
        memset(s->dq, 0, (size_t)p->nv * sizeof *s->dq);
        hol_jacobian_add_transposed(p, work->terms->D, s->r, s->dq);
        hol_penalty_matrix_solve(a->penalty, s->dq); /* (2) */
        hol_add_scaled(p->nv, 1, s->dq, v);
        hol_workspace_new_velocity(work);
    }
    return HOL_NO_CONVERGENCE;
}

static HolStatus projected_project(void *self, HolWorkspace *work, double t, double *q, double *v,
                                   HolStepReport *report)
{
    HOL_TRY(projected_project_positions(self, work, t, q, v, report));
    return projected_project_velocities(self, work, v);
}

/* omega is 0: after a projection there is nothing to stabilise, and at the stages, which lie off the constraints,
 * stabilisation would add an error. */
static const HolOption options_table[] = {
    HOL_PENALTY_OPTION_ROWS(0),
    HOL_AUGMENTED_OPTION_ROWS,
    HOL_REAL(Options, projection_tolerance, HOL_TOL_CONVERGED, 0, 1, "",
             "ends the projection: largest |Phi_i| / max_j |D_ij|, relative to the size of the model"),
    HOL_INTEGER(Options, max_projections, 20, 1, 1000, "position iterations per step before giving up"),
};

const HolFormulationKind hol_augmented_lagrangian_projected = {
    .name = "augmented-lagrangian-projected",
    .title = "index-1 augmented Lagrangian with mass-orthogonal projections",
    .page = "docs/methods/augmented-lagrangian-projected.md",
    .advice = "raise alpha or max_iterations, or take a smaller step",
    .uses_row_weights = true,
    .uses_row_gains = true,
    .has_redundancy_rule = true,
    .wants = HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_STABILIZATION,
    HOL_OPTIONS(Options, options_table),
    .create = projected_create,
    .accelerate = projected_accelerate,
    .project = projected_project,
    .rates = &hol_plain_rates,
};
