/* SPDX-License-Identifier: BSD-3-Clause */
#include "solve/kkt.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"
#include "linalg/rank/rank.h"
#include "solve/stabilization.h"

#include <math.h>
#include <string.h>

/* During steps only rows that are singular to rounding are left out: a mechanism may pass near a singular point. */
static const double SINGULAR = HOL_TOL_PIVOT;
/* Kept rows are a poor choice when their smallest pivot falls below this part of what it was. */
static const double POOR = 10 * HOL_TOL_SMALL;
/* A row left out is wrong if it is missed by more than this part of the largest c. Accelerations of a state that has
 * drifted miss by a little, corrections of it by parts of themselves, and by the rounding of positions. */
static const double MISS_OF_MOTION = HOL_TOL_SMALL;
/* At an accepted state its violation is known, and the miss of a redundant row is no more than this many times that. */
static const double MISS_PER_VIOLATION = 10, LEAST_MISS = HOL_TOL_RANK;
/* Rows count as independent inside a step if their sine exceeds this many times the violation there. */
static const double SINE_PER_VIOLATION = 0.1 * HOL_TOL_RANK_PER_VIOLATION;

/* Weights grow by this factor where the iteration does not converge, so often at most. */
static const double STRONGER = 1e2;
enum { MOST_GROWTH = 3, PASSES = 100 };

/* Each row's weight against the mass that the row sees, sum_j d_j^2 M_jj / |d|^2: enough for two digits per pass, and
 * no more, because rounding in D x reaches lambda multiplied by it. Of a long chain, or near a singular configuration,
 * rows together see a mass far larger. */
static HolStatus kkt_set_weights(HolAugmented *a, const HolSetup *setup)
{
    static const double DOMINANCE = 1e2, LEAST_MASS = HOL_TOL_MASS;
    const HolPattern *p = a->pattern;
    const HolTerms *terms = setup->work->terms;
    double *seen = hol_arena_doubles(setup->arena, (size_t)p->m), *size = hol_arena_doubles(setup->arena, (size_t)p->m);
    double largest = 0;
    HOL_TRY(hol_arena_status(setup->arena));
    for (int i = 0; i < p->pair_count; ++i) {
        int g = p->pairs[i].row, b = p->pairs[i].column, n = hol_part_size(p->block_start, b);
        const double *D = terms->D + p->pair_start[i], *M = terms->M + p->mass_start[b];
        for (int k = 0; k < hol_part_size(p->group_start, g) * n; ++k) {
            size[p->group_start[g] + k / n] += D[k] * D[k];
            seen[p->group_start[g] + k / n] += D[k] * D[k] * M[k % n * (n + 1)];
            largest = fmax(largest, M[k % n * (n + 1)]);
        }
    }
    for (int i = 0; i < p->m; ++i) {
        double mass = size[i] > 0 ? fmax(seen[i] / size[i], LEAST_MASS * largest) : 0;
        a->w[i] = size[i] > 0 ? DOMINANCE * (mass > 0 ? mass : 1) / size[i] : 1;
    }
    return HOL_OK;
}

static HolStatus create_augmented(const HolSetup *setup, HolKkt *k)
{
    HolSetup plain = *setup;
    plain.row_weights = NULL;
    k->schur = NULL;
    HOL_TRY(hol_augmented_create(&plain, 1, &k->augmented));
    return kkt_set_weights(k->augmented, setup);
}

/* A row of weight zero does not take part in the iteration. */
static void leave_out_weights(HolKkt *k)
{
    for (int i = 0; i < k->pattern->m; ++i)
        k->augmented->w[i] = k->left_out[i] ? 0 : k->weights[i];
    k->augmented->stamp = -1;
}

static HolStatus kkt_choose_rows(HolKkt *k, HolRowChoice *rows, HolWorkspace *work, double least)
{
    HOL_TRY(hol_workspace_need(work, HOL_WANT_MASS | HOL_WANT_JACOBIAN | HOL_WANT_PHI));
    double violation = hol_relative_violation(k->pattern, work->terms->D, work->terms->Phi);
    k->choose_anew = false;
    k->missed = 0;
    k->stamp = -1;
    HOL_TRY(hol_rows_choose(rows, work->terms->D, hol_rank_sine(least, violation), k->left_out, &k->left_out_count));
    if (k->eliminates && k->left_out_count > 0)
        HOL_TRY(hol_rows_prefer_first(rows, work->terms->D, k->left_out));
    if (k->augmented)
        leave_out_weights(k);
    if (k->left_out_count == 0 || !k->schur)
        return HOL_OK;
    HOL_TRY(hol_schur_factor(k->schur, work->terms->D, SINGULAR, k->left_out));
    k->pivot = hol_schur_pivot(k->schur);
    return HOL_OK;
}

/* The first choice is made in memory of its own, which is needed again only if there was something to choose. */
static HolStatus choose_rows_first(const HolSetup *setup, HolKkt *k)
{
    HolRowChoice *rows;
    HolArena *arena = hol_arena_create_within(k->pattern->memory);
    HolStatus status = arena ? hol_rows_create(arena, k->pattern, &rows) : HOL_NO_MEMORY;
    if (status == HOL_OK)
        status = kkt_choose_rows(k, rows, setup->work, HOL_TOL_RANK);
    hol_arena_report(setup->arena, arena);
    hol_arena_destroy(arena);
    if (status == HOL_OK && k->left_out_count > 0)
        status = hol_rows_create(setup->arena, k->pattern, &k->rows);
    return status;
}

static HolStatus create_solver(const HolSetup *setup, HolKkt **kkt)
{
    const HolPattern *p = hol_system_pattern(setup->system);
    HolKkt *k = hol_arena_alloc(setup->arena, sizeof *k);
    HOL_TRY(hol_arena_status(setup->arena));
    *kkt = k;
    k->pattern = p;
    k->stamp = -1;
    k->poor = POOR;
    k->constant_mass = hol_system_has_constant_mass(setup->system);
    k->left_out = hol_arena_alloc(setup->arena, (size_t)p->m);
    k->left_out_before = hol_arena_alloc(setup->arena, (size_t)p->m);
    k->residual = hol_arena_doubles(setup->arena, (size_t)p->m);
    HOL_TRY(hol_arena_status(setup->arena));
    const HolTerms *terms = setup->work->terms;
    HolStatus status = hol_schur_create_for(setup->arena, p, terms->M, terms->D, &k->schur);
    return status == HOL_UNSUPPORTED || status == HOL_SINGULAR ? create_augmented(setup, k) : status;
}

static HolStatus create_refinement(const HolSetup *setup, HolKkt *k)
{
    if (!k->schur)
        return HOL_OK;
    const unsigned char *left_out = k->left_out_count ? k->left_out : NULL;
    HOL_TRY(hol_schur_factor(k->schur, setup->work->terms->D, SINGULAR, left_out));
    return hol_refinement_create(setup, k->schur, &k->refinement);
}

HolStatus hol_kkt_create(const HolSetup *setup, HolKkt **kkt)
{
    HOL_TRY(create_solver(setup, kkt));
    HOL_TRY((*kkt)->schur ? choose_rows_first(setup, *kkt) : HOL_OK);
    return create_refinement(setup, *kkt);
}

HolStatus hol_kkt_create_eliminating(const HolSetup *setup, double tolerance, HolKkt **kkt)
{
    HOL_TRY(create_solver(setup, kkt));
    HolKkt *k = *kkt;
    size_t m = (size_t)k->pattern->m;
    k->eliminates = true;
    k->tolerance = tolerance;
    HOL_TRY(hol_rows_create(setup->arena, k->pattern, &k->rows));
    if (k->augmented) {
        k->weights = hol_arena_doubles(setup->arena, m);
        HOL_TRY(hol_arena_status(setup->arena));
        memcpy(k->weights, k->augmented->w, m * sizeof *k->weights);
    }
    HOL_TRY(kkt_choose_rows(k, k->rows, setup->work, tolerance));
    return create_refinement(setup, k);
}

HolStatus hol_kkt_use_all_rows(const HolSetup *setup, double tolerance, HolKkt *k)
{
    static const double MOST_NUMBERS = 1e5; /* of dense matrices; above, they would dominate the time of a step */
    const HolPattern *p = k->pattern;
    if (!k->schur || k->left_out_count == 0 || (double)p->nv * (p->nv + (double)p->m) > MOST_NUMBERS)
        return HOL_OK;
    k->x = hol_arena_doubles(setup->arena, (size_t)p->nv);
    k->c = hol_arena_doubles(setup->arena, (size_t)p->m);
    HOL_TRY(hol_arena_status(setup->arena));
    HOL_TRY(hol_inverse_create(setup, p->m, tolerance, &k->inverse));
    return hol_inverse_scale_rows(setup, k->inverse);
}

/* Solves with the present factors, or factors first. */
static inline HolStatus solve_schur(HolKkt *kkt, HolWorkspace *work, const double *f, const double *c, double *x,
                                    double *lambda)
{
    HOL_TRY(hol_workspace_need(work, HOL_WANT_MASS | HOL_WANT_JACOBIAN));
    if (kkt->stamp == work->stamp) {
        hol_schur_solve(kkt->schur, f, c, x, lambda);
    } else {
        kkt->stamp = -1;
        if (!kkt->constant_mass)
            HOL_TRY(hol_schur_set_mass(kkt->schur, work->terms->M));
        const unsigned char *left_out = kkt->left_out_count ? kkt->left_out : NULL;
        HOL_TRY(hol_schur_factor_solve(kkt->schur, work->terms->D, SINGULAR, left_out, f, c, x, lambda));
        kkt->stamp = work->stamp;
    }
    if (kkt->refinement)
        hol_refinement_apply(kkt->refinement, kkt->schur, work->terms, f, c, x, lambda);
    return HOL_OK;
}

/* The largest |D x - c| of a row left out. */
static double miss_of_rows_left_out(HolKkt *kkt, const HolTerms *terms, const double *c, const double *x)
{
    double miss = 0;
    hol_jacobian_times(kkt->pattern, terms->D, x, kkt->residual);
    for (int i = 0; i < kkt->pattern->m; ++i)
        if (kkt->left_out[i] && !(fabs(kkt->residual[i] - c[i]) <= miss))
            miss = fabs(kkt->residual[i] - c[i]);
    return miss;
}

static double kkt_violation(HolKkt *kkt, HolWorkspace *work)
{
    if (hol_workspace_need(work, HOL_WANT_PHI | HOL_WANT_JACOBIAN | HOL_WANT_NU) != HOL_OK)
        return 0;
    return hol_workspace_relative_violation(work, kkt->residual);
}

/* That of the positions alone, on which D depends. */
static double kkt_position_violation(HolKkt *kkt, HolWorkspace *work)
{
    if (hol_workspace_need(work, HOL_WANT_PHI | HOL_WANT_JACOBIAN) != HOL_OK)
        return 0;
    return hol_relative_violation(kkt->pattern, work->terms->D, work->terms->Phi);
}

/* What the violation of the present point explains of the miss of a redundant row. Off the manifold its equation no
 * longer follows from the others, of which it takes as many times more as these are nearly dependent. */
static double miss_explained(HolKkt *kkt, HolWorkspace *work, bool motion)
{
    double violation = motion ? kkt_violation(kkt, work) : kkt_position_violation(kkt, work);
    return MISS_PER_VIOLATION * violation / sqrt(hol_schur_pivot(kkt->schur));
}

/* True if x violates a row that was left out by more than the violation of the point explains. */
static bool misses_a_row(HolKkt *kkt, HolWorkspace *work, const double *c, const double *x, bool motion)
{
    const HolPattern *p = kkt->pattern;
    double size = hol_max_norm(p->m, c), miss = miss_of_rows_left_out(kkt, work->terms, c, x);
    double part = motion ? MISS_OF_MOTION : HOL_PART_MISSED, rounding = motion ? 0 : HOL_TOL_ROUNDING * p->length;
    if (motion) {
        size += HOL_PART_OF_ACCELERATION * hol_max_norm(p->nv, x);
        kkt->missed = size > 0 ? miss / size : 0;
    }
    kkt->choose_anew = kkt->choose_anew || miss > part * size + rounding; /* a poor choice, at least */
    return miss > part * size + rounding && miss > (part + miss_explained(kkt, work, motion)) * size + rounding;
}

/* Raises the weights permanently: weights that were too small once would be so again at nearby states. */
static void strengthen(HolKkt *kkt)
{
    for (int i = 0; i < kkt->pattern->m; ++i) {
        kkt->augmented->w[i] *= STRONGER;
        if (kkt->weights)
            kkt->weights[i] *= STRONGER;
    }
    ++kkt->growth;
    kkt->augmented->stamp = -1;
}

/* Whether stronger weights would do better. Where the iteration has come to a stop with larger changes than these, it
 * may be slow and not at its end. And a correction is smaller than what it takes for nothing against 1: of a good one
 * this part of the rows is left at most. */
static bool is_slow(const HolAugmented *a, const double *f, const double *c)
{
    static const double CHANGE = HOL_TOL_ITERATION, PART = 10 * HOL_TOL_SMALL, ROUNDING = HOL_TOL_CONVERGED;
    double size = hol_max_norm(a->pattern->m, c);
    for (int i = 0; i < a->pattern->m && !f; ++i) /* s = w (c - D x) */
        if (fabs(a->s[i]) > a->w[i] * (PART * size + ROUNDING))
            return true;
    return a->change > CHANGE;
}

static HolStatus solve_augmented(HolKkt *kkt, HolWorkspace *work, const double *f, const double *c, double *x,
                                 double *lambda, HolStepReport *report)
{
    HolAugmented *a = kkt->augmented;
    int passes = -1;
    for (bool done = false; !done;) {
        HOL_TRY(hol_augmented_factor(a, work));
        passes = hol_augmented_solve(a, work->terms, f, c, f ? work->gentle : work->slow, HOL_TOL_ROUNDING, PASSES, x,
                                     lambda);
        done = kkt->growth == MOST_GROWTH || (passes > 0 && !is_slow(a, f, c));
        if (!done)
            strengthen(kkt);
    }
    report->pivot = hol_penalty_matrix_pivot(a->penalty);
    report->rank = -1;
    return passes > 0 ? HOL_OK : HOL_NO_CONVERGENCE;
}

/* x of all rows; lambda of those kept, for the accelerations that x gives these. */
static HolStatus solve_all_rows(HolKkt *kkt, HolWorkspace *work, const double *f, const double *c, double *x,
                                double *lambda)
{
    HOL_TRY(hol_workspace_need(work, HOL_WANT_MASS | HOL_WANT_JACOBIAN | HOL_WANT_PHI));
    int rank = kkt->pattern->m - kkt->left_out_count;
    kkt->inverse->stamp = kkt->inverse->most == rank ? kkt->inverse->stamp : -1;
    kkt->inverse->most = rank;
    HOL_TRY(hol_inverse_factor(kkt->inverse, work));
    hol_inverse_solve(kkt->inverse, work->terms, f, c, x, lambda);
    hol_jacobian_times(kkt->pattern, work->terms->D, x, kkt->residual);
    return solve_schur(kkt, work, f, kkt->residual, kkt->x, lambda);
}

static HolStatus solve_rows(HolKkt *kkt, HolWorkspace *work, const double *f, const double *c, double *x,
                            double *lambda)
{
    return kkt->inverse ? solve_all_rows(kkt, work, f, c, x, lambda) : solve_schur(kkt, work, f, c, x, lambda);
}

/* Whether rows chosen inside a step, more than before, are independent by more than the violation there makes them:
 * multiples of it as in miss_explained(). */
static bool is_truly_independent(HolKkt *kkt, HolWorkspace *work, double pivot_before)
{
    double sines = sqrt(hol_schur_pivot(kkt->schur) * pivot_before);
    return sines > SINE_PER_VIOLATION * kkt_position_violation(kkt, work);
}

/* Solves with rows chosen for the present point. Rows that its violation makes independent would lock the mechanism:
 * then those of before are used. */
static HolStatus solve_chosen_anew(HolKkt *kkt, HolWorkspace *work, const double *f, const double *c, double *x,
                                   double *lambda)
{
    const size_t m = (size_t)kkt->pattern->m;
    const int count = kkt->left_out_count;
    const double pivot = hol_schur_pivot(kkt->schur);
    memcpy(kkt->left_out_before, kkt->left_out, m);
    HOL_TRY(kkt_choose_rows(kkt, kkt->rows, work, HOL_TOL_RANK_STILL));
    HOL_TRY(solve_rows(kkt, work, f, c, x, lambda));
    kkt->choose_anew = true;
    if (kkt->left_out_count >= count || is_truly_independent(kkt, work, pivot))
        return HOL_OK;
    memcpy(kkt->left_out, kkt->left_out_before, m);
    kkt->left_out_count = count;
    kkt->stamp = -1;
    return solve_rows(kkt, work, f, c, x, lambda);
}

/* Corrections converge with all rows, however nearly dependent: their point is next to the manifold. */
static HolStatus solve_with_all_rows(HolKkt *kkt, HolWorkspace *work, const double *f, const double *c, double *x,
                                     double *lambda)
{
    memset(kkt->left_out, 0, (size_t)kkt->pattern->m);
    kkt->left_out_count = 0;
    kkt->choose_anew = true;
    kkt->stamp = -1;
    return solve_rows(kkt, work, f, c, x, lambda);
}

/* Solves again with other rows if the solution violates one that was left out. */
static HolStatus solve_redundant(HolKkt *kkt, HolWorkspace *work, const double *f, const double *c, double *x,
                                 double *lambda)
{
    HOL_TRY(solve_rows(kkt, work, f, c, x, lambda));
    if (kkt->left_out_count == 0 || kkt->eliminates || !misses_a_row(kkt, work, c, x, f != NULL))
        return HOL_OK;
    return f && kkt->rows ? solve_chosen_anew(kkt, work, f, c, x, lambda)
                          : solve_with_all_rows(kkt, work, f, c, x, lambda);
}

HolStatus hol_kkt_solve(HolKkt *kkt, HolWorkspace *work, const double *f, const double *c, double *x, double *lambda,
                        HolStepReport *report)
{
    if (kkt->augmented)
        return solve_augmented(kkt, work, f, c, x, lambda, report);
    if (kkt->inverse || kkt->left_out_count > 0)
        HOL_TRY(solve_redundant(kkt, work, f, c, x, lambda));
    else
        HOL_TRY(solve_schur(kkt, work, f, c, x, lambda));
    report->rank = hol_schur_rank(kkt->schur);
    report->pivot = hol_schur_pivot(kkt->schur);
    return HOL_OK;
}

bool hol_kkt_stands_near(const HolKkt *kkt, const HolWorkspace *work)
{
    return kkt->schur && kkt->stamp == work->stamp && work->stage_t == work->at.t;
}

void hol_kkt_solve_nearby(HolKkt *kkt, const double *c, double *x, double *lambda)
{
    hol_schur_solve(kkt->schur, NULL, c, x, lambda);
}

/* By a solution, as all others: the two ways to factor round differently. */
HolStatus hol_kkt_factor(HolKkt *kkt, HolWorkspace *work, double *x, double *lambda)
{
    HOL_TRY(hol_workspace_need(work, HOL_WANT_MASS | HOL_WANT_JACOBIAN));
    if (kkt->augmented)
        return hol_augmented_factor(kkt->augmented, work);
    if (kkt->stamp == work->stamp)
        return HOL_OK;
    memset(kkt->residual, 0, (size_t)kkt->pattern->m * sizeof *kkt->residual);
    return solve_schur(kkt, work, NULL, kkt->residual, x, lambda);
}

HolStatus hol_kkt_solve_again(HolKkt *kkt, const HolWorkspace *work, const HolTerms *terms, const double *c, double *x,
                              double *lambda)
{
    if (kkt->augmented)
        return hol_augmented_solve(kkt->augmented, terms, NULL, c, work->slow, HOL_TOL_ROUNDING, PASSES, x, lambda) > 0
                   ? HOL_OK
                   : HOL_NO_CONVERGENCE;
    hol_schur_solve(kkt->schur, NULL, c, x, lambda);
    if (kkt->refinement)
        hol_refinement_apply(kkt->refinement, kkt->schur, terms, NULL, c, x, lambda);
    return HOL_OK;
}

/* The residual of the rows left out exceeds what the drift of the accepted state explains. */
static bool misses_beyond_drift(HolKkt *kkt, HolWorkspace *work)
{
    if (kkt->missed <= LEAST_MISS)
        return false;
    return kkt->missed > LEAST_MISS + MISS_PER_VIOLATION * kkt_violation(kkt, work);
}

HolStatus hol_kkt_review(HolKkt *kkt, HolWorkspace *work, const HolStepReport *report)
{
    if (!kkt->rows)
        return HOL_OK;
    if (kkt->inverse)
        HOL_TRY(hol_inverse_count(kkt->inverse, work));
    if (kkt->eliminates)
        return kkt_choose_rows(kkt, kkt->rows, work, kkt->tolerance);
    HOL_TRY(hol_workspace_need(work, HOL_WANT_PHI | HOL_WANT_JACOBIAN | HOL_WANT_NU));
    bool poor = kkt->left_out_count > 0 && (report->pivot < kkt->poor * kkt->pivot || misses_beyond_drift(kkt, work));
    return poor || kkt->choose_anew ? kkt_choose_rows(kkt, kkt->rows, work, HOL_TOL_RANK_STILL) : HOL_OK;
}

/* With redundant rows. Not inlined, so that the usual way has no memory to set up. */
static __attribute__((noinline)) HolStatus kkt_accelerate_stabilized(HolKkt *kkt, HolWorkspace *work, double h,
                                                                     double *vdot, double *lambda,
                                                                     HolStepReport *report)
{
    HOL_TRY(hol_workspace_need(work, HOL_WANT_STABILIZATION));
    hol_stabilized_gamma(work, hol_gains_of_motion(work, h), kkt->c);
    return hol_kkt_solve(kkt, work, work->terms->Q, kkt->c, vdot, lambda, report);
}

HolStatus hol_kkt_accelerate(void *self, HolWorkspace *work, double h, double *vdot, double *lambda,
                             HolStepReport *report)
{
    HolKkt *kkt = *(HolKkt **)self;
    if (kkt->inverse)
        return kkt_accelerate_stabilized(kkt, work, h, vdot, lambda, report);
    return hol_kkt_solve(kkt, work, work->terms->Q, work->terms->gamma, vdot, lambda, report);
}

HolStatus hol_kkt_prepare(void *self, HolWorkspace *work, HolStepReport *report)
{
    return hol_kkt_review(*(HolKkt **)self, work, report);
}

void hol_kkt_archive(HolKkt *kkt, HolArchive *archive)
{
    const int m = kkt->pattern->m;
    int left_out = hol_archive_flags(archive, kkt->left_out, m, m);
    HOL_ARCHIVE_BOOLS(archive, &kkt->choose_anew);
    HOL_ARCHIVE_EACH(archive, &kkt->pivot, &kkt->missed);
    hol_inverse_archive(kkt->inverse, archive);
    if (kkt->augmented) {
        hol_archive_int(archive, &kkt->growth, 0, MOST_GROWTH);
        hol_archive_doubles(archive, kkt->augmented->w, m);
    }
    if (kkt->weights)
        hol_archive_doubles(archive, kkt->weights, m);
    if (hol_archive_reads(archive))
        kkt->left_out_count = left_out;
}

void hol_kkt_archive_of(void *self, HolArchive *archive)
{
    hol_kkt_archive(*(HolKkt **)self, archive);
}
