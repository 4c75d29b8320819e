/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions given by points. */
#include "base/expression/expression.h"
#include "check.h"
#include "expression_scope.h"

#include <float.h>

static const double X[] = {-1, 0, 0.5, 2, 3.5, 4}, Y[] = {2, -1, 0.3, 1.7, 1.6, -2};
enum { POINTS = 6 };

static HolTable *make(HolArena *arena, int count, const double *x, const double *y, bool cubic)
{
    HolTable *table = NULL;
    HolMessage message = {""};
    HolStatus status = hol_table_create(arena, count, x, y, cubic, &table, &message);
    check_that(status == HOL_OK, __FILE__, __LINE__, "%s", message.text);
    return table;
}

static double value(const HolTable *table, double x)
{
    return hol_table_jet(table, (HolJet){x, 0, 0}).f;
}

static HolJet jet(const HolTable *table, double x)
{
    return hol_table_jet(table, (HolJet){x, 1, 0});
}

static void tables_go_through_their_points(void)
{
    HolArena *arena = hol_arena_create();
    for (int cubic = 0; cubic < 2; cubic++) {
        HolTable *table = make(arena, POINTS, X, Y, cubic);
        REQUIRE(table != NULL);
        for (int i = 0; i < POINTS; i++) {
            CHECK_CONTEXT("cubic %d, point %d", cubic, i);
            CHECK(value(table, X[i]) == Y[i]);
            CHECK_NEAR(value(table, X[i] - 1e-9), Y[i], 1e-7);
        }
    }
    hol_arena_destroy(arena);
}

static void lines_are_straight_and_level_outside(void)
{
    HolArena *arena = hol_arena_create();
    HolTable *table = make(arena, POINTS, X, Y, false);
    REQUIRE(table != NULL);
    CHECK_NEAR(value(table, -0.25), -0.25, 1e-15);
    CHECK_NEAR(value(table, 3.75), -0.2, 1e-15);
    CHECK_NEAR(jet(table, 3.75).d, -7.2, 1e-14);
    CHECK(value(table, -100) == 2 && jet(table, -100).d == 0);
    CHECK(value(table, 100) == -2 && jet(table, 100).d == 0 && jet(table, 4).d == 0);
    HolJet curved = hol_table_jet(table, (HolJet){3.75, 2, 3});
    CHECK_NEAR(curved.d, -14.4, 1e-14);
    CHECK_NEAR(curved.dd, -21.6, 1e-14);
    hol_arena_destroy(arena);
}

/* Slope and curvature are continuous, the curvature is zero at the ends and outside. */
static void splines_are_smooth(void)
{
    HolArena *arena = hol_arena_create();
    HolTable *table = make(arena, POINTS, X, Y, true);
    REQUIRE(table != NULL);
    for (int i = 0; i < POINTS; i++) {
        CHECK_CONTEXT("point %d", i);
        HolJet before = hol_table_jet(table, (HolJet){X[i], -1, 0}), after = hol_table_jet(table, (HolJet){X[i], 1, 0});
        CHECK_NEAR(-before.d, after.d, 1e-13);
        CHECK_NEAR(before.dd, after.dd, 1e-12);
    }
    CHECK_NEAR(jet(table, -1).dd, 0, 1e-12);
    CHECK_NEAR(jet(table, 4).dd, 0, 1e-12);
    HolJet left = jet(table, -3), right = jet(table, 7);
    CHECK(left.dd == 0 && right.dd == 0 && left.d == jet(table, -1).d);
    CHECK_NEAR(left.f, 2 - 2 * left.d, 1e-13);
    CHECK_NEAR(right.f, -2 + 3 * right.d, 1e-12);
    hol_arena_destroy(arena);
}

/* The natural spline through (0, 0), (1, 1), (2, 0) is 1.5 x - x^3/2 on [0, 1]; two points give a line. */
static void splines_have_their_closed_form(void)
{
    HolArena *arena = hol_arena_create();
    HolTable *table = make(arena, 3, (double[]){0, 1, 2}, (double[]){0, 1, 0}, true);
    HolTable *line = make(arena, 2, (double[]){1, 3}, (double[]){5, 6}, true);
    REQUIRE(table && line);
    for (double x = 0; x <= 1; x += 0.125) {
        CHECK_NEAR(value(table, x), 1.5 * x - x * x * x / 2, 1e-15);
        CHECK_NEAR(value(table, 2 - x), 1.5 * x - x * x * x / 2, 1e-15);
        CHECK_NEAR(jet(table, x).d, 1.5 - 1.5 * x * x, 1e-15);
        CHECK_NEAR(jet(table, x).dd, -3 * x, 1e-15);
    }
    CHECK_NEAR(value(line, 0), 4.5, 1e-15);
    CHECK_NEAR(value(line, 7), 8, 1e-15);
    hol_arena_destroy(arena);
}

/* Sine at many points: the error of the value falls with the fourth power. */
static void splines_converge(void)
{
    double error[2];
    HolArena *arena = hol_arena_create();
    for (int k = 0; k < 2; k++) {
        double x[81], y[81];
        int count = k == 0 ? 41 : 81;
        for (int i = 0; i < count; i++) {
            x[i] = 6.28318530717958647693 * i / (count - 1);
            y[i] = sin(x[i]);
        }
        HolTable *table = make(arena, count, x, y, true);
        REQUIRE(table != NULL);
        error[k] = 0;
        for (double at = 0.001; at < 6.28; at += 0.013)
            error[k] = fmax(error[k], fabs(value(table, at) - sin(at)));
    }
    CHECK(error[0] < 5e-6 && error[1] < error[0] / 14);
    hol_arena_destroy(arena);
}

/* Simpson's rule is exact for cubics between points. */
static double simpson(const HolTable *table, double a, double b)
{
    return (b - a) / 6 * (value(table, a) + 4 * value(table, (a + b) / 2) + value(table, b));
}

static void integrals_are_exact(void)
{
    HolArena *arena = hol_arena_create();
    for (int cubic = 0; cubic < 2; cubic++) {
        HolTable *table = make(arena, POINTS, X, Y, cubic);
        REQUIRE(table != NULL);
        double sum = 0;
        for (int i = 0; i + 1 < POINTS; i++) {
            double middle = 0.3 * X[i] + 0.7 * X[i + 1];
            CHECK_CONTEXT("cubic %d, piece %d", cubic, i);
            CHECK_NEAR(hol_table_integral(table, X[i]), sum, 1e-14);
            CHECK_NEAR(hol_table_integral(table, middle), sum + simpson(table, X[i], middle), 1e-14);
            sum += simpson(table, X[i], X[i + 1]);
        }
        CHECK_NEAR(hol_table_integral(table, 4), sum, 1e-14);
        CHECK_NEAR(hol_table_integral(table, 9), sum + simpson(table, 4, 9), 1e-13);
        CHECK_NEAR(hol_table_integral(table, -4), simpson(table, -1, -4), 1e-13);
    }
    hol_arena_destroy(arena);
}

static void bad_points_are_refused(void)
{
    static const struct {
        int count;
        double x[3], y[3];
        const char *sentence;
    } cases[] = {
        {1, {0}, {0}, "a table needs at least 2 points, not 1"},
        {0, {0}, {0}, "a table needs at least 2 points, not 0"},
        {3, {0, 2, 1}, {0, 0, 0}, "the points of a table must ascend, but 1 comes after 2"},
        {3, {0, 1, 1}, {0, 0, 0}, "the points of a table must ascend, but 1 comes after 1"},
        {2, {0, 1}, {NAN, 0}, "point 1 of the table is not finite"},
        {2, {0, NAN}, {0, 0}, "point 2 of the table is not finite"},
        {2, {0, INFINITY}, {0, 0}, "point 2 of the table is not finite"},
        {3, {0, 1, 2}, {0, -INFINITY, 0}, "point 2 of the table is not finite"},
        {2, {0, 1e-308}, {0, 1e308}, "the table is too steep or too large to compute with"},
        {2, {-1e308, 1e308}, {0, 0}, "the table is too steep or too large to compute with"},
    };
    HolArena *arena = hol_arena_create();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int cubic = 0; cubic < 2; cubic++) {
            HolTable *table = NULL;
            HolMessage message = {""};
            CHECK_STATUS(hol_table_create(arena, cases[i].count, cases[i].x, cases[i].y, cubic, &table, &message),
                         HOL_BAD_INPUT);
            CHECK_CONTAINS(message.text, cases[i].sentence);
            CHECK(table == NULL);
        }
    }
    hol_arena_destroy(arena);
}

/* A table of the model in an expression. */
static void named_tables_are_called(void)
{
    HolArena *arena = hol_arena_create();
    HolTable *road = make(arena, POINTS, X, Y, true);
    REQUIRE(road != NULL);
    HolExpression *f = scope_expression("2*road(x^2) + 1", road, arena);
    REQUIRE(f != NULL);
    HolJet along = hol_expression_jet(f, (HolJet[]){{1.2, 1, 0}, {0, 0, 0}, {0, 0, 0}}), r = jet(road, 1.44);
    CHECK_NEAR(along.f, 2 * r.f + 1, 1e-15);
    CHECK_NEAR(along.d, 2 * r.d * 2.4, 1e-14);
    CHECK_NEAR(along.dd, 2 * (r.dd * 2.4 * 2.4 + r.d * 2), 1e-13);
    CHECK_NEAR(hol_expression_value(f, (double[]){1.2, 0, 0}), along.f, 0);
    CHECK_EQUAL_INT(hol_expression_dimension(f).state, HOL_FREE);
    f = scope_expression("road(2 + 1)", road, arena);
    CHECK(f && hol_expression_is_constant(f) && hol_expression_value(f, NULL) == value(road, 3));
    hol_arena_destroy(arena);
}

CHECK_MAIN(TEST(tables_go_through_their_points), TEST(lines_are_straight_and_level_outside), TEST(splines_are_smooth),
           TEST(splines_have_their_closed_form), TEST(splines_converge), TEST(integrals_are_exact),
           TEST(bad_points_are_refused), TEST(named_tables_are_called))
