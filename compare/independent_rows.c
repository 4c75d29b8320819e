/* SPDX-License-Identifier: BSD-3-Clause */
/* Gram-Schmidt with pivoting: the row with the largest part outside the span of those chosen comes next. Each row has
 * norm 1 at first, so that units do not matter. */
#include "independent_rows.h"

#include <math.h>
#include <string.h>

/* Less outside the span of the others, relative to the row, is dependence and rounding. */
static const double DEPENDENT = 1e-8;

typedef struct Rows {
    int m, n;
    double *a; /* m x n, the parts outside the span */
    double *norm;
} Rows;

static void rows_copy(const HolTerms *terms, Rows *rows)
{
    const HolPattern *p = terms->pattern;
    for (int k = 0; k < p->pair_count; ++k) {
        const double *D = terms->D + p->pair_start[k];
        int g = p->pairs[k].row, b = p->pairs[k].column, width = p->block_start[b + 1] - p->block_start[b];
        for (int i = p->group_start[g]; i < p->group_start[g + 1]; ++i, D += width)
            memcpy(rows->a + (size_t)i * (size_t)rows->n + p->block_start[b], D, (size_t)width * sizeof *D);
    }
}

static double rows_product(const Rows *rows, int i, int j)
{
    const double *a = rows->a + (size_t)i * (size_t)rows->n, *b = rows->a + (size_t)j * (size_t)rows->n;
    double sum = 0;
    for (int k = 0; k < rows->n; ++k)
        sum += a[k] * b[k];
    return sum;
}

/* a_j -= factor a_i; with i = j scales the row. */
static void rows_subtract(Rows *rows, int j, double factor, int i)
{
    double *a = rows->a + (size_t)j * (size_t)rows->n;
    const double *b = rows->a + (size_t)i * (size_t)rows->n;
    for (int k = 0; k < rows->n; ++k)
        a[k] -= factor * b[k];
}

static void rows_normalise(Rows *rows, int i)
{
    double norm = sqrt(rows_product(rows, i, i));
    rows->norm[i] = norm > 0 ? 1 : 0;
    if (norm > 0)
        rows_subtract(rows, i, 1 - 1 / norm, i);
}

/* Takes row i out of all others. */
static void rows_choose(Rows *rows, int i, const bool *chosen)
{
    rows_normalise(rows, i);
    for (int j = 0; j < rows->m; ++j) {
        if (chosen[j] || rows->norm[j] <= DEPENDENT)
            continue;
        rows_subtract(rows, j, rows_product(rows, i, j), i);
        rows->norm[j] = sqrt(rows_product(rows, j, j));
    }
}

static void rows_choose_among(Rows *rows, int first, int end, bool *chosen)
{
    for (;;) {
        int best = -1;
        for (int i = first; i < end; ++i)
            if (!chosen[i] && rows->norm[i] > (best < 0 ? DEPENDENT : rows->norm[best]))
                best = i;
        if (best < 0)
            return;
        chosen[best] = true;
        rows_choose(rows, best, chosen);
    }
}

HolStatus hol_independent_rows(HolPool *pool, const HolTerms *terms, bool *chosen)
{
    const HolPattern *p = terms->pattern;
    Rows rows = {.m = p->m, .n = p->nv};
    rows.a = hol_pool_doubles(pool, (size_t)p->m * (size_t)p->nv + 1);
    rows.norm = hol_pool_doubles(pool, (size_t)p->m + 1);
    if (!rows.a || !rows.norm)
        return HOL_NO_MEMORY;
    rows_copy(terms, &rows);
    for (int i = 0; i < p->m; ++i) {
        chosen[i] = false;
        rows_normalise(&rows, i);
    }
    rows_choose_among(&rows, 0, p->nh, chosen);
    rows_choose_among(&rows, p->nh, p->m, chosen);
    return HOL_OK;
}
