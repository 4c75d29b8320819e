/* SPDX-License-Identifier: BSD-3-Clause */
#include "dense.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* NaN if one of them is. */
static double larger(double a, double b)
{
    return a >= b || isnan(a) ? a : b;
}

double max_norm(int n, const double *x)
{
    double largest = 0;
    for (int i = 0; i < n; i++)
        largest = larger(largest, fabs(x[i]));
    return largest;
}

double max_difference(int n, const double *x, const double *y)
{
    double largest = 0;
    for (int i = 0; i < n; i++)
        largest = larger(largest, fabs(x[i] - y[i]));
    return largest;
}

/* One row-major block into rows r0... and columns c0... of a dense matrix with `width` columns. */
static void put(const double *block, const int *row, const int *column, bool mirrored, int width, double *dense)
{
    for (int r = row[0]; r < row[1]; r++) {
        for (int c = column[0]; c < column[1]; c++, block++) {
            dense[r * width + c] = *block;
            if (mirrored)
                dense[c * width + r] = *block;
        }
    }
}

bool dense_open(const HolTerms *terms, Dense *dense)
{
    const HolPattern *p = terms->pattern;
    size_t nv = (size_t)p->nv, m = (size_t)p->m;
    *dense = (Dense){p->nv,    p->m,        calloc(nv * nv, sizeof(double)), calloc(m * nv + 1, sizeof(double)),
                     terms->Q, terms->gamma};
    if (!dense->M || !dense->D)
        return false;
    for (int k = 0; k < p->mass_pair_count; k++)
        put(terms->M + p->mass_start[k], p->block_start + p->mass_pairs[k].row,
            p->block_start + p->mass_pairs[k].column, k >= p->block_count, p->nv, dense->M);
    for (int k = 0; k < p->pair_count; k++)
        put(terms->D + p->pair_start[k], p->group_start + p->pairs[k].row, p->block_start + p->pairs[k].column, false,
            p->nv, dense->D);
    return true;
}

void dense_close(Dense *dense)
{
    free(dense->M);
    free(dense->D);
}

void dense_system(const Dense *d, double *A)
{
    int n = d->nv + d->m;
    memset(A, 0, (size_t)n * (size_t)n * sizeof *A);
    for (int r = 0; r < d->nv; r++)
        for (int c = 0; c < d->nv; c++)
            A[r * n + c] = d->M[r * d->nv + c];
    for (int r = 0; r < d->m; r++)
        for (int c = 0; c < d->nv; c++) {
            A[(d->nv + r) * n + c] = d->D[r * d->nv + c];
            A[c * n + d->nv + r] = -d->D[r * d->nv + c];
        }
}

int dense_solve(const Dense *dense, double *vdot, double *lambda)
{
    int n = dense->nv + dense->m, rank = -1;
    double *A = calloc((size_t)n * (size_t)n, sizeof *A), *b = calloc((size_t)n, sizeof *b);
    lapack_int found = -1, *pivot = calloc((size_t)n, sizeof *pivot);
    if (A && b && pivot) {
        dense_system(dense, A);
        memcpy(b, dense->Q, (size_t)dense->nv * sizeof *b);
        if (dense->m > 0)
            memcpy(b + dense->nv, dense->gamma, (size_t)dense->m * sizeof *b);
        if (LAPACKE_dgelsy(LAPACK_ROW_MAJOR, n, n, 1, A, n, b, 1, pivot, 1e-11, &found) == 0)
            rank = (int)found - dense->nv;
        memcpy(vdot, b, (size_t)dense->nv * sizeof *b);
        memcpy(lambda, b + dense->nv, (size_t)dense->m * sizeof *b);
    }
    free(A);
    free(b);
    free(pivot);
    return rank;
}

void dense_times(int m, int n, const double *A, const double *x, double *y)
{
    for (int r = 0; r < m; r++) {
        y[r] = 0;
        for (int c = 0; c < n; c++)
            y[r] += A[r * n + c] * x[c];
    }
}

void dense_constraint_force(const Dense *dense, const double *lambda, double *f)
{
    for (int c = 0; c < dense->nv; c++) {
        f[c] = 0;
        for (int r = 0; r < dense->m; r++)
            f[c] += dense->D[r * dense->nv + c] * lambda[r];
    }
}

double dense_motion_residual(const Dense *dense, const double *vdot, const double *lambda)
{
    double largest = 0;
    for (int r = 0; r < dense->nv; r++) {
        double sum = -dense->Q[r];
        for (int c = 0; c < dense->nv; c++)
            sum += dense->M[r * dense->nv + c] * vdot[c];
        for (int i = 0; i < dense->m; i++)
            sum -= dense->D[i * dense->nv + r] * lambda[i];
        largest = larger(largest, fabs(sum));
    }
    return largest;
}

double dense_row_residual(const Dense *dense, const double *vdot)
{
    double largest = 0;
    for (int r = 0; r < dense->m; r++) {
        double sum = -dense->gamma[r];
        for (int c = 0; c < dense->nv; c++)
            sum += dense->D[r * dense->nv + c] * vdot[c];
        largest = larger(largest, fabs(sum));
    }
    return largest;
}
