/* SPDX-License-Identifier: BSD-3-Clause */
/* The dual Schur complement where the groups form paths, which has code of its own. */
#include "linalg/schur/internal.h"
#include "schur_problem.h"

typedef struct Sizes {
    int block, group;
} Sizes;

static const Sizes sizes[] = {{3, 2}, {6, 3}, {6, 5}, {6, MIXED}};
enum { SIZES = sizeof sizes / sizeof *sizes };

enum {
    CHAIN,     /* from the ground to a free end */
    LOOP,      /* from the ground to the ground */
    FREE,      /* not held by the ground */
    SHUFFLED,  /* a loop, its bodies and groups numbered at random */
    SCATTERED, /* every third body is joined to no other, but to the ground */
    SHAPES
};
static const char *const shape_names[SHAPES] = {"chain", "loop", "free chain", "shuffled loop", "scattered chains"};

static void shuffle(int count, int *order)
{
    for (int i = 0; i < count; i++) {
        int j = random_between(0, i);
        order[i] = order[j];
        order[j] = i;
    }
}

/* Not so small that padding would not pay. */
static int group_size(Sizes size)
{
    return size.group == MIXED ? random_between(2, 5) : size.group;
}

/* Group k of a chain or loop stands between body k - 1 and body k, the last one of a loop behind the last body. */
static void lay_out(Problem *p, int shape, int count, Sizes size)
{
    int bodies[MOST_PARTS], groups[MOST_PARTS];
    bool loop = shape == LOOP || shape == SHUFFLED;
    int first = shape == FREE, last = loop ? count : count - 1;
    add_blocks(p, count, size.block);
    shuffle(count, bodies);
    shuffle(last - first + 1, groups);
    for (int i = 0; i <= last - first; i++) {
        int k = first + (shape == SHUFFLED ? groups[i] : i);
        int before = k - 1, behind = k < count ? k : -1;
        if (shape == SCATTERED && k % 3 != 2)
            before = -1;
        if (shape == SHUFFLED) {
            before = before < 0 ? before : bodies[before];
            behind = behind < 0 ? behind : bodies[behind];
        }
        add_group(p, group_size(size), behind < 0 ? before : behind, behind < 0 ? -1 : before);
    }
}

/* A loop must not have more rows than coordinates. */
static int smallest(int shape, Sizes size)
{
    bool loop = shape == LOOP || shape == SHUFFLED;
    int most = size.group == MIXED ? 5 : size.group;
    return shape == FREE ? 2 : loop ? (size.block - 1) / (size.block - most) : 1;
}

static bool open_path(Problem *p, int shape, int bodies, Sizes size, int mass)
{
    CHECK_CONTEXT("%s of %d, blocks of %d, groups of %d, %s masses", shape_names[shape], bodies, size.block, size.group,
                  mass_names[mass]);
    lay_out(p, shape, bodies, size);
    return problem_open(p, mass) && CHECK(p->schur->path != NULL);
}

static void paths_are_solved(void)
{
    static Problem p;
    random_seed(1);
    for (int k = 0; k < SHAPES * SIZES * MASSES; k++) {
        int shape = k % SHAPES;
        Sizes size = sizes[k / SHAPES % SIZES];
        for (int more = 0; more < 12; more += more < 3 ? 1 : 4) {
            if (open_path(&p, shape, smallest(shape, size) + more, size, k / SHAPES / SIZES)) {
                check_regular(&p);
                check_regular(&p); /* with other numbers, masses included */
            }
            problem_close(&p);
        }
    }
}

/* One row of each second group is a multiple of another one there. */
static int make_dependent(const Problem *p)
{
    const HolPattern *t = &p->pattern;
    int count = 0;
    for (int g = 0; g < t->group_count; g += 2, count++) {
        int row = t->group_start[g], last = t->group_start[g + 1] - row - 1;
        for (int i = t->group_pairs[g]; i < t->group_pairs[g + 1]; i++) {
            int n = p->block_sizes[t->pairs[i].column];
            for (int j = 0; j < n; j++)
                p->D[t->pair_start[i] + last * n + j] = -2 * p->D[t->pair_start[i] + j];
        }
        p->c[row + last] = -2 * p->c[row];
    }
    return count;
}

static void dependent_rows_of_a_path_are_left_out(void)
{
    static Problem p;
    random_seed(2);
    for (int k = 0; k < SHAPES * SIZES * MASSES; k++) {
        if (open_path(&p, k % SHAPES, 8, sizes[k / SHAPES % SIZES], k / SHAPES / SIZES)) {
            unsigned char left_out[MOST];
            fill_numbers(&p);
            int dependent = make_dependent(&p);
            CHECK_OK(hol_schur_set_mass(p.schur, p.M));
            CHECK_OK(factor(&p, 1e-10, NULL));
            CHECK_EQUAL_INT(hol_schur_rank(p.schur), p.pattern.m - dependent);
            hol_schur_rows_left_out(p.schur, left_out);
            check_solution(&p, left_out);
            solve_at_once(&p, p.f, left_out);
            check_all_rows_met(&p);
        }
        problem_close(&p);
    }
}

/* Two groups hold one body, and the second repeats the first; a chain of its own stands beside them. */
static void repeated_groups_of_a_path_are_left_out(void)
{
    static Problem p;
    random_seed(3);
    for (int k = 0; k < SIZES * MASSES; k++) {
        Sizes size = sizes[k % SIZES];
        CHECK_CONTEXT("blocks of %d, groups of %d", size.block, size.group);
        add_blocks(&p, 3, size.block);
        add_group(&p, group_size(size), 0, -1);
        add_group(&p, group_size(size), 1, -1);
        add_group(&p, group_size(size), 2, 1);
        add_group(&p, p.group_sizes[0], 0, -1);
        if (problem_open(&p, k / SIZES) && CHECK(p.schur->path != NULL))
            check_redundant(&p, 0);
        problem_close(&p);
    }
}

static void rows_of_a_path_are_left_out_if_named(void)
{
    static Problem p;
    random_seed(4);
    for (int k = 0; k < SHAPES * SIZES * MASSES; k++) {
        if (open_path(&p, k % SHAPES, 7, sizes[k / SHAPES % SIZES], k / SHAPES / SIZES)) {
            unsigned char left_out[MOST];
            for (int r = 0; r < p.pattern.m; r++)
                left_out[r] = random_number() > 0.3;
            fill_numbers(&p);
            CHECK_OK(hol_schur_set_mass(p.schur, p.M));
            CHECK_OK(factor(&p, 1e-14, left_out));
            check_solution(&p, left_out);
        }
        problem_close(&p);
    }
}

static void unusable_numbers_of_a_path_are_reported(void)
{
    static Problem p;
    random_seed(5);
    for (int k = 0; k < SIZES; k++) {
        if (open_path(&p, LOOP, 6, sizes[k], DIAGONAL)) {
            fill_numbers(&p);
            CHECK_OK(hol_schur_set_mass(p.schur, p.M));
            for (int i = 0; i < p.pattern.pair_start[p.pattern.pair_count]; i++) {
                double kept = p.D[i];
                p.D[i] = i % 2 ? NAN : INFINITY;
                CHECK_STATUS(hol_schur_factor_solve(p.schur, p.D, 1e-14, NULL, p.f, p.c, p.x, p.lambda),
                             HOL_NOT_FINITE);
                p.D[i] = kept;
            }
            check_regular(&p); /* and nothing of it has stayed */
        }
        problem_close(&p);
    }
}

/* What only resembles a path: rings, stars, groups that share two blocks, free blocks, other sizes, three blocks. */
static void other_graphs_are_no_paths(void)
{
    static const HolPair rings[] = {{0, 1}, {1, 2}, {2, 0}}, stars[] = {{1, 0}, {2, 0}, {3, 0}},
                         twins[] = {{0, 1}, {0, 1}, {2, -1}}, lonely[] = {{0, -1}, {1, 0}, {2, 1}};
    static const struct {
        const HolPair *groups;
        int blocks, size;
    } graphs[] = {{rings, 3, 3}, {stars, 4, 3}, {twins, 3, 3}, {lonely, 4, 3}, {lonely, 3, 1}};
    static Problem p;
    random_seed(6);
    for (size_t k = 0; k < sizeof graphs / sizeof *graphs; k++) {
        CHECK_CONTEXT("graph %zu", k);
        add_blocks(&p, graphs[k].blocks, 6);
        for (int g = 0; g < 3; g++)
            add_group(&p, graphs[k].size, graphs[k].groups[g].row, graphs[k].groups[g].column);
        if (problem_open(&p, DIAGONAL) && CHECK(p.schur->path == NULL))
            check_regular(&p);
        problem_close(&p);
    }
}

CHECK_MAIN(TEST(paths_are_solved), TEST(dependent_rows_of_a_path_are_left_out),
           TEST(repeated_groups_of_a_path_are_left_out), TEST(rows_of_a_path_are_left_out_if_named),
           TEST(unusable_numbers_of_a_path_are_reported), TEST(other_graphs_are_no_paths))
