/* SPDX-License-Identifier: BSD-3-Clause */
#include "linalg/dense/lu.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static double *lu_row(const HolLu *lu, int i)
{
    return lu->a + (size_t)i * (size_t)lu->n;
}

HolStatus hol_lu_create(HolArena *arena, int max_n, HolLu **lu)
{
    assert(max_n >= 0);
    HolLu *made = hol_arena_alloc(arena, sizeof *made);
    double *a = hol_arena_doubles(arena, (size_t)max_n * (size_t)max_n);
    if (!made || !a)
        return HOL_NO_MEMORY;
    *made = (HolLu){.max_n = max_n, .a = a, .pivot = hol_arena_ints(arena, (size_t)max_n)};
    if (!made->pivot)
        return HOL_NO_MEMORY;
    *lu = made;
    return HOL_OK;
}

static int lu_largest_of_column(const HolLu *lu, int k)
{
    int best = k;
    for (int i = k + 1; i < lu->n; i++) {
        if (fabs(lu_row(lu, i)[k]) > fabs(lu_row(lu, best)[k]))
            best = i;
    }
    return best;
}

static void lu_swap_rows(int n, double *x, double *y)
{
    for (int j = 0; j < n && x != y; j++) {
        double old = x[j];
        x[j] = y[j];
        y[j] = old;
    }
}

/* The rows below k lose their column k to the pivot row. No zero is skipped: 0 times NaN must show. */
static void lu_eliminate(const HolLu *lu, int k)
{
    const double *restrict from = lu_row(lu, k);
    for (int i = k + 1; i < lu->n; i++) {
        double *restrict to = lu_row(lu, i);
        double l = to[k] /= from[k];
        for (int j = k + 1; j < lu->n; j++)
            to[j] -= l * from[j];
    }
}

HolStatus hol_lu_factor(HolLu *lu, int n, const double *A)
{
    assert(n >= 0 && n <= lu->max_n);
    lu->n = n;
    if (n > 0)
        memcpy(lu->a, A, (size_t)n * (size_t)n * sizeof *A);
    for (int k = 0; k < n; k++) {
        lu->pivot[k] = lu_largest_of_column(lu, k);
        lu_swap_rows(n, lu_row(lu, k), lu_row(lu, lu->pivot[k]));
        double pivot = lu_row(lu, k)[k];
        if (pivot == 0 || !isfinite(pivot))
            return HOL_SINGULAR;
        lu_eliminate(lu, k);
    }
    return HOL_OK;
}

void hol_lu_solve(const HolLu *lu, double *x)
{
    for (int k = 0; k < lu->n; k++)
        lu_swap_rows(1, x + k, x + lu->pivot[k]);
    for (int i = 1; i < lu->n; i++) {
        for (int j = 0; j < i; j++)
            x[i] -= lu_row(lu, i)[j] * x[j];
    }
    for (int i = lu->n - 1; i >= 0; i--) {
        for (int j = i + 1; j < lu->n; j++)
            x[i] -= lu_row(lu, i)[j] * x[j];
        x[i] /= lu_row(lu, i)[i];
    }
}
