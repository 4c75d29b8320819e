/* SPDX-License-Identifier: BSD-3-Clause */
/* The matrix of two unknowns for each velocity, against the same matrix written out and solved by LAPACK. */
#include "linalg/schur/two_state_matrix.h"

#include "check.h"
#include "dense.h"
#include "random.h"
#include "system/pattern.h"

#include <lapacke.h>

enum { BLOCKS = 5, MOST = 32 };

/* A chain with a loop over all of it, and one mass block off the diagonal. */
static const int block_sizes[BLOCKS] = {3, 1, 4, 2, 3}, group_sizes[6] = {2, 1, 3, 1, 2, 1};
static const HolPair pairs[] = {{0, 0}, {1, 0}, {1, 1}, {2, 1}, {2, 2}, {3, 3}, {3, 2}, {4, 4}, {4, 3}, {5, 0}, {5, 4}};
static const HolPair mass_pairs[] = {{2, 1}};

typedef struct Problem {
    HolArena *arena;
    HolPattern pattern;
    HolTwoStateMatrix *matrix;
    double *K, *K_jj, *C, *D_j;
    HolTerms terms;
    double w[MOST], w_j[MOST];
    HolTwoStateParts parts;
} Problem;

static void fill_masses(Problem *p)
{
    const HolPattern *t = &p->pattern;
    for (int k = 0; k < t->mass_pair_count; k++) {
        int n = block_sizes[t->mass_pairs[k].row];
        double *M = p->terms.M + t->mass_start[k];
        random_fill(t->mass_start[k + 1] - t->mass_start[k], M);
        for (int i = 0; k < t->block_count && i < n * n; i++)
            M[i] = i / n == i % n ? 10 + M[i] : 0.3;
    }
}

static bool problem_open(Problem *p, double factor)
{
    HolSystemSpec spec = {.nq = 13, .nv = 13, .nh = 10, .block_count = BLOCKS, .block_sizes = block_sizes};
    spec.group_count = 6;
    spec.group_sizes = group_sizes;
    spec.pairs = pairs;
    spec.pair_count = sizeof pairs / sizeof *pairs;
    spec.mass_pairs = mass_pairs;
    spec.mass_pair_count = 1;
    *p = (Problem){.arena = hol_arena_create()};
    if (!CHECK_OK(hol_pattern_build(&spec, p->arena, &p->pattern, NULL)))
        return false;
    const HolPattern *t = &p->pattern;
    size_t tangents = (size_t)t->tangent_start[t->tangent_count];
    p->terms = (HolTerms){.pattern = t,
                          .M = hol_arena_doubles(p->arena, (size_t)t->mass_start[t->mass_pair_count]),
                          .D = hol_arena_doubles(p->arena, (size_t)t->pair_start[t->pair_count])};
    p->K = hol_arena_doubles(p->arena, tangents);
    p->K_jj = hol_arena_doubles(p->arena, tangents);
    p->C = hol_arena_doubles(p->arena, tangents);
    p->D_j = hol_arena_doubles(p->arena, (size_t)t->pair_start[t->pair_count]);
    fill_masses(p);
    random_fill(t->pair_start[t->pair_count], p->terms.D);
    random_fill(t->pair_start[t->pair_count], p->D_j);
    random_fill((int)tangents, p->K);
    random_fill((int)tangents, p->K_jj);
    random_fill((int)tangents, p->C);
    for (int i = 0; i < t->m; i++) {
        p->w[i] = factor * (1.5 + random_number());
        p->w_j[i] = i % 4 < 2 ? 0 : factor * (1.5 + random_number()); /* the first group has none */
    }
    p->parts = (HolTwoStateParts){.M = p->terms.M,
                                  .K = p->K,
                                  .C = p->C,
                                  .D = p->terms.D,
                                  .K_jj = p->K_jj,
                                  .m_jj = -9,
                                  .m_jf = -3,
                                  .m_ff = 1,
                                  .k_jf = 0.1,
                                  .k_ff = 0.2,
                                  .c = 0.05,
                                  .w = p->w,
                                  .D_j = p->D_j,
                                  .w_j = p->w_j};
    return CHECK_OK(hol_two_state_create(p->arena, t, &p->matrix));
}

/* X (n x n) = the symmetric part of a tangent */
static void write_slopes(const HolPattern *t, const double *T, int n, double *X)
{
    memset(X, 0, (size_t)(n * n) * sizeof *X);
    for (int b = 0; b < t->tangent_count; b++) {
        int columns = block_sizes[t->tangents[b].column];
        for (int i = 0; i < t->tangent_start[b + 1] - t->tangent_start[b]; i++) {
            int r = t->block_start[t->tangents[b].row] + i / columns;
            int c = t->block_start[t->tangents[b].column] + i % columns;
            X[r * n + c] += 0.5 * T[t->tangent_start[b] + i];
            X[c * n + r] += 0.5 * T[t->tangent_start[b] + i];
        }
    }
}

/* (1) of two_state_matrix.h, first all j, then all f */
static void write_densely(const Problem *p, double *A)
{
    const HolTwoStateParts *f = &p->parts;
    Dense dense, of_j;
    HolTerms terms_j = p->terms;
    double K[MOST * MOST] = {0}, K_jj[MOST * MOST] = {0}, C[MOST * MOST] = {0};
    terms_j.D = p->D_j;
    REQUIRE(dense_open(&p->terms, &dense) && dense_open(&terms_j, &of_j));
    int n = dense.nv;
    if (f->K)
        write_slopes(&p->pattern, p->K, n, K);
    if (f->K_jj)
        write_slopes(&p->pattern, p->K_jj, n, K_jj);
    if (f->C)
        write_slopes(&p->pattern, p->C, n, C);
    for (int i = 0; i < n * n; i++) {
        int r = i / n, c = i % n;
        double penalty = 0, held = 0;
        for (int k = 0; k < dense.m; k++) {
            penalty += p->w[k] * dense.D[k * n + r] * dense.D[k * n + c];
            held += f->w_j ? p->w_j[k] * of_j.D[k * n + r] * of_j.D[k * n + c] : 0;
        }
        A[r * 2 * n + c] = f->m_jj * dense.M[i] + K_jj[i] - held;
        A[r * 2 * n + n + c] = A[(n + r) * 2 * n + c] = f->m_jf * dense.M[i] + f->k_jf * K[i];
        A[(n + r) * 2 * n + n + c] = f->m_ff * dense.M[i] + f->k_ff * K[i] + f->c * C[i] + penalty;
    }
    dense_close(&dense);
    dense_close(&of_j);
}

static void check_solution(Problem *p, double tolerance)
{
    static double A[4 * MOST * MOST];
    double x[2 * MOST], y[2 * MOST];
    lapack_int n = p->pattern.nv, order[2 * MOST];
    random_fill(2 * n, x);
    memcpy(y, x, sizeof x);
    write_densely(p, A);
    if (!CHECK_OK(hol_two_state_factor(p->matrix, &p->parts)))
        return;
    hol_two_state_solve(p->matrix, x, x + n);
    CHECK_EQUAL_INT(LAPACKE_dgesv(LAPACK_ROW_MAJOR, 2 * n, 1, A, 2 * n, order, y, 1), 0);
    for (int i = 0; i < 2 * n; i++)
        CHECK_NEAR(x[i], y[i], tolerance);
}

static void solutions_agree_with_lapack(void)
{
    static const double factors[] = {0, 1, 1e6};
    for (int i = 0; i < 3; i++) {
        Problem p;
        random_seed(7);
        REQUIRE(problem_open(&p, factors[i]));
        CHECK_CONTEXT("weights times %g", factors[i]);
        check_solution(&p, factors[i] > 1 ? 1e-9 : 1e-13);
        p.parts.C = NULL;
        check_solution(&p, factors[i] > 1 ? 1e-9 : 1e-13);
        p.parts.w_j = NULL;
        check_solution(&p, factors[i] > 1 ? 1e-9 : 1e-13);
        p.parts.K_jj = NULL;
        check_solution(&p, factors[i] > 1 ? 1e-9 : 1e-13);
        p.parts.K = NULL;
        check_solution(&p, factors[i] > 1 ? 1e-9 : 1e-13);
        hol_arena_destroy(p.arena);
    }
}

/* Too few or too many negative pivots, or without mass. */
static void wrong_signs_are_singular(void)
{
    Problem p;
    random_seed(7);
    REQUIRE(problem_open(&p, 1));
    p.parts.w_j = NULL;
    p.parts.m_jj = 9;
    CHECK_STATUS(hol_two_state_factor(p.matrix, &p.parts), HOL_SINGULAR);
    p.parts.m_jj = -9;
    CHECK_OK(hol_two_state_factor(p.matrix, &p.parts));
    p.parts.m_ff = -100;
    CHECK_STATUS(hol_two_state_factor(p.matrix, &p.parts), HOL_SINGULAR);
    p.parts.m_ff = 1;
    p.parts.m_jj = p.parts.m_jf = p.parts.k_jf = 0;
    p.parts.K_jj = NULL;
    CHECK_STATUS(hol_two_state_factor(p.matrix, &p.parts), HOL_SINGULAR);
    hol_arena_destroy(p.arena);
}

/* A block jj that is positive in part, but not where f gives way: all pivots have their signs in the end. */
static void f_may_give_way_to_j(void)
{
    Problem p;
    random_seed(7);
    REQUIRE(problem_open(&p, 0));
    p.parts.C = NULL;
    for (int b = 0; b < p.pattern.tangent_count; b++) {
        int n = block_sizes[p.pattern.tangents[b].column], first = p.pattern.tangent_start[b];
        for (int i = first; i < p.pattern.tangent_start[b + 1]; i++) {
            bool diagonal = p.pattern.tangents[b].row == p.pattern.tangents[b].column && (i - first) % (n + 1) == 0;
            p.K[i] = diagonal ? 1000 : 0;
            p.K_jj[i] = 1 * p.K[i];
        }
    }
    p.parts.k_jf = p.parts.k_ff = 1;
    check_solution(&p, 1e-12);
    p.parts.k_jf = 0;
    CHECK_STATUS(hol_two_state_factor(p.matrix, &p.parts), HOL_SINGULAR);
    hol_arena_destroy(p.arena);
}

CHECK_MAIN(TEST(solutions_agree_with_lapack), TEST(wrong_signs_are_singular), TEST(f_may_give_way_to_j))
