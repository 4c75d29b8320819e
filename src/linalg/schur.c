/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/message.h"
#include "linalg/blocks.h"
#include "linalg/schur_internal.h"
#include "linalg/spd_block.h"

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

static HolSchurProduct aim(const HolSchur *s, HolPair pair)
{
    const HolPattern *p = s->pattern;
    int target;
    if (!hol_ldl_slot(s->S, p->pairs[pair.row].row, p->pairs[pair.column].row, &target))
        pair = (HolPair){pair.column, pair.row};
    const HolSchurPair *i = &s->pairs[pair.row], *j = &s->pairs[pair.column];
    return (HolSchurProduct){target, i->value, j->value, i->rows, j->rows, i->columns};
}

/* Sorts the products into first and further ones, and lists what is left to be zeroed. */
static void sort_products(HolSchur *s, const HolPair *products, size_t count, unsigned char *written)
{
    for (size_t k = 0; k < count; ++k) {
        HolSchurProduct product = aim(s, products[k]);
        HolSchurProducts *list = written[product.target] ? &s->further : &s->first;
        list->list[list->count++] = product;
        memset(written + product.target, 1, (size_t)(product.rows_i * product.rows_j));
    }
    for (int i = 0; i < s->S->values; ++i)
        if (!written[i])
            s->fill[s->fill_count++] = i;
}

static void lay_out_pairs(HolSchur *s)
{
    const HolPattern *p = s->pattern;
    for (int i = 0; i < p->pair_count; ++i) {
        int g = p->pairs[i].row, b = p->pairs[i].column;
        s->pairs[i] = (HolSchurPair){hol_part_size(p->group_start, g),
                                     hol_part_size(p->block_start, b),
                                     p->group_start[g],
                                     p->block_start[b],
                                     p->pair_start[i],
                                     p->mass_start[b]};
    }
}

static HolStatus create_ldl(HolSchur *s, HolArena *arena, const HolPair *products, size_t count)
{
    const HolPattern *p = s->pattern;
    int *sizes = hol_arena_ints(arena, (size_t)p->group_count);
    HolPair *edges = hol_arena_alloc(arena, count * sizeof *edges);
    int edge_count = 0;
    if (hol_arena_failed(arena))
        return HOL_NO_MEMORY;
    for (int g = 0; g < p->group_count; ++g)
        sizes[g] = hol_part_size(p->group_start, g);
    for (size_t k = 0; k < count; ++k)
        if (p->pairs[products[k].row].row != p->pairs[products[k].column].row)
            edges[edge_count++] = (HolPair){p->pairs[products[k].row].row, p->pairs[products[k].column].row};
    return hol_ldl_create(arena, p->group_count, sizes, edges, edge_count, &s->S);
}

static HolStatus build_graph(HolSchur *s, HolArena *arena)
{
    const HolPattern *p = s->pattern;
    int *chain = hol_arena_ints(arena, (size_t)p->block_count), *next = hol_arena_ints(arena, (size_t)p->pair_count);
    if (hol_arena_failed(arena))
        return HOL_NO_MEMORY;
    size_t count = count_products(p, chain);
    HolPair *products = hol_arena_alloc(arena, count * sizeof *products);
    s->first.list = hol_arena_alloc(arena, count * sizeof(HolSchurProduct));
    s->further.list = hol_arena_alloc(arena, count * sizeof(HolSchurProduct));
    if (hol_arena_failed(arena))
        return HOL_NO_MEMORY;
    lay_out_pairs(s);
    find_products(p, chain, next, products);
    HOL_TRY(create_ldl(s, arena, products, count));
    s->fill = hol_arena_ints(arena, (size_t)s->S->values);
    unsigned char *written = hol_arena_alloc(arena, (size_t)s->S->values);
    if (hol_arena_failed(arena))
        return HOL_NO_MEMORY;
    sort_products(s, products, count, written);
    return HOL_OK;
}

HolStatus hol_schur_create(HolArena *arena, const HolPattern *pattern, bool identity, HolSchur **schur)
{
    const HolPattern *p = pattern;
    HolSchur *s = hol_arena_alloc(arena, sizeof *s);
    if (!s)
        return HOL_NO_MEMORY;
    s->pattern = pattern;
    s->identity = s->diagonal = identity;
    s->pairs = hol_arena_alloc(arena, (size_t)p->pair_count * sizeof *s->pairs);
    s->E = hol_arena_doubles(arena, (size_t)p->pair_start[p->pair_count]);
    s->T = hol_arena_doubles(arena, (size_t)p->mass_start[p->block_count]);
    s->t = hol_arena_doubles(arena, (size_t)p->nv);
    s->g = hol_arena_doubles(arena, (size_t)p->nv);
    if (hol_arena_failed(arena))
        return HOL_NO_MEMORY;
    for (int i = 0; i < p->nv; ++i)
        s->t[i] = 1;
    HOL_TRY(build_graph(s, arena));
    hol_schur_choose_kernels(s);
    *schur = s;
    return HOL_OK;
}

/* A diagonal T saves most of the work of E = D T. */
static bool copy_diagonal(HolSchur *s)
{
    const HolPattern *p = s->pattern;
    bool diagonal = true;
    for (int b = 0; b < p->block_count; ++b) {
        int n = hol_part_size(p->block_start, b);
        const double *T = s->T + p->mass_start[b];
        for (int i = 0; i < n; ++i) {
            s->t[p->block_start[b] + i] = T[i * n + i];
            for (int j = i + 1; j < n; ++j)
                diagonal = diagonal && T[i * n + j] == 0;
        }
    }
    return diagonal;
}

HolStatus hol_schur_set_mass(HolSchur *schur, const double *M)
{
    const HolPattern *p = schur->pattern;
    if (schur->identity)
        return HOL_OK;
    for (int b = 0; b < p->block_count; ++b) {
        int n = hol_part_size(p->block_start, b);
        HOL_TRY(hol_spd_inverse_root(n, M + p->mass_start[b], schur->T + p->mass_start[b]));
    }
    schur->diagonal = copy_diagonal(schur);
    return HOL_OK;
}

HolStatus hol_schur_factor(HolSchur *schur, const double *D, double tolerance, const unsigned char *left_out)
{
    schur->weigh(schur, D);
    schur->form(schur);
    return hol_ldl_factor(schur->S, tolerance, left_out);
}

void hol_schur_solve(HolSchur *schur, const double *f, const double *c, double *x, double *lambda)
{
    schur->solve(schur, f, c, x, lambda);
}

void hol_schur_rows_left_out(const HolSchur *schur, unsigned char *left_out)
{
    for (int i = 0; i < schur->S->n; ++i)
        left_out[i] = schur->S->d_inverse[i] == 0;
}

int hol_schur_rank(const HolSchur *schur)
{
    return schur->S->rank;
}

double hol_schur_pivot(const HolSchur *schur)
{
    return schur->S->pivot;
}
