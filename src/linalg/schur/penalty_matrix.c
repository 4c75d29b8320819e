/* SPDX-License-Identifier: BSD-3-Clause */
#include "linalg/schur/penalty_matrix.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"
#include "linalg/schur/targets.h"
#include "math/kernels.h"

#include <string.h>

/* A pivot this small means that A has no inverse: rounding alone leaves about 1e-16 of the diagonal. */
static const double SMALLEST_PIVOT = HOL_TOL_PIVOT;

struct HolPenaltyMatrix {
    const HolPattern *pattern;
    HolBlockLdl *A;
    HolTargets targets; /* i of a link is the block that is eliminated later */
    double *weighted;   /* diag(w) D_j of one block */
    int rows, columns;  /* common sizes, or 0 */
};

static int largest_pair(const HolPattern *p)
{
    int largest = 0;
    for (int i = 0; i < p->pair_count; ++i) {
        int size = p->pair_start[i + 1] - p->pair_start[i];
        largest = size > largest ? size : largest;
    }
    return largest;
}

HolStatus hol_penalty_matrix_create(HolArena *arena, const HolPattern *pattern, bool with_tangents,
                                    HolPenaltyMatrix **matrix)
{
    HolPenaltyMatrix *s = hol_arena_alloc(arena, sizeof *s);
    HOL_TRY(hol_arena_status(arena));
    s->pattern = pattern;
    s->weighted = hol_arena_doubles(arena, (size_t)largest_pair(pattern));
    HOL_TRY(hol_targets_create(arena, pattern, 1, with_tangents, &s->targets, &s->A));
    for (HolLink *link = s->targets.links; link < s->targets.links + s->targets.link_count; ++link)
        if (link->target.turned)
            *link = (HolLink){link->j, link->i, {link->target.value, false}};
    hol_common_pair_size(pattern, &s->rows, &s->columns);
    *matrix = s;
    return HOL_OK;
}

static void penalty_matrix_add_mass(HolPenaltyMatrix *s, const double *M)
{
    const HolPattern *p = s->pattern;
    for (int k = 0; k < p->mass_pair_count; ++k) {
        int rows = hol_part_size(p->block_start, p->mass_pairs[k].row);
        int columns = hol_part_size(p->block_start, p->mass_pairs[k].column);
        const double *block = M + p->mass_start[k];
        double *target = s->A->L + s->targets.masses[k].value;
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < columns; ++j)
                target[s->targets.masses[k].turned ? i * columns + j : j * rows + i] += block[i * columns + j];
    }
}

/* R x N is the common size of all D blocks, known to the compiler, or 0: then sizes are read. A row-major D block is,
 * by columns, its transpose: D_i^T diag(w) D_j is a product of such blocks as they are stored. */
HOL_KERNEL void add_penalties(HolPenaltyMatrix *s, int R, int N, const double *D, const double *w)
{
    const HolPattern *p = s->pattern;
    for (const HolLink *link = s->targets.links; link < s->targets.links + s->targets.link_count; ++link) {
        HolPair pi = p->pairs[link->i], pj = p->pairs[link->j];
        int r = R ? R : hol_part_size(p->group_start, pi.row);
        int n = N ? N : hol_part_size(p->block_start, pi.column), k = N ? N : hol_part_size(p->block_start, pj.column);
        const double *D_j = D + p->pair_start[link->j], *w_g = w + p->group_start[pi.row];
        for (int row = 0; row < r; ++row)
            for (int column = 0; column < k; ++column)
                s->weighted[row * k + column] = w_g[row] * D_j[row * k + column];
        hol_add_product_t(n, k, r, D + p->pair_start[link->i], s->weighted, s->A->L + link->target.value);
    }
}

HOL_CLONES static void add_penalties_1_2(HolPenaltyMatrix *s, const double *D, const double *w)
{
    add_penalties(s, 1, 2, D, w);
}

HOL_CLONES static void add_penalties_2_3(HolPenaltyMatrix *s, const double *D, const double *w)
{
    add_penalties(s, 2, 3, D, w);
}

HOL_CLONES static void add_penalties_5_6(HolPenaltyMatrix *s, const double *D, const double *w)
{
    add_penalties(s, 5, 6, D, w);
}

HOL_CLONES static void add_penalties_any(HolPenaltyMatrix *s, const double *D, const double *w)
{
    add_penalties(s, 0, 0, D, w);
}

/* Half of each block and half of its mirror image, which for a pair of blocks is a block of its own. Of a diagonal
 * block the lower triangle counts, where the one half is added by rows and the other by columns. */
static void penalty_matrix_add_slopes(HolPenaltyMatrix *s, const HolSlopes *slopes)
{
    const HolPattern *p = s->pattern;
    for (int t = 0; t < p->tangent_count; ++t) {
        bool diagonal = p->tangents[t].row == p->tangents[t].column, turned = s->targets.tangents[t].turned;
        int rows = hol_part_size(p->block_start, p->tangents[t].row);
        int columns = hol_part_size(p->block_start, p->tangents[t].column);
        const double *K = slopes->K + p->tangent_start[t], *C = slopes->C + p->tangent_start[t];
        double *target = s->A->L + s->targets.tangents[t].value;
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < columns; ++j) {
                double half = 0.5 * (slopes->k * K[i * columns + j] + slopes->c * C[i * columns + j]);
                if (diagonal || !turned)
                    target[j * rows + i] += half;
                if (diagonal || turned)
                    target[i * columns + j] += half;
            }
    }
}

HolStatus hol_penalty_matrix_factor(HolPenaltyMatrix *matrix, const double *M, const HolSlopes *slopes, const double *D,
                                    const double *w)
{
    memset(matrix->A->L, 0, (size_t)matrix->A->values * sizeof *matrix->A->L);
    penalty_matrix_add_mass(matrix, M);
    if (slopes)
        penalty_matrix_add_slopes(matrix, slopes);
    if (matrix->rows == 1 && matrix->columns == 2)
        add_penalties_1_2(matrix, D, w);
    else if (matrix->rows == 2 && matrix->columns == 3)
        add_penalties_2_3(matrix, D, w);
    else if (matrix->rows == 5 && matrix->columns == 6)
        add_penalties_5_6(matrix, D, w);
    else
        add_penalties_any(matrix, D, w);
    HOL_TRY(hol_ldl_factor(matrix->A, SMALLEST_PIVOT, NULL));
    return matrix->A->rank == matrix->A->n ? HOL_OK : HOL_SINGULAR;
}

void hol_penalty_matrix_solve(const HolPenaltyMatrix *matrix, double *x)
{
    hol_ldl_solve(matrix->A, x);
}

double hol_penalty_matrix_pivot(const HolPenaltyMatrix *matrix)
{
    return matrix->A->pivot;
}
