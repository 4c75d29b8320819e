/* SPDX-License-Identifier: BSD-3-Clause */
/* Accelerations in a basis of the admissible directions. See docs/methods/null-space.md.
 *
 *     D^T P = [Q1 Q2] [R; 0],   D Q2 = 0     (rows of D scaled to the same size)   (1)
 *     vdot = x + Q2 z,   x = the minimum-norm solution of D x = gamma               (2)
 *     (Q2^T M Q2) z = Q2^T (Q - M x)                                              (3)
 *     lambda = the minimum-norm solution of D^T lambda = M vdot - Q, of scaled rows   (4)
 *
 * (3) does not contain the multipliers, so redundant rows need no treatment. */
#include "base/message.h"
#include "base/tolerances.h"
#include "formulations/formulation.h"
#include "linalg/block/blocks.h"
#include "linalg/dense/qr.h"
#include "solve/reduced_equations.h"

#include <math.h>
#include <string.h>

/* Independent rows are counted at the start, where they are consistent; later the rank may only be lower. If a row then
 * misses its acceleration, relative to max |gamma| and a tenth of max |vdot|, the start was singular. A bad miss inside
 * a step makes all rows count; at accepted states they are counted again when they miss by more than the drift
 * explains. */
static const double START_TOLERANCE = HOL_TOL_RANK_STILL, RANK_TOLERANCE = HOL_TOL_ROUNDING;
static const double MISSED = HOL_TOL_SMALL, MISS_PER_VIOLATION = 10, LEAST_MISS = HOL_TOL_RANK;

typedef struct NullSpace {
    const HolPattern *pattern;
    HolQr *qr;
    HolReducedEquations *reduced; /* whose Z is Q2 */
    long stamp;
    int rank;                 /* no more than this */
    unsigned char *redundant; /* m flags */
    double miss;              /* of the latest accelerations, relative */
    double *D, *missed;
    double *size, *gamma; /* of the rows; gamma divided by it */
} NullSpace;

/* D with rows of equal size, redundant ones slightly shorter: otherwise rounding would decide at every point which of
 * two equal rows is kept. */
static void load_rows(NullSpace *s, const HolTerms *terms)
{
    static const double SHORTER = 1 - HOL_TOL_RANK_STILL;
    const HolPattern *p = s->pattern;
    hol_jacobian_dense_scaled(p, terms->D, s->D, s->size);
    for (int i = 0; i < p->m; ++i) {
        if (!s->redundant[i])
            continue;
        s->size[i] /= SHORTER;
        for (int j = 0; j < p->nv; ++j)
            s->D[i * p->nv + j] *= SHORTER;
    }
}

static HolStatus count_rows(NullSpace *s, HolWorkspace *work)
{
    const HolPattern *p = s->pattern;
    HOL_TRY(hol_workspace_need(work, HOL_WANT_JACOBIAN));
    memset(s->redundant, 0, (size_t)p->m);
    load_rows(s, work->terms);
    s->rank = hol_qr_factor_transposed(s->qr, p->m, p->nv, s->D, START_TOLERANCE);
    for (int i = s->rank; i < p->m && s->rank >= 0; ++i)
        s->redundant[s->qr->pivot[i]] = 1;
    s->miss = 0;
    s->stamp = -1;
    return s->rank < 0 ? HOL_NOT_FINITE : HOL_OK;
}

static HolStatus null_space_create(const HolSetup *setup, const void *options, void **self)
{
    (void)options;
    const HolPattern *p = hol_system_pattern(setup->system);
    size_t m = (size_t)p->m, nv = (size_t)p->nv;
    HOL_TRY(hol_setup_check_dense(setup, "null-space"));
    NullSpace *s = hol_arena_alloc(setup->arena, sizeof *s);
    HOL_TRY(hol_arena_status(setup->arena));
    *self = s;
    s->pattern = p;
    s->stamp = -1;
    s->D = hol_arena_doubles(setup->arena, m * nv);
    HOL_DOUBLES(setup->arena, m, &s->missed, &s->size);
    s->redundant = hol_arena_alloc(setup->arena, m);
    s->gamma = hol_arena_doubles(setup->arena, m);
    HOL_TRY(hol_arena_status(setup->arena));
    HOL_TRY(hol_qr_create(setup->arena, p->nv, p->m, &s->qr));
    HOL_TRY(hol_reduced_create(setup, &s->reduced));
    return count_rows(s, setup->work);
}

static HolStatus null_space_factor(NullSpace *s, HolWorkspace *work)
{
    const HolPattern *p = s->pattern;
    if (s->stamp == work->stamp)
        return HOL_OK;
    s->stamp = -1;
    load_rows(s, work->terms);
    if (hol_qr_factor_transposed(s->qr, p->m, p->nv, s->D, RANK_TOLERANCE) < 0)
        return HOL_NOT_FINITE;
    hol_qr_limit_rank(s->qr, s->rank);       /* drifted redundant rows are no longer exactly dependent */
    hol_qr_null_space(s->qr, s->reduced->Z); /* (1) */
    hol_times_units(p, p->nv - s->qr->rank, s->reduced->Z);
    HOL_TRY(hol_reduced_factor(s->reduced, work->terms, p->nv - s->qr->rank));
    s->stamp = work->stamp;
    return HOL_OK;
}

/* (2), (3) */
static HolStatus null_space_solve(NullSpace *s, HolWorkspace *work, double *vdot)
{
    HOL_TRY(null_space_factor(s, work));
    for (int i = 0; i < s->pattern->m; ++i)
        s->gamma[i] = work->terms->gamma[i] / s->size[i];
    hol_qr_solve_transposed(s->qr, s->gamma, vdot);
    hol_times_units(s->pattern, 1, vdot);
    hol_reduced_solve(s->reduced, work->terms, work->terms->Q, vdot);
    return HOL_OK;
}

/* max |D vdot - gamma| of the scaled rows, relative */
static double miss_of(NullSpace *s, const HolTerms *terms, const double *vdot)
{
    const HolPattern *p = s->pattern;
    hol_jacobian_times(p, terms->D, vdot, s->missed);
    for (int i = 0; i < p->m; ++i)
        s->missed[i] = s->missed[i] / s->size[i] - s->gamma[i];
    double size = hol_max_norm(p->m, s->gamma) + HOL_PART_OF_ACCELERATION * hol_motion_norm(p, vdot);
    return size > 0 ? hol_max_norm(p->m, s->missed) / size : 0;
}

static HolStatus null_space_accelerate(void *self, HolWorkspace *work, double h, double *vdot, double *lambda,
                                       HolStepReport *report)
{
    (void)h;
    NullSpace *s = self;
    HOL_TRY(null_space_solve(s, work, vdot));
    if (s->rank < s->pattern->m && (s->miss = miss_of(s, work->terms, vdot)) > MISSED) {
        s->rank = s->pattern->m;
        s->miss = HUGE_VAL; /* until they are counted again */
        s->stamp = -1;
        HOL_TRY(null_space_solve(s, work, vdot));
    }
    hol_reduced_force(s->reduced, work->terms, work->terms->Q, vdot);
    hol_times_units(s->pattern, 1, s->reduced->force);
    hol_qr_min_norm(s->qr, s->reduced->force, lambda); /* (4) */
    for (int i = 0; i < s->pattern->m; ++i)
        lambda[i] /= s->size[i];
    report->rank = s->qr->rank;
    report->pivot = hol_qr_quality(s->qr) * hol_qr_quality(s->qr);
    return HOL_OK;
}

static HolStatus null_space_prepare(void *self, HolWorkspace *work, HolStepReport *report)
{
    (void)report;
    NullSpace *s = self;
    if (s->miss <= LEAST_MISS)
        return HOL_OK;
    HOL_TRY(hol_workspace_need(work, HOL_WANT_PHI | HOL_WANT_JACOBIAN | HOL_WANT_NU));
    double violation = hol_workspace_relative_violation(work, s->missed);
    return s->miss > LEAST_MISS + MISS_PER_VIOLATION * violation ? count_rows(s, work) : HOL_OK;
}

const HolFormulationKind hol_null_space = {
    .name = "null-space",
    .title = "null-space projection of the accelerations (Maggi, Udwadia-Kalaba)",
    .page = "docs/methods/null-space.md",
    .wants = HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_JACOBIAN | HOL_WANT_GAMMA,
    .create = null_space_create,
    .accelerate = null_space_accelerate,
    .prepare = null_space_prepare,
    .rates = &hol_plain_rates,
};
