/* SPDX-License-Identifier: BSD-3-Clause */
/* Singular values of a dense matrix by LAPACK, the reference for those of the library.
 *
 *     A = U diag(sigma) V^T      sigma_0 >= sigma_1 >= ... >= 0 */
#ifndef TESTS_SINGULAR_VALUES_H
#define TESTS_SINGULAR_VALUES_H

#include <holon/status.h>

/* A is row-major, rows x cols; sigma takes min(rows, cols) values, and none if a size is 0. HOL_NOT_FINITE for a NaN or
 * an infinity in A, HOL_NO_CONVERGENCE if the iteration of LAPACK fails, HOL_NO_MEMORY; sigma is undefined then. */
HolStatus singular_values(int rows, int cols, const double *A, double *sigma);

#endif
