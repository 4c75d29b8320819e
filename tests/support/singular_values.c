/* SPDX-License-Identifier: BSD-3-Clause */
#include "singular_values.h"

#include <assert.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static HolStatus status_of(lapack_int info)
{
    if (info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR)
        return HOL_NO_MEMORY;
    assert(info >= 0);
    return info == 0 ? HOL_OK : HOL_NO_CONVERGENCE;
}

HolStatus singular_values(int rows, int cols, const double *A, double *sigma)
{
    assert(rows >= 0 && cols >= 0);
    size_t count = (size_t)rows * (size_t)cols;
    size_t least = (size_t)(rows < cols ? rows : cols);
    if (count == 0)
        return HOL_OK;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(A[i]))
            return HOL_NOT_FINITE;
    }
    double *copy = malloc((count + least) * sizeof *copy);
    if (!copy)
        return HOL_NO_MEMORY;
    memcpy(copy, A, count * sizeof *copy);
    /* The same memory read by columns is A^T, which has the same singular values. */
    lapack_int info =
        LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'N', 'N', cols, rows, copy, cols, sigma, NULL, 1, NULL, 1, copy + count);
    free(copy);
    return status_of(info);
}
