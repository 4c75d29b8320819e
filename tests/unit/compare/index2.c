/* SPDX-License-Identifier: BSD-3-Clause */
/* The equations that IDA solves: their Jacobian column by column, and the rows that take part. */
#include "index2.h"

#include <holon/mechanism.h>

#include "check.h"
#include "independent_rows.h"

#include <string.h>

static HolModel *parse(const char *text, HolMechanism **mechanism)
{
    HolModel *model = hol_model_create();
    CHECK_OK(hol_model_parse(model, text, "test.yaml"));
    CHECK_OK(hol_mechanism_create(model, mechanism));
    for (int i = 0; i < hol_model_error_count(model); ++i)
        printf("    %s\n", hol_model_error(model, i));
    CHECK_OK(hol_mechanism_assemble(*mechanism, NULL));
    return model;
}

enum { MOST = 400 };

/* An arbitrary point near the initial state, so that no derivative is zero by accident; but mu is zero, as in the
 * solution. */
static void shake(const HolIndex2 *e, const HolMechanism *mechanism, double *y, double *ydot)
{
    HolInitialState start = hol_mechanism_initial_state(mechanism);
    for (int i = 0; i < e->n; ++i) {
        int v = i - e->pattern->nq;
        double initial = v < 0 ? start.q[i] : v < e->pattern->nv ? start.v[v] : 0;
        y[i] = initial + 0.01 * sin(1 + 2.7 * i);
        ydot[i] = sin(2 + 1.3 * i);
        e->scale[i] = 1;
    }
    for (int i = 0; i < e->pattern->nh; ++i)
        if (e->mu[i] >= 0)
            y[e->mu[i]] = 0;
}

/* Column by column, by central differences of the residual with other increments. */
static void check_columns(HolIndex2 *e, const double *y, const double *ydot, const double *values, double c)
{
    static double x[MOST], xdot[MOST], plus[MOST], minus[MOST], column[MOST];
    const double d = 1e-5;
    for (int j = 0; j < e->n; ++j) {
        double size = 0, error = 0, force = 0;
        memcpy(x, y, (size_t)e->n * sizeof *x);
        memcpy(xdot, ydot, (size_t)e->n * sizeof *x);
        x[j] += d, xdot[j] += c * d;
        CHECK_OK(hol_index2_residual(e, 0.01, x, xdot, plus));
        x[j] -= 2 * d, xdot[j] -= 2 * c * d;
        CHECK_OK(hol_index2_residual(e, 0.01, x, xdot, minus));
        memset(column, 0, sizeof column);
        for (int k = e->start[j]; k < e->start[j + 1]; ++k)
            column[e->row[k]] += values[k];
        for (int i = 0; i < e->n; ++i) {
            size = fmax(size, fabs(column[i]));
            force = fmax(force, fabs(plus[i]));
            error = fmax(error, fabs(column[i] - (plus[i] - minus[i]) / (2 * d)));
        }
        CHECK_CONTEXT("%s, column %d", hol_system_name(e->system), j);
        CHECK_NEAR(error, 0, 1e-4 * (size + 1) + 1e-7 * force); /* of which 1e-15 / 1e-8 is rounding */
    }
}

static void check_jacobian(const char *name, const char *coordinates)
{
    static double y[MOST], ydot[MOST], values[MOST * MOST];
    HolMechanism *mechanism = NULL;
    HolModel *model = hol_model_create();
    HolPool pool = {NULL};
    HolTerms *terms;
    HolIndex2 e;
    CHECK_OK(hol_model_load(model, name));
    CHECK_OK(hol_model_set(model, "run.coordinates", "%s", coordinates));
    CHECK_OK(hol_mechanism_create(model, &mechanism));
    CHECK_OK(hol_mechanism_assemble(mechanism, NULL));
    CHECK_OK(hol_terms_create(hol_mechanism_system(mechanism), &terms));
    HolInitialState start = hol_mechanism_initial_state(mechanism);
    HolPoint at = {start.t, start.q, start.v};
    CHECK_CONTEXT("%s %s", name, coordinates);
    CHECK_OK(hol_index2_create(&pool, hol_mechanism_system(mechanism), terms, &at, &e));
    if (CHECK(e.n <= MOST)) {
        shake(&e, mechanism, y, ydot);
        CHECK_OK(hol_index2_jacobian(&e, 0.01, 50, y, ydot, values));
        check_columns(&e, y, ydot, values, 50);
        CHECK(e.colours < e.n);
    }
    hol_pool_clear(&pool);
    hol_terms_destroy(terms);
    hol_mechanism_destroy(mechanism);
    hol_model_destroy(model);
}

static void columns_of_the_jacobian(void)
{
    check_jacobian("five-bar-pendulum", "reference-point");
    check_jacobian("bricard", "reference-point");
    check_jacobian("bricard", "natural");
    check_jacobian("stewart-platform", "reference-point");
    check_jacobian("bicycle", "reference-point");
    check_jacobian("snakeboard", "reference-point");
    check_jacobian("governor", "reference-point");
    check_jacobian("double-pendulum", "natural");
}

/* Two pins at one place take away two degrees of freedom, not four; a knife edge along a slide nothing more. */
static void rows_that_depend_on_others(void)
{
    static const char text[] =
        "plane: xy\n"
        "bodies: {a: {bar: [[0, 0], [1, 0]], mass: 1}, b: {rigid: [3, 0], mass: 1, inertia: 1}}\n"
        "joints: {p: {revolute: [ground, a], at: [0, 0]},\n"
        "         q: {revolute: [ground, a], at: [0, 0]},\n"
        "         s: {prismatic: [ground, b], at: [3, 0], axis: x},\n"
        "         k: {knife-edge: [ground, b], at: [3, 0], along: x}}\n";
    HolMechanism *mechanism = NULL;
    HolModel *model = parse(text, &mechanism);
    HolTerms *terms;
    HolPool pool = {NULL};
    bool chosen[8];
    CHECK_OK(hol_terms_create(hol_mechanism_system(mechanism), &terms));
    HolInitialState start = hol_mechanism_initial_state(mechanism);
    HolPoint at = {start.t, start.q, start.v};
    CHECK_OK(hol_system_evaluate(hol_mechanism_system(mechanism), &at, HOL_WANT_ALL, terms));
    if (CHECK_EQUAL_INT(terms->pattern->m, 7)) {
        CHECK_OK(hol_independent_rows(&pool, terms, chosen));
        CHECK_EQUAL_INT(chosen[0] + chosen[2], 1);
        CHECK_EQUAL_INT(chosen[1] + chosen[3], 1);
        CHECK(chosen[4] && chosen[5] && !chosen[6]);
    }
    hol_pool_clear(&pool);
    hol_terms_destroy(terms);
    hol_mechanism_destroy(mechanism);
    hol_model_destroy(model);
}

CHECK_MAIN(TEST(columns_of_the_jacobian), TEST(rows_that_depend_on_others))
