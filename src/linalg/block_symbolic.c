/* SPDX-License-Identifier: BSD-3-Clause */
/* The symbolic half of the block LDL: ordering, fill and the addresses of all updates.
 *
 * Column k of L has the rows of its own edges and, for each column c whose first row below the diagonal is k (a child
 * of k in the elimination tree), the rows of c except k itself. */
#include "base/message.h"
#include "linalg/block_ldl.h"

#include <stdlib.h>
#include <string.h>
#include <suitesparse/amd.h>

/* Memory of the analysis, gone when it ends. */
typedef struct Analysis {
    HolArena *arena;
    int count;
    const int *adjacent_start, *adjacent; /* the graph in the caller's numbers, both directions */
    int *order, *place;
    int *column, *row; /* fill, row grows by doubling */
    int row_capacity;
    int *mark, *first_child, *next_sibling;
} Analysis;

static HolStatus build_graph(Analysis *a, const HolPair *edges, int edge_count)
{
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

/* amd_order accepts repeated entries and the diagonal, and answers with the permutation. */
static HolStatus choose_order(Analysis *a)
{
    if (a->count == 0)
        return HOL_OK;
    int outcome = amd_order(a->count, a->adjacent_start, a->adjacent, a->order, NULL, NULL);
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
        int capacity = 2 * a->row_capacity + 64;
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

static int ascending(const void *left, const void *right)
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
        qsort(a->row + a->column[k], (size_t)length, sizeof *a->row, ascending);
        int parent = a->row[a->column[k]];
        a->next_sibling[k] = a->first_child[parent];
        a->first_child[parent] = k;
    }
    return HOL_OK;
}

static HolStatus analyse(Analysis *a, int count, const HolPair *edges, int edge_count)
{
    size_t n = (size_t)count;
    a->count = count;
    a->order = hol_arena_ints(a->arena, n);
    a->place = hol_arena_ints(a->arena, n);
    a->column = hol_arena_ints(a->arena, n + 1);
    a->mark = hol_arena_ints(a->arena, n);
    a->first_child = hol_arena_ints(a->arena, n);
    a->next_sibling = hol_arena_ints(a->arena, n);
    if (hol_arena_failed(a->arena))
        return HOL_NO_MEMORY;
    HOL_TRY(build_graph(a, edges, edge_count));
    HOL_TRY(choose_order(a));
    return compute_fill(a);
}

static const int *copy_ints(HolArena *arena, const int *from, int count)
{
    int *copy = hol_arena_ints(arena, (size_t)count);
    if (copy && count > 0)
        memcpy(copy, from, (size_t)count * sizeof *copy);
    return copy;
}

/* Sizes and positions of the blocks in vectors and in L. */
static HolStatus lay_out(HolBlockLdl *ldl, HolArena *arena, const int *sizes)
{
    int entries = ldl->column[ldl->count];
    int *size = hol_arena_ints(arena, (size_t)ldl->count), *start = hol_arena_ints(arena, (size_t)ldl->count);
    int *diagonal = hol_arena_ints(arena, (size_t)ldl->count), *entry = hol_arena_ints(arena, (size_t)entries);
    if (hol_arena_failed(arena))
        return HOL_NO_MEMORY;
    ldl->uniform = ldl->count > 0 ? sizes[0] : 0;
    for (int b = 0; b < ldl->count; ++b) {
        size[ldl->place[b]] = sizes[b];
        start[ldl->place[b]] = ldl->n;
        ldl->n += sizes[b];
        ldl->uniform = sizes[b] == ldl->uniform ? ldl->uniform : 0;
    }
    for (int k = 0; k < ldl->count; ++k) { /* a column stands together */
        diagonal[k] = ldl->values;
        ldl->values += size[k] * size[k];
        for (int e = ldl->column[k]; e < ldl->column[k + 1]; ++e) {
            entry[e] = ldl->values;
            ldl->values += size[ldl->row[e]] * size[k];
        }
    }
    ldl->size = size;
    ldl->start = start;
    ldl->diagonal = diagonal;
    ldl->entry = entry;
    return HOL_OK;
}

static int find_entry(const HolBlockLdl *ldl, int row, int column)
{
    const int *first = ldl->row + ldl->column[column];
    size_t length = (size_t)(ldl->column[column + 1] - ldl->column[column]);
    const int *found = bsearch(&row, first, length, sizeof *first, ascending);
    return (int)(found - ldl->row);
}

static HolStatus aim_updates(HolBlockLdl *ldl, HolArena *arena)
{
    size_t updates = 0;
    for (int k = 0; k < ldl->count; ++k) {
        size_t length = (size_t)(ldl->column[k + 1] - ldl->column[k]);
        updates += length * (length + 1) / 2;
    }
    int *target = hol_arena_ints(arena, updates);
    if (!target)
        return HOL_NO_MEMORY;
    ldl->target = target;
    for (int k = 0; k < ldl->count; ++k)
        for (int e = ldl->column[k]; e < ldl->column[k + 1]; ++e) {
            for (int f = ldl->column[k]; f < e; ++f)
                *target++ = ldl->entry[find_entry(ldl, ldl->row[e], ldl->row[f])];
            *target++ = ldl->diagonal[ldl->row[e]];
        }
    return HOL_OK;
}

static HolStatus take_numeric_memory(HolBlockLdl *ldl, HolArena *arena)
{
    int largest = 0;
    for (int k = 0; k < ldl->count; ++k) {
        int sum = 0;
        for (int e = ldl->column[k]; e < ldl->column[k + 1]; ++e)
            sum += ldl->size[ldl->row[e]] * ldl->size[k];
        largest = sum > largest ? sum : largest;
    }
    ldl->L = hol_arena_doubles(arena, (size_t)ldl->values);
    ldl->d_inverse = hol_arena_doubles(arena, (size_t)ldl->n);
    ldl->reference = hol_arena_doubles(arena, (size_t)ldl->n);
    ldl->scratch = hol_arena_doubles(arena, (size_t)largest);
    return hol_arena_failed(arena) ? HOL_NO_MEMORY : HOL_OK;
}

static HolStatus build(HolBlockLdl *ldl, HolArena *arena, Analysis *a, const int *sizes)
{
    ldl->count = a->count;
    ldl->order = copy_ints(arena, a->order, a->count);
    ldl->place = copy_ints(arena, a->place, a->count);
    ldl->column = copy_ints(arena, a->column, a->count + 1);
    ldl->row = copy_ints(arena, a->row, a->column[a->count]);
    if (hol_arena_failed(arena))
        return HOL_NO_MEMORY;
    HOL_TRY(lay_out(ldl, arena, sizes));
    HOL_TRY(aim_updates(ldl, arena));
    return take_numeric_memory(ldl, arena);
}

HolStatus hol_ldl_create(HolArena *arena, int count, const int *sizes, const HolPair *edges, int edge_count,
                         HolBlockLdl **ldl)
{
    Analysis a = {.arena = hol_arena_create()};
    *ldl = hol_arena_alloc(arena, sizeof **ldl);
    HolStatus status = a.arena && *ldl ? HOL_OK : HOL_NO_MEMORY;
    if (status == HOL_OK)
        status = analyse(&a, count, edges, edge_count);
    if (status == HOL_OK)
        status = build(*ldl, arena, &a, sizes);
    free(a.row);
    hol_arena_destroy(a.arena);
    return status;
}

bool hol_ldl_slot(const HolBlockLdl *ldl, int a, int b, int *offset)
{
    int i = ldl->place[a], j = ldl->place[b];
    if (i == j)
        *offset = ldl->diagonal[i];
    else
        *offset = ldl->entry[i > j ? find_entry(ldl, i, j) : find_entry(ldl, j, i)];
    return i >= j;
}
