/* SPDX-License-Identifier: BSD-3-Clause */
/* The dual Schur complement of graphs of any shape. */
#include "schur_problem.h"

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
        CHECK_OK(factor(&p, 1e-14, NULL));
        CHECK_EQUAL_INT(hol_schur_rank(p.schur), 0);
        check_solution(&p, NULL);
    }
    problem_close(&p);
}

/* Redundant rows: the last group repeats an earlier one. */

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
            CHECK_OK(factor(&p, 1e-14, left_out));
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
            CHECK_STATUS(hol_schur_factor_solve(p.schur, p.D, 1e-14, NULL, p.f, p.c, p.x, p.lambda), HOL_NOT_FINITE);
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
        check_no_allocation(&p);
    }
    problem_close(&p);
}

CHECK_MAIN(TEST(solutions_are_those_of_the_whole_matrix), TEST(rings_and_wide_groups_are_solved_too),
           TEST(free_blocks_are_solved_alone), TEST(repeated_rows_are_left_out_and_met),
           TEST(rows_named_by_the_caller_are_left_out), TEST(the_pivot_is_the_squared_sine),
           TEST(unusable_numbers_are_reported), TEST(nothing_allocates_after_creation))
