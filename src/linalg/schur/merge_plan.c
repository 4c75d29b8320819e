/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/message.h"
#include "linalg/block/blocks.h"
#include "linalg/schur/merge.h"

#include <string.h>

/* A merged block has a dense inverse, and dense rows: the work for each of its rows grows with the square of its
 * columns. */
enum { MOST_COLUMNS = 60 };

static int first_of(int *leads, int b)
{
    while (leads[b] != b)
        b = leads[b] = leads[leads[b]];
    return b;
}

static void unite(int *leads, int a, int b)
{
    a = first_of(leads, a);
    b = first_of(leads, b);
    leads[a > b ? a : b] = a > b ? b : a;
}

/* Numbers the sets; columns and parts are scratch, one number for each block. */
static HolStatus number_sets(const HolPattern *p, int *leads, int *columns, int *parts, HolMergePlan *plan)
{
    plan->count = 0;
    for (int b = 0; b < p->block_count; ++b) {
        int first = first_of(leads, b), set = plan->of[b] = first == b ? plan->count++ : plan->of[first];
        parts[set] = first == b ? 1 : parts[set] + 1;
        columns[set] = (first == b ? 0 : columns[set]) + hol_part_size(p->block_start, b);
        if (parts[set] > 1 && columns[set] > MOST_COLUMNS)
            return HOL_UNSUPPORTED;
    }
    return HOL_OK;
}

typedef struct Sets {
    int *leads, *columns, *parts;
    unsigned char *singular, *helped; /* of each set */
} Sets;

static HolStatus merge_plan_begin(HolArena *arena, const HolPattern *p, HolMergePlan *plan, Sets *sets)
{
    size_t blocks = (size_t)p->block_count;
    plan->of = hol_arena_ints(arena, blocks);
    plan->shifted = hol_arena_alloc(arena, (size_t)p->group_count);
    plan->shifts = false;
    HOL_INTS(arena, blocks, &sets->leads, &sets->columns, &sets->parts);
    sets->singular = hol_arena_alloc(arena, blocks);
    sets->helped = hol_arena_alloc(arena, blocks);
    HOL_TRY(hol_arena_status(arena));
    for (int b = 0; b < p->block_count; ++b)
        sets->leads[b] = b;
    for (int k = p->block_count; k < p->mass_pair_count; ++k)
        unite(sets->leads, p->mass_pairs[k].row, p->mass_pairs[k].column);
    return number_sets(p, sets->leads, sets->columns, sets->parts, plan);
}

HolStatus hol_merge_plan(HolArena *arena, const HolPattern *pattern, HolMergePlan *plan)
{
    Sets sets;
    return merge_plan_begin(arena, pattern, plan, &sets);
}

/* The set of blocks that a group depends on; -1 if there are several. */
static int only_set(const HolPattern *p, const int *of, int g)
{
    int set = p->group_pairs[g] < p->group_pairs[g + 1] ? of[p->pairs[p->group_pairs[g]].column] : -1;
    for (int i = p->group_pairs[g]; i < p->group_pairs[g + 1]; ++i)
        if (of[p->pairs[i].column] != set)
            return -1;
    return set;
}

/* A group that depends on one set alone, a singular one, is added to the mass of that set. */
static void shift_by_own_groups(const HolPattern *p, HolMergePlan *plan, Sets *sets)
{
    memset(sets->helped, 0, (size_t)plan->count);
    for (int g = 0; g < p->group_count; ++g) {
        int set = plan->shifted[g] ? -1 : only_set(p, plan->of, g);
        if (set >= 0 && sets->singular[set])
            plan->shifted[g] = sets->helped[set] = 1;
    }
}

/* To each singular set without such a group, all groups that depend on it are added, which merges it with the other
 * sets they depend on. Returns whether any group was added, here or by shift_by_own_groups(). */
static bool shift_by_others(const HolPattern *p, HolMergePlan *plan, Sets *sets)
{
    bool changed = false;
    for (int b = 0; b < plan->count; ++b)
        changed = changed || sets->helped[b];
    for (int i = 0; i < p->pair_count; ++i) {
        int g = p->pairs[i].row, set = plan->of[p->pairs[i].column];
        if (!sets->singular[set] || sets->helped[set] || plan->shifted[g])
            continue;
        plan->shifted[g] = 1;
        changed = true;
        for (int j = p->group_pairs[g]; j < p->group_pairs[g + 1]; ++j)
            unite(sets->leads, p->pairs[i].column, p->pairs[j].column);
    }
    return changed;
}

/* Flags the sets whose mass has no inverse yet, and counts them. */
static HolStatus find_singular(const HolPattern *p, const double *M, const double *D, const HolMergePlan *plan,
                               Sets *sets, int *count)
{
    HolSchurMerge *merge;
    HolArena *arena = hol_arena_create_within(p->memory);
    HolStatus status = arena ? hol_merge_create(arena, p, plan, M, D, &merge) : HOL_NO_MEMORY;
    if (status == HOL_OK)
        *count = hol_merge_find_singular(merge, M, sets->singular);
    hol_arena_destroy(arena);
    return status;
}

HolStatus hol_merge_plan_shifts(HolArena *arena, const HolPattern *pattern, const double *M, const double *D,
                                HolMergePlan *plan)
{
    Sets sets;
    int singular;
    HOL_TRY(merge_plan_begin(arena, pattern, plan, &sets));
    HOL_TRY(find_singular(pattern, M, D, plan, &sets, &singular));
    while (singular > 0) {
        plan->shifts = true;
        shift_by_own_groups(pattern, plan, &sets);
        if (!shift_by_others(pattern, plan, &sets))
            return HOL_SINGULAR;
        HOL_TRY(number_sets(pattern, sets.leads, sets.columns, sets.parts, plan));
        HOL_TRY(find_singular(pattern, M, D, plan, &sets, &singular));
    }
    return HOL_OK;
}
