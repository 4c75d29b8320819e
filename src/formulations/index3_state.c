/* SPDX-License-Identifier: BSD-3-Clause */
/* States of index3-augmented-lagrangian: accelerations, multipliers and projections, by (6) of
 * index3_augmented_lagrangian.c or, at the end of a step and with projection = tangent, by one solution with the matrix
 * A of (4) each, as in the papers:
 *
 *     A dv = -k alpha D~^T L^T (D v - nu),   A da = -k alpha D~^T L^T (D vdot - gamma)                             (7)
 *
 * where v and vdot are those of the scheme. */
#include "base/message.h"
#include "base/tolerances.h"
#include "formulations/index3.h"
#include "linalg/block/blocks.h"
#include "solve/projection.h"

#include <math.h>
#include <string.h>

enum { SOLVE_PASSES = 1000, POSITION_ITERATIONS = 20, VELOCITY_ITERATIONS = 10 };

static const double SOLVE_TOLERANCE = HOL_TOL_ROUNDING;
static const double EXACT = HOL_TOL_ROUNDING; /* violation left by projections */
static const double MAX_MASS_FACTOR = 1e12;   /* largest factor on the mass to make the matrix positive definite */

static HolStatus factor_at_state(HolIndex3 *s, HolWorkspace *work)
{
    HOL_TRY(hol_workspace_need(work, HOL_WANT_MASS | HOL_WANT_JACOBIAN));
    if (s->augmented->stamp == work->stamp)
        return HOL_OK;
    s->augmented->stamp = -1;
    hol_scale_jacobian(s->rows, work->terms->D, s->D_at_state);
    HOL_TRY(hol_penalty_matrix_factor(s->augmented->penalty, work->terms->M, NULL, s->D_at_state, s->augmented->w));
    s->augmented->stamp = work->stamp;
    return HOL_OK;
}

/* M x = f + D~^T mu, D~ x = c~, f and mu may be NULL. At most `passes` iterations; with 1 convergence is not checked.
 * */
static HolStatus solve_at_state(HolIndex3 *s, HolWorkspace *work, int most, const double *f, const double *c, double *x,
                                double *mu, HolStepReport *report)
{
    HOL_TRY(factor_at_state(s, work));
    HolTerms scaled_terms = *work->terms;
    scaled_terms.D = s->D_at_state;
    hol_scale_rows(s->rows, c, s->scaled);
    if (!mu && most > 1)
        mu = s->multipliers;
    int passes = hol_augmented_solve(s->augmented, &scaled_terms, f, s->scaled, f ? work->gentle : work->slow,
                                     SOLVE_TOLERANCE, most, x, mu);
    report->pivot = hol_penalty_matrix_pivot(s->augmented->penalty);
    report->iterations += passes > 0 ? passes : most;
    return passes > 0 ? HOL_OK : HOL_NO_CONVERGENCE;
}

void hol_index3_unscale(const HolIndex3 *s, const double *scaled, double *lambda)
{
    hol_unscale_multipliers(s->rows, scaled, lambda);
    for (int i = 0; s->preload && i < s->rows->pattern->m; ++i)
        lambda[i] += s->preload[i];
}

/* The matrix of (4) with the mass multiplied by `mass_factor`, a factor that index3_correct() divides by again. */
static HolStatus index3_factor_with_mass(HolIndex3 *s, HolWorkspace *work, const HolIndex3End *end, double mass_factor)
{
    HolTerms *terms = work->terms;
    HolSlopes slopes = {terms->K, terms->C, end->k / mass_factor, end->c / mass_factor};
    s->mass_factor = mass_factor;
    for (int i = 0; i < work->pattern->m; ++i)
        s->weights[i] = end->k * end->alpha / mass_factor;
    return hol_penalty_matrix_factor(s->tangent, terms->M, &slopes, s->D_at_trial, s->weights);
}

/* (4). An iterate may compress a stiff spring so much that its force makes the matrix indefinite. A larger mass then
 * limits the increments in the unstable directions and hardly affects the stiff ones. Where there is no tangent, or
 * this fails, the matrix consists of the mass and the rows alone. */
HolStatus hol_index3_factor_tangent(HolIndex3 *s, HolWorkspace *work, const HolIndex3End *end, const double *scaled)
{
    HolTerms *terms = work->terms;
    HolStatus status = HOL_SINGULAR;
    hol_scale_jacobian(s->rows, terms->D, s->D_at_trial);
    if (s->has_tangent) {
        memset(s->multipliers, 0, (size_t)work->pattern->m * sizeof *s->multipliers);
        if (s->options.multipliers == HOL_MULTIPLIERS_OF_STATE) /* the papers' K is that of the forces alone */
            hol_index3_unscale(s, scaled, s->multipliers);
        HOL_TRY(hol_system_tangent(work->system, &work->at, s->vdot, s->multipliers, terms));
        for (double mass_factor = 1; mass_factor <= MAX_MASS_FACTOR && status == HOL_SINGULAR; mass_factor *= 10)
            status = index3_factor_with_mass(s, work, end, mass_factor);
    }
    if (status != HOL_SINGULAR)
        return status;
    s->mass_factor = 1;
    for (int i = 0; i < work->pattern->m; ++i)
        s->weights[i] = end->k * end->alpha;
    return hol_penalty_matrix_factor(s->tangent, terms->M, NULL, s->D_at_trial, s->weights);
}

/* The workspace is at the end of the step that has just been solved. */
static bool index3_is_at_end(const HolIndex3 *s, const HolWorkspace *work)
{
    return s->accelerations.is_stepping &&
           fabs(work->at.t - hol_workspace_time(work, s->end.t)) <= HOL_TOL_ADVANCE * fabs(s->end.t);
}

/* x += dx of (7), where g is what x lacks; g is lost. */
static void add_by_tangent(HolIndex3 *s, const HolPattern *p, double *g, double *x)
{
    hol_scale_rows(s->rows, g, s->scaled);
    for (int i = 0; i < p->m; ++i)
        g[i] = -s->end.k * s->end.alpha / s->mass_factor * s->scaled[i];
    memset(s->x, 0, (size_t)p->nv * sizeof *s->x);
    hol_jacobian_add_transposed(p, s->D_at_trial, g, s->x);
    hol_penalty_matrix_solve(s->tangent, s->x);
    hol_add_scaled(p->nv, 1, s->x, x);
}

static HolStatus project_velocities_by_tangent(HolIndex3 *s, HolWorkspace *work, double *v)
{
    HOL_TRY(hol_workspace_need(work, HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_JACOBIAN | HOL_WANT_NU));
    HOL_TRY(hol_index3_factor_tangent(s, work, &s->end, s->lambda));
    hol_workspace_velocity_residual(work, s->g);
    add_by_tangent(s, work->pattern, s->g, v);
    hol_workspace_new_velocity(work);
    return HOL_OK;
}

/* What the options take from the step instead of the state: accelerations of the scheme by (7), multipliers of (5). */
static void take_from_step(HolIndex3 *s, const HolWorkspace *work, double *vdot, double *lambda)
{
    const HolPattern *p = work->pattern;
    if (s->options.multipliers == HOL_MULTIPLIERS_CARRIED) {
        memcpy(s->latest.lambda, s->lambda, (size_t)p->m * sizeof *s->lambda);
        hol_index3_unscale(s, s->lambda, lambda);
    }
    if (s->options.projection != HOL_PROJECTION_BY_TANGENT)
        return;
    hol_jacobian_times(p, work->terms->D, s->vdot, s->g);
    hol_add_scaled(p->m, -1, work->terms->gamma, s->g);
    memcpy(vdot, s->vdot, (size_t)p->nv * sizeof *vdot);
    add_by_tangent(s, p, s->g, vdot);
}

HolStatus hol_index3_accelerate(void *self, HolWorkspace *work, double h, double *vdot, double *lambda,
                                HolStepReport *report)
{
    (void)h;
    HolIndex3 *s = self;
    const HolPattern *p = work->pattern;
    memcpy(s->force, work->terms->Q, (size_t)p->nv * sizeof *s->force);
    if (s->preload)
        hol_jacobian_add_transposed(p, work->terms->D, s->preload, s->force);
    HOL_TRY(solve_at_state(s, work, SOLVE_PASSES, s->force, work->terms->gamma, vdot, s->latest.lambda, report));
    hol_index3_unscale(s, s->latest.lambda, lambda);
    if (index3_is_at_end(s, work))
        take_from_step(s, work, vdot, lambda);
    memcpy(s->latest.vdot, vdot, (size_t)p->nv * sizeof *vdot);
    return HOL_OK;
}

/* One pass reduces the violation so much that two passes usually suffice, each with a new evaluation of the residual.
 * Where D is nearly singular, they do not. */
static int passes_of(int iteration)
{
    return iteration < 2 ? 1 : SOLVE_PASSES;
}

/* The end of a step usually satisfies the rows already; a state between two steps is projected. */
static HolStatus index3_project_positions(HolIndex3 *s, HolWorkspace *work, double *q, HolStepReport *report)
{
    HolRowConvergence convergence = {.tolerance = EXACT, .previous = HUGE_VAL, .size = s->size};
    for (int i = 1; i <= POSITION_ITERATIONS; ++i) {
        HolPoint at = work->at;
        HOL_TRY(hol_workspace_need(work, HOL_WANT_MASS | HOL_WANT_PHI | HOL_WANT_JACOBIAN | HOL_WANT_NU));
        if (hol_positions_converged(&convergence, work, q))
            return HOL_OK;
        if (!isfinite(convergence.previous))
            return HOL_NOT_FINITE;
        hol_position_residual(work->pattern, work->terms->Phi, s->g);
        HOL_TRY(solve_at_state(s, work, passes_of(i - 1), NULL, s->g, s->x, NULL, report));
        hol_system_retract(work->system, q, s->x, q);
        hol_workspace_move(work, at.t, q, at.v);
        hol_count_position_iteration(report, i);
    }
    return HOL_NO_CONVERGENCE;
}

/* Where D is nearly singular, a small velocity may remain in the nearly unconstrained direction. */
static HolStatus index3_project_velocities(HolIndex3 *s, HolWorkspace *work, double *v, HolStepReport *report)
{
    static const double LITTLE = HOL_TOL_HALF;
    const HolPattern *p = work->pattern;
    HolRowConvergence convergence = {.tolerance = EXACT, .previous = HUGE_VAL, .size = s->size};
    for (int i = 0; i < VELOCITY_ITERATIONS; ++i) {
        HOL_TRY(hol_workspace_need(work, HOL_WANT_MASS | HOL_WANT_JACOBIAN | HOL_WANT_NU));
        hol_workspace_velocity_residual(work, s->g);
        if (hol_velocities_converged(&convergence, work, s->g, v))
            return HOL_OK;
        if (!isfinite(convergence.previous))
            return HOL_NOT_FINITE;
        for (int row = 0; row < p->m; ++row)
            s->g[row] = -s->g[row];
        HolStatus status = solve_at_state(s, work, passes_of(i), NULL, s->g, s->x, NULL, report);
        if (status != HOL_OK && status != HOL_NO_CONVERGENCE)
            return status;
        hol_add_scaled(p->nv, 1, s->x, v);
        hol_workspace_new_velocity(work);
    }
    return convergence.previous <= LITTLE * (hol_velocity_unit(work, v) + hol_motion_norm(p, v)) ? HOL_OK
                                                                                                 : HOL_NO_CONVERGENCE;
}

HolStatus hol_index3_project(void *self, HolWorkspace *work, double t, double *q, double *v, HolStepReport *report)
{
    (void)t; /* the workspace is at t */
    const HolIndex3 *s = self;
    if (s->options.projection == HOL_PROJECTION_BY_TANGENT && index3_is_at_end(s, work))
        return project_velocities_by_tangent(self, work, v);
    HOL_TRY(index3_project_positions(self, work, q, report));
    return index3_project_velocities(self, work, v, report);
}
