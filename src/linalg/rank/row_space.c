/* SPDX-License-Identifier: BSD-3-Clause */
#include "linalg/rank/row_space.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"
#include "linalg/block/spd_block.h"

#include <string.h>

static const double ROUNDING = HOL_TOL_ROUNDING;

HolStatus hol_row_space_create(HolArena *arena, int rows, int cols, HolRowSpace **space)
{
    size_t m = (size_t)rows, most = (size_t)(rows < cols ? rows : cols);
    HolRowSpace *s = hol_arena_alloc(arena, sizeof *s);
    HOL_TRY(hol_arena_status(arena));
    s->rows = rows;
    s->cols = cols;
    HOL_DOUBLES(arena, m * most, &s->E, &s->G, &s->H);
    HOL_DOUBLES(arena, m * m, &s->K, &s->root);
    s->mu = hol_arena_doubles(arena, 2 * m);
    s->y = hol_arena_doubles(arena, (size_t)cols);
    *space = s;
    return hol_arena_failed(arena) ? HOL_NO_MEMORY : hol_qr_create(arena, cols, rows, &s->qr);
}

static const double *row_space_column(const HolRowSpace *s, int j)
{
    return s->qr->a + (size_t)j * (size_t)s->cols;
}

static double *row_space_row(const HolRowSpace *s, double *A, int i)
{
    return A + (size_t)i * (size_t)s->rank;
}

static int redundant(const HolRowSpace *s)
{
    return s->rows - s->rank;
}

/* x <- R11^-1 x and x <- R11^-T x */
static void solve_R(const HolRowSpace *s, double *x)
{
    for (int i = s->rank - 1; i >= 0; --i) {
        x[i] /= row_space_column(s, i)[i];
        hol_add_scaled(i, -x[i], row_space_column(s, i), x);
    }
}

static void solve_R_transposed(const HolRowSpace *s, double *x)
{
    for (int i = 0; i < s->rank; ++i)
        x[i] = (x[i] - hol_inner_product(i, row_space_column(s, i), x)) / row_space_column(s, i)[i];
}

/* x <- T T^T x, one number for each redundant row */
static void solve_K(const HolRowSpace *s, double *x)
{
    int n = redundant(s);
    double *w = s->mu + s->rows;
    memset(w, 0, (size_t)n * sizeof *w);
    for (int i = 0; i < n; ++i)
        hol_add_scaled(n - i, x[i], s->root + i * n + i, w + i);
    for (int i = 0; i < n; ++i)
        x[i] = hol_inner_product(n - i, s->root + i * n + i, w + i);
}

/* K = I + A A^T, factored; A has redundant x r numbers */
static HolStatus factor_K(HolRowSpace *s, double *A)
{
    int n = redundant(s);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j)
            s->K[i * n + j] = s->K[j * n + i] =
                (i == j) + hol_inner_product(s->rank, row_space_row(s, A, i), row_space_row(s, A, j));
    return hol_spd_inverse_root(n, s->K, s->root);
}

/* The columns of F, as rows of E */
static void find_F(HolRowSpace *s)
{
    for (int j = 0; j < redundant(s); ++j) {
        memcpy(row_space_row(s, s->E, j), row_space_column(s, s->rank + j), (size_t)s->rank * sizeof *s->E);
        solve_R(s, row_space_row(s, s->E, j));
    }
}

/* H = (I + F^T F)^-1 F^T R11^-1 */
static HolStatus find_H(HolRowSpace *s)
{
    int n = redundant(s);
    HOL_TRY(factor_K(s, s->E));
    for (int k = 0; k < s->rank; ++k) {
        for (int j = 0; j < n; ++j)
            s->mu[j] = row_space_row(s, s->E, j)[k];
        solve_K(s, s->mu);
        for (int j = 0; j < n; ++j)
            row_space_row(s, s->H, j)[k] = s->mu[j];
    }
    for (int j = 0; j < n; ++j)
        solve_R_transposed(s, row_space_row(s, s->H, j));
    return HOL_OK;
}

/* R22 in row i and column j, zero below its diagonal */
static double R22(const HolRowSpace *s, int i, int j)
{
    return row_space_column(s, s->rank + j)[s->rank + i];
}

/* (2) */
static HolStatus find_G(HolRowSpace *s)
{
    HOL_TRY(find_H(s));
    for (int i = 0; i < s->found - s->rank; ++i) {
        memset(row_space_row(s, s->G, i), 0, (size_t)s->rank * sizeof *s->G);
        for (int j = i; j < redundant(s); ++j)
            hol_add_scaled(s->rank, R22(s, i, j), row_space_row(s, s->H, j), row_space_row(s, s->G, i));
    }
    return HOL_OK;
}

/* (4): F becomes E, then E' */
static void find_E(HolRowSpace *s)
{
    const int *pivot = s->qr->pivot;
    for (int j = 0; j < redundant(s); ++j) {
        double *e = row_space_row(s, s->E, j), *g = row_space_row(s, s->H, j);
        memset(g, 0, (size_t)s->rank * sizeof *g);
        for (int i = 0; i <= j && i < s->found - s->rank; ++i)
            hol_add_scaled(s->rank, R22(s, i, j), row_space_row(s, s->G, i), g);
        solve_R(s, g);
        for (int k = 0; k < s->rank; ++k)
            e[k] = (e[k] + g[k]) * s->size[pivot[s->rank + j]] / s->size[pivot[k]];
    }
}

HolStatus hol_row_space_factor(HolRowSpace *space, const double *scaled, const double *size)
{
    space->size = size;
    space->rank = 0;
    space->found = hol_qr_factor_transposed(space->qr, space->rows, space->cols, scaled, ROUNDING);
    return space->found < 0 ? HOL_NOT_FINITE : HOL_OK;
}

double hol_row_space_pivot(const HolRowSpace *space, int k)
{
    return hol_qr_pivot(space->qr, k);
}

HolStatus hol_row_space_set_rank(HolRowSpace *s, int rank)
{
    s->rank = rank;
    if (redundant(s) == 0)
        return HOL_OK;
    find_F(s);
    HOL_TRY(find_G(s));
    find_E(s);
    return factor_K(s, s->E);
}

void hol_row_space_free_directions(const HolRowSpace *s, double *Z)
{
    int n = s->cols - s->rank;
    memset(Z, 0, (size_t)s->cols * (size_t)n * sizeof *Z);
    for (int j = 0; j < n; ++j) {
        Z[(s->rank + j) * n + j] = 1;
        for (int k = 0; k < s->rank && j < s->found - s->rank; ++k)
            Z[k * n + j] = -row_space_row(s, s->G, j)[k];
    }
    hol_qr_apply_q_to_rows(s->qr, n, Z);
}

/* c in the order of the pivots, which becomes z of D U y = S P [I; E] z; the first of them are overwritten by
 * S1 z = c_1 + E'^T K^-1 (c_2 - E' c_1) */
static void solve_coefficients(HolRowSpace *s, const double *c, double *z)
{
    const int *pivot = s->qr->pivot;
    int n = redundant(s);
    for (int k = 0; k < s->rank; ++k)
        z[k] = c[pivot[k]];
    for (int j = 0; j < n; ++j)
        s->mu[j] = c[pivot[s->rank + j]] - hol_inner_product(s->rank, row_space_row(s, s->E, j), z);
    solve_K(s, s->mu);
    for (int j = 0; j < n; ++j)
        hol_add_scaled(s->rank, s->mu[j], row_space_row(s, s->E, j), z);
    for (int k = 0; k < s->rank; ++k)
        z[k] /= s->size[pivot[k]];
}

void hol_row_space_solve(HolRowSpace *s, const double *c, double *x)
{
    solve_coefficients(s, c, s->y);
    solve_R_transposed(s, s->y);
    memset(x, 0, (size_t)s->cols * sizeof *x);
    memcpy(x, s->y, (size_t)s->rank * sizeof *x);
    for (int i = 0; i < s->found - s->rank; ++i)
        x[s->rank + i] = hol_inner_product(s->rank, row_space_row(s, s->G, i), s->y);
    hol_qr_apply_q(s->qr, x);
}

/* lambda_2 = K^-1 E' b, lambda_1 = b - E'^T lambda_2 with b = S1^-1 R11^-1 U^T f */
void hol_row_space_solve_transposed(HolRowSpace *s, double *f, double *lambda)
{
    const int *pivot = s->qr->pivot;
    int n = redundant(s);
    hol_qr_apply_qt(s->qr, f);
    for (int i = 0; i < s->found - s->rank; ++i)
        hol_add_scaled(s->rank, f[s->rank + i], row_space_row(s, s->G, i), f);
    solve_R(s, f);
    for (int k = 0; k < s->rank; ++k)
        f[k] /= s->size[pivot[k]];
    for (int j = 0; j < n; ++j)
        s->mu[j] = hol_inner_product(s->rank, row_space_row(s, s->E, j), f);
    solve_K(s, s->mu);
    for (int j = 0; j < n; ++j) {
        hol_add_scaled(s->rank, -s->mu[j], row_space_row(s, s->E, j), f);
        lambda[pivot[s->rank + j]] = s->mu[j];
    }
    for (int k = 0; k < s->rank; ++k)
        lambda[pivot[k]] = f[k];
}
