/* SPDX-License-Identifier: BSD-3-Clause */
#include "linalg/block/spd_block.h"

#include "base/tolerances.h"

#include <math.h>

/* A pivot below this share of its diagonal entry is taken for zero. */
static const double SMALLEST_PIVOT = HOL_TOL_ROUNDING;

/* A = U^T U with U upper triangular, in the upper triangle of T. */
static HolStatus spd_block_factor(int n, const double *A, double *T)
{
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            double sum = A[i * n + j];
            for (int p = 0; p < i; ++p)
                sum -= T[p * n + i] * T[p * n + j];
            if (i == j && !(sum > SMALLEST_PIVOT * A[i * n + i]))
                return HOL_SINGULAR;
            T[i * n + j] = i > j ? 0 : (i == j ? sqrt(sum) : sum / T[i * n + i]);
        }
    return HOL_OK;
}

/* T = U^-1 in place: the rows below are inverted already, and only entries left of j of this row are still needed. */
static void spd_block_invert(int n, double *T)
{
    for (int i = n - 1; i >= 0; --i) {
        T[i * n + i] = 1 / T[i * n + i];
        for (int j = n - 1; j > i; --j) {
            double sum = 0;
            for (int p = i + 1; p <= j; ++p)
                sum += T[i * n + p] * T[p * n + j];
            T[i * n + j] = -T[i * n + i] * sum;
        }
    }
}

HolStatus hol_spd_inverse_root(int n, const double *A, double *T)
{
    HolStatus status = spd_block_factor(n, A, T);
    if (status == HOL_OK)
        spd_block_invert(n, T);
    return status;
}
