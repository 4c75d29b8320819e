/* SPDX-License-Identifier: BSD-3-Clause */
/* Products with the block-stored D and M of a system, and their dense copies. */
#ifndef HOLON_LINALG_BLOCKS_H
#define HOLON_LINALG_BLOCKS_H

#include <holon/system.h>

/* The size of part k of a division into starts. */
static inline int hol_part_size(const int *start, int k)
{
    return start[k + 1] - start[k];
}

/* The rows and columns that all D blocks have in common; zeros if they differ or there are none. */
void hol_common_pair_size(const HolPattern *pattern, int *rows, int *columns);

/* y = D x (m numbers from nv) */
void hol_jacobian_times(const HolPattern *pattern, const double *D, const double *x, double *y);

/* y += D^T x (nv numbers from m) */
void hol_jacobian_add_transposed(const HolPattern *pattern, const double *D, const double *x, double *y);

/* y = M x */
void hol_mass_times(const HolPattern *pattern, const double *M, const double *x, double *y);

/* y += k T x, T being K or C on the tangent pattern */
void hol_tangent_add_times(const HolPattern *pattern, const double *T, double k, const double *x, double *y);

/* M and D written out, row-major m x nv and nv x nv. */
void hol_jacobian_dense(const HolPattern *pattern, const double *D, double *dense);
/* D with every row divided by its size, 1 for a row of zeros. */
void hol_jacobian_dense_scaled(const HolPattern *pattern, const double *D, double *dense, double *size);
void hol_mass_dense(const HolPattern *pattern, const double *M, double *dense);

/* size_i = max_j |D_ij|, the scale of row i (m numbers) */
void hol_jacobian_row_sizes(const HolPattern *pattern, const double *D, double *size);

/* max |x_i|, or NaN if any x_i is. */
double hol_max_norm(int n, const double *x);

#endif
