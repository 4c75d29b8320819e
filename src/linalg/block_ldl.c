/* SPDX-License-Identifier: BSD-3-Clause */
#include "linalg/block_ldl.h"

#include "linalg/kernels.h"

#include <math.h>

/* In the functions below R is the common block size, known to the compiler, or 0: then sizes are read. */

HOL_KERNEL void remember_diagonal(HolBlockLdl *ldl, int R)
{
    for (const HolLdlColumn *c = ldl->columns; c < ldl->columns + ldl->count; ++c) {
        int r = R ? R : c->size;
        for (int i = 0; i < r; ++i)
            ldl->reference[c->start + i] = ldl->L[c->diagonal + i * (r + 1)];
    }
}

/* The scalar part of an elimination: what (1) decides. */
typedef struct Pivots {
    double tolerance, smallest;
    int rank;
} Pivots;

HOL_KERNEL double invert_pivot(Pivots *pivots, double d, double reference, bool left_out)
{
    if (!(d > pivots->tolerance * reference) || left_out)
        return 0;
    ++pivots->rank;
    if (d < pivots->smallest * reference)
        pivots->smallest = d / reference;
    return 1 / d;
}

/* A diagonal block in place, its columns in registers: below the diagonal the unit lower L, 1/d in d_inverse. What
 * stands above the diagonal is never read. */
HOL_KERNEL void factor_diagonal_fixed(int r, double *A, const double *reference, const unsigned char *left_out,
                                      double *d_inverse, Pivots *pivots)
{
    HolColumn c[8], l;
    HOL_UNROLL
    for (int j = 0; j < r; ++j)
        hol_column_load(r, A + j * r, &c[j]);
    HOL_UNROLL
    for (int j = 0; j < r; ++j) {
        double inverse = invert_pivot(pivots, hol_column_get(r, &c[j], j), reference[j], left_out && left_out[j]);
        d_inverse[j] = inverse;
        hol_column_set(r, &c[j], inverse, &l);
        hol_column_store(r, &l, A + j * r);
        HOL_UNROLL
        for (int k = j + 1; k < r; ++k)
            hol_column_sub(r, &c[j], A[j * r + k], &c[k]);
    }
}

HOL_KERNEL void factor_diagonal(int r, double *A, const double *reference, const unsigned char *left_out,
                                double *d_inverse, Pivots *pivots)
{
    if (HOL_FITS(r)) {
        factor_diagonal_fixed(r, A, reference, left_out, d_inverse, pivots);
        return;
    }
    for (int j = 0; j < r; ++j) {
        double inverse = invert_pivot(pivots, A[j * r + j], reference[j], left_out && left_out[j]);
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
HOL_KERNEL void factor_entry(int s, int r, const double *L, const double *d_inverse, double *B, double *Y)
{
    HolColumn y[8], b;
    for (int j = 0; j < r && HOL_FITS(s) && HOL_FITS(r); ++j) {
        hol_column_load(s, B + j * s, &y[j]);
        for (int p = 0; p < j; ++p)
            hol_column_sub(s, &y[p], L[p * r + j], &y[j]);
        hol_column_store(s, &y[j], Y + j * s);
        hol_column_set(s, &y[j], d_inverse[j], &b);
        hol_column_store(s, &b, B + j * s);
    }
    for (int j = 0; j < r && !(HOL_FITS(s) && HOL_FITS(r)); ++j)
        for (int i = 0; i < s; ++i) {
            double sum = B[j * s + i];
            for (int p = 0; p < j; ++p)
                sum -= Y[p * s + i] * L[p * r + j];
            Y[j * s + i] = sum;
            B[j * s + i] = sum * d_inverse[j];
        }
}

/* What column c takes away from the rest: S_ef -= Y_e L_f^T for all its entries e >= f. */
HOL_KERNEL const int *update(HolBlockLdl *ldl, const HolLdlColumn *c, int R, const int *target)
{
    int r = R ? R : c->size;
    double *L = ldl->L, *Y = ldl->scratch;
    for (int e = c->entries; e < c->end; ++e) {
        int s = R ? R : ldl->entries[e].size;
        for (int f = c->entries; f <= e; ++f) {
            const HolLdlEntry *other = &ldl->entries[f];
            hol_sub_product_t(s, R ? R : other->size, r, Y, L + other->value, L + *target++);
        }
        Y += s * r;
    }
    return target;
}

HOL_KERNEL void eliminate(HolBlockLdl *ldl, int R, double tolerance, const unsigned char *left_out)
{
    Pivots pivots = {tolerance, 1, 0};
    const int *target = ldl->target;
    remember_diagonal(ldl, R);
    for (const HolLdlColumn *c = ldl->columns; c < ldl->columns + ldl->count; ++c) {
        int r = R ? R : c->size;
        double *A = ldl->L + c->diagonal, *d_inverse = ldl->d_inverse + c->start, *Y = ldl->scratch;
        factor_diagonal(r, A, ldl->reference + c->start, left_out ? left_out + c->start : NULL, d_inverse, &pivots);
        for (const HolLdlEntry *e = ldl->entries + c->entries; e < ldl->entries + c->end; ++e) {
            int s = R ? R : e->size;
            factor_entry(s, r, A, d_inverse, ldl->L + e->value, Y);
            Y += s * r;
        }
        target = update(ldl, c, R, target);
    }
    ldl->rank = pivots.rank;
    ldl->pivot = pivots.smallest;
}

/* x <- L^-1 x with the unit lower L of a diagonal block, and x <- L^-T x. */
HOL_KERNEL void solve_diagonal(int r, const double *L, double *x)
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

HOL_KERNEL void solve_diagonal_transposed(int r, const double *L, double *x)
{
    HolColumn l, c = {.one = 0};
    if (HOL_FITS(r)) {
        HOL_UNROLL
        for (int j = r - 1; j >= 0; --j) { /* what is not yet known stands in c as zero */
            hol_column_load(r, L + j * r, &l);
            hol_column_put(r, x[j] - hol_column_dot(r, &l, &c), j, &c);
        }
        hol_column_store(r, &c, x);
        return;
    }
    for (int j = r - 2; j >= 0; --j)
        for (int i = j + 1; i < r; ++i)
            x[j] -= L[j * r + i] * x[i];
}

HOL_KERNEL void forward(const HolBlockLdl *ldl, int R, double *x)
{
    for (const HolLdlColumn *c = ldl->columns; c < ldl->columns + ldl->count; ++c) {
        int r = R ? R : c->size;
        double *x_c = x + c->start;
        solve_diagonal(r, ldl->L + c->diagonal, x_c);
        for (const HolLdlEntry *e = ldl->entries + c->entries; e < ldl->entries + c->end; ++e)
            hol_sub_times(R ? R : e->size, r, ldl->L + e->value, x_c, x + e->start);
    }
}

HOL_KERNEL void backward(const HolBlockLdl *ldl, int R, double *x)
{
    for (const HolLdlColumn *c = ldl->columns + ldl->count - 1; c >= ldl->columns; --c) {
        int r = R ? R : c->size;
        const double *d_inverse = ldl->d_inverse + c->start;
        double *x_c = x + c->start;
        for (int i = 0; i < r; ++i)
            x_c[i] *= d_inverse[i];
        for (const HolLdlEntry *e = ldl->entries + c->entries; e < ldl->entries + c->end; ++e)
            hol_sub_t_times(R ? R : e->size, r, ldl->L + e->value, x + e->start, x_c);
        solve_diagonal_transposed(r, ldl->L + c->diagonal, x_c);
    }
}

#define SIZED(R)                                                                                                       \
    HOL_CLONES static void eliminate_##R(HolBlockLdl *ldl, double tolerance, const unsigned char *left_out)            \
    {                                                                                                                  \
        eliminate(ldl, R, tolerance, left_out);                                                                        \
    }                                                                                                                  \
    HOL_CLONES static void substitute_##R(const HolBlockLdl *ldl, double *x)                                           \
    {                                                                                                                  \
        forward(ldl, R, x);                                                                                            \
        backward(ldl, R, x);                                                                                           \
    }
SIZED(0)
SIZED(1)
SIZED(2)
SIZED(3)
SIZED(4)
SIZED(5)
SIZED(6)
SIZED(7)
SIZED(8)

void hol_ldl_choose_kernels(HolBlockLdl *ldl, int size)
{
    static const struct {
        void (*eliminate)(HolBlockLdl *ldl, double tolerance, const unsigned char *left_out);
        void (*substitute)(const HolBlockLdl *ldl, double *x);
    } copies[] = {{eliminate_0, substitute_0}, {eliminate_1, substitute_1}, {eliminate_2, substitute_2},
                  {eliminate_3, substitute_3}, {eliminate_4, substitute_4}, {eliminate_5, substitute_5},
                  {eliminate_6, substitute_6}, {eliminate_7, substitute_7}, {eliminate_8, substitute_8}};
    int known = size < (int)(sizeof copies / sizeof *copies) ? size : 0;
    ldl->eliminate = copies[known].eliminate;
    ldl->substitute = copies[known].substitute;
}

HolStatus hol_ldl_factor(HolBlockLdl *ldl, double tolerance, const unsigned char *left_out)
{
    ldl->eliminate(ldl, tolerance, left_out);
    if (ldl->rank == ldl->n)
        return HOL_OK;
    for (const HolLdlColumn *c = ldl->columns; c < ldl->columns + ldl->count; ++c)
        for (int i = 0; i < c->size; ++i)
            if (isnan(ldl->L[c->diagonal + i * (c->size + 1)])) /* no NaN is larger than anything, so it is left out */
                return HOL_NOT_FINITE;
    return HOL_OK;
}

void hol_ldl_solve(const HolBlockLdl *ldl, double *x)
{
    ldl->substitute(ldl, x);
}
