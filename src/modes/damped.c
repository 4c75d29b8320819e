/* SPDX-License-Identifier: BSD-3-Clause */
/* The slowest modes of a large system at rest, with damping or with forces that have no potential. With the shift
 * rho > 0, (y, u) being displacement and velocity, each of n vectors goes to T (y, u) = (y', u'):
 *
 *     [ K + rho C + rho^2 M   -D^T ] [ y' ]   [ -M u - (C + rho M) y ]
 *     [          D              0  ] [ .  ] = [           0          ],   u' = y + rho y'               (1)
 *
 * whose eigenvalues are 1 / (s - rho) with the vectors of s. On their span, orthonormal in
 *
 *     (y, u)^T B (y, u) = y^T (K_s + rho^2 M) y + u^T M u,   K_s the symmetric part of K                (2)
 *
 * in which T is nearly normal, W^T B T W z = z / (s - rho); it ends when the wanted vectors stay. Zeros of s are often
 * double with one shape, and rounding would split them: their shapes are those of K where the undamped problem
 * has found them, and what comes near zero here is left out instead. */
#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"
#include "linalg/dense/eigenvalues.h"
#include "linalg/dense/qr.h"
#include "modes/linear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ITERATIONS = 300 };
static const double FREE = HOL_TOL_ITERATION;      /* pivots of X^T K X that count as zero, relative to the largest */
static const double NEAR_ZERO = 10 * HOL_TOL_SAME; /* s relative to rho, where zeros have been found */
static const double LOST = HOL_TOL_ROUNDING;       /* squared norm that orthogonalisation leaves of a vector */

/* One s with Im s >= 0, and which row of the vectors is its own. */
typedef struct Found {
    double re, im;
    int row;
} Found;

typedef struct Damped {
    const HolSpan *span;
    const HolLinear *linear;
    const HolPattern *pattern;
    int nv, n, wanted; /* n: vectors of 2 nv numbers */
    double rho;
    double *W, *TW, *x, *y, *lambda;
    double *H, *G, *unit, *scale; /* n x n, n */
    HolPencil pencil;
    Found *found; /* n */
    int found_count;
    double *free_shapes; /* in coordinates of the span */
    int free_count;
} Damped;

static HolStatus damped_create(const HolSpan *span, int wanted, Damped *d)
{
    HolArena *arena = span->linear->arena;
    const HolPattern *p = span->linear->pattern;
    size_t n = 2 * (size_t)span->count, nv = (size_t)p->nv;
    *d = (Damped){.span = span, .linear = span->linear, .pattern = p, .nv = p->nv, .n = (int)n, .wanted = wanted};
    d->rho = sqrt(2 * span->shift);
    HOL_DOUBLES(arena, 2 * n * nv, &d->W, &d->TW);
    HOL_DOUBLES(arena, 2 * nv, &d->x, &d->y);
    d->lambda = hol_arena_doubles(arena, (size_t)p->m);
    HOL_DOUBLES(arena, n * n, &d->H, &d->G, &d->unit);
    d->scale = hol_arena_doubles(arena, n);
    d->pencil = (HolPencil){hol_arena_doubles(arena, n), hol_arena_doubles(arena, n), hol_arena_doubles(arena, n),
                            hol_arena_doubles(arena, n * n), hol_arena_doubles(arena, n * n)};
    d->found = hol_arena_alloc(arena, n * sizeof *d->found);
    HOL_TRY(hol_arena_status(arena));
    for (size_t k = 0; k < n / 2; ++k) {
        memcpy(d->W + 2 * nv * k, span->X + nv * k, nv * sizeof *d->W);
        memcpy(d->W + 2 * nv * (n / 2 + k) + nv, span->X + nv * k, nv * sizeof *d->W);
    }
    return HOL_OK;
}

static HolStatus damped_factor(const Damped *d)
{
    const HolTerms *terms = d->linear->terms;
    size_t size = (size_t)d->pattern->tangent_start[d->pattern->tangent_count];
    double *K = hol_arena_doubles(d->linear->arena, size);
    if (!K)
        return HOL_NO_MEMORY;
    for (size_t i = 0; i < size; ++i)
        K[i] = terms->K[i] + d->rho * terms->C[i];
    return hol_saddle_factor(d->span->saddle, K, d->rho * d->rho, terms->M, terms->D, d->linear->left_out);
}

/* (1) */
static void map(const Damped *d, const double *from, double *to)
{
    const HolTerms *terms = d->linear->terms;
    const double *y = from, *u = from + d->nv;
    for (int j = 0; j < d->nv; ++j)
        d->x[j] = -u[j] - d->rho * y[j];
    hol_mass_times(d->pattern, terms->M, d->x, d->y);
    hol_tangent_add_times(d->pattern, terms->C, -1, y, d->y);
    hol_saddle_solve(d->span->saddle, d->y, NULL, to, d->lambda);
    for (int j = 0; j < d->nv; ++j)
        to[d->nv + j] = y[j] + d->rho * to[j];
}

/* (2): Bw */
static void damped_weigh(const Damped *d, const double *w, double *Bw)
{
    const double *M = d->linear->terms->M;
    hol_mass_times(d->pattern, M, w, Bw);
    for (int j = 0; j < d->nv; ++j)
        Bw[j] *= d->rho * d->rho;
    hol_tangent_add_times(d->pattern, d->linear->K_symmetric, 1, w, Bw);
    hol_mass_times(d->pattern, M, w + d->nv, Bw + d->nv);
}

/* x = V c, of 2 nv numbers */
static void damped_combine(const Damped *d, const double *V, const double *c, double *x)
{
    memset(x, 0, 2 * (size_t)d->nv * sizeof *x);
    for (int k = 0; k < d->n; ++k)
        for (int j = 0; j < 2 * d->nv; ++j)
            x[j] += c[k] * V[(size_t)k * 2 * (size_t)d->nv + (size_t)j];
}

/* W <- TW made orthonormal, W^T B W = 1, from (TW)^T B TW in G; directions lost to others are dropped. */
static HolStatus damped_orthonormalise(Damped *d)
{
    int n = d->n, kept = 0;
    size_t length = 2 * (size_t)d->nv;
    double *size = d->pencil.beta;
    for (int k = 0; k < n; ++k)
        d->scale[k] = d->G[k * n + k] > 0 ? 1 / sqrt(d->G[k * n + k]) : 0;
    for (int k = 0; k < n * n; ++k)
        d->G[k] *= d->scale[k / n] * d->scale[k % n];
    HOL_TRY(hol_eigen_symmetric(n, d->G, size));
    for (int k = 0; k < n; ++k) {
        double *w = d->W + length * (size_t)kept, *c = d->G + k * n;
        if (size[k] <= LOST * size[n - 1])
            continue;
        for (int j = 0; j < n; ++j)
            c[j] *= d->scale[j] / sqrt(size[k]);
        damped_combine(d, d->TW, c, w);
        ++kept;
    }
    d->n = kept;
    return kept > 0 ? HOL_OK : HOL_SINGULAR;
}

static int damped_compare(const void *left, const void *right)
{
    const Found *a = left, *b = right;
    double size_a = hypot(a->re, a->im), size_b = hypot(b->re, b->im);
    return size_a != size_b ? (size_a > size_b) - (size_a < size_b) : a->row - b->row;
}

/* TW and, with all that is known of it in B, H = W^T B TW and G = (TW)^T B TW. */
static void map_all(Damped *d)
{
    int n = d->n;
    size_t length = 2 * (size_t)d->nv;
    for (int j = 0; j < n; ++j)
        map(d, d->W + length * (size_t)j, d->TW + length * (size_t)j);
    for (int j = 0; j < n; ++j) {
        damped_weigh(d, d->TW + length * (size_t)j, d->x);
        for (int i = 0; i < n; ++i) {
            d->H[i * n + j] = hol_inner_product(2 * d->nv, d->W + length * (size_t)i, d->x);
            d->G[i * n + j] = hol_inner_product(2 * d->nv, d->TW + length * (size_t)i, d->x);
            d->unit[i * n + j] = i == j;
        }
    }
}

/* The s of the span, the slowest first. */
static HolStatus find_values(Damped *d)
{
    int n = d->n;
    HOL_TRY(hol_eigen_pencil(n, d->unit, d->H, &d->pencil));
    d->found_count = 0;
    for (int k = 0; k < n; ++k) {
        const HolPencil *p = &d->pencil;
        if (p->alpha_im[k] < 0 || p->beta[k] == 0)
            continue;
        Found found = {d->rho + p->alpha_re[k] / p->beta[k], p->alpha_im[k] / p->beta[k], k};
        if (d->free_count == 0 || hypot(found.re, found.im) > NEAR_ZERO * d->rho)
            d->found[d->found_count++] = found;
    }
    qsort(d->found, (size_t)d->found_count, sizeof *d->found, damped_compare);
    return HOL_OK;
}

/* |T w - w / (s - rho)| |s - rho| of a vector, in B, relative to its length. */
static double damped_error_of(const Damped *d, const Found *found)
{
    const double *z[2] = {d->pencil.x_re + found->row * d->n, d->pencil.x_im + found->row * d->n};
    double a = found->re - d->rho, b = found->im, sum = 0, *c = d->scale;
    for (int part = 0; part < 2; ++part) {
        const double *other = z[1 - part];
        double sign = part == 0 ? -1 : 1; /* (a + i b) (z_0 + i z_1) */
        for (int k = 0; k < d->n; ++k)
            c[k] = a * z[part][k] + sign * b * other[k];
        damped_combine(d, d->TW, c, d->x);
        damped_combine(d, d->W, z[part], d->y);
        hol_add_scaled(2 * d->nv, -1, d->y, d->x);
        damped_weigh(d, d->x, d->y);
        sum += fmax(hol_inner_product(2 * d->nv, d->x, d->y), 0);
    }
    return sqrt(sum / (hol_inner_product(d->n, z[0], z[0]) + hol_inner_product(d->n, z[1], z[1])));
}

/* The first span, of displacements and of velocities apart, is made orthonormal without being mapped. */
static HolStatus damped_begin(Damped *d)
{
    int n = d->n;
    size_t length = 2 * (size_t)d->nv;
    memcpy(d->TW, d->W, (size_t)n * length * sizeof *d->W);
    for (int j = 0; j < n; ++j) {
        damped_weigh(d, d->TW + length * (size_t)j, d->x);
        for (int i = 0; i < n; ++i)
            d->G[i * n + j] = hol_inner_product(2 * d->nv, d->TW + length * (size_t)i, d->x);
    }
    return damped_orthonormalise(d);
}

static HolStatus damped_iterate(Damped *d, int *iterations)
{
    HolStall stall = {0};
    HOL_TRY(damped_begin(d));
    for (int i = 0; i < MOST_ITERATIONS; ++i, ++*iterations) {
        double worst = 0;
        map_all(d);
        HOL_TRY(find_values(d));
        for (int k = 0; k < d->found_count && k < d->wanted - d->free_count; ++k)
            worst = fmax(worst, damped_error_of(d, &d->found[k]));
        if (hol_modes_converged(&stall, worst))
            return HOL_OK;
        HOL_TRY(damped_orthonormalise(d));
    }
    return HOL_NO_CONVERGENCE;
}

/* Displacements within the span that meet no stiffness: the null space of X^T K X. */
static HolStatus find_free(Damped *d)
{
    const HolSpan *span = d->span;
    HolArena *arena = d->linear->arena;
    int n = span->count;
    HolQr *qr;
    HOL_TRY(hol_qr_create(arena, n, n, &qr));
    if (hol_qr_factor_transposed(qr, n, n, span->K, FREE) < 0)
        return HOL_NOT_FINITE;
    d->free_count = n - qr->rank;
    double *by_rows = hol_arena_doubles(arena, (size_t)n * (size_t)d->free_count);
    d->free_shapes = hol_arena_doubles(arena, (size_t)n * (size_t)d->free_count);
    HOL_TRY(hol_arena_status(arena));
    hol_qr_null_space(qr, by_rows);
    for (int k = 0; k < d->free_count; ++k)
        for (int j = 0; j < n; ++j)
            d->free_shapes[k * n + j] = by_rows[j * d->free_count + k];
    return HOL_OK;
}

static HolStatus damped_add(Damped *d, HolModesBox *box)
{
    const double one = 1;
    int n = d->span->count;
    for (int k = 0; k < d->free_count && k < d->wanted; ++k) {
        HolEigen eigen = {.is_zero = true, .p_re = d->free_shapes + k * n};
        HOL_TRY(hol_modes_add(box, d->pattern, n, d->span->X, &eigen));
    }
    for (int k = 0; k < d->found_count && k < d->wanted - d->free_count; ++k) {
        const Found *found = &d->found[k];
        HolEigen eigen = {.re = found->re, .im = found->im, .p_re = &one, .p_im = NULL};
        damped_combine(d, d->W, d->pencil.x_re + found->row * d->n, d->x);
        damped_combine(d, d->W, d->pencil.x_im + found->row * d->n, d->y);
        HOL_TRY(hol_modes_add_shape(box, d->pattern, d->x, d->y, &eigen));
    }
    return HOL_OK;
}

HolStatus hol_modes_lowest_damped(const HolSpan *span, int wanted, HolModesBox *box)
{
    Damped d;
    HOL_TRY(damped_create(span, wanted, &d));
    HOL_TRY(find_free(&d));
    HOL_TRY(damped_factor(&d));
    HOL_TRY(damped_iterate(&d, &box->shown.iterations));
    return damped_add(&d, box);
}
