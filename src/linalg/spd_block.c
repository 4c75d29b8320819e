/* SPDX-License-Identifier: BSD-3-Clause */
#include "linalg/spd_block.h"

/* A pivot below this share of its diagonal entry is taken for zero. */
static const double SMALLEST_PIVOT = 1e-13;

/* Gauss-Jordan on the symmetric matrix in place, pivot by pivot ("sweep"): after all n sweeps A has become -A^-1.
 * No pivoting is needed for a positive definite matrix. */
static void sweep(int n, int k, double *A)
{
    double d = 1 / A[k * n + k];
    for (int i = 0; i < n; ++i) {
        if (i == k)
            continue;
        double b = A[i * n + k] * d;
        for (int j = 0; j < n; ++j)
            if (j != k)
                A[i * n + j] -= b * A[k * n + j];
    }
    for (int i = 0; i < n; ++i) {
        A[i * n + k] *= d;
        A[k * n + i] *= d;
    }
    A[k * n + k] = -d;
}

HolStatus hol_spd_invert(int n, const double *A, double *inverse)
{
    for (int i = 0; i < n * n; ++i)
        inverse[i] = A[i];
    for (int k = 0; k < n; ++k) {
        if (!(inverse[k * n + k] > SMALLEST_PIVOT * A[k * n + k]))
            return HOL_SINGULAR;
        sweep(n, k, inverse);
    }
    for (int i = 0; i < n * n; ++i)
        inverse[i] = -inverse[i];
    return HOL_OK;
}
