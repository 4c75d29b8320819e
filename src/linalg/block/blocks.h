/* SPDX-License-Identifier: BSD-3-Clause */
/* Products with vectors and with the block-stored D and M of a system, and their dense copies. */
#ifndef HOLON_LINALG_BLOCK_BLOCKS_H
#define HOLON_LINALG_BLOCK_BLOCKS_H

#include <holon/system.h>

#include <stdint.h>

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
/* D with the columns of hol_jacobian_in_units() and every row divided by its size, 1 for a row of zeros. Solutions x of
 * it, and the rows of a matrix X with n columns, are multiplied by hol_times_units() afterwards. */
void hol_jacobian_dense_scaled(const HolPattern *pattern, const double *D, double *dense, double *size);
void hol_times_units(const HolPattern *pattern, int n, double *X);
void hol_mass_dense(const HolPattern *pattern, const double *M, double *dense);

/* size_i = max_j |D_ij|, the scale of row i (m numbers) */
void hol_jacobian_row_sizes(const HolPattern *pattern, const double *D, double *size);

/* x^T y, summed in the order of the components. */
static inline double hol_inner_product(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; ++i)
        sum += x[i] * y[i];
    return sum;
}

/* y += k x; x and y must not overlap. */
static inline void hol_add_scaled(int n, double k, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; ++i)
        y[i] += k * x[i];
}

/* The right-hand side of a correction of positions, m numbers: -Phi, and 0 for nonholonomic rows. */
static inline void hol_position_residual(const HolPattern *pattern, const double *Phi, double *c)
{
    for (int i = 0; i < pattern->m; ++i)
        c[i] = i < pattern->nh ? -Phi[i] : 0;
}

/* x^T M y; scratch holds nv numbers. */
double hol_mass_product(const HolPattern *pattern, const double *M, const double *x, const double *y, double *scratch);

/* False if any number is NaN or infinite. */
bool hol_all_finite(size_t n, const double *x);

/* max |x_i|, or NaN if any x_i is. */
double hol_max_norm(int n, const double *x);

/* The order of magnitude of x >= 0: 1 from 0.02 to 45, as in ordinary machines, whose results then do not change when a
 * point is added to a drawing; else the nearest power of two; 0 of 0. */
double hol_magnitude(double x);
/* Numbers between -1 and 1 without a pattern, the same for the same seed. */
double hol_scattered(uint64_t *seed);

/* The largest of displacements, velocities or accelerations, of forces, of stiffnesses on the tangent pattern, and of
 * masses: angles count as arcs and moments as forces at the lever arm of the system. NaN if any is. The last is the
 * sum of the squares of displacements. */
double hol_motion_norm(const HolPattern *pattern, const double *x);
double hol_force_norm(const HolPattern *pattern, const double *f);
double hol_stiffness_norm(const HolPattern *pattern, const double *K);
double hol_mass_norm(const HolPattern *pattern, const double *M);
double hol_motion_square(const HolPattern *pattern, const double *x);
/* D with angular velocities replaced by those of arcs at the lever arm, so that angles between rows do not depend on
 * units: D itself if the arm is 1, else `scaled`, which has room for it. */
const double *hol_jacobian_in_units(const HolPattern *pattern, const double *D, double *scaled);

/* What positions are compared with: the size of the system plus its largest coordinate, since coordinates are rounded
 * relative to themselves; angles count as arcs of that size. */
double hol_position_size(const HolPattern *pattern, const double *q);
/* What a displacement of size 1 changes a row by at most: max_j |D_ij|, angles as arcs. */
void hol_jacobian_row_lengths(const HolPattern *pattern, const double *D, double *size);
/* The same, but 1 for a row of zeros, so that rows can be divided by it. */
void hol_jacobian_row_divisors(const HolPattern *pattern, const double *D, double *size);
/* max |x_i| of n violations or residuals of rows; unless the arm is 1, in lengths: x_i over the largest entry of its
 * row, so that an angle counts as an arc. */
double hol_max_displacement(const HolPattern *pattern, int n, const double *D, const double *x);
/* max |Phi_i|, so measured, relative to the size of the system. */
double hol_relative_violation(const HolPattern *pattern, const double *D, const double *Phi);

#endif
