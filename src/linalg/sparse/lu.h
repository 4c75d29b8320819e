/* SPDX-License-Identifier: BSD-3-Clause */
/* LU of a sparse matrix whose pattern never changes: analysed once, factored often, by KLU.
 *
 *     P S A Q = L U      P, Q permutations, S a scaling of rows, in diagonal blocks                         (1)
 *
 * Q and the blocks come from the pattern, P from the values of the last fresh factorisation. As long as these pivots
 * serve, a new set of values reuses P and the memory of L and U. Nothing in that guards against a pivot that has become
 * tiny, so two numbers are watched, over the columns j of the diagonal blocks (A scaled and permuted):
 *
 *     growth = min_j max_i |A_ij| / max_i |U_ij|      quality = min_j |U_jj| / max_i |A_ij|                 (2)
 *
 * When the growth falls below 1e-4, or the quality below 1e-6, of the best they have been with these pivots, the matrix
 * is factored afresh with pivots of its own. Being relative, the test spends one fresh factorisation on a matrix that
 * is ill-conditioned whatever its pivots, not one at each call. The quality replaces KLU's own estimate
 * min |U_jj| / max |U_jj|, which mistakes unknowns of different units (multipliers beside positions) for a bad matrix.
 *
 * The pivots depend on the values seen before: the same sequence of calls gives the same bits, a single matrix may not.
 *
 * hol_sparse_lu_create and fresh factorisations allocate (KLU uses malloc, not an arena), solutions and factorisations
 * with known pivots do not. One HolSparseLu per thread. */
#ifndef HOLON_LINALG_SPARSE_LU_H
#define HOLON_LINALG_SPARSE_LU_H

#include <holon/status.h>

typedef struct HolSparseLu HolSparseLu;

/* Analyses the pattern of an n x n matrix stored by columns: column j has the rows row_index[column_start[j]] to
 * row_index[column_start[j + 1] - 1], in any order, without duplicates; the pattern is copied. HOL_BAD_INPUT if it is
 * no such pattern, HOL_SINGULAR if no values whatever can make it invertible, HOL_NO_MEMORY; *lu is then as it was. */
HolStatus hol_sparse_lu_create(int n, const int *column_start, const int *row_index, HolSparseLu **lu);
void hol_sparse_lu_destroy(HolSparseLu *lu); /* NULL is allowed */

/* (1), of the values in the order of row_index; they are not kept. HOL_NOT_FINITE for a NaN or an infinity among them,
 * HOL_SINGULAR if fresh pivots too meet a zero or have a quality of rounding errors, below 16 times the machine
 * precision, HOL_NO_MEMORY. After a failure there is nothing to solve with, and the next call chooses fresh pivots. */
HolStatus hol_sparse_lu_factor(HolSparseLu *lu, const double *values);

/* x <- A^-1 x, x of length n, after a successful factorisation. */
void hol_sparse_lu_solve(HolSparseLu *lu, double *x);

/* How often pivots were chosen afresh, the first factorisation included, and the quality (2) of the last factorisation:
 * 10^-d means that a pivot has lost d digits to cancellation. */
long hol_sparse_lu_fresh_count(const HolSparseLu *lu);
double hol_sparse_lu_quality(const HolSparseLu *lu);

#endif
