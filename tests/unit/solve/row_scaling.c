/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows scaled by a triangle L of W = L L^T: the products that follow are those of W itself. */
#include "solve/row_scaling.h"

#include "check.h"
#include "system_of.h"

/* Three groups of 2, 1 and 2 rows on blocks of 2 and 1 velocities, the last group on both. */
enum { NV = 3, M = 5, D_SIZE = 4 + 1 + 6 };

static HolStatus evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    (void)self, (void)at, (void)want;
    for (int i = 0; i < D_SIZE; i++)
        terms->D[i] = 1 + i * i % 7;
    return HOL_OK;
}

static HolSystem *rows_create(void)
{
    static const HolSystemOps ops = {.evaluate = evaluate};
    static const int blocks[] = {2, 1}, groups[] = {2, 1, 2};
    static const HolPair pairs[] = {{0, 0}, {1, 1}, {2, 0}, {2, 1}};
    HolSystemSpec spec = hol_system_spec();
    spec.ops = &ops;
    spec.nq = spec.nv = NV;
    spec.nh = M;
    spec.block_count = 2;
    spec.block_sizes = blocks;
    spec.group_count = 3;
    spec.group_sizes = groups;
    spec.pair_count = 4;
    spec.pairs = pairs;
    return system_of(&spec);
}

static const double stiffness[] = {4, 1, 1, 3, 9, 2, -1, -1, 5};
static const double whole[M][M] = {{4, 1}, {1, 3}, {0, 0, 9}, {0, 0, 0, 2, -1}, {0, 0, 0, -1, 5}};

/* W x, of the stiffness or of the weights */
static void times_whole(const double *weights, const double *x, double *y)
{
    for (int i = 0; i < M; i++) {
        y[i] = weights ? weights[i] * x[i] : 0;
        for (int j = 0; j < M && !weights; j++)
            y[i] += whole[i][j] * x[j];
    }
}

static void check_scaling(const double *weights)
{
    static const double zeros[NV];
    HolSystem *system = rows_create();
    HolArena *arena = hol_arena_create();
    HolTerms *terms = NULL;
    HolRowScaling *scaling = NULL;
    HolSetup setup = {.system = system, .arena = arena, .row_weights = weights};
    setup.row_stiffness = weights ? NULL : stiffness;
    REQUIRE_OK(hol_row_scaling_create(&setup, &scaling));
    REQUIRE_OK(hol_terms_create(system, &terms));
    REQUIRE_OK(hol_system_evaluate(system, &(HolPoint){.q = zeros, .v = zeros}, HOL_WANT_JACOBIAN, terms));
    const double c[M] = {1, -2, 3, 0.5, 4};
    double scaled[M], lambda[M], expected[M], D[D_SIZE];
    hol_scale_rows(scaling, c, scaled);
    hol_unscale_multipliers(scaling, scaled, lambda);
    times_whole(weights, c, expected);
    for (int i = 0; i < M; i++)
        CHECK_NEAR(lambda[i], expected[i], 1e-14); /* L L^T c = W c */
    hol_scale_jacobian(scaling, terms->D, D);
    for (int k = 0; k < 2; k++) { /* a column of D, as far as it is of the first group, scaled by itself */
        const double column[M] = {terms->D[k], terms->D[2 + k]};
        hol_scale_rows(scaling, column, scaled);
        CHECK_NEAR(D[k], scaled[0], 1e-15);
        CHECK_NEAR(D[2 + k], scaled[1], 1e-15);
    }
    const double last[M] = {0, 0, 0, terms->D[9], terms->D[10]};
    hol_scale_rows(scaling, last, scaled);
    CHECK_NEAR(D[9], scaled[3], 1e-15);
    CHECK_NEAR(D[10], scaled[4], 1e-15);
    hol_terms_destroy(terms);
    hol_arena_destroy(arena);
    hol_system_destroy(system);
}

static void products_are_those_of_the_stiffness(void)
{
    static const double weights[M] = {1, 2, 3, 4, 5};
    check_scaling(NULL);
    check_scaling(weights);
}

static void without_weights_nothing_changes(void)
{
    HolSystem *system = rows_create();
    HolArena *arena = hol_arena_create();
    HolRowScaling *scaling = NULL;
    const double c[M] = {1, -2, 3, 0.5, 4};
    double scaled[M];
    REQUIRE_OK(hol_row_scaling_create(&(HolSetup){.system = system, .arena = arena}, &scaling));
    hol_scale_rows(scaling, c, scaled);
    CHECK(memcmp(scaled, c, sizeof c) == 0);
    hol_arena_destroy(arena);
    hol_system_destroy(system);
}

static void a_stiffness_that_is_none_is_named(void)
{
    HolSystem *system = rows_create();
    HolArena *arena = hol_arena_create();
    HolRowScaling *scaling = NULL;
    HolMessage message = {""};
    for (size_t i = 0; i < sizeof stiffness / sizeof *stiffness; i++) {
        double wrong[sizeof stiffness / sizeof *stiffness];
        memcpy(wrong, stiffness, sizeof wrong);
        wrong[i] = i % 2 ? NAN : -3;
        HolSetup setup = {.system = system, .arena = arena, .row_stiffness = wrong, .message = &message};
        CHECK_CONTEXT("number %d wrong", (int)i);
        CHECK_STATUS(hol_row_scaling_create(&setup, &scaling), HOL_BAD_INPUT);
        CHECK_CONTAINS(message.text, hol_system_group_name(system, i < 4 ? 0 : i < 5 ? 1 : 2));
    }
    hol_arena_destroy(arena);
    hol_system_destroy(system);
}

CHECK_MAIN(TEST(products_are_those_of_the_stiffness), TEST(without_weights_nothing_changes),
           TEST(a_stiffness_that_is_none_is_named))
