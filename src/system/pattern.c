/* SPDX-License-Identifier: BSD-3-Clause */
#include "system/pattern.h"

#include "base/message.h"
#include "linalg/block/blocks.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* A list of pairs under construction: later ones may repeat earlier ones until they are sorted. */
typedef struct PairList {
    HolPair *pairs;
    int count;
} PairList;

static int by_row_then_column(const void *left, const void *right)
{
    const HolPair *a = left, *b = right;
    return a->row != b->row ? (a->row > b->row) - (a->row < b->row) : (a->column > b->column) - (a->column < b->column);
}

static void sort_pairs(PairList *list)
{
    qsort(list->pairs, (size_t)list->count, sizeof *list->pairs, by_row_then_column);
}

static void drop_repeats(PairList *list)
{
    int kept = 0;
    for (int i = 0; i < list->count; ++i)
        if (kept == 0 || by_row_then_column(&list->pairs[kept - 1], &list->pairs[i]) != 0)
            list->pairs[kept++] = list->pairs[i];
    list->count = kept;
}

static void append_both(PairList *list, int a, int b)
{
    list->pairs[list->count++] = (HolPair){a, b};
    if (a != b)
        list->pairs[list->count++] = (HolPair){b, a};
}

/* Prefix sums of sizes; HOL_BAD_INPUT unless all are positive and they add up to total. */
static HolStatus starts(HolArena *arena, int count, const int *sizes, int total, const char *what, const int **start,
                        HolMessage *message)
{
    int *sum = hol_arena_ints(arena, (size_t)count + 1);
    if (!sum)
        return HOL_NO_MEMORY;
    for (int i = 0; i < count; ++i) {
        if (sizes[i] <= 0 || sizes[i] > INT_MAX - sum[i])
            return hol_fail(message, HOL_BAD_INPUT,
                            "%s %d has size %d: sizes must be positive, and their sum must fit into an int", what, i,
                            sizes[i]);
        sum[i + 1] = sum[i] + sizes[i];
    }
    if (sum[count] != total)
        return hol_fail(message, HOL_BAD_INPUT, "the sizes of the %ss add up to %d instead of %d", what, sum[count],
                        total);
    *start = sum;
    return HOL_OK;
}

static HolStatus build_blocks(const HolSystemSpec *spec, HolArena *arena, HolPattern *p, HolMessage *message)
{
    int whole[1] = {spec->nv};
    p->block_count = spec->block_sizes ? spec->block_count : 1;
    return starts(arena, p->block_count, spec->block_sizes ? spec->block_sizes : whole, spec->nv, "block",
                  &p->block_start, message);
}

static HolStatus build_groups(const HolSystemSpec *spec, HolArena *arena, HolPattern *p, HolMessage *message)
{
    int whole[2] = {spec->nh > 0 ? spec->nh : spec->nn, spec->nn};
    p->group_count = spec->group_sizes ? spec->group_count : (spec->nh > 0) + (spec->nn > 0);
    HOL_TRY(starts(arena, p->group_count, spec->group_sizes ? spec->group_sizes : whole, p->m, "group", &p->group_start,
                   message));
    for (int g = 0; g < p->group_count; ++g)
        if (p->group_start[g] < p->nh && p->group_start[g + 1] > p->nh)
            return hol_fail(message, HOL_BAD_INPUT, "group %d mixes holonomic and nonholonomic rows", g);
    return HOL_OK;
}

static HolStatus check_pairs(const PairList *list, int rows, int columns, const char *what, HolMessage *message)
{
    for (int i = 0; i < list->count; ++i) {
        HolPair pair = list->pairs[i];
        if (pair.row < 0 || pair.row >= rows || pair.column < 0 || pair.column >= columns)
            return hol_fail(message, HOL_BAD_INPUT, "%s (%d, %d) lies outside of %d x %d", what, pair.row, pair.column,
                            rows, columns);
        if (i > 0 && by_row_then_column(&list->pairs[i - 1], &list->pairs[i]) == 0)
            return hol_fail(message, HOL_BAD_INPUT, "%s (%d, %d) is given twice", what, pair.row, pair.column);
    }
    return HOL_OK;
}

static void index_groups(HolPattern *p, int *group_pairs)
{
    for (int i = 0; i < p->pair_count; ++i)
        ++group_pairs[p->pairs[i].row + 1];
    for (int g = 0; g < p->group_count; ++g)
        group_pairs[g + 1] += group_pairs[g];
    p->group_pairs = group_pairs;
}

/* Offsets of dense blocks whose rows and columns are parts of the given starts. */
static HolStatus block_offsets(HolArena *arena, const HolPair *pairs, int count, const int *row_start,
                               const int *column_start, const int **offsets)
{
    int *offset = hol_arena_ints(arena, (size_t)count + 1);
    if (!offset)
        return HOL_NO_MEMORY;
    for (int i = 0; i < count; ++i) {
        long long rows = row_start[pairs[i].row + 1] - row_start[pairs[i].row];
        long long columns = column_start[pairs[i].column + 1] - column_start[pairs[i].column];
        if (rows * columns > INT_MAX - offset[i])
            return HOL_BAD_INPUT;
        offset[i + 1] = offset[i] + (int)(rows * columns);
    }
    *offsets = offset;
    return HOL_OK;
}

static HolStatus build_jacobian(const HolSystemSpec *spec, HolArena *arena, HolPattern *p, HolMessage *message)
{
    long long all = (long long)p->group_count * p->block_count;
    if (!spec->pairs && all > INT_MAX)
        return HOL_BAD_INPUT;
    PairList list = {.count = spec->pairs ? spec->pair_count : (int)all};
    list.pairs = hol_arena_alloc(arena, (size_t)list.count * sizeof(HolPair));
    int *group_pairs = hol_arena_ints(arena, (size_t)p->group_count + 1);
    if (!list.pairs || !group_pairs)
        return HOL_NO_MEMORY;
    for (int i = 0; i < list.count; ++i)
        list.pairs[i] = spec->pairs ? spec->pairs[i] : (HolPair){i / p->block_count, i % p->block_count};
    sort_pairs(&list);
    HOL_TRY(check_pairs(&list, p->group_count, p->block_count, "pair", message));
    p->pairs = list.pairs;
    p->pair_count = list.count;
    index_groups(p, group_pairs);
    for (int g = 0; g < p->group_count; ++g)
        if (p->group_pairs[g] == p->group_pairs[g + 1])
            return hol_fail(message, HOL_BAD_INPUT,
                            "group %d depends on no block, so its constraint equations cannot be satisfied", g);
    return block_offsets(arena, p->pairs, p->pair_count, p->group_start, p->block_start, &p->pair_start);
}

static HolStatus build_mass(const HolSystemSpec *spec, HolArena *arena, HolPattern *p, HolMessage *message)
{
    p->mass_pair_count = p->block_count + spec->mass_pair_count;
    HolPair *pairs = hol_arena_alloc(arena, (size_t)p->mass_pair_count * sizeof(HolPair));
    if (!pairs)
        return HOL_NO_MEMORY;
    for (int b = 0; b < p->block_count; ++b)
        pairs[b] = (HolPair){b, b};
    PairList rest = {pairs + p->block_count, spec->mass_pair_count};
    for (int i = 0; i < rest.count; ++i)
        rest.pairs[i] = spec->mass_pairs[i];
    sort_pairs(&rest);
    HOL_TRY(check_pairs(&rest, p->block_count, p->block_count, "mass pair", message));
    for (int i = 0; i < rest.count; ++i)
        if (rest.pairs[i].row <= rest.pairs[i].column)
            return hol_fail(message, HOL_BAD_INPUT, "mass pair (%d, %d) must have row > column", rest.pairs[i].row,
                            rest.pairs[i].column);
    p->mass_pairs = pairs;
    return block_offsets(arena, pairs, p->mass_pair_count, p->block_start, p->block_start, &p->mass_start);
}

static size_t tangent_bound(const HolSystemSpec *spec, const HolPattern *p)
{
    size_t bound = (size_t)p->block_count + 2 * (size_t)(p->mass_pair_count + spec->coupling_count);
    for (int g = 0; g < p->group_count; ++g) {
        size_t touched = (size_t)(p->group_pairs[g + 1] - p->group_pairs[g]);
        bound += touched * (touched + 1);
    }
    return bound;
}

static void collect_tangents(const HolSystemSpec *spec, const HolPattern *p, PairList *list)
{
    for (int i = 0; i < p->mass_pair_count; ++i)
        append_both(list, p->mass_pairs[i].row, p->mass_pairs[i].column);
    for (int i = 0; i < spec->coupling_count; ++i)
        append_both(list, spec->couplings[i].row, spec->couplings[i].column);
    for (int g = 0; g < p->group_count; ++g)
        for (int i = p->group_pairs[g]; i < p->group_pairs[g + 1]; ++i)
            for (int j = p->group_pairs[g]; j <= i; ++j)
                append_both(list, p->pairs[i].column, p->pairs[j].column);
}

static HolStatus build_tangents(const HolSystemSpec *spec, HolArena *arena, HolPattern *p, HolMessage *message)
{
    for (int i = 0; i < spec->coupling_count; ++i) {
        PairList coupling = {(HolPair[]){spec->couplings[i]}, 1};
        HOL_TRY(check_pairs(&coupling, p->block_count, p->block_count, "coupling", message));
    }
    PairList list = {hol_arena_alloc(arena, tangent_bound(spec, p) * sizeof(HolPair)), 0};
    if (!list.pairs)
        return HOL_NO_MEMORY;
    collect_tangents(spec, p, &list);
    sort_pairs(&list);
    drop_repeats(&list);
    p->tangents = list.pairs;
    p->tangent_count = list.count;
    return block_offsets(arena, p->tangents, p->tangent_count, p->block_start, p->block_start, &p->tangent_start);
}

/* Copied; a group of a block's own is holonomic and touches that block alone. */
static HolStatus build_own(const HolSystemSpec *spec, HolArena *arena, HolPattern *p, HolMessage *message)
{
    bool *own = hol_arena_alloc(arena, (size_t)p->group_count * sizeof *own);
    if (!own)
        return HOL_NO_MEMORY;
    for (int g = 0; g < p->group_count && spec->own_groups && spec->group_sizes; ++g) {
        own[g] = spec->own_groups[g];
        if (own[g] && (p->group_pairs[g + 1] - p->group_pairs[g] != 1 || p->group_start[g] >= p->nh))
            return hol_fail(message, HOL_BAD_INPUT,
                            "group %d is not a block's own: it must touch one block alone, by "
                            "holonomic rows",
                            g);
    }
    p->own_groups = own;
    return HOL_OK;
}

static HolStatus build_units(const HolSystemSpec *spec, HolArena *arena, HolPattern *p)
{
    const bool *pure = spec->pure_velocity ? spec->pure_velocity : p->nq == p->nv ? spec->pure : NULL;
    p->arm = spec->arm > 0 && isfinite(spec->arm) ? hol_magnitude(spec->arm) : p->length;
    if (p->arm == 1)
        return HOL_OK;
    double *unit = hol_arena_doubles(arena, (size_t)p->nv);
    if (!unit)
        return HOL_NO_MEMORY;
    for (int i = 0; i < p->nv; ++i)
        unit[i] = pure && pure[i] ? 1 / p->arm : 1;
    p->unit = unit;
    return HOL_OK;
}

static HolStatus build_length(const HolSystemSpec *spec, HolArena *arena, HolPattern *p, HolMessage *message)
{
    bool *pure = spec->pure ? hol_arena_alloc(arena, (size_t)p->nq * sizeof *pure) : NULL;
    if (spec->pure && !pure)
        return HOL_NO_MEMORY;
    if (!(spec->length >= 0) || !isfinite(spec->length))
        return hol_fail(message, HOL_BAD_INPUT, "length = %g must be positive, or 0 for 1", spec->length);
    p->memory = spec->memory;
    p->length = spec->length > 0 ? hol_magnitude(spec->length) : 1;
    for (int i = 0; i < p->nq && pure; ++i)
        pure[i] = spec->pure[i];
    p->pure = pure;
    return build_units(spec, arena, p);
}

HolStatus hol_pattern_build(const HolSystemSpec *spec, HolArena *arena, HolPattern *pattern, HolMessage *message)
{
    *pattern = (HolPattern){.nq = spec->nq, .nv = spec->nv, .nh = spec->nh, .nn = spec->nn, .m = spec->nh + spec->nn};
    HOL_TRY(build_length(spec, arena, pattern, message));
    HOL_TRY(build_blocks(spec, arena, pattern, message));
    HOL_TRY(build_groups(spec, arena, pattern, message));
    HOL_TRY(build_jacobian(spec, arena, pattern, message));
    HOL_TRY(build_own(spec, arena, pattern, message));
    HOL_TRY(build_mass(spec, arena, pattern, message));
    return build_tangents(spec, arena, pattern, message);
}
