/* SPDX-License-Identifier: BSD-3-Clause */
/* Products of small dense row-major blocks.
 *
 * All are forced inline: called with constant sizes they unroll into straight-line code, which is what makes block
 * algorithms fast; called with run-time sizes they are ordinary loops. */
#ifndef HOLON_LINALG_KERNELS_H
#define HOLON_LINALG_KERNELS_H

#define HOL_KERNEL static inline __attribute__((always_inline, unused))

/* x . y */
HOL_KERNEL double hol_dot(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; ++i)
        sum += x[i] * y[i];
    return sum;
}

/* C += A B^T with A m x k, B n x k */
HOL_KERNEL void hol_add_product_t(int m, int n, int k, const double *restrict A, const double *restrict B,
                                  double *restrict C)
{
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j)
            C[i * n + j] += hol_dot(k, A + i * k, B + j * k);
}

/* C -= A B^T */
HOL_KERNEL void hol_sub_product_t(int m, int n, int k, const double *restrict A, const double *restrict B,
                                  double *restrict C)
{
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j)
            C[i * n + j] -= hol_dot(k, A + i * k, B + j * k);
}

/* The lower triangle of C += A B^T, for a symmetric product with m x m result */
HOL_KERNEL void hol_add_product_t_lower(int m, int k, const double *restrict A, const double *restrict B,
                                        double *restrict C)
{
    for (int i = 0; i < m; ++i)
        for (int j = 0; j <= i; ++j)
            C[i * m + j] += hol_dot(k, A + i * k, B + j * k);
}

/* The lower triangle of C -= A B^T */
HOL_KERNEL void hol_sub_product_t_lower(int m, int k, const double *restrict A, const double *restrict B,
                                        double *restrict C)
{
    for (int i = 0; i < m; ++i)
        for (int j = 0; j <= i; ++j)
            C[i * m + j] -= hol_dot(k, A + i * k, B + j * k);
}

/* C += A^T B with A k x m, B k x n */
HOL_KERNEL void hol_add_t_product(int m, int n, int k, const double *restrict A, const double *restrict B,
                                  double *restrict C)
{
    for (int p = 0; p < k; ++p)
        for (int i = 0; i < m; ++i)
            for (int j = 0; j < n; ++j)
                C[i * n + j] += A[p * m + i] * B[p * n + j];
}

/* C = A B with A m x k, B k x n */
HOL_KERNEL void hol_product(int m, int n, int k, const double *restrict A, const double *restrict B, double *restrict C)
{
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
            double sum = 0;
            for (int p = 0; p < k; ++p)
                sum += A[i * k + p] * B[p * n + j];
            C[i * n + j] = sum;
        }
}

/* y += A x and y -= A x, with A m x n */
HOL_KERNEL void hol_add_times(int m, int n, const double *restrict A, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < m; ++i)
        y[i] += hol_dot(n, A + i * n, x);
}

HOL_KERNEL void hol_sub_times(int m, int n, const double *restrict A, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < m; ++i)
        y[i] -= hol_dot(n, A + i * n, x);
}

/* y += A^T x and y -= A^T x, with A m x n */
HOL_KERNEL void hol_add_t_times(int m, int n, const double *restrict A, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j)
            y[j] += A[i * n + j] * x[i];
}

HOL_KERNEL void hol_sub_t_times(int m, int n, const double *restrict A, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j)
            y[j] -= A[i * n + j] * x[i];
}

#endif
