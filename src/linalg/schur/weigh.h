/* SPDX-License-Identifier: BSD-3-Clause */
/* E = D T, shared by the Schur solver for any graph (kernels.c) and that along paths (path.c). Sizes are known to the
 * compiler, or 0: then they are read. */
#ifndef HOLON_LINALG_SCHUR_WEIGH_H
#define HOLON_LINALG_SCHUR_WEIGH_H

#include "math/kernels.h"

/* What a group gathers from its pairs: its diagonal block of S, c - E g, and the block of S that couples it to a group
 * on the same block. */
typedef struct HolSchurSums {
    HolColumn S[8], r, B[8];
} HolSchurSums;

/* A pair to weigh, for a diagonal T, and what to gather from it: S always, the rest by flags that are constants. */
typedef struct HolSchurWeighing {
    const double *D, *t, *f; /* D row-major */
    double *E;               /* by columns */
    const double *other;     /* E of another pair on the same block */
    bool r, B;
    bool first; /* S begins with this pair */
} HolSchurWeighing;

/* Adds column j of E, r numbers, with the mass t and the force f, to the sums. */
HOL_KERNEL void hol_schur_add_column(int r, int j, double t, double f, HolColumn *e, const HolSchurWeighing *with,
                                     HolSchurSums *sums)
{
    hol_column_set(r, e, t, e);
    hol_column_store(r, e, with->E + j * r);
    if (with->r)
        hol_column_sub(r, e, t * f, &sums->r);
    HOL_UNROLL
    for (int i = 0; i < r; ++i) {
        if (with->first && j == 0)
            hol_column_set(r, e, hol_column_get(r, e, i), &sums->S[i]);
        else
            hol_column_add(r, e, hol_column_get(r, e, i), &sums->S[i]);
        if (with->B && j == 0)
            hol_column_set(r, e, with->other[i], &sums->B[i]);
        else if (with->B)
            hol_column_add(r, e, with->other[j * r + i], &sums->B[i]);
    }
}

/* E = D T of one pair, r x n */
HOL_KERNEL void hol_schur_weigh(int r, int n, const HolSchurWeighing *with, HolSchurSums *sums)
{
    HOL_UNROLL
    for (int j = 0; j < n; j += 2) {
        HolColumn e0, e1;
        if (j + 1 < n)
            hol_column_gather_two(r, with->D + j, n, &e0, &e1);
        else
            hol_column_gather(r, with->D + j, n, &e0);
        hol_schur_add_column(r, j, with->t[j], with->r ? with->f[j] : 0, &e0, with, sums);
        if (j + 1 < n)
            hol_schur_add_column(r, j + 1, with->t[j + 1], with->r ? with->f[j + 1] : 0, &e1, with, sums);
    }
}

/* The squares of whole rows, see HolSchurTask. */
HOL_KERNEL void hol_add_taken(int r, const double *taken, double *reference)
{
    for (int i = 0; i < r; ++i)
        reference[i] += taken[i];
}

HOL_KERNEL void hol_schur_clear(int r, HolSchurSums *sums)
{
    HOL_UNROLL
    for (int j = 0; j < r; ++j)
        hol_column_clear(r, &sums->S[j]);
}

#endif
