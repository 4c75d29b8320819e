/* SPDX-License-Identifier: BSD-3-Clause */
#include "linalg/block_ldl.h"

#include "linalg/kernels.h"

#include <math.h>
#include <string.h>

/* In the functions below R is the common block size, known to the compiler, or 0: then sizes are read. */
HOL_KERNEL int size_of(const HolBlockLdl *ldl, int k, int R)
{
    return R ? R : ldl->size[k];
}

static void remember_diagonal(HolBlockLdl *ldl)
{
    for (int k = 0; k < ldl->count; ++k)
        for (int i = 0; i < ldl->size[k]; ++i)
            ldl->reference[ldl->start[k] + i] = ldl->L[ldl->diagonal[k] + i * (ldl->size[k] + 1)];
}

/* A small r x r block in place: unit lower L, with 1/d in d_inverse; (1) leaves rows out. */
HOL_KERNEL void factor_diagonal(HolBlockLdl *ldl, int k, int r, double tolerance, const unsigned char *left_out)
{
    double *A = ldl->L + ldl->diagonal[k];
    double *d_inverse = ldl->d_inverse + ldl->start[k];
    const double *reference = ldl->reference + ldl->start[k];
    for (int j = 0; j < r; ++j) {
        double d = A[j * r + j], ratio = d / reference[j];
        bool keep = ratio > tolerance && !(left_out && left_out[ldl->start[k] + j]);
        double inverse = keep ? 1.0 / d : 0.0;
        d_inverse[j] = inverse;
        ldl->rank += keep;
        if (keep && ratio < ldl->pivot)
            ldl->pivot = ratio;
        for (int i = j + 1; i < r; ++i) {
            double l = A[i * r + j] * inverse;
            for (int p = j + 1; p <= i; ++p)
                A[i * r + p] -= l * A[p * r + j];
        }
        for (int i = j + 1; i < r; ++i)
            A[i * r + j] *= inverse;
    }
}

/* B (s x r) holds a block below the diagonal block L: Y = B L^-T = (block of L) diag(d), then B = Y diag(1/d). */
HOL_KERNEL void factor_entry(int s, int r, const double *L, const double *d_inverse, double *restrict B,
                             double *restrict Y)
{
    for (int i = 0; i < s; ++i) {
        for (int j = 0; j < r; ++j) {
            double y = B[i * r + j];
            for (int p = 0; p < j; ++p)
                y -= Y[i * r + p] * L[j * r + p];
            Y[i * r + j] = y;
        }
        for (int j = 0; j < r; ++j)
            B[i * r + j] = Y[i * r + j] * d_inverse[j];
    }
}

/* What column k takes away from the rest: S_ij -= Y_ik L_jk^T for all entries i >= j of the column. */
HOL_KERNEL const int *update(HolBlockLdl *ldl, int k, int R, const int *target)
{
    int r = size_of(ldl, k, R);
    double *Y = ldl->scratch;
    for (int e = ldl->column[k]; e < ldl->column[k + 1]; ++e) {
        int s = size_of(ldl, ldl->row[e], R);
        for (int f = ldl->column[k]; f < e; ++f)
            hol_sub_product_t(s, size_of(ldl, ldl->row[f], R), r, Y, ldl->L + ldl->entry[f], ldl->L + *target++);
        hol_sub_product_t_lower(s, r, Y, ldl->L + ldl->entry[e], ldl->L + *target++);
        Y += s * r;
    }
    return target;
}

HOL_KERNEL void factor(HolBlockLdl *ldl, int R, double tolerance, const unsigned char *left_out)
{
    const int *target = ldl->target;
    for (int k = 0; k < ldl->count; ++k) {
        int r = size_of(ldl, k, R);
        factor_diagonal(ldl, k, r, tolerance, left_out);
        double *Y = ldl->scratch;
        for (int e = ldl->column[k]; e < ldl->column[k + 1]; ++e) {
            int s = size_of(ldl, ldl->row[e], R);
            factor_entry(s, r, ldl->L + ldl->diagonal[k], ldl->d_inverse + ldl->start[k], ldl->L + ldl->entry[e], Y);
            Y += s * r;
        }
        target = update(ldl, k, R, target);
    }
}

HolStatus hol_ldl_factor(HolBlockLdl *ldl, double tolerance, const unsigned char *left_out)
{
    remember_diagonal(ldl);
    ldl->rank = 0;
    ldl->pivot = 1;
    switch (ldl->uniform) {
    case 1: factor(ldl, 1, tolerance, left_out); break;
    case 2: factor(ldl, 2, tolerance, left_out); break;
    case 3: factor(ldl, 3, tolerance, left_out); break;
    case 5: factor(ldl, 5, tolerance, left_out); break;
    case 6: factor(ldl, 6, tolerance, left_out); break;
    default: factor(ldl, 0, tolerance, left_out);
    }
    for (int i = 0; i < ldl->n; ++i)
        if (isnan(ldl->reference[i]))
            return HOL_NOT_FINITE;
    return HOL_OK;
}

HOL_KERNEL void forward(const HolBlockLdl *ldl, int R, double *x)
{
    for (int k = 0; k < ldl->count; ++k) {
        int r = size_of(ldl, k, R);
        const double *L = ldl->L + ldl->diagonal[k];
        double *x_k = x + ldl->start[k];
        for (int i = 1; i < r; ++i)
            x_k[i] -= hol_dot(i, L + i * r, x_k);
        for (int e = ldl->column[k]; e < ldl->column[k + 1]; ++e)
            hol_sub_times(size_of(ldl, ldl->row[e], R), r, ldl->L + ldl->entry[e], x_k, x + ldl->start[ldl->row[e]]);
    }
}

HOL_KERNEL void backward(const HolBlockLdl *ldl, int R, double *x)
{
    for (int k = ldl->count - 1; k >= 0; --k) {
        int r = size_of(ldl, k, R);
        const double *L = ldl->L + ldl->diagonal[k];
        double *x_k = x + ldl->start[k];
        for (int i = 0; i < r; ++i)
            x_k[i] *= ldl->d_inverse[ldl->start[k] + i];
        for (int e = ldl->column[k]; e < ldl->column[k + 1]; ++e)
            hol_sub_t_times(size_of(ldl, ldl->row[e], R), r, ldl->L + ldl->entry[e], x + ldl->start[ldl->row[e]], x_k);
        for (int i = r - 1; i > 0; --i)
            for (int j = 0; j < i; ++j)
                x_k[j] -= L[i * r + j] * x_k[i];
    }
}

HOL_KERNEL void solve(const HolBlockLdl *ldl, int R, double *x)
{
    forward(ldl, R, x);
    backward(ldl, R, x);
}

void hol_ldl_solve(const HolBlockLdl *ldl, double *x)
{
    switch (ldl->uniform) {
    case 1: solve(ldl, 1, x); break;
    case 2: solve(ldl, 2, x); break;
    case 3: solve(ldl, 3, x); break;
    case 5: solve(ldl, 5, x); break;
    case 6: solve(ldl, 6, x); break;
    default: solve(ldl, 0, x);
    }
}

void hol_ldl_clear(HolBlockLdl *ldl)
{
    memset(ldl->L, 0, (size_t)ldl->values * sizeof *ldl->L);
}
