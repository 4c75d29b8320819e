/* SPDX-License-Identifier: BSD-3-Clause */
/* The dual Schur complement of masses that couple blocks, and of masses without an inverse. */
#include "linalg/schur/internal.h"
#include "schur_problem.h"

static void couple(Problem *p, int a, int b)
{
    p->mass_pairs[p->spec.mass_pair_count++] = (HolPair){a > b ? a : b, a > b ? b : a};
}

/* A tree of bodies, of which every second hangs on the one before by its mass too; some of them far apart. */
static void lay_out(Problem *p, int count, int block_size, int most_rows)
{
    add_blocks(p, count, block_size);
    for (int b = 0; b < count; b++)
        add_group(p, random_between(1, most_rows), b, b > 0 ? random_between(0, b - 1) : -1);
    for (int b = 1; b < count; b += 2)
        couple(p, b, b - 1);
    if (count > 5)
        couple(p, count - 1, 1);
    add_group(p, 1, 0, count > 1 ? 1 : -1);
}

typedef struct Sizes {
    int block, most_rows;
} Sizes;

static const Sizes all_sizes[] = {{2, 1}, {3, 2}, {4, 2}, {6, 5}, {MIXED, 1}};
static const int counts[] = {2, 3, 6, 9};
enum { SIZES = sizeof all_sizes / sizeof *all_sizes, CASES = SIZES * 4 * 2 };

static bool open_case(Problem *p, int k)
{
    Sizes sizes = all_sizes[k % SIZES];
    int count = counts[k / SIZES % 4], mass = k / SIZES / 4 ? FULL : DIAGONAL;
    CHECK_CONTEXT("%d blocks of %d, up to %d rows, %s masses", count, sizes.block, sizes.most_rows, mass_names[mass]);
    lay_out(p, count, sizes.block, sizes.most_rows);
    return problem_open(p, mass) && CHECK(p->schur->merge != NULL);
}

static void coupled_masses_are_solved(void)
{
    random_seed(1);
    CHECK_EQUAL_INT(check_regular_cases(CASES, open_case), CASES);
}

static void rows_named_by_the_caller_are_left_out(void)
{
    random_seed(2);
    check_named_cases(CASES, open_case);
}

static void repeated_rows_are_left_out_and_met(void)
{
    static Problem p;
    random_seed(3);
    for (int k = 0; k < SIZES * MASSES; k++) {
        CHECK_CONTEXT("blocks of %d", all_sizes[k % SIZES].block);
        lay_out(&p, 4, all_sizes[k % SIZES].block, 1);
        add_group(&p, 1, 0, 1);
        if (problem_open(&p, k / SIZES))
            check_redundant(&p, 4);
        problem_close(&p);
    }
}

/* With the identity as M there are no masses to merge. */
static void nothing_is_merged_without_need(void)
{
    static Problem p;
    random_seed(4);
    lay_out(&p, 4, 3, 2);
    if (problem_open(&p, UNIT))
        CHECK(!p.schur->merge);
    problem_close(&p);
    add_blocks(&p, 4, 3);
    add_group(&p, 2, 0, 1);
    if (problem_open(&p, FULL))
        CHECK(!p.schur->merge);
    problem_close(&p);
}

/* ---- Masses without an inverse ---- */

/* The last `count` coordinates of every `stride`-th block have no mass. */
static void take_masses_away(const Problem *p, int stride, int count)
{
    const HolPattern *t = &p->pattern;
    for (int k = 0; k < t->mass_pair_count; k++) {
        int a = t->mass_pairs[k].row, b = t->mass_pairs[k].column, rows = p->block_sizes[a],
            columns = p->block_sizes[b];
        for (int i = 0; i < rows * columns; i++)
            if ((a % stride == 0 && i / columns >= rows - count) || (b % stride == 0 && i % columns >= columns - count))
                p->M[t->mass_start[k] + i] = 0;
    }
}

static HolStatus create_for(Problem *p)
{
    return hol_schur_create_for(p->arena, &p->pattern, p->M, p->D, &p->schur);
}

static void check_singular_mass(Problem *p, int stride, int count)
{
    unsigned char left_out[MOST] = {0};
    if (problem_open(p, FULL)) {
        fill_numbers(p);
        take_masses_away(p, stride, count);
        CHECK_STATUS(hol_schur_set_mass(p->schur, p->M), HOL_SINGULAR);
        if (CHECK_OK(create_for(p))) {
            CHECK_OK(factor(p, 1e-14, NULL));
            CHECK_EQUAL_INT(hol_schur_rank(p->schur), p->pattern.m);
            check_solution(p, NULL);
            left_out[p->pattern.m - 1] = 1; /* the group behind those that M needs */
            CHECK_OK(factor(p, 1e-14, left_out));
            check_solution(p, left_out);
            CHECK(p->lambda[p->pattern.m - 1] == 0);
            fill_numbers(p);
            take_masses_away(p, stride, count);
            CHECK_OK(hol_schur_set_mass(p->schur, p->M));
            CHECK_OK(factor(p, 1e-14, NULL));
            check_solution(p, NULL);
        }
    }
    problem_close(p);
}

static void own_rows_make_up_for_missing_masses(void)
{
    static Problem p;
    random_seed(5);
    for (int k = 0; k < 8; k++) {
        CHECK_CONTEXT("case %d", k);
        add_blocks(&p, 4 + k, 6);
        for (int b = 0; b < 4 + k; b++) {
            add_group(&p, 2, b, -1);
            add_group(&p, 2, b, b > 0 ? b - 1 : -1);
        }
        if (k % 2)
            couple(&p, 2, 0);
        check_singular_mass(&p, 1 + k % 3, 1 + k % 2);
    }
}

/* Rows to neighbours, which are merged for it: as far as it takes. */
static void rows_to_others_make_up_for_missing_masses(void)
{
    static Problem p;
    random_seed(6);
    for (int k = 0; k < 8; k++) {
        CHECK_CONTEXT("case %d", k);
        add_blocks(&p, 3 + k, 4);
        for (int b = 1; b < 3 + k; b++)
            add_group(&p, 2, b, b - 1);
        if (k % 2)
            couple(&p, 2, 0);
        check_singular_mass(&p, 1 + k % 3, 1);
    }
}

static void rows_that_are_not_finite_are_reported(void)
{
    static Problem p;
    random_seed(10);
    add_blocks(&p, 2, 3);
    add_group(&p, 2, 0, 1);
    add_group(&p, 1, 0, -1);
    if (problem_open(&p, FULL)) {
        fill_numbers(&p);
        take_masses_away(&p, 2, 1);
        CHECK_OK(create_for(&p));
        p.D[p.pattern.pair_start[2]] = NAN;
        CHECK_STATUS(factor(&p, 1e-14, NULL), HOL_NOT_FINITE);
        memset(p.D, 0, sizeof *p.D * (size_t)p.pattern.pair_start[p.pattern.pair_count]);
        CHECK_STATUS(factor(&p, 1e-14, NULL), HOL_SINGULAR);
        fill_numbers(&p);
        take_masses_away(&p, 2, 1);
        CHECK_OK(hol_schur_set_mass(p.schur, p.M));
        CHECK_OK(factor(&p, 1e-14, NULL)); /* and nothing of it has stayed */
        check_solution(&p, NULL);
    }
    problem_close(&p);
}

static void masses_that_no_row_makes_regular_are_reported(void)
{
    static Problem p;
    random_seed(7);
    add_blocks(&p, 3, 4);
    add_group(&p, 2, 0, 1);
    add_group(&p, 1, 2, -1);
    if (problem_open(&p, FULL)) {
        fill_numbers(&p);
        take_masses_away(&p, 2, 2);
        CHECK_STATUS(create_for(&p), HOL_SINGULAR);
    }
    problem_close(&p);
}

static void merged_blocks_do_not_become_too_large(void)
{
    static Problem p;
    random_seed(8);
    for (int count = 29; count <= 32; count++) { /* 60 columns are 30 blocks */
        HolArena *arena = hol_arena_create();
        HolSchur *schur;
        CHECK_CONTEXT("%d blocks", count);
        add_blocks(&p, count, 2);
        for (int b = 1; b < count; b++)
            couple(&p, b, b - 1);
        p.spec.block_sizes = p.block_sizes;
        p.spec.group_sizes = p.group_sizes;
        p.spec.pairs = p.pairs;
        p.spec.mass_pairs = p.mass_pairs;
        CHECK_OK(hol_pattern_build(&p.spec, arena, &p.pattern, NULL));
        CHECK_STATUS(hol_schur_create(arena, &p.pattern, false, &schur), count <= 30 ? HOL_OK : HOL_UNSUPPORTED);
        CHECK_OK(hol_schur_create(arena, &p.pattern, true, &schur));
        hol_arena_destroy(arena);
        memset(&p, 0, sizeof p);
    }
}

static void merging_takes_no_memory_in_a_step(void)
{
    static Problem p;
    random_seed(9);
    add_blocks(&p, 4, 3);
    for (int b = 0; b < 4; b++)
        add_group(&p, 2, b, b - 1);
    couple(&p, 3, 0);
    if (problem_open(&p, FULL)) {
        fill_numbers(&p);
        take_masses_away(&p, 2, 1);
        CHECK_OK(create_for(&p));
        check_no_allocation(&p);
    }
    problem_close(&p);
}

CHECK_MAIN(TEST(coupled_masses_are_solved), TEST(rows_named_by_the_caller_are_left_out),
           TEST(repeated_rows_are_left_out_and_met), TEST(nothing_is_merged_without_need),
           TEST(own_rows_make_up_for_missing_masses), TEST(rows_to_others_make_up_for_missing_masses),
           TEST(rows_that_are_not_finite_are_reported), TEST(masses_that_no_row_makes_regular_are_reported),
           TEST(merged_blocks_do_not_become_too_large), TEST(merging_takes_no_memory_in_a_step))
