/* SPDX-License-Identifier: BSD-3-Clause */
/* Householder QR of a small dense matrix: rank, independent rows or columns, null space and least squares.
 *
 * For a matrix A of rows x cols,
 *
 *     A P = Q [ R11 R12 ]      R11 upper triangular, rank x rank                                            (1)
 *             [  0  R22 ]      Q = H_0 H_1 ... H_(rank-1),  H_k = I - tau_k v_k v_k^T
 *
 * P orders the columns: greedily by the length of what the columns before leave of them, or as given ("fixed"). R22 is
 * what the tolerance calls zero; every function below takes it as zero. Columns pivot[0..rank-1] of A are independent;
 * with the transposed input these are the independent rows of the given matrix. The complete orthogonal decomposition
 *
 *     [ R11 R12 ] = [ T 0 ] V^T      T upper triangular, V orthogonal                                       (2)
 *
 * gives the minimum-norm solutions and is computed when the first of them is asked for.
 *
 * Only hol_qr_create allocates. Results depend on nothing but the input, equal column lengths go to the first column.
 * The scratch memory belongs to the factorisation: one HolQr per thread, also where it is const. */
#ifndef HOLON_LINALG_DENSE_QR_H
#define HOLON_LINALG_DENSE_QR_H

#include <holon/status.h>

#include "base/arena.h"

#include <stdbool.h>

/* Callers read rows, cols, rank and pivot, and may set steady; the rest is the factorisation's own. */
typedef struct HolQr {
    int rows, cols; /* of the factored matrix: of A^T where the input was transposed */
    int rank;
    int *pivot; /* cols: column k of A P is column pivot[k] of A */

    bool steady; /* set by the caller: pivoted factorisations take the same work whatever the numbers */

    int max_rows, max_cols;
    bool is_finite;       /* no NaN and no infinity in A */
    bool is_complete;     /* t and tau_t belong to this factorisation */
    double *a, *tau;      /* columns one after the other: R, and below its diagonal v_k after its leading one */
    double *t, *tau_t;    /* rows one after the other: T, and right of column rank the reflections of V */
    double *left, *known; /* cols: remaining column lengths, and their values when last computed afresh */
    double *work;         /* max(rows, cols) */
} HolQr;

/* Memory for matrices up to max_rows x max_cols, of the arena. HOL_NO_MEMORY leaves *qr as it was. For transposed input
 * the sizes are those of A^T. */
HolStatus hol_qr_create(HolArena *arena, int max_rows, int max_cols, HolQr **qr);

/* (1) with pivoting, of the row-major A. Returns the rank: the number of leading |R_kk| > tolerance |R_00|, where
 * 0 <= tolerance < 1; 0 for a zero or an empty matrix. Returns -1 if A holds a NaN or an infinity; rank is then 0. */
int hol_qr_factor(HolQr *qr, int rows, int cols, const double *A, double tolerance);

/* The same of A^T, where A is rows x cols and row-major: the pivots are rows of A, qr->rows is cols. */
int hol_qr_factor_transposed(HolQr *qr, int rows, int cols, const double *A, double tolerance);

/* (1) in the given order of columns, P = I. The rank is min(rows, cols) whatever A holds, so the sizes
 * of null spaces stay; ask for the quality before solving with it. Q depends smoothly on A where R11 is invertible,
 * except where the entry that becomes R_kk changes its sign: Z below then spans the same space with another basis. */
void hol_qr_factor_fixed(HolQr *qr, int rows, int cols, const double *A);

/* min |R_kk| / max |R_kk| over k < rank: 1 is best (also for rank 0), 0 means that solutions would divide by zero or
 * that A was not finite. */
double hol_qr_quality(const HolQr *qr);

/* |R_kk|, k below the rank, or below the rank that the factorisation found before it was limited. */
double hol_qr_pivot(const HolQr *qr, int k);

/* x <- Q^T x and x <- Q x, x of length rows. */
void hol_qr_apply_qt(const HolQr *qr, double *x);
void hol_qr_apply_q(const HolQr *qr, double *x);

/* Z <- Q Z, a row-major matrix of rows x columns; columns must not exceed rows. */
void hol_qr_apply_q_to_rows(const HolQr *qr, int columns, double *Z);

/* The last rows - rank columns of Q, as a row-major matrix Z of rows x (rows - rank): Z^T Z = I and A^T Z = 0. After a
 * transposed factorisation Z spans the null space of the given matrix. */
void hol_qr_null_space(const HolQr *qr, double *Z);

/* The basic least-squares solution x (length cols) of A x = b (length rows): it minimises |A x - b| and is zero in the
 * columns pivot[rank..]. In the three solutions the result may overwrite the right-hand side. */
void hol_qr_least_squares(HolQr *qr, const double *b, double *x);

/* The shortest of all x that minimise |A x - b|, by (2), for any rank. */
void hol_qr_min_norm(HolQr *qr, const double *b, double *x);

/* The shortest y (length rows) that satisfies the equations pivot[0..rank-1] of A^T y = c (length cols) exactly:
 *
 *     y = Q [ R11^-T c_pivot ]                                                                              (3)
 *           [       0        ]
 *
 * The equations pivot[rank..] are not looked at. Where c lies in the range of A^T they hold too, and y is the shortest
 * solution of all; where it does not, they are off by what c contradicts (unlike hol_qr_min_norm of the transposed
 * input, which spreads the contradiction over all equations). y is orthogonal to the null space of A^T. */
void hol_qr_solve_transposed(HolQr *qr, const double *c, double *y);

#endif
