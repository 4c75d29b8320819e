/* SPDX-License-Identifier: BSD-3-Clause */
/* LU with partial pivoting of a small dense matrix, for Newton iterations inside steps.
 *
 *     P A = L U      P a permutation of rows, |L_ij| <= 1 = L_ii, U upper triangular                        (1)
 *
 * Only hol_lu_create allocates. */
#ifndef HOLON_LINALG_DENSE_LU_H
#define HOLON_LINALG_DENSE_LU_H

#include <holon/status.h>

#include "base/arena.h"

typedef struct HolLu {
    int n, max_n;
    double *a;  /* n x n, row-major: U, and below its diagonal L */
    int *pivot; /* n: step k exchanged the rows k and pivot[k] >= k */
} HolLu;

/* Memory for matrices up to max_n x max_n, of the arena. HOL_NO_MEMORY leaves *lu as it was. */
HolStatus hol_lu_create(HolArena *arena, int max_n, HolLu **lu);

/* (1), of the row-major n x n matrix A, which is copied. HOL_SINGULAR if a pivot is zero, NaN or infinite, which any
 * NaN or infinity in A leads to; there is nothing to solve with then. Nearly singular matrices pass. */
HolStatus hol_lu_factor(HolLu *lu, int n, const double *A);

/* x <- A^-1 x, x of length n. */
void hol_lu_solve(const HolLu *lu, double *x);

#endif
