/* SPDX-License-Identifier: BSD-3-Clause */
/* The smallest singular value of D by iteration against LAPACK's. */
#include "linalg/rank/smallest_singular.h"

#include <holon/mechanism.h>

#include "base/arena.h"
#include "check.h"
#include "linalg/block/blocks.h"
#include "linalg/rank/independent_rows.h"
#include "singular_values.h"

#include <stdlib.h>

/* LAPACK's of all rows, each divided by its size, but for as many of the smallest as rows are redundant. */
static double expected(const HolPattern *p, const double *D, int redundant, double *next)
{
    size_t m = (size_t)p->m, nv = (size_t)p->nv;
    double *dense = calloc(m * nv, sizeof *dense), *size = calloc(m, sizeof *size), *sigma = calloc(m, sizeof *sigma);
    int kept = p->m - redundant;
    hol_jacobian_dense_scaled(p, D, dense, size);
    CHECK_OK(singular_values(p->m, p->nv, dense, sigma));
    double least = sigma[kept - 1];
    *next = sigma[kept - 2];
    free(dense);
    free(size);
    free(sigma);
    return least;
}

typedef struct Look {
    const HolPattern *pattern;
    const HolSystem *system;
    HolTerms *terms;
    HolRowChoice *rows;
    HolSmallest *smallest;
    unsigned char *left_out;
    int redundant;
    double relative; /* tolerance, where sigma is above rounding */
    double least;    /* sigma seen */
    int most;        /* iterations seen */
} Look;

static HolStatus look(void *user, const HolState *state, const HolMeasures *measures)
{
    Look *l = user;
    (void)measures;
    HolPoint at = {.t = state->t, .q = state->q, .v = state->v};
    CHECK_OK(hol_system_evaluate(l->system, &at, HOL_WANT_JACOBIAN, l->terms));
    double sigma = hol_smallest_singular(l->smallest, l->terms->D, l->left_out);
    double next, lapack = expected(l->pattern, l->terms->D, l->redundant, &next);
    CHECK_NEAR(sigma, lapack, l->relative * lapack + 1e-14);
    CHECK_NEAR(hol_next_singular(l->smallest, l->terms->D), next, l->relative * next);
    l->least = fmin(l->least, sigma);
    l->most = l->smallest->iterations > l->most ? l->smallest->iterations : l->most;
    return HOL_OK;
}

static Look look_along(const char *name, const char *loops, double step, double until)
{
    HolMessage message = {{0}};
    HolModel *model = hol_model_create();
    HolMechanism *mechanism;
    HolSimulation *simulation;
    HolArena *arena = hol_arena_create();
    CHECK_OK(hol_model_load(model, name));
    if (loops)
        CHECK_OK(hol_model_set(model, "parameters.N", "%s", loops));
    CHECK_OK(hol_mechanism_create(model, &mechanism));
    hol_model_destroy(model);
    CHECK_OK(hol_mechanism_assemble(mechanism, &message));
    HolInitialState start = hol_mechanism_initial_state(mechanism);
    HolSimulationOptions options = hol_mechanism_options(mechanism);
    options.step = step;
    Look l = {.system = hol_mechanism_system(mechanism), .relative = 1e-9, .least = HUGE_VAL};
    CHECK_OK(hol_simulation_create(l.system, &start, &options, &simulation, &message));
    l.pattern = hol_system_pattern(l.system);
    l.left_out = hol_arena_alloc(arena, (size_t)l.pattern->m);
    CHECK_OK(hol_terms_create(l.system, &l.terms));
    CHECK_OK(hol_rows_create(arena, l.pattern, &l.rows));
    HolPoint at = {.t = start.t, .q = start.q, .v = start.v};
    CHECK_OK(hol_system_evaluate(l.system, &at, HOL_WANT_JACOBIAN, l.terms));
    CHECK_OK(hol_rows_choose(l.rows, l.terms->D, 1e-9, l.left_out, &l.redundant));
    CHECK_OK(hol_smallest_create(arena, l.pattern, hol_rows_solver(l.rows), l.redundant, &l.smallest));
    CHECK_OK(hol_simulation_run(simulation, &(HolRun){.until = until, .record = look, .user = &l}));
    hol_terms_destroy(l.terms);
    hol_simulation_destroy(simulation);
    hol_mechanism_destroy(mechanism);
    hol_arena_destroy(arena);
    return l;
}

static void agrees_with_lapack_along_motions(void)
{
    static const char *const names[] = {"four-bar", "bricard", "spatial-slider-crank", "five-bar-pendulum",
                                        "spatial-parallelogram"};
    for (int i = 0; i < 5; ++i) {
        CHECK_CONTEXT("%s", names[i]);
        Look l = look_along(names[i], NULL, 0.01, 0.3);
        CHECK(l.most < 100);
    }
}

/* Of a chain many singular values are next to each other. */
static void agrees_with_lapack_near_singular_configurations(void)
{
    Look l = look_along("slider-crank", NULL, 1e-3, 0.5);
    CHECK(l.least < 3e-3);
    l = look_along("n-four-bar", "10", 1e-2, 1.3);
    CHECK(l.least < 3e-2);
    CHECK(l.most < 300);
    l = look_along("n-four-bar", "40", 2e-2, 0.3);
    CHECK(l.most < 300);
}

/* Two rows of a plane that span less and less, down to the same one. */
static HolStatus evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    double e = *(const double *)self;
    (void)at;
    if (want & HOL_WANT_MASS)
        for (int i = 0; i < 9; i += 4)
            terms->M[i] = 1;
    const double D[9] = {2, 0, 0, 1, e, 0, 0, 0, 3};
    if (want & HOL_WANT_JACOBIAN)
        memcpy(terms->D, D, sizeof D);
    return HOL_OK;
}

static void keeps_its_digits_down_to_rounding(void)
{
    static const HolSystemOps ops = {.evaluate = evaluate};
    for (int i = 0; i <= 16; ++i) {
        double e = i == 16 ? 0 : pow(10, -i);
        CHECK_CONTEXT("e = %g", e);
        HolMessage message = {{0}};
        HolSystemSpec spec = hol_system_spec();
        HolSystem *system;
        HolTerms *terms;
        HolSmallest *smallest;
        HolSchur *schur;
        HolArena *arena = hol_arena_create();
        spec.name = "rows";
        spec.ops = &ops;
        spec.self = &e;
        spec.nq = spec.nv = spec.nh = 3;
        CHECK_OK(hol_system_create(&spec, &system, &message));
        CHECK_OK(hol_terms_create(system, &terms));
        const double zero[3] = {0};
        CHECK_OK(hol_system_evaluate(system, &(HolPoint){0, zero, zero}, HOL_WANT_MASS | HOL_WANT_JACOBIAN, terms));
        CHECK_OK(hol_schur_create(arena, hol_system_pattern(system), true, &schur));
        CHECK_OK(hol_smallest_create(arena, hol_system_pattern(system), schur, 0, &smallest));
        double sigma = hol_smallest_singular(smallest, terms->D, NULL);
        /* of [1 0; 1 e] */
        double exact = e * sqrt(2 / (2 + e * e + sqrt((2 + e * e) * (2 + e * e) - 4 * e * e)));
        CHECK_NEAR(sigma, exact, 1e-9 * exact + 2e-16);
        hol_terms_destroy(terms);
        hol_system_destroy(system);
        hol_arena_destroy(arena);
    }
}

CHECK_MAIN(TEST(agrees_with_lapack_along_motions), TEST(agrees_with_lapack_near_singular_configurations),
           TEST(keeps_its_digits_down_to_rounding))
