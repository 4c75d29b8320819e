/* SPDX-License-Identifier: BSD-3-Clause */
/* The inverse root of one small symmetric positive definite block: T T^T = A^-1. */
#include "linalg/block/spd_block.h"

#include "check.h"
#include "random.h"

#include <lapacke.h>

enum { MOST = 12 };

/* A = scale (B B^T), with B n x rank: positive definite for rank = n. */
static void fill_gram(int n, int rank, double scale, double *A)
{
    double B[MOST * MOST];
    random_fill(n * rank, B);
    for (int i = 0; i < n * n; i++) {
        A[i] = 0;
        for (int k = 0; k < rank; k++)
            A[i] += scale * B[i / n * rank + k] * B[i % n * rank + k];
    }
}

/* X = T T^T */
static HolStatus invert(int n, const double *A, double *X)
{
    double T[MOST * MOST];
    for (int i = 0; i < n * n; i++)
        T[i] = NAN; /* every entry must be written */
    HolStatus status = hol_spd_inverse_root(n, A, T);
    for (int i = 0; status == HOL_OK && i < n * n; i++) {
        X[i] = 0;
        for (int k = 0; k < n; k++)
            X[i] += T[i / n * n + k] * T[i % n * n + k];
        CHECK(i % n >= i / n || T[i] == 0);
    }
    return status;
}

static void check_inverse(int n, const double *A, double tolerance)
{
    double X[MOST * MOST], expected[MOST * MOST], size = 0;
    memcpy(expected, A, sizeof *A * (size_t)(n * n));
    CHECK_EQUAL_INT(LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'L', n, expected, n), 0);
    CHECK_EQUAL_INT(LAPACKE_dpotri(LAPACK_ROW_MAJOR, 'L', n, expected, n), 0);
    CHECK_OK(invert(n, A, X));
    for (int i = 0; i < n; i++)
        size = fmax(size, fabs(expected[i * n + i]));
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            CHECK_NEAR(X[i * n + j], expected[i * n + j], tolerance * size);
            CHECK_NEAR(X[j * n + i], expected[i * n + j], tolerance * size);
        }
    }
}

static void inverses_are_those_of_lapack(void)
{
    double A[MOST * MOST];
    random_seed(3);
    for (int n = 1; n <= MOST; n++) {
        for (int k = 0; k < 20; k++) {
            CHECK_CONTEXT("size %d, matrix %d", n, k);
            fill_gram(n, n, 1, A);
            for (int i = 0; i < n; i++)
                A[i * n + i] += 0.1;
            check_inverse(n, A, 1e-11);
        }
    }
}

/* What counts is the pivot against its own diagonal entry, not its size. */
static void units_do_not_matter(void)
{
    const double scales[] = {1e-30, 1e-9, 1e12, 1e30};
    double A[36];
    random_seed(4);
    for (int k = 0; k < 4; k++) {
        CHECK_CONTEXT("scale %g", scales[k]);
        fill_gram(6, 6, scales[k], A);
        for (int i = 0; i < 6; i++)
            A[i * 7] += scales[k];
        check_inverse(6, A, 1e-11);
    }
    const double mixed[4] = {1e12, 0, 0, 1e-12};
    double X[4];
    CHECK_OK(invert(2, mixed, X));
    CHECK(X[1] == 0 && X[2] == 0);
    CHECK_NEAR(X[0], 1e-12, 1e-27);
    CHECK_NEAR(X[3], 1e12, 1e-3);
}

/* A diagonal mass must come out diagonal without rounding: solvers look for exact zeros. */
static void a_diagonal_stays_diagonal(void)
{
    double A[36] = {0}, T[36];
    for (int i = 0; i < 6; i++)
        A[i * 7] = (i + 1) * (i + 1);
    CHECK_OK(hol_spd_inverse_root(6, A, T));
    for (int i = 0; i < 36; i++)
        CHECK(T[i] == (i % 7 == 0 ? 1.0 / (i / 7 + 1) : 0));
}

/* A^-1 = (1 -1; -1 2), and (1/sqrt 2)^2 + (1/sqrt 2)^2 = 1, -(1/sqrt 2) sqrt 2 = -1, (sqrt 2)^2 = 2. */
static void example_by_hand(void)
{
    const double A[4] = {2, 1, 1, 1};
    double T[4];
    CHECK_OK(hol_spd_inverse_root(2, A, T));
    CHECK_NEAR(T[0], sqrt(0.5), 1e-15);
    CHECK_NEAR(T[1], -sqrt(0.5), 1e-15);
    CHECK_NEAR(T[2], 0, 0);
    CHECK_NEAR(T[3], sqrt(2), 1e-15);
}

static void what_is_not_positive_definite_is_refused(void)
{
    double A[MOST * MOST], X[MOST * MOST];
    const double indefinite[4] = {1, 2, 2, 1}, negative[1] = {-1}, zero[1] = {0}, empty_row[4] = {1, 0, 0, 0};
    CHECK_STATUS(invert(2, indefinite, X), HOL_SINGULAR);
    CHECK_STATUS(invert(1, negative, X), HOL_SINGULAR);
    CHECK_STATUS(invert(1, zero, X), HOL_SINGULAR);
    CHECK_STATUS(invert(2, empty_row, X), HOL_SINGULAR);
    random_seed(5);
    for (int n = 2; n <= MOST; n++) {
        CHECK_CONTEXT("size %d, rank %d", n, n - 1);
        fill_gram(n, n - 1, 1, A);
        CHECK_STATUS(invert(n, A, X), HOL_SINGULAR);
    }
}

static void nan_and_infinity_are_refused(void)
{
    const double bad[3] = {NAN, INFINITY, -INFINITY};
    for (int k = 0; k < 3; k++) {
        for (int place = 0; place < 9; place++) {
            double A[9] = {3, 1, 1, 1, 3, 1, 1, 1, 3}, X[9];
            CHECK_CONTEXT("%g at %d", bad[k], place);
            A[place] = A[place % 3 * 3 + place / 3] = bad[k];
            CHECK_STATUS(invert(3, A, X), HOL_SINGULAR);
        }
    }
}

CHECK_MAIN(TEST(inverses_are_those_of_lapack), TEST(units_do_not_matter), TEST(a_diagonal_stays_diagonal),
           TEST(example_by_hand), TEST(what_is_not_positive_definite_is_refused), TEST(nan_and_infinity_are_refused))
