/* SPDX-License-Identifier: BSD-3-Clause */
/* Products of small dense blocks stored by columns: column j of an m x n block is A[j * m] ... A[j * m + m - 1].
 *
 * All are forced inline. Called with constant sizes they unroll into straight-line code that keeps a column in
 * registers, as pieces of four, two and one numbers; called with run-time sizes they are ordinary loops. This is what
 * makes block algorithms fast. */
#ifndef HOLON_MATH_KERNELS_H
#define HOLON_MATH_KERNELS_H

#include <stdbool.h>

/* Not under sanitizers, where straight-line code of checks for each size would take a minute to compile. */
#ifdef __SANITIZE_ADDRESS__
#define HOL_KERNEL static inline __attribute__((unused))
#else
#define HOL_KERNEL static inline __attribute__((always_inline, unused))
#endif

/* A second copy of a hot function for processors with AVX2 and fused multiply-add, chosen when the program starts: by
 * what the processor can do, while "arch=haswell" would ask for its name and miss all that gcc does not know. Left out
 * where the whole build may use it anyway, where all processors shall give the same bits, and under sanitizers, which
 * do not support them. */
#if defined(__x86_64__) && defined(__linux__) && !defined(__FMA__) && !defined(HOLON_REPRODUCIBLE) &&                  \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(__clang__)
#define HOL_CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define HOL_CLONES
#endif

/* Before a loop that has constant bounds when the sizes are: unroll it wholly. Clang does so by itself, and complains
 * where it cannot. */
#if defined(__clang__) || defined(__SANITIZE_ADDRESS__)
#define HOL_UNROLL
#else
#define HOL_UNROLL _Pragma("GCC unroll 8")
#endif

/* gcc 12 would turn straight-line code on few numbers into vectors that are put together and taken apart again; what
 * is worth it is written as columns below. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__)
#pragma GCC optimize("no-tree-vectorize")
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized" /* it does not see that columns are read as they were written */
#endif

/* Pieces of a column, at any address. */
typedef double HolFour __attribute__((vector_size(32), aligned(8)));
typedef double HolTwo __attribute__((vector_size(16), aligned(8)));

/* A column of m <= 8 numbers in registers. The bits of a constant m say which pieces it has; fewer than four numbers
 * stay single, because then products with them need no shuffling. */
typedef struct HolColumn {
    HolFour first, four; /* first: of eight */
    HolTwo two;
    double one;
    double single[3];
} HolColumn;

/* True if the compiler knows m and a column of it fits. Sums of columns have another order than loops, and what a
 * compiler knows depends on how it optimises: where all builds shall give the same bits, every m that fits will do. */
#ifdef HOLON_REPRODUCIBLE
#define HOL_FITS(m) ((m) > 0 && (m) <= 8)
#else
#define HOL_FITS(m) (__builtin_constant_p(m) && (m) > 0 && (m) <= 8)
#endif

/* Which pieces there are, and where they begin. */
#define HOL_SINGLE(m) ((m) < 4 ? (m) : 0)
#define HOL_AT_FOUR(m) ((m)&8 ? 4 : 0)
#define HOL_AT_TWO(m) ((m)&4)
#define HOL_HAS_FOUR(m) ((m)&12)
#define HOL_HAS_TWO(m) ((m) > 4 && ((m)&2))
#define HOL_HAS_ONE(m) ((m) > 4 && ((m)&1))

/* Does to each piece what one line says, to the single numbers with i = 0, 1, 2. */
#define HOL_EACH_PIECE(m, FIRST, FOUR, TWO, ONE, SINGLE)                                                               \
    do {                                                                                                               \
        if ((m)&8)                                                                                                     \
            FIRST;                                                                                                     \
        if (HOL_HAS_FOUR(m))                                                                                           \
            FOUR;                                                                                                      \
        if (HOL_HAS_TWO(m))                                                                                            \
            TWO;                                                                                                       \
        if (HOL_HAS_ONE(m))                                                                                            \
            ONE;                                                                                                       \
        HOL_IF_SINGLE(m, 0, SINGLE);                                                                                   \
        HOL_IF_SINGLE(m, 1, SINGLE);                                                                                   \
        HOL_IF_SINGLE(m, 2, SINGLE);                                                                                   \
    } while (0)
#define HOL_IF_SINGLE(m, number, SINGLE)                                                                               \
    do {                                                                                                               \
        enum { i = number };                                                                                           \
        if (HOL_SINGLE(m) > i)                                                                                         \
            SINGLE;                                                                                                    \
    } while (0)

/* The same line for all pieces, P standing for the piece. */
#define HOL_EACH(m, LINE) HOL_EACH_PIECE(m, LINE(first), LINE(four), LINE(two), LINE(one), LINE(single[i]))

HOL_KERNEL void hol_column_load(int m, const double *x, HolColumn *c)
{
    HOL_EACH_PIECE(m, c->first = *(const HolFour *)(const void *)x,
                   c->four = *(const HolFour *)(const void *)(x + HOL_AT_FOUR(m)),
                   c->two = *(const HolTwo *)(const void *)(x + HOL_AT_TWO(m)), c->one = x[m - 1], c->single[i] = x[i]);
}

HOL_KERNEL void hol_column_store(int m, const HolColumn *c, double *x)
{
    HOL_EACH_PIECE(m, *(HolFour *)(void *)x = c->first, *(HolFour *)(void *)(x + HOL_AT_FOUR(m)) = c->four,
                   *(HolTwo *)(void *)(x + HOL_AT_TWO(m)) = c->two, x[m - 1] = c->one, x[i] = c->single[i]);
}

/* Gathers from a column of a block stored by rows. */
HOL_KERNEL void hol_column_gather(int m, const double *x, int stride, HolColumn *c)
{
    const double *four = x + HOL_AT_FOUR(m) * stride, *two = x + HOL_AT_TWO(m) * stride;
    HOL_EACH_PIECE(m, c->first = ((HolFour){x[0], x[stride], x[2 * stride], x[3 * stride]}),
                   c->four = ((HolFour){four[0], four[stride], four[2 * stride], four[3 * stride]}),
                   c->two = ((HolTwo){two[0], two[stride]}), c->one = x[(m - 1) * stride],
                   c->single[i] = x[i * stride]);
}

HOL_KERNEL HolTwo hol_two_at(const double *x)
{
    return *(const HolTwo *)(const void *)x;
}

HOL_KERNEL void hol_put_four(HolFour four, double *x)
{
    *(HolFour *)(void *)x = four;
}

/* Four rows of two numbers, turned. */
HOL_KERNEL void hol_gather_fours(const double *x, int stride, HolFour *c0, HolFour *c1)
{
    HolFour even = __builtin_shufflevector(hol_two_at(x), hol_two_at(x + 2 * stride), 0, 1, 2, 3);
    HolFour odd = __builtin_shufflevector(hol_two_at(x + stride), hol_two_at(x + 3 * stride), 0, 1, 2, 3);
    *c0 = __builtin_shufflevector(even, odd, 0, 4, 2, 6);
    *c1 = __builtin_shufflevector(even, odd, 1, 5, 3, 7);
}

/* Two neighbouring columns of a block stored by rows. */
HOL_KERNEL void hol_column_gather_two(int m, const double *x, int stride, HolColumn *c0, HolColumn *c1)
{
    if (m & 8)
        hol_gather_fours(x, stride, &c0->first, &c1->first);
    if (HOL_HAS_FOUR(m))
        hol_gather_fours(x + HOL_AT_FOUR(m) * stride, stride, &c0->four, &c1->four);
    if (HOL_HAS_TWO(m)) {
        HolTwo row0 = hol_two_at(x + HOL_AT_TWO(m) * stride), row1 = hol_two_at(x + (HOL_AT_TWO(m) + 1) * stride);
        c0->two = __builtin_shufflevector(row0, row1, 0, 2);
        c1->two = __builtin_shufflevector(row0, row1, 1, 3);
    }
    if (HOL_HAS_ONE(m)) {
        c0->one = x[(m - 1) * stride];
        c1->one = x[(m - 1) * stride + 1];
    }
    if (HOL_SINGLE(m)) {
        hol_column_gather(m, x, stride, c0);
        hol_column_gather(m, x + 1, stride, c1);
    }
}

/* c = 0 */
HOL_KERNEL void hol_column_clear(int m, HolColumn *c)
{
    HOL_EACH_PIECE(m, c->first = (HolFour){0}, c->four = (HolFour){0}, c->two = (HolTwo){0}, c->one = 0,
                   c->single[i] = 0);
}

/* c += a s */
HOL_KERNEL void hol_column_add(int m, const HolColumn *a, double s, HolColumn *c)
{
#define HOL_LINE(P) c->P += a->P * s
    HOL_EACH(m, HOL_LINE);
#undef HOL_LINE
}

/* c -= a s */
HOL_KERNEL void hol_column_sub(int m, const HolColumn *a, double s, HolColumn *c)
{
#define HOL_LINE(P) c->P -= a->P * s
    HOL_EACH(m, HOL_LINE);
#undef HOL_LINE
}

/* c = a s */
HOL_KERNEL void hol_column_set(int m, const HolColumn *a, double s, HolColumn *c)
{
#define HOL_LINE(P) c->P = a->P * s
    HOL_EACH(m, HOL_LINE);
#undef HOL_LINE
}

/* c = a b, number by number */
HOL_KERNEL void hol_column_scale(int m, const HolColumn *a, const HolColumn *b, HolColumn *c)
{
#define HOL_LINE(P) c->P = a->P * b->P
    HOL_EACH(m, HOL_LINE);
#undef HOL_LINE
}

/* Number i of a column, i known to the compiler. */
HOL_KERNEL double hol_column_get(int m, const HolColumn *c, int i)
{
    if (HOL_SINGLE(m))
        return c->single[i];
    if ((m & 8) && i < 4)
        return c->first[i];
    if (HOL_HAS_FOUR(m) && i < HOL_AT_FOUR(m) + 4)
        return c->four[i - HOL_AT_FOUR(m)];
    if (HOL_HAS_TWO(m) && i < HOL_AT_TWO(m) + 2)
        return c->two[i - HOL_AT_TWO(m)];
    return c->one;
}

HOL_KERNEL double hol_column_dot(int m, const HolColumn *a, const HolColumn *b)
{
    double sum = 0;
    HolFour four = {0};
    HolTwo two = {0};
    HOL_EACH_PIECE(m, four = a->first * b->first, four = m & 8 ? four + a->four * b->four : a->four * b->four,
                   two = a->two * b->two, sum = a->one * b->one,
                   sum = i > 0 ? sum + a->single[i] * b->single[i] : a->single[i] * b->single[i]);
    if (HOL_HAS_TWO(m))
        sum += two[0] + two[1];
    if (HOL_HAS_FOUR(m))
        sum += (four[0] + four[1]) + (four[2] + four[3]);
    return sum;
}

/* C (m x n) = A B^T with A m x k, B n x k */
HOL_KERNEL void hol_set_product_t(int m, int n, int k, const double *A, const double *B, double *C)
{
    HOL_UNROLL
    for (int j = 0; j < n; ++j) {
        if (HOL_FITS(m)) {
            HolColumn a, c;
            hol_column_load(m, A, &a);
            hol_column_set(m, &a, B[j], &c);
            HOL_UNROLL
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

/* C += A B^T, or C -= A B^T; the choice must be known to the compiler */
HOL_KERNEL void hol_accumulate_product_t(bool subtract, int m, int n, int k, const double *A, const double *B,
                                         double *C)
{
    HOL_UNROLL
    for (int j = 0; j < n; ++j) {
        if (HOL_FITS(m)) {
            HolColumn a, c;
            hol_column_load(m, C + j * m, &c);
            HOL_UNROLL
            for (int p = 0; p < k; ++p) {
                hol_column_load(m, A + p * m, &a);
                if (subtract)
                    hol_column_sub(m, &a, B[p * n + j], &c);
                else
                    hol_column_add(m, &a, B[p * n + j], &c);
            }
            hol_column_store(m, &c, C + j * m);
            continue;
        }
        for (int p = 0; p < k; ++p)
            for (int i = 0; i < m; ++i)
                C[j * m + i] += A[p * m + i] * (subtract ? -B[p * n + j] : B[p * n + j]);
    }
}

/* C += A B^T and C -= A B^T */
HOL_KERNEL void hol_add_product_t(int m, int n, int k, const double *A, const double *B, double *C)
{
    hol_accumulate_product_t(false, m, n, k, A, B, C);
}

HOL_KERNEL void hol_sub_product_t(int m, int n, int k, const double *A, const double *B, double *C)
{
    hol_accumulate_product_t(true, m, n, k, A, B, C);
}

/* C -= A B^T, n x n and symmetric: only the lower triangle is sure to be written */
HOL_KERNEL void hol_sub_square(int n, int k, const double *A, const double *B, double *C)
{
    if (!(HOL_FITS(n) && HOL_SINGLE(n))) {
        hol_sub_product_t(n, n, k, A, B, C);
        return;
    }
    HOL_UNROLL
    for (int j = 0; j < n; ++j)
        HOL_UNROLL
    for (int i = j; i < n; ++i) {
        double sum = C[j * n + i];
        HOL_UNROLL
        for (int p = 0; p < k; ++p)
            sum -= A[p * n + i] * B[p * n + j];
        C[j * n + i] = sum;
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
    if (HOL_FITS(n)) {
        HolColumn a, b;
        hol_column_load(n, x, &a);
        hol_column_load(n, y, &b);
        return hol_column_dot(n, &a, &b);
    }
    double sum = x[0] * y[0];
    for (int i = 1; i < n; ++i)
        sum += x[i] * y[i];
    return sum;
}

/* y += A^T x and y -= A^T x, with A m x n */
HOL_KERNEL void hol_add_t_times(int m, int n, const double *A, const double *x, double *y)
{
    HOL_UNROLL
    for (int j = 0; j < n; ++j)
        y[j] += hol_dot(m, A + j * m, x);
}

HOL_KERNEL void hol_sub_t_times(int m, int n, const double *A, const double *x, double *y)
{
    HOL_UNROLL
    for (int j = 0; j < n; ++j)
        y[j] -= hol_dot(m, A + j * m, x);
}

#endif
