/* SPDX-License-Identifier: BSD-3-Clause */
/* The inverse root of one small symmetric positive definite block, such as the mass of a body. */
#ifndef HOLON_LINALG_BLOCK_SPD_BLOCK_H
#define HOLON_LINALG_BLOCK_SPD_BLOCK_H

#include <holon/status.h>

/* The upper triangular T with T T^T = A^-1, row-major n x n, zeros below the diagonal. T may not overlap A.
 * HOL_SINGULAR unless A is safely positive definite. */
HolStatus hol_spd_inverse_root(int n, const double *A, double *T);

#endif
