/* SPDX-License-Identifier: BSD-3-Clause */
/* The penalty matrix A = M + D^T diag(w) D, with and without slopes, against the same matrix written out and solved by
 * LAPACK. */
#include "linalg/schur/penalty_matrix.h"

#include "allocations.h"
#include "check.h"
#include "dense.h"
#include "random.h"
#include "system/pattern.h"

#include <lapacke.h>

enum { MOST_PARTS = 64, MOST_PAIRS = 256, MOST = 200, LARGEST = 7 };
enum { MIXED = 0 };

typedef struct Problem {
    HolSystemSpec spec;
    int block_sizes[MOST_PARTS], group_sizes[MOST_PARTS];
    HolPair pairs[MOST_PAIRS], mass_pairs[MOST_PARTS];
    HolArena *arena;
    HolPattern pattern;
    HolPenaltyMatrix *penalty;
    double *M, *D, *w;
    HolSlopes slopes; /* zero: none */
    double A[MOST * MOST];
} Problem;

static Problem p;

static void add_blocks(int count, int size)
{
    memset(&p, 0, sizeof p);
    for (int b = 0; b < count; b++) {
        p.block_sizes[b] = size == MIXED ? random_between(1, LARGEST) : size;
        p.spec.nv += p.block_sizes[b];
    }
    p.spec.nq = p.spec.nv;
    p.spec.block_count = count;
}

static void add_group(int size, int a, int b)
{
    int g = p.spec.group_count++;
    p.group_sizes[g] = size;
    p.spec.nh += size;
    p.pairs[p.spec.pair_count++] = (HolPair){g, a};
    if (b >= 0)
        p.pairs[p.spec.pair_count++] = (HolPair){g, b};
}

static void couple(int a, int b)
{
    p.mass_pairs[p.spec.mass_pair_count++] = (HolPair){a, b};
}

/* A chain with a loop over all of it; D may have any rank, so the sizes need no care. */
static void add_chain(int group_size)
{
    int count = p.spec.block_count;
    for (int b = 0; b < count; b++)
        add_group(group_size == MIXED ? random_between(1, LARGEST) : group_size, b, b - 1);
    if (count > 2)
        add_group(group_size == MIXED ? 2 : group_size, 0, count - 1);
}

static bool problem_open(void)
{
    p.spec.block_sizes = p.block_sizes;
    p.spec.group_sizes = p.group_sizes;
    p.spec.pairs = p.pairs;
    p.spec.mass_pairs = p.mass_pairs;
    p.arena = hol_arena_create();
    if (!CHECK_OK(hol_pattern_build(&p.spec, p.arena, &p.pattern, NULL)))
        return false;
    p.M = hol_arena_doubles(p.arena, (size_t)p.pattern.mass_start[p.pattern.mass_pair_count]);
    p.D = hol_arena_doubles(p.arena, (size_t)p.pattern.pair_start[p.pattern.pair_count]);
    p.w = hol_arena_doubles(p.arena, (size_t)p.pattern.m);
    return CHECK(p.pattern.nv <= MOST && p.pattern.m <= MOST && !hol_arena_failed(p.arena)) &&
           CHECK_OK(hol_penalty_matrix_create(p.arena, &p.pattern, false, &p.penalty));
}

static void problem_close(void)
{
    hol_arena_destroy(p.arena);
    p.arena = NULL;
}

/* M is diagonally dominant, with off-diagonal blocks where the pattern has them. */
static void fill_masses(void)
{
    const HolPattern *t = &p.pattern;
    for (int k = 0; k < t->mass_pair_count; k++) {
        int rows = p.block_sizes[t->mass_pairs[k].row], columns = p.block_sizes[t->mass_pairs[k].column];
        double *M = p.M + t->mass_start[k];
        for (int i = 0; i < rows * columns; i++)
            M[i] = 0.2 * random_number();
        for (int i = 0; k < t->block_count && i < rows; i++) {
            M[i * rows + i] = 10 + random_number();
            for (int j = 0; j < i; j++)
                M[i * rows + j] = M[j * rows + i];
        }
    }
}

static void fill_rows(double weight)
{
    for (int i = 0; i < p.pattern.pair_start[p.pattern.pair_count]; i++)
        p.D[i] = random_number();
    for (int i = 0; i < p.pattern.m; i++)
        p.w[i] = weight * (1.5 + random_number());
}

/* Half of k K + c C and half of its transpose. */
static void add_slopes_densely(int n)
{
    const HolPattern *t = &p.pattern;
    for (int b = 0; b < t->tangent_count; b++) {
        int row = t->block_start[t->tangents[b].row], column = t->block_start[t->tangents[b].column];
        int columns = p.block_sizes[t->tangents[b].column];
        for (int i = 0; i < t->tangent_start[b + 1] - t->tangent_start[b]; i++) {
            int from = t->tangent_start[b] + i, r = row + i / columns, c = column + i % columns;
            double half = 0.5 * (p.slopes.k * p.slopes.K[from] + p.slopes.c * p.slopes.C[from]);
            p.A[r * n + c] += half;
            p.A[c * n + r] += half;
        }
    }
}

static void write_densely(void)
{
    const HolTerms terms = {.pattern = &p.pattern, .M = p.M, .D = p.D};
    Dense dense;
    REQUIRE(dense_open(&terms, &dense));
    int n = dense.nv;
    for (int i = 0; i < n * n; i++) {
        p.A[i] = dense.M[i];
        for (int r = 0; r < dense.m; r++)
            p.A[i] += p.w[r] * dense.D[r * n + i / n] * dense.D[r * n + i % n];
    }
    dense_close(&dense);
    if (p.slopes.K)
        add_slopes_densely(n);
}

static void check_solution(double tolerance)
{
    int n = p.pattern.nv;
    double x[MOST], y[MOST];
    for (int i = 0; i < n; i++)
        x[i] = y[i] = random_number();
    write_densely();
    CHECK_EQUAL_INT(LAPACKE_dposv(LAPACK_ROW_MAJOR, 'L', n, 1, p.A, n, y, 1), 0);
    hol_penalty_matrix_solve(p.penalty, x);
    for (int i = 0; i < n; i++)
        CHECK_NEAR(x[i], y[i], tolerance * max_norm(n, y));
}

static void check_numbers(double weight, double tolerance)
{
    fill_masses();
    fill_rows(weight);
    CHECK_OK(hol_penalty_matrix_factor(p.penalty, p.M, NULL, p.D, p.w));
    CHECK(hol_penalty_matrix_pivot(p.penalty) > 0 && hol_penalty_matrix_pivot(p.penalty) <= 1);
    check_solution(tolerance);
}

/* Planar pins and hinges in space have code of their own. */
static const int all_sizes[][2] = {{3, 2}, {6, 5}, {6, 3}, {1, 1}, {2, 1}, {4, 4}, {3, 6}, {MIXED, MIXED}};
enum { SIZES = sizeof all_sizes / sizeof *all_sizes };

static void solutions_are_those_of_the_whole_matrix(void)
{
    random_seed(1);
    for (int k = 0; k < SIZES; k++) {
        for (int count = 1; count <= 13; count += 3) {
            CHECK_CONTEXT("%d blocks of %d, groups of %d", count, all_sizes[k][0], all_sizes[k][1]);
            add_blocks(count, all_sizes[k][0]);
            add_chain(all_sizes[k][1]);
            if (problem_open()) {
                check_numbers(1, 1e-11);
                check_numbers(1e4, 1e-9); /* other numbers in the same memory */
            }
            problem_close();
        }
    }
}

/* Masses that couple neighbours, blocks that share no group, and a block far away. */
static void coupled_masses_are_solved_too(void)
{
    random_seed(2);
    for (int k = 0; k < SIZES; k++) {
        CHECK_CONTEXT("blocks of %d, groups of %d", all_sizes[k][0], all_sizes[k][1]);
        add_blocks(8, all_sizes[k][0]);
        add_chain(all_sizes[k][1]);
        couple(1, 0);
        couple(5, 2);
        couple(7, 3);
        couple(7, 0);
        if (problem_open())
            check_numbers(1, 1e-11);
        problem_close();
    }
}

static void groups_of_many_blocks_are_solved_too(void)
{
    random_seed(3);
    add_blocks(6, MIXED);
    add_group(3, 0, -1);
    for (int b = 1; b < 6; b++)
        p.pairs[p.spec.pair_count++] = (HolPair){0, b};
    if (problem_open())
        check_numbers(1, 1e-11);
    problem_close();
}

static void without_rows_it_is_the_mass(void)
{
    random_seed(4);
    add_blocks(5, MIXED);
    couple(4, 1);
    if (problem_open())
        check_numbers(1, 1e-12);
    problem_close();
}

/* Rows that repeat each other only make the spring stiffer. */
static void dependent_rows_do_no_harm(void)
{
    random_seed(5);
    add_blocks(3, 3);
    for (int g = 0; g < 8; g++)
        add_group(2, 1, 0);
    if (problem_open()) {
        fill_masses();
        fill_rows(1);
        for (int g = 1; g < 8; g++)
            memcpy(p.D + 12 * g, p.D, 12 * sizeof *p.D);
        CHECK_OK(hol_penalty_matrix_factor(p.penalty, p.M, NULL, p.D, p.w));
        check_solution(1e-11);
    }
    problem_close();
}

/* A block without mass is held by as many rows as it has numbers. */
static void massless_blocks_need_rows(void)
{
    random_seed(6);
    add_blocks(3, 3);
    add_group(2, 1, 0);
    add_group(1, 2, 1);
    if (problem_open()) {
        fill_masses();
        fill_rows(1);
        memset(p.M + p.pattern.mass_start[1], 0, 9 * sizeof *p.M);
        CHECK_OK(hol_penalty_matrix_factor(p.penalty, p.M, NULL, p.D, p.w));
        check_solution(1e-9);
        memset(p.D + p.pattern.pair_start[3], 0, 3 * sizeof *p.D); /* the second group's part on another block */
        memset(p.D + p.pattern.pair_start[2], 0, 3 * sizeof *p.D); /* and on the massless one */
        CHECK_STATUS(hol_penalty_matrix_factor(p.penalty, p.M, NULL, p.D, p.w), HOL_SINGULAR);
    }
    problem_close();
    add_blocks(1, 1);
    if (problem_open())
        CHECK_STATUS(hol_penalty_matrix_factor(p.penalty, p.M, NULL, p.D, p.w), HOL_SINGULAR);
    problem_close();
}

static void fill_slopes(double size)
{
    int count = p.pattern.tangent_start[p.pattern.tangent_count];
    double *K = hol_arena_doubles(p.arena, (size_t)count), *C = hol_arena_doubles(p.arena, (size_t)count);
    REQUIRE(K && C);
    for (int i = 0; i < count; i++) {
        K[i] = size * random_number();
        C[i] = size * random_number();
    }
    p.slopes = (HolSlopes){K, C, 0.7, 0.3};
}

/* K and C are not symmetric, and couple blocks that no row does. */
static void slopes_count_by_their_symmetric_parts(void)
{
    static const HolPair couplings[] = {{6, 1}, {2, 5}};
    random_seed(9);
    for (int k = 0; k < SIZES; k++) {
        CHECK_CONTEXT("blocks of %d, groups of %d", all_sizes[k][0], all_sizes[k][1]);
        add_blocks(7, all_sizes[k][0]);
        add_chain(all_sizes[k][1]);
        couple(4, 0);
        p.spec.coupling_count = 2;
        p.spec.couplings = couplings;
        if (problem_open() && CHECK_OK(hol_penalty_matrix_create(p.arena, &p.pattern, true, &p.penalty))) {
            fill_masses();
            fill_rows(1);
            CHECK_OK(hol_penalty_matrix_factor(p.penalty, p.M, NULL, p.D, p.w));
            check_solution(1e-11);
            fill_slopes(0.3);
            CHECK_OK(hol_penalty_matrix_factor(p.penalty, p.M, &p.slopes, p.D, p.w));
            check_solution(1e-11);
            p.slopes.k = -1e3;
            CHECK_STATUS(hol_penalty_matrix_factor(p.penalty, p.M, &p.slopes, p.D, p.w), HOL_SINGULAR);
        }
        problem_close();
    }
}

static void nan_is_reported(void)
{
    random_seed(7);
    add_blocks(3, 2);
    add_chain(1);
    couple(2, 0);
    if (problem_open()) {
        fill_masses();
        fill_rows(1);
        for (int i = 0; i < p.pattern.pair_start[p.pattern.pair_count]; i++) {
            CHECK_CONTEXT("NaN in D[%d]", i);
            double kept = p.D[i];
            p.D[i] = NAN;
            CHECK_STATUS(hol_penalty_matrix_factor(p.penalty, p.M, NULL, p.D, p.w), HOL_NOT_FINITE);
            p.D[i] = kept;
        }
        for (int i = 0; i < p.pattern.mass_pair_count; i++) {
            CHECK_CONTEXT("NaN in mass block %d", i);
            double *M = p.M + p.pattern.mass_start[i], kept = *M;
            *M = NAN;
            CHECK_STATUS(hol_penalty_matrix_factor(p.penalty, p.M, NULL, p.D, p.w), HOL_NOT_FINITE);
            *M = kept;
        }
        CHECK_OK(hol_penalty_matrix_factor(p.penalty, p.M, NULL, p.D, p.w));
        check_solution(1e-11);
    }
    problem_close();
}

static void nothing_allocates_after_creation(void)
{
    random_seed(8);
    add_blocks(8, MIXED);
    add_chain(MIXED);
    if (problem_open()) {
        double x[MOST] = {0};
        fill_masses();
        fill_rows(1);
        hol_arena_freeze(p.arena);
        allocations_start();
        HolStatus status = hol_penalty_matrix_factor(p.penalty, p.M, NULL, p.D, p.w);
        hol_penalty_matrix_solve(p.penalty, x);
        CHECK_EQUAL_INT(allocations_stop(), 0);
        CHECK_OK(status);
    }
    problem_close();
}

CHECK_MAIN(TEST(solutions_are_those_of_the_whole_matrix), TEST(coupled_masses_are_solved_too),
           TEST(groups_of_many_blocks_are_solved_too), TEST(without_rows_it_is_the_mass),
           TEST(dependent_rows_do_no_harm), TEST(massless_blocks_need_rows),
           TEST(slopes_count_by_their_symmetric_parts), TEST(nan_is_reported), TEST(nothing_allocates_after_creation))
