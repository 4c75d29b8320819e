/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of different sizes on blocks of one size, which the dual Schur complement makes alike by rows of zeros. */
#include "linalg/schur/internal.h"
#include "schur_problem.h"

/* A tree of bodies, each connected to an earlier one by 1 to `most` rows; if `most` leaves degrees of freedom, also
 * loops closed by one row. */
static void lay_out(Problem *p, int count, int block_size, int most)
{
    add_blocks(p, count, block_size);
    for (int b = 0; b < count; b++)
        add_group(p, b == 0 ? most : random_between(1, most), b, b > 0 ? random_between(0, b - 1) : -1);
    for (int k = 0; k < count / 4 && most < block_size; k++) {
        int a = random_between(1, count - 1);
        add_group(p, 1, a, random_between(0, a - 1));
    }
}

typedef struct Sizes {
    int block, most;
} Sizes;

static const Sizes sizes[] = {{3, 2}, {3, 3}, {6, 2}, {6, 3}, {6, 4}, {6, 5}, {6, 6}};
enum { SIZES = sizeof sizes / sizeof *sizes, COUNTS = 5, CASES = SIZES * MASSES * COUNTS };

/* Case k; returns false if that is none with padding. */
static bool open_case(Problem *p, int k)
{
    static const int counts[COUNTS] = {2, 3, 5, 9, 20};
    Sizes size = sizes[k % SIZES];
    int mass = k / SIZES % MASSES, count = counts[k / SIZES / MASSES];
    CHECK_CONTEXT("%d blocks of %d, up to %d rows, %s masses", count, size.block, size.most, mass_names[mass]);
    lay_out(p, count, size.block, size.most);
    return problem_open(p, mass) && p->schur->padding;
}

static void mixed_sizes_are_solved(void)
{
    random_seed(1);
    CHECK(check_regular_cases(CASES, open_case) > CASES / 2);
}

/* Natural coordinates in space: twelve of them, and six rows that keep a body rigid. */
static void mixed_sizes_of_wide_blocks_are_solved(void)
{
    static Problem p;
    random_seed(4);
    for (int k = 0; k < 4 * MASSES; k++) {
        CHECK_CONTEXT("blocks of 12, %s masses", mass_names[k % MASSES]);
        lay_out(&p, 1 + k / MASSES * 3, 12, 5);
        for (int b = 0; b <= k / MASSES * 3; b++)
            add_group(&p, 6, b, -1);
        if (problem_open(&p, k % MASSES) && CHECK(p.schur->padding != NULL))
            check_regular(&p);
        problem_close(&p);
    }
}

static void named_rows_of_mixed_sizes_are_left_out(void)
{
    random_seed(2);
    check_named_cases(CASES, open_case);
}

static void repeated_groups_of_mixed_sizes_are_left_out(void)
{
    static Problem p;
    random_seed(3);
    for (int k = 0; k < SIZES * MASSES; k++) {
        Sizes size = sizes[k % SIZES];
        CHECK_CONTEXT("blocks of %d, up to %d rows", size.block, size.most);
        add_blocks(&p, 4, size.block);
        for (int b = 0; b < 4; b++)
            add_group(&p, b == 3 ? 1 : size.most, b, b - 1);
        add_group(&p, size.most, 1, 0);
        if (problem_open(&p, k / SIZES) && CHECK(p.schur->padding != NULL))
            check_redundant(&p, 1);
        problem_close(&p);
    }
}

/* ---- Against sizes that are read ---- */

/* The same with one more block of another size, connected to the ground: then no groups can be padded. */
static bool open_twin(const Problem *p, Problem *twin)
{
    memcpy(twin->block_sizes, p->block_sizes, sizeof p->block_sizes);
    memcpy(twin->group_sizes, p->group_sizes, sizeof p->group_sizes);
    memcpy(twin->pairs, p->pairs, sizeof p->pairs);
    twin->spec = p->spec;
    twin->block_sizes[twin->spec.block_count] = 1;
    twin->spec.nq = ++twin->spec.nv;
    add_group(twin, 1, twin->spec.block_count++, -1);
    return problem_open(twin, p->mass) && CHECK(!twin->schur->padding);
}

/* The last row of every second group of several is a multiple of its first. */
static void make_dependent(const Problem *p)
{
    const HolPattern *t = &p->pattern;
    for (int g = 0; g < t->group_count; g += 2) {
        int last = t->group_start[g + 1] - t->group_start[g] - 1;
        for (int i = t->group_pairs[g]; i < t->group_pairs[g + 1] && last > 0; i++) {
            int n = p->block_sizes[t->pairs[i].column];
            for (int j = 0; j < n; j++)
                p->D[t->pair_start[i] + last * n + j] = -2 * p->D[t->pair_start[i] + j];
        }
    }
}

static void give_the_same_numbers(const Problem *p, Problem *twin)
{
    const HolPattern *t = &p->pattern;
    fill_numbers(twin);
    memcpy(twin->M, p->M, sizeof *p->M * (size_t)t->mass_start[t->block_count]);
    memcpy(twin->D, p->D, sizeof *p->D * (size_t)t->pair_start[t->pair_count]);
    memcpy(twin->f, p->f, sizeof *p->f * (size_t)t->nv);
    memcpy(twin->c, p->c, sizeof *p->c * (size_t)t->m);
}

static void solve(Problem *p, unsigned char *left_out)
{
    CHECK_OK(hol_schur_set_mass(p->schur, p->M));
    CHECK_OK(hol_schur_factor_solve(p->schur, p->D, 1e-10, NULL, p->f, p->c, p->x, p->lambda));
    hol_schur_rows_left_out(p->schur, left_out);
}

static void padding_is_not_seen_from_outside(void)
{
    static Problem p, twin;
    random_seed(4);
    for (int k = 0; k < CASES; k++) {
        unsigned char left_out[MOST], expected[MOST];
        if (open_case(&p, k) && open_twin(&p, &twin)) {
            int m = p.pattern.m;
            fill_numbers(&p);
            make_dependent(&p);
            give_the_same_numbers(&p, &twin);
            solve(&p, left_out);
            solve(&twin, expected);
            CHECK(memcmp(left_out, expected, (size_t)m) == 0);
            CHECK_EQUAL_INT(hol_schur_rank(p.schur), m - count_flags(left_out, 0, m));
            CHECK_EQUAL_INT(hol_schur_rank(p.schur), hol_schur_rank(twin.schur) - 1);
            double pivot = hol_schur_pivot(twin.schur);
            CHECK_NEAR(hol_schur_pivot(p.schur), pivot, 1e-8 * pivot);
            for (int i = 0; i < p.pattern.nv; i++)
                CHECK_NEAR(p.x[i], twin.x[i], 1e-9 / pivot);
            for (int r = 0; r < m; r++)
                CHECK_NEAR(p.lambda[r], twin.lambda[r], 1e-9 / pivot);
        }
        problem_close(&p);
        problem_close(&twin);
    }
}

/* ---- When ---- */

static void padding_is_for_those_whom_it_serves(void)
{
    static const struct {
        int block, sizes[4];
        bool padded;
    } cases[] = {
        {6, {5, 3, 4, 5}, true},  {6, {5, 5, 5, 5}, false}, {6, {4, 4, 4, 4}, true}, {6, {5, 1, 1, 1}, true},
        {6, {6, 1, 1, 1}, false}, {6, {1, 1, 1, 1}, false}, {3, {2, 1, 1, 1}, true}, {3, {2, 2, 2, 2}, false},
        {4, {2, 1, 1, 1}, false}, {6, {5, 3, 7, 5}, false}, {3, {1, 1, 1, 1}, true},
    };
    static Problem p;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        CHECK_CONTEXT("case %zu", k);
        add_blocks(&p, 4, cases[k].block);
        for (int g = 0; g < 4; g++)
            add_group(&p, cases[k].sizes[g], g, g - 1);
        if (problem_open(&p, DIAGONAL))
            CHECK_EQUAL_INT(p.schur->padding != NULL, cases[k].padded);
        problem_close(&p);
    }
}

static void unusable_numbers_of_mixed_sizes_are_reported(void)
{
    static Problem p;
    random_seed(5);
    for (int k = 0; k < CASES / 2; k++) {
        if (open_case(&p, k)) {
            fill_numbers(&p);
            CHECK_OK(hol_schur_set_mass(p.schur, p.M));
            for (int i = 0; i < p.pattern.pair_start[p.pattern.pair_count]; i++) {
                double kept = p.D[i];
                p.D[i] = i % 2 ? NAN : INFINITY;
                CHECK_STATUS(hol_schur_factor(p.schur, p.D, 1e-14, NULL), HOL_NOT_FINITE);
                CHECK_STATUS(hol_schur_factor_solve(p.schur, p.D, 1e-14, NULL, p.f, p.c, p.x, p.lambda),
                             HOL_NOT_FINITE);
                p.D[i] = kept;
            }
            check_regular(&p); /* and nothing of it has stayed */
        }
        problem_close(&p);
    }
}

static void padding_takes_no_memory_in_a_step(void)
{
    static Problem p;
    random_seed(6);
    if (open_case(&p, SIZES - 2)) {
        fill_numbers(&p);
        check_no_allocation(&p);
    }
    problem_close(&p);
}

CHECK_MAIN(TEST(mixed_sizes_are_solved), TEST(mixed_sizes_of_wide_blocks_are_solved),
           TEST(named_rows_of_mixed_sizes_are_left_out), TEST(repeated_groups_of_mixed_sizes_are_left_out),
           TEST(padding_is_not_seen_from_outside), TEST(padding_is_for_those_whom_it_serves),
           TEST(unusable_numbers_of_mixed_sizes_are_reported), TEST(padding_takes_no_memory_in_a_step))
