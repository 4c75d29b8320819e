/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows that stand on one block alone, which the dual Schur complement eliminates with the block. */
#include "allocations.h"
#include "linalg/schur/internal.h"
#include "schur_problem.h"

/* Where the own rows stand among the others. */
enum { OWN_LAST, OWN_FIRST, OWN_BETWEEN, ORDERS };
static const char *const order_names[ORDERS] = {"last", "first", "between"};

/* Pins along a chain, over a tree, over a ring, and joints of 1 to 3 rows. */
enum { CHAIN, TREE, RING, JOINTS, GRAPHS };
static const char *const graph_names[GRAPHS] = {"chain", "tree", "ring", "mixed joints"};

enum { COUNTS = 4, CASES = GRAPHS * ORDERS * COUNTS };

static void add_own_rows(Problem *p, int from, int to)
{
    for (int b = from; b < to; b++)
        add_group(p, 1, b, -1);
}

static void add_joint(Problem *p, int graph, int b)
{
    int before = graph == CHAIN || graph == RING ? b - 1 : b > 0 ? random_between(0, b - 1) : -1;
    add_group(p, graph == JOINTS ? random_between(1, 3) : 2, b, before);
}

static void lay_out(Problem *p, int graph, int order, int count, int columns)
{
    add_blocks(p, count, columns);
    if (order == OWN_FIRST)
        add_own_rows(p, 0, count);
    for (int b = 0; b < count; b++) {
        if (order == OWN_BETWEEN)
            add_own_rows(p, b, b + 1);
        add_joint(p, graph, b);
    }
    if (graph == RING && count > 1)
        add_group(p, 2, count - 1, 0);
    if (order == OWN_LAST)
        add_own_rows(p, 0, count);
}

static bool is_own(const Problem *p, int group)
{
    return p->group_sizes[group] == 1 && p->pattern.group_pairs[group + 1] - p->pattern.group_pairs[group] == 1;
}

/* As planar bodies in natural coordinates: own rows on two columns of one mass. */
static void make_planar(Problem *p)
{
    for (int b = 0; b < p->pattern.block_count; b++)
        p->M[p->pattern.mass_start[b] + 15] = p->M[p->pattern.mass_start[b] + 10];
    for (int g = 0; g < p->pattern.group_count; g++)
        for (int k = 0; k < 2 && is_own(p, g); k++)
            p->D[p->pattern.pair_start[p->pattern.group_pairs[g]] + k] = 0;
}

static bool open_case(Problem *p, int k, int mass, int columns)
{
    static const int counts[COUNTS] = {1, 2, 5, 20};
    int graph = k % GRAPHS, order = k / GRAPHS % ORDERS, count = counts[k / GRAPHS / ORDERS];
    CHECK_CONTEXT("%s of %d blocks of %d, own rows %s, %s masses", graph_names[graph], count, columns,
                  order_names[order], mass_names[mass]);
    lay_out(p, graph, order, count, columns);
    return problem_open(p, mass) && CHECK(p->schur->own_rows != NULL);
}

static void own_rows_are_reflected(void)
{
    static Problem p;
    random_seed(2);
    for (int k = 0; k < 3 * CASES; k++) {
        if (open_case(&p, k % CASES, k / CASES % 2 ? UNIT : DIAGONAL, k < 2 * CASES ? 4 : 5)) {
            check_regular(&p);
            CHECK(p.schur->used_own_rows);
            p.shape = p.schur->pattern->block_start[1] == 4 ? make_planar : NULL;
            check_regular(&p); /* with other numbers, masses included */
            CHECK(p.schur->used_own_rows);
        }
        problem_close(&p);
    }
}

/* A coupled M needs the general solver. */
static void full_masses_are_left_to_others(void)
{
    static Problem p;
    random_seed(3);
    for (int k = 0; k < CASES; k++) {
        if (open_case(&p, k, FULL, 4)) {
            check_regular(&p);
            CHECK(!p.schur->used_own_rows);
        }
        problem_close(&p);
    }
}

static void repeated_rows_are_left_out(void)
{
    static Problem p;
    random_seed(5);
    for (int k = 0; k < 2 * GRAPHS * COUNTS; k++) {
        static const int counts[COUNTS] = {1, 2, 5, 20};
        int graph = k % GRAPHS, count = counts[k / GRAPHS % COUNTS];
        CHECK_CONTEXT("%s of %d blocks, %s", graph_names[graph], count, k / GRAPHS / COUNTS ? "planar" : "any");
        lay_out(&p, graph, OWN_FIRST, count, 4);
        int from = count; /* the first joint, which touches one block */
        add_group(&p, p.group_sizes[from], 0, -1);
        if (p.group_sizes[from] > 1 && problem_open(&p, DIAGONAL)) {
            p.shape = k / GRAPHS / COUNTS ? make_planar : NULL;
            check_redundant(&p, from);
            CHECK(p.schur->used_own_rows);
        }
        problem_close(&p);
    }
}

/* Any rows may be named, own ones included: the general solver takes those. */
static void named_rows_are_left_out(void)
{
    static Problem p;
    random_seed(6);
    for (int k = 0; k < 2 * CASES; k++) {
        if (open_case(&p, k % CASES, DIAGONAL, 4)) {
            unsigned char left_out[MOST];
            p.shape = make_planar;
            fill_numbers(&p);
            for (int g = 0; g < p.pattern.group_count; g++)
                for (int r = p.pattern.group_start[g]; r < p.pattern.group_start[g + 1]; r++)
                    left_out[r] = (k < CASES || !is_own(&p, g)) && random_number() > 0.5;
            CHECK_OK(hol_schur_set_mass(p.schur, p.M));
            CHECK_OK(factor(&p, 1e-14, left_out));
            CHECK(k < CASES || p.schur->used_own_rows);
            check_solution(&p, left_out);
        }
        problem_close(&p);
    }
}

/* A row that hardly differs from a block's own is singular, however large what is left of it may look by itself. */
static void pivots_are_relative_to_whole_rows(void)
{
    static Problem p;
    HolSchur *plain;
    for (int size = 1; size <= 2; size++) {
        CHECK_CONTEXT("group of %d", size);
        add_blocks(&p, 1, 4);
        add_group(&p, size, 0, -1);
        add_group(&p, 1, 0, -1);
        if (problem_open(&p, UNIT) && CHECK_OK(hol_schur_create_plain(p.arena, &p.pattern, true, &plain))) {
            static const double rows[] = {1e-9, 0, 0.6, 0.8, 0, 1, 0, 0}, own[] = {0, 0, 0.6, 0.8};
            memcpy(p.D, rows, sizeof *rows * (size_t)(4 * size));
            memcpy(p.D + 4 * size, own, sizeof own);
            for (int k = 0; k < 2; k++) {
                double tolerance = k ? 1e-15 : 1e-20;
                CHECK_OK(hol_schur_factor(p.schur, p.D, tolerance, NULL));
                CHECK_EQUAL_INT(hol_schur_rank(p.schur), size + !k);
                CHECK_OK(hol_schur_factor_solve(p.schur, p.D, tolerance, NULL, p.f, p.c, p.x, p.lambda));
                CHECK_EQUAL_INT(hol_schur_rank(p.schur), size + !k);
            }
            CHECK_OK(hol_schur_factor(plain, p.D, 1e-15, NULL));
            CHECK_EQUAL_INT(hol_schur_rank(plain), size);
        }
        problem_close(&p);
    }
}

static void nothing_is_allocated_while_solving(void)
{
    static Problem p;
    random_seed(7);
    for (int k = 0; k < CASES; k++) {
        if (open_case(&p, k, DIAGONAL, 4)) {
            p.shape = make_planar;
            fill_numbers(&p);
            CHECK_OK(hol_schur_set_mass(p.schur, p.M));
            hol_arena_freeze(p.arena);
            allocations_start();
            HolStatus solved = hol_schur_factor_solve(p.schur, p.D, 1e-14, NULL, p.f, p.c, p.x, p.lambda);
            hol_schur_solve(p.schur, NULL, p.c, p.x, p.lambda);
            CHECK_EQUAL_INT(allocations_stop(), 0);
            CHECK_OK(solved);
        }
        problem_close(&p);
    }
}

CHECK_MAIN(TEST(own_rows_are_reflected), TEST(full_masses_are_left_to_others), TEST(repeated_rows_are_left_out),
           TEST(named_rows_are_left_out), TEST(pivots_are_relative_to_whole_rows),
           TEST(nothing_is_allocated_while_solving))
