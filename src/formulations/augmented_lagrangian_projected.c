/* SPDX-License-Identifier: BSD-3-Clause */
/* Augmented Lagrangian accelerations, then after every step mass-orthogonal projections by the same matrix
 * A = M + D^T w D. See docs/methods/augmented-lagrangian-projected.md.
 *
 *     positions:   A dq = -M delta - D^T (lam + w Phi),  q <- q (+) dq,  delta <- delta + dq,
 *                  lam <- lam + w (Phi + D dq),  from delta = 0, lam = 0           (1)
 *     velocities:  A dv = -D^T w (D v - nu),  v <- v + dv, repeated                (2)
 *
 * delta is the way gone from the start. (1) is Newton's method for the least
 * |delta|_M^2 / 2 + lam^T Phi + w |Phi|^2 / 2, where lam takes over what the penalty carried: after each step
 * M delta + D^T lam = 0. With the true Phi of the new point in the update, as it is often printed, w times its
 * nonlinear part would go into lam, only to be taken back by the next step. It ends where delta is M-orthogonal to the
 * constraints and Phi = 0. */
#include "base/message.h"
#include "formulations/augmented_lagrangian.h"
#include "formulations/projection.h"
#include "linalg/blocks.h"

#include <math.h>
#include <string.h>

enum { VELOCITY_ITERATIONS = 10 };

typedef struct Options {
    HolPenaltyOptions penalty;
    double projection_tolerance;
    int max_projections;
} Options;

typedef struct Projected {
    HolAugmentedLagrangian accelerations; /* first: accelerate() takes it for the whole */
    Options options;
    double *delta, *dq, *lam, *r, *size;
} Projected;

static HolStatus create(const HolSetup *setup, const void *options, void **self)
{
    const HolPattern *p = hol_system_pattern(setup->system);
    Projected *s = hol_arena_alloc(setup->arena, sizeof *s);
    if (!s)
        return HOL_NO_MEMORY;
    *self = s;
    s->options = *(const Options *)options;
    s->delta = hol_arena_doubles(setup->arena, (size_t)p->nv);
    s->dq = hol_arena_doubles(setup->arena, (size_t)p->nv);
    s->lam = hol_arena_doubles(setup->arena, (size_t)p->m);
    s->r = hol_arena_doubles(setup->arena, (size_t)p->m);
    s->size = hol_arena_doubles(setup->arena, (size_t)p->m);
    if (hol_arena_failed(setup->arena))
        return HOL_NO_MEMORY;
    return hol_augmented_lagrangian_create(setup, &s->options.penalty, &s->accelerations);
}

static HolStatus accelerate(void *self, HolWorkspace *work, double h, double *vdot, double *lambda,
                            HolStepReport *report)
{
    (void)h;
    Projected *s = self;
    return hol_augmented_lagrangian_accelerate(&s->accelerations, work, vdot, lambda, report);
}

/* (1). A must be that of this point: where D has turned by more than 1/sqrt(w), an older one sends q astray. */
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
    hol_primal_solve(s->accelerations.augmented->primal, s->dq);
    hol_jacobian_times(p, terms->D, s->dq, s->r);
    for (int i = 0; i < p->m; ++i)
        s->lam[i] += w[i] * (s->r[i] + (i < p->nh ? terms->Phi[i] : 0));
    for (int i = 0; i < p->nv; ++i)
        s->delta[i] += s->dq[i];
}

static HolStatus project_positions(Projected *s, HolWorkspace *work, double t, double *q, double *v,
                                   HolStepReport *report)
{
    const HolPattern *p = work->pattern;
    HolDescent descent = {.tolerance = s->options.projection_tolerance, .previous = HUGE_VAL, .size = s->size};
    memset(s->delta, 0, (size_t)p->nv * sizeof *s->delta);
    memset(s->lam, 0, (size_t)p->m * sizeof *s->lam);
    for (int i = 0; i <= s->options.max_projections; ++i) {
        hol_workspace_move(work, t, q, v);
        HOL_TRY(hol_workspace_need(work, HOL_WANT_MASS | HOL_WANT_PHI | HOL_WANT_JACOBIAN | HOL_WANT_NU));
        if (hol_descent_done(&descent, work, p->nh, work->terms->Phi, hol_max_norm(p->nq, q)))
            return HOL_OK;
        if (!isfinite(descent.previous))
            return HOL_NOT_FINITE;
        HOL_TRY(hol_augmented_factor(s->accelerations.augmented, work));
        position_increment(s, work->terms);
        hol_system_retract(work->system, q, s->dq, q);
        hol_count_projection(report, i + 1);
    }
    return HOL_NO_CONVERGENCE;
}

static HolStatus project_velocities(Projected *s, HolWorkspace *work, double *v)
{
    const HolPattern *p = work->pattern;
    HolAugmented *a = s->accelerations.augmented;
    HolDescent descent = {.tolerance = s->options.projection_tolerance, .previous = HUGE_VAL, .size = s->size};
    for (int i = 0; i < VELOCITY_ITERATIONS; ++i) {
        HOL_TRY(hol_workspace_need(work, HOL_WANT_MASS | HOL_WANT_JACOBIAN | HOL_WANT_NU));
        hol_workspace_velocity_residual(work, s->r);
        if (hol_descent_done(&descent, work, p->m, s->r, hol_max_norm(p->nv, v)))
            return HOL_OK;
        HOL_TRY(hol_augmented_factor(a, work));
        for (int row = 0; row < p->m; ++row)
            s->r[row] *= -a->w[row];
        memset(s->dq, 0, (size_t)p->nv * sizeof *s->dq);
        hol_jacobian_add_transposed(p, work->terms->D, s->r, s->dq);
        hol_primal_solve(a->primal, s->dq); /* (2) */
        for (int k = 0; k < p->nv; ++k)
            v[k] += s->dq[k];
        hol_workspace_new_velocity(work);
    }
    return HOL_NO_CONVERGENCE;
}

static HolStatus project(void *self, HolWorkspace *work, double t, double *q, double *v, HolStepReport *report)
{
    HOL_TRY(project_positions(self, work, t, q, v, report));
    return project_velocities(self, work, v);
}

/* omega is 0: after a projection nothing is left to be stabilised, and beside the constraints, where stages lie, it
 * would only disturb. */
static const HolOption options_table[] = {
    HOL_PENALTY_OPTION_ROWS(0),
    HOL_AUGMENTED_OPTION_ROWS,
    {"projection_tolerance", HOL_OPTION_REAL, offsetof(Options, projection_tolerance), 1e-14, 0, 1, NULL, "",
     "ends the projection: largest |Phi_i| / max_j |D_ij|"},
    {"max_projections", HOL_OPTION_INTEGER, offsetof(Options, max_projections), 20, 1, 1000, NULL, "",
     "position iterations per step before giving up"},
};

const HolFormulationKind hol_augmented_lagrangian_projected = {
    .name = "augmented-lagrangian-projected",
    .title = "index-1 augmented Lagrangian with mass-orthogonal projections",
    .page = "docs/methods/augmented-lagrangian-projected.md",
    .advice = "raise alpha or max_iterations, or take a smaller step",
    .weighs_rows = true,
    .shares_rows = true,
    .offers = HOL_RATES | HOL_SPLIT,
    .wants = HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_STABILIZATION,
    .options_size = sizeof(Options),
    .options = options_table,
    .option_count = sizeof options_table / sizeof *options_table,
    .create = create,
    .accelerate = accelerate,
    .project = project,
};
