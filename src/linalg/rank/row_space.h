/* SPDX-License-Identifier: BSD-3-Clause */
/* The row space of a small dense matrix with rows that are nearly or exactly dependent on others; the caller knows the
 * rank r.
 *
 *     A = D~^T,  D~ = D with every row divided by its size s        A P = Q [ R11 R12 ]   (dense/qr.h)          (1)
 *                                                                           [  0  R22 ]
 *
 * R11 is r x r, R22 is what would be zero if D had rank r. The first r columns of Q depend on which of the dependent
 * rows were taken first. One step of orthogonal iteration from there, D~^T (D~_r^T)^+ with D~_r as if R22 were zero,
 * leads to the directions of the nearest matrix of rank r but for squares of R22, and these depend on D smoothly:
 *
 *     U = Q [ I ],   G = R22 (I + F^T F)^-1 F^T R11^-1,   F = R11^-1 R12                                       (2)
 *           [ G ]
 *     Z = Q [ -G^T ]      normal to U: the directions that are left free                                       (3)
 *           [   I  ]
 *
 * In this basis D has r coefficients for each row, with S the sizes as ordered by P, first those of R11:
 *
 *     D U = S P [ I ] R11^T,   E = (R12^T + R22^T G) R11^-T;   E' = S2 E S1^-1, K = I + E' E'^T                (4)
 *               [ E ]
 *
 * so that least squares come down to triangular solutions and to the small matrix K, one row for each redundant row. */
#ifndef HOLON_LINALG_RANK_ROW_SPACE_H
#define HOLON_LINALG_RANK_ROW_SPACE_H

#include "linalg/dense/qr.h"

/* Callers read rank and found, and may set qr->steady. */
typedef struct HolRowSpace {
    int rows, cols;
    int rank, found; /* r; the pivots that are not zero to rounding */
    HolQr *qr;
    const double *size;
    double *E, *G, *H;     /* redundant x r: E'; R22 has the same number of columns, G no more rows; scratch */
    double *K, *root, *mu; /* redundant^2: K, T with T T^T = K^-1; scratch */
    double *y;             /* cols */
} HolRowSpace;

HolStatus hol_row_space_create(HolArena *arena, int rows, int cols, HolRowSpace **space);

/* (1), D~ row-major and of finite numbers, else HOL_NOT_FINITE; size must outlive the last solution. */
HolStatus hol_row_space_factor(HolRowSpace *space, const double *scaled, const double *size);

/* The k-th pivot, k < found, in descending order but for a small factor. */
double hol_row_space_pivot(const HolRowSpace *space, int k);

/* (2) and (4) for this rank, at most the pivots found. */
HolStatus hol_row_space_set_rank(HolRowSpace *space, int rank);

/* (3), row-major cols x (cols - rank). Its columns are orthonormal but for squares of G. */
void hol_row_space_free_directions(const HolRowSpace *space, double *Z);

/* x = U y with y that minimises |D U y - c|; cols numbers from rows. */
void hol_row_space_solve(HolRowSpace *space, const double *c, double *x);

/* The shortest lambda with U^T D^T lambda = U^T f; rows numbers from cols. f is overwritten. */
void hol_row_space_solve_transposed(HolRowSpace *space, double *f, double *lambda);

#endif
