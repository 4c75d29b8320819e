/* SPDX-License-Identifier: BSD-3-Clause */
/* Accelerations in a basis of the admissible directions. See docs/methods/null-space.md.
 *
 *     D^T P = [Q1 Q2] [R; 0],   D Q2 = 0     (rows of D scaled to the same size)   (1)
 *     vdot = x + Q2 z,   x = the minimum-norm solution of D x = gamma               (2)
 *     (Q2^T M Q2) z = Q2^T (Q - M x)                                              (3)
 *     lambda = the minimum-norm solution of D^T lambda = M vdot - Q, of scaled rows   (4)
 *
 * (3) does not contain the multipliers, so redundant rows need no treatment but a Q2 that does not depend on which of
 * them come first, or it would jump within steps: that of inverse.h. */
#include "base/message.h"
#include "base/tolerances.h"
#include "formulations/formulation.h"
#include "linalg/block/blocks.h"
#include "linalg/dense/qr.h"
#include "solve/inverse.h"
#include "solve/stabilization.h"

/* Rows that are independent initially; later the rank may only be lower. */
static const double START_TOLERANCE = HOL_TOL_RANK_STILL, RANK_TOLERANCE = HOL_TOL_ROUNDING;

typedef struct NullSpace {
    const HolPattern *pattern;
    HolInverse *inverse; /* of redundant rows; else NULL, and what follows: */
    HolQr *qr;
    HolReducedEquations *reduced; /* whose Z is Q2 */
    long stamp;
    double *D, *size, *gamma; /* rows of the same size; the size; gamma divided by it */
} NullSpace;

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
    HOL_DOUBLES(setup->arena, m, &s->size, &s->gamma);
    HOL_TRY(hol_arena_status(setup->arena));
    HOL_TRY(hol_qr_create(setup->arena, p->nv, p->m, &s->qr));
    hol_jacobian_dense_scaled(p, setup->work->terms->D, s->D, s->size);
    int rank = hol_qr_factor_transposed(s->qr, p->m, p->nv, s->D, START_TOLERANCE);
    if (rank < 0)
        return HOL_NOT_FINITE;
    if (rank == p->m)
        return hol_reduced_create(setup, &s->reduced);
    HOL_TRY(hol_inverse_create(setup, p->m, START_TOLERANCE, &s->inverse));
    return hol_inverse_scale_rows(setup, s->inverse);
}

static HolStatus null_space_factor(NullSpace *s, HolWorkspace *work)
{
    const HolPattern *p = s->pattern;
    if (s->stamp == work->stamp)
        return HOL_OK;
    s->stamp = -1;
    hol_jacobian_dense_scaled(p, work->terms->D, s->D, s->size);
    if (hol_qr_factor_transposed(s->qr, p->m, p->nv, s->D, RANK_TOLERANCE) < 0)
        return HOL_NOT_FINITE;
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

static HolStatus null_space_accelerate(void *self, HolWorkspace *work, double h, double *vdot, double *lambda,
                                       HolStepReport *report)
{
    NullSpace *s = self;
    if (s->inverse) {
        HOL_TRY(hol_workspace_need(work, HOL_WANT_STABILIZATION));
        HOL_TRY(hol_inverse_factor(s->inverse, work));
        hol_stabilized_gamma(work, hol_gains_of_motion(work, h), s->gamma);
        hol_inverse_solve(s->inverse, work->terms, work->terms->Q, s->gamma, vdot, lambda);
        report->rank = s->inverse->space->rank;
        report->pivot = hol_inverse_pivot(s->inverse);
        return HOL_OK;
    }
    HOL_TRY(null_space_solve(s, work, vdot));
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
    return s->inverse ? hol_inverse_count(s->inverse, work) : HOL_OK;
}

static void null_space_archive(void *self, HolArchive *archive)
{
    NullSpace *s = self;
    hol_inverse_archive(s->inverse, archive);
}

const HolFormulationKind hol_null_space = {
    .name = "null-space",
    .title = "null-space projection of the accelerations (Maggi, Udwadia-Kalaba)",
    .page = "docs/methods/null-space.md",
    .wants = HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_JACOBIAN | HOL_WANT_GAMMA,
    .create = null_space_create,
    .accelerate = null_space_accelerate,
    .prepare = null_space_prepare,
    .archive = null_space_archive,
    .rates = &hol_plain_rates,
};
