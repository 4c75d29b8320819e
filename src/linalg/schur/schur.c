/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/message.h"
#include "linalg/block/blocks.h"
#include "linalg/block/spd_block.h"
#include "linalg/schur/merge.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* The number of pairs (i, j), j <= i, on one block, summed over blocks. */
static size_t count_products(const HolPattern *p, int *touched)
{
    size_t products = 0;
    for (int i = 0; i < p->pair_count; ++i)
        products += (size_t)++touched[p->pairs[i].column];
    return products;
}

/* All pairs (i, j) on one block; chain[b] leads through the pairs on block b, newest first. */
static void find_products(const HolPattern *p, int *chain, int *next, HolPair *products)
{
    int count = 0;
    for (int b = 0; b < p->block_count; ++b)
        chain[b] = -1;
    for (int i = 0; i < p->pair_count; ++i) {
        int b = p->pairs[i].column;
        next[i] = chain[b];
        chain[b] = i;
        for (int j = i; j >= 0; j = next[j])
            products[count++] = (HolPair){i, j};
    }
}

/* Where the product of two pairs goes; the pair of the group eliminated later comes first. */
static int schur_aim(const HolSchur *s, HolPair *product)
{
    const HolPair *pairs = s->pattern->pairs;
    int target;
    if (!hol_ldl_slot(s->S, pairs[product->row].row, pairs[product->column].row, &target))
        *product = (HolPair){product->column, product->row};
    return target;
}

/* Memory of list_blocks(): for each number of S at which a block begins, which block that is, plus one. */
typedef struct Listing {
    HolSchur *schur;
    int *listed;
    int *count; /* products of each block */
    int blocks;
} Listing;

static void list_block(Listing *l, int row, int column, double *S)
{
    const HolLdlColumn *columns = l->schur->S->columns;
    int *listed = &l->listed[S - l->schur->S->L];
    if (*listed)
        return;
    l->schur->blocks[l->blocks++] = (HolSchurBlock){NULL, NULL, S, columns[row].size, columns[column].size};
    *listed = l->blocks;
}

/* Lists the blocks that a column updates. Where the column before has runs and this one updates no others, it has none
 * to add. */
static double *const *list_updates(Listing *l, const HolLdlColumn *c, bool is_listed, double *const *target)
{
    for (const HolLdlEntry *e = c->below; e < c->below_end && !c->runs; ++e, ++target)
        for (const HolLdlEntry *f = c->below; f < e; ++f)
            list_block(l, e->row, f->row, *target++);
    for (const HolLdlEntry *e = c->below; e < c->below_end && c->runs && !is_listed; ++e)
        for (const HolLdlEntry *f = c->below; f < e; ++f)
            list_block(l, e->row, f->row, c->runs[f - c->below][e - f - 1].L);
    return target;
}

/* Lists the blocks below the diagonal in the order in which the elimination first reads or updates them. */
static void list_blocks(Listing *l)
{
    const HolBlockLdl *S = l->schur->S;
    double *const *target = S->target;
    for (int k = 0; k < S->count; ++k) {
        const HolLdlColumn *c = &S->columns[k];
        bool is_listed = k > 0 && c[-1].runs && c[-1].below->row == k &&
                         c[-1].below_end - c[-1].below - 1 == c->below_end - c->below;
        for (const HolLdlEntry *e = c->below; e < c->below_end; ++e)
            list_block(l, e->row, k, e->L);
        target = list_updates(l, c, is_listed, target);
        l->schur->stages[k].blocks = l->schur->blocks + l->blocks;
    }
}

/* Gives each block its products. Those with a diagonal block as target need none: a group knows its pairs. */
static void distribute_products(Listing *l, HolPair *products, size_t count)
{
    HolSchur *s = l->schur;
    HolSchurProduct *next = s->products;
    for (size_t k = 0; k < count; ++k)
        ++l->count[l->listed[schur_aim(s, &products[k])]];
    for (int b = 0; b < l->blocks; ++b) {
        s->blocks[b].products = s->blocks[b].end = next;
        next += l->count[b + 1];
    }
    for (size_t k = 0; k < count; ++k) {
        int b = l->listed[schur_aim(s, &products[k])] - 1;
        const HolSchurPair *i = &s->pairs[products[k].row], *j = &s->pairs[products[k].column];
        if (b >= 0)
            s->products[s->blocks[b].end++ - s->products] = (HolSchurProduct){i->E, j->E, i->columns};
    }
}

/* Lists the groups in the order in which the elimination first reads or updates their diagonal blocks. */
static void list_groups(HolSchur *s, const int *group_at, unsigned char *listed)
{
    const HolPattern *p = s->pattern;
    int count = 0;
    for (int k = 0; k < s->S->count; ++k) {
        const HolLdlColumn *c = &s->S->columns[k];
        for (const HolLdlEntry *e = c->below - 1; e < c->below_end; ++e) {
            int column = e < c->below ? k : e->row, g = group_at[column];
            const HolLdlColumn *own = &s->S->columns[column];
            if (!listed[column])
                s->groups[count++] = (HolSchurGroup){s->pairs + p->group_pairs[g],
                                                     s->pairs + p->group_pairs[g + 1],
                                                     own->L,
                                                     own->reference,
                                                     p->group_start[g],
                                                     own->size};
            listed[column] = 1;
        }
        s->stages[k].groups = s->groups + count;
    }
}

static void lay_out_pairs(HolSchur *s)
{
    const HolPattern *p = s->pattern;
    for (int i = 0; i < p->pair_count; ++i) {
        int g = p->pairs[i].row, b = p->pairs[i].column, column = p->block_start[b];
        s->pairs[i] = (HolSchurPair){
            .E = s->E + p->pair_start[i],
            .t = s->t + column,
            .T = s->T + p->mass_start[b],
            .g = s->g + column,
            .row = p->group_start[g],
            .column = column,
            .value = p->pair_start[i],
            .rows = hol_part_size(p->group_start, g),
            .columns = hol_part_size(p->block_start, b),
        };
    }
}

static HolStatus create_ldl(HolSchur *s, HolArena *arena, const HolPair *products, size_t count)
{
    const HolPattern *p = s->pattern;
    int *sizes = hol_arena_ints(arena, (size_t)p->group_count);
    HOL_TRY(hol_arena_expect(arena, count <= INT_MAX ? 0 : HUGE_VAL, "products of equations that share a body"));
    HolPair *edges = hol_arena_alloc(arena, count * sizeof *edges);
    int edge_count = 0;
    HOL_TRY(hol_arena_status(arena));
    for (int g = 0; g < p->group_count; ++g)
        sizes[g] = hol_part_size(p->group_start, g);
    for (size_t k = 0; k < count; ++k)
        if (p->pairs[products[k].row].row != p->pairs[products[k].column].row)
            edges[edge_count++] = (HolPair){p->pairs[products[k].row].row, p->pairs[products[k].column].row};
    return hol_ldl_create(arena, p->group_count, sizes, edges, edge_count, &s->S);
}

static HolStatus schedule(HolSchur *s, HolArena *arena, HolPair *products, size_t count)
{
    const HolBlockLdl *S = s->S;
    size_t columns = (size_t)S->count, blocks = columns ? (size_t)S->columns[columns - 1].end : 0;
    Listing listing = {s, hol_arena_ints(arena, (size_t)S->values), hol_arena_ints(arena, blocks + 1), 0};
    int *group_at = hol_arena_ints(arena, columns);
    unsigned char *listed = hol_arena_alloc(arena, columns);
    s->groups = hol_arena_alloc(arena, columns * sizeof *s->groups);
    s->stages = hol_arena_alloc(arena, columns * sizeof *s->stages);
    s->blocks = hol_arena_alloc(arena, blocks * sizeof *s->blocks);
    s->products = hol_arena_alloc(arena, count * sizeof *s->products);
    HOL_TRY(hol_arena_status(arena));
    for (int g = 0; g < S->count; ++g)
        group_at[S->place[g]] = g;
    list_groups(s, group_at, listed);
    list_blocks(&listing);
    distribute_products(&listing, products, count);
    return HOL_OK;
}

static HolStatus schur_build_graph(HolSchur *s, HolArena *arena)
{
    const HolPattern *p = s->pattern;
    int *chain = hol_arena_ints(arena, (size_t)p->block_count), *next = hol_arena_ints(arena, (size_t)p->pair_count);
    HOL_TRY(hol_arena_status(arena));
    size_t count = count_products(p, chain);
    HolPair *products = hol_arena_alloc(arena, count * sizeof *products);
    HOL_TRY(hol_arena_status(arena));
    lay_out_pairs(s);
    find_products(p, chain, next, products);
    HOL_TRY(create_ldl(s, arena, products, count));
    return schedule(s, arena, products, count);
}

static HolStatus create_merged(HolArena *arena, const HolPattern *pattern, const double *M, const double *D,
                               HolSchur **schur)
{
    HolMergePlan plan;
    HolSchurMerge *merge;
    *schur = hol_arena_alloc(arena, sizeof **schur);
    HOL_TRY(hol_arena_status(arena));
    HOL_TRY(M ? hol_merge_plan_shifts(arena, pattern, M, D, &plan) : hol_merge_plan(arena, pattern, &plan));
    HOL_TRY(hol_merge_create(arena, pattern, &plan, M, D, &merge));
    return hol_schur_merge(*schur, merge, arena);
}

HolStatus hol_schur_create(HolArena *arena, const HolPattern *pattern, bool identity, HolSchur **schur)
{
    if (!identity && pattern->mass_pair_count > pattern->block_count)
        return create_merged(arena, pattern, NULL, NULL, schur);
    HOL_TRY(hol_schur_create_plain(arena, pattern, identity, schur));
    return hol_schur_find_own_rows(*schur, pattern, arena);
}

HolStatus hol_schur_create_for(HolArena *arena, const HolPattern *pattern, const double *M, const double *D,
                               HolSchur **schur)
{
    HOL_TRY(hol_schur_create(arena, pattern, false, schur));
    if (hol_schur_set_mass(*schur, M) == HOL_OK)
        return HOL_OK;
    HOL_TRY(create_merged(arena, pattern, M, D, schur));
    return hol_schur_set_mass(*schur, M);
}

HolStatus hol_schur_create_plain(HolArena *arena, const HolPattern *pattern, bool identity, HolSchur **schur)
{
    HolSchur *s = hol_arena_alloc(arena, sizeof *s);
    HOL_TRY(hol_arena_status(arena));
    s->pattern = pattern;
    HOL_TRY(hol_schur_pad(s, arena));
    const HolPattern *p = s->pattern;
    s->identity = s->diagonal = identity;
    s->pairs = hol_arena_alloc(arena, (size_t)p->pair_count * sizeof *s->pairs);
    s->E = hol_arena_doubles(arena, (size_t)p->pair_start[p->pair_count]);
    s->T = hol_arena_doubles(arena, (size_t)p->mass_start[p->block_count]);
    HOL_DOUBLES(arena, p->nv, &s->t, &s->w, &s->g);
    HOL_TRY(hol_arena_status(arena));
    for (int i = 0; i < p->nv; ++i)
        s->t[i] = s->w[i] = 1;
    HOL_TRY(schur_build_graph(s, arena));
    hol_schur_choose_kernels(s);
    *schur = s;
    return hol_schur_find_path(s, arena);
}

/* The diagonal of T; returns whether there is nothing beside it, which saves most of the work of E = D T. */
static bool copy_diagonal(HolSchur *s, int b)
{
    const HolPattern *p = s->pattern;
    bool diagonal = true;
    int n = hol_part_size(p->block_start, b);
    const double *T = s->T + p->mass_start[b];
    for (int i = 0; i < n; ++i) {
        s->t[p->block_start[b] + i] = T[i * n + i];
        s->w[p->block_start[b] + i] = T[i * n + i] * T[i * n + i];
        for (int j = i + 1; j < n; ++j)
            diagonal = diagonal && T[i * n + j] == 0;
    }
    return diagonal;
}

HolStatus hol_schur_set_block_mass(HolSchur *schur, int b, const double *M)
{
    const HolPattern *p = schur->pattern;
    HOL_TRY(hol_spd_inverse_root(hol_part_size(p->block_start, b), M, schur->T + p->mass_start[b]));
    schur->diagonal = copy_diagonal(schur, b) && schur->diagonal;
    return HOL_OK;
}

HolStatus hol_schur_set_mass(HolSchur *schur, const double *M)
{
    const HolPattern *p = schur->pattern;
    if (schur->identity)
        return HOL_OK;
    if (schur->merge)
        return hol_schur_merge_set_mass(schur->merge, M);
    schur->diagonal = true;
    for (int b = 0; b < p->block_count; ++b)
        HOL_TRY(hol_schur_set_block_mass(schur, b, M + p->mass_start[b]));
    return HOL_OK;
}

HolStatus hol_schur_factor(HolSchur *schur, const double *D, double tolerance, const unsigned char *left_out)
{
    HolSchurTask task = {.D = D, .tolerance = tolerance, .left_out = left_out};
    if (schur->merge)
        return hol_schur_merge_factor(schur->merge, &task);
    HolStatus status;
    if (schur->own_rows && hol_own_rows_factor(schur, &task, &status))
        return status;
    if (schur->padding)
        hol_schur_widen(schur->padding, &task);
    return hol_schur_factor_own(schur, &task);
}

void hol_schur_solve(HolSchur *schur, const double *f, const double *c, double *x, double *lambda)
{
    HolSchurTask task = {.f = f, .c = c, .x = x, .lambda = lambda};
    if (schur->merge) {
        hol_schur_merge_solve(schur->merge, &task);
        return;
    }
    if (schur->used_own_rows) {
        hol_own_rows_solve(schur, &task);
        return;
    }
    if (schur->padding)
        hol_schur_widen(schur->padding, &task);
    schur->solve(schur, &task);
    if (schur->padding)
        hol_schur_narrow(schur->padding, lambda);
}

HolStatus hol_schur_factor_solve(HolSchur *schur, const double *D, double tolerance, const unsigned char *left_out,
                                 const double *f, const double *c, double *x, double *lambda)
{
    if (schur->merge)
        return hol_schur_merge_factor_solve(schur->merge,
                                            &(HolSchurTask){D, f, c, tolerance, left_out, x, lambda, NULL});
    if (!f)
        memset(schur->g, 0, (size_t)schur->pattern->nv * sizeof *schur->g);
    HolSchurTask task = {D, f ? f : schur->g, c, tolerance, left_out, x, lambda, NULL};
    HolStatus status;
    if (schur->own_rows && hol_own_rows_factor_solve(schur, &task, &status))
        return status;
    if (!schur->padding)
        return hol_schur_factor_solve_own(schur, &task);
    hol_schur_widen(schur->padding, &task);
    status = hol_schur_factor_solve_own(schur, &task);
    hol_schur_narrow(schur->padding, lambda);
    return status;
}

void hol_schur_rows_left_out(const HolSchur *schur, unsigned char *left_out)
{
    if (schur->merge) {
        hol_schur_rows_left_out(hol_schur_merge_inner(schur->merge), left_out);
        return;
    }
    if (schur->used_own_rows) {
        hol_own_rows_left_out(schur, left_out);
        return;
    }
    if (schur->padding) {
        hol_schur_narrow_left_out(schur, left_out);
        return;
    }
    for (int i = 0; i < schur->S->n; ++i)
        left_out[i] = schur->S->d_inverse[i] == 0;
}

int hol_schur_rank(const HolSchur *schur)
{
    if (schur->merge)
        return hol_schur_rank(hol_schur_merge_inner(schur->merge));
    return schur->S->rank;
}

double hol_schur_pivot(const HolSchur *schur)
{
    if (schur->merge)
        return hol_schur_pivot(hol_schur_merge_inner(schur->merge));
    return schur->S->pivot;
}
