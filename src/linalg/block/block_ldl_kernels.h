/* SPDX-License-Identifier: BSD-3-Clause */
/* The numeric part of the block LDL (block_ldl.h), column by column, for callers that add work to the same loop.
 *
 * In the functions below R is the common block size, known to the compiler, or 0: then sizes are read. */
#ifndef HOLON_LINALG_BLOCK_BLOCK_LDL_KERNELS_H
#define HOLON_LINALG_BLOCK_BLOCK_LDL_KERNELS_H

#include "linalg/block/block_ldl.h"
#include "math/kernels.h"

#include <math.h>

/* The scalar part of an elimination: what (1) decides. */
typedef struct HolPivots {
    double tolerance, smallest;
    int left_out;
    bool finite;
} HolPivots;

/* Just below one, where d = S_ii passes and an infinite one does not. */
#define HOL_LARGEST_PIVOT (1 - 0x1p-53)

HOL_KERNEL HolPivots hol_pivots_begin(double tolerance)
{
    return (HolPivots){tolerance, HOL_LARGEST_PIVOT, 0, true};
}

HOL_KERNEL void hol_pivots_end(const HolPivots *pivots, HolBlockLdl *ldl)
{
    ldl->rank = ldl->n - pivots->left_out;
    ldl->pivot = pivots->smallest < HOL_LARGEST_PIVOT ? pivots->smallest : 1;
    ldl->finite = pivots->finite;
}

/* Most pivots are not the smallest so far, so that one comparison does. Nothing is larger than a NaN. */
HOL_KERNEL double hol_invert_pivot(HolPivots *pivots, double d, double reference)
{
    if (__builtin_expect(!(d > pivots->smallest * reference), 0)) {
        if (!(d > pivots->tolerance * reference)) {
            ++pivots->left_out;
            pivots->finite = pivots->finite && isfinite(d);
            return 0;
        }
        if (d < pivots->smallest * reference)
            pivots->smallest = d / reference;
    }
    return 1 / d;
}

/* Stores the assembled diagonal of a block, the reference of its pivots. */
HOL_KERNEL void hol_remember_diagonal(int r, const double *A, double *reference)
{
    HOL_UNROLL
    for (int i = 0; i < r; ++i)
        reference[i] = A[i * (r + 1)];
}

/* Sets the reference to infinity for rows to leave out. */
HOL_KERNEL void hol_leave_out(int r, const unsigned char *left_out, double *reference)
{
    for (int i = 0; i < r; ++i)
        if (left_out[i])
            reference[i] = INFINITY;
}

/* A diagonal block in place, its columns in registers: below the diagonal the unit lower L, 1/d in d_inverse. The
 * part above the diagonal is never read. */
HOL_KERNEL void hol_factor_diagonal_fixed(int r, double *A, const double *reference, double *d_inverse,
                                          HolPivots *pivots)
{
    HolColumn c[8], l;
    HOL_UNROLL
    for (int j = 0; j < r; ++j)
        hol_column_load(r, A + j * r, &c[j]);
    HOL_UNROLL
    for (int j = 0; j < r; ++j) {
        double inverse = hol_invert_pivot(pivots, hol_column_get(r, &c[j], j), reference[j]);
        d_inverse[j] = inverse;
        hol_column_set(r, &c[j], inverse, &l);
        hol_column_store(r, &l, A + j * r);
        HOL_UNROLL
        for (int k = j + 1; k < r; ++k)
            hol_column_sub(r, &c[j], A[j * r + k], &c[k]);
    }
}

HOL_KERNEL void hol_factor_diagonal(int r, double *A, const double *reference, double *d_inverse, HolPivots *pivots)
{
    if (HOL_FITS(r)) {
        hol_factor_diagonal_fixed(r, A, reference, d_inverse, pivots);
        return;
    }
    for (int j = 0; j < r; ++j) {
        double inverse = hol_invert_pivot(pivots, A[j * r + j], reference[j]);
        d_inverse[j] = inverse;
        for (int k = j + 1; k < r; ++k) {
            double l = A[j * r + k] * inverse;
            for (int i = k; i < r; ++i)
                A[k * r + i] -= l * A[j * r + i];
        }
        for (int i = j; i < r; ++i)
            A[j * r + i] *= inverse;
    }
}

/* B (s x r) below the diagonal block L: Y = B L^-T, which is B's part of L times diag(d); then B = Y diag(1/d). */
HOL_KERNEL void hol_factor_entry(int s, int r, const double *L, const double *d_inverse, double *B, double *Y)
{
    if (HOL_FITS(s) && HOL_FITS(r)) {
        HolColumn y[8], b;
        HOL_UNROLL
        for (int j = 0; j < r; ++j) {
            hol_column_load(s, B + j * s, &y[j]);
            HOL_UNROLL
            for (int p = 0; p < j; ++p)
                hol_column_sub(s, &y[p], L[p * r + j], &y[j]);
            hol_column_store(s, &y[j], Y + j * s);
            hol_column_set(s, &y[j], d_inverse[j], &b);
            hol_column_store(s, &b, B + j * s);
        }
        return;
    }
    for (int j = 0; j < r; ++j)
        for (int i = 0; i < s; ++i) {
            double sum = B[j * s + i];
            for (int p = 0; p < j; ++p)
                sum -= Y[p * s + i] * L[p * r + j];
            Y[j * s + i] = sum;
            B[j * s + i] = sum * d_inverse[j];
        }
}

/* The same as below for a column with runs. */
HOL_KERNEL void hol_update_runs(const HolBlockLdl *ldl, const HolLdlColumn *c, int R)
{
    int r = R ? R : c->size;
    const double *Y = ldl->scratch;
    for (const HolLdlEntry *e = c->below; e < c->below_end; ++e) {
        int s = R ? R : e->size;
        for (const HolLdlEntry *f = c->below; f < e; ++f)
            hol_sub_product_t(s, R ? R : f->size, r, Y, f->L, c->runs[f - c->below][e - f - 1].L);
        hol_sub_square(s, r, Y, e->L, ldl->columns[e->row].L);
        Y += s * r;
    }
}

/* Subtracts column c from the remaining matrix: S_ef -= Y_e L_f^T for all its entries e >= f. */
HOL_KERNEL double *const *hol_update(const HolBlockLdl *ldl, const HolLdlColumn *c, int R, double *const *target)
{
    int r = R ? R : c->size;
    const double *Y = ldl->scratch;
    if (c->runs) {
        hol_update_runs(ldl, c, R);
        return target;
    }
    for (const HolLdlEntry *e = c->below; e < c->below_end; ++e) {
        int s = R ? R : e->size;
        for (const HolLdlEntry *f = c->below; f < e; ++f)
            hol_sub_product_t(s, R ? R : f->size, r, Y, f->L, *target++);
        hol_sub_square(s, r, Y, e->L, *target++);
        Y += s * r;
    }
    return target;
}

/* Whether all rows of a block are left out. Then its column of L is zero, and nobody reads what is below the diagonal:
 * where hundreds of joints repeat each other, work is in proportion to the rows kept. */
HOL_KERNEL bool hol_is_left_out(int r, const double *d_inverse)
{
    for (int i = 0; i < r; ++i)
        if (d_inverse[i] != 0)
            return false;
    return true;
}

/* Eliminates column c, whose references are set. Its updates go to target; returns the target of the next column. */
HOL_KERNEL double *const *hol_eliminate(const HolBlockLdl *ldl, const HolLdlColumn *c, int R, HolPivots *pivots,
                                        double *const *target)
{
    int r = R ? R : c->size;
    double *Y = ldl->scratch;
    hol_factor_diagonal(r, c->L, c->reference, c->d_inverse, pivots);
    if (hol_is_left_out(r, c->d_inverse))
        return target + hol_ldl_update_count(c);
    for (const HolLdlEntry *e = c->below; e < c->below_end; ++e) {
        int s = R ? R : e->size;
        hol_factor_entry(s, r, c->L, c->d_inverse, e->L, Y);
        Y += s * r;
    }
    return hol_update(ldl, c, R, target);
}

/* x <- L^-1 x with the unit lower L of a diagonal block, and x <- L^-T x. */
HOL_KERNEL void hol_solve_diagonal(int r, const double *L, double *x)
{
    HolColumn l, c;
    if (HOL_FITS(r)) {
        hol_column_load(r, x, &c);
        HOL_UNROLL
        for (int j = 0; j + 1 < r; ++j) {
            x[j] = hol_column_get(r, &c, j); /* done; what the next line makes of it is never read */
            hol_column_load(r, L + j * r, &l);
            hol_column_sub(r, &l, x[j], &c);
        }
        x[r - 1] = hol_column_get(r, &c, r - 1);
        return;
    }
    for (int j = 0; j < r; ++j)
        for (int i = j + 1; i < r; ++i)
            x[i] -= L[j * r + i] * x[j];
}

HOL_KERNEL void hol_solve_diagonal_transposed(int r, const double *L, double *x)
{
    HolColumn c = {.one = 0};
    double y[8];
    if (HOL_FITS(r)) {
        HOL_UNROLL
        for (int j = r - 1; j >= 0; --j) {
            y[j] = x[j];
            HOL_UNROLL
            for (int i = r - 1; i > j; --i)
                y[j] -= L[j * r + i] * y[i];
        }
        hol_column_gather(r, y, 1, &c); /* stored as one vector, so that the next load need not wait */
        hol_column_store(r, &c, x);
        return;
    }
    for (int j = r - 2; j >= 0; --j)
        for (int i = j + 1; i < r; ++i)
            x[j] -= L[j * r + i] * x[i];
}

HOL_KERNEL void hol_forward(const HolLdlColumn *c, int R, double *x)
{
    int r = R ? R : c->size;
    double *x_c = x + c->start;
    hol_solve_diagonal(r, c->L, x_c);
    if (hol_is_left_out(r, c->d_inverse))
        return;
    for (const HolLdlEntry *e = c->below; e < c->below_end; ++e)
        hol_sub_times(R ? R : e->size, r, e->L, x_c, x + e->start);
}

/* All columns: x <- L^-T diag(1/d) x */
HOL_KERNEL void hol_backward(const HolBlockLdl *ldl, int R, double *x)
{
    for (const HolLdlColumn *c = ldl->columns + ldl->count - 1; c >= ldl->columns; --c) {
        int r = R ? R : c->size;
        double *x_c = x + c->start;
        HOL_UNROLL
        for (int i = 0; i < r; ++i)
            x_c[i] *= c->d_inverse[i];
        if (hol_is_left_out(r, c->d_inverse))
            continue;
        for (const HolLdlEntry *e = c->below; e < c->below_end; ++e)
            hol_sub_t_times(R ? R : e->size, r, e->L, x + e->start, x_c);
        hol_solve_diagonal_transposed(r, c->L, x_c);
    }
}

#endif
