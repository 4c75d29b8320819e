/* SPDX-License-Identifier: BSD-3-Clause */
/* The dual Schur complement against the whole of
 *
 *     [ M  -D^T ] [ x      ]   [ f ]
 *     [ D    0  ] [ lambda ] = [ c ]
 *
 * as a dense matrix, solved by LAPACK. */
#include "linalg/schur.h"

#include "allocations.h"
#include "check.h"
#include "dense.h"
#include "random.h"
#include "system/pattern.h"

#include <lapacke.h>
#include <stdlib.h>

enum { MOST_PARTS = 64, MOST_PAIRS = 256, MOST = 600 };
enum { UNIT, DIAGONAL, FULL, MASSES }; /* UNIT: M replaced by the identity */
enum { MIXED = 0 };

static const char *const mass_names[MASSES] = {"unit", "diagonal", "full"};

typedef struct Problem {
    HolSystemSpec spec;
    int block_sizes[MOST_PARTS], group_sizes[MOST_PARTS];
    HolPair pairs[MOST_PAIRS];
    HolArena *arena;
    HolPattern pattern;
    HolSchur *schur;
    int mass;
    double *M, *D, *f, *c, *x, *lambda;
    double *A; /* the dense matrix, n x n */
    int n;
} Problem;

/* Adds a group of the given size on the blocks a and b (b < 0: the ground). */
static void add_group(Problem *p, int size, int a, int b)
{
    int g = p->spec.group_count++;
    p->group_sizes[g] = size;
    p->spec.nh += size;
    p->pairs[p->spec.pair_count++] = (HolPair){g, a};
    if (b >= 0)
        p->pairs[p->spec.pair_count++] = (HolPair){g, b};
}

static void add_blocks(Problem *p, int count, int size)
{
    for (int b = 0; b < count; b++) {
        p->block_sizes[b] = size == MIXED ? random_between(2, 7) : size;
        p->spec.nv += p->block_sizes[b];
    }
    p->spec.nq = p->spec.nv;
    p->spec.block_count = count;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* A tree of bodies, each hanging on an earlier one, leaves every body some freedom; a few small groups close loops. */
static void lay_out(Problem *p, int count, int block_size, int group_size, int loops)
{
    add_blocks(p, count, block_size);
    for (int b = 0; b < count; b++) {
        int size = group_size == MIXED ? random_between(1, p->block_sizes[b] - 1) : group_size;
        add_group(p, size, b, b > 0 ? random_between(0, b - 1) : -1);
    }
    for (int k = 0; k < loops; k++) {
        int a = random_between(1, count - 1), b = random_between(0, a - 1);
        add_group(p, group_size == MIXED ? 1 : smaller(group_size, 2), a, b);
    }
}

static void fill_masses(Problem *p)
{
    for (int b = 0; b < p->pattern.block_count; b++) {
        int n = p->block_sizes[b];
        double *M = p->M + p->pattern.mass_start[b], B[64];
        random_fill(n * n, B);
        for (int i = 0; i < n * n; i++) {
            M[i] = i % (n + 1) == 0 ? 1.5 + random_number() : 0;
            for (int k = 0; p->mass == FULL && k < n; k++)
                M[i] += B[i / n * n + k] * B[i % n * n + k];
        }
    }
}

static void fill_numbers(Problem *p)
{
    fill_masses(p);
    random_fill(p->pattern.pair_start[p->pattern.pair_count], p->D);
    random_fill(p->pattern.nv, p->f);
    random_fill(p->pattern.m, p->c);
}

static bool problem_open(Problem *p, int mass)
{
    p->mass = mass;
    p->spec.block_sizes = p->block_sizes;
    p->spec.group_sizes = p->group_sizes;
    p->spec.pairs = p->pairs;
    p->arena = hol_arena_create();
    if (!CHECK_OK(hol_pattern_build(&p->spec, p->arena, &p->pattern, NULL)))
        return false;
    p->n = p->pattern.nv + p->pattern.m;
    p->M = hol_arena_doubles(p->arena, (size_t)p->pattern.mass_start[p->pattern.block_count]);
    p->D = hol_arena_doubles(p->arena, (size_t)p->pattern.pair_start[p->pattern.pair_count]);
    p->f = hol_arena_doubles(p->arena, MOST);
    p->c = hol_arena_doubles(p->arena, MOST);
    p->x = hol_arena_doubles(p->arena, MOST);
    p->lambda = hol_arena_doubles(p->arena, MOST);
    p->A = hol_arena_doubles(p->arena, (size_t)(p->n * p->n));
    return CHECK(p->n <= MOST && !hol_arena_failed(p->arena)) &&
           CHECK_OK(hol_schur_create(p->arena, &p->pattern, mass == UNIT, &p->schur));
}

static void problem_close(Problem *p)
{
    hol_arena_destroy(p->arena);
    memset(p, 0, sizeof *p);
}

static void write_densely(const Problem *p)
{
    const HolTerms terms = {.pattern = &p->pattern, .M = p->M, .D = p->D};
    Dense dense;
    REQUIRE(dense_open(&terms, &dense));
    for (int i = 0; p->mass == UNIT && i < dense.nv * dense.nv; i++)
        dense.M[i] = i % (dense.nv + 1) == 0;
    dense_system(&dense, p->A);
    dense_close(&dense);
}

/* y = (x, lambda); rows left out become lambda_i = 0. */
static void solve_densely(const Problem *p, const double *f, const unsigned char *left_out, double *y)
{
    lapack_int pivot[MOST];
    int nv = p->pattern.nv;
    write_densely(p);
    memset(y, 0, sizeof *y * (size_t)p->n);
    for (int i = 0; i < nv && f; i++)
        y[i] = f[i];
    for (int r = 0; r < p->pattern.m; r++) {
        y[nv + r] = p->c[r];
        if (!(left_out && left_out[r]))
            continue;
        y[nv + r] = 0;
        for (int k = 0; k < p->n; k++)
            p->A[(nv + r) * p->n + k] = k == nv + r;
    }
    CHECK_EQUAL_INT(LAPACKE_dgesv(LAPACK_ROW_MAJOR, p->n, 1, p->A, p->n, pivot, y, 1), 0);
}

/* The largest departure of (x, lambda) from y, relative to the largest number there. */
static double distance(const Problem *p, const double *y)
{
    double worst = 0, size = 1;
    for (int i = 0; i < p->n; i++) {
        double value = i < p->pattern.nv ? p->x[i] : p->lambda[i - p->pattern.nv];
        worst = fabs(value - y[i]) <= worst ? worst : fabs(value - y[i]);
        size = fmax(size, fabs(y[i]));
    }
    return worst / size;
}

static void check_solution(Problem *p, const unsigned char *left_out)
{
    double y[MOST];
    for (int without = 0; without <= 1; without++) {
        const double *f = without ? NULL : p->f;
        for (int i = 0; i < MOST; i++)
            p->x[i] = p->lambda[i] = NAN;
        hol_schur_solve(p->schur, f, p->c, p->x, p->lambda);
        solve_densely(p, f, left_out, y);
        CHECK_NEAR(distance(p, y), 0, 1e-8 / fmin(1, 1e3 * hol_schur_pivot(p->schur)));
    }
}

static void check_regular(Problem *p)
{
    fill_numbers(p);
    CHECK_OK(hol_schur_set_mass(p->schur, p->M));
    CHECK_OK(hol_schur_factor(p->schur, p->D, 1e-14, NULL));
    CHECK_EQUAL_INT(hol_schur_rank(p->schur), p->pattern.m);
    CHECK(hol_schur_pivot(p->schur) > 0 && hol_schur_pivot(p->schur) <= 1);
    check_solution(p, NULL);
}

/* Blocks x groups: planar pins, spherical joints, hinges in space, sizes without code of their own, mixed ones. */
typedef struct Sizes {
    int block, group;
} Sizes;

static const Sizes all_sizes[] = {{3, 2}, {6, 3}, {6, 5}, {2, 1}, {6, 4}, {3, 1}, {4, 3}, {7, 6}, {MIXED, MIXED}};
enum { SIZES = sizeof all_sizes / sizeof *all_sizes };

static void solutions_are_those_of_the_whole_matrix(void)
{
    static const int counts[] = {1, 2, 3, 7, 20};
    static Problem p;
    random_seed(1);
    for (int k = 0; k < SIZES * 5 * MASSES; k++) {
        Sizes sizes = all_sizes[k % SIZES];
        int count = counts[k / SIZES % 5], mass = k / SIZES / 5, loops = count > 2 ? count / 4 : 0;
        CHECK_CONTEXT("%d blocks of %d, groups of %d, %s masses", count, sizes.block, sizes.group, mass_names[mass]);
        lay_out(&p, count, sizes.block, sizes.group, sizes.group == 5 || sizes.group == 2 ? 0 : loops);
        if (problem_open(&p, mass)) {
            check_regular(&p);
            check_regular(&p); /* with other numbers, masses included */
        }
        problem_close(&p);
    }
}

/* Loops over every body of a ring, and one group that touches three blocks at once. */
static void rings_and_wide_groups_are_solved_too(void)
{
    static Problem p;
    random_seed(2);
    for (int count = 3; count <= 30; count += 9) {
        CHECK_CONTEXT("ring of %d", count);
        add_blocks(&p, count, 6);
        for (int b = 0; b < count; b++)
            add_group(&p, 4, b, (b + 1) % count);
        add_group(&p, 3, 0, 1);
        p.pairs[p.spec.pair_count++] = (HolPair){count, 2};
        if (problem_open(&p, FULL))
            check_regular(&p);
        problem_close(&p);
    }
}

/* Blocks that no group touches, and no group at all: x = M^-1 f. */
static void free_blocks_are_solved_alone(void)
{
    static Problem p;
    random_seed(3);
    add_blocks(&p, 4, MIXED);
    add_group(&p, 1, 2, -1);
    if (problem_open(&p, FULL))
        check_regular(&p);
    problem_close(&p);
    add_blocks(&p, 3, MIXED);
    if (problem_open(&p, FULL)) {
        fill_numbers(&p);
        CHECK_OK(hol_schur_set_mass(p.schur, p.M));
        CHECK_OK(hol_schur_factor(p.schur, p.D, 1e-14, NULL));
        CHECK_EQUAL_INT(hol_schur_rank(p.schur), 0);
        check_solution(&p, NULL);
    }
    problem_close(&p);
}

/* Redundant rows: the last group repeats an earlier one. */

static void repeat_group(const Problem *p, int from, int to)
{
    const HolPattern *t = &p->pattern;
    int size = p->group_sizes[from];
    for (int k = 0; k < t->group_pairs[from + 1] - t->group_pairs[from]; k++) {
        int source = t->group_pairs[from] + k, copy = t->group_pairs[to] + k;
        memcpy(p->D + t->pair_start[copy], p->D + t->pair_start[source],
               sizeof *p->D * (size_t)(t->pair_start[copy + 1] - t->pair_start[copy]));
    }
    memcpy(p->c + t->group_start[to], p->c + t->group_start[from], sizeof *p->c * (size_t)size);
}

static int count_flags(const unsigned char *flags, int from, int to)
{
    int count = 0;
    for (int i = from; i < to; i++)
        count += flags[i] != 0;
    return count;
}

/* The rows left out are met all the same, because they repeat others. */
static void check_all_rows_met(const Problem *p)
{
    int nv = p->pattern.nv;
    write_densely(p);
    for (int r = 0; r < p->n; r++) {
        double residual = r < nv ? -p->f[r] : -p->c[r - nv];
        for (int k = 0; k < p->n; k++)
            residual += p->A[r * p->n + k] * (k < nv ? p->x[k] : p->lambda[k - nv]);
        CHECK_NEAR(residual, 0, 1e-8);
    }
}

static void check_redundant(Problem *p, int from)
{
    int to = p->pattern.group_count - 1, size = p->group_sizes[to], m = p->pattern.m;
    unsigned char left_out[MOST];
    fill_numbers(p);
    repeat_group(p, from, to);
    CHECK_OK(hol_schur_set_mass(p->schur, p->M));
    CHECK_OK(hol_schur_factor(p->schur, p->D, 1e-10, NULL));
    CHECK_EQUAL_INT(hol_schur_rank(p->schur), m - size);
    hol_schur_rows_left_out(p->schur, left_out);
    CHECK_EQUAL_INT(count_flags(left_out, 0, m), size);
    CHECK_EQUAL_INT(count_flags(left_out, p->pattern.group_start[from], p->pattern.group_start[from + 1]) +
                        count_flags(left_out, p->pattern.group_start[to], m),
                    size); /* of the two that are alike, and of no other */
    check_solution(p, left_out);
    hol_schur_solve(p->schur, p->f, p->c, p->x, p->lambda);
    check_all_rows_met(p);
    for (int r = 0; r < m; r++)
        CHECK(!left_out[r] || p->lambda[r] == 0);
}

static void repeated_rows_are_left_out_and_met(void)
{
    static const int counts[] = {2, 3, 8};
    static Problem p;
    random_seed(4);
    for (int k = 0; k < SIZES * 3 * MASSES; k++) {
        Sizes sizes = all_sizes[k % SIZES];
        int count = counts[k / SIZES % 3], from = count - 1;
        CHECK_CONTEXT("%d blocks of %d, groups of %d", count, sizes.block, sizes.group);
        lay_out(&p, count, sizes.block, sizes.group, 0);
        int first = p.spec.pair_count - 2; /* the last group stands on two blocks */
        add_group(&p, p.group_sizes[from], p.pairs[first].column, p.pairs[first + 1].column);
        if (problem_open(&p, k / SIZES / 3))
            check_redundant(&p, from);
        problem_close(&p);
    }
}

static void rows_named_by_the_caller_are_left_out(void)
{
    static Problem p;
    random_seed(5);
    for (int k = 0; k < SIZES; k++) {
        CHECK_CONTEXT("blocks of %d, groups of %d", all_sizes[k].block, all_sizes[k].group);
        lay_out(&p, 6, all_sizes[k].block, all_sizes[k].group, 0);
        if (problem_open(&p, FULL)) {
            unsigned char left_out[MOST], found[MOST];
            for (int r = 0; r < p.pattern.m; r++)
                left_out[r] = random_number() > 0.3;
            fill_numbers(&p);
            CHECK_OK(hol_schur_set_mass(p.schur, p.M));
            CHECK_OK(hol_schur_factor(p.schur, p.D, 1e-14, left_out));
            hol_schur_rows_left_out(p.schur, found);
            CHECK(memcmp(found, left_out, (size_t)p.pattern.m) == 0);
            CHECK_EQUAL_INT(hol_schur_rank(p.schur), p.pattern.m - count_flags(left_out, 0, p.pattern.m));
            check_solution(&p, left_out);
        }
        problem_close(&p);
    }
}

/* Two rows on one block of unit mass, at the angle phi: 1 - cos^2 is the pivot of the one that comes second. */
static void the_pivot_is_the_squared_sine(void)
{
    static Problem p;
    const double angles[] = {1.5, 0.5, 1e-2, 1e-4};
    for (int k = 0; k < 4; k++) {
        CHECK_CONTEXT("angle %g", angles[k]);
        add_blocks(&p, 1, 2);
        add_group(&p, 1, 0, -1);
        add_group(&p, 1, 0, -1);
        if (problem_open(&p, UNIT)) {
            const double D[4] = {1, 0, cos(angles[k]), sin(angles[k])};
            CHECK_OK(hol_schur_factor(p.schur, D, 1e-14, NULL));
            CHECK_NEAR(hol_schur_pivot(p.schur), sin(angles[k]) * sin(angles[k]), 1e-15);
        }
        problem_close(&p);
    }
}

static void unusable_numbers_are_reported(void)
{
    static Problem p;
    random_seed(6);
    lay_out(&p, 4, 3, 2, 0);
    if (problem_open(&p, FULL)) {
        fill_numbers(&p);
        double *last = p.M + p.pattern.mass_start[3], kept = last[8];
        last[8] = 0;
        CHECK_STATUS(hol_schur_set_mass(p.schur, p.M), HOL_SINGULAR);
        last[8] = NAN;
        CHECK_STATUS(hol_schur_set_mass(p.schur, p.M), HOL_SINGULAR);
        last[8] = kept;
        CHECK_OK(hol_schur_set_mass(p.schur, p.M));
        for (int i = 0; i < p.pattern.pair_start[p.pattern.pair_count]; i++) {
            CHECK_CONTEXT("NaN in D[%d]", i);
            kept = p.D[i];
            p.D[i] = NAN;
            CHECK_STATUS(hol_schur_factor(p.schur, p.D, 1e-14, NULL), HOL_NOT_FINITE);
            p.D[i] = kept;
        }
        check_regular(&p); /* and nothing of it has stayed */
    }
    problem_close(&p);
}

static void nothing_allocates_after_creation(void)
{
    static Problem p;
    random_seed(7);
    lay_out(&p, 10, MIXED, MIXED, 0);
    if (problem_open(&p, FULL)) {
        fill_numbers(&p);
        hol_arena_freeze(p.arena);
        allocations_start();
        HolStatus set = hol_schur_set_mass(p.schur, p.M);
        HolStatus factored = hol_schur_factor(p.schur, p.D, 1e-14, NULL);
        hol_schur_solve(p.schur, p.f, p.c, p.x, p.lambda);
        CHECK_EQUAL_INT(allocations_stop(), 0);
        CHECK_OK(set);
        CHECK_OK(factored);
    }
    problem_close(&p);
}

CHECK_MAIN(TEST(solutions_are_those_of_the_whole_matrix), TEST(rings_and_wide_groups_are_solved_too),
           TEST(free_blocks_are_solved_alone), TEST(repeated_rows_are_left_out_and_met),
           TEST(rows_named_by_the_caller_are_left_out), TEST(the_pivot_is_the_squared_sine),
           TEST(unusable_numbers_are_reported), TEST(nothing_allocates_after_creation))
