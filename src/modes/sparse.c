/* SPDX-License-Identifier: BSD-3-Clause */
/* The lowest modes about a state at rest, by iteration on a subspace. With a shift sigma < 0,
 *
 *     Y_k:  [ K - sigma M   -D^T ] [ Y_k ]   [ M X_k ]
 *           [      D          0  ] [  .  ] = [   0   ]                                                  (1)
 *
 * for p vectors X; (X^T K X) z = omega^2 (X^T M X) z on their span gives better ones, until they stay. Multiple
 * frequencies are found as often as they are, up to p times. K is the symmetric part. Where C is not zero, or K not
 * symmetric, that is where modes_damped.c begins. */
#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"
#include "linalg/dense/eigenvalues.h"
#include "linalg/sparse/saddle.h"
#include "modes/linear.h"

#include <math.h>
#include <string.h>

enum { SPARE = 10, MOST_ITERATIONS = 400, PERIOD = 3 };
/* The shift begins high, relative to K / M, and is lowered as lower frequencies are found: far below them X would show
 * its unconstrained part only. */
static const double LEAST_SHIFT = HOL_TOL_ROUNDING;
static const double NO_MASS = HOL_TOL_CONVERGED; /* eigenvalues of X^T M X that count as zero */
static const double SYMMETRIC = HOL_TOL_EQUAL;   /* what is left of X^T (K - K^T) X, relative to X^T K X */
static const double NOTHING = HOL_TOL_ROUNDING;  /* the highest wanted relative to those at work */

typedef struct Lowest {
    HolLinear *linear;
    const HolPattern *pattern;
    HolSaddle *saddle;
    int nv, wanted, p;              /* p: vectors at work */
    double sigma, unit;             /* unit: K / M */
    double *X, *MX, *Y;             /* p vectors */
    double *A, *B, *omega2, *scale; /* p x p, p x p, p, p */
    double *lambda;
} Lowest;

static HolStatus sparse_create(HolLinear *linear, int count, Lowest *w)
{
    const HolPattern *p = linear->pattern;
    int dof = p->nv - p->m + linear->left_out_count, most = 2 * count + SPARE;
    uint64_t seed = 1;
    *w = (Lowest){.linear = linear, .pattern = p, .nv = p->nv, .wanted = count < dof ? count : dof};
    w->p = most < dof ? most : dof;
    size_t vectors = (size_t)w->p * (size_t)w->nv, square = (size_t)w->p * (size_t)w->p;
    HOL_DOUBLES(linear->arena, vectors, &w->X, &w->MX, &w->Y);
    HOL_DOUBLES(linear->arena, square, &w->A, &w->B);
    HOL_DOUBLES(linear->arena, w->p, &w->omega2, &w->scale);
    w->lambda = hol_arena_doubles(linear->arena, (size_t)p->m);
    HOL_TRY(hol_arena_status(linear->arena));
    for (size_t i = 0; i < vectors; ++i)
        w->X[i] = hol_scattered(&seed);
    return hol_saddle_create(linear->arena, p, &w->saddle);
}

static HolStatus sparse_factor(Lowest *w)
{
    const HolTerms *terms = w->linear->terms;
    return hol_saddle_factor(w->saddle, w->linear->K_symmetric, -w->sigma, terms->M, terms->D, w->linear->left_out);
}

static void sparse_apply(const Lowest *w, const double *T, const double *x, double *y)
{
    memset(y, 0, (size_t)w->nv * sizeof *y);
    hol_tangent_add_times(w->pattern, T, 1, x, y);
}

/* A = X^T T X for p vectors, T X being in TX. */
static void sparse_project(const Lowest *w, const double *TX, double *A)
{
    for (int i = 0; i < w->p; ++i)
        for (int j = 0; j < w->p; ++j)
            A[i * w->p + j] = hol_inner_product(w->nv, w->X + i * w->nv, TX + j * w->nv);
}

static void sparse_weigh(const Lowest *w)
{
    for (int k = 0; k < w->p; ++k)
        hol_mass_times(w->pattern, w->linear->terms->M, w->X + k * w->nv, w->MX + k * w->nv);
}

/* X <- R X with `rows` rows of R, through Y. */
static void recombine(Lowest *w, int rows, const double *R)
{
    for (int i = 0; i < rows; ++i) {
        double *y = w->Y + i * w->nv;
        memset(y, 0, (size_t)w->nv * sizeof *y);
        for (int k = 0; k < w->p; ++k)
            for (int j = 0; j < w->nv; ++j)
                y[j] += R[i * w->p + k] * w->X[k * w->nv + j];
    }
    double *swap = w->X;
    w->X = w->Y;
    w->Y = swap;
    w->p = rows;
}

/* X^T M X = 1; directions without mass, or lost to others, are dropped. */
static HolStatus sparse_orthonormalise(Lowest *w)
{
    int n = w->p, kept = 0;
    for (int k = 0; k < n; ++k) {
        double *x = w->X + k * w->nv, length = sqrt(hol_inner_product(w->nv, x, w->MX + k * w->nv));
        for (int j = 0; j < w->nv && length > 0; ++j)
            x[j] /= length;
    }
    sparse_weigh(w);
    sparse_project(w, w->MX, w->A);
    HOL_TRY(hol_eigen_symmetric(n, w->A, w->scale));
    for (int k = 0; k < n; ++k) {
        if (w->scale[k] <= NO_MASS * w->scale[n - 1])
            continue;
        for (int j = 0; j < n; ++j)
            w->B[kept * n + j] = w->A[k * n + j] / sqrt(w->scale[k]);
        ++kept;
    }
    if (kept == 0)
        return HOL_SINGULAR;
    recombine(w, kept, w->B);
    w->wanted = w->wanted < kept ? w->wanted : kept;
    return HOL_OK;
}

/* The best vectors in the span of X. */
static HolStatus sparse_improve(Lowest *w)
{
    sparse_weigh(w);
    HOL_TRY(sparse_orthonormalise(w));
    for (int k = 0; k < w->p; ++k)
        sparse_apply(w, w->linear->K_symmetric, w->X + k * w->nv, w->Y + k * w->nv);
    sparse_project(w, w->Y, w->A);
    HOL_TRY(hol_eigen_symmetric(w->p, w->A, w->omega2));
    recombine(w, w->p, w->A);
    sparse_weigh(w);
    return HOL_OK;
}

/* (1) into Y; how far the wanted X are from vectors of (1), in M, at most. */
static double sparse_iterate(Lowest *w)
{
    double worst = 0;
    for (int k = 0; k < w->p; ++k) {
        double *y = w->Y + k * w->nv, *x = w->X + k * w->nv, *Mx = w->MX + k * w->nv, square = 0;
        hol_saddle_solve(w->saddle, Mx, NULL, y, w->lambda);
        double theta = hol_inner_product(w->nv, y, Mx);
        for (int j = 0; j < w->nv; ++j)
            x[j] = y[j] - theta * x[j];
        hol_mass_times(w->pattern, w->linear->terms->M, x, Mx);
        square = hol_inner_product(w->nv, x, Mx);
        if (k < w->wanted)
            worst = fmax(worst, sqrt(fmax(square, 0)) / fabs(theta));
    }
    double *swap = w->X;
    w->X = w->Y;
    w->Y = swap;
    return worst;
}

static double largest_ratio(const HolLinear *l)
{
    const HolPattern *p = l->pattern;
    double K = hol_stiffness_norm(p, l->K_symmetric);
    double M = hol_mass_norm(p, l->terms->M);
    return K > 0 && M > 0 ? K / M : 1;
}

/* The size of the wanted omega^2; of those at work where all wanted are zero. */
static double reach(const Lowest *w)
{
    double wanted = fmax(fabs(w->omega2[w->wanted - 1]), fabs(w->omega2[0]));
    double all = fmax(fabs(w->omega2[w->p - 1]), fabs(w->omega2[0]));
    return wanted > NOTHING * all ? wanted : all;
}

/* Near the wanted frequencies, but below them and below zero; *moved if it was not there. */
static HolStatus shift_to_wanted(Lowest *w, bool *moved)
{
    double sigma = fmin(-HOL_PART_SHIFT * reach(w), 2 * w->omega2[0]), least = -LEAST_SHIFT * w->unit;
    sigma = isfinite(sigma) && sigma < least ? sigma : least;
    *moved = !(sigma / w->sigma > 0.5 && sigma / w->sigma < 2);
    if (!*moved)
        return HOL_OK;
    w->sigma = sigma;
    return sparse_factor(w);
}

/* Below which omega^2 of a vector counts as zero; x^T M x = 1. */
static double sparse_zero_of(const Lowest *w, int k)
{
    return w->linear->uncertainty * hol_motion_square(w->linear->pattern, w->X + k * w->nv);
}

/* Whether all vectors are unconstrained: K is rounding on them and determines no mode shapes. */
static bool sparse_is_free(const Lowest *w)
{
    for (int k = 0; k < w->p; ++k)
        if (fabs(w->omega2[k]) > sparse_zero_of(w, k))
            return false;
    return true;
}

static HolStatus sparse_find(Lowest *w, int *iterations)
{
    bool moved = true;
    HolStall stall = {0};
    w->unit = largest_ratio(w->linear);
    w->sigma = -HOL_PART_FIRST_SHIFT * w->unit;
    HOL_TRY(sparse_factor(w));
    sparse_weigh(w);
    for (int i = 1; i <= MOST_ITERATIONS; ++i) {
        *iterations = i;
        double left = sparse_iterate(w);
        HOL_TRY(sparse_improve(w));
        if (sparse_is_free(w) || (!moved && hol_modes_converged(&stall, left)))
            return HOL_OK;
        if (i % PERIOD == 0 && moved)
            HOL_TRY(shift_to_wanted(w, &moved));
    }
    return HOL_NO_CONVERGENCE;
}

/* Whether C, or the unsymmetric part of K, acts in the span; A becomes X^T K X, zero if that is uncertain. */
static bool is_damped(Lowest *w)
{
    const HolTerms *terms = w->linear->terms;
    double largest = 0, left = 0, zero = 0;
    for (int k = 0; k < w->p; ++k) {
        sparse_apply(w, terms->K, w->X + k * w->nv, w->Y + k * w->nv);
        zero = fmax(zero, sparse_zero_of(w, k));
    }
    sparse_project(w, w->Y, w->A);
    for (int i = 0; i < w->p; ++i) {
        for (int j = 0; j < w->p; ++j) {
            largest = fmax(largest, fabs(w->A[i * w->p + j]));
            left = fmax(left, fabs(w->A[i * w->p + j] - w->A[j * w->p + i]));
        }
    }
    if (largest <= zero)
        memset(w->A, 0, (size_t)w->p * (size_t)w->p * sizeof *w->A);
    double damping = hol_max_norm(w->pattern->tangent_start[w->pattern->tangent_count], terms->C);
    return damping > 0 || left > fmax(SYMMETRIC * largest, zero);
}

static HolStatus add_modes(Lowest *w, HolModesBox *box)
{
    if (is_damped(w)) {
        HolSpan span = {w->linear, w->saddle, w->p, w->X, w->A, -w->sigma};
        return hol_modes_lowest_damped(&span, w->wanted, box);
    }
    box->shown.is_undamped = true;
    memset(w->A, 0, (size_t)w->p * (size_t)w->p * sizeof *w->A);
    for (int k = 0; k < w->wanted; ++k) {
        double *unit = w->A + k * w->p;
        unit[k] = 1;
        HOL_TRY(hol_modes_add_undamped(box, w->pattern, w->p, w->X, unit, w->omega2[k], sparse_zero_of(w, k)));
    }
    return HOL_OK;
}

static HolStatus sparse_run(Lowest *w, HolModesBox *box)
{
    box->shown.dof = w->pattern->nv - w->pattern->m + w->linear->left_out_count;
    if (box->shown.dof == 0)
        return HOL_OK;
    HOL_TRY(sparse_find(w, &box->shown.iterations));
    return add_modes(w, box);
}

HolStatus hol_modes_lowest(HolLinear *linear, int count, HolModesBox *box, HolMessage *message)
{
    Lowest w = {.saddle = NULL};
    HolStatus status = sparse_create(linear, count > 0 ? count : SPARE, &w);
    if (status == HOL_OK)
        status = sparse_run(&w, box);
    hol_saddle_destroy(w.saddle);
    if (status == HOL_OK || status == HOL_NO_MEMORY)
        return status;
    return hol_fail(message, status, "the lowest modes of '%s' were not found in %d iterations: %s",
                    hol_system_name(linear->system), box->shown.iterations, hol_status_cause(status));
}
