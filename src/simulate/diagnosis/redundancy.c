/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate/diagnosis/redundancy.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"
#include "linalg/rank/independent_rows.h"
#include "linalg/rank/left_null_space.h"

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
    HolArena *scratch = hol_arena_create();
    HolStatus status = r && scratch ? redundancy_describe(arena, scratch, work, r) : HOL_NO_MEMORY;
    hol_arena_destroy(scratch);
    *redundancy = status == HOL_OK ? r : NULL;
    return status;
}

HolStatus hol_count_rank(HolWorkspace *work, int *rank)
{
    int redundant = 0;
    unsigned char *left_out;
    HolRowChoice *rows;
    HolArena *scratch = hol_arena_create();
    HolStatus status = scratch ? redundancy_choose(scratch, work, &left_out, &redundant, &rows) : HOL_NO_MEMORY;
    hol_arena_destroy(scratch);
    *rank = work->pattern->m - redundant;
    return status;
}
