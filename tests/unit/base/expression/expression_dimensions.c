/* SPDX-License-Identifier: BSD-3-Clause */
/* Dimensions followed through expressions. */
#include "check.h"
#include "expression_scope.h"

/* "" pure, "?" free, else the unit */
static const struct {
    const char *text, *unit;
} results[] = {
    {"2", ""},
    {"2*3 + pi", ""},
    {"2 m", "m"},
    {"3 m*2", "m"},
    {"2*3 m", "m"},
    {"2 m*3 m", "m^2"},
    {"6 m/2 s", "m/s"},
    {"5 N/(2 mm)", "N/m"},
    {"1 kg*m/s^2", "N"},
    {"1 rpm", "rad/s"},
    {"1 rev/s", "rad/s"},
    {"1 Hz", "1/s"},
    {"1 J", "N*m"},
    {"1 Pa", "N/m^2"},
    {"1 bar", "N/m^2"},
    {"1 W", "N*m/s"},
    {"1 lbf", "N"},
    {"1 slug*ft/s^2", "N"},
    {"1 psi", "N/m^2"},
    {"1 N/(mm/s)", "N*s/m"},
    {"1 N/(mm/s)^2", "N*s^2/m^2"},
    {"-(2 m)", "m"},
    {"1 m/m", "1"},
    {"width/1 m", "1"},
    {"2 m + 3 mm", "m"},
    {"2 m + 1", "m"},
    {"1 - 2 m", "m"},
    {"2 m + length", "m"},
    {"length + 2 m", "m"},
    {"length + 1", "?"},
    {"length*2 m", "?"},
    {"length*2", "?"},
    {"2 m/length", "?"},
    {"width", "m"},
    {"width*2 N", "N*m"},
    {"width*load + 3 J", "N*m"},
    {"(2 m)^2", "m^2"},
    {"(2 m)^-2", "1/m^2"},
    {"(2 m)^0", "1"},
    {"(4 m^2)^0.5", "m"},
    {"(4 m)^0.5", "?"},
    {"(2 m)^length", "m^2"},
    {"2^length", ""},
    {"length^2", "?"},
    {"sqrt(4 m^2)", "m"},
    {"sqrt(4 m)", "?"},
    {"sqrt(4)", ""},
    {"sqrt(9 N/m/(1 kg))", "1/s"},
    {"cbrt(8 m^3)", "m"},
    {"cbrt(8 m^2)", "?"},
    {"sin(30 deg)", ""},
    {"sin(angle)", ""},
    {"sin(0.5)", ""},
    {"sin(length)", ""},
    {"sin(width/(2 m))", ""},
    {"exp(0.3*180 deg)", ""},
    {"asin(0.5)", ""},
    {"atan2(1 m, 2 mm)", ""},
    {"abs(-2 m)", "m"},
    {"floor(2 m)", "m"},
    {"sign(-2 m)", ""},
    {"step(2 m)", ""},
    {"min(2 m, 3 mm, 1)", "m"},
    {"max(length, 3 mm)", "m"},
    {"hypot(3 m, 4 m)", "m"},
    {"mod(7 s, 2 s)", "s"},
    {"2 m < 3 mm", ""},
    {"2 m < 3 mm and 1 kg > 2", ""},
    {"if(1 s > 0, 2 m, 3 mm)", "m"},
    {"if(1, 2, 3 mm)", "m"},
    {"if(0, 2 m, 3)", "m"},
    {"piecewise(0, 1 kg, 0, 2, 3)", "kg"},
    {"table(1 s, 0, 0, 2 s, 3 m)", "m"},
    {"table(1, 0, 0, 2, 3)", ""},
    {"piecewise(1, 1 m, 2 s, 2 mm, 3)", "m"},
    {"0.1 m*30 deg + 1 m", "m"},
    {"1 m + 0.1 m*30 deg", "m"},
    {"2 m*60 rpm - 1 m/s", "m/s"},
};

static HolDimension expected_dimension(const char *unit)
{
    if (unit[0] == '\0')
        return (HolDimension){.state = HOL_PURE};
    if (unit[0] == '?')
        return (HolDimension){.state = HOL_FREE};
    return hol_dimension_of(unit);
}

static void check_same(HolDimension a, HolDimension b)
{
    CHECK_EQUAL_INT(a.state, b.state);
    if (b.state != HOL_KNOWN)
        return;
    CHECK_EQUAL_INT(a.length, b.length);
    CHECK_EQUAL_INT(a.mass, b.mass);
    CHECK_EQUAL_INT(a.time, b.time);
    CHECK_EQUAL_INT(a.angle, b.angle);
}

static void dimensions_follow_the_rules(void)
{
    HolArena *arena = hol_arena_create();
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        HolDimension dimension;
        CHECK_CONTEXT("%s", results[i].text);
        scope_number(results[i].text, &dimension);
        check_same(dimension, expected_dimension(results[i].unit));
        HolExpression *f = scope_expression(results[i].text, NULL, arena);
        REQUIRE(f != NULL);
        check_same(hol_expression_dimension(f), dimension);
    }
    hol_arena_destroy(arena);
}

static void variables_are_free(void)
{
    HolArena *arena = hol_arena_create();
    HolExpression *f = scope_expression("2 m*t", NULL, arena), *g = scope_expression("2 m*sin(t)", NULL, arena);
    HolExpression *h = scope_expression("(2 m)^t", NULL, arena);
    REQUIRE(f && g && h);
    CHECK_EQUAL_INT(hol_expression_dimension(f).state, HOL_FREE);
    CHECK_EQUAL_INT(hol_expression_dimension(h).state, HOL_FREE);
    check_same(hol_expression_dimension(g), hol_dimension_of("m"));
    hol_arena_destroy(arena);
}

static void mixtures_are_refused(void)
{
    static const struct {
        const char *text;
        int offset;
        const char *sentence;
    } cases[] = {
        {"1 m + 2 kg", 4, "cannot add m and kg"},
        {"1 m - 2 kg", 4, "cannot subtract kg from m"},
        {"width + load", 6, "cannot add m and N"},
        {"1 m < 2 s", 4, "cannot compare m and s"},
        {"1 m == 2 s", 4, "cannot compare m and s"},
        {"1 m != 2 s", 4, "cannot compare m and s"},
        {"1 rad/s + 1 Hz", 8, "cannot add rad/s and Hz"},
        {"1 rad + 1 m/m", 6, "cannot add rad and a pure number"},
        {"5 N*m + 3 N*m/rad", 6, "cannot add N*m and N*m/rad"},
        {"min(1 m, 2, 2 s)", 0, "'min' cannot mix m and s"},
        {"hypot(1 m, 2 s)", 0, "'hypot' cannot mix m and s"},
        {"atan2(1 m, 2 s)", 0, "'atan2' cannot mix m and s"},
        {"mod(1 m, 2 s)", 0, "'mod' cannot mix m and s"},
        {"if(1, 1 m, 2 s)", 11, "'if' cannot mix m and s"},
        {"piecewise(1, 1 m, 0, 2, 3 kg*s)", 24, "'piecewise' cannot mix m and kg*s"},
        {"piecewise(1, 1 m, 0, 2 s, 3)", 21, "'piecewise' cannot mix m and s"},
        {"table(1 m, 0, 0, 1 s, 1)", 17, "'table' cannot mix m and s"},
        {"table(1, 0, 1 m, 1, 1 s)", 20, "'table' cannot mix m and s"},
        {"sin(2 m)", 4, "'sin' takes an angle or a pure number, not m"},
        {"2*cos(1 + 2 rpm)", 6, "'cos' takes an angle or a pure number, not rad/s"},
        {"exp(2 m^2/s)", 4, "'exp' takes an angle or a pure number, not m^2/s"},
        {"asin(30 deg)", 5, "'asin' takes a pure number, not rad"},
        {"2^(3 m)", 1, "an exponent must be a pure number, not m"},
        {"2^3 m", 1, "an exponent must be a pure number, not m"},
        {"(1 m^9)^99", 7, "the powers of the unit become too high"},
        {"(1 m^9)^9*1 m^9*1 m^9*1 m", 21, "the powers of the unit become too high"},
        {"1 m^9*m^9*m^9*m^9*m^9*m^9*m^9*m^9*m^9*m^9*m^9*m", 46, "the powers of the unit become too high"},
    };
    HolSymbols symbols = scope_symbols(NULL);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        HolExpressionError error = {-1, {""}};
        HolDimension dimension;
        double value;
        CHECK_CONTEXT("%s", cases[i].text);
        CHECK_STATUS(hol_number_parse(cases[i].text, &symbols, &value, &dimension, &error), HOL_BAD_INPUT);
        CHECK_STRING(error.message.text, cases[i].sentence);
        CHECK_EQUAL_INT(error.offset, cases[i].offset);
    }
}

static void values_fit_or_do_not(void)
{
    static const struct {
        const char *value, *wanted;
        bool fits;
    } cases[] = {
        {"m", "m", true},
        {"m", "kg", false},
        {"m", "m^2", false},
        {"N", "kg*m/s^2", true},
        {"J", "N*m", true},
        {"rad", "rad", true},
        {"1", "rad", false},
        {"Hz", "rad/s", false},
        {"rpm", "rad/s", true},
        {"rad/s", "Hz", false},
        {"1/s^2", "rad/s^2", false},
        {"N*m", "N*m/rad", true},
        {"N*m/rad", "N*m/rad", true},
        {"N*m*s", "N*m*s/rad", true},
        {"N*m/rad", "N*m", false},
        {"m*rad", "m", true},
        {"m*rad/s", "m/s", true},
        {"N*m*rad", "J", true},
        {"m", "1", false},
        {"m/m", "1", true},
        {"N/m", "N*m/rad", false},
        {"rad", "m", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        HolDimension value = hol_dimension_of(cases[i].value), wanted = hol_dimension_of(cases[i].wanted);
        CHECK_CONTEXT("%s for %s", cases[i].value, cases[i].wanted);
        CHECK_EQUAL_INT(hol_dimension_fits(value, wanted), cases[i].fits);
        CHECK(hol_dimension_fits((HolDimension){.state = HOL_PURE}, wanted));
        CHECK(hol_dimension_fits((HolDimension){.state = HOL_FREE}, wanted));
    }
}

static void dimensions_have_names(void)
{
    static const char *const same[] = {"m",   "kg",  "s",         "rad", "m/s", "m/s^2", "rad/s",  "rad/s^2",
                                       "N",   "N/m", "N*s/m",     "Pa",  "W",   "Hz",    "kg*m^2", "kg/m^3",
                                       "N*m", "m^2", "N*m*s/rad", "m^3", "N*s", "1/m",   "kg*s",   "m*rad"};
    static const struct {
        const char *unit, *name;
    } others[] = {{"J", "N*m"},
                  {"kN/mm^2", "Pa"},
                  {"1/s", "Hz"},
                  {"rpm", "rad/s"},
                  {"m/m", "a pure number"},
                  {"J*m/h", "kg*m^3/s^3"},
                  {"1/m/s", "1/m/s"},
                  {"ft", "m"}};
    char name[32];
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        hol_dimension_name(hol_dimension_of(same[i]), name);
        CHECK_STRING(name, same[i]);
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        hol_dimension_name(hol_dimension_of(others[i].unit), name);
        CHECK_STRING(name, others[i].name);
    }
    hol_dimension_name((HolDimension){HOL_KNOWN, -99, -99, -99, -99}, name);
    CHECK_STRING(name, "1/kg^99/m^99/s^99/rad^99");
}

CHECK_MAIN(TEST(dimensions_follow_the_rules), TEST(variables_are_free), TEST(mixtures_are_refused),
           TEST(values_fit_or_do_not), TEST(dimensions_have_names))
