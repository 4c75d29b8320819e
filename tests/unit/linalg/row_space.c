/* SPDX-License-Identifier: BSD-3-Clause */
/* Row spaces of given rank: what makes a least-squares solution, checked by products alone. */
#include "linalg/rank/row_space.h"

#include "check.h"
#include "random.h"

#include <math.h>
#include <string.h>

enum { MOST = 24 };

typedef struct Problem {
    int rows, cols, rank;
    double D[MOST * MOST], scaled[MOST * MOST], size[MOST];
} Problem;

/* Random rows, of which those behind the rank are combinations of the first ones, moved off by random numbers of the
 * size `off`; sizes from 0.1 to 10. */
static Problem make_problem(int rows, int cols, int rank, double off)
{
    Problem p = {.rows = rows, .cols = cols, .rank = rank};
    for (int i = 0; i < rows; i++) {
        double *d = p.D + i * cols;
        for (int j = 0; j < cols && i < rank; j++)
            d[j] = random_number();
        for (int k = 0; k < rank && i >= rank; k++) {
            double part = random_number();
            for (int j = 0; j < cols; j++)
                d[j] += part * p.D[k * cols + j];
        }
    }
    for (int i = 0; i < rows; i++) {
        double factor = pow(10, random_number());
        p.size[i] = 0;
        for (int j = 0; j < cols; j++) {
            p.D[i * cols + j] = factor * (p.D[i * cols + j] + (i >= rank ? off * random_number() : 0));
            p.size[i] = fmax(p.size[i], fabs(p.D[i * cols + j]));
        }
        p.size[i] = p.size[i] > 0 ? p.size[i] : 1;
        for (int j = 0; j < cols; j++)
            p.scaled[i * cols + j] = p.D[i * cols + j] / p.size[i];
    }
    return p;
}

/* y = D x and y = D^T x */
static void times(const Problem *p, const double *D, const double *x, double *y)
{
    for (int i = 0; i < p->rows; i++) {
        y[i] = 0;
        for (int j = 0; j < p->cols; j++)
            y[i] += D[i * p->cols + j] * x[j];
    }
}

static void transposed_times(const Problem *p, const double *D, const double *x, double *y)
{
    memset(y, 0, (size_t)p->cols * sizeof *y);
    for (int i = 0; i < p->rows; i++)
        for (int j = 0; j < p->cols; j++)
            y[j] += D[i * p->cols + j] * x[i];
}

static double largest(int n, const double *x)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

static HolRowSpace *factor(HolArena *arena, const Problem *p, bool steady)
{
    HolRowSpace *space = NULL;
    if (!CHECK_OK(hol_row_space_create(arena, p->rows, p->cols, &space)))
        return NULL;
    space->qr->steady = steady;
    CHECK_OK(hol_row_space_factor(space, p->scaled, p->size));
    CHECK_OK(hol_row_space_set_rank(space, p->rank));
    return space;
}

/* x minimises |D x - c|: D^T (D x - c) = 0; it is the shortest: no part of it along Z; D Z = 0. */
static void check_solution(const Problem *p, HolRowSpace *space)
{
    double c[MOST], x[MOST], r[MOST], back[MOST], Z[MOST * MOST], along[MOST];
    int n = p->cols - p->rank;
    random_fill(p->rows, c);
    hol_row_space_solve(space, c, x);
    times(p, p->D, x, r);
    for (int i = 0; i < p->rows; i++)
        r[i] -= c[i];
    transposed_times(p, p->D, r, back);
    CHECK_NEAR(largest(p->cols, back), 0, 1e-10);
    hol_row_space_free_directions(space, Z);
    for (int j = 0; j < n; j++) {
        double column[MOST], sum = 0;
        for (int i = 0; i < p->cols; i++) {
            column[i] = Z[i * n + j];
            sum += column[i] * x[i];
        }
        CHECK_NEAR(sum, 0, 1e-11 * (1 + largest(p->cols, x)));
        times(p, p->D, column, along);
        CHECK_NEAR(largest(p->rows, along), 0, 1e-12);
    }
}

/* Of f = D^T mu the shortest lambda is the part of mu in the range of D: lambda = D x, and D^T lambda = f. */
static void check_transposed(const Problem *p, HolRowSpace *space)
{
    double mu[MOST], f[MOST], kept[MOST], lambda[MOST], x[MOST], image[MOST], back[MOST];
    random_fill(p->rows, mu);
    transposed_times(p, p->D, mu, f);
    memcpy(kept, f, sizeof kept);
    hol_row_space_solve_transposed(space, f, lambda);
    transposed_times(p, p->D, lambda, back);
    for (int i = 0; i < p->cols; i++)
        CHECK_NEAR(back[i], kept[i], 1e-10 * (1 + largest(p->cols, kept)));
    hol_row_space_solve(space, lambda, x);
    times(p, p->D, x, image);
    for (int i = 0; i < p->rows; i++)
        CHECK_NEAR(image[i], lambda[i], 1e-10 * (1 + largest(p->rows, lambda)));
}

static void with_every_shape(void (*check)(const Problem *p, HolRowSpace *space))
{
    static const int shapes[][3] = {{5, 9, 5},    {9, 9, 9}, {8, 9, 6}, {12, 7, 7}, {12, 7, 4},
                                    {20, 20, 10}, {3, 4, 0}, {1, 1, 1}, {6, 6, 1},  {0, 5, 0}};
    random_seed(11);
    for (size_t k = 0; k < 2 * sizeof shapes / sizeof *shapes; k++) {
        const int *shape = shapes[k / 2];
        Problem p = make_problem(shape[0], shape[1], shape[2], 0);
        HolArena *arena = hol_arena_create();
        CHECK_CONTEXT("%d x %d of rank %d%s", shape[0], shape[1], shape[2], k % 2 ? ", steady" : "");
        HolRowSpace *space = arena ? factor(arena, &p, k % 2) : NULL;
        if (CHECK(space != NULL)) {
            CHECK(space->found >= shape[2]);
            check(&p, space);
        }
        hol_arena_destroy(arena);
    }
}

static void solutions_are_least_and_shortest(void)
{
    with_every_shape(check_solution);
}

static void multipliers_are_the_shortest(void)
{
    with_every_shape(check_transposed);
}

/* Where rows are nearly dependent, the free directions of the nearest matrix of rank r are invariant: D~^T D~ Z has no
 * part along U. What Z has of one is of higher order in the distance; that of the QR decomposition is of first order. */
static double part_along_held(double off, bool steady)
{
    random_seed(5);
    Problem p = make_problem(9, 12, 6, off);
    HolArena *arena = hol_arena_create();
    HolRowSpace *space = factor(arena, &p, steady);
    double Z[MOST * MOST], column[MOST], image[MOST], back[MOST], part = 0;
    hol_row_space_free_directions(space, Z);
    for (int j = 0; j < 6; j++) {
        for (int i = 0; i < 12; i++)
            column[i] = Z[i * 6 + j];
        times(&p, p.scaled, column, image);
        transposed_times(&p, p.scaled, image, back);
        for (int k = 0; k < 12; k++) { /* taken away along Z, which is orthonormal but for squares */
            double x = 0;
            for (int i = 0; i < 12 && k < 6; i++)
                x += Z[i * 6 + k] * back[i];
            for (int i = 0; i < 12 && k < 6; i++)
                back[i] -= x * Z[i * 6 + k];
        }
        part = fmax(part, largest(12, back));
    }
    hol_arena_destroy(arena);
    return part;
}

static void nearly_dependent_rows_give_the_nearest_space(void)
{
    for (int steady = 0; steady < 2; steady++) {
        double coarse = part_along_held(1e-2, steady), fine = part_along_held(1e-3, steady);
        CHECK(coarse > 1e-9);
        CHECK(fine < coarse / 500);
    }
}

static double dot(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* The same as for dependent rows, seen along U: x lies in it, |D x - c| is least there, U^T D^T lambda = U^T f, and
 * lambda is the D of something in U. */
static void nearly_dependent_rows_are_solved_with_in_that_space(void)
{
    random_seed(5);
    Problem p = make_problem(9, 12, 6, 1e-2);
    HolArena *arena = hol_arena_create();
    HolRowSpace *space = factor(arena, &p, true);
    double Z[MOST * MOST], c[MOST], x[MOST], u[MOST], r[MOST], image[MOST], f[MOST], kept[MOST], lambda[MOST];
    hol_row_space_free_directions(space, Z);
    random_fill(9, c);
    hol_row_space_solve(space, c, x);
    for (int j = 0; j < 6; j++) {
        double along = 0;
        for (int i = 0; i < 12; i++)
            along += Z[i * 6 + j] * x[i];
        CHECK_NEAR(along, 0, 1e-12 * (1 + largest(12, x)));
    }
    times(&p, p.D, x, r);
    for (int i = 0; i < 9; i++)
        r[i] -= c[i];
    random_fill(12, f);
    memcpy(kept, f, sizeof kept);
    hol_row_space_solve_transposed(space, f, lambda);
    transposed_times(&p, p.D, lambda, f);
    for (int k = 0; k < 12; k++) { /* enough to span U */
        random_fill(9, c);
        hol_row_space_solve(space, c, u);
        times(&p, p.D, u, image);
        CHECK_NEAR(dot(9, image, r), 0, 1e-11 * (1 + largest(9, image)));
        CHECK_NEAR(dot(12, u, f), dot(12, u, kept), 1e-11 * (1 + largest(12, u)));
    }
    hol_row_space_solve(space, lambda, u);
    times(&p, p.D, u, image);
    for (int i = 0; i < 9; i++)
        CHECK_NEAR(image[i], lambda[i], 1e-11 * (1 + largest(9, lambda)));
    hol_arena_destroy(arena);
}

static void numbers_that_are_not_finite_are_refused(void)
{
    HolArena *arena = hol_arena_create();
    HolRowSpace *space = NULL;
    const double D[4] = {1, 0, NAN, 1}, size[2] = {1, 1};
    CHECK_OK(hol_row_space_create(arena, 2, 2, &space));
    CHECK_STATUS(hol_row_space_factor(space, D, size), HOL_NOT_FINITE);
    hol_arena_destroy(arena);
}

CHECK_MAIN(TEST(solutions_are_least_and_shortest), TEST(multipliers_are_the_shortest),
           TEST(nearly_dependent_rows_give_the_nearest_space),
           TEST(nearly_dependent_rows_are_solved_with_in_that_space), TEST(numbers_that_are_not_finite_are_refused))
