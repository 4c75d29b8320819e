/* SPDX-License-Identifier: BSD-3-Clause */
#include "linalg/independent_rows.h"

#include "base/message.h"
#include "linalg/blocks.h"

#include <math.h>
#include <string.h>

static const double SUSPECT = 1e-7; /* a squared sine */
static const double ROUNDING = 1e-15;

struct HolRowChoice {
    const HolPattern *pattern;
    HolSchur *schur; /* D D^T */
    double *d, *x, *correction, *lambda, *residual;
};

HolStatus hol_rows_create(HolArena *arena, const HolPattern *pattern, HolRowChoice **rows)
{
    HolRowChoice *r = hol_arena_alloc(arena, sizeof *r);
    if (!r)
        return HOL_NO_MEMORY;
    r->pattern = pattern;
    r->d = hol_arena_doubles(arena, (size_t)pattern->nv);
    r->x = hol_arena_doubles(arena, (size_t)pattern->nv);
    r->correction = hol_arena_doubles(arena, (size_t)pattern->nv);
    r->lambda = hol_arena_doubles(arena, (size_t)pattern->m);
    r->residual = hol_arena_doubles(arena, (size_t)pattern->m);
    if (hol_arena_failed(arena))
        return HOL_NO_MEMORY;
    *rows = r;
    return hol_schur_create(arena, pattern, true, &r->schur);
}

static double length(int n, const double *x)
{
    double largest = hol_max_norm(n, x), sum = 0;
    for (int i = 0; i < n && largest > 0; ++i)
        sum += x[i] / largest * (x[i] / largest);
    return largest * sqrt(sum);
}

/* d <- row i of D */
static void take_row(HolRowChoice *r, const double *D, int i)
{
    const HolPattern *p = r->pattern;
    memset(r->residual, 0, (size_t)p->m * sizeof *r->residual);
    memset(r->d, 0, (size_t)p->nv * sizeof *r->d);
    r->residual[i] = 1;
    hol_jacobian_add_transposed(p, D, r->residual, r->d);
}

/* |x| / |d| of (1) for row i, against the rows that the factorisation at hand kept. */
static double remainder_of(HolRowChoice *r, const double *D, int i)
{
    const HolPattern *p = r->pattern;
    take_row(r, D, i);
    memset(r->residual, 0, (size_t)p->m * sizeof *r->residual);
    hol_schur_solve(r->schur, r->d, r->residual, r->x, r->lambda);
    hol_jacobian_times(p, D, r->x, r->residual);
    for (int k = 0; k < p->m; ++k)
        r->residual[k] = -r->residual[k];
    hol_schur_solve(r->schur, NULL, r->residual, r->correction, r->lambda);
    for (int k = 0; k < p->nv; ++k)
        r->x[k] += r->correction[k];
    double size = length(p->nv, r->d);
    return size > 0 ? length(p->nv, r->x) / size : 0;
}

HolStatus hol_rows_choose(HolRowChoice *rows, const double *D, double tolerance, unsigned char *left_out, int *count)
{
    int m = rows->pattern->m;
    memset(left_out, 0, (size_t)m);
    HOL_TRY(hol_schur_factor(rows->schur, D, SUSPECT, NULL));
    *count = m - hol_schur_rank(rows->schur);
    if (*count == 0)
        return HOL_OK;
    hol_schur_rows_left_out(rows->schur, left_out);
    HOL_TRY(hol_schur_factor(rows->schur, D, ROUNDING, left_out));
    for (int i = 0; i < m; ++i) {
        if (!left_out[i] || remainder_of(rows, D, i) <= tolerance)
            continue;
        left_out[i] = 0;
        --*count;
        HOL_TRY(hol_schur_factor(rows->schur, D, ROUNDING, left_out));
    }
    return HOL_OK;
}
