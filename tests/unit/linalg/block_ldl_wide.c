/* SPDX-License-Identifier: BSD-3-Clause */
/* Hundreds of blocks that are all coupled, such as joints on one body: against LAPACK, and in memory that is not cubic
 * in their number. Most of their rows may be left out. */
#include "check.h"
#include "linalg/block/block_ldl.h"
#include "random.h"

#include <lapacke.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum { MOST_BLOCKS = 120, MOST_SIZE = 3, MOST = MOST_BLOCKS * MOST_SIZE };

/* Two cliques, of the blocks 0 ... first_end - 1 and second ... count - 1. */
typedef struct Cliques {
    int count, size, first_end, second;
} Cliques;

static bool is_coupled(const Cliques *c, int a, int b)
{
    return a == b || (a < c->first_end && b < c->first_end) || (a >= c->second && b >= c->second);
}

static HolBlockLdl *cliques_create(const Cliques *c, HolArena *arena)
{
    HolPair *edges = malloc((size_t)c->count * (size_t)c->count * sizeof *edges);
    int *sizes = calloc((size_t)c->count, sizeof *sizes), edge_count = 0;
    HolBlockLdl *ldl = NULL;
    for (int a = 0; a < c->count; a++) {
        sizes[a] = c->size;
        for (int b = 0; b < a; b++)
            if (is_coupled(c, a, b))
                edges[edge_count++] = (HolPair){a, b};
    }
    CHECK_OK(hol_ldl_create(arena, c->count, sizes, edges, edge_count, &ldl));
    free(edges);
    free(sizes);
    return ldl;
}

/* A symmetric, diagonally dominant matrix of this pattern, into S (n x n) and L. */
static void fill(const Cliques *c, double *S, HolBlockLdl *ldl)
{
    int n = c->count * c->size;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double x = is_coupled(c, i / c->size, j / c->size) ? random_number() : 0;
            S[i * n + j] = S[j * n + i] = i == j ? 2 * n + x : x;
        }
    for (int a = 0; a < c->count; a++)
        for (int b = 0; b <= a; b++) {
            int offset;
            if (!is_coupled(c, a, b))
                continue;
            bool is_upright = hol_ldl_slot(ldl, a, b, &offset);
            int row = is_upright ? a : b, column = is_upright ? b : a;
            for (int j = 0; j < c->size; j++)
                for (int i = 0; i < c->size; i++)
                    ldl->L[offset + j * c->size + i] = S[(row * c->size + i) * n + column * c->size + j];
        }
}

/* The solution of the rows kept, zero elsewhere. */
static void solve_dense(int n, double *S, const unsigned char *left_out, double *x)
{
    int pivots[MOST];
    for (int i = 0; i < n; i++) {
        if (!left_out[i])
            continue;
        x[i] = 0;
        for (int j = 0; j < n; j++)
            S[i * n + j] = S[j * n + i] = i == j;
    }
    CHECK_EQUAL_INT(LAPACKE_dgesv(LAPACK_ROW_MAJOR, n, 1, S, n, pivots, x, 1), 0);
}

/* Each row is left out with this chance, or each block. */
static void check_cliques(const Cliques *c, double chance, bool by_blocks)
{
    static double S[MOST * MOST];
    double x[MOST], wanted[MOST];
    unsigned char left_out[MOST];
    int n = c->count * c->size, kept = 0;
    CHECK_CONTEXT("cliques 0-%d and %d-%d of size %d, %g left out", c->first_end - 1, c->second, c->count - 1, c->size,
                  chance);
    HolArena *arena = hol_arena_create();
    HolBlockLdl *ldl = cliques_create(c, arena);
    REQUIRE(ldl != NULL);
    fill(c, S, ldl);
    for (int i = 0; i < n; i++) {
        left_out[i] = by_blocks && i % c->size > 0 ? left_out[i - 1] : random_number() < 2 * chance - 1;
        kept += !left_out[i];
        x[i] = wanted[i] = random_number();
    }
    solve_dense(n, S, left_out, wanted);
    CHECK_OK(hol_ldl_factor(ldl, 1e-12, left_out));
    CHECK_EQUAL_INT(ldl->rank, kept);
    hol_ldl_solve(ldl, x);
    for (int i = 0; i < n; i++)
        CHECK_NEAR(x[i], wanted[i], 1e-13);
    hol_arena_destroy(arena);
}

static void solutions_are_those_of_lapack(void)
{
    static const Cliques cases[] = {{60, 1, 60, 60},  {60, 3, 60, 60},  {120, 2, 120, 120}, {100, 1, 70, 50},
                                    {100, 3, 40, 30}, {120, 2, 60, 59}, {90, 2, 45, 45},    {34, 2, 34, 34}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int k = 0; k < 5; k++)
            check_cliques(&cases[i], 0.24 * k, k % 2 == 0);
}

/* Refused before a sum of ints overflows, with what needs so much. */
static void counts_beyond_an_int_are_refused(void)
{
    static const int sizes[] = {1, 1};
    HolArena *arena = hol_arena_create();
    HolBlockLdl *ldl;
    HolMessage message;
    CHECK_STATUS(hol_ldl_create(arena, 2, sizes, NULL, INT_MAX / 2 + 1, &ldl), HOL_NO_MEMORY);
    CHECK_STATUS(hol_arena_fail(arena, "system", &message), HOL_NO_MEMORY);
    CHECK_CONTAINS(message.text, "the factorisation of equations that are all coupled");
    hol_arena_destroy(arena);
}

static void memory_is_quadratic(void)
{
    const Cliques all = {400, 1, 400, 400};
    HolArena *arena = hol_arena_create();
    CHECK(cliques_create(&all, arena) != NULL);
    CHECK((double)hol_arena_size(arena) < 20e6); /* one address for each three of them are 85 MB */
    hol_arena_destroy(arena);
}

/* An int counts the numbers of L. */
static void too_many_numbers_are_refused(void)
{
    const int sizes[2] = {40000, 30000};
    HolArena *arena = hol_arena_create_within((size_t)1 << 45);
    HolBlockLdl *ldl = NULL;
    HolMessage message;
    CHECK_STATUS(hol_ldl_create(arena, 2, sizes, &(HolPair){0, 1}, 1, &ldl), HOL_NO_MEMORY);
    CHECK_STATUS(hol_arena_fail(arena, "it", &message), HOL_NO_MEMORY);
    CHECK_CONTAINS(message.text, "many joints on one body");
    hol_arena_destroy(arena);
}

CHECK_MAIN(TEST(solutions_are_those_of_lapack), TEST(counts_beyond_an_int_are_refused), TEST(memory_is_quadratic),
           TEST(too_many_numbers_are_refused))
