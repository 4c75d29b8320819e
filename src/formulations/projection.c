/* SPDX-License-Identifier: BSD-3-Clause */
#include "formulations/projection.h"

#include "base/message.h"
#include "linalg/blocks.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Velocity corrections where rows may be nonlinear in v: they converge quadratically. */
enum { NONLINEAR_ITERATIONS = 6 };
enum { POSITION_TERMS = HOL_WANT_MASS | HOL_WANT_PHI | HOL_WANT_JACOBIAN | HOL_WANT_NU };
static const double IDENTITY_SINGULAR = 1e-13;

HolStatus hol_projection_create(const HolSetup *setup, HolKkt *kkt, bool identity, HolProjection **projection)
{
    const HolPattern *p = hol_system_pattern(setup->system);
    HolProjection *s = hol_arena_alloc(setup->arena, sizeof *s);
    if (!s)
        return HOL_NO_MEMORY;
    *s = (HolProjection){.pattern = p, .kkt = kkt, .tolerance = 1e-14, .max_iterations = 20};
    s->velocity_iterations = p->nn > 0 ? NONLINEAR_ITERATIONS : 1;
    s->c = hol_arena_doubles(setup->arena, (size_t)p->m);
    s->x = hol_arena_doubles(setup->arena, (size_t)p->nv);
    s->lambda = hol_arena_doubles(setup->arena, (size_t)p->m);
    s->size = hol_arena_doubles(setup->arena, (size_t)p->m);
    s->q = hol_arena_doubles(setup->arena, (size_t)p->nq);
    if (hol_arena_failed(setup->arena))
        return HOL_NO_MEMORY;
    *projection = s;
    return identity ? hol_schur_create(setup->arena, p, true, &s->identity) : HOL_OK;
}

/* The shortest x with D x = c. */
static HolStatus shortest(HolProjection *s, HolWorkspace *work, HolStepReport *report)
{
    if (!s->identity)
        return hol_kkt_solve(s->kkt, work, NULL, s->c, s->x, s->lambda, report);
    const unsigned char *left_out = s->kkt->left_out_count ? s->kkt->left_out : NULL;
    HOL_TRY(hol_schur_factor(s->identity, work->terms->D, IDENTITY_SINGULAR, left_out));
    hol_schur_solve(s->identity, NULL, s->c, s->x, s->lambda);
    return HOL_OK;
}

/* The sizes of the rows at the first point serve the whole iteration. */
static void measure_rows(HolDescent *descent, const HolWorkspace *work)
{
    hol_jacobian_row_sizes(work->pattern, work->terms->D, descent->size);
    for (int i = 0; i < work->pattern->m; ++i)
        descent->size[i] = descent->size[i] > 0 ? descent->size[i] : 1;
    descent->is_measured = true;
}

bool hol_descent_done(HolDescent *descent, const HolWorkspace *work, int n, const double *x, double scale)
{
    double rounding = 1e4 * DBL_EPSILON * (1 + scale), distance = 0;
    if (!descent->is_measured)
        measure_rows(descent, work);
    for (int i = 0; i < n && !isnan(distance); ++i)
        if (!(fabs(x[i]) <= distance * descent->size[i]))
            distance = fabs(x[i]) / descent->size[i];
    bool stalled = distance <= rounding && distance > 0.5 * descent->previous;
    descent->previous = distance;
    return distance <= descent->tolerance || stalled;
}

void hol_count_projection(HolStepReport *report, int iteration)
{
    ++report->projections;
    if (iteration > report->max_projection)
        report->max_projection = iteration;
}

/* Right side of (1). */
static void set_gap(HolProjection *s, const HolTerms *terms)
{
    for (int row = 0; row < s->pattern->m; ++row)
        s->c[row] = row < s->pattern->nh ? -terms->Phi[row] : 0;
}

static void move(HolProjection *s, HolWorkspace *work, double *q)
{
    HolPoint at = work->at;
    hol_system_retract(work->system, q, s->x, q);
    hol_workspace_move(work, at.t, q, at.v);
}

/* The first correction with the factors of the last stage, a point so near that it is as good as with its own. Taken
 * back unless it leaves little: after a long step, or near a singular configuration, the two points are not alike. */
static HolStatus correct_nearby(HolProjection *s, HolWorkspace *work, double *q, HolStepReport *report)
{
    static const double LITTLE = 0.1;
    const HolPattern *p = s->pattern;
    HOL_TRY(hol_workspace_need(work, HOL_WANT_PHI));
    double before = hol_max_norm(p->nh, work->terms->Phi);
    memcpy(s->q, q, (size_t)p->nq * sizeof *q);
    set_gap(s, work->terms);
    hol_kkt_solve_nearby(s->kkt, s->c, s->x, s->lambda); /* (1) */
    move(s, work, q);
    HOL_TRY(hol_workspace_need(work, POSITION_TERMS));
    if (hol_max_norm(p->nh, work->terms->Phi) <= fmax(LITTLE * before, s->tolerance)) {
        hol_count_projection(report, 1);
        return HOL_OK;
    }
    memcpy(q, s->q, (size_t)p->nq * sizeof *q);
    hol_workspace_move(work, work->at.t, q, work->at.v);
    return HOL_OK;
}

static HolStatus project_positions(HolProjection *s, HolWorkspace *work, double *q, HolStepReport *report)
{
    const HolPattern *p = s->pattern;
    HolDescent descent = {.tolerance = s->tolerance, .previous = HUGE_VAL, .size = s->size};
    int before = report->projections;
    if (!s->identity && hol_kkt_stands_near(s->kkt, work))
        HOL_TRY(correct_nearby(s, work, q, report));
    for (int i = report->projections - before; i <= s->max_iterations; ++i) {
        HOL_TRY(hol_workspace_need(work, POSITION_TERMS));
        if (hol_descent_done(&descent, work, p->nh, work->terms->Phi, hol_max_norm(p->nq, q)))
            return HOL_OK;
        if (!isfinite(descent.previous))
            return HOL_NOT_FINITE;
        set_gap(s, work->terms);
        HOL_TRY(shortest(s, work, report)); /* (1) */
        move(s, work, q);
        hol_count_projection(report, i + 1);
    }
    return HOL_NO_CONVERGENCE;
}

HolStatus hol_projection_velocities(HolProjection *projection, HolWorkspace *work, double *v, HolStepReport *report)
{
    HolProjection *s = projection;
    const HolPattern *p = s->pattern;
    HolDescent descent = {.tolerance = s->tolerance, .previous = HUGE_VAL, .size = s->size};
    for (int i = 0; i < s->velocity_iterations; ++i) {
        HOL_TRY(hol_workspace_need(work, HOL_WANT_JACOBIAN | HOL_WANT_NU));
        hol_workspace_velocity_residual(work, s->c);
        if (i > 0 && hol_descent_done(&descent, work, p->m, s->c, hol_max_norm(p->nv, v)))
            return HOL_OK;
        for (int row = 0; row < p->m; ++row)
            s->c[row] = -s->c[row];
        HOL_TRY(shortest(s, work, report)); /* (2) */
        for (int k = 0; k < p->nv; ++k)
            v[k] += s->x[k];
        hol_workspace_new_velocity(work);
    }
    return p->nn > 0 ? HOL_NO_CONVERGENCE : HOL_OK; /* of linear rows no more can be had */
}

HolStatus hol_projection_apply(HolProjection *projection, HolWorkspace *work, double t, double *q, double *v,
                               HolStepReport *report)
{
    hol_workspace_move(work, t, q, v);
    HOL_TRY(project_positions(projection, work, q, report));
    return hol_projection_velocities(projection, work, v, report);
}
