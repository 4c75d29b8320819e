/* SPDX-License-Identifier: BSD-3-Clause */
/* Systems of random numbers for the dual Schur complement, checked against the whole of
 *
 *     [ M  -D^T ] [ x      ]   [ f ]
 *     [ D    0  ] [ lambda ] = [ c ]
 *
 * as a dense matrix, solved by LAPACK. */
#ifndef TESTS_UNIT_SCHUR_PROBLEM_H
#define TESTS_UNIT_SCHUR_PROBLEM_H

#include "allocations.h"
#include "check.h"
#include "dense.h"
#include "linalg/schur/schur.h"
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
    HolPair pairs[MOST_PAIRS], mass_pairs[MOST_PAIRS];
    HolArena *arena;
    HolPattern pattern;
    HolSchur *schur;
    int mass;
    double *M, *D, *f, *c, *x, *lambda;
    double *wrong; /* another D */
    double *A;     /* the dense matrix, n x n */
    int n;
    double tolerance; /* of the latest factor(), and the rows it had to leave out */
    const unsigned char *named;
    void (*shape)(struct Problem *p); /* makes the random numbers special; NULL: leaves them alone */
} Problem;

/* Adds a group of the given size on the blocks a and b (b < 0: the ground). */
static inline void add_group(Problem *p, int size, int a, int b)
{
    int g = p->spec.group_count++;
    p->group_sizes[g] = size;
    p->spec.nh += size;
    p->pairs[p->spec.pair_count++] = (HolPair){g, a};
    if (b >= 0)
        p->pairs[p->spec.pair_count++] = (HolPair){g, b};
}

static inline void add_blocks(Problem *p, int count, int size)
{
    for (int b = 0; b < count; b++) {
        p->block_sizes[b] = size == MIXED ? random_between(2, 7) : size;
        p->spec.nv += p->block_sizes[b];
    }
    p->spec.nq = p->spec.nv;
    p->spec.block_count = count;
}

/* Blocks that masses couple: little enough that M stays positive definite. */
static inline void fill_couplings(Problem *p)
{
    const HolPattern *t = &p->pattern;
    int count = t->mass_start[t->mass_pair_count] - t->mass_start[t->block_count];
    double *M = p->M + t->mass_start[t->block_count];
    random_fill(count, M);
    for (int i = 0; i < count; i++)
        M[i] *= 1.4 / t->nv;
}

static inline void fill_masses(Problem *p)
{
    fill_couplings(p);
    for (int b = 0; b < p->pattern.block_count; b++) {
        int n = p->block_sizes[b];
        double *M = p->M + p->pattern.mass_start[b], B[144];
        random_fill(n * n, B);
        for (int i = 0; i < n * n; i++) {
            M[i] = i % (n + 1) == 0 ? 1.5 + random_number() : 0;
            for (int k = 0; p->mass == FULL && k < n; k++)
                M[i] += B[i / n * n + k] * B[i % n * n + k];
        }
    }
}

static inline void fill_numbers(Problem *p)
{
    fill_masses(p);
    random_fill(p->pattern.pair_start[p->pattern.pair_count], p->D);
    random_fill(p->pattern.nv, p->f);
    random_fill(p->pattern.m, p->c);
    if (p->shape)
        p->shape(p);
}

static inline bool problem_open(Problem *p, int mass)
{
    p->mass = mass;
    p->spec.block_sizes = p->block_sizes;
    p->spec.group_sizes = p->group_sizes;
    p->spec.pairs = p->pairs;
    p->spec.mass_pairs = p->mass_pairs;
    p->arena = hol_arena_create();
    if (!CHECK_OK(hol_pattern_build(&p->spec, p->arena, &p->pattern, NULL)))
        return false;
    p->n = p->pattern.nv + p->pattern.m;
    p->M = hol_arena_doubles(p->arena, (size_t)p->pattern.mass_start[p->pattern.mass_pair_count]);
    p->D = hol_arena_doubles(p->arena, (size_t)p->pattern.pair_start[p->pattern.pair_count]);
    p->wrong = hol_arena_doubles(p->arena, (size_t)p->pattern.pair_start[p->pattern.pair_count]);
    p->f = hol_arena_doubles(p->arena, MOST);
    p->c = hol_arena_doubles(p->arena, MOST);
    p->x = hol_arena_doubles(p->arena, MOST);
    p->lambda = hol_arena_doubles(p->arena, MOST);
    p->A = hol_arena_doubles(p->arena, (size_t)(p->n * p->n));
    return CHECK(p->n <= MOST && !hol_arena_failed(p->arena)) &&
           CHECK_OK(hol_schur_create(p->arena, &p->pattern, mass == UNIT, &p->schur));
}

static inline void problem_close(Problem *p)
{
    hol_arena_destroy(p->arena);
    memset(p, 0, sizeof *p);
}

static inline void write_densely(const Problem *p)
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
static inline void solve_densely(const Problem *p, const double *f, const unsigned char *left_out, double *y)
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
static inline double distance(const Problem *p, const double *y)
{
    double worst = 0, size = 1;
    for (int i = 0; i < p->n; i++) {
        double value = i < p->pattern.nv ? p->x[i] : p->lambda[i - p->pattern.nv];
        worst = fabs(value - y[i]) <= worst ? worst : fabs(value - y[i]);
        size = fmax(size, fabs(y[i]));
    }
    return worst / size;
}

static inline HolStatus factor(Problem *p, double tolerance, const unsigned char *named)
{
    p->tolerance = tolerance;
    p->named = named;
    return hol_schur_factor(p->schur, p->D, tolerance, named);
}

static inline void forget_solution(Problem *p)
{
    for (int i = 0; i < MOST; i++)
        p->x[i] = p->lambda[i] = NAN;
}

/* Nothing of the factors that stood before may be needed. */
static inline void solve_at_once(Problem *p, const double *f, const unsigned char *left_out)
{
    unsigned char found[MOST];
    int rank = hol_schur_rank(p->schur);
    double pivot = hol_schur_pivot(p->schur);
    for (int i = 0, n = p->pattern.pair_start[p->pattern.pair_count]; i < n; i++)
        p->wrong[i] = (i % 3 - 1.3) * p->D[n - 1 - i];
    CHECK_OK(hol_schur_factor(p->schur, p->wrong, 0.5, NULL));
    CHECK_OK(hol_schur_factor_solve(p->schur, p->D, p->tolerance, p->named, f, p->c, p->x, p->lambda));
    CHECK_EQUAL_INT(hol_schur_rank(p->schur), rank);
    CHECK_NEAR(hol_schur_pivot(p->schur), pivot, 1e-9 * pivot);
    hol_schur_rows_left_out(p->schur, found);
    for (int r = 0; r < p->pattern.m; r++)
        CHECK_EQUAL_INT(found[r] != 0, left_out && left_out[r]);
}

/* With the factors at hand, factoring on the way, and with the factors that this leaves. */
static inline void check_solution(Problem *p, const unsigned char *left_out)
{
    double y[MOST];
    for (int k = 0; k < 6; k++) {
        const double *f = k % 2 ? NULL : p->f;
        forget_solution(p);
        if (k / 2 == 1)
            solve_at_once(p, f, left_out);
        else
            hol_schur_solve(p->schur, f, p->c, p->x, p->lambda);
        solve_densely(p, f, left_out, y);
        CHECK_NEAR(distance(p, y), 0, 1e-8 / fmin(1, 1e3 * hol_schur_pivot(p->schur)));
    }
}

static inline void check_regular(Problem *p)
{
    fill_numbers(p);
    CHECK_OK(hol_schur_set_mass(p->schur, p->M));
    CHECK_OK(factor(p, 1e-14, NULL));
    CHECK_EQUAL_INT(hol_schur_rank(p->schur), p->pattern.m);
    CHECK(hol_schur_pivot(p->schur) > 0 && hol_schur_pivot(p->schur) <= 1);
    check_solution(p, NULL);
}

static inline int count_flags(const unsigned char *flags, int from, int to)
{
    int count = 0;
    for (int i = from; i < to; i++)
        count += flags[i] != 0;
    return count;
}

/* Rows that the caller names are left out, those and no others. */
static inline void check_named_rows(Problem *p)
{
    unsigned char left_out[MOST], found[MOST];
    for (int r = 0; r < p->pattern.m; r++)
        left_out[r] = random_number() > 0.3;
    fill_numbers(p);
    CHECK_OK(hol_schur_set_mass(p->schur, p->M));
    CHECK_OK(factor(p, 1e-14, left_out));
    hol_schur_rows_left_out(p->schur, found);
    CHECK(memcmp(found, left_out, (size_t)p->pattern.m) == 0);
    CHECK_EQUAL_INT(hol_schur_rank(p->schur), p->pattern.m - count_flags(left_out, 0, p->pattern.m));
    check_solution(p, left_out);
    CHECK_OK(factor(p, 1e-14, NULL)); /* and nothing of it has stayed */
    CHECK_EQUAL_INT(hol_schur_rank(p->schur), p->pattern.m);
    check_solution(p, NULL);
}

typedef bool OpenCase(Problem *p, int k); /* lays out and opens case k; false: this one is not tested */

/* Cases 0 ... count - 1 with regular numbers, twice; returns how many were tested. */
static inline int check_regular_cases(int count, OpenCase *open_case)
{
    static Problem p;
    int tested = 0;
    for (int k = 0; k < count; k++) {
        if (open_case(&p, k)) {
            check_regular(&p);
            check_regular(&p); /* with other numbers, masses included */
            tested++;
        }
        problem_close(&p);
    }
    return tested;
}

static inline void check_named_cases(int count, OpenCase *open_case)
{
    static Problem p;
    for (int k = 0; k < count; k++) {
        if (open_case(&p, k))
            check_named_rows(&p);
        problem_close(&p);
    }
}

/* Neither a new mass nor a new D nor a solution allocates. */
static inline void check_no_allocation(Problem *p)
{
    hol_arena_freeze(p->arena);
    allocations_start();
    HolStatus set = hol_schur_set_mass(p->schur, p->M);
    HolStatus factored = hol_schur_factor(p->schur, p->D, 1e-14, NULL);
    hol_schur_solve(p->schur, p->f, p->c, p->x, p->lambda);
    HolStatus solved = hol_schur_factor_solve(p->schur, p->D, 1e-14, NULL, p->f, p->c, p->x, p->lambda);
    CHECK_EQUAL_INT(allocations_stop(), 0);
    CHECK_OK(set);
    CHECK_OK(factored);
    CHECK_OK(solved);
}

/* Redundant rows: the last group repeats an earlier one. */

static inline void repeat_group(const Problem *p, int from, int to)
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

/* The rows left out are met all the same, because they repeat others. */
static inline void check_all_rows_met(const Problem *p)
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

static inline void check_redundant(Problem *p, int from)
{
    int to = p->pattern.group_count - 1, size = p->group_sizes[to], m = p->pattern.m;
    unsigned char left_out[MOST];
    fill_numbers(p);
    repeat_group(p, from, to);
    CHECK_OK(hol_schur_set_mass(p->schur, p->M));
    CHECK_OK(factor(p, 1e-10, NULL));
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

#endif
