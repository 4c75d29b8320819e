/* SPDX-License-Identifier: BSD-3-Clause */
#include "linalg/primal.h"

#include "base/message.h"
#include "linalg/blocks.h"
#include "math/kernels.h"

#include <string.h>

/* A pivot this small means that A has no inverse: rounding alone leaves about 1e-16 of the diagonal. */
static const double SMALLEST_PIVOT = 1e-15;

/* Two D blocks i, j of one group, i on the block eliminated later: A[target] += D_i^T diag(w) D_j. */
typedef struct Link {
    int i, j, target;
} Link;

struct HolPrimal {
    const HolPattern *pattern;
    HolBlockLdl *A;
    Link *links;
    int link_count;
    int *mass_target; /* of each mass block */
    bool *mass_turned;
    int *tangent_target; /* of each tangent block, NULL without them; one behind its diagonal is turned */
    bool *tangent_turned;
    double *weighted;  /* diag(w) D_j of one block */
    int rows, columns; /* common sizes, or 0 */
};

static int count_links(const HolPattern *p)
{
    int links = 0;
    for (int g = 0; g < p->group_count; ++g) {
        int touched = p->group_pairs[g + 1] - p->group_pairs[g];
        links += touched * (touched + 1) / 2;
    }
    return links;
}

static void find_links(HolPrimal *s, HolPair *edges)
{
    const HolPattern *p = s->pattern;
    int count = 0;
    for (int g = 0; g < p->group_count; ++g)
        for (int i = p->group_pairs[g]; i < p->group_pairs[g + 1]; ++i)
            for (int j = p->group_pairs[g]; j <= i; ++j) {
                s->links[count] = (Link){i, j, 0};
                edges[count++] = (HolPair){p->pairs[i].column, p->pairs[j].column};
            }
    for (int k = p->block_count; k < p->mass_pair_count; ++k)
        edges[count++] = p->mass_pairs[k];
    for (int k = 0; s->tangent_target && k < p->tangent_count; ++k)
        edges[count++] = p->tangents[k];
}

static void aim(HolPrimal *s)
{
    const HolPattern *p = s->pattern;
    for (int k = 0; k < s->link_count; ++k) {
        Link *link = &s->links[k];
        if (!hol_ldl_slot(s->A, p->pairs[link->i].column, p->pairs[link->j].column, &link->target))
            *link = (Link){link->j, link->i, link->target};
    }
    for (int k = 0; k < p->mass_pair_count; ++k)
        s->mass_turned[k] = !hol_ldl_slot(s->A, p->mass_pairs[k].row, p->mass_pairs[k].column, &s->mass_target[k]);
    for (int k = 0; s->tangent_target && k < p->tangent_count; ++k)
        s->tangent_turned[k] = !hol_ldl_slot(s->A, p->tangents[k].row, p->tangents[k].column, &s->tangent_target[k]);
}

static int largest_pair(const HolPattern *p)
{
    int largest = 0;
    for (int i = 0; i < p->pair_count; ++i) {
        int size = p->pair_start[i + 1] - p->pair_start[i];
        largest = size > largest ? size : largest;
    }
    return largest;
}

static HolStatus create(HolArena *arena, const HolPattern *pattern, bool with_tangents, HolPrimal **primal)
{
    const HolPattern *p = pattern;
    int tangents = with_tangents ? p->tangent_count : 0;
    HolPrimal *s = hol_arena_alloc(arena, sizeof *s);
    if (!s)
        return HOL_NO_MEMORY;
    s->pattern = pattern;
    s->link_count = count_links(p);
    int edge_count = s->link_count + p->mass_pair_count - p->block_count + tangents;
    s->tangent_target = with_tangents ? hol_arena_ints(arena, (size_t)tangents) : NULL;
    s->tangent_turned = with_tangents ? hol_arena_alloc(arena, (size_t)tangents * sizeof *s->tangent_turned) : NULL;
    s->links = hol_arena_alloc(arena, (size_t)s->link_count * sizeof *s->links);
    s->mass_target = hol_arena_ints(arena, (size_t)p->mass_pair_count);
    s->mass_turned = hol_arena_alloc(arena, (size_t)p->mass_pair_count * sizeof *s->mass_turned);
    s->weighted = hol_arena_doubles(arena, (size_t)largest_pair(p));
    HolPair *edges = hol_arena_alloc(arena, (size_t)edge_count * sizeof *edges);
    int *sizes = hol_arena_ints(arena, (size_t)p->block_count);
    if (hol_arena_failed(arena))
        return HOL_NO_MEMORY;
    for (int b = 0; b < p->block_count; ++b)
        sizes[b] = hol_part_size(p->block_start, b);
    find_links(s, edges);
    HOL_TRY(hol_ldl_create(arena, p->block_count, sizes, edges, edge_count, &s->A));
    aim(s);
    hol_common_pair_size(p, &s->rows, &s->columns);
    *primal = s;
    return HOL_OK;
}

HolStatus hol_primal_create(HolArena *arena, const HolPattern *pattern, HolPrimal **primal)
{
    return create(arena, pattern, false, primal);
}

HolStatus hol_primal_create_tangent(HolArena *arena, const HolPattern *pattern, HolPrimal **primal)
{
    return create(arena, pattern, true, primal);
}

static void add_mass(HolPrimal *s, const double *M)
{
    const HolPattern *p = s->pattern;
    for (int k = 0; k < p->mass_pair_count; ++k) {
        int rows = hol_part_size(p->block_start, p->mass_pairs[k].row);
        int columns = hol_part_size(p->block_start, p->mass_pairs[k].column);
        const double *block = M + p->mass_start[k];
        double *target = s->A->L + s->mass_target[k];
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < columns; ++j)
                target[s->mass_turned[k] ? i * columns + j : j * rows + i] += block[i * columns + j];
    }
}

/* R x N is the common size of all D blocks, known to the compiler, or 0: then sizes are read. A row-major D block is,
 * by columns, its transpose: D_i^T diag(w) D_j is a product of such blocks as they stand. */
HOL_KERNEL void add_penalties(HolPrimal *s, int R, int N, const double *D, const double *w)
{
    const HolPattern *p = s->pattern;
    for (const Link *link = s->links; link < s->links + s->link_count; ++link) {
        HolPair pi = p->pairs[link->i], pj = p->pairs[link->j];
        int r = R ? R : hol_part_size(p->group_start, pi.row);
        int n = N ? N : hol_part_size(p->block_start, pi.column), k = N ? N : hol_part_size(p->block_start, pj.column);
        const double *D_j = D + p->pair_start[link->j], *w_g = w + p->group_start[pi.row];
        for (int row = 0; row < r; ++row)
            for (int column = 0; column < k; ++column)
                s->weighted[row * k + column] = w_g[row] * D_j[row * k + column];
        hol_add_product_t(n, k, r, D + p->pair_start[link->i], s->weighted, s->A->L + link->target);
    }
}

HOL_CLONES static void add_penalties_1_2(HolPrimal *s, const double *D, const double *w)
{
    add_penalties(s, 1, 2, D, w);
}

HOL_CLONES static void add_penalties_2_3(HolPrimal *s, const double *D, const double *w)
{
    add_penalties(s, 2, 3, D, w);
}

HOL_CLONES static void add_penalties_5_6(HolPrimal *s, const double *D, const double *w)
{
    add_penalties(s, 5, 6, D, w);
}

HOL_CLONES static void add_penalties_any(HolPrimal *s, const double *D, const double *w)
{
    add_penalties(s, 0, 0, D, w);
}

/* Half of each block and half of its mirror image, which for a pair of blocks is a block of its own. Of a diagonal
 * block the lower triangle counts, where the one half is added by rows and the other by columns. */
static void add_slopes(HolPrimal *s, const HolSlopes *slopes)
{
    const HolPattern *p = s->pattern;
    for (int t = 0; t < p->tangent_count; ++t) {
        bool diagonal = p->tangents[t].row == p->tangents[t].column;
        int rows = hol_part_size(p->block_start, p->tangents[t].row);
        int columns = hol_part_size(p->block_start, p->tangents[t].column);
        const double *K = slopes->K + p->tangent_start[t], *C = slopes->C + p->tangent_start[t];
        double *target = s->A->L + s->tangent_target[t];
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < columns; ++j) {
                double half = 0.5 * (slopes->k * K[i * columns + j] + slopes->c * C[i * columns + j]);
                if (diagonal || !s->tangent_turned[t])
                    target[j * rows + i] += half;
                if (diagonal || s->tangent_turned[t])
                    target[i * columns + j] += half;
            }
    }
}

static HolStatus factor(HolPrimal *primal, const double *M, const HolSlopes *slopes, const double *D, const double *w)
{
    memset(primal->A->L, 0, (size_t)primal->A->values * sizeof *primal->A->L);
    add_mass(primal, M);
    if (slopes)
        add_slopes(primal, slopes);
    if (primal->rows == 1 && primal->columns == 2)
        add_penalties_1_2(primal, D, w);
    else if (primal->rows == 2 && primal->columns == 3)
        add_penalties_2_3(primal, D, w);
    else if (primal->rows == 5 && primal->columns == 6)
        add_penalties_5_6(primal, D, w);
    else
        add_penalties_any(primal, D, w);
    HOL_TRY(hol_ldl_factor(primal->A, SMALLEST_PIVOT, NULL));
    return primal->A->rank == primal->A->n ? HOL_OK : HOL_SINGULAR;
}

HolStatus hol_primal_factor(HolPrimal *primal, const double *M, const double *D, const double *w)
{
    return factor(primal, M, NULL, D, w);
}

HolStatus hol_primal_factor_tangent(HolPrimal *primal, const double *M, const HolSlopes *slopes, const double *D,
                                    const double *w)
{
    return factor(primal, M, slopes, D, w);
}

void hol_primal_solve(const HolPrimal *primal, double *x)
{
    hol_ldl_solve(primal->A, x);
}

double hol_primal_pivot(const HolPrimal *primal)
{
    return primal->A->pivot;
}
