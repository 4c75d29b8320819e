/* SPDX-License-Identifier: BSD-3-Clause */
/* The static block LDL against LAPACK, over graphs of many shapes, with full and with deficient rank.
 *
 * A matrix with the pattern of a graph is made as S = E^T E, where every row of E lives on the two blocks of one edge
 * or on one block alone. A column of E that is a combination of others of its block makes S singular by one. */
#include "linalg/block/block_ldl.h"

#include "allocations.h"
#include "check.h"
#include "dense.h"
#include "random.h"

#include <lapacke.h>
#include <stdlib.h>

enum { MOST_BLOCKS = 200, MOST_EDGES = 800, MOST = 700, LARGEST = 9 };
enum { CHAIN, STAR, TREE, RING, GRID, COMPLETE, APART, SHAPES };
enum { MIXED = 0 }; /* block sizes at random; else the common size */

static const char *const shape_names[SHAPES] = {"chain", "star", "tree", "ring", "grid", "complete", "apart"};

typedef struct Problem {
    int count, n, edge_count;
    int sizes[MOST_BLOCKS], start[MOST_BLOCKS + 1];
    HolPair edges[MOST_EDGES];
    double *S; /* n x n, the whole of it */
    HolArena *arena;
    HolBlockLdl *ldl;
} Problem;

static void join(Problem *p, int a, int b)
{
    p->edges[p->edge_count++] = random_number() > 0 ? (HolPair){a, b} : (HolPair){b, a};
}

static void join_complete(Problem *p)
{
    for (int a = 0; a < p->count; a++)
        for (int b = 0; b < a; b++)
            join(p, a, b);
}

static void join_by_shape(Problem *p, int shape)
{
    const int width = 4;
    for (int b = 1; b < p->count && shape < COMPLETE; b++) {
        int before = shape == STAR ? 0 : shape == TREE ? random_between(0, b - 1) : b - 1;
        if (shape != GRID || b % width != 0)
            join(p, b, before);
        if (shape == GRID && b >= width)
            join(p, b, b - width);
    }
    if (shape == RING && p->count > 2)
        join(p, 0, p->count - 1);
    if (shape == COMPLETE)
        join_complete(p);
}

static bool problem_create(Problem *p, int shape, int count, int size)
{
    memset(p, 0, sizeof *p);
    p->count = count;
    for (int b = 0; b < count; b++) {
        p->sizes[b] = size == MIXED ? 1 + random_between(0, LARGEST - 1) : size;
        p->start[b + 1] = p->start[b] + p->sizes[b];
    }
    p->n = p->start[count];
    join_by_shape(p, shape);
    p->S = calloc((size_t)(p->n * p->n) + 1, sizeof *p->S);
    p->arena = hol_arena_create();
    return CHECK(p->S && p->arena && p->n <= MOST) &&
           CHECK_OK(hol_ldl_create(p->arena, count, p->sizes, p->edges, p->edge_count, &p->ldl));
}

static void problem_destroy(Problem *p)
{
    free(p->S);
    hol_arena_destroy(p->arena);
}

/* The column of E that depends on others of its block, -1 for none: at most one in a block. */
typedef struct Dependence {
    int column[MOST_BLOCKS];
    double factor[MOST_BLOCKS][LARGEST]; /* of the block's other columns */
} Dependence;

static void fill_block(const Problem *p, const Dependence *dependence, int b, double *e)
{
    int dependent = dependence ? dependence->column[b] : -1;
    for (int i = 0; i < p->sizes[b]; i++)
        e[i] = random_number();
    if (dependent < 0)
        return;
    e[dependent] = 0;
    for (int i = 0; i < p->sizes[b]; i++)
        e[dependent] += i != dependent ? dependence->factor[b][i] * e[i] : 0;
}

/* S += e^T e for one row e of E on the blocks a and b */
static void add_row(Problem *p, const Dependence *dependence, int a, int b)
{
    double e[2][LARGEST];
    int blocks[2] = {a, b}, used = a == b ? 1 : 2;
    for (int k = 0; k < used; k++)
        fill_block(p, dependence, blocks[k], e[k]);
    for (int k = 0; k < used * used; k++) {
        int r = blocks[k / used], c = blocks[k % used];
        for (int i = 0; i < p->sizes[r]; i++)
            for (int j = 0; j < p->sizes[c]; j++)
                p->S[(p->start[r] + i) * p->n + p->start[c] + j] += e[k / used][i] * e[k % used][j];
    }
}

static void fill_matrix(Problem *p, const Dependence *dependence)
{
    memset(p->S, 0, sizeof *p->S * (size_t)(p->n * p->n));
    for (int b = 0; b < p->count; b++)
        for (int k = 0; k < p->sizes[b] + 1; k++)
            add_row(p, dependence, b, b);
    for (int i = 0; i < p->edge_count; i++)
        for (int k = 0; k < 3; k++)
            add_row(p, dependence, p->edges[i].row, p->edges[i].column);
}

/* Copies one block into its slot, by columns; above the diagonal of a diagonal block stands what must not be used. */
static void assemble_block(const Problem *p, int a, int b)
{
    int offset;
    bool upright = hol_ldl_slot(p->ldl, a, b, &offset);
    int row = upright ? a : b, column = upright ? b : a;
    for (int i = 0; i < p->sizes[row]; i++) {
        for (int j = 0; j < p->sizes[column]; j++) {
            bool above = a == b && j > i;
            double value = p->S[(p->start[row] + i) * p->n + p->start[column] + j];
            p->ldl->L[offset + j * p->sizes[row] + i] = above ? 1e300 : value;
        }
    }
}

static void assemble(const Problem *p)
{
    memset(p->ldl->L, 0, sizeof *p->ldl->L * (size_t)p->ldl->values);
    for (int b = 0; b < p->count; b++)
        assemble_block(p, b, b);
    for (int i = 0; i < p->edge_count; i++)
        assemble_block(p, p->edges[i].row, p->edges[i].column);
}

/* x <- S^-1 x of the rows not left out, zero in the others, by LAPACK. */
static void solve_densely(const Problem *p, const unsigned char *left_out, double *x)
{
    double *A = malloc(sizeof *A * (size_t)(p->n * p->n) + 1), y[MOST];
    int kept[MOST], count = 0;
    for (int i = 0; i < p->n; i++) {
        if (!(left_out && left_out[i]))
            kept[count++] = i;
    }
    for (int i = 0; i < count; i++) {
        y[i] = x[kept[i]];
        for (int j = 0; j < count; j++)
            A[i * count + j] = p->S[kept[i] * p->n + kept[j]];
    }
    CHECK_EQUAL_INT(LAPACKE_dposv(LAPACK_ROW_MAJOR, 'L', count, 1, A, count, y, 1), 0);
    memset(x, 0, sizeof *x * (size_t)p->n);
    for (int i = 0; i < count; i++)
        x[kept[i]] = y[i];
    free(A);
}

static void check_solution(const Problem *p, const unsigned char *left_out)
{
    double x[MOST], y[MOST];
    for (int i = 0; i < p->n; i++)
        x[i] = y[i] = random_number();
    hol_ldl_solve(p->ldl, x);
    solve_densely(p, left_out, y);
    CHECK_NEAR(max_difference(p->n, x, y), 0, 1e-9 * (1 + max_norm(p->n, y)));
}

/* The smallest d_i / S_ii in the order of elimination: d_i is the square of a diagonal entry of the Cholesky factor. */
static double smallest_pivot(const Problem *p)
{
    int scalar[MOST], count = 0;
    double *A = malloc(sizeof *A * (size_t)(p->n * p->n) + 1), pivot = 1;
    for (int k = 0; k < p->count; k++)
        for (int i = 0; i < p->ldl->columns[k].size; i++)
            scalar[count++] = p->ldl->columns[k].start + i;
    for (int i = 0; i < p->n * p->n; i++)
        A[i] = p->S[scalar[i / p->n] * p->n + scalar[i % p->n]];
    CHECK_EQUAL_INT(LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'L', p->n, A, p->n), 0);
    for (int i = 0; i < p->n; i++) {
        double ratio = A[i * p->n + i] * A[i * p->n + i] / p->S[scalar[i] * p->n + scalar[i]];
        pivot = fmin(pivot, ratio);
    }
    free(A);
    return pivot;
}

static void check_regular(Problem *p)
{
    fill_matrix(p, NULL);
    assemble(p);
    CHECK_OK(hol_ldl_factor(p->ldl, 1e-14, NULL));
    CHECK_EQUAL_INT(p->ldl->rank, p->n);
    double pivot = smallest_pivot(p);
    CHECK_NEAR(p->ldl->pivot, pivot, 1e-8 * pivot);
    check_solution(p, NULL);
    check_solution(p, NULL); /* solving leaves the factors as they are */
}

static void regular_systems_are_solved_as_by_lapack(void)
{
    static const int counts[] = {1, 2, 5, 13, 24};
    static Problem p;
    random_seed(1);
    for (int shape = 0; shape < SHAPES; shape++) {
        for (int size = MIXED; size <= LARGEST; size++) {
            for (int k = 0; k < 5; k++) {
                CHECK_CONTEXT("%s of %d blocks of size %d", shape_names[shape], counts[k], size);
                if (problem_create(&p, shape, counts[k], size)) {
                    check_regular(&p);
                    check_regular(&p); /* with other numbers */
                }
                problem_destroy(&p);
            }
        }
    }
}

static void large_systems_are_solved_as_by_lapack(void)
{
    static const int shapes[] = {CHAIN, TREE, RING, GRID};
    static Problem p;
    random_seed(2);
    for (int k = 0; k < 4; k++) {
        CHECK_CONTEXT("large %s", shape_names[shapes[k]]);
        if (problem_create(&p, shapes[k], MOST_BLOCKS, 3))
            check_regular(&p);
        problem_destroy(&p);
    }
}

/* A chain has no fill whatever its length: one entry below the diagonal per joint. */
static void trees_have_no_fill(void)
{
    static const int shapes[] = {CHAIN, STAR, TREE};
    static Problem p;
    random_seed(3);
    for (int k = 0; k < 3; k++) {
        CHECK_CONTEXT("%s", shape_names[shapes[k]]);
        if (problem_create(&p, shapes[k], 100, 2))
            CHECK_EQUAL_INT(p.ldl->columns[99].end, 99);
        problem_destroy(&p);
    }
}

static void repeated_edges_and_loops_to_oneself_do_no_harm(void)
{
    static const int sizes[3] = {2, 3, 1};
    static const HolPair edges[] = {{0, 1}, {1, 0}, {0, 1}, {2, 2}, {2, 1}, {1, 1}, {1, 2}};
    static Problem p;
    random_seed(4);
    memset(&p, 0, sizeof p);
    p = (Problem){.count = 3, .n = 6, .edge_count = 7, .start = {0, 2, 5, 6}, .arena = hol_arena_create()};
    memcpy(p.sizes, sizes, sizeof sizes);
    memcpy(p.edges, edges, sizeof edges);
    p.S = calloc(36, sizeof *p.S);
    if (CHECK_OK(hol_ldl_create(p.arena, 3, sizes, edges, 7, &p.ldl))) {
        CHECK_EQUAL_INT(p.ldl->columns[2].end, 2);
        check_regular(&p);
    }
    problem_destroy(&p);
}

/* One dependent column in every third block with more than one. */
static int choose_dependent(const Problem *p, Dependence *d)
{
    int count = 0;
    for (int b = 0; b < p->count; b++) {
        d->column[b] = b % 3 == 0 && p->sizes[b] > 1 ? random_between(0, p->sizes[b] - 1) : -1;
        count += d->column[b] >= 0;
        for (int i = 0; i < LARGEST; i++)
            d->factor[b][i] = random_number();
    }
    return count;
}

static void product(const Problem *p, const double *x, double *y)
{
    for (int i = 0; i < p->n; i++) {
        y[i] = 0;
        for (int j = 0; j < p->n; j++)
            y[i] += p->S[i * p->n + j] * x[j];
    }
}

/* For b = S x_0 the answer must solve S x = b, although it is not x_0, and be zero in the rows left out. */
static void check_consistent(const Problem *p)
{
    double x0[MOST], b[MOST], x[MOST], r[MOST];
    for (int i = 0; i < p->n; i++)
        x0[i] = random_number();
    product(p, x0, b);
    memcpy(x, b, sizeof x);
    hol_ldl_solve(p->ldl, x);
    product(p, x, r);
    for (int i = 0; i < p->n; i++) {
        r[i] -= b[i];
        if (p->ldl->d_inverse[i] == 0)
            CHECK(x[i] == 0);
    }
    CHECK_NEAR(max_norm(p->n, r), 0, 1e-9 * (1 + max_norm(p->n, b)));
}

static int rows_left_out(const Problem *p, int from, int to)
{
    int count = 0;
    for (int i = from; i < to; i++)
        count += p->ldl->d_inverse[i] == 0;
    return count;
}

static void check_deficient(Problem *p)
{
    Dependence dependence;
    int missing = choose_dependent(p, &dependence);
    fill_matrix(p, &dependence);
    assemble(p);
    CHECK_OK(hol_ldl_factor(p->ldl, 1e-10, NULL));
    CHECK_EQUAL_INT(p->ldl->rank, p->n - missing);
    CHECK(p->ldl->pivot > 1e-10 && p->ldl->pivot <= 1);
    CHECK_EQUAL_INT(rows_left_out(p, 0, p->n), missing);
    for (int b = 0; b < p->count; b++) /* in the block that is to blame */
        CHECK_EQUAL_INT(rows_left_out(p, p->start[b], p->start[b + 1]), dependence.column[b] >= 0);
    check_consistent(p);
}

static void dependent_rows_are_left_out(void)
{
    static Problem p;
    random_seed(5);
    for (int shape = 0; shape < SHAPES; shape++) {
        for (int size = MIXED; size <= LARGEST; size++) {
            CHECK_CONTEXT("%s of size %d", shape_names[shape], size);
            if (problem_create(&p, shape, 13, size))
                check_deficient(&p);
            problem_destroy(&p);
        }
    }
}

/* Two blocks of one number each, the same number: the one eliminated later is left out. */
static void dependence_across_blocks_is_seen(void)
{
    static Problem p;
    random_seed(6);
    if (problem_create(&p, CHAIN, 2, 1)) {
        p.S[0] = 4, p.S[1] = p.S[2] = 6, p.S[3] = 9;
        assemble(&p);
        CHECK_OK(hol_ldl_factor(p.ldl, 1e-10, NULL));
        CHECK_EQUAL_INT(p.ldl->rank, 1);
        CHECK(p.ldl->pivot == 1);
        CHECK(p.ldl->d_inverse[p.ldl->columns[1].start] == 0);
        check_consistent(&p);
    }
    problem_destroy(&p);
}

/* d_2 / S_22 = 1 - S_12^2 / (S_11 S_22), whichever comes first */
static void the_pivot_tells_how_close_it_was(void)
{
    static Problem p;
    random_seed(7);
    if (problem_create(&p, CHAIN, 2, 1)) {
        p.S[0] = 4, p.S[1] = p.S[2] = 2, p.S[3] = 3;
        assemble(&p);
        CHECK_OK(hol_ldl_factor(p.ldl, 1e-10, NULL));
        CHECK_NEAR(p.ldl->pivot, 2. / 3, 1e-15);
        assemble(&p);
        CHECK_OK(hol_ldl_factor(p.ldl, 0.6, NULL)); /* (1) is d_i <= tolerance S_ii */
        CHECK_EQUAL_INT(p.ldl->rank, 2);
        assemble(&p);
        CHECK_OK(hol_ldl_factor(p.ldl, 0.7, NULL));
        CHECK_EQUAL_INT(p.ldl->rank, 1);
        CHECK(p.ldl->pivot == 1);
    }
    problem_destroy(&p);
}

static void empty_rows_are_left_out(void)
{
    static Problem p;
    random_seed(8);
    if (problem_create(&p, CHAIN, 3, 2)) {
        fill_matrix(&p, NULL);
        for (int i = 0; i < 6; i++)
            p.S[3 * 6 + i] = p.S[i * 6 + 3] = 0;
        assemble(&p);
        CHECK_OK(hol_ldl_factor(p.ldl, 1e-14, NULL));
        CHECK_EQUAL_INT(p.ldl->rank, 5);
        CHECK_EQUAL_INT(rows_left_out(&p, 3, 4), 1);
        check_consistent(&p);
    }
    problem_destroy(&p);
}

static void rows_named_by_the_caller_are_left_out(void)
{
    static Problem p;
    static unsigned char left_out[MOST];
    random_seed(9);
    for (int shape = 0; shape < SHAPES; shape++) {
        for (int size = MIXED; size <= LARGEST; size++) {
            CHECK_CONTEXT("%s of size %d", shape_names[shape], size);
            if (problem_create(&p, shape, 11, size)) {
                int missing = 0;
                for (int i = 0; i < p.n; i++)
                    missing += left_out[i] = random_number() > 0.5;
                fill_matrix(&p, NULL);
                assemble(&p);
                CHECK_OK(hol_ldl_factor(p.ldl, 1e-14, left_out));
                CHECK_EQUAL_INT(p.ldl->rank, p.n - missing);
                for (int i = 0; i < p.n; i++)
                    CHECK((p.ldl->d_inverse[i] == 0) == (left_out[i] != 0));
                check_solution(&p, left_out);
            }
            problem_destroy(&p);
        }
    }
}

/* Wherever it stands, among the numbers that are read. */
static void nan_is_reported(void)
{
    static Problem p;
    random_seed(10);
    if (problem_create(&p, RING, 5, 2)) {
        fill_matrix(&p, NULL);
        for (int i = 0; i < p.n; i++) {
            for (int j = 0; j <= i; j++) {
                double kept = p.S[i * p.n + j];
                if (kept == 0)
                    continue;
                CHECK_CONTEXT("NaN at (%d, %d)", i, j);
                p.S[i * p.n + j] = p.S[j * p.n + i] = NAN;
                assemble(&p);
                CHECK_STATUS(hol_ldl_factor(p.ldl, 1e-14, NULL), HOL_NOT_FINITE);
                p.S[i * p.n + j] = p.S[j * p.n + i] = kept;
            }
        }
        assemble(&p); /* and forgotten */
        CHECK_OK(hol_ldl_factor(p.ldl, 1e-14, NULL));
        check_solution(&p, NULL);
    }
    problem_destroy(&p);
}

static void nothing_at_all_is_a_system_too(void)
{
    HolArena *arena = hol_arena_create();
    HolBlockLdl *ldl = NULL;
    if (CHECK_OK(hol_ldl_create(arena, 0, NULL, NULL, 0, &ldl))) {
        CHECK_OK(hol_ldl_factor(ldl, 1e-14, NULL));
        hol_ldl_solve(ldl, NULL);
        CHECK_EQUAL_INT(ldl->rank, 0);
        CHECK(ldl->pivot == 1);
    }
    hol_arena_destroy(arena);
}

static void nothing_allocates_after_creation(void)
{
    static Problem p;
    double x[MOST] = {1, 2, 3};
    random_seed(11);
    if (problem_create(&p, GRID, 24, MIXED)) {
        fill_matrix(&p, NULL);
        hol_arena_freeze(p.arena);
        allocations_start();
        assemble(&p);
        HolStatus status = hol_ldl_factor(p.ldl, 1e-14, NULL);
        hol_ldl_solve(p.ldl, x);
        CHECK_EQUAL_INT(allocations_stop(), 0);
        CHECK_OK(status);
    }
    problem_destroy(&p);
}

CHECK_MAIN(TEST(regular_systems_are_solved_as_by_lapack), TEST(large_systems_are_solved_as_by_lapack),
           TEST(trees_have_no_fill), TEST(repeated_edges_and_loops_to_oneself_do_no_harm),
           TEST(dependent_rows_are_left_out), TEST(dependence_across_blocks_is_seen),
           TEST(the_pivot_tells_how_close_it_was), TEST(empty_rows_are_left_out),
           TEST(rows_named_by_the_caller_are_left_out), TEST(nan_is_reported), TEST(nothing_at_all_is_a_system_too),
           TEST(nothing_allocates_after_creation))
