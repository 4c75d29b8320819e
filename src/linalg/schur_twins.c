/* SPDX-License-Identifier: BSD-3-Clause */
/* Own rows of blocks (schur_local.c) that stand on two columns with one mass: bodies of the plane in natural
 * coordinates.
 *
 * Of four columns the last two have the same t, whose square is w, and g = (0, 0, c, s) is zero in the others. With
 *
 *     n = c^2 + s^2,   u = w / n,   a = c_g / n                                                           (1)
 *
 *     x = (t_0 z_0, t_1 z_1, c a - s u z_2, s a + c u z_2)                                                (2)
 *
 * meets the row for every z. A row D of others becomes
 *
 *     E = (t_0 D_0, t_1 D_1, c D_3 - s D_2, c D_2 + s D_3),                                               (3)
 *
 * a force likewise, and (2) and (3) are the same product of four numbers at once,
 *
 *     y = x (t_0, t_1, -s, s) + (x_0, x_1, x_3, x_2) (0, 0, c, c)                                         (4)
 *
 * Weighed by (1, 1, u, u), the first three numbers of two rows make up their product in S, and the last one is what
 * the own row has taken of it. This is what a reflection does in more steps; without a root, and with the one division
 * beside the way from D to S.                                                                             (5)
 *
 * Nothing is turned beforehand: the inner solver does it as it comes to a row (schur_turned.h). Of each block it needs
 * the factors of (4) and (5), the force as (3), and the same weighed, with a in the last place, where a row meets what
 * is known of the block.                                                                                  (6)
 *
 * With F the force on the block as (3), that of all other rows included, the own row's multiplier is
 *
 *     lambda_g = (c_g / w - F_3) / n                                                                      (7) */
#include "linalg/schur_turned.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { N = 4 };

bool hol_twins_fit(HolSchurLocal *local, const double *t)
{
    if (local->n != N || !local->inner->factor_solve_turned)
        return false;
    for (int b = 0; b < local->block_count; ++b, t += N) {
        if (t[2] != t[3])
            return false;
        local->blocks[b].mass = 1 / (t[2] * t[2]);
    }
    return true;
}

HOL_KERNEL uint64_t bits(double x)
{
    uint64_t b;
    memcpy(&b, &x, sizeof b);
    return b;
}

/* Positive, and neither infinite nor NaN: told from its bits by one comparison. */
HOL_KERNEL bool is_positive(double x)
{
    return bits(x) - 1 < UINT64_C(0x7fefffffffffffff);
}

/* (1), and the factors of (4) and (5) */
HOL_KERNEL bool turn_block(const double *D, const double *t, double w, HolLocalBlock *block)
{
    const double *g = D + block->value;
    HolTwo a = hol_two_at(g + 2), square = a * a, s = __builtin_shufflevector(a, a, 1, 1) * (HolTwo){-1, 1};
    double inverse = 1 / (square[0] + square[1]), u = w * inverse;
    if ((bits(g[0]) | bits(g[1])) << 1 || !is_positive(u))
        return false;
    hol_put_four(__builtin_shufflevector(hol_two_at(t), s, 0, 1, 2, 3), block->turn);
    hol_put_four(__builtin_shufflevector((HolTwo){0}, a, 0, 1, 2, 2), block->mix);
    hol_put_four(__builtin_shufflevector((HolTwo){1, 1}, (HolTwo){u, u}, 0, 1, 2, 3), block->weight);
    block->inverse = inverse;
    return true;
}

/* (6) */
HOL_KERNEL void set_side(const double *f, double c, HolLocalBlock *block)
{
    HolFour force = {0};
    double a = c * block->inverse;
    if (f)
        force = hol_turned(block, hol_four_at(f + block->column));
    hol_put_four(force, block->force);
    HolFour known = {a, a, a, a};
    hol_put_four(__builtin_shufflevector(force * hol_four_at(block->weight), known, 0, 1, 2, 7), block->side);
    block->along = c * block->mass;
}

HOL_KERNEL bool turn(HolSchurLocal *local, const double *t, const double *w, const double *D, const double *f,
                     const double *c)
{
    for (HolLocalBlock *block = local->blocks; block < local->blocks + local->block_count; ++block, t += N, w += N) {
        if (!turn_block(D, t, w[2], block))
            return false;
        if (c)
            set_side(f, c[block->row], block);
    }
    return true;
}

/* Copies for what is there. */
HOL_CLONES bool hol_twins_turn(HolSchurLocal *local, const double *t, const double *w, const HolSchurTask *task)
{
    if (!task->c)
        return turn(local, t, w, task->D, NULL, NULL);
    return task->f ? turn(local, t, w, task->D, task->f, task->c) : turn(local, t, w, task->D, NULL, task->c);
}

HOL_CLONES void hol_twins_set_sides(HolSchurLocal *local, const HolSchurTask *task)
{
    const double *f = task->f, *c = task->c;
    for (HolLocalBlock *block = local->blocks; block < local->blocks + local->block_count; ++block)
        set_side(f, c[block->row], block);
}
