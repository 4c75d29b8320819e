/* SPDX-License-Identifier: BSD-3-Clause */
/* The QR factorisation against its defining equations, LAPACK and examples by hand. */
#include "allocations.h"
#include "check.h"
#include "linalg/dense/qr.h"
#include "random.h"

#include <lapacke.h>
#include <stdlib.h>

enum { MOST = 100, MOST_ENTRIES = MOST * MOST };

static HolArena *arena;
static HolQr *qr;
static double A[MOST_ENTRIES], B[MOST_ENTRIES], Z[MOST_ENTRIES];

static bool set_up(void)
{
    random_seed(12345);
    arena = hol_arena_create();
    return CHECK_OK(hol_qr_create(arena, MOST, MOST, &qr));
}

static void tear_down(void)
{
    hol_arena_destroy(arena);
}

/* A random m x n matrix of the given rank: a sum of outer products. */
static void fill_rank(int m, int n, int rank)
{
    double u[MOST], v[MOST];
    memset(A, 0, sizeof A);
    for (int k = 0; k < rank; k++) {
        random_fill(m, u);
        random_fill(n, v);
        for (int i = 0; i < m * n; i++)
            A[i] += u[i / n] * v[i % n];
    }
}

static void fill_hilbert(int n)
{
    for (int i = 0; i < n * n; i++)
        A[i] = 1.0 / (i / n + i % n + 1);
}

static void transpose(int m, int n, const double *from, double *to)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            to[j * m + i] = from[i * n + j];
}

/* The factors of A^T with its columns in the given order. */
static void factor_fixed_transposed(HolQr *of, int rows, int cols, const double *matrix)
{
    static double transposed[MOST_ENTRIES];
    transpose(rows, cols, matrix, transposed);
    hol_qr_factor_fixed(of, cols, rows, transposed);
}

static double product(int n, const double *x, int x_step, const double *y, int y_step)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i * x_step] * y[i * y_step];
    return sum;
}

/* r = M x - b, of the row-major m x n matrix M */
static void residual(int m, int n, const double *M, const double *x, const double *b, double *r)
{
    for (int i = 0; i < m; i++)
        r[i] = product(n, M + i * n, 1, x, 1) - b[i];
}

static double R(int i, int j)
{
    return i <= j ? qr->a[j * qr->rows + i] : 0;
}

/* Column j of Q [R11 R12; 0 0] is column pivot[j] of M, which is rows x cols. */
static void check_product(const double *M)
{
    double x[MOST];
    for (int j = 0; j < qr->cols; j++) {
        memset(x, 0, sizeof x);
        for (int i = 0; i < qr->rank; i++)
            x[i] = R(i, j);
        hol_qr_apply_q(qr, x);
        for (int i = 0; i < qr->rows; i++)
            CHECK_NEAR(x[i], M[i * qr->cols + qr->pivot[j]], 1e-12);
    }
}

static void check_pivots_are_a_permutation(void)
{
    int seen[MOST] = {0};
    for (int j = 0; j < qr->cols; j++)
        seen[qr->pivot[j]]++;
    for (int j = 0; j < qr->cols; j++)
        CHECK_EQUAL_INT(seen[j], 1);
}

static void check_q_is_orthogonal(void)
{
    static double Q[MOST_ENTRIES]; /* columns one after the other */
    int m = qr->rows;
    memset(Q, 0, sizeof Q);
    for (int j = 0; j < m; j++) {
        Q[j * m + j] = 1;
        hol_qr_apply_q(qr, Q + j * m);
    }
    for (int i = 0; i < m; i++)
        for (int j = 0; j <= i; j++)
            CHECK_NEAR(product(m, Q + i * m, 1, Q + j * m, 1), i == j, 1e-13);
    for (int j = 0; j < m; j++) {
        hol_qr_apply_qt(qr, Q + j * m);
        for (int i = 0; i < m; i++)
            CHECK_NEAR(Q[j * m + i], i == j, 1e-13);
    }
}

/* Z of a factorisation of M^T, where M is m x n */
static void check_null_space(int m, int n, const double *M)
{
    int nz = n - qr->rank;
    Z[n * nz] = 77;
    hol_qr_null_space(qr, Z);
    CHECK(Z[n * nz] == 77);
    for (int j = 0; j < nz; j++) {
        for (int i = 0; i < m; i++)
            CHECK_NEAR(product(n, M + i * n, 1, Z + j, nz), 0, 1e-12);
        for (int i = 0; i < nz; i++)
            CHECK_NEAR(product(n, Z + i, nz, Z + j, nz), i == j, 1e-13);
    }
}

/* r orthogonal to the columns of M: the least-squares condition */
static void check_orthogonal(int m, int n, const double *M, const double *r, double tolerance)
{
    for (int j = 0; j < n; j++)
        CHECK_NEAR(product(m, M + j, n, r, 1), 0, tolerance);
}

typedef struct Shape {
    int rows, cols, rank;
} Shape;

static const Shape shapes[] = {
    {1, 1, 1},   {1, 1, 0},    {2, 2, 2},    {2, 2, 1},   {3, 3, 0},   {1, 7, 1},    {7, 1, 1},       {5, 3, 3},
    {5, 3, 2},   {3, 5, 3},    {3, 5, 2},    {8, 8, 8},   {8, 8, 5},   {20, 30, 20}, {20, 30, 13},    {30, 20, 20},
    {30, 20, 7}, {60, 60, 60}, {60, 60, 59}, {100, 9, 9}, {9, 100, 9}, {50, 99, 31}, {100, 100, 100}, {100, 100, 40},
};
enum { SHAPE_COUNT = sizeof shapes / sizeof shapes[0] };

static Shape fill_shape(int k)
{
    Shape s = shapes[k];
    CHECK_CONTEXT("%d x %d of rank %d", s.rows, s.cols, s.rank);
    fill_rank(s.rows, s.cols, s.rank);
    return s;
}

static void factors_multiply_to_the_matrix(void)
{
    CHECK_OR_RETURN(set_up());
    for (int k = 0; k < SHAPE_COUNT; k++) {
        Shape s = fill_shape(k);
        CHECK_EQUAL_INT(hol_qr_factor(qr, s.rows, s.cols, A, 1e-10), s.rank);
        CHECK_EQUAL_INT(qr->rank, s.rank);
        CHECK(qr->rows == s.rows && qr->cols == s.cols);
        check_product(A);
        check_pivots_are_a_permutation();
        check_q_is_orthogonal();
    }
    tear_down();
}

static void transposed_input_is_the_transpose(void)
{
    CHECK_OR_RETURN(set_up());
    for (int k = 0; k < SHAPE_COUNT; k++) {
        Shape s = fill_shape(k);
        CHECK_EQUAL_INT(hol_qr_factor_transposed(qr, s.rows, s.cols, A, 1e-10), s.rank);
        CHECK(qr->rows == s.cols && qr->cols == s.rows);
        transpose(s.rows, s.cols, A, B);
        check_product(B);
        check_pivots_are_a_permutation();
        check_null_space(s.rows, s.cols, A);

        factor_fixed_transposed(qr, s.rows, s.cols, A);
        CHECK(qr->rows == s.cols && qr->cols == s.rows);
        check_product(B);
    }
    tear_down();
}

static void fixed_order_keeps_the_columns(void)
{
    CHECK_OR_RETURN(set_up());
    for (int k = 0; k < SHAPE_COUNT; k++) {
        Shape s = fill_shape(k);
        int least = s.rows < s.cols ? s.rows : s.cols;
        hol_qr_factor_fixed(qr, s.rows, s.cols, A);
        CHECK_EQUAL_INT(qr->rank, least);
        for (int j = 0; j < s.cols; j++)
            CHECK_EQUAL_INT(qr->pivot[j], j);
        check_product(A);
        check_q_is_orthogonal();
        if (s.rank == least)
            CHECK(hol_qr_quality(qr) > 1e-6 && hol_qr_quality(qr) <= 1);
        else
            CHECK(hol_qr_quality(qr) < 1e-12);
    }
    tear_down();
}

static void fixed_null_space_keeps_its_size(void)
{
    CHECK_OR_RETURN(set_up());
    fill_rank(4, 9, 2);
    factor_fixed_transposed(qr, 4, 9, A);
    CHECK_EQUAL_INT(qr->rank, 4);
    check_null_space(4, 9, A);
    tear_down();
}

/* A solution of the fixed order is that of the pivoted one where the matrix is square and regular. */
static void fixed_order_solves(void)
{
    CHECK_OR_RETURN(set_up());
    double b[30], x[30], y[30], z[30];
    fill_rank(30, 30, 30);
    random_fill(30, b);
    hol_qr_factor(qr, 30, 30, A, 1e-10);
    hol_qr_least_squares(qr, b, x);
    hol_qr_solve_transposed(qr, b, z);
    hol_qr_factor_fixed(qr, 30, 30, A);
    hol_qr_least_squares(qr, b, y);
    for (int i = 0; i < 30; i++)
        CHECK_NEAR(y[i], x[i], 1e-9);
    hol_qr_solve_transposed(qr, b, y);
    for (int i = 0; i < 30; i++)
        CHECK_NEAR(y[i], z[i], 1e-9);
    tear_down();
}

/* LAPACK's |R_kk| of the m x n matrix A; smaller ones are noise */
static void check_against_dgeqp3(int m, int n, double noise)
{
    int least = m < n ? m : n;
    lapack_int jpvt[MOST] = {0};
    double tau[MOST];
    memcpy(B, A, sizeof B);
    LAPACKE_dgeqp3(LAPACK_ROW_MAJOR, m, n, B, n, jpvt, tau);
    int rank = hol_qr_factor(qr, m, n, A, 0);
    double scale = least > 0 ? fabs(B[0]) : 1;
    for (int k = 0; k < least; k++) {
        double expected = fabs(B[k * n + k]);
        if (expected <= noise * scale)
            break;
        REQUIRE(k < rank);
        CHECK_NEAR(fabs(R(k, k)), expected, 1e-10 * expected + 1e-14 * scale);
        CHECK_EQUAL_INT(qr->pivot[k], jpvt[k] - 1);
    }
}

static void diagonal_is_that_of_dgeqp3(void)
{
    CHECK_OR_RETURN(set_up());
    for (int k = 0; k < SHAPE_COUNT; k++) {
        Shape s = fill_shape(k);
        check_against_dgeqp3(s.rows, s.cols, 1e-12);
    }
    for (int n = 1; n <= 20; n++) {
        CHECK_CONTEXT("Hilbert matrix of %d", n);
        fill_hilbert(n);
        check_against_dgeqp3(n, n, 1e-12);
    }
    tear_down();
}

/* Nearly parallel columns: what is left of them after the first reflection is lost in the first lengths. */
static void lengths_survive_cancellation(void)
{
    CHECK_OR_RETURN(set_up());
    for (int exponent = 4; exponent <= 11; exponent++) {
        CHECK_CONTEXT("columns equal up to 1e-%d", exponent);
        random_fill(40 * 30, A);
        for (int i = 0; i < 40 * 30; i++)
            A[i] = sin(i / 30 + 1) + pow(10, -exponent) * A[i] * (1 + i % 30);
        check_against_dgeqp3(40, 30, 1e-15);
        CHECK_EQUAL_INT(qr->rank, 30);
        for (int k = 1; k < 30; k++)
            CHECK(fabs(R(k, k)) <= fabs(R(k - 1, k - 1)) * (1 + 1e-6));
    }
    tear_down();
}

/* Where the factorisation stopped, the lengths it went by are those of what is left. */
static void check_lengths_left(void)
{
    for (int j = qr->rank; j < qr->cols; j++) {
        const double *left = qr->a + j * qr->rows + qr->rank;
        double length = sqrt(product(qr->rows - qr->rank, left, 1, left, 1));
        CHECK_NEAR(qr->left[j], length, 1e-6 * length);
    }
}

/* The second column loses its digits in two steps, and between them changes places with a third that loses none. */
static void lengths_survive_exchanges(void)
{
    CHECK_OR_RETURN(set_up());
    for (int k = 0; k < 20; k++) {
        double c = 0.5 + 0.02 * k;
        const double columns[12] = {2, c, 0, 0, 2e-4 * c, 3e-4, 0, 1e-7, 0, 0, 0, 0};
        CHECK_EQUAL_INT(hol_qr_factor(qr, 4, 3, columns, 1e-6), 2);
        CHECK_EQUAL_INT(qr->pivot[1], 2);
        check_lengths_left();
    }
    tear_down();
}

/* Columns of lengths from 1 to 1e-9, each nearly parallel to the one before: the lengths fall at different times. */
static void lengths_of_graded_columns_survive(void)
{
    CHECK_OR_RETURN(set_up());
    for (int k = 0; k < 200; k++) {
        CHECK_CONTEXT("matrix %d", k);
        random_fill(20 * 10, A);
        for (int j = 1; j < 10; j++) {
            double closeness = pow(10, -4 * fabs(random_number())), scale = pow(10, -4 * fabs(random_number()));
            for (int i = 0; i < 20; i++)
                A[i * 10 + j] = scale * (A[i * 10 + j - 1] + closeness * A[i * 10 + j]);
        }
        check_against_dgeqp3(20, 10, 1e-12);
        for (int exponent = 1; exponent <= 12; exponent++) {
            hol_qr_factor(qr, 20, 10, A, pow(10, -exponent));
            check_lengths_left();
        }
    }
    tear_down();
}

static void scale_does_not_matter(void)
{
    CHECK_OR_RETURN(set_up());
    static double reference[MOST];
    static int pivot[MOST];
    fill_rank(12, 9, 6);
    hol_qr_factor(qr, 12, 9, A, 1e-10);
    for (int k = 0; k < 6; k++)
        reference[k] = R(k, k);
    memcpy(pivot, qr->pivot, sizeof(int) * 9);
    for (int exponent = -900; exponent <= 900; exponent += 300) {
        CHECK_CONTEXT("scaled by 2^%d", exponent);
        for (int i = 0; i < 12 * 9; i++)
            B[i] = ldexp(A[i], exponent);
        CHECK_EQUAL_INT(hol_qr_factor(qr, 12, 9, B, 1e-10), 6);
        for (int k = 0; k < 6; k++) {
            CHECK_NEAR(ldexp(R(k, k), -exponent), reference[k], 1e-13);
            CHECK_EQUAL_INT(qr->pivot[k], pivot[k]);
        }
    }
    tear_down();
}

static void example_by_hand(void)
{
    CHECK_OR_RETURN(set_up());
    const double square[4] = {3, 0, 4, 5}; /* columns of equal length: the first one leads */
    CHECK_EQUAL_INT(hol_qr_factor(qr, 2, 2, square, 0), 2);
    CHECK(qr->pivot[0] == 0 && qr->pivot[1] == 1);
    CHECK_NEAR(R(0, 0), -5, 1e-15);
    CHECK_NEAR(R(0, 1), -4, 1e-15);
    CHECK_NEAR(fabs(R(1, 1)), 3, 1e-15);
    CHECK_NEAR(hol_qr_quality(qr), 0.6, 1e-15);

    double x[2] = {3, 14};
    hol_qr_least_squares(qr, x, x);
    CHECK_NEAR(x[0], 1, 1e-15);
    CHECK_NEAR(x[1], 2, 1e-15);
    double y[2] = {11, 10};
    hol_qr_solve_transposed(qr, y, y);
    CHECK_NEAR(y[0], 1, 1e-14);
    CHECK_NEAR(y[1], 2, 1e-14);
    tear_down();
}

/* x + 2 y + 2 z = 9 has the shortest solution (1, 2, 2), basic solutions on one axis. */
static void one_equation_by_hand(void)
{
    CHECK_OR_RETURN(set_up());
    const double row[3] = {1, 2, 2}, b = 9, c[3] = {2, 4, 4};
    double x[3], y;
    CHECK_EQUAL_INT(hol_qr_factor(qr, 1, 3, row, 0), 1);
    CHECK_EQUAL_INT(qr->pivot[0], 1);
    hol_qr_min_norm(qr, &b, x);
    for (int i = 0; i < 3; i++)
        CHECK_NEAR(x[i], row[i], 1e-14);
    hol_qr_least_squares(qr, &b, x);
    CHECK_NEAR(x[1], 4.5, 1e-14);
    CHECK(x[0] == 0 && x[2] == 0);
    hol_qr_solve_transposed(qr, c, &y);
    CHECK_NEAR(y, 2, 1e-14);
    tear_down();
}

/* Independent rows: (1 0 0), (0 3 0), the first plus twice the second, and zero. The third is the longest; the first
 * keeps 6/sqrt(37) beside it, the second 3/sqrt(37). */
static void independent_rows_by_hand(void)
{
    CHECK_OR_RETURN(set_up());
    const double rows[12] = {1, 0, 0, 0, 3, 0, 1, 6, 0, 0, 0, 0};
    CHECK_EQUAL_INT(hol_qr_factor_transposed(qr, 4, 3, rows, 1e-12), 2);
    CHECK_EQUAL_INT(qr->pivot[0], 2);
    CHECK_EQUAL_INT(qr->pivot[1], 0);
    CHECK_NEAR(fabs(R(0, 0)), sqrt(37), 1e-14);
    CHECK_NEAR(fabs(R(1, 1)), 6 / sqrt(37), 1e-15);
    CHECK_NEAR(hol_qr_quality(qr), 6.0 / 37, 1e-15);
    double z[3];
    hol_qr_null_space(qr, z);
    CHECK_NEAR(z[0], 0, 1e-15);
    CHECK_NEAR(z[1], 0, 1e-15);
    CHECK_NEAR(fabs(z[2]), 1, 1e-15);

    /* The rows 2 and 0 are satisfied, the contradicting rows 1 and 3 not looked at. */
    const double c[4] = {2, 100, 14, 200};
    double y[3];
    hol_qr_solve_transposed(qr, c, y);
    CHECK_NEAR(y[0], 2, 1e-14);
    CHECK_NEAR(y[1], 2, 1e-14);
    CHECK_NEAR(y[2], 0, 1e-14);
    tear_down();
}

static void quality_of_fixed_order_by_hand(void)
{
    CHECK_OR_RETURN(set_up());
    const double diagonal[4] = {0.25, 0, 0, -2}, parallel[4] = {1, 0, 2, 0};
    hol_qr_factor_fixed(qr, 2, 2, diagonal);
    CHECK_NEAR(hol_qr_quality(qr), 0.125, 1e-16);
    hol_qr_factor_fixed(qr, 2, 2, parallel);
    CHECK(hol_qr_quality(qr) == 0);
    hol_qr_factor_fixed(qr, 1, 2, diagonal);
    CHECK(hol_qr_quality(qr) == 1);
    tear_down();
}

/* The x of the m x n matrix A must be LAPACK's, and the basic solution as good. */
static void check_against_dgelsy(int m, int n)
{
    double b[MOST], x[MOST], y[MOST] = {0}, r[MOST];
    lapack_int jpvt[MOST] = {0}, rank;
    random_fill(m, b);
    memcpy(y, b, sizeof *b * (size_t)m);
    memcpy(B, A, sizeof B);
    LAPACKE_dgelsy(LAPACK_ROW_MAJOR, m, n, 1, B, n, y, 1, jpvt, 1e-9, &rank);
    double size = 1 + sqrt(product(n, y, 1, y, 1));
    hol_qr_min_norm(qr, b, x);
    CHECK_EQUAL_INT(qr->rank, rank);
    for (int j = 0; j < n; j++)
        CHECK_NEAR(x[j], y[j], 1e-10 * size);

    hol_qr_least_squares(qr, b, x);
    residual(m, n, A, x, b, r);
    check_orthogonal(m, n, A, r, 1e-11 * size);
    for (int k = qr->rank; k < n; k++)
        CHECK(x[qr->pivot[k]] == 0);
}

static void shortest_solutions_are_those_of_dgelsy(void)
{
    CHECK_OR_RETURN(set_up());
    for (int k = 0; k < SHAPE_COUNT; k++) {
        Shape s = fill_shape(k);
        if (s.rank == 100) /* too ill-conditioned to compare */
            continue;
        hol_qr_factor(qr, s.rows, s.cols, A, 1e-9);
        CHECK(!qr->is_complete);
        check_against_dgelsy(s.rows, s.cols);
        CHECK(qr->is_complete == (s.rank < s.cols)); /* and reused by the second */
        check_against_dgelsy(s.rows, s.cols);

        transpose(s.rows, s.cols, A, B);
        hol_qr_factor_transposed(qr, s.rows, s.cols, A, 1e-9);
        memcpy(A, B, sizeof A);
        check_against_dgelsy(s.cols, s.rows);
    }
    tear_down();
}

static void fixed_order_of_wide_matrices_has_shortest_solutions(void)
{
    CHECK_OR_RETURN(set_up());
    fill_rank(10, 25, 10);
    hol_qr_factor_fixed(qr, 10, 25, A);
    check_against_dgelsy(10, 25);
    tear_down();
}

/* y solves A^T y = c for c = A^T z, and lies in the range of A: it is z without its part in the null space of A^T. */
static void transposed_solutions_are_the_shortest(void)
{
    CHECK_OR_RETURN(set_up());
    for (int k = 0; k < SHAPE_COUNT; k++) {
        Shape s = fill_shape(k);
        if (s.rank == 100)
            continue;
        double z[MOST], c[MOST], y[MOST], r[MOST];
        transpose(s.rows, s.cols, A, B);
        random_fill(s.rows, z);
        memset(r, 0, sizeof r);
        residual(s.cols, s.rows, B, z, r, c);
        hol_qr_factor(qr, s.rows, s.cols, A, 1e-9);
        hol_qr_solve_transposed(qr, c, y);
        residual(s.cols, s.rows, B, y, c, r);
        for (int j = 0; j < s.cols; j++)
            CHECK_NEAR(r[j], 0, 1e-10);
        int nz = s.rows - s.rank;
        hol_qr_null_space(qr, Z);
        for (int j = 0; j < nz; j++)
            CHECK_NEAR(product(s.rows, Z + j, nz, y, 1), 0, 1e-10 * (1 + sqrt(product(s.rows, y, 1, y, 1))));
    }
    tear_down();
}

static void hilbert_rank_follows_the_tolerance(void)
{
    CHECK_OR_RETURN(set_up());
    fill_hilbert(12);
    int last = 12;
    for (int exponent = 16; exponent >= 1; exponent--) {
        double tolerance = pow(10, -exponent);
        int rank = hol_qr_factor(qr, 12, 12, A, tolerance);
        CHECK(rank >= 1 && rank <= last);
        CHECK(hol_qr_quality(qr) > tolerance);
        last = rank;
    }
    CHECK_EQUAL_INT(last, 2);
    double b[12], x[12], r[12];
    for (int i = 0; i < 12; i++)
        b[i] = product(12, A + i * 12, 1, A, 1);
    hol_qr_factor(qr, 12, 12, A, 1e-12);
    hol_qr_min_norm(qr, b, x);
    residual(12, 12, A, x, b, r);
    for (int i = 0; i < 12; i++)
        CHECK_NEAR(r[i], 0, 1e-10);
    tear_down();
}

static void zero_matrix_has_rank_zero(void)
{
    CHECK_OR_RETURN(set_up());
    double b[3] = {1, 2, 3}, x[5] = {9, 9, 9, 9, 9};
    memset(A, 0, sizeof A);
    CHECK_EQUAL_INT(hol_qr_factor(qr, 3, 5, A, 0), 0);
    CHECK(hol_qr_quality(qr) == 1);
    hol_qr_min_norm(qr, b, x);
    for (int i = 0; i < 5; i++)
        CHECK(x[i] == 0);
    hol_qr_null_space(qr, Z);
    for (int i = 0; i < 9; i++)
        CHECK(Z[i] == (i % 4 == 0));
    hol_qr_solve_transposed(qr, x, b);
    CHECK(b[0] == 0 && b[1] == 0 && b[2] == 0);
    hol_qr_factor_fixed(qr, 3, 5, A);
    CHECK_EQUAL_INT(qr->rank, 3);
    CHECK(hol_qr_quality(qr) == 0);
    tear_down();
}

static void empty_matrices_are_allowed(void)
{
    CHECK_OR_RETURN(set_up());
    double x[3] = {5, 6, 7}, y[3] = {5, 6, 7};
    CHECK_EQUAL_INT(hol_qr_factor(qr, 0, 0, NULL, 0), 0);
    CHECK_EQUAL_INT(hol_qr_factor(qr, 0, 3, NULL, 0), 0);
    hol_qr_min_norm(qr, NULL, x);
    hol_qr_least_squares(qr, NULL, y);
    for (int i = 0; i < 3; i++)
        CHECK(x[i] == 0 && y[i] == 0);
    CHECK_EQUAL_INT(hol_qr_factor_transposed(qr, 0, 3, NULL, 0), 0); /* no constraint: every direction is free */
    CHECK_EQUAL_INT(qr->rows, 3);
    hol_qr_null_space(qr, Z);
    for (int i = 0; i < 9; i++)
        CHECK(Z[i] == (i % 4 == 0));
    y[0] = 1;
    hol_qr_solve_transposed(qr, NULL, y);
    CHECK(y[0] == 0 && y[1] == 0 && y[2] == 0);
    hol_qr_factor_fixed(qr, 3, 0, NULL);
    CHECK(hol_qr_quality(qr) == 1);
    HolQr *none;
    CHECK_OK(hol_qr_create(arena, 0, 0, &none));
    tear_down();
}

static void nan_and_infinity_are_reported(void)
{
    CHECK_OR_RETURN(set_up());
    const double bad[2] = {NAN, INFINITY};
    for (int k = 0; k < 2; k++) {
        for (int place = 0; place < 12; place++) {
            CHECK_CONTEXT("%g at %d", bad[k], place);
            random_fill(12, A);
            A[place] = bad[k];
            CHECK_EQUAL_INT(hol_qr_factor(qr, 3, 4, A, 1e-9), -1);
            CHECK_EQUAL_INT(qr->rank, 0);
            CHECK_EQUAL_INT(hol_qr_factor_transposed(qr, 3, 4, A, 1e-9), -1);
            hol_qr_factor_fixed(qr, 3, 4, A);
            CHECK(hol_qr_quality(qr) == 0);
            factor_fixed_transposed(qr, 3, 4, A);
            CHECK(hol_qr_quality(qr) == 0);
        }
    }
    random_fill(12, A);
    CHECK_EQUAL_INT(hol_qr_factor(qr, 3, 4, A, 1e-9), 3); /* and forgotten */
    tear_down();
}

/* One constraint along an axis, turned a little to either side: Q and the null space basis follow. */
static void fixed_order_is_continuous(void)
{
    CHECK_OR_RETURN(set_up());
    for (int side = -1; side <= 1; side++) {
        CHECK_CONTEXT("side %d", side);
        const double row[3] = {2, side * 1e-9, 0};
        const double expected[6] = {0, 0, 1, 0, 0, 1};
        factor_fixed_transposed(qr, 1, 3, row);
        hol_qr_null_space(qr, Z);
        for (int i = 0; i < 6; i++)
            CHECK_NEAR(Z[i], expected[i], 1e-8);
        double q[3] = {1, 0, 0};
        hol_qr_apply_q(qr, q);
        CHECK_NEAR(q[0], -1, 1e-8);
        CHECK_NEAR(R(0, 0), -2, 1e-8);
    }
    tear_down();
}

static void nothing_allocates_after_creation(void)
{
    CHECK_OR_RETURN(set_up());
    double b[20] = {1}, x[20];
    fill_rank(15, 20, 8);
    hol_arena_freeze(arena);
    allocations_start();
    int rank = hol_qr_factor(qr, 15, 20, A, 1e-9);
    hol_qr_min_norm(qr, b, x);
    hol_qr_least_squares(qr, b, x);
    hol_qr_solve_transposed(qr, x, b);
    hol_qr_null_space(qr, Z);
    hol_qr_factor_transposed(qr, 15, 20, A, 1e-9);
    hol_qr_factor_fixed(qr, 15, 20, A);
    CHECK_EQUAL_INT(allocations_stop(), 0);
    CHECK_EQUAL_INT(rank, 8);
    tear_down();
}

static void results_are_the_same_bits(void)
{
    CHECK_OR_RETURN(set_up());
    double b[20], x[20], y[20];
    fill_rank(15, 20, 8);
    random_fill(20, b);
    hol_qr_factor(qr, 15, 20, A, 1e-9);
    hol_qr_min_norm(qr, b, x);
    random_fill(400, B);
    hol_qr_factor(qr, 20, 20, B, 1e-9);
    hol_qr_min_norm(qr, b, y);
    hol_qr_factor(qr, 15, 20, A, 1e-9);
    hol_qr_min_norm(qr, b, y);
    CHECK(memcmp(x, y, sizeof x) == 0);
    tear_down();
}

static void too_large_is_no_memory(void)
{
    CHECK_OR_RETURN(set_up());
    HolQr *none = qr;
    CHECK_STATUS(hol_qr_create(arena, INT32_MAX, INT32_MAX, &none), HOL_NO_MEMORY);
    CHECK(none == qr);
    tear_down();
}

CHECK_MAIN(TEST(factors_multiply_to_the_matrix), TEST(transposed_input_is_the_transpose),
           TEST(fixed_order_keeps_the_columns), TEST(fixed_null_space_keeps_its_size), TEST(fixed_order_solves),
           TEST(diagonal_is_that_of_dgeqp3), TEST(lengths_survive_cancellation), TEST(lengths_survive_exchanges),
           TEST(lengths_of_graded_columns_survive), TEST(scale_does_not_matter), TEST(example_by_hand),
           TEST(one_equation_by_hand), TEST(independent_rows_by_hand), TEST(quality_of_fixed_order_by_hand),
           TEST(shortest_solutions_are_those_of_dgelsy), TEST(fixed_order_of_wide_matrices_has_shortest_solutions),
           TEST(transposed_solutions_are_the_shortest), TEST(hilbert_rank_follows_the_tolerance),
           TEST(zero_matrix_has_rank_zero), TEST(empty_matrices_are_allowed), TEST(nan_and_infinity_are_reported),
           TEST(fixed_order_is_continuous), TEST(nothing_allocates_after_creation), TEST(results_are_the_same_bits),
           TEST(too_large_is_no_memory))
