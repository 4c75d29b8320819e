/* SPDX-License-Identifier: BSD-3-Clause */
/* Products of small dense blocks stored by columns: column j of an m x n block is A[j * m] ... A[j * m + m - 1].
 *
 * All are forced inline. Called with constant sizes they unroll into straight-line code that keeps a column in
 * registers, as pieces of four, two and one numbers; called with run-time sizes they are ordinary loops. This is what
 * makes block algorithms fast. */
#ifndef HOLON_LINALG_KERNELS_H
#define HOLON_LINALG_KERNELS_H

#define HOL_KERNEL static inline __attribute__((always_inline, unused))

/* A second copy of a hot function for processors with fused multiply-add, chosen when the program starts. Left out
 * where the whole build may use it anyway, and under sanitizers, which do not stand such choices. */
#if defined(__x86_64__) && defined(__linux__) && !defined(__FMA__) && !defined(__SANITIZE_ADDRESS__) &&                \
    !defined(__clang__)
#define HOL_CLONES __attribute__((target_clones("arch=haswell", "default")))
#else
#define HOL_CLONES
#endif

/* Before a loop over constant bounds: unroll it wholly. */
#ifdef __clang__
#define HOL_UNROLL _Pragma("clang loop unroll(full)")
#else
#define HOL_UNROLL _Pragma("GCC unroll 8")
#endif

/* Pieces of a column, at any address. */
typedef double HolFour __attribute__((vector_size(32), aligned(8), may_alias));
typedef double HolTwo __attribute__((vector_size(16), aligned(8), may_alias));

/* A column of m <= 8 numbers in registers; the bits of a constant m say which pieces it has. */
typedef struct HolColumn {
    HolFour first, four; /* first: of eight */
    HolTwo two;
    double one;
} HolColumn;

/* True if the compiler knows m and a column of it fits. */
#define HOL_FITS(m) (__builtin_constant_p(m) && (m) > 0 && (m) <= 8)

/* Where the pieces begin. */
#define HOL_AT_FOUR(m) ((m)&8 ? 4 : 0)
#define HOL_AT_TWO(m) ((m)&4)
#define HOL_HAS_FOUR(m) ((m)&12)

HOL_KERNEL void hol_column_load(int m, const double *x, HolColumn *c)
{
    if (m & 8)
        c->first = *(const HolFour *)(const void *)x;
    if (HOL_HAS_FOUR(m))
        c->four = *(const HolFour *)(const void *)(x + HOL_AT_FOUR(m));
    if (m & 2)
        c->two = *(const HolTwo *)(const void *)(x + HOL_AT_TWO(m));
    if (m & 1)
        c->one = x[m - 1];
}

HOL_KERNEL void hol_column_store(int m, const HolColumn *c, double *x)
{
    if (m & 8)
        *(HolFour *)(void *)x = c->first;
    if (HOL_HAS_FOUR(m))
        *(HolFour *)(void *)(x + HOL_AT_FOUR(m)) = c->four;
    if (m & 2)
        *(HolTwo *)(void *)(x + HOL_AT_TWO(m)) = c->two;
    if (m & 1)
        x[m - 1] = c->one;
}

/* c += a s */
HOL_KERNEL void hol_column_add(int m, const HolColumn *a, double s, HolColumn *c)
{
    if (m & 8)
        c->first += a->first * s;
    if (HOL_HAS_FOUR(m))
        c->four += a->four * s;
    if (m & 2)
        c->two += a->two * s;
    if (m & 1)
        c->one += a->one * s;
}

/* c -= a s */
HOL_KERNEL void hol_column_sub(int m, const HolColumn *a, double s, HolColumn *c)
{
    if (m & 8)
        c->first -= a->first * s;
    if (HOL_HAS_FOUR(m))
        c->four -= a->four * s;
    if (m & 2)
        c->two -= a->two * s;
    if (m & 1)
        c->one -= a->one * s;
}

/* c = a s */
HOL_KERNEL void hol_column_set(int m, const HolColumn *a, double s, HolColumn *c)
{
    if (m & 8)
        c->first = a->first * s;
    if (HOL_HAS_FOUR(m))
        c->four = a->four * s;
    if (m & 2)
        c->two = a->two * s;
    if (m & 1)
        c->one = a->one * s;
}

/* Number i of a column, i known to the compiler. */
HOL_KERNEL double hol_column_get(int m, const HolColumn *c, int i)
{
    if ((m & 8) && i < 4)
        return c->first[i];
    if (HOL_HAS_FOUR(m) && i < HOL_AT_FOUR(m) + 4)
        return c->four[i - HOL_AT_FOUR(m)];
    if ((m & 2) && i < HOL_AT_TWO(m) + 2)
        return c->two[i - HOL_AT_TWO(m)];
    return c->one;
}

HOL_KERNEL void hol_column_put(int m, double x, int i, HolColumn *c)
{
    if ((m & 8) && i < 4)
        c->first[i] = x;
    else if (HOL_HAS_FOUR(m) && i < HOL_AT_FOUR(m) + 4)
        c->four[i - HOL_AT_FOUR(m)] = x;
    else if ((m & 2) && i < HOL_AT_TWO(m) + 2)
        c->two[i - HOL_AT_TWO(m)] = x;
    else
        c->one = x;
}

HOL_KERNEL double hol_column_dot(int m, const HolColumn *a, const HolColumn *b)
{
    double sum = m & 1 ? a->one * b->one : 0;
    if (m & 2) {
        HolTwo two = a->two * b->two;
        sum += two[0] + two[1];
    }
    if (HOL_HAS_FOUR(m)) {
        HolFour four = a->four * b->four;
        if (m & 8)
            four += a->first * b->first;
        sum += (four[0] + four[1]) + (four[2] + four[3]);
    }
    return sum;
}

/* C (m x n) = A B^T with A m x k, B n x k */
HOL_KERNEL void hol_set_product_t(int m, int n, int k, const double *A, const double *B, double *C)
{
    for (int j = 0; j < n; ++j) {
        if (HOL_FITS(m)) {
            HolColumn a, c;
            hol_column_load(m, A, &a);
            hol_column_set(m, &a, B[j], &c);
            for (int p = 1; p < k; ++p) {
                hol_column_load(m, A + p * m, &a);
                hol_column_add(m, &a, B[p * n + j], &c);
            }
            hol_column_store(m, &c, C + j * m);
            continue;
        }
        for (int i = 0; i < m; ++i) {
            double sum = 0;
            for (int p = 0; p < k; ++p)
                sum += A[p * m + i] * B[p * n + j];
            C[j * m + i] = sum;
        }
    }
}

/* C += A B^T */
HOL_KERNEL void hol_add_product_t(int m, int n, int k, const double *A, const double *B, double *C)
{
    for (int j = 0; j < n; ++j) {
        if (HOL_FITS(m)) {
            HolColumn a, c;
            hol_column_load(m, C + j * m, &c);
            for (int p = 0; p < k; ++p) {
                hol_column_load(m, A + p * m, &a);
                hol_column_add(m, &a, B[p * n + j], &c);
            }
            hol_column_store(m, &c, C + j * m);
            continue;
        }
        for (int p = 0; p < k; ++p)
            for (int i = 0; i < m; ++i)
                C[j * m + i] += A[p * m + i] * B[p * n + j];
    }
}

/* C -= A B^T */
HOL_KERNEL void hol_sub_product_t(int m, int n, int k, const double *A, const double *B, double *C)
{
    for (int j = 0; j < n; ++j) {
        if (HOL_FITS(m)) {
            HolColumn a, c;
            hol_column_load(m, C + j * m, &c);
            for (int p = 0; p < k; ++p) {
                hol_column_load(m, A + p * m, &a);
                hol_column_sub(m, &a, B[p * n + j], &c);
            }
            hol_column_store(m, &c, C + j * m);
            continue;
        }
        for (int p = 0; p < k; ++p)
            for (int i = 0; i < m; ++i)
                C[j * m + i] -= A[p * m + i] * B[p * n + j];
    }
}

/* y += A x and y -= A x, with A m x n: products with a block of one row */
HOL_KERNEL void hol_add_times(int m, int n, const double *A, const double *x, double *y)
{
    hol_add_product_t(m, 1, n, A, x, y);
}

HOL_KERNEL void hol_sub_times(int m, int n, const double *A, const double *x, double *y)
{
    hol_sub_product_t(m, 1, n, A, x, y);
}

HOL_KERNEL double hol_dot(int n, const double *x, const double *y)
{
    double sum = x[0] * y[0];
    for (int i = 1; i < n; ++i)
        sum += x[i] * y[i];
    return sum;
}

/* y += A^T x and y -= A^T x, with A m x n */
HOL_KERNEL void hol_add_t_times(int m, int n, const double *A, const double *x, double *y)
{
    for (int j = 0; j < n; ++j)
        y[j] += hol_dot(m, A + j * m, x);
}

HOL_KERNEL void hol_sub_t_times(int m, int n, const double *A, const double *x, double *y)
{
    for (int j = 0; j < n; ++j)
        y[j] -= hol_dot(m, A + j * m, x);
}

#endif
