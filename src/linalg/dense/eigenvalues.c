/* SPDX-License-Identifier: BSD-3-Clause */
#include "linalg/dense/eigenvalues.h"

#include "base/message.h"
#include "base/tolerances.h"

#include <assert.h>
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

static HolStatus eigenvalues_status_of(lapack_int info)
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
    return n == 0 ? HOL_OK : eigenvalues_status_of(LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'U', n, A, n, lambda));
}

HolStatus hol_eigen_definite(int n, double *A, double *B, double *lambda)
{
    if (!is_finite(n, A) || !is_finite(n, B))
        return HOL_NOT_FINITE;
    if (n == 0)
        return HOL_OK;
    lapack_int info = LAPACKE_dsygvd(LAPACK_COL_MAJOR, 1, 'V', 'U', n, A, n, B, n, lambda);
    return info > n ? HOL_SINGULAR : eigenvalues_status_of(info);
}

static void eigenvalues_transpose(int n, double *A)
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

/* Whether A, by columns, is well invertible; *lu and pivot are then its factors. */
static HolStatus eigenvalues_factor(int n, const double *A, double *lu, lapack_int *pivot, bool *invertible)
{
    double rcond = 0;
    memcpy(lu, A, (size_t)n * (size_t)n * sizeof *A);
    double norm = LAPACKE_dlange(LAPACK_COL_MAJOR, '1', n, n, lu, n);
    lapack_int info = LAPACKE_dgetrf(LAPACK_COL_MAJOR, n, n, lu, n, pivot);
    if (info == 0)
        info = LAPACKE_dgecon(LAPACK_COL_MAJOR, '1', n, lu, n, norm, &rcond);
    *invertible = info == 0 && rcond > HOL_ROUNDINGS(1000);
    return info < 0 ? eigenvalues_status_of(info) : HOL_OK;
}

/* A^-1 B x = lambda x; B is destroyed. */
static lapack_int solve_standard(int n, const double *lu, const lapack_int *pivot, double *B, double *V,
                                 const HolPencil *r)
{
    lapack_int info = LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'N', n, n, lu, n, pivot, B, n);
    if (info == 0)
        info = LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'V', n, B, n, r->alpha_re, r->alpha_im, NULL, 1, V, n);
    for (int k = 0; k < n; ++k)
        r->beta[k] = 1;
    return info;
}

/* s = 1 / lambda = conj(lambda) / |lambda|^2, the vectors being those of lambda. */
static void eigenvalues_invert(int n, const HolPencil *r)
{
    for (int k = 0; k < n; ++k) {
        r->beta[k] = hypot(r->alpha_re[k], r->alpha_im[k]);
        double size = r->beta[k] > 0 ? r->beta[k] : 1;
        r->alpha_re[k] = r->beta[k] > 0 ? r->alpha_re[k] / size : 1;
        r->alpha_im[k] /= -size;
    }
}

/* An eigenvalue by its size. */
typedef struct Sized {
    double size;
    int row;
} Sized;

static int eigenvalues_compare(const void *left, const void *right)
{
    const Sized *a = left, *b = right;
    return a->size != b->size ? (a->size > b->size) - (a->size < b->size) : a->row - b->row;
}

static void sort(int n, const HolPencil *r, Sized *sorted)
{
    for (int k = 0; k < n; ++k)
        sorted[k] = (Sized){hypot(r->alpha_re[k], r->alpha_im[k]) / r->beta[k], k};
    qsort(sorted, (size_t)n, sizeof *sorted, eigenvalues_compare);
}

/* How many are taken for slow: up to the middle of the orders of magnitude, and none without its neighbours. */
static int eigenvalues_find_seam(int n, const Sized *slow, const Sized *fast)
{
    double limit = sqrt(slow[0].size) * sqrt(fast[n - 1].size);
    int k = 0;
    while (k < n && (slow[k].size <= limit || (k > 0 && slow[k].size - slow[k - 1].size < HOL_TOL_SAME * slow[k].size)))
        ++k;
    return k;
}

static void eigenvalues_take(int n, const HolPencil *from, int row, const HolPencil *to, int place)
{
    size_t bytes = (size_t)n * sizeof *to->x_re;
    to->alpha_re[place] = from->alpha_re[row];
    to->alpha_im[place] = from->alpha_im[row];
    to->beta[place] = from->beta[row];
    memcpy(to->x_re + place * n, from->x_re + row * n, bytes);
    memcpy(to->x_im + place * n, from->x_im + row * n, bytes);
}

/* What both ways need. */
typedef struct Work {
    double *lu, *V, *copy;
    lapack_int *pivot;
    Sized *slow, *fast;
    HolPencil other;
} Work;

/* F^-1 E, whose errors are relative to the slowest, instead of E^-1 F for the slow half. */
static HolStatus improve_slow(int n, const double *F, double *E, const Work *w, const HolPencil *r)
{
    bool has_inverse;
    HOL_TRY(eigenvalues_factor(n, F, w->lu, w->pivot, &has_inverse));
    if (!has_inverse)
        return HOL_OK;
    HOL_TRY(eigenvalues_status_of(solve_standard(n, w->lu, w->pivot, E, w->V, &w->other)));
    unpack(n, w->V, &w->other);
    eigenvalues_invert(n, &w->other);
    sort(n, &w->other, w->slow);
    sort(n, r, w->fast);
    for (int k = eigenvalues_find_seam(n, w->slow, w->fast) - 1; k >= 0; --k)
        eigenvalues_take(n, &w->other, w->slow[k].row, r, w->fast[k].row);
    return HOL_OK;
}

static HolStatus solve_pencil(int n, double *F, double *E, const Work *w, const HolPencil *r)
{
    bool has_finite;
    eigenvalues_transpose(n, F);
    eigenvalues_transpose(n, E);
    HOL_TRY(eigenvalues_factor(n, E, w->lu, w->pivot, &has_finite));
    if (!has_finite) {
        HOL_TRY(eigenvalues_status_of(LAPACKE_dggev(LAPACK_COL_MAJOR, 'N', 'V', n, F, n, E, n, r->alpha_re, r->alpha_im,
                                                    r->beta, NULL, 1, w->V, n)));
        unpack(n, w->V, r);
        return HOL_OK;
    }
    memcpy(w->copy, F, (size_t)n * (size_t)n * sizeof *F);
    HOL_TRY(eigenvalues_status_of(solve_standard(n, w->lu, w->pivot, w->copy, w->V, r)));
    unpack(n, w->V, r);
    return improve_slow(n, F, E, w, r);
}

HolStatus hol_eigen_pencil(int n, double *F, double *E, const HolPencil *result)
{
    if (!is_finite(n, F) || !is_finite(n, E))
        return HOL_NOT_FINITE;
    if (n == 0)
        return HOL_OK;
    size_t count = (size_t)n, square = count * count;
    double *x = malloc((5 * square + 3 * count) * sizeof *x);
    lapack_int *pivot = malloc(count * sizeof *pivot);
    Sized *sized = malloc(2 * count * sizeof *sized);
    HolStatus status = HOL_NO_MEMORY;
    if (x && pivot && sized) {
        double *vectors = x + 3 * square, *numbers = x + 5 * square;
        Work work = {x,
                     x + square,
                     x + 2 * square,
                     pivot,
                     sized,
                     sized + count,
                     {numbers, numbers + count, numbers + 2 * count, vectors, vectors + square}};
        status = solve_pencil(n, F, E, &work, result);
    }
    free(sized);
    free(pivot);
    free(x);
    return status;
}
