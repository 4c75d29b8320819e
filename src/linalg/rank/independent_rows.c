/* SPDX-License-Identifier: BSD-3-Clause */
#include "linalg/rank/independent_rows.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"

#include <math.h>
#include <string.h>

static const double SUSPECT = 10 * HOL_TOL_HALF; /* a squared sine */
static const double ROUNDING = HOL_TOL_PIVOT;
/* A row is exchanged if that makes the volume of (2) larger by this factor; each row so often at most. */
static const double WORTH_IT = 1.5;
enum { MOST_PASSES = 6 };

struct HolRowChoice {
    const HolPattern *pattern;
    HolSchur *schur; /* D D^T */
    double *scaled;  /* D in units, if the lever arm is not 1 */
    double *d, *x, *correction, *lambda, *residual, *size;
    int *group;           /* of each row */
    double smallest_sine; /* of a row kept, and the row */
    int smallest_row;
};

HolStatus hol_rows_create(HolArena *arena, const HolPattern *pattern, HolRowChoice **rows)
{
    HolRowChoice *r = hol_arena_alloc(arena, sizeof *r);
    HOL_TRY(hol_arena_status(arena));
    r->pattern = pattern;
    HOL_DOUBLES(arena, pattern->nv, &r->d, &r->x, &r->correction);
    HOL_DOUBLES(arena, pattern->m, &r->lambda, &r->residual, &r->size);
    if (pattern->unit)
        r->scaled = hol_arena_doubles(arena, (size_t)pattern->pair_start[pattern->pair_count]);
    r->group = hol_arena_ints(arena, (size_t)pattern->m);
    HOL_TRY(hol_arena_status(arena));
    for (int g = 0; g < pattern->group_count; ++g)
        for (int i = pattern->group_start[g]; i < pattern->group_start[g + 1]; ++i)
            r->group[i] = g;
    *rows = r;
    return hol_schur_create(arena, pattern, true, &r->schur);
}

HolSchur *hol_rows_solver(HolRowChoice *rows)
{
    return rows->schur;
}

static double independent_rows_length(int n, const double *x)
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
    int g = r->group[i];
    memset(r->d, 0, (size_t)p->nv * sizeof *r->d);
    for (int k = p->group_pairs[g]; k < p->group_pairs[g + 1]; ++k) {
        int b = p->pairs[k].column, n = hol_part_size(p->block_start, b);
        hol_add_scaled(n, 1, D + p->pair_start[k] + (i - p->group_start[g]) * n, r->d + p->block_start[b]);
    }
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
    hol_add_scaled(p->nv, 1, r->correction, r->x);
    double size = independent_rows_length(p->nv, r->d);
    return size > 0 ? independent_rows_length(p->nv, r->x) / size : 0;
}

/* lambda = -k, row i = sum k_i d_i over the rows kept */
static void independent_rows_resolve(HolRowChoice *r, const double *D, int i)
{
    take_row(r, D, i);
    memset(r->residual, 0, (size_t)r->pattern->m * sizeof *r->residual);
    hol_schur_solve(r->schur, r->d, r->residual, r->x, r->lambda);
}

/* The kept row with the largest share in row i; *factor is the change of the volume if they are exchanged. */
static int largest_part(HolRowChoice *r, const double *D, const unsigned char *left_out, int i, double *factor)
{
    const HolPattern *p = r->pattern;
    int largest = -1;
    independent_rows_resolve(r, D, i);
    *factor = 0;
    for (int k = 0; k < p->m; ++k)
        if (!left_out[k] && fabs(r->lambda[k]) * r->size[k] > *factor * r->size[i]) {
            *factor = fabs(r->lambda[k]) * r->size[k] / r->size[i];
            largest = k;
        }
    return largest;
}

/* The factorisation follows. */
static HolStatus independent_rows_swap_rows(HolRowChoice *r, const double *D, unsigned char *left_out, int in, int out)
{
    left_out[in] = 0;
    left_out[out] = 1;
    return hol_schur_factor(r->schur, D, ROUNDING, left_out);
}

/* (2); the factorisation at hand is that of the rows kept, before and after. */
static HolStatus exchange(HolRowChoice *r, const double *D, unsigned char *left_out)
{
    bool changed = true;
    hol_jacobian_row_sizes(r->pattern, D, r->size);
    for (int pass = 0; pass < MOST_PASSES && changed; ++pass) {
        changed = false;
        for (int i = 0; i < r->pattern->m; ++i) {
            double factor;
            int k = left_out[i] && r->size[i] > 0 ? largest_part(r, D, left_out, i, &factor) : -1;
            if (k < 0 || factor < WORTH_IT)
                continue;
            changed = true;
            HOL_TRY(independent_rows_swap_rows(r, D, left_out, i, k));
        }
    }
    return HOL_OK;
}

HolStatus hol_rows_choose(HolRowChoice *rows, const double *D, double tolerance, unsigned char *left_out, int *count)
{
    int m = rows->pattern->m;
    D = hol_jacobian_in_units(rows->pattern, D, rows->scaled);
    memset(left_out, 0, (size_t)m);
    rows->smallest_sine = 1;
    rows->smallest_row = -1;
    HOL_TRY(hol_schur_factor(rows->schur, D, fmax(SUSPECT, tolerance * tolerance), NULL));
    *count = m - hol_schur_rank(rows->schur);
    if (*count == 0)
        return HOL_OK;
    hol_schur_rows_left_out(rows->schur, left_out);
    HOL_TRY(hol_schur_factor(rows->schur, D, ROUNDING, left_out));
    for (int i = 0; i < m; ++i) {
        double sine = left_out[i] ? remainder_of(rows, D, i) : 0;
        if (!left_out[i] || sine <= tolerance)
            continue;
        if (sine < rows->smallest_sine) {
            rows->smallest_sine = sine;
            rows->smallest_row = i;
        }
        left_out[i] = 0;
        --*count;
        HOL_TRY(hol_schur_factor(rows->schur, D, ROUNDING, left_out));
    }
    return *count > 0 ? exchange(rows, D, left_out) : HOL_OK;
}

HolStatus hol_rows_choose_once(const HolPattern *pattern, const double *D, double tolerance, unsigned char *left_out,
                               int *count)
{
    HolRowChoice *rows;
    HolArena *arena = hol_arena_create_within(pattern->memory);
    HolStatus status = arena ? hol_rows_create(arena, pattern, &rows) : HOL_NO_MEMORY;
    if (status == HOL_OK && !left_out)
        left_out = hol_arena_alloc(arena, (size_t)pattern->m);
    if (status == HOL_OK)
        status = left_out ? hol_rows_choose(rows, D, tolerance, left_out, count) : HOL_NO_MEMORY;
    hol_arena_destroy(arena);
    return status;
}

double hol_rows_smallest_sine(const HolRowChoice *rows, int *row)
{
    *row = rows->smallest_row;
    return rows->smallest_sine;
}

/* The last row kept behind row i that may be left out in its place, or -1. */
static int later_row(HolRowChoice *r, const double *D, const unsigned char *left_out, int i)
{
    independent_rows_resolve(r, D, i);
    for (int k = r->pattern->m - 1; k > i; --k)
        if (!left_out[k] && fabs(r->lambda[k]) * r->size[k] >= HOL_PART_AS_GOOD * r->size[i])
            return k;
    return -1;
}

HolStatus hol_rows_prefer_first(HolRowChoice *rows, const double *D, unsigned char *left_out)
{
    bool changed = true;
    D = hol_jacobian_in_units(rows->pattern, D, rows->scaled);
    hol_jacobian_row_sizes(rows->pattern, D, rows->size);
    while (changed) {
        changed = false;
        for (int i = 0; i < rows->pattern->m; ++i) {
            int k = left_out[i] && rows->size[i] > 0 ? later_row(rows, D, left_out, i) : -1;
            if (k < 0)
                continue;
            changed = true;
            HOL_TRY(independent_rows_swap_rows(rows, D, left_out, i, k));
        }
    }
    return HOL_OK;
}
