/* SPDX-License-Identifier: BSD-3-Clause */
/* The sparse LU factorisation against LAPACK, and what it must notice: pivots that no longer serve. */
#include "allocations.h"
#include "check.h"
#include "dense.h"
#include "linalg/sparse/lu.h"
#include "random.h"

#include <klu.h>
#include <lapacke.h>
#include <stdlib.h>

enum { MOST = 40, MOST_ENTRIES = MOST * MOST };

typedef struct Matrix {
    int n, column_start[MOST + 1], row_index[MOST_ENTRIES];
    double values[MOST_ENTRIES];
} Matrix;

/* The nonzeros of a row-major matrix */
static Matrix sparse_of(int n, const double *dense)
{
    Matrix A = {.n = n};
    int count = 0;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            if (dense[i * n + j] == 0)
                continue;
            A.row_index[count] = i;
            A.values[count++] = dense[i * n + j];
        }
        A.column_start[j + 1] = count;
    }
    return A;
}

/* The pattern of a saddle point [K D^T; D 0]: K tridiagonal with n - m rows, D with a diagonal and some entries more, so
 * that the last m pivots cannot be on the diagonal at first. The rows of a column are in falling order. */
static Matrix saddle_pattern(int n, int m)
{
    Matrix A = {.n = n};
    int count = 0;
    for (int j = 0; j < n; j++) {
        for (int i = n - 1; i >= 0; i--) {
            bool in_K = i < n - m && j < n - m, in_D = (i < n - m) != (j < n - m);
            int distance = abs((in_D ? i % m : i) - (in_D ? j % m : j));
            if ((in_K && distance <= 1) || (in_D && (abs(i - j) == n - m || random_number() > 0.8)))
                A.row_index[count++] = i;
        }
        A.column_start[j + 1] = count;
    }
    return A;
}

static void fill_random(Matrix *A)
{
    random_fill(A->column_start[A->n], A->values);
}

static HolSparseLu *created(const Matrix *A)
{
    HolSparseLu *lu = NULL;
    CHECK_OK(hol_sparse_lu_create(A->n, A->column_start, A->row_index, &lu));
    return lu;
}

/* b of A x = b, or of A^T x = b */
static void multiply(const Matrix *A, const double *x, double *b)
{
    memset(b, 0, sizeof *b * (size_t)A->n);
    for (int j = 0; j < A->n; j++) {
        for (int p = A->column_start[j]; p < A->column_start[j + 1]; p++) {
            int i = A->row_index[p];
            b[i] += A->values[p] * x[j];
        }
    }
}

static void solve_densely(const Matrix *A, double *x)
{
    static double dense[MOST_ENTRIES];
    lapack_int pivot[MOST];
    memset(dense, 0, sizeof dense);
    for (int j = 0; j < A->n; j++) {
        for (int p = A->column_start[j]; p < A->column_start[j + 1]; p++)
            dense[j * A->n + A->row_index[p]] = A->values[p];
    }
    CHECK_EQUAL_INT(LAPACKE_dgesv(LAPACK_COL_MAJOR, A->n, 1, dense, A->n, pivot, x, A->n), 0);
}

static void check_solutions(HolSparseLu *lu, const Matrix *A, double tolerance)
{
    double x[MOST], y[MOST];
    for (int i = 0; i < A->n; i++)
        x[i] = y[i] = random_number();
    solve_densely(A, y);
    hol_sparse_lu_solve(lu, x);
    double size = fmax(1, max_norm(A->n, y));
    for (int i = 0; i < A->n; i++)
        CHECK_NEAR(x[i], y[i], tolerance * size);
}

static void random_saddle_points_are_solved_as_by_dgesv(void)
{
    random_seed(31);
    for (int n = 4; n <= MOST; n += 4) {
        Matrix A = saddle_pattern(n, n / 4);
        HolSparseLu *lu = created(&A);
        REQUIRE(lu != NULL);
        for (int k = 0; k < 10; k++) {
            CHECK_CONTEXT("size %d, values %d", n, k);
            fill_random(&A);
            CHECK_OK(hol_sparse_lu_factor(lu, A.values));
            check_solutions(lu, &A, 1e-8);
        }
        hol_sparse_lu_destroy(lu);
    }
}

/* Values that move a little keep their pivots, and then nothing allocates. */
static void good_pivots_are_kept_without_allocation(void)
{
    random_seed(5);
    Matrix A = saddle_pattern(32, 8);
    fill_random(&A);
    HolSparseLu *lu = created(&A);
    REQUIRE(lu != NULL);
    CHECK_OK(hol_sparse_lu_factor(lu, A.values));
    for (int k = 0; k < 20; k++) {
        CHECK_CONTEXT("values %d", k);
        double x[MOST] = {1};
        for (int p = 0; p < A.column_start[A.n]; p++)
            A.values[p] *= 1 + 0.01 * random_number();
        allocations_start();
        HolStatus status = hol_sparse_lu_factor(lu, A.values);
        hol_sparse_lu_solve(lu, x);
        CHECK_EQUAL_INT(allocations_stop(), 0);
        CHECK_OK(status);
        check_solutions(lu, &A, 1e-9);
    }
    CHECK_EQUAL_INT(hol_sparse_lu_fresh_count(lu), 1);
    hol_sparse_lu_destroy(lu);
}

static const double dominant2[4] = {4, 1, 1, 4}, dominant3[9] = {4, 1, 1.5, 1.25, 4, 1, 1, 0.75, 4};

static void set_diagonal(Matrix *A, double value)
{
    for (int j = 0; j < A->n; j++) {
        for (int p = A->column_start[j]; p < A->column_start[j + 1]; p++) {
            if (A->row_index[p] == j)
                A->values[p] = value;
        }
    }
}

/* The premise: with the pivots of the diagonal (4, 4) and a diagonal of 1e-17, KLU says that all is well and returns
 * (0, 2) for (1, 2). */
static void klu_refactor_gives_garbage(void)
{
    Matrix A = sparse_of(2, dominant2);
    klu_common common;
    klu_defaults(&common);
    klu_symbolic *symbolic = klu_analyze(2, A.column_start, A.row_index, &common);
    klu_numeric *numeric = klu_factor(A.column_start, A.row_index, A.values, symbolic, &common);
    const double x[2] = {1, 2};
    double b[2];
    set_diagonal(&A, 1e-17);
    CHECK(klu_refactor(A.column_start, A.row_index, A.values, symbolic, numeric, &common));
    CHECK_EQUAL_INT(common.status, KLU_OK);
    multiply(&A, x, b);
    CHECK(klu_solve(symbolic, numeric, 2, 1, b, &common));
    CHECK_NEAR(fmin(b[0] / 1, b[1] / 2), 0, 0.1);
    klu_free_numeric(&numeric, &common);
    klu_free_symbolic(&symbolic, &common);
}

static void check_fresh_pivots(int n, const double *dense, double diagonal)
{
    CHECK_CONTEXT("size %d with the diagonal %g", n, diagonal);
    Matrix A = sparse_of(n, dense);
    HolSparseLu *lu = created(&A);
    REQUIRE(lu != NULL);
    CHECK_OK(hol_sparse_lu_factor(lu, A.values));
    check_solutions(lu, &A, 1e-14);
    for (int k = 0; k < 3; k++) {
        set_diagonal(&A, diagonal);
        CHECK_OK(hol_sparse_lu_factor(lu, A.values));
        check_solutions(lu, &A, 1e-13);
        CHECK_EQUAL_INT(hol_sparse_lu_fresh_count(lu), 2); /* the new pivots are kept */
    }
    hol_sparse_lu_destroy(lu);
}

static void pivots_that_vanish_are_chosen_afresh(void)
{
    random_seed(8);
    const double diagonals[] = {1e-17, 1e-8, 1e-30, 0};
    for (int k = 0; k < 4; k++) {
        check_fresh_pivots(2, dominant2, diagonals[k]);
        check_fresh_pivots(3, dominant3, diagonals[k]);
    }
}

/* (t 0 1; 1 1 0; 0 t 1) with U = (t 0 1; 0 1 -1/t; 0 0 2): the last column grows by 1/t, the pivots lose less. */
static void fill_growing(double t, Matrix *A)
{
    const double by_columns[9] = {t, 1, 0, 0, 1, t, 1, 0, 1};
    memcpy(A->values, by_columns, sizeof by_columns);
}

static void growth_alone_is_noticed(void)
{
    Matrix A = sparse_of(3, dominant3);
    random_seed(6);
    HolSparseLu *lu = created(&A);
    REQUIRE(lu != NULL);
    CHECK_OK(hol_sparse_lu_factor(lu, A.values));
    fill_growing(1e-5, &A);
    CHECK_OK(hol_sparse_lu_factor(lu, A.values));
    CHECK_EQUAL_INT(hol_sparse_lu_fresh_count(lu), 2);
    check_solutions(lu, &A, 1e-14);
    hol_sparse_lu_destroy(lu);
}

/* The first matrix grows by 500, which KLU tolerates for the sake of the diagonal; the next ones are judged by the
 * better one in between. */
static void growth_is_judged_by_the_best(void)
{
    Matrix A = sparse_of(3, dominant3), growing = A;
    HolSparseLu *lu = created(&A);
    REQUIRE(lu != NULL);
    fill_growing(2e-3, &growing);
    CHECK_OK(hol_sparse_lu_factor(lu, growing.values));
    CHECK_OK(hol_sparse_lu_factor(lu, A.values));
    CHECK_EQUAL_INT(hol_sparse_lu_fresh_count(lu), 1);
    fill_growing(1e-5, &growing);
    CHECK_OK(hol_sparse_lu_factor(lu, growing.values));
    CHECK_EQUAL_INT(hol_sparse_lu_fresh_count(lu), 2);
    hol_sparse_lu_destroy(lu);
}

/* Nearly equal rows are as bad with any pivots: one fresh factorisation is spent on them, not one for each call. */
static void bad_condition_costs_one_fresh_factorisation(void)
{
    const double x[2] = {1, 2}, by_columns[4] = {1, 1, 1, 1 + 1e-9};
    Matrix A = sparse_of(2, dominant2);
    HolSparseLu *lu = created(&A);
    REQUIRE(lu != NULL);
    CHECK_OK(hol_sparse_lu_factor(lu, A.values));
    CHECK_NEAR(hol_sparse_lu_quality(lu), 15.0 / 16, 1e-15);
    memcpy(A.values, by_columns, sizeof by_columns);
    for (int k = 0; k < 5; k++) {
        double b[2];
        CHECK_OK(hol_sparse_lu_factor(lu, A.values));
        CHECK_EQUAL_INT(hol_sparse_lu_fresh_count(lu), 2);
        CHECK_NEAR(hol_sparse_lu_quality(lu), 1e-9, 1e-15);
        multiply(&A, x, b);
        hol_sparse_lu_solve(lu, b);
        CHECK_NEAR(b[0], 1, 1e-6);
        CHECK_NEAR(b[1], 2, 1e-6);
    }
    hol_sparse_lu_destroy(lu);
}

/* A saddle point whose multipliers are counted in units of 1e20, and a triangle whose middle pivot is tiny beside the
 * entries outside of its block: neither is a reason for other pivots, let alone singular. */
static void units_do_not_matter(void)
{
    random_seed(2);
    const double saddle[9] = {2, 1, 1, 1, 3, 2, 1, 2, 0}, triangle[9] = {2, 5, 1, 0, 1e-20, 1, 0, 0, 3};
    Matrix A = sparse_of(3, saddle), B = sparse_of(3, triangle);
    HolSparseLu *lu = created(&A), *blocks = created(&B);
    REQUIRE(lu != NULL && blocks != NULL);
    CHECK_OK(hol_sparse_lu_factor(lu, A.values));
    for (int p = A.column_start[2]; p < A.column_start[3]; p++)
        A.values[p] *= 1e-20;
    CHECK_OK(hol_sparse_lu_factor(lu, A.values));
    CHECK_EQUAL_INT(hol_sparse_lu_fresh_count(lu), 1);
    CHECK(hol_sparse_lu_quality(lu) > 0.1);
    check_solutions(lu, &A, 1e-14);

    CHECK_OK(hol_sparse_lu_factor(blocks, B.values));
    CHECK(hol_sparse_lu_quality(blocks) == 1);
    check_solutions(blocks, &B, 1e-14);
    hol_sparse_lu_destroy(lu);
    hol_sparse_lu_destroy(blocks);
}

static void singular_matrices_are_reported_and_forgotten(void)
{
    const double singular[][4] = {{1, 1, 1, 1}, {0, 0, 0, 0}, {1, 0, 1, 0}, {0.1, 0.3, 0.2, 0.6}};
    random_seed(3);
    Matrix A = sparse_of(2, dominant2);
    HolSparseLu *lu = created(&A);
    REQUIRE(lu != NULL);
    for (int k = 0; k < 4; k++) {
        CHECK_CONTEXT("singular matrix %d", k);
        CHECK_STATUS(hol_sparse_lu_factor(lu, singular[k]), HOL_SINGULAR);
        CHECK_OK(hol_sparse_lu_factor(lu, A.values));
        check_solutions(lu, &A, 1e-14);
    }
    CHECK_EQUAL_INT(hol_sparse_lu_fresh_count(lu), 8);
    hol_sparse_lu_destroy(lu);
}

/* Rounding leaves a last pivot of the order of the machine precision: singular all the same, and not built upon. */
static void rounded_singular_matrices_are_reported(void)
{
    random_seed(9);
    Matrix A = sparse_of(3, dominant3);
    HolSparseLu *lu = created(&A);
    REQUIRE(lu != NULL);
    for (int k = 1; k <= 5; k++) {
        CHECK_CONTEXT("multiple %d", k);
        double singular[9]; /* the columns of (1 2 3; 4 5 6; 7 8 9), times k / 10 */
        for (int i = 0; i < 9; i++)
            singular[i] = 0.1 * k * (1 + i / 3 + 3 * (i % 3));
        CHECK_STATUS(hol_sparse_lu_factor(lu, singular), HOL_SINGULAR);
        CHECK_OK(hol_sparse_lu_factor(lu, A.values));
        check_solutions(lu, &A, 1e-14);
        CHECK_EQUAL_INT(hol_sparse_lu_fresh_count(lu), 2 * k);
    }
    hol_sparse_lu_destroy(lu);
}

static void nan_and_infinity_are_reported_and_forgotten(void)
{
    random_seed(4);
    Matrix A = sparse_of(3, dominant3);
    HolSparseLu *lu = created(&A);
    REQUIRE(lu != NULL);
    for (int place = 0; place < 9; place++) {
        CHECK_CONTEXT("place %d", place);
        double bad[9];
        memcpy(bad, A.values, sizeof bad);
        bad[place] = place % 2 ? NAN : INFINITY;
        CHECK_STATUS(hol_sparse_lu_factor(lu, bad), HOL_NOT_FINITE);
        CHECK_OK(hol_sparse_lu_factor(lu, A.values));
        check_solutions(lu, &A, 1e-14);
    }
    hol_sparse_lu_destroy(lu);
}

static void bad_patterns_are_refused(void)
{
    HolSparseLu *lu = NULL;
    const int start[] = {0, 1, 2}, rows[] = {0, 1}, same_row[] = {1, 1}, too_large[] = {0, 2}, negative[] = {-1, 1};
    const int falling[] = {0, 2, 1}, offset[] = {1, 1, 2}, below_zero[] = {0, 1, -1}, two[] = {0, 2, 2},
              all[] = {0, 2, 3}, twice[] = {1, 1, 0};
    CHECK_STATUS(hol_sparse_lu_create(2, start, too_large, &lu), HOL_BAD_INPUT);
    CHECK_STATUS(hol_sparse_lu_create(2, start, negative, &lu), HOL_BAD_INPUT);
    CHECK_STATUS(hol_sparse_lu_create(2, falling, rows, &lu), HOL_BAD_INPUT);
    CHECK_STATUS(hol_sparse_lu_create(2, offset, rows, &lu), HOL_BAD_INPUT);
    CHECK_STATUS(hol_sparse_lu_create(2, all, twice, &lu), HOL_BAD_INPUT);
    CHECK_STATUS(hol_sparse_lu_create(-1, start, rows, &lu), HOL_BAD_INPUT);
    CHECK_STATUS(hol_sparse_lu_create(2, below_zero, rows, &lu), HOL_BAD_INPUT);
    CHECK_STATUS(hol_sparse_lu_create(2, start, same_row, &lu), HOL_SINGULAR); /* an empty row */
    CHECK_STATUS(hol_sparse_lu_create(2, two, rows, &lu), HOL_SINGULAR);       /* an empty column */
    CHECK(lu == NULL);
    CHECK_OK(hol_sparse_lu_create(2, start, rows, &lu));
    hol_sparse_lu_destroy(lu);
    hol_sparse_lu_destroy(NULL);
}

static void pattern_is_copied(void)
{
    int start[] = {0, 1, 2}, rows[] = {1, 0};
    const double values[] = {2, 4};
    double x[] = {8, 6};
    HolSparseLu *lu = NULL;
    REQUIRE_OK(hol_sparse_lu_create(2, start, rows, &lu));
    memset(start, 0, sizeof start);
    memset(rows, 0, sizeof rows);
    CHECK_OK(hol_sparse_lu_factor(lu, values)); /* (0 4; 2 0) */
    hol_sparse_lu_solve(lu, x);
    CHECK_NEAR(x[0], 3, 1e-15);
    CHECK_NEAR(x[1], 2, 1e-15);
    hol_sparse_lu_destroy(lu);
}

static void smallest_sizes(void)
{
    const int start[] = {0, 1}, rows[] = {0};
    const double four = 4, zero = 0;
    double x = 2;
    HolSparseLu *lu = NULL;
    REQUIRE_OK(hol_sparse_lu_create(1, start, rows, &lu));
    CHECK_OK(hol_sparse_lu_factor(lu, &four));
    hol_sparse_lu_solve(lu, &x);
    CHECK_NEAR(x, 0.5, 0);
    CHECK_STATUS(hol_sparse_lu_factor(lu, &zero), HOL_SINGULAR);
    hol_sparse_lu_destroy(lu);

    lu = NULL;
    REQUIRE_OK(hol_sparse_lu_create(0, start, NULL, &lu));
    CHECK_OK(hol_sparse_lu_factor(lu, NULL));
    hol_sparse_lu_solve(lu, NULL);
    CHECK_EQUAL_INT(hol_sparse_lu_fresh_count(lu), 0);
    CHECK(hol_sparse_lu_quality(lu) == 1);
    hol_sparse_lu_destroy(lu);
}

CHECK_MAIN(TEST(random_saddle_points_are_solved_as_by_dgesv), TEST(good_pivots_are_kept_without_allocation),
           TEST(klu_refactor_gives_garbage), TEST(pivots_that_vanish_are_chosen_afresh), TEST(growth_alone_is_noticed),
           TEST(growth_is_judged_by_the_best), TEST(bad_condition_costs_one_fresh_factorisation),
           TEST(units_do_not_matter), TEST(singular_matrices_are_reported_and_forgotten),
           TEST(rounded_singular_matrices_are_reported), TEST(nan_and_infinity_are_reported_and_forgotten),
           TEST(bad_patterns_are_refused), TEST(pattern_is_copied), TEST(smallest_sizes))
