/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of four columns that the inner solver of schur_local.h turns as it comes to them, see schur_twins.c. Here E has
 * its rows one after the other, each of four numbers as (3) there, and then the same rows weighed. In the functions
 * below R is the number of rows, two or three. */
#ifndef HOLON_LINALG_SCHUR_TURNED_H
#define HOLON_LINALG_SCHUR_TURNED_H

#include "linalg/schur_local.h"
#include "linalg/schur_weigh.h"

/* What a group gathers from its pairs, column by column of E: the lower half of its block of S, and E g. */
typedef struct HolTurnedSums {
    HolFour S[3][3], r[3];
} HolTurnedSums;

/* (4) of schur_twins.c */
HOL_KERNEL HolFour hol_turned(const HolLocalBlock *block, HolFour x)
{
    return x * hol_four_at(block->turn) + __builtin_shufflevector(x, x, 0, 1, 3, 2) * hol_four_at(block->mix);
}

HOL_KERNEL void hol_turned_clear(int R, HolTurnedSums *sums)
{
    HOL_UNROLL
    for (int i = 0; i < R; ++i) {
        sums->r[i] = (HolFour){0};
        HOL_UNROLL
        for (int j = 0; j <= i; ++j)
            sums->S[i][j] = (HolFour){0};
    }
}

/* E of one pair, and its part of the sums; with `first` they begin, with `solve` there is an r. The weighed rows are
 * kept for hol_turned_product() if somebody asks for it. */
HOL_KERNEL void hol_turned_weigh(int R, const double *D, const HolLocalPair *pair, bool first, bool solve, bool keep,
                                 HolTurnedSums *sums)
{
    const HolLocalBlock *block = pair->block;
    HolFour e[3], weighed[3];
    HOL_UNROLL
    for (int i = 0; i < R; ++i) {
        e[i] = hol_turned(block, hol_four_at(D + pair->turned + 4 * i));
        weighed[i] = e[i] * hol_four_at(block->weight);
        hol_put_four(e[i], pair->E + 4 * i);
        if (keep)
            hol_put_four(weighed[i], pair->E + 4 * (R + i));
    }
    HOL_UNROLL
    for (int i = 0; i < R; ++i) {
        HolFour side = hol_four_at(block->side);
        if (solve)
            sums->r[i] = first ? e[i] * side : sums->r[i] + e[i] * side;
        HOL_UNROLL
        for (int j = 0; j <= i; ++j)
            sums->S[i][j] = first ? e[i] * weighed[j] : sums->S[i][j] + e[i] * weighed[j];
    }
}

/* The sums of the first three numbers of a and of b; the last ones. */
HOL_KERNEL HolTwo hol_sum_threes(HolFour a, HolFour b, HolTwo *last)
{
    HolFour even = __builtin_shufflevector(a, b, 0, 4, 2, 6), odd = __builtin_shufflevector(a, b, 1, 5, 3, 7);
    *last = __builtin_shufflevector(odd, odd, 2, 3);
    return __builtin_shufflevector(even, even, 0, 1) + __builtin_shufflevector(odd, odd, 0, 1) +
           __builtin_shufflevector(even, even, 2, 3);
}

HOL_KERNEL double hol_sum_three(HolFour a)
{
    return a[0] + a[1] + a[2];
}

/* S by columns below its diagonal, and what pivots are told relative to: the squares of whole rows. */
HOL_KERNEL void hol_turned_sum(int R, const HolTurnedSums *sums, double *S, double *reference)
{
    HolTwo last, diagonal = hol_sum_threes(sums->S[0][0], sums->S[1][1], &last);
    S[0] = diagonal[0];
    S[R + 1] = diagonal[1];
    diagonal += last;
    reference[0] = diagonal[0];
    reference[1] = diagonal[1];
    S[1] = hol_sum_three(sums->S[1][0]);
    if (R == 3) {
        diagonal = hol_sum_threes(sums->S[2][0], sums->S[2][1], &last);
        S[2] = diagonal[0];
        S[5] = diagonal[1];
        S[8] = hol_sum_three(sums->S[2][2]);
        reference[2] = S[8] + sums->S[2][2][3];
    }
}

/* r = c - E g */
HOL_KERNEL void hol_turned_side(int R, const HolTurnedSums *sums, const double *c, double *r)
{
    HolTwo last, sum = hol_sum_threes(sums->r[0], sums->r[1], &last);
    hol_put_two(hol_two_at(c) - (sum + last), r);
    if (R == 3)
        r[2] = c[2] - (hol_sum_three(sums->r[2]) + sums->r[2][3]);
}

/* B = E F^T, or B += E F^T, by columns; F weighed. */
HOL_KERNEL void hol_turned_product(int R, bool adds, const double *E, const double *F, double *B)
{
    HolFour e[3];
    HOL_UNROLL
    for (int i = 0; i < R; ++i)
        e[i] = hol_four_at(E + 4 * i);
    HOL_UNROLL
    for (int j = 0; j < R; ++j) {
        HolFour f = hol_four_at(F + 4 * (R + j));
        HolTwo last, sum = hol_sum_threes(e[0] * f, e[1] * f, &last);
        hol_put_two(adds ? hol_two_at(B + R * j) + sum : sum, B + R * j);
        if (R == 3)
            B[R * j + 2] = (adds ? B[R * j + 2] : 0) + hol_sum_three(e[2] * f);
    }
}

/* z + E^T lambda */
HOL_KERNEL HolFour hol_turned_pull(int R, const double *E, const double *lambda, HolFour z)
{
    HOL_UNROLL
    for (int i = 0; i < R; ++i)
        z += hol_four_at(E + 4 * i) * lambda[i];
    return z;
}

/* r -= E g; without forces on any block, g is a alone. */
HOL_KERNEL void hol_turned_subtract(int R, const HolLocalPair *pair, bool forces, double *r)
{
    HOL_UNROLL
    for (int i = 0; i < R; ++i) {
        const double *E = pair->E + 4 * i;
        r[i] -= forces ? hol_dot(4, E, pair->block->side) : E[3] * pair->block->side[3];
    }
}

/* (2) and (7) of schur_twins.c, from the whole force on the block. */
HOL_KERNEL void hol_turned_finish(const HolLocalBlock *block, HolFour z, double *x, double *lambda)
{
    lambda[block->turned] = (block->along - z[3]) * block->inverse;
    z = __builtin_shufflevector(z * hol_four_at(block->weight), hol_four_at(block->side), 0, 1, 2, 7);
    hol_put_four(hol_turned(block, z), x + block->column);
}

#endif
