/* SPDX-License-Identifier: BSD-3-Clause */
/* Singular values against examples by hand, eigenvalues of A^T A from LAPACK, and invariants. */
#include "singular_values.h"

#include "check.h"
#include "random.h"

#include <lapacke.h>

enum { MOST = 30 };

/* (3 0; 4 5) has A^T A = (25 20; 20 25) with the eigenvalues 45 and 5. */
static void examples_by_hand(void)
{
    const double square[4] = {3, 0, 4, 5}, wide[6] = {0, 0, 3, 0, -7, 0}, tall[3] = {2, 3, 6}, one[1] = {-4};
    double sigma[2];
    CHECK_OK(singular_values(2, 2, square, sigma));
    CHECK_NEAR(sigma[0], sqrt(45), 1e-14);
    CHECK_NEAR(sigma[1], sqrt(5), 1e-14);
    CHECK_OK(singular_values(2, 3, wide, sigma));
    CHECK_NEAR(sigma[0], 7, 1e-14);
    CHECK_NEAR(sigma[1], 3, 1e-14);
    CHECK_OK(singular_values(3, 2, wide, sigma)); /* (0 0; 3 0; -7 0) */
    CHECK_NEAR(sigma[0], sqrt(58), 1e-14);
    CHECK_NEAR(sigma[1], 0, 1e-14);
    CHECK_OK(singular_values(3, 1, tall, sigma));
    CHECK_NEAR(sigma[0], 7, 1e-14);
    CHECK_OK(singular_values(1, 3, tall, sigma));
    CHECK_NEAR(sigma[0], 7, 1e-14);
    CHECK_OK(singular_values(1, 1, one, sigma));
    CHECK_NEAR(sigma[0], 4, 1e-15);
}

/* A^T A, by rows, and its eigenvalues in ascending order */
static void squares_by_eigenvalues(int m, int n, const double *A, double *squares)
{
    static double G[MOST * MOST];
    for (int i = 0; i < n * n; i++) {
        G[i] = 0;
        for (int k = 0; k < m; k++)
            G[i] += A[k * n + i / n] * A[k * n + i % n];
    }
    CHECK_EQUAL_INT(LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'N', 'U', n, G, n, squares), 0);
}

static void squares_are_the_eigenvalues_of_the_gram_matrix(void)
{
    static double A[MOST * MOST];
    const int sizes[][2] = {{1, 5}, {5, 1}, {4, 4}, {7, 12}, {12, 7}, {30, 30}, {30, 11}};
    random_seed(7);
    for (int k = 0; k < 7; k++) {
        int m = sizes[k][0], n = sizes[k][1], least = m < n ? m : n;
        CHECK_CONTEXT("%d x %d", m, n);
        double sigma[MOST + 1], squares[MOST];
        random_fill(m * n, A);
        sigma[least] = 77;
        CHECK_OK(singular_values(m, n, A, sigma));
        CHECK(sigma[least] == 77);
        squares_by_eigenvalues(m, n, A, squares);
        for (int i = 0; i < least; i++)
            CHECK_NEAR(sigma[i] * sigma[i], squares[n - 1 - i], 1e-12 * squares[n - 1]);
        for (int i = 1; i < least; i++)
            CHECK(sigma[i] <= sigma[i - 1] && sigma[i] >= 0);
    }
}

static void rank_and_input_survive(void)
{
    double u[8], v[6], A[48], before[48], sigma[6];
    random_seed(99);
    memset(A, 0, sizeof A);
    for (int k = 0; k < 3; k++) {
        random_fill(8, u);
        random_fill(6, v);
        for (int i = 0; i < 48; i++)
            A[i] += u[i / 6] * v[i % 6];
    }
    memcpy(before, A, sizeof A);
    CHECK_OK(singular_values(8, 6, A, sigma));
    CHECK(memcmp(before, A, sizeof A) == 0);
    for (int i = 0; i < 6; i++)
        CHECK(i < 3 ? sigma[i] > 0.1 : sigma[i] < 1e-14);
}

/* The condition of the Hilbert matrix of 5 is 476607.25024259434. */
static void hilbert_condition_is_the_known_one(void)
{
    double A[25], sigma[5];
    for (int i = 0; i < 25; i++)
        A[i] = 1.0 / (i / 5 + i % 5 + 1);
    CHECK_OK(singular_values(5, 5, A, sigma));
    CHECK_NEAR(sigma[0] / sigma[4], 476607.25024259434, 1e-3);
}

static void empty_and_zero_matrices(void)
{
    const double zero[6] = {0};
    double sigma[2] = {77, 77};
    CHECK_OK(singular_values(0, 3, NULL, sigma));
    CHECK_OK(singular_values(3, 0, NULL, sigma));
    CHECK(sigma[0] == 77);
    CHECK_OK(singular_values(2, 3, zero, sigma));
    CHECK(sigma[0] == 0 && sigma[1] == 0);
}

static void nan_and_infinity_are_reported(void)
{
    for (int place = 0; place < 6; place++) {
        double A[6] = {1, 2, 3, 4, 5, 6}, sigma[2];
        A[place] = NAN;
        CHECK_STATUS(singular_values(2, 3, A, sigma), HOL_NOT_FINITE);
        A[place] = -INFINITY;
        CHECK_STATUS(singular_values(2, 3, A, sigma), HOL_NOT_FINITE);
    }
}

CHECK_MAIN(TEST(examples_by_hand), TEST(squares_are_the_eigenvalues_of_the_gram_matrix), TEST(rank_and_input_survive),
           TEST(hilbert_condition_is_the_known_one), TEST(empty_and_zero_matrices), TEST(nan_and_infinity_are_reported))
