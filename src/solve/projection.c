/* SPDX-License-Identifier: BSD-3-Clause */
#include "solve/projection.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"

#include <math.h>
#include <string.h>

/* Velocity corrections where rows may be nonlinear in v: they converge quadratically. */
enum { NONLINEAR_ITERATIONS = 6 };
enum { POSITION_TERMS = HOL_WANT_MASS | HOL_WANT_PHI | HOL_WANT_JACOBIAN | HOL_WANT_NU };
static const double IDENTITY_SINGULAR = HOL_TOL_ROUNDING;

HolStatus hol_projection_create(const HolSetup *setup, HolKkt *kkt, bool identity, HolProjection **projection)
{
    const HolPattern *p = hol_system_pattern(setup->system);
    HolProjection *s = hol_arena_alloc(setup->arena, sizeof *s);
    HOL_TRY(hol_arena_status(setup->arena));
    *s = (HolProjection){.pattern = p, .kkt = kkt, .tolerance = HOL_TOL_CONVERGED, .max_iterations = 20};
    s->velocity_iterations = p->nn > 0 ? NONLINEAR_ITERATIONS : 1;
    HOL_DOUBLES(setup->arena, p->m, &s->c, &s->lambda, &s->size);
    s->x = hol_arena_doubles(setup->arena, (size_t)p->nv);
    s->q = hol_arena_doubles(setup->arena, (size_t)p->nq);
    HOL_TRY(hol_arena_status(setup->arena));
    *projection = s;
    return identity ? hol_schur_create(setup->arena, p, true, &s->identity) : HOL_OK;
}

/* The minimum-norm x with D x = c. */
static HolStatus projection_min_norm(HolProjection *s, HolWorkspace *work, HolStepReport *report)
{
    if (!s->identity)
        return hol_kkt_solve(s->kkt, work, NULL, s->c, s->x, s->lambda, report);
    const unsigned char *left_out = s->kkt->left_out_count ? s->kkt->left_out : NULL;
    HOL_TRY(hol_schur_factor(s->identity, work->terms->D, IDENTITY_SINGULAR, left_out));
    hol_schur_solve(s->identity, NULL, s->c, s->x, s->lambda);
    return HOL_OK;
}

/* x relative to the sizes of the rows is at most the tolerance relative to `unit`, or it has stalled at the rounding of
 * numbers of size `largest`. */
static bool has_converged(HolRowConvergence *convergence, const HolWorkspace *work, int n, const double *x, double unit,
                          double largest)
{
    double rounding = HOL_TOL_STALLED * largest, distance = 0;
    if (!convergence->is_measured) /* the sizes of the rows at the first point are used throughout the iteration */
        hol_jacobian_row_divisors(work->pattern, work->terms->D, convergence->size);
    convergence->is_measured = true;
    for (int i = 0; i < n && !isnan(distance); ++i)
        if (!(fabs(x[i]) <= distance * convergence->size[i]))
            distance = fabs(x[i]) / convergence->size[i];
    bool stalled = distance <= rounding && distance > 0.5 * convergence->previous;
    convergence->previous = distance;
    return distance <= convergence->tolerance * unit || stalled;
}

bool hol_positions_converged(HolRowConvergence *convergence, const HolWorkspace *work, const double *q)
{
    const HolPattern *p = work->pattern;
    return has_converged(convergence, work, p->nh, work->terms->Phi, p->length, hol_position_size(p, q));
}

bool hol_velocities_converged(HolRowConvergence *convergence, const HolWorkspace *work, const double *residual,
                              const double *v)
{
    const HolPattern *p = work->pattern;
    double unit = hol_velocity_unit(work, v);
    return has_converged(convergence, work, p->m, residual, unit, unit + hol_motion_norm(p, v));
}

void hol_count_position_iteration(HolStepReport *report, int iteration)
{
    ++report->position_iterations;
    if (iteration > report->max_position_iterations)
        report->max_position_iterations = iteration;
}

static void projection_move(HolProjection *s, HolWorkspace *work, double *q)
{
    HolPoint at = work->at;
    hol_system_retract(work->system, q, s->x, q);
    hol_workspace_move(work, at.t, q, at.v);
}

/* The first correction with the factors of the last stage, which is usually near enough. Undone unless it reduces the
 * violation well: after a long step, or near a singular configuration, the factors differ too much. */
static HolStatus correct_nearby(HolProjection *s, HolWorkspace *work, double *q, HolStepReport *report)
{
    const HolPattern *p = s->pattern;
    HOL_TRY(hol_workspace_need(work, HOL_WANT_PHI));
    double before = hol_max_norm(p->nh, work->terms->Phi);
    memcpy(s->q, q, (size_t)p->nq * sizeof *q);
    hol_position_residual(s->pattern, work->terms->Phi, s->c);
    hol_kkt_solve_nearby(s->kkt, s->c, s->x, s->lambda); /* (1) */
    projection_move(s, work, q);
    HOL_TRY(hol_workspace_need(work, POSITION_TERMS));
    if (hol_max_norm(p->nh, work->terms->Phi) <= fmax(HOL_PART_REDUCED * before, s->tolerance * p->length)) {
        hol_count_position_iteration(report, 1);
        return HOL_OK;
    }
    memcpy(q, s->q, (size_t)p->nq * sizeof *q);
    hol_workspace_move(work, work->at.t, q, work->at.v);
    return HOL_OK;
}

static HolStatus projection_project_positions(HolProjection *s, HolWorkspace *work, double *q, HolStepReport *report)
{
    HolRowConvergence convergence = {.tolerance = s->tolerance, .previous = HUGE_VAL, .size = s->size};
    int before = report->position_iterations;
    if (!s->identity && hol_kkt_stands_near(s->kkt, work))
        HOL_TRY(correct_nearby(s, work, q, report));
    for (int i = report->position_iterations - before; i <= s->max_iterations; ++i) {
        HOL_TRY(hol_workspace_need(work, POSITION_TERMS));
        if (hol_positions_converged(&convergence, work, q))
            return HOL_OK;
        if (!isfinite(convergence.previous))
            return HOL_NOT_FINITE;
        hol_position_residual(s->pattern, work->terms->Phi, s->c);
        HOL_TRY(projection_min_norm(s, work, report)); /* (1) */
        projection_move(s, work, q);
        hol_count_position_iteration(report, i + 1);
    }
    return HOL_NO_CONVERGENCE;
}

HolStatus hol_projection_velocities(HolProjection *s, HolWorkspace *work, double *v, HolStepReport *report)
{
    const HolPattern *p = s->pattern;
    HolRowConvergence convergence = {.tolerance = s->tolerance, .previous = HUGE_VAL, .size = s->size};
    for (int i = 0; i < s->velocity_iterations; ++i) {
        HOL_TRY(hol_workspace_need(work, HOL_WANT_JACOBIAN | HOL_WANT_NU));
        hol_workspace_velocity_residual(work, s->c);
        if (i > 0 && hol_velocities_converged(&convergence, work, s->c, v))
            return HOL_OK;
        for (int row = 0; row < p->m; ++row)
            s->c[row] = -s->c[row];
        HOL_TRY(projection_min_norm(s, work, report)); /* (2) */
        hol_add_scaled(p->nv, 1, s->x, v);
        hol_workspace_new_velocity(work);
    }
    return p->nn > 0 ? HOL_NO_CONVERGENCE : HOL_OK; /* one correction is exact for linear rows */
}

HolStatus hol_projection_apply(HolProjection *projection, HolWorkspace *work, double t, double *q, double *v,
                               HolStepReport *report)
{
    hol_workspace_move(work, t, q, v);
    return hol_projection_apply_here(projection, work, q, v, report);
}

HolStatus hol_projection_apply_here(HolProjection *projection, HolWorkspace *work, double *q, double *v,
                                    HolStepReport *report)
{
    HOL_TRY(projection_project_positions(projection, work, q, report));
    return hol_projection_velocities(projection, work, v, report);
}
