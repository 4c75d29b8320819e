/* SPDX-License-Identifier: BSD-3-Clause */
#include "linalg/sparse/saddle.h"

#include "base/arena.h"
#include "check.h"
#include "linalg/block/blocks.h"
#include "random.h"

static HolStatus evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    (void)self, (void)at, (void)want, (void)terms;
    return HOL_OK;
}

static HolStatus tangent(const void *self, const HolPoint *at, const double *vdot, const double *lambda,
                         HolTerms *terms)
{
    (void)vdot, (void)lambda;
    return evaluate(self, at, 0, terms);
}

/* Blocks of different sizes, groups between them, a mass between two, a coupling by forces alone. */
static HolSystem *system_of_blocks(void)
{
    static const HolSystemOps ops = {.evaluate = evaluate, .tangent = tangent};
    static const int blocks[] = {3, 2, 4, 3}, groups[] = {2, 1, 2};
    static const HolPair pairs[] = {{0, 0}, {0, 1}, {1, 2}, {2, 2}, {2, 3}}, mass[] = {{2, 1}}, couplings[] = {{3, 0}};
    HolSystemSpec spec = hol_system_spec();
    HolSystem *system = NULL;
    spec.name = "blocks";
    spec.ops = &ops;
    spec.nq = spec.nv = 12;
    spec.nh = 5;
    spec.block_count = 4;
    spec.block_sizes = blocks;
    spec.group_count = 3;
    spec.group_sizes = groups;
    spec.pair_count = 5;
    spec.pairs = pairs;
    spec.mass_pair_count = 1;
    spec.mass_pairs = mass;
    spec.coupling_count = 1;
    spec.couplings = couplings;
    CHECK_OK(hol_system_create(&spec, &system, NULL));
    return system;
}

static void fill(int count, double *x)
{
    for (int i = 0; i < count; ++i)
        x[i] = random_number();
}

/* The terms and what is left of (1) with them. */
typedef struct Setup {
    HolArena *arena;
    HolSystem *system;
    const HolPattern *p;
    HolTerms *terms;
    HolSaddle *saddle;
    double f[12], c[5], x[12], lambda[5];
} Setup;

static bool set_up(Setup *s)
{
    *s = (Setup){.arena = hol_arena_create(), .system = system_of_blocks()};
    if (!s->system || !CHECK_OK(hol_terms_create(s->system, &s->terms)))
        return false;
    s->p = hol_system_pattern(s->system);
    fill(s->p->tangent_start[s->p->tangent_count], s->terms->K);
    fill(s->p->mass_start[s->p->mass_pair_count], s->terms->M);
    for (int b = 0; b < s->p->block_count; ++b) /* symmetric blocks */
        for (int n = hol_part_size(s->p->block_start, b), i = 0; i < n; ++i)
            for (int j = 0; j < i; ++j)
                s->terms->M[s->p->mass_start[b] + i * n + j] = s->terms->M[s->p->mass_start[b] + j * n + i];
    fill(s->p->pair_start[s->p->pair_count], s->terms->D);
    fill(12, s->f);
    fill(5, s->c);
    return CHECK_OK(hol_saddle_create(s->arena, s->p, &s->saddle));
}

static void tear_down(Setup *s)
{
    hol_saddle_destroy(s->saddle);
    hol_terms_destroy(s->terms);
    hol_system_destroy(s->system);
    hol_arena_destroy(s->arena);
}

static void check_solution(const Setup *s, double shift, int left_out)
{
    double r[12], y[12] = {0}, rows[5], minus[5];
    hol_mass_times(s->p, s->terms->M, s->x, r);
    for (int j = 0; j < 12; ++j)
        y[j] = shift * r[j];
    hol_tangent_add_times(s->p, s->terms->K, 1, s->x, y);
    for (int i = 0; i < 5; ++i)
        minus[i] = -s->lambda[i];
    hol_jacobian_add_transposed(s->p, s->terms->D, minus, y);
    hol_jacobian_times(s->p, s->terms->D, s->x, rows);
    for (int j = 0; j < 12; ++j)
        CHECK_NEAR(y[j], s->f[j], 1e-12);
    for (int i = 0; i < 5; ++i) {
        if (i == left_out)
            CHECK_NEAR(s->lambda[i], 0, 0);
        else
            CHECK_NEAR(rows[i], s->c[i], 1e-12);
    }
}

static void solutions_satisfy_the_equations(void)
{
    for (int left_out = -1; left_out < 5; left_out += 3) {
        Setup s;
        unsigned char flags[5] = {0};
        CHECK_CONTEXT("row %d left out", left_out);
        REQUIRE(set_up(&s));
        if (left_out >= 0)
            flags[left_out] = 1;
        for (int k = 0; k < 2; ++k) {
            double shift = k ? 3.5 : 0;
            if (CHECK_OK(hol_saddle_factor(s.saddle, s.terms->K, shift, s.terms->M, s.terms->D, flags))) {
                hol_saddle_solve(s.saddle, s.f, s.c, s.x, s.lambda);
                check_solution(&s, shift, left_out);
            }
        }
        tear_down(&s);
    }
}

static void a_row_said_twice_is_singular(void)
{
    Setup s;
    unsigned char flags[5] = {0};
    REQUIRE(set_up(&s));
    for (int j = 0; j < 3; ++j) /* both rows of the first group */
        s.terms->D[s.p->pair_start[0] + 3 + j] = s.terms->D[s.p->pair_start[0] + j];
    for (int j = 0; j < 2; ++j)
        s.terms->D[s.p->pair_start[1] + 2 + j] = s.terms->D[s.p->pair_start[1] + j];
    CHECK_STATUS(hol_saddle_factor(s.saddle, s.terms->K, 1, s.terms->M, s.terms->D, flags), HOL_SINGULAR);
    flags[1] = 1;
    CHECK_OK(hol_saddle_factor(s.saddle, s.terms->K, 1, s.terms->M, s.terms->D, flags));
    tear_down(&s);
}

static void the_symmetric_part_is_symmetric(void)
{
    Setup s;
    double S[200], x[12], y[12], left[12] = {0}, right[12] = {0}, a = 0, b = 0, largest = 0;
    REQUIRE(set_up(&s));
    int count = s.p->tangent_start[s.p->tangent_count];
    REQUIRE(count <= 200);
    double asymmetry = hol_tangent_symmetric_part(s.p, s.terms->K, S);
    fill(12, x);
    fill(12, y);
    hol_tangent_add_times(s.p, S, 1, x, left);
    hol_tangent_add_times(s.p, S, 1, y, right);
    double quadratic = 0, whole[12] = {0};
    hol_tangent_add_times(s.p, s.terms->K, 1, x, whole);
    for (int j = 0; j < 12; ++j) {
        a += y[j] * left[j];
        b += x[j] * right[j];
        quadratic += x[j] * (whole[j] - left[j]);
    }
    for (int i = 0; i < count; ++i)
        largest = fmax(largest, fabs(s.terms->K[i] - S[i]));
    CHECK_NEAR(a, b, 1e-13);
    CHECK_NEAR(quadratic, 0, 1e-13);
    CHECK_NEAR(asymmetry, largest, 1e-15);
    tear_down(&s);
}

CHECK_MAIN(TEST(solutions_satisfy_the_equations), TEST(a_row_said_twice_is_singular),
           TEST(the_symmetric_part_is_symmetric))
