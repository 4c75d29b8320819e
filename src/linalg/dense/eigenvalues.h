/* SPDX-License-Identifier: BSD-3-Clause */
/* Eigenvalues and eigenvectors of dense matrices, for studies: allocates, calls LAPACK. All matrices are row-major and
 * are destroyed. HOL_NOT_FINITE for a NaN or an infinity in them, HOL_NO_CONVERGENCE, HOL_NO_MEMORY. */
#ifndef HOLON_LINALG_DENSE_EIGENVALUES_H
#define HOLON_LINALG_DENSE_EIGENVALUES_H

#include <holon/status.h>

/* A x = lambda x, A symmetric: lambda ascending; row k of A becomes eigenvector k, x^T x = 1. */
HolStatus hol_eigen_symmetric(int n, double *A, double *lambda);

/* A x = lambda B x, A symmetric, B symmetric and positive definite: the same with x^T B x = 1. HOL_SINGULAR if B is not
 * positive definite. */
HolStatus hol_eigen_definite(int n, double *A, double *B, double *lambda);

/* F x = s E x, any matrices: s = (alpha_re + i alpha_im) / beta, beta 0 where s is infinite. x are n x n, row k belongs
 * to s_k. Where E is well invertible the standard problem of E^-1 F is solved, whose errors are relative to the
 * largest s; where F is, too, the slow half of the s is that of F^-1 E, whose errors are relative to the smallest. QZ
 * where E is not. */
typedef struct HolPencil {
    double *alpha_re, *alpha_im, *beta; /* n */
    double *x_re, *x_im;                /* n x n */
} HolPencil;

HolStatus hol_eigen_pencil(int n, double *F, double *E, const HolPencil *result);

#endif
