/* SPDX-License-Identifier: BSD-3-Clause */
#include "linalg/twofold.h"

#include "base/message.h"
#include "linalg/block_ldl_kernels.h"
#include "linalg/blocks.h"

#include <string.h>

static const double SMALLEST_PIVOT = 1e-15;

/* Where a block of the pattern goes: the place of its doubled block in L, and whether that stands turned. */
typedef struct Slot {
    int value;
    bool turned;
} Slot;

/* Two D blocks i, j of one group. */
typedef struct Link {
    int i, j;
    Slot slot;
} Link;

struct HolTwofold {
    const HolPattern *pattern;
    HolBlockLdl *A;
    Link *links;
    int link_count;
    Slot *masses, *tangents;
    double *x;
};

/* ---- Set-up ---- */

static int count_links(const HolPattern *p)
{
    int links = 0;
    for (int g = 0; g < p->group_count; ++g) {
        int touched = p->group_pairs[g + 1] - p->group_pairs[g];
        links += touched * (touched + 1) / 2;
    }
    return links;
}

static void find_edges(HolTwofold *s, HolPair *edges)
{
    const HolPattern *p = s->pattern;
    int count = 0;
    for (int g = 0; g < p->group_count; ++g)
        for (int i = p->group_pairs[g]; i < p->group_pairs[g + 1]; ++i)
            for (int j = p->group_pairs[g]; j <= i; ++j) {
                s->links[count] = (Link){i, j, {0, false}};
                edges[count++] = (HolPair){p->pairs[i].column, p->pairs[j].column};
            }
    for (int k = 0; k < p->mass_pair_count; ++k)
        edges[count++] = p->mass_pairs[k];
    for (int k = 0; k < p->tangent_count; ++k)
        edges[count++] = p->tangents[k];
}

static Slot slot_of(const HolTwofold *s, HolPair pair)
{
    Slot slot;
    slot.turned = !hol_ldl_slot(s->A, pair.row, pair.column, &slot.value);
    return slot;
}

static void aim(HolTwofold *s)
{
    const HolPattern *p = s->pattern;
    for (int k = 0; k < s->link_count; ++k) {
        Link *link = &s->links[k];
        link->slot = slot_of(s, (HolPair){p->pairs[link->i].column, p->pairs[link->j].column});
    }
    for (int k = 0; k < p->mass_pair_count; ++k)
        s->masses[k] = slot_of(s, p->mass_pairs[k]);
    for (int k = 0; k < p->tangent_count; ++k)
        s->tangents[k] = slot_of(s, p->tangents[k]);
}

HolStatus hol_twofold_create(HolArena *arena, const HolPattern *pattern, HolTwofold **twofold)
{
    const HolPattern *p = pattern;
    HolTwofold *s = hol_arena_alloc(arena, sizeof *s);
    if (!s)
        return HOL_NO_MEMORY;
    s->pattern = p;
    s->link_count = count_links(p);
    int edge_count = s->link_count + p->mass_pair_count + p->tangent_count;
    s->links = hol_arena_alloc(arena, (size_t)s->link_count * sizeof *s->links);
    s->masses = hol_arena_alloc(arena, (size_t)p->mass_pair_count * sizeof *s->masses);
    s->tangents = hol_arena_alloc(arena, (size_t)p->tangent_count * sizeof *s->tangents);
    s->x = hol_arena_doubles(arena, 2 * (size_t)p->nv);
    HolPair *edges = hol_arena_alloc(arena, (size_t)edge_count * sizeof *edges);
    int *sizes = hol_arena_ints(arena, (size_t)p->block_count);
    if (hol_arena_failed(arena))
        return HOL_NO_MEMORY;
    for (int b = 0; b < p->block_count; ++b)
        sizes[b] = 2 * hol_part_size(p->block_start, b);
    find_edges(s, edges);
    HOL_TRY(hol_ldl_create(arena, p->block_count, sizes, edges, edge_count, &s->A));
    aim(s);
    *twofold = s;
    return HOL_OK;
}

/* ---- Assembly ---- */

/* How a block of M, K or C enters (1). */
typedef struct Factors {
    double jj, jf, ff;
} Factors;

/* Adds factor times block (rows x columns, row-major) at (row, column) of the doubled block. */
static void add_part(double *L, int leading, int row, int column, int rows, int columns, double factor,
                     const double *block, bool turned)
{
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) {
            double x = factor * block[i * columns + j];
            if (turned)
                L[(row + i) * leading + column + j] += x;
            else
                L[(column + j) * leading + row + i] += x;
        }
}

/* Into all four quarters of the doubled block, of size 2 rows x 2 columns, or turned. */
static void add_block(HolTwofold *s, Slot slot, int rows, int columns, const Factors *f, double half,
                      const double *block, bool turned)
{
    double *L = s->A->L + slot.value;
    int leading = 2 * (turned ? columns : rows);
    if (f->ff != 0)
        add_part(L, leading, 0, 0, rows, columns, half * f->ff, block, turned);
    if (f->jf != 0) {
        add_part(L, leading, 0, columns, rows, columns, half * f->jf, block, turned);
        add_part(L, leading, rows, 0, rows, columns, half * f->jf, block, turned);
    }
    if (f->jj != 0)
        add_part(L, leading, rows, columns, rows, columns, half * f->jj, block, turned);
}

static void add_mass(HolTwofold *s, const double *M, const Factors *f)
{
    const HolPattern *p = s->pattern;
    for (int k = 0; k < p->mass_pair_count; ++k) {
        HolPair pair = p->mass_pairs[k];
        add_block(s, s->masses[k], hol_part_size(p->block_start, pair.row), hol_part_size(p->block_start, pair.column),
                  f, 1, M + p->mass_start[k], s->masses[k].turned);
    }
}

/* Half of each block and half of its mirror image, which for a pair of blocks is a block of its own. */
static void add_slopes(HolTwofold *s, const double *T, const Factors *f)
{
    const HolPattern *p = s->pattern;
    for (int k = 0; k < p->tangent_count; ++k) {
        HolPair pair = p->tangents[k];
        int rows = hol_part_size(p->block_start, pair.row), columns = hol_part_size(p->block_start, pair.column);
        bool diagonal = pair.row == pair.column, turned = s->tangents[k].turned;
        if (diagonal)
            add_block(s, s->tangents[k], rows, columns, f, 0.5, T + p->tangent_start[k], false);
        add_block(s, s->tangents[k], rows, columns, f, 0.5, T + p->tangent_start[k], diagonal || turned);
    }
}

static bool is_held(int rows, const double *w)
{
    for (int i = 0; i < rows; ++i)
        if (w[i] != 0)
            return true;
    return false;
}

/* sign D_i^T diag(w) D_k, into ff or jj alone: the first or second part of the doubled blocks */
static void add_penalties(HolTwofold *s, double sign, const double *D, const double *w, int part)
{
    const HolPattern *p = s->pattern;
    for (const Link *link = s->links; link < s->links + s->link_count; ++link) {
        HolPair i = p->pairs[link->i], j = p->pairs[link->j];
        int r = hol_part_size(p->group_start, i.row), n = hol_part_size(p->block_start, i.column);
        int k = hol_part_size(p->block_start, j.column), leading = 2 * (link->slot.turned ? k : n);
        const double *D_i = D + p->pair_start[link->i], *D_k = D + p->pair_start[link->j];
        const double *w_g = w + p->group_start[i.row];
        double *L = s->A->L + link->slot.value;
        if (!is_held(r, w_g))
            continue;
        for (int a = 0; a < n; ++a)
            for (int b = 0; b < k; ++b) {
                int row = part * n + a, column = part * k + b;
                double sum = 0;
                for (int x = 0; x < r; ++x)
                    sum += w_g[x] * D_i[x * n + a] * D_k[x * k + b];
                L[link->slot.turned ? row * leading + column : column * leading + row] += sign * sum;
            }
    }
}

/* ---- Factorisation with signs ---- */

/* A diagonal block; adds how many pivots are negative. False if one vanishes. */
static bool factor_diagonal(int r, double *A, const double *reference, double *d_inverse, int *negative)
{
    for (int j = 0; j < r; ++j) {
        double d = A[j * r + j];
        if (!(fabs(d) > SMALLEST_PIVOT * fabs(reference[j])) || !isfinite(d))
            return false;
        *negative += d < 0;
        d_inverse[j] = 1 / d;
        for (int k = j + 1; k < r; ++k) {
            double l = A[j * r + k] * d_inverse[j];
            for (int i = k; i < r; ++i)
                A[k * r + i] -= l * A[j * r + i];
        }
        for (int i = j; i < r; ++i)
            A[j * r + i] *= d_inverse[j];
    }
    return true;
}

/* By Sylvester's law of inertia the number of negative pivots does not depend on the order. */
static HolStatus eliminate(HolBlockLdl *ldl, int expected)
{
    const HolLdlColumn *c, *end = ldl->columns + ldl->count;
    double *const *target = ldl->target;
    int negative = 0;
    for (c = ldl->columns; c < end; ++c)
        hol_remember_diagonal(c->size, c->L, c->reference);
    for (c = ldl->columns; c < end; ++c) {
        double *Y = ldl->scratch;
        if (!factor_diagonal(c->size, c->L, c->reference, c->d_inverse, &negative))
            return HOL_SINGULAR;
        for (const HolLdlEntry *e = c->below; e < c->below_end; ++e) {
            hol_factor_entry(e->size, c->size, c->L, c->d_inverse, e->L, Y);
            Y += e->size * c->size;
        }
        target = hol_update(ldl, c, 0, target);
    }
    return negative == expected ? HOL_OK : HOL_SINGULAR;
}

HolStatus hol_twofold_factor(HolTwofold *twofold, const HolTwofoldParts *parts)
{
    HolTwofold *s = twofold;
    memset(s->A->L, 0, (size_t)s->A->values * sizeof *s->A->L);
    add_mass(s, parts->M, &(Factors){parts->m_jj, parts->m_jf, parts->m_ff});
    if (parts->K)
        add_slopes(s, parts->K, &(Factors){0, parts->k_jf, parts->k_ff});
    if (parts->K_jj)
        add_slopes(s, parts->K_jj, &(Factors){1, 0, 0});
    if (parts->C)
        add_slopes(s, parts->C, &(Factors){0, 0, parts->c});
    add_penalties(s, 1, parts->D, parts->w, 0);
    if (parts->w_j)
        add_penalties(s, -1, parts->D_j, parts->w_j, 1);
    return eliminate(s->A, s->pattern->nv);
}

void hol_twofold_solve(HolTwofold *twofold, double *x_j, double *x_f)
{
    HolTwofold *s = twofold;
    const HolPattern *p = s->pattern;
    for (int b = 0; b < p->block_count; ++b) {
        int start = p->block_start[b], n = hol_part_size(p->block_start, b);
        memcpy(s->x + 2 * start, x_f + start, (size_t)n * sizeof *x_f);
        memcpy(s->x + 2 * start + n, x_j + start, (size_t)n * sizeof *x_j);
    }
    hol_ldl_solve(s->A, s->x);
    for (int b = 0; b < p->block_count; ++b) {
        int start = p->block_start[b], n = hol_part_size(p->block_start, b);
        memcpy(x_f + start, s->x + 2 * start, (size_t)n * sizeof *x_f);
        memcpy(x_j + start, s->x + 2 * start + n, (size_t)n * sizeof *x_j);
    }
}
