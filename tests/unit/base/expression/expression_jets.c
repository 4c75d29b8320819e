/* SPDX-License-Identifier: BSD-3-Clause */
/* First and second derivatives of expressions, against differences of high order along curves. */
#include "check.h"
#include "expression_scope.h"

static const double END = NAN;

/* x(s) = f + d s + dd s^2/2 for each variable. */
static double value_at(const HolExpression *f, const HolJet *curve, double s)
{
    double x[3];
    for (int i = 0; i < 3; i++)
        x[i] = curve[i].f + s * (curve[i].d + s * curve[i].dd / 2);
    return hol_expression_value(f, x);
}

/* Central differences of order 8. */
static HolJet differences(const HolExpression *f, const HolJet *curve, double h)
{
    static const double first[] = {0, 4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
    static const double second[] = {-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};
    HolJet jet = {value_at(f, curve, 0), 0, 0};
    jet.dd = second[0] * jet.f / (h * h);
    for (int k = 1; k <= 4; k++) {
        double after = value_at(f, curve, k * h), before = value_at(f, curve, -k * h);
        jet.d += first[k] * (after - before) / h;
        jet.dd += second[k] * (after + before) / (h * h);
    }
    return jet;
}

static void check_derivatives(const char *text, const HolExpression *f, const HolJet *curve)
{
    HolJet jet = hol_expression_jet(f, curve), other = differences(f, curve, 2e-3);
    double scale = 1 + fabs(jet.f) + fabs(jet.d) + fabs(jet.dd);
    CHECK_CONTEXT("%s at x = %g, y = %g", text, curve[0].f, curve[1].f);
    CHECK(jet.f == other.f);
    CHECK_NEAR(jet.d, other.d, 1e-11 * scale);
    CHECK_NEAR(jet.dd, other.dd, 2e-8 * scale);
}

static void functions_of_one_value(void)
{
    static const struct {
        const char *text;
        double at[8]; /* up to END */
    } cases[] = {
        {"x", {0, 1, END}},
        {"-x", {0, 1, END}},
        {"sin(x)", {-2, 0, 0.7, 5, END}},
        {"cos(x)", {-2, 0.3, 0.7, 5, END}},
        {"tan(x)", {-1, 0, 0.5, 2, END}},
        {"asin(x)", {-0.8, 0, 0.3, 0.9, END}},
        {"acos(x)", {-0.8, 0, 0.3, 0.9, END}},
        {"atan(x)", {-3, 0, 0.3, 10, END}},
        {"sinh(x)", {-2, 0, 1.5, END}},
        {"cosh(x)", {-2, 0.1, 1.5, END}},
        {"tanh(x)", {-2, 0, 1.5, END}},
        {"exp(x)", {-2, 0, 1.5, END}},
        {"log(x)", {0.5, 1, 20, END}},
        {"log10(x)", {0.5, 1, 20, END}},
        {"sqrt(x)", {0.5, 1, 20, END}},
        {"cbrt(x)", {-2, 0.5, 1, 20, END}},
        {"abs(x)", {-2, 3, END}},
        {"1/x", {-2, 0.5, 3, END}},
        {"2 - x", {-2, 3, END}},
        {"3*x*x", {-2, 0, 3, END}},
        {"x^2", {-2, 0, 3, END}},
        {"x^3", {-2, 0, 3, END}},
        {"x^4", {-2, 0, 3, END}},
        {"x^7", {-1.2, 0, 1.1, END}},
        {"x^-2", {-2, 3, END}},
        {"x^2.5", {0.5, 3, END}},
        {"x^zero + x", {-1, 0, 3, END}},
        {"x^1", {-1, 0, 3, END}},
        {"2^x", {-1, 0, 3, END}},
        {"x^x", {0.3, 1, 2, END}},
        {"floor(x) + x", {-1.5, 2.5, END}},
        {"ceil(x)*x", {-1.5, 2.5, END}},
        {"sign(x)*x^2", {-1.5, 2.5, END}},
        {"step(x)*x^2 + x", {-1.5, 2.5, END}},
        {"mod(x, 3)*x", {-1.5, 2.5, 7, END}},
        {"(x > 1)*x + x", {0, 2, END}},
        {"if(x > 1, sin(x), x^2)", {0, 2, END}},
        {"if(x > 1, log(x - 1), sqrt(1.5 - x))", {0, 2, END}},
        {"piecewise(x < 0, x^2, x < 1, sin(x), cos(x))", {-1, 0.5, 2, END}},
        {"table(x, 0, 0, 1, 2, 3, -1)*x", {-1, 0.5, 2, 5, END}},
        {"exp(-x^2)*sin(3*x)/(1 + x^2)", {-1, 0, 0.5, 2, END}},
    };
    HolArena *arena = hol_arena_create();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        HolExpression *f = scope_expression(cases[i].text, NULL, arena);
        REQUIRE(f != NULL);
        for (int k = 0; !isnan(cases[i].at[k]); k++) {
            const HolJet straight[] = {{cases[i].at[k], 1, 0}, {0, 0, 0}, {0, 0, 0}};
            const HolJet curved[] = {{cases[i].at[k], -1.3, 0.8}, {0, 0, 0}, {0, 0, 0}};
            check_derivatives(cases[i].text, f, straight);
            check_derivatives(cases[i].text, f, curved);
        }
    }
    hol_arena_destroy(arena);
}

static void functions_of_two_values(void)
{
    static const char *const texts[] = {
        "x + y",        "x - 2*y",     "x*y",         "x/y",           "x^y",
        "atan2(x, y)",  "hypot(x, y)", "min(x, y)",   "max(x, y)",     "max(x, 0, y)*min(x, 2, y)",
        "mod(x, y)",    "x*(x > y)+y", "sqrt(x^2*y)", "sin(x)*cos(y)", "if(x > y, x*y, x/y)",
        "log(x)/exp(y)"};
    static const HolJet points[][3] = {
        {{0.7, 1, 0}, {1.3, 0, 0}, {0, 0, 0}},          {{0.7, 0, 0}, {1.3, 1, 0}, {0, 0, 0}},
        {{0.7, 1.2, 0.5}, {1.3, -0.7, 0.9}, {0, 0, 0}}, {{2.9, -1, 0.5}, {1.3, 0.6, -0.9}, {0, 0, 0}},
        {{5.1, 0.4, -2}, {0.4, 0.2, 0.3}, {0, 0, 0}},
    };
    HolArena *arena = hol_arena_create();
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        HolExpression *f = scope_expression(texts[i], NULL, arena);
        REQUIRE(f != NULL);
        for (int k = 2; k < 5; k++)
            check_derivatives(texts[i], f, points[k]);
        HolJet along_x = hol_expression_jet(f, points[0]), along_y = hol_expression_jet(f, points[1]);
        CHECK_NEAR(along_x.d, differences(f, points[0], 2e-3).d, 1e-11);
        CHECK_NEAR(along_y.d, differences(f, points[1], 2e-3).d, 1e-11);
    }
    hol_arena_destroy(arena);
}

/* All quadrants, where a wrong sign would show. */
static void polar_functions_are_right_all_around(void)
{
    HolArena *arena = hol_arena_create();
    HolExpression *angle = scope_expression("atan2(x, y)", NULL, arena),
                  *r = scope_expression("hypot(x, y)", NULL, arena);
    REQUIRE(angle && r);
    for (int k = 0; k < 12; k++) {
        double phi = -2.9 + 0.52 * k;
        const HolJet curve[] = {{2 * sin(phi), 0.6, -0.4}, {2 * cos(phi), 0.3, 0.7}, {0, 0, 0}};
        check_derivatives("atan2(x, y)", angle, curve);
        check_derivatives("hypot(x, y)", r, curve);
    }
    hol_arena_destroy(arena);
}

/* Closed forms at kinks and where slopes are not finite. x = {f, d, dd}. */
static void derivatives_at_kinks_are_those_ahead(void)
{
    static const struct {
        const char *text;
        HolJet x, result;
    } cases[] = {
        {"abs(x)", {0, 1, 0}, {0, 1, 0}},
        {"abs(x)", {0, -1, 0}, {0, 1, 0}},
        {"abs(x)", {0, -2, 3}, {0, 2, -3}},
        {"abs(x)", {0, 0, -3}, {0, 0, 3}},
        {"max(x, 0)", {0, 1, 0}, {0, 1, 0}},
        {"max(x, 0)", {0, -1, 0}, {0, 0, 0}},
        {"max(0, x)", {0, 1, 0}, {0, 1, 0}},
        {"min(x, 0)", {0, 1, 0}, {0, 0, 0}},
        {"min(0, x)", {0, -1, 0}, {0, -1, 0}},
        {"max(0, x)", {0, 0, 5}, {0, 0, 5}},
        {"hypot(x, 0)", {0, -2, 0}, {0, 2, 0}},
        {"hypot(x, 2*x)", {0, 1, 0}, {0, 2.23606797749978969641, 0}},
        {"hypot(x, x^2)", {0, 1, 0}, {0, 1, 0}},
        {"hypot(3*x, 4*x + x^2)", {0, 1, 0}, {0, 5, 1.6}},
        {"hypot(3*x + x^2, 4*x)", {0, 1, 0}, {0, 5, 1.2}},
        {"hypot(3*x, 4*x)", {0, 0, -1}, {0, 0, 5}},
        {"step(x)*x", {0, 1, 0}, {0, 1, 0}},
        {"if(x < 0, 5*x, x^2)", {0, 1, 0}, {0, 0, 2}},
        {"table(x, 0, 0, 1, 2, 2, 3)", {1, 1, 0}, {2, 1, 0}},
        {"table(x, 0, 0, 1, 2, 2, 3)", {1, -1, 0}, {2, -2, 0}},
        {"table(x, 0, 0, 1, 2, 2, 3)", {1, 0, -1}, {2, 0, -2}},
        {"table(x, 0, 0, 1, 2, 2, 3)", {1, 0, 1}, {2, 0, 1}},
        {"table(x, 0, 0, 1, 2, 2, 3)", {0, 1, 0}, {0, 2, 0}},
        {"table(x, 0, 0, 1, 2, 2, 3)", {0, -1, 0}, {0, 0, 0}},
        {"table(x, 0, 0, 1, 2, 2, 3)", {2, 1, 0}, {3, 0, 0}},
        {"table(x, 0, 0, 1, 2, 2, 3)", {2, -1, 4}, {3, -1, 4}},
        {"x^2", {0, 1, 0}, {0, 0, 2}},
        {"x^2", {0, 3, 5}, {0, 0, 18}},
        {"x^3", {0, 1, 1}, {0, 0, 0}},
        {"x^1", {0, 2, 7}, {0, 2, 7}},
        {"x^0", {0, 1, 1}, {1, 0, 0}},
        {"0^x", {2, 1, 1}, {0, 0, 0}},
        {"sqrt(x)", {0, 0, 0}, {0, 0, 0}},
        {"sqrt(x)", {0, 1, 0}, {0, INFINITY, -INFINITY}},
        {"cbrt(x)", {0, 0, 0}, {0, 0, 0}},
        {"asin(x)", {1, 0, 0}, {1.57079632679489661923, 0, 0}},
        {"atan2(x, x)", {0, 0, 0}, {0, 0, 0}},
        {"floor(x)", {2, 1, 1}, {2, 0, 0}},
        {"x > 2", {2, 1, 1}, {0, 0, 0}},
        {"mod(x, 2)", {4, 1, 3}, {0, 1, 3}},
        {"tanh(x)", {1000, 1, 0}, {1, 0, 0}},
        {"if(x > 1, 1/(x - 1), x)", {1, 1, 0}, {1, 1, 0}},
        {"if(x > 1, x, log(x - 2))", {1.5, 1, 0}, {1.5, 1, 0}},
        {"piecewise(x < 0, sqrt(x), x < 1, x^2, sqrt(-x))", {0, 1, 0}, {0, 0, 2}},
    };
    HolArena *arena = hol_arena_create();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        HolExpression *f = scope_expression(cases[i].text, NULL, arena);
        HolJet expected = cases[i].result;
        REQUIRE(f != NULL);
        HolJet jet = hol_expression_jet(f, (HolJet[]){cases[i].x, {0, 0, 0}, {0, 0, 0}});
        CHECK_CONTEXT("%s at {%g, %g, %g}: {%.17g, %g, %g}", cases[i].text, cases[i].x.f, cases[i].x.d, cases[i].x.dd,
                      jet.f, jet.d, jet.dd);
        CHECK(jet.f == expected.f);
        CHECK(jet.d == expected.d || fabs(jet.d - expected.d) < 1e-15);
        CHECK(jet.dd == expected.dd || fabs(jet.dd - expected.dd) < 1e-15);
    }
    hol_arena_destroy(arena);
}

CHECK_MAIN(TEST(functions_of_one_value), TEST(functions_of_two_values), TEST(polar_functions_are_right_all_around),
           TEST(derivatives_at_kinks_are_those_ahead))
