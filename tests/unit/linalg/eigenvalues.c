/* SPDX-License-Identifier: BSD-3-Clause */
#include "linalg/dense/eigenvalues.h"

#include "check.h"
#include "random.h"

enum { N = 9 };

static void fill(double *A, bool symmetric)
{
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j)
            A[i * N + j] = symmetric && j < i ? A[j * N + i] : random_number();
}

static double times(const double *A, int row, const double *x)
{
    double sum = 0;
    for (int j = 0; j < N; ++j)
        sum += A[row * N + j] * x[j];
    return sum;
}

static void symmetric_matrices_are_diagonalised(void)
{
    double A[N * N], copy[N * N], lambda[N];
    fill(A, true);
    memcpy(copy, A, sizeof A);
    REQUIRE_OK(hol_eigen_symmetric(N, A, lambda));
    for (int k = 0; k < N; ++k) {
        CHECK(k == 0 || lambda[k] >= lambda[k - 1]);
        for (int i = 0; i < N; ++i)
            CHECK_NEAR(times(copy, i, A + k * N), lambda[k] * A[k * N + i], 1e-13);
    }
}

static void definite_pencils_have_orthonormal_vectors(void)
{
    double A[N * N], B[N * N], A_copy[N * N], B_copy[N * N], lambda[N];
    fill(A, true);
    fill(B, true);
    for (int i = 0; i < N; ++i)
        B[i * N + i] += 6;
    memcpy(A_copy, A, sizeof A);
    memcpy(B_copy, B, sizeof B);
    REQUIRE_OK(hol_eigen_definite(N, A, B, lambda));
    for (int k = 0; k < N; ++k) {
        double square = 0;
        for (int i = 0; i < N; ++i) {
            CHECK_NEAR(times(A_copy, i, A + k * N), lambda[k] * times(B_copy, i, A + k * N), 1e-13);
            square += A[k * N + i] * times(B_copy, i, A + k * N);
        }
        CHECK_NEAR(square, 1, 1e-13);
    }
    memcpy(A, A_copy, sizeof A);
    memset(B, 0, sizeof B);
    CHECK_STATUS(hol_eigen_definite(N, A, B, lambda), HOL_SINGULAR);
}

/* Regular E, and E with a zero in it, which QZ must do. */
static void pencils_of_any_matrices_are_solved(void)
{
    for (int singular = 0; singular < 2; ++singular) {
        double F[N * N], E[N * N], F_copy[N * N], E_copy[N * N], re[N], im[N], beta[N], x_re[N * N], x_im[N * N];
        int infinite = 0, complex_count = 0;
        fill(F, false);
        fill(E, false);
        for (int j = 0; j < N; ++j)
            E[3 * N + j] = singular ? 0 : E[3 * N + j];
        memcpy(F_copy, F, sizeof F);
        memcpy(E_copy, E, sizeof E);
        REQUIRE_OK(hol_eigen_pencil(N, F, E, &(HolPencil){re, im, beta, x_re, x_im}));
        for (int k = 0; k < N; ++k) {
            CHECK_CONTEXT("singular %d, eigenvalue %d", singular, k);
            const double *x = x_re + k * N, *y = x_im + k * N;
            infinite += fabs(beta[k]) < 1e-13;
            complex_count += im[k] != 0;
            for (int i = 0; i < N; ++i) {
                CHECK_NEAR(beta[k] * times(F_copy, i, x), re[k] * times(E_copy, i, x) - im[k] * times(E_copy, i, y),
                           1e-11);
                CHECK_NEAR(beta[k] * times(F_copy, i, y), re[k] * times(E_copy, i, y) + im[k] * times(E_copy, i, x),
                           1e-11);
            }
        }
        CHECK_EQUAL_INT(infinite, singular);
        CHECK(complex_count > 0);
    }
}

static void numbers_that_are_none_are_refused(void)
{
    double A[N * N] = {0}, B[N * N] = {0}, x[N];
    A[5] = NAN;
    CHECK_STATUS(hol_eigen_symmetric(N, A, x), HOL_NOT_FINITE);
    CHECK_STATUS(hol_eigen_definite(N, A, B, x), HOL_NOT_FINITE);
    CHECK_STATUS(hol_eigen_definite(N, B, A, x), HOL_NOT_FINITE);
    CHECK_STATUS(hol_eigen_pencil(N, A, B, &(HolPencil){0}), HOL_NOT_FINITE);
    CHECK_STATUS(hol_eigen_pencil(N, B, A, &(HolPencil){0}), HOL_NOT_FINITE);
    CHECK_OK(hol_eigen_symmetric(0, A, x));
}

CHECK_MAIN(TEST(symmetric_matrices_are_diagonalised), TEST(definite_pencils_have_orthonormal_vectors),
           TEST(pencils_of_any_matrices_are_solved), TEST(numbers_that_are_none_are_refused))
