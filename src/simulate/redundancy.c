/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate/redundancy.h"

#include "base/message.h"
#include "linalg/blocks.h"
#include "linalg/independent_rows.h"
#include "simulate/internal.h"

#include <string.h>

static const double REDUNDANT = 1e-9;
static const double ROUNDING = 1e-15;
static const double MOST_NUMBERS = 5e7;
/* Solutions with D D^T lose twice the digits that D loses; each refinement wins them back. */
enum { REFINEMENTS = 2 };

/* What the null vectors are solved with, in memory that is given back. */
typedef struct Solver {
    const HolPattern *pattern;
    const double *D;
    HolSchur *schur; /* D D^T of the rows kept */
    double *d, *none, *part, *lambda;
} Solver;

/* Flags the redundant rows. */
static HolStatus choose(HolArena *arena, const HolWorkspace *work, unsigned char **left_out, int *count)
{
    HolRowChoice *rows;
    HOL_TRY(hol_rows_create(arena, work->pattern, &rows));
    *left_out = hol_arena_alloc(arena, (size_t)work->pattern->m);
    return *left_out ? hol_rows_choose(rows, work->terms->D, REDUNDANT, *left_out, count) : HOL_NO_MEMORY;
}

static HolStatus create_solver(HolArena *arena, const HolWorkspace *work, const unsigned char *left_out, Solver *s)
{
    const HolPattern *p = work->pattern;
    *s = (Solver){.pattern = p, .D = work->terms->D};
    s->d = hol_arena_doubles(arena, (size_t)p->nv);
    s->part = hol_arena_doubles(arena, (size_t)p->nv);
    s->none = hol_arena_doubles(arena, (size_t)p->m);
    s->lambda = hol_arena_doubles(arena, (size_t)p->m);
    if (hol_arena_failed(arena))
        return HOL_NO_MEMORY;
    HOL_TRY(hol_schur_create(arena, p, true, &s->schur));
    return hol_schur_factor(s->schur, s->D, ROUNDING, left_out);
}

/* (1): with the right side (d, 0) the solver returns lambda = -(D_K D_K^T)^-1 D_K d, the combination of the rows kept
 * that is nearest to -d. What is then left of d = D^T n is treated in the same way. */
static void find_null_vector(Solver *s, int row, double *n)
{
    const HolPattern *p = s->pattern;
    n[row] = -1;
    for (int k = 0; k <= REFINEMENTS; ++k) {
        memset(s->d, 0, (size_t)p->nv * sizeof *s->d);
        hol_jacobian_add_transposed(p, s->D, n, s->d);
        hol_schur_solve(s->schur, s->d, s->none, s->part, s->lambda);
        for (int i = 0; i < p->m; ++i)
            n[i] += s->lambda[i];
    }
}

static HolStatus find_null_space(HolArena *arena, Solver *s, HolRedundancy *r)
{
    size_t m = (size_t)s->pattern->m, count = (size_t)r->redundant_count;
    double **vectors = hol_arena_alloc(arena, count * sizeof *vectors);
    double *numbers = hol_arena_doubles(arena, count * m);
    if (hol_arena_failed(arena))
        return HOL_NO_MEMORY;
    for (size_t k = 0; k < count; ++k) {
        vectors[k] = numbers + k * m;
        find_null_vector(s, r->redundant[k], vectors[k]);
    }
    r->null_vectors = (const double *const *)vectors;
    return HOL_OK;
}

static HolStatus describe(HolArena *arena, HolArena *scratch, const HolWorkspace *work, HolRedundancy *r)
{
    const HolPattern *p = work->pattern;
    unsigned char *left_out;
    Solver solver;
    HOL_TRY(choose(scratch, work, &left_out, &r->redundant_count));
    int *redundant = hol_arena_ints(arena, (size_t)r->redundant_count), count = 0;
    if (!redundant)
        return HOL_NO_MEMORY;
    for (int i = 0; i < p->m; ++i)
        if (left_out[i])
            redundant[count++] = i;
    r->redundant = redundant;
    r->rank = p->m - r->redundant_count;
    if ((double)r->redundant_count * p->m > MOST_NUMBERS)
        return HOL_OK;
    HOL_TRY(create_solver(scratch, work, left_out, &solver));
    return find_null_space(arena, &solver, r);
}

HolStatus hol_redundancy_create(HolArena *arena, HolWorkspace *work, HolRedundancy **redundancy)
{
    HolRedundancy *r = hol_arena_alloc(arena, sizeof *r);
    HolArena *scratch = hol_arena_create();
    HolStatus status = r && scratch ? describe(arena, scratch, work, r) : HOL_NO_MEMORY;
    hol_arena_destroy(scratch);
    *redundancy = status == HOL_OK ? r : NULL;
    return status;
}

HolStatus hol_count_rank(HolWorkspace *work, int *rank)
{
    int redundant = 0;
    unsigned char *left_out;
    HolArena *scratch = hol_arena_create();
    HolStatus status = scratch ? choose(scratch, work, &left_out, &redundant) : HOL_NO_MEMORY;
    hol_arena_destroy(scratch);
    *rank = work->pattern->m - redundant;
    return status;
}
