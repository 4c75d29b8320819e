/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate/diagnosis/redundancy.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"
#include "linalg/rank/independent_rows.h"
#include "linalg/rank/left_null_space.h"

#include <math.h>

static const double MOST_NUMBERS = 5e7;

/* Flags the redundant rows. */
static HolStatus redundancy_choose(HolArena *arena, const HolWorkspace *work, unsigned char **left_out, int *count,
                                   HolRowChoice **rows)
{
    HOL_TRY(hol_rows_create(arena, work->pattern, rows));
    *left_out = hol_arena_alloc(arena, (size_t)work->pattern->m);
    return *left_out ? hol_rows_choose(*rows, work->terms->D, HOL_TOL_RANK, *left_out, count) : HOL_NO_MEMORY;
}

/* (1): minus the columns of N. */
static HolStatus find_null_space(HolArena *arena, HolArena *scratch, HolLeftNullSpace *space, size_t m,
                                 HolRedundancy *r)
{
    size_t count = (size_t)r->redundant_count;
    double **vectors = hol_arena_alloc(arena, count * sizeof *vectors);
    double *numbers = hol_arena_doubles(arena, count * m), *z = hol_arena_doubles(scratch, m);
    if (hol_arena_failed(arena) || !z)
        return HOL_NO_MEMORY;
    for (size_t k = 0; k < count; ++k) {
        vectors[k] = numbers + k * m;
        z[r->redundant[k]] = -1;
        hol_left_null_times(space, z, vectors[k]);
        z[r->redundant[k]] = 0;
    }
    r->null_vectors = (const double *const *)vectors;
    return HOL_OK;
}

static HolStatus redundancy_describe(HolArena *arena, HolArena *scratch, const HolWorkspace *work, HolRedundancy *r)
{
    const HolPattern *p = work->pattern;
    unsigned char *left_out;
    HolLeftNullSpace *space;
    HolRowChoice *rows;
    HOL_TRY(redundancy_choose(scratch, work, &left_out, &r->redundant_count, &rows));
    r->smallest_sine = hol_rows_smallest_sine(rows, &r->smallest_row);
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
    HOL_TRY(hol_left_null_create(scratch, p, &space));
    HolStatus status = hol_left_null_factor(space, work->terms->D, left_out);
    if (status != HOL_OK && status != HOL_SINGULAR) /* rows that nearly depend on each other are only less accurate */
        return status;
    return find_null_space(arena, scratch, space, (size_t)p->m, r);
}

HolStatus hol_redundancy_create(HolArena *arena, HolWorkspace *work, HolRedundancy **redundancy)
{
    HolRedundancy *r = hol_arena_alloc(arena, sizeof *r);
    HolArena *scratch = hol_arena_create_within(work->pattern->memory);
    HolStatus status = r && scratch ? redundancy_describe(arena, scratch, work, r) : HOL_NO_MEMORY;
    hol_arena_report(arena, scratch);
    hol_arena_destroy(scratch);
    *redundancy = status == HOL_OK ? r : NULL;
    return status;
}

HolStatus hol_count_rank(HolWorkspace *work, int *rank)
{
    int redundant = 0;
    unsigned char *left_out;
    HolRowChoice *rows;
    HolArena *scratch = hol_arena_create_within(work->pattern->memory);
    HolStatus status = scratch ? redundancy_choose(scratch, work, &left_out, &redundant, &rows) : HOL_NO_MEMORY;
    hol_arena_destroy(scratch);
    *rank = work->pattern->m - redundant;
    return status;
}

/* A displacement that D allows, to first order, in no special direction; rows and left_out of the present D. */
static void neighbour_direction(const HolWorkspace *work, HolRowChoice *rows, int seed, double *c, double *y, double *x,
                                double *w)
{
    const HolPattern *p = work->pattern;
    for (int i = 0; i < p->nv; ++i)
        w[i] = HOL_TOL_SMALL * p->length * sin(seed + i);
    hol_times_units(p, 1, w);
    hol_jacobian_times(p, work->terms->D, w, c);
    hol_schur_solve(hol_rows_solver(rows), NULL, c, x, y);
    hol_times_units(p, 1, x);
    hol_add_scaled(p->nv, -1, x, w);
}

/* Satisfies the constraints near q. Rows that are dependent there, to half of all digits, are left to the others. */
static HolStatus neighbour_project(HolWorkspace *work, HolRowChoice *rows, const double *v, double *scaled, double *c,
                                   double *y, double *x, double *q)
{
    enum { MOST_PASSES = 30 };
    const HolPattern *p = work->pattern;
    for (int pass = 0; pass < MOST_PASSES; ++pass) {
        hol_workspace_move(work, work->at.t, q, v);
        HOL_TRY(hol_workspace_need(work, HOL_WANT_PHI | HOL_WANT_JACOBIAN));
        if (hol_max_norm(p->nh, work->terms->Phi) <= HOL_TOL_AMPLIFIED * hol_position_size(p, q))
            return HOL_OK;
        hol_position_residual(p, work->terms->Phi, c);
        const double *D = hol_jacobian_in_units(p, work->terms->D, scaled);
        HOL_TRY(hol_schur_factor(hol_rows_solver(rows), D, HOL_TOL_HALF, NULL));
        hol_schur_solve(hol_rows_solver(rows), NULL, c, x, y);
        hol_times_units(p, 1, x);
        hol_system_retract(work->system, q, x, q);
    }
    return HOL_NO_CONVERGENCE;
}

static HolStatus neighbour_rank(HolArena *scratch, HolWorkspace *work, const HolPoint *at, int seed, int *rank)
{
    const HolPattern *p = work->pattern;
    unsigned char *left_out;
    HolRowChoice *rows;
    int count;
    double *c, *y, *x, *w, *q, *scaled;
    HOL_DOUBLES(scratch, p->m, &c, &y);
    HOL_DOUBLES(scratch, p->nv, &x, &w);
    q = hol_arena_doubles(scratch, (size_t)p->nq);
    scaled = hol_arena_doubles(scratch, (size_t)p->pair_start[p->pair_count]);
    HOL_TRY(hol_arena_status(scratch));
    HOL_TRY(redundancy_choose(scratch, work, &left_out, &count, &rows));
    neighbour_direction(work, rows, seed, c, y, x, w);
    hol_system_retract(work->system, at->q, w, q);
    HolStatus status = neighbour_project(work, rows, at->v, scaled, c, y, x, q);
    if (status == HOL_OK)
        status = hol_rows_choose(rows, work->terms->D, HOL_TOL_RANK_STILL, left_out, &count);
    *rank = p->m - count;
    hol_workspace_move(work, at->t, at->q, at->v);
    HOL_TRY(hol_workspace_need(work, HOL_WANT_MASS | HOL_WANT_JACOBIAN));
    return status;
}

int hol_count_neighbour_rank(HolWorkspace *work, int rank)
{
    enum { DIRECTIONS = 3 }; /* one may lead to no other configuration */
    HolPoint at = work->at;
    HolArena *scratch = hol_arena_create_within(work->pattern->memory);
    int highest = rank, there;
    for (int seed = 1; seed <= DIRECTIONS && scratch && highest == rank; ++seed)
        if (neighbour_rank(scratch, work, &at, seed, &there) == HOL_OK && there > highest)
            highest = there;
    hol_arena_destroy(scratch);
    return highest;
}
