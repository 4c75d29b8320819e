/* SPDX-License-Identifier: BSD-3-Clause */
/* Accelerations in a basis of the admissible directions. See docs/methods/null-space.md.
 *
 *     D^T P = [Q1 Q2] [R; 0],   D Q2 = 0     (rows of D scaled to the same size)   (1)
 *     vdot = x + Q2 z,   x = the shortest solution of D x = gamma                 (2)
 *     (Q2^T M Q2) z = Q2^T (Q - M x)                                              (3)
 *     lambda = the shortest solution of D^T lambda = M vdot - Q, of scaled rows   (4)
 *
 * The multipliers drop out of (3), so redundant rows do no harm. */
#include "base/message.h"
#include "formulations/formulation.h"
#include "linalg/blocks.h"
#include "linalg/dense_lu.h"
#include "linalg/dense_qr.h"

#include <math.h>
#include <string.h>

/* Independent rows are counted at the start, where they are consistent; later the rank may only be lower. If a row then
 * misses its acceleration (relative to 1 + max |gamma|) the start was singular. A bad miss inside a step makes all rows
 * count; at accepted states they are counted again when they miss by more than the drift explains. */
static const double START_TOLERANCE = 1e-6, RANK_TOLERANCE = 1e-13;
static const double MISSED = 1e-3, MISS_PER_VIOLATION = 10, LEAST_MISS = 1e-9;

typedef struct NullSpace {
    const HolPattern *pattern;
    HolQr *qr;
    HolLu *lu;
    long stamp;
    int rank;                 /* no more than this */
    unsigned char *redundant; /* m flags */
    double miss;              /* of the latest accelerations, relative */
    double *D, *Q2, *reduced, *column, *z, *force, *missed;
    double *size, *gamma; /* of the rows; gamma divided by it */
} NullSpace;

/* D with rows of equal size, but those found redundant a trifle shorter: otherwise rounding would decide anew at every
 * point which of two copies is kept. */
static void load_rows(NullSpace *s, const HolTerms *terms)
{
    static const double SHORTER = 1 - 1e-6;
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

static HolStatus create(const HolSetup *setup, const void *options, void **self)
{
    (void)options;
    const HolPattern *p = hol_system_pattern(setup->system);
    size_t m = (size_t)p->m, nv = (size_t)p->nv;
    HOL_TRY(hol_formulation_check_dense(setup, "null-space"));
    NullSpace *s = hol_arena_alloc(setup->arena, sizeof *s);
    if (!s)
        return HOL_NO_MEMORY;
    *self = s;
    s->pattern = p;
    s->stamp = -1;
    s->D = hol_arena_doubles(setup->arena, m * nv);
    s->Q2 = hol_arena_doubles(setup->arena, nv * nv);
    s->reduced = hol_arena_doubles(setup->arena, nv * nv);
    s->column = hol_arena_doubles(setup->arena, 2 * nv);
    s->z = hol_arena_doubles(setup->arena, nv);
    s->force = hol_arena_doubles(setup->arena, nv);
    s->missed = hol_arena_doubles(setup->arena, m);
    s->size = hol_arena_doubles(setup->arena, m);
    s->redundant = hol_arena_alloc(setup->arena, m);
    s->gamma = hol_arena_doubles(setup->arena, m);
    if (hol_arena_failed(setup->arena))
        return HOL_NO_MEMORY;
    HOL_TRY(hol_qr_create(setup->arena, p->nv, p->m, &s->qr));
    HOL_TRY(hol_lu_create(setup->arena, p->nv, &s->lu));
    return count_rows(s, setup->work);
}

/* z_j = sum_i Q2_ij f_i */
static void reduce(const NullSpace *s, int freedoms, const double *f, double *z)
{
    for (int j = 0; j < freedoms; ++j)
        z[j] = 0;
    for (int i = 0; i < s->pattern->nv; ++i)
        for (int j = 0; j < freedoms; ++j)
            z[j] += s->Q2[i * freedoms + j] * f[i];
}

/* Q2^T M Q2, column by column */
static HolStatus factor_reduced_mass(NullSpace *s, const HolTerms *terms, int freedoms)
{
    int nv = s->pattern->nv;
    double *direction = s->column, *momentum = s->column + nv;
    for (int j = 0; j < freedoms; ++j) {
        for (int i = 0; i < nv; ++i)
            direction[i] = s->Q2[i * freedoms + j];
        hol_mass_times(s->pattern, terms->M, direction, momentum);
        reduce(s, freedoms, momentum, s->z);
        for (int i = 0; i < freedoms; ++i)
            s->reduced[i * freedoms + j] = s->z[i];
    }
    return hol_lu_factor(s->lu, freedoms, s->reduced);
}

static HolStatus factor(NullSpace *s, HolWorkspace *work)
{
    const HolPattern *p = s->pattern;
    if (s->stamp == work->stamp)
        return HOL_OK;
    s->stamp = -1;
    load_rows(s, work->terms);
    if (hol_qr_factor_transposed(s->qr, p->m, p->nv, s->D, RANK_TOLERANCE) < 0)
        return HOL_NOT_FINITE;
    hol_qr_limit_rank(s->qr, s->rank); /* drifted redundant rows are no longer exactly dependent */
    hol_qr_null_space(s->qr, s->Q2);   /* (1) */
    HOL_TRY(factor_reduced_mass(s, work->terms, p->nv - s->qr->rank));
    s->stamp = work->stamp;
    return HOL_OK;
}

/* force = sign (M x - Q) */
static void inertia_minus_force(NullSpace *s, const HolTerms *terms, const double *x, double sign)
{
    hol_mass_times(s->pattern, terms->M, x, s->force);
    for (int i = 0; i < s->pattern->nv; ++i)
        s->force[i] = sign * (s->force[i] - terms->Q[i]);
}

/* (2), (3) */
static HolStatus solve(NullSpace *s, HolWorkspace *work, double *vdot)
{
    HOL_TRY(factor(s, work));
    int freedoms = s->pattern->nv - s->qr->rank;
    for (int i = 0; i < s->pattern->m; ++i)
        s->gamma[i] = work->terms->gamma[i] / s->size[i];
    hol_qr_solve_transposed(s->qr, s->gamma, vdot);
    inertia_minus_force(s, work->terms, vdot, -1);
    reduce(s, freedoms, s->force, s->z);
    hol_lu_solve(s->lu, s->z);
    for (int i = 0; i < s->pattern->nv; ++i)
        for (int j = 0; j < freedoms; ++j)
            vdot[i] += s->Q2[i * freedoms + j] * s->z[j];
    return HOL_OK;
}

/* max |D vdot - gamma| of the scaled rows, relative */
static double miss_of(NullSpace *s, const HolTerms *terms, const double *vdot)
{
    const HolPattern *p = s->pattern;
    hol_jacobian_times(p, terms->D, vdot, s->missed);
    for (int i = 0; i < p->m; ++i)
        s->missed[i] = s->missed[i] / s->size[i] - s->gamma[i];
    return hol_max_norm(p->m, s->missed) / (1 + hol_max_norm(p->m, s->gamma));
}

static HolStatus accelerate(void *self, HolWorkspace *work, double h, double *vdot, double *lambda,
                            HolStepReport *report)
{
    (void)h;
    NullSpace *s = self;
    HOL_TRY(solve(s, work, vdot));
    if (s->rank < s->pattern->m && (s->miss = miss_of(s, work->terms, vdot)) > MISSED) {
        s->rank = s->pattern->m;
        s->miss = HUGE_VAL; /* until they are counted again */
        s->stamp = -1;
        HOL_TRY(solve(s, work, vdot));
    }
    inertia_minus_force(s, work->terms, vdot, 1);
    hol_qr_min_norm(s->qr, s->force, lambda); /* (4) */
    for (int i = 0; i < s->pattern->m; ++i)
        lambda[i] /= s->size[i];
    report->rank = s->qr->rank;
    report->pivot = hol_qr_quality(s->qr) * hol_qr_quality(s->qr);
    return HOL_OK;
}

static HolStatus prepare(void *self, HolWorkspace *work, HolStepReport *report)
{
    (void)report;
    NullSpace *s = self;
    if (s->miss <= LEAST_MISS)
        return HOL_OK;
    HOL_TRY(hol_workspace_need(work, HOL_WANT_PHI | HOL_WANT_JACOBIAN | HOL_WANT_NU));
    double violation =
        fmax(hol_max_norm(s->pattern->nh, work->terms->Phi), hol_workspace_velocity_residual(work, s->missed));
    return s->miss > LEAST_MISS + MISS_PER_VIOLATION * violation ? count_rows(s, work) : HOL_OK;
}

const HolFormulationKind hol_null_space = {
    .name = "null-space",
    .title = "null-space projection of the accelerations (Maggi, Udwadia-Kalaba)",
    .page = "docs/methods/null-space.md",
    .offers = HOL_RATES | HOL_SPLIT,
    .wants = HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_JACOBIAN | HOL_WANT_GAMMA,
    .create = create,
    .accelerate = accelerate,
    .prepare = prepare,
};
