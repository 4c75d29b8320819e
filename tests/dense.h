/* SPDX-License-Identifier: BSD-3-Clause */
/* The equations of a constrained system as plain dense matrices, solved apart from the library under test.
 *
 *     M vdot - D^T lambda = Q         (1)
 *     D vdot              = gamma     (2) */
#ifndef HOLON_TESTS_DENSE_H
#define HOLON_TESTS_DENSE_H

#include <holon/system.h>

typedef struct Dense {
    int nv, m;
    double *M, *D;           /* nv x nv, m x nv, row-major */
    const double *Q, *gamma; /* of the terms, which must outlive this */
} Dense;

/* Writes the blocks of the terms out; false without memory. */
bool dense_open(const HolTerms *terms, Dense *dense);
void dense_close(Dense *dense);

/* vdot and the shortest lambda of (1), (2), by a complete orthogonal decomposition; the rank of D, or -1. */
int dense_solve(const Dense *dense, double *vdot, double *lambda);

/* The matrix of (1), (2) row by row: nv + m rows and columns. */
void dense_system(const Dense *dense, double *A);

/* y = A x with m rows and n columns */
void dense_times(int m, int n, const double *A, const double *x, double *y);

/* f = D^T lambda, nv numbers */
void dense_constraint_force(const Dense *dense, const double *lambda, double *f);

double dense_motion_residual(const Dense *dense, const double *vdot, const double *lambda); /* max norm of (1) */
double dense_row_residual(const Dense *dense, const double *vdot);                          /* max norm of (2) */

/* NaN if one is met. */
double max_norm(int n, const double *x);
double max_difference(int n, const double *x, const double *y);

#endif
