/* SPDX-License-Identifier: BSD-3-Clause */
#include "linalg/eigenvalues.h"

#include "base/message.h"

#include <assert.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_finite(int n, const double *A)
{
    for (size_t i = 0; i < (size_t)n * (size_t)n; ++i)
        if (!isfinite(A[i]))
            return false;
    return true;
}

static HolStatus status_of(lapack_int info)
{
    if (info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR)
        return HOL_NO_MEMORY;
    assert(info >= 0);
    return info == 0 ? HOL_OK : HOL_NO_CONVERGENCE;
}

/* A symmetric matrix is the same by rows and by columns, and the columns of LAPACK are our rows. */
HolStatus hol_eigen_symmetric(int n, double *A, double *lambda)
{
    if (!is_finite(n, A))
        return HOL_NOT_FINITE;
    return n == 0 ? HOL_OK : status_of(LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'U', n, A, n, lambda));
}

HolStatus hol_eigen_definite(int n, double *A, double *B, double *lambda)
{
    if (!is_finite(n, A) || !is_finite(n, B))
        return HOL_NOT_FINITE;
    if (n == 0)
        return HOL_OK;
    lapack_int info = LAPACKE_dsygvd(LAPACK_COL_MAJOR, 1, 'V', 'U', n, A, n, B, n, lambda);
    return info > n ? HOL_SINGULAR : status_of(info);
}

static void transpose(int n, double *A)
{
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < i; ++j) {
            double a = A[i * n + j];
            A[i * n + j] = A[j * n + i];
            A[j * n + i] = a;
        }
    }
}

/* Of a pair of conjugates LAPACK keeps the real and the imaginary part in two neighbouring columns. */
static void unpack(int n, const double *V, const HolPencil *result)
{
    size_t bytes = (size_t)n * sizeof *V;
    memset(result->x_im, 0, bytes * (size_t)n);
    memcpy(result->x_re, V, bytes * (size_t)n);
    for (int k = 0; k + 1 < n; ++k) {
        if (result->alpha_im[k] == 0)
            continue;
        double *im = result->x_im + k * n;
        memcpy(im, V + (k + 1) * n, bytes);
        memcpy(result->x_re + (k + 1) * n, V + k * n, bytes);
        for (int j = 0; j < n; ++j)
            im[n + j] = -im[j];
        ++k;
    }
}

/* F <- E^-1 F if E is well invertible; E is then destroyed. */
static HolStatus divide(int n, double *F, const double *E, double *copy, bool *done)
{
    double rcond = 0;
    memcpy(copy, E, (size_t)n * (size_t)n * sizeof *E);
    lapack_int *pivot = malloc((size_t)n * sizeof *pivot);
    if (!pivot)
        return HOL_NO_MEMORY;
    double norm = LAPACKE_dlange(LAPACK_COL_MAJOR, '1', n, n, copy, n);
    lapack_int info = LAPACKE_dgetrf(LAPACK_COL_MAJOR, n, n, copy, n, pivot);
    if (info == 0)
        info = LAPACKE_dgecon(LAPACK_COL_MAJOR, '1', n, copy, n, norm, &rcond);
    *done = info == 0 && rcond > 1e3 * DBL_EPSILON;
    if (*done)
        info = LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'N', n, n, copy, n, pivot, F, n);
    free(pivot);
    return info < 0 ? status_of(info) : HOL_OK;
}

static HolStatus solve_pencil(int n, double *F, double *E, double *V, const HolPencil *r)
{
    bool standard;
    lapack_int info;
    transpose(n, F);
    transpose(n, E);
    HOL_TRY(divide(n, F, E, V, &standard));
    if (standard) {
        info = LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'V', n, F, n, r->alpha_re, r->alpha_im, NULL, 1, V, n);
        for (int k = 0; k < n; ++k)
            r->beta[k] = 1;
    } else {
        info =
            LAPACKE_dggev(LAPACK_COL_MAJOR, 'N', 'V', n, F, n, E, n, r->alpha_re, r->alpha_im, r->beta, NULL, 1, V, n);
    }
    HOL_TRY(status_of(info));
    unpack(n, V, r);
    return HOL_OK;
}

HolStatus hol_eigen_pencil(int n, double *F, double *E, const HolPencil *result)
{
    if (!is_finite(n, F) || !is_finite(n, E))
        return HOL_NOT_FINITE;
    if (n == 0)
        return HOL_OK;
    double *V = malloc((size_t)n * (size_t)n * sizeof *V);
    HolStatus status = V ? solve_pencil(n, F, E, V, result) : HOL_NO_MEMORY;
    free(V);
    return status;
}
