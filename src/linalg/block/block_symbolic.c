/* SPDX-License-Identifier: BSD-3-Clause */
/* The symbolic half of the block LDL: ordering, fill and the addresses of all updates.
 *
 * Column k of L has the rows of its own edges and, for each column c whose first row below the diagonal is k (a child
 * of k in the elimination tree), the rows of c except k itself. */
#include "base/message.h"
#include "linalg/block/block_ldl.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <suitesparse/amd.h>

/* What a large factorisation is for, in a sentence about memory. */
static const char COUPLED[] = "the factorisation of equations that are all coupled, such as many joints on one body";

/* Memory of the analysis, freed when it ends. */
typedef struct Analysis {
    HolArena *arena;
    int count;
    const int *adjacent_start, *adjacent; /* the graph in the caller's numbers, both directions */
    int *order, *place;
    int *column, *row; /* fill, row grows by doubling */
    int row_capacity;
    int *mark, *first_child, *next_sibling;
} Analysis;

static HolStatus block_symbolic_build_graph(Analysis *a, const HolPair *edges, int edge_count)
{
    HOL_TRY(hol_arena_expect(a->arena, edge_count <= INT_MAX / 2 ? 0 : HUGE_VAL, COUPLED)); /* an int counts the ends */
    int *start = hol_arena_ints(a->arena, (size_t)a->count + 2);
    int *adjacent = hol_arena_ints(a->arena, 2 * (size_t)edge_count);
    if (!start || !adjacent)
        return HOL_NO_MEMORY;
    for (int i = 0; i < edge_count; ++i) {
        ++start[edges[i].row + 2];
        ++start[edges[i].column + 2];
    }
    for (int k = 2; k <= a->count + 1; ++k)
        start[k] += start[k - 1];
    for (int i = 0; i < edge_count; ++i) { /* start[k + 1] moves up to the end of k: the start of k + 1 */
        adjacent[start[edges[i].row + 1]++] = edges[i].column;
        adjacent[start[edges[i].column + 1]++] = edges[i].row;
    }
    a->adjacent_start = start;
    a->adjacent = adjacent;
    return HOL_OK;
}

/* The neighbour of k that is not yet placed, -1 if there is none, -2 if there are several. */
static int only_neighbour(const Analysis *a, int k)
{
    int found = -1;
    for (int i = a->adjacent_start[k]; i < a->adjacent_start[k + 1]; ++i) {
        int other = a->adjacent[i];
        if (other == k || other == found || a->mark[other])
            continue;
        if (found >= 0)
            return -2;
        found = other;
    }
    return found;
}

/* If the graph consists of paths, orders each from end to end: there is no fill, and every column updates only the
 * next. Returns false for any other graph. */
static bool follow_paths(Analysis *a)
{
    int count = 0;
    for (int end = a->count - 1; end >= 0; --end) {
        if (a->mark[end])
            continue;
        int k = end, next = only_neighbour(a, k);
        for (; next != -2; k = next, next = only_neighbour(a, k)) {
            a->mark[k] = 1;
            a->order[count++] = k;
            if (next == -1)
                break;
        }
        if (next == -2 && k != end)
            return false;
    }
    return count == a->count;
}

/* amd_order accepts repeated entries and the diagonal, and answers with the permutation. */
static HolStatus choose_order(Analysis *a)
{
    if (a->count == 0)
        return HOL_OK;
    int outcome = follow_paths(a) ? AMD_OK : amd_order(a->count, a->adjacent_start, a->adjacent, a->order, NULL, NULL);
    if (outcome != AMD_OK && outcome != AMD_OK_BUT_JUMBLED)
        return HOL_NO_MEMORY;
    for (int k = 0; k < a->count; ++k)
        a->place[a->order[k]] = k;
    return HOL_OK;
}

static HolStatus push_row(Analysis *a, int k, int i, int *count)
{
    if (i <= k || a->mark[i] == k)
        return HOL_OK;
    if (*count == a->row_capacity) {
        double need = 2.0 * a->row_capacity + 64;
        HOL_TRY(hol_arena_expect(a->arena, need <= INT_MAX ? need * sizeof(int) : HUGE_VAL, COUPLED));
        int capacity = (int)need;
        int *grown = realloc(a->row, (size_t)capacity * sizeof *grown);
        if (!grown)
            return HOL_NO_MEMORY;
        a->row = grown;
        a->row_capacity = capacity;
    }
    a->mark[i] = k;
    a->row[(*count)++] = i;
    return HOL_OK;
}

static int block_symbolic_ascending(const void *left, const void *right)
{
    int a = *(const int *)left, b = *(const int *)right;
    return (a > b) - (a < b);
}

static HolStatus fill_column(Analysis *a, int k, int *count)
{
    int original = a->order[k];
    for (int i = a->adjacent_start[original]; i < a->adjacent_start[original + 1]; ++i)
        HOL_TRY(push_row(a, k, a->place[a->adjacent[i]], count));
    for (int child = a->first_child[k]; child >= 0; child = a->next_sibling[child])
        for (int e = a->column[child]; e < a->column[child + 1]; ++e)
            HOL_TRY(push_row(a, k, a->row[e], count));
    return HOL_OK;
}

static HolStatus compute_fill(Analysis *a)
{
    int count = 0;
    for (int k = 0; k < a->count; ++k)
        a->mark[k] = a->first_child[k] = -1;
    for (int k = 0; k < a->count; ++k) {
        a->column[k] = count;
        HOL_TRY(fill_column(a, k, &count));
        a->column[k + 1] = count;
        int length = count - a->column[k];
        if (length == 0)
            continue;
        qsort(a->row + a->column[k], (size_t)length, sizeof *a->row, block_symbolic_ascending);
        int parent = a->row[a->column[k]];
        a->next_sibling[k] = a->first_child[parent];
        a->first_child[parent] = k;
    }
    return HOL_OK;
}

static HolStatus block_symbolic_analyse(Analysis *a, int count, const HolPair *edges, int edge_count)
{
    size_t n = (size_t)count;
    a->count = count;
    HOL_INTS(a->arena, n, &a->order, &a->place, &a->mark, &a->first_child, &a->next_sibling);
    a->column = hol_arena_ints(a->arena, n + 1);
    HOL_TRY(hol_arena_status(a->arena));
    HOL_TRY(block_symbolic_build_graph(a, edges, edge_count));
    HOL_TRY(choose_order(a));
    return compute_fill(a);
}

static int common_size(int count, const int *sizes)
{
    for (int b = 1; b < count; ++b)
        if (sizes[b] != sizes[0])
            return 0;
    return count > 0 ? sizes[0] : 0;
}

/* Sizes and positions of the blocks in vectors; a column of L is contiguous. */
static void block_symbolic_lay_out(HolBlockLdl *ldl, const Analysis *a, const int *sizes, HolLdlColumn *columns,
                                   HolLdlEntry *entries)
{
    for (int b = 0; b < ldl->count; ++b) {
        columns[a->place[b]].size = sizes[b];
        columns[a->place[b]].start = ldl->n;
        ldl->n += sizes[b];
    }
    for (int k = 0; k < ldl->count; ++k) {
        HolLdlColumn *c = &columns[k];
        c->diagonal = ldl->values;
        c->entries = a->column[k];
        c->end = a->column[k + 1];
        c->below = entries + c->entries;
        c->below_end = entries + c->end;
        ldl->values += c->size * c->size;
        for (int e = c->entries; e < c->end; ++e) {
            const HolLdlColumn *row = &columns[a->row[e]];
            entries[e] = (HolLdlEntry){NULL, row->size, row->start, a->row[e], ldl->values};
            ldl->values += row->size * c->size;
        }
    }
}

/* Before it is laid out: numbers of L, which an int counts. */
static HolStatus expect_values(const Analysis *a, const int *sizes, HolArena *arena)
{
    double values = 0;
    for (int k = 0; k < a->count; ++k) {
        double rows = sizes[a->order[k]];
        for (int e = a->column[k]; e < a->column[k + 1]; ++e)
            rows += sizes[a->order[a->row[e]]];
        values += rows * sizes[a->order[k]];
    }
    return hol_arena_expect(arena, values <= INT_MAX ? values * sizeof(double) : HUGE_VAL, COUPLED);
}

static int compare_rows(const void *left, const void *right)
{
    const HolLdlEntry *a = left, *b = right;
    return (a->row > b->row) - (a->row < b->row);
}

/* The block (row, column) of L, row > column in the order of elimination. */
static const HolLdlEntry *find_entry(const HolBlockLdl *ldl, int row, int column)
{
    const HolLdlColumn *c = &ldl->columns[column];
    HolLdlEntry key = {.row = row};
    return bsearch(&key, c->below, (size_t)(c->end - c->entries), sizeof key, compare_rows);
}

/* Finds the runs of a column; false if there is a block among those that it does not update. */
static bool find_runs(const HolBlockLdl *ldl, const HolLdlColumn *c, const HolLdlEntry **runs)
{
    const HolLdlEntry *last = c->below_end - 1;
    for (const HolLdlEntry *f = c->below; f < last; ++f) {
        const HolLdlEntry *first = find_entry(ldl, f[1].row, f->row);
        if (find_entry(ldl, last->row, f->row) - first != last - f - 1)
            return false;
        runs[f - c->below] = first;
    }
    return true;
}

/* Hundreds of groups that are all coupled, such as joints on one body, have a number of targets that is cubic in their
 * own. */
static HolStatus make_runs(HolBlockLdl *ldl, HolLdlColumn *columns, HolArena *arena)
{
    enum { MANY = 32 };
    for (HolLdlColumn *c = columns; c < columns + ldl->count; ++c) {
        size_t count = (size_t)(c->end - c->entries);
        if (count < MANY)
            continue;
        const HolLdlEntry **runs = hol_arena_alloc(arena, count * sizeof *runs);
        if (!runs)
            return HOL_NO_MEMORY;
        if (find_runs(ldl, c, runs))
            c->runs = runs;
    }
    return HOL_OK;
}

static HolStatus aim_updates(HolBlockLdl *ldl, HolArena *arena)
{
    size_t updates = 0;
    for (int k = 0; k < ldl->count; ++k)
        updates += hol_ldl_update_count(&ldl->columns[k]);
    HOL_TRY(hol_arena_expect(arena, (double)updates * sizeof(double *), COUPLED));
    double **target = hol_arena_alloc(arena, updates * sizeof *target);
    if (!target)
        return HOL_NO_MEMORY;
    ldl->target = target;
    for (const HolLdlColumn *c = ldl->columns; c < ldl->columns + ldl->count; ++c)
        for (const HolLdlEntry *e = c->below; e < c->below_end && !c->runs; ++e) {
            for (const HolLdlEntry *f = c->below; f < e; ++f)
                *target++ = ldl->L + find_entry(ldl, e->row, f->row)->value;
            *target++ = ldl->columns[e->row].L;
        }
    return HOL_OK;
}

static HolStatus take_numeric_memory(HolBlockLdl *ldl, HolArena *arena)
{
    int largest = 0;
    for (const HolLdlColumn *c = ldl->columns; c < ldl->columns + ldl->count; ++c) {
        int sum = 0;
        for (const HolLdlEntry *e = c->below; e < c->below_end; ++e)
            sum += e->size * c->size;
        largest = sum > largest ? sum : largest;
    }
    ldl->L = hol_arena_doubles(arena, (size_t)ldl->values);
    HOL_DOUBLES(arena, ldl->n, &ldl->d_inverse, &ldl->reference);
    ldl->scratch = hol_arena_doubles(arena, (size_t)largest);
    return hol_arena_status(arena);
}

static void point_into_memory(HolBlockLdl *ldl, HolLdlColumn *columns, HolLdlEntry *entries, int entry_count)
{
    for (HolLdlColumn *c = columns; c < columns + ldl->count; ++c) {
        c->L = ldl->L + c->diagonal;
        c->d_inverse = ldl->d_inverse + c->start;
        c->reference = ldl->reference + c->start;
    }
    for (HolLdlEntry *e = entries; e < entries + entry_count; ++e)
        e->L = ldl->L + e->value;
}

static HolStatus block_symbolic_build(HolBlockLdl *ldl, HolArena *arena, Analysis *a, const int *sizes)
{
    size_t count = (size_t)a->count;
    int *place = hol_arena_ints(arena, count);
    HolLdlColumn *columns = hol_arena_alloc(arena, count * sizeof *columns);
    HolLdlEntry *entries = hol_arena_alloc(arena, (size_t)a->column[count] * sizeof *entries);
    HOL_TRY(hol_arena_status(arena));
    for (size_t b = 0; b < count; ++b)
        place[b] = a->place[b];
    HOL_TRY(expect_values(a, sizes, arena));
    ldl->count = a->count;
    ldl->place = place;
    ldl->columns = columns;
    block_symbolic_lay_out(ldl, a, sizes, columns, entries);
    hol_ldl_choose_kernels(ldl, common_size(a->count, sizes));
    HOL_TRY(take_numeric_memory(ldl, arena));
    point_into_memory(ldl, columns, entries, a->column[count]);
    HOL_TRY(make_runs(ldl, columns, arena));
    return aim_updates(ldl, arena);
}

HolStatus hol_ldl_create(HolArena *arena, int count, const int *sizes, const HolPair *edges, int edge_count,
                         HolBlockLdl **ldl)
{
    Analysis a = {.arena = hol_arena_create_within(hol_arena_limit(arena))};
    *ldl = hol_arena_alloc(arena, sizeof **ldl);
    HolStatus status = a.arena && *ldl ? HOL_OK : HOL_NO_MEMORY;
    if (status == HOL_OK)
        status = block_symbolic_analyse(&a, count, edges, edge_count);
    if (status == HOL_OK)
        status = block_symbolic_build(*ldl, arena, &a, sizes);
    free(a.row);
    hol_arena_report(arena, a.arena);
    hol_arena_destroy(a.arena);
    return status;
}

bool hol_ldl_slot(const HolBlockLdl *ldl, int a, int b, int *offset)
{
    int i = ldl->place[a], j = ldl->place[b];
    if (i == j)
        *offset = ldl->columns[i].diagonal;
    else
        *offset = (i > j ? find_entry(ldl, i, j) : find_entry(ldl, j, i))->value;
    return i >= j;
}
