/* SPDX-License-Identifier: BSD-3-Clause */
#include "linalg/schur.h"

#include "base/message.h"
#include "linalg/blocks.h"
#include "linalg/kernels.h"
#include "linalg/spd_block.h"

#include <math.h>
#include <string.h>

/* Below this pivot the normal equations have lost half of their digits or more, and the residual brings them back. */
static const double REFINE_BELOW = 1e-6;
enum { REFINEMENTS = 2 };

/* A D block with all its addresses at hand. */
typedef struct Pair {
    int rows, columns;
    int row, column; /* in vectors */
    int value;       /* in D and W */
    int mass;        /* in M^-1 */
    int diagonal;    /* its group's diagonal block in S */
    int link, link_end;
} Pair;

/* Two D blocks of different groups on the same block: S[target] += W_i D_j^T. */
typedef struct Link {
    int i, j, target;
} Link;

struct HolSchur {
    const HolPattern *pattern;
    HolBlockLdl *S;
    Pair *pairs;
    Link *links;
    const double *D;
    double *W, *M_inverse, *residual;
    double *diagonal_inverse; /* of M, nv */
    bool identity, diagonal;  /* M^-1 is a diagonal matrix */
    int rows, columns;        /* common sizes of all pairs, or 0 */
};

/* The number of pairs (i, j), j < i, on one block, summed over blocks. */
static size_t count_links(const HolPattern *p, int *touched)
{
    size_t links = 0;
    for (int i = 0; i < p->pair_count; ++i)
        links += (size_t)touched[p->pairs[i].column]++;
    return links;
}

/* Lists the links sorted by their later pair; chain[b] leads through the pairs on block b, newest first. */
static void find_links(HolSchur *s, int *chain, int *next, HolPair *edges)
{
    const HolPattern *p = s->pattern;
    int count = 0;
    for (int b = 0; b < p->block_count; ++b)
        chain[b] = -1;
    for (int i = 0; i < p->pair_count; ++i) {
        int b = p->pairs[i].column;
        s->pairs[i].link = count;
        for (int j = chain[b]; j >= 0; j = next[j]) {
            s->links[count] = (Link){i, j, 0};
            edges[count++] = (HolPair){p->pairs[i].row, p->pairs[j].row};
        }
        s->pairs[i].link_end = count;
        next[i] = chain[b];
        chain[b] = i;
    }
}

/* Addresses in S; the block must be formed as (later place) x (earlier place). */
static void aim_links(HolSchur *s)
{
    const HolPattern *p = s->pattern;
    for (int i = 0; i < p->pair_count; ++i) {
        hol_ldl_slot(s->S, p->pairs[i].row, p->pairs[i].row, &s->pairs[i].diagonal);
        for (int k = s->pairs[i].link; k < s->pairs[i].link_end; ++k) {
            Link *link = &s->links[k];
            if (!hol_ldl_slot(s->S, p->pairs[link->i].row, p->pairs[link->j].row, &link->target))
                *link = (Link){link->j, link->i, link->target};
        }
    }
}

static void lay_out_pairs(HolSchur *s)
{
    const HolPattern *p = s->pattern;
    hol_common_pair_size(p, &s->rows, &s->columns);
    for (int i = 0; i < p->pair_count; ++i) {
        int g = p->pairs[i].row, b = p->pairs[i].column;
        s->pairs[i] = (Pair){.rows = hol_part_size(p->group_start, g),
                             .columns = hol_part_size(p->block_start, b),
                             .row = p->group_start[g],
                             .column = p->block_start[b],
                             .value = p->pair_start[i],
                             .mass = p->mass_start[b]};
    }
}

static HolStatus build_graph(HolSchur *s, HolArena *arena)
{
    const HolPattern *p = s->pattern;
    int *chain = hol_arena_ints(arena, (size_t)p->block_count), *next = hol_arena_ints(arena, (size_t)p->pair_count);
    int *sizes = hol_arena_ints(arena, (size_t)p->group_count);
    if (hol_arena_failed(arena))
        return HOL_NO_MEMORY;
    size_t links = count_links(p, chain);
    s->links = hol_arena_alloc(arena, links * sizeof *s->links);
    HolPair *edges = hol_arena_alloc(arena, links * sizeof *edges);
    if (hol_arena_failed(arena))
        return HOL_NO_MEMORY;
    for (int g = 0; g < p->group_count; ++g)
        sizes[g] = hol_part_size(p->group_start, g);
    lay_out_pairs(s);
    find_links(s, chain, next, edges);
    HOL_TRY(hol_ldl_create(arena, p->group_count, sizes, edges, (int)links, &s->S));
    aim_links(s);
    return HOL_OK;
}

static void use_identity(HolSchur *s)
{
    s->diagonal = true;
    for (int i = 0; i < s->pattern->nv; ++i)
        s->diagonal_inverse[i] = 1;
}

HolStatus hol_schur_create(HolArena *arena, const HolPattern *pattern, bool identity, HolSchur **schur)
{
    const HolPattern *p = pattern;
    HolSchur *s = hol_arena_alloc(arena, sizeof *s);
    if (!s)
        return HOL_NO_MEMORY;
    s->pattern = pattern;
    s->identity = identity;
    s->pairs = hol_arena_alloc(arena, (size_t)p->pair_count * sizeof *s->pairs);
    s->W = hol_arena_doubles(arena, (size_t)p->pair_start[p->pair_count]);
    s->M_inverse = hol_arena_doubles(arena, (size_t)p->mass_start[p->block_count]);
    s->diagonal_inverse = hol_arena_doubles(arena, (size_t)p->nv);
    s->residual = hol_arena_doubles(arena, (size_t)p->m);
    if (hol_arena_failed(arena))
        return HOL_NO_MEMORY;
    HOL_TRY(build_graph(s, arena));
    if (identity)
        use_identity(s);
    *schur = s;
    return HOL_OK;
}

/* A diagonal M^-1 saves most of the work of W = D M^-1. */
static bool copy_diagonal(HolSchur *s)
{
    const HolPattern *p = s->pattern;
    for (int b = 0; b < p->block_count; ++b) {
        int n = hol_part_size(p->block_start, b);
        const double *inverse = s->M_inverse + p->mass_start[b];
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                if (i != j && inverse[i * n + j] != 0)
                    return false;
        for (int i = 0; i < n; ++i)
            s->diagonal_inverse[p->block_start[b] + i] = inverse[i * n + i];
    }
    return true;
}

HolStatus hol_schur_set_mass(HolSchur *schur, const double *M)
{
    const HolPattern *p = schur->pattern;
    if (schur->identity)
        return HOL_OK;
    for (int b = 0; b < p->block_count; ++b)
        HOL_TRY(hol_spd_invert(hol_part_size(p->block_start, b), M + p->mass_start[b],
                               schur->M_inverse + p->mass_start[b]));
    schur->diagonal = copy_diagonal(schur);
    return HOL_OK;
}

/* In the functions below R x N is the common size of all pairs, known to the compiler, or 0: then sizes are read. */
HOL_KERNEL void weigh(HolSchur *s, const Pair *pair, int r, int n, const double *D)
{
    double *W = s->W + pair->value;
    if (!s->diagonal) {
        hol_product(r, n, n, D, s->M_inverse + pair->mass, W);
        return;
    }
    const double *inverse = s->diagonal_inverse + pair->column;
    for (int i = 0; i < r; ++i)
        for (int j = 0; j < n; ++j)
            W[i * n + j] = D[i * n + j] * inverse[j];
}

HOL_KERNEL void form(HolSchur *s, int R, int N)
{
    double *S = s->S->L;
    for (int i = 0; i < s->pattern->pair_count; ++i) {
        const Pair *pair = &s->pairs[i];
        int r = R ? R : pair->rows, n = N ? N : pair->columns;
        weigh(s, pair, r, n, s->D + pair->value);
        hol_add_product_t_lower(r, n, s->W + pair->value, s->D + pair->value, S + pair->diagonal);
        for (const Link *link = s->links + pair->link; link < s->links + pair->link_end; ++link) {
            const Pair *p = &s->pairs[link->i], *q = &s->pairs[link->j];
            hol_add_product_t(R ? R : p->rows, R ? R : q->rows, n, s->W + p->value, s->D + q->value, S + link->target);
        }
    }
}

/* r = c - D x */
HOL_KERNEL void subtract_product(const HolSchur *s, int R, int N, const double *x, const double *c, double *r)
{
    memcpy(r, c, (size_t)s->pattern->m * sizeof *r);
    for (int i = 0; i < s->pattern->pair_count; ++i) {
        const Pair *p = &s->pairs[i];
        hol_sub_times(R ? R : p->rows, N ? N : p->columns, s->D + p->value, x + p->column, r + p->row);
    }
}

/* x += W^T lambda */
HOL_KERNEL void add_reaction(const HolSchur *s, int R, int N, const double *lambda, double *x)
{
    for (int i = 0; i < s->pattern->pair_count; ++i) {
        const Pair *p = &s->pairs[i];
        hol_add_t_times(R ? R : p->rows, N ? N : p->columns, s->W + p->value, lambda + p->row, x + p->column);
    }
}

static void free_acceleration(const HolSchur *s, const double *f, double *a)
{
    const HolPattern *p = s->pattern;
    if (!f) {
        memset(a, 0, (size_t)p->nv * sizeof *a);
    } else if (s->diagonal) {
        for (int i = 0; i < p->nv; ++i)
            a[i] = f[i] * s->diagonal_inverse[i];
    } else {
        for (int b = 0; b < p->block_count; ++b) {
            int n = hol_part_size(p->block_start, b);
            hol_product(n, 1, n, s->M_inverse + p->mass_start[b], f + p->block_start[b], a + p->block_start[b]);
        }
    }
}

HOL_KERNEL void solve(HolSchur *s, int R, int N, const double *f, const double *c, double *x, double *lambda)
{
    free_acceleration(s, f, x);
    subtract_product(s, R, N, x, c, lambda);
    hol_ldl_solve(s->S, lambda); /* (2) */
    add_reaction(s, R, N, lambda, x);
}

static void refine(HolSchur *s, const double *c, double *x, double *lambda)
{
    for (int k = 0; k < REFINEMENTS; ++k) {
        subtract_product(s, 0, 0, x, c, s->residual);
        hol_ldl_solve(s->S, s->residual);
        add_reaction(s, 0, 0, s->residual, x);
        for (int i = 0; i < s->pattern->m; ++i)
            lambda[i] += s->residual[i];
    }
}

/* The sizes worth a copy of their own: planar and spatial bodies with the commonest joints. */
enum { PLANAR_REVOLUTE = 2 * 16 + 3, SPATIAL_SPHERICAL = 3 * 16 + 6, SPATIAL_REVOLUTE = 5 * 16 + 6 };

HolStatus hol_schur_factor(HolSchur *schur, const double *D, double tolerance, const unsigned char *left_out)
{
    schur->D = D;
    hol_ldl_clear(schur->S);
    switch (schur->rows * 16 + schur->columns) {
    case PLANAR_REVOLUTE: form(schur, 2, 3); break;
    case SPATIAL_SPHERICAL: form(schur, 3, 6); break;
    case SPATIAL_REVOLUTE: form(schur, 5, 6); break;
    default: form(schur, 0, 0);
    }
    return hol_ldl_factor(schur->S, tolerance, left_out);
}

void hol_schur_solve(HolSchur *schur, const double *f, const double *c, double *x, double *lambda)
{
    switch (schur->rows * 16 + schur->columns) {
    case PLANAR_REVOLUTE: solve(schur, 2, 3, f, c, x, lambda); break;
    case SPATIAL_SPHERICAL: solve(schur, 3, 6, f, c, x, lambda); break;
    case SPATIAL_REVOLUTE: solve(schur, 5, 6, f, c, x, lambda); break;
    default: solve(schur, 0, 0, f, c, x, lambda);
    }
    if (schur->S->pivot < REFINE_BELOW)
        refine(schur, c, x, lambda);
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
