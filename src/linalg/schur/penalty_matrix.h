/* SPDX-License-Identifier: BSD-3-Clause */
/* The penalty matrix A = M + D^T diag(w) D with positive weights w, factored by the static block LDL over the graph of
 * blocks. It is positive definite wherever M is on the null space of D, whatever the rank of D. */
#ifndef HOLON_LINALG_SCHUR_PENALTY_MATRIX_H
#define HOLON_LINALG_SCHUR_PENALTY_MATRIX_H

#include "linalg/block/block_ldl.h"

typedef struct HolPenaltyMatrix HolPenaltyMatrix;

/* With tangents the graph is that of M + k K + c C, else that of M. */
HolStatus hol_penalty_matrix_create(HolArena *arena, const HolPattern *pattern, bool with_tangents,
                                    HolPenaltyMatrix **matrix);

/* An implicit step adds k K + c C to the mass. Only the symmetric parts of K and C are used. */
typedef struct HolSlopes {
    const double *K, *C;
    double k, c;
} HolSlopes;

/* Factors M + k K + c C + D^T diag(w) D with m weights; slopes is NULL for k = c = 0, and needs a matrix made with
 * tangents otherwise. HOL_SINGULAR unless the matrix is positive definite. */
HolStatus hol_penalty_matrix_factor(HolPenaltyMatrix *matrix, const double *M, const HolSlopes *slopes, const double *D,
                                    const double *w);

/* x <- A^-1 x */
void hol_penalty_matrix_solve(const HolPenaltyMatrix *matrix, double *x);

double hol_penalty_matrix_pivot(const HolPenaltyMatrix *matrix);

#endif
