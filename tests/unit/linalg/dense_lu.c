/* SPDX-License-Identifier: BSD-3-Clause */
/* The dense LU factorisation against LAPACK and examples by hand. */
#include "allocations.h"
#include "check.h"
#include "linalg/dense/lu.h"
#include "random.h"

#include <lapacke.h>

enum { MOST = 60 };

static HolArena *arena;
static HolLu *lu;

static bool set_up(void)
{
    random_seed(2024);
    arena = hol_arena_create();
    return CHECK_OK(hol_lu_create(arena, MOST, &lu));
}

static void tear_down(void)
{
    hol_arena_destroy(arena);
}

static void check_against_dgesv(int n, const double *A, double tolerance)
{
    static double copy[MOST * MOST];
    double x[MOST], y[MOST];
    lapack_int pivot[MOST];
    random_fill(n, x);
    memcpy(y, x, sizeof y);
    memcpy(copy, A, sizeof *copy * (size_t)(n * n));
    CHECK_EQUAL_INT(LAPACKE_dgesv(LAPACK_ROW_MAJOR, n, 1, copy, n, pivot, y, 1), 0);
    CHECK_OK(hol_lu_factor(lu, n, A));
    hol_lu_solve(lu, x);
    for (int i = 0; i < n; i++)
        CHECK_NEAR(x[i], y[i], tolerance * (1 + fabs(y[i])));
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++)
            CHECK(fabs(lu->a[i * n + j]) <= 1);
    }
}

static void random_systems_are_solved_as_by_dgesv(void)
{
    CHECK_OR_RETURN(set_up());
    static double A[MOST * MOST];
    for (int n = 1; n <= MOST; n++) {
        CHECK_CONTEXT("size %d", n);
        random_fill(n * n, A);
        check_against_dgesv(n, A, 1e-10);
        for (int i = 0; i < n; i++) /* no pivot on the diagonal */
            A[i * n + i] = n > 1 ? 0 : 1;
        if (n > 1)
            check_against_dgesv(n, A, 1e-10);
    }
    tear_down();
}

static void hilbert_systems_leave_small_residuals(void)
{
    CHECK_OR_RETURN(set_up());
    for (int n = 1; n <= 12; n++) {
        CHECK_CONTEXT("size %d", n);
        double A[144], b[12] = {0}, x[12];
        for (int i = 0; i < n * n; i++) {
            A[i] = 1.0 / (i / n + i % n + 1);
            b[i / n] += A[i];
        }
        memcpy(x, b, sizeof x);
        CHECK_OK(hol_lu_factor(lu, n, A));
        hol_lu_solve(lu, x);
        for (int i = 0; i < n; i++) {
            double r = b[i];
            for (int j = 0; j < n; j++)
                r -= A[i * n + j] * x[j];
            CHECK_NEAR(r, 0, 1e-14);
            CHECK_NEAR(x[i], 1, n <= 5 ? 1e-10 : 10);
        }
    }
    tear_down();
}

/* Twice the second row is larger: exchange, l = 1/2, U = (4 6; 0 -1). */
static void example_by_hand(void)
{
    CHECK_OR_RETURN(set_up());
    const double A[4] = {2, 2, 4, 6};
    double x[2] = {6, 16};
    CHECK_OK(hol_lu_factor(lu, 2, A));
    CHECK(lu->pivot[0] == 1 && lu->pivot[1] == 1);
    CHECK(lu->a[0] == 4 && lu->a[1] == 6 && lu->a[2] == 0.5 && lu->a[3] == -1);
    hol_lu_solve(lu, x);
    CHECK_NEAR(x[0], 1, 1e-15);
    CHECK_NEAR(x[1], 2, 1e-15);
    tear_down();
}

static void tiny_pivots_are_avoided(void)
{
    CHECK_OR_RETURN(set_up());
    const double A[4] = {1e-20, 1, 1, 1};
    double x[2] = {1, 2};
    CHECK_OK(hol_lu_factor(lu, 2, A));
    hol_lu_solve(lu, x);
    CHECK_NEAR(x[0], 1, 1e-15);
    CHECK_NEAR(x[1], 1, 1e-15);
    tear_down();
}

static void singular_matrices_are_reported(void)
{
    CHECK_OR_RETURN(set_up());
    const double zero[1] = {0}, equal_rows[4] = {1, 2, 1, 2}, empty_column[9] = {1, 0, 2, 3, 0, 4, 5, 0, 7};
    const double regular[1] = {4};
    double x = 2;
    CHECK_STATUS(hol_lu_factor(lu, 1, zero), HOL_SINGULAR);
    CHECK_STATUS(hol_lu_factor(lu, 2, equal_rows), HOL_SINGULAR);
    CHECK_STATUS(hol_lu_factor(lu, 3, empty_column), HOL_SINGULAR);
    CHECK_OK(hol_lu_factor(lu, 1, regular));
    hol_lu_solve(lu, &x);
    CHECK_NEAR(x, 0.5, 0);
    tear_down();
}

static void nan_and_infinity_anywhere_are_singular(void)
{
    CHECK_OR_RETURN(set_up());
    const double bad[3] = {NAN, INFINITY, -INFINITY};
    for (int k = 0; k < 3; k++) {
        for (int place = 0; place < 25; place++) {
            CHECK_CONTEXT("%g at %d", bad[k], place);
            double A[25];
            random_fill(25, A);
            A[place] = bad[k];
            CHECK_STATUS(hol_lu_factor(lu, 5, A), HOL_SINGULAR);
            double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
            identity[place % 9] = bad[k];
            CHECK_STATUS(hol_lu_factor(lu, 3, identity), HOL_SINGULAR);
        }
    }
    tear_down();
}

static void nothing_allocates_after_creation(void)
{
    CHECK_OR_RETURN(set_up());
    static double A[MOST * MOST], x[MOST];
    random_fill(MOST * MOST, A);
    hol_arena_freeze(arena);
    allocations_start();
    HolStatus status = hol_lu_factor(lu, MOST, A);
    hol_lu_solve(lu, x);
    CHECK_EQUAL_INT(allocations_stop(), 0);
    CHECK_OK(status);
    tear_down();
}

static void sizes_at_the_edge(void)
{
    CHECK_OR_RETURN(set_up());
    CHECK_OK(hol_lu_factor(lu, 0, NULL));
    hol_lu_solve(lu, NULL);
    HolLu *other = lu;
    CHECK_OK(hol_lu_create(arena, 0, &other));
    CHECK(other != lu);
    other = lu;
    CHECK_STATUS(hol_lu_create(arena, INT32_MAX, &other), HOL_NO_MEMORY);
    CHECK(other == lu);
    tear_down();
}

CHECK_MAIN(TEST(random_systems_are_solved_as_by_dgesv), TEST(hilbert_systems_leave_small_residuals),
           TEST(example_by_hand), TEST(tiny_pivots_are_avoided), TEST(singular_matrices_are_reported),
           TEST(nan_and_infinity_anywhere_are_singular), TEST(nothing_allocates_after_creation),
           TEST(sizes_at_the_edge))
