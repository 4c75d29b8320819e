/* SPDX-License-Identifier: BSD-3-Clause */
/* Expressions: values, precedence, constants, sentences, limits. Derivatives, dimensions and tables are tested apart. */
#include "allocations.h"
#include "check.h"
#include "expression_scope.h"
#include "random.h"

#include <locale.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

/* Numbers */

static void numbers_are_correctly_rounded(void)
{
    static const char *const texts[] = {
        "0",
        "1",
        "1.5",
        ".5",
        "5.",
        "1e-3",
        "1E+3",
        "0.1",
        "123456789012345678",
        "9007199254740993",
        "9007199254740992.999999999999999999999999999999999999",
        "9007199254740993.00000000000000000000000000000000000000001",
        "1.7976931348623157e308",
        "4.9406564584124654e-324",
        "2.2250738585072011e-308",
        "0.000000000000000000000000000000000000000000000001e48",
        "1000000000000000000000000000000000000000000000000e-48",
        "3.141592653589793238462643383279502884197169399375105820974944592307816406286",
        "1e23",
        "8.5e22",
        "1e-999",
        "0e999",
        "000000000000000000000000000000000000000000000123",
    };
    HolDimension dimension;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        CHECK_CONTEXT("%s", texts[i]);
        CHECK(scope_number(texts[i], &dimension) == strtod(texts[i], NULL));
        CHECK(dimension.state == HOL_PURE);
    }
}

static void random_numbers_are_correctly_rounded(void)
{
    random_seed(1);
    for (int i = 0; i < 20000; i++) {
        char text[64];
        HolDimension dimension;
        snprintf(text, sizeof text, "%.*e", random_between(0, 20), random_number() * pow(10, random_between(-40, 40)));
        if (scope_number(text, &dimension) != strtod(text, NULL))
            CHECK_STRING(text, "the number that strtod() reads");
    }
    CHECK(true);
}

/* 1 + 2^-53 and a tail of 2000 zeros decides on the digit at the very end. */
static void rounding_is_decided_by_the_last_digit(void)
{
    char text[2100] = "1.00000000000000011102230246251565404236316680908203125";
    HolDimension dimension;
    CHECK(scope_number(text, &dimension) == 1);
    size_t length = strlen(text);
    memset(text + length, '0', 2000);
    CHECK(scope_number(text, &dimension) == 1);
    text[length + 1999] = '1';
    CHECK(scope_number(text, &dimension) == 1 + 0x1p-52);
}

static void the_locale_does_not_matter(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE", "nl_NL.UTF-8"};
    HolDimension dimension;
    for (int i = 0; i < 5 && !setlocale(LC_NUMERIC, names[i]); i++)
        continue; /* none may be installed: then this says nothing */
    CHECK(scope_number("1.5", &dimension) == 1.5);
    CHECK(scope_number("3.14159265358979323846", &dimension) == PI);
    CHECK(scope_number("2.5e-30 + 0", &dimension) == 2.5e-30);
    setlocale(LC_NUMERIC, "C");
}

/* Values */

typedef struct Case {
    const char *text;
    double value;
} Case;

static void check_cases(const Case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        HolDimension dimension;
        CHECK_CONTEXT("%s", cases[i].text);
        double value = scope_number(cases[i].text, &dimension);
        CHECK_NEAR(value, cases[i].value, 4e-16 * fabs(cases[i].value));
    }
}
#define CHECK_CASES(cases) check_cases(cases, sizeof(cases) / sizeof(cases)[0])

static void operators_have_their_precedence(void)
{
    static const Case cases[] = {
        {"1+2*3", 7},
        {"(1+2)*3", 9},
        {"2-3-4", -5},
        {"2-(3-4)", 3},
        {"24/4/2", 3},
        {"24/(4/2)", 12},
        {"2*3^2", 18},
        {"-2^2", -4},
        {"(-2)^2", 4},
        {"2^-1", 0.5},
        {"2^3^2", 512},
        {"(2^3)^2", 64},
        {"2^-2^2", 0.0625},
        {"2*-3", -6},
        {"--3", 3},
        {"-+-3", 3},
        {"+3", 3},
        {" \t1\n+\r2 ", 3},
        {"1 < 2", 1},
        {"2 <= 2", 1},
        {"2 < 2", 0},
        {"1 + 1 < 1 + 2", 1},
        {"1 == 1", 1},
        {"1 != 1", 0},
        {"2 >= 3", 0},
        {"3 > 2", 1},
        {"1 or 0 and 0", 1},
        {"(1 or 0) and 0", 0},
        {"not 0 and 0", 0},
        {"not (0 and 0)", 1},
        {"not 1 == 2", 1},
        {"(not 1) == 0", 1},
        {"not not 5", 1},
        {"0 or not 0", 1},
        {"2 and 3", 1},
        {"0 or 0", 0},
        {"1 < 2 and 2 < 3", 1},
        {"(1 < 2) == 1 and 1", 1},
    };
    CHECK_CASES(cases);
}

static void functions_have_their_values(void)
{
    static const Case cases[] = {
        {"pi", PI},
        {"e", 2.71828182845904523536},
        {"sin(pi/6)", 0.5},
        {"cos(pi/3)", 0.5},
        {"tan(pi/4)", 1},
        {"asin(1)", PI / 2},
        {"acos(-1)", PI},
        {"atan(1)", PI / 4},
        {"atan2(1, -1)", 3 * PI / 4},
        {"atan2(-1, 0)", -PI / 2},
        {"sinh(1)", 1.1752011936438014569},
        {"cosh(1)", 1.5430806348152437785},
        {"tanh(1)", 0.76159415595576488812},
        {"exp(1)", 2.71828182845904523536},
        {"log(e)", 1},
        {"log10(1000)", 3},
        {"sqrt(16)", 4},
        {"cbrt(-27)", -3},
        {"abs(-2)", 2},
        {"abs(2)", 2},
        {"sign(-3)", -1},
        {"sign(0)", 0},
        {"sign(0.7)", 1},
        {"sign(-0.7)", -1},
        {"min(3, 1, 2)", 1},
        {"max(3, 1, 2)", 3},
        {"max(1, 5, 2, 4)", 5},
        {"min(2, 1)", 1},
        {"floor(-1.5)", -2},
        {"ceil(-1.5)", -1},
        {"mod(7, 3)", 1},
        {"mod(-1, 3)", 2},
        {"mod(7, -3)", -2},
        {"mod(-0.25, 0.5)", 0.25},
        {"hypot(3, 4)", 5},
        {"hypot(3e200, 4e200)", 5e200},
        {"step(-1)", 0},
        {"step(0)", 1},
        {"step(2)", 1},
        {"if(1 < 2, 3, 4)", 3},
        {"if(1 > 2, 3, 4)", 4},
        {"piecewise(0, 1, 0, 2, 3)", 3},
        {"piecewise(0, 1, 1, 2, 3)", 2},
        {"piecewise(1, 1, 1, 2, 3)", 1},
        {"table(0.5, 0, 1, 1, 3)", 2},
        {"table(-5, 0, 1, 1, 3)", 1},
        {"table(5, 0, 1, 1, 3)", 3},
        {"0^0", 1},
        {"0^2", 0},
        {"2^0.5", 1.41421356237309504880},
    };
    CHECK_CASES(cases);
}

static void names_have_their_values(void)
{
    static const Case cases[] = {
        {"length", 2},
        {"2*length^2/12", 2.0 / 3},
        {"sqrt(length^2 - 1)", 1.7320508075688772935},
        {"g", 9.81},
        {"2*g", 19.62},
        {"2 g", 0.002},
        {"-width", -0.5},
    };
    CHECK_CASES(cases);
}

static void units_scale(void)
{
    static const Case cases[] = {
        {"1 m", 1},
        {"3 mm", 0.003},
        {"200mm", 0.2},
        {"2 cm", 0.02},
        {"1 km", 1e3},
        {"7 um", 7e-6},
        {"1 in", 0.0254},
        {"1 ft", 0.3048},
        {"1 kg", 1},
        {"1 g", 1e-3},
        {"1 t", 1e3},
        {"1 lb", 0.45359237},
        {"1 s", 1},
        {"1 ms", 1e-3},
        {"1 us", 1e-6},
        {"1 min", 60},
        {"2 h", 7200},
        {"1 rad", 1},
        {"180 deg", PI},
        {"1 rev", 2 * PI},
        {"60 rpm", 2 * PI},
        {"1 rev/s", 2 * PI},
        {"1 N", 1},
        {"35.9 kN/m", 35900},
        {"1 mN", 1e-3},
        {"1 lbf", 4.4482216152605},
        {"3 N/(mm/s)", 3000},
        {"3 N/(mm/s)^2", 3e6},
        {"4 N*m/(deg/s)", 720 / PI},
        {"6 m*(s)/2", 3},
        {"8 kg/(2 m)", 4},
        {"2 N*(1 + 2)", 6},
        {"2 N/(g)", 2 / 9.81},
        {"5 ug", 5e-9},
        {"5 mg", 5e-6},
        {"7 nm", 7e-9},
        {"1 yd", 0.9144},
        {"1 mi", 1609.344},
        {"16 oz", 0.45359237},
        {"1 slug", 14.593902937206364},
        {"1 psi", 6894.757293168361},
        {"1 kgf", 9.80665},
        {"3 ns", 3e-9},
        {"3 mrad", 3e-3},
        {"3 MN", 3e6},
        {"3 uN", 3e-6},
        {"3 kHz", 3e3},
        {"3 mJ", 3e-3},
        {"3 MJ", 3e6},
        {"3 mW", 3e-3},
        {"3 MW", 3e6},
        {"1 Hz", 1},
        {"1 J", 1},
        {"1 kJ", 1e3},
        {"1 W", 1},
        {"1 kW", 1e3},
        {"1 Pa", 1},
        {"1 kPa", 1e3},
        {"1 MPa", 1e6},
        {"210 GPa", 210e9},
        {"1 bar", 1e5},
        {"9.81 m/s^2", 9.81},
        {"200 N*s/m", 200},
        {"10 N*m/rad", 10},
        {"36 km/h", 10},
        {"7.85 kg/cm^3", 7.85e6},
        {"2 mm^2", 2e-6},
        {"2 m^-1", 2},
        {"5 m^-2*kg", 5},
        {"1e3mm", 1},
        {"2 N * m", 2},
        {"1/2 mm", 500},
        {"6 m/2", 3},
        {"3 m*min(1, 2)", 3},
        {"2 N*g", 19.62},
        {"2 N/g", 2 / 9.81},
        {"30 deg + 60 deg", PI / 2},
        {"2 kN - 500 N", 1500},
    };
    CHECK_CASES(cases);
}

/* Variables, and what is known of an expression */

static void variables_are_read(void)
{
    HolArena *arena = hol_arena_create();
    const double x[] = {3, 4, 0.5};
    HolExpression *f = scope_expression("x^2 + y*sin(t)", NULL, arena);
    REQUIRE(f != NULL);
    CHECK_NEAR(hol_expression_value(f, x), 9 + 4 * sin(0.5), 1e-15);
    CHECK(!hol_expression_is_constant(f));
    f = scope_expression("t", NULL, arena);
    CHECK(f && !hol_expression_is_constant(f) && hol_expression_value(f, x) == 0.5);
    f = scope_expression("2*t + length", NULL, arena);
    REQUIRE(f != NULL);
    CHECK_NEAR(hol_expression_value(f, x), 3, 0);
    f = scope_expression("9.81 m/s^2*t", NULL, arena); /* t is the variable, not tonnes */
    REQUIRE(f != NULL);
    CHECK_NEAR(hol_expression_value(f, x), 4.905, 1e-15);
    hol_arena_destroy(arena);
}

static void constants_are_computed_at_once(void)
{
    static const char *const texts[] = {"2*pi*3",         "sin(length)",
                                        "if(0, t, 5)",    "piecewise(0, x, 1 > 2, y, length > 1, 3, t)",
                                        "-(-length) + 1", "table(0.5, 0, 0, 1, 1)"};
    HolArena *arena = hol_arena_create();
    for (int i = 0; i < 6; i++) {
        CHECK_CONTEXT("%s", texts[i]);
        HolExpression *f = scope_expression(texts[i], NULL, arena);
        CHECK(f && hol_expression_is_constant(f));
    }
    hol_arena_destroy(arena);
}

/* Conditions that are known fall away, the others stay as they were. */
static void choices_are_shortened_rightly(void)
{
    static const struct {
        const char *text;
        double value; /* at x = 3, y = 4, t = 0.5 */
    } cases[] = {
        {"piecewise(0, 1/zero, x < 2, x*y, y == 4, 10 + t, 7)", 10.5},
        {"piecewise(0, 1, 0, 2, x == 3, x^2 + y^2, t)", 25},
        {"2 + if(1, x + y*t, 1/zero)*2", 12},
        {"if(zero > 0, 1/zero, x - y)", -1},
        {"piecewise(x < 0, 1, length > 1, y/t, t)", 8},
        {"min(x, y, t) + max(x, y, t)", 4.5},
        {"table(x, 0, 0, 1 + 1, 4, 2*2, 8)", 6},
        {"if(x > 5, sqrt(x - 5), y)", 4},
        {"if(x > 0 or log(-x) > 0, 1, 2)", 1},
        {"if(x < 0 and log(-x) > 0, 1, 2)", 2},
    };
    const double x[] = {3, 4, 0.5};
    HolArena *arena = hol_arena_create();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK_CONTEXT("%s", cases[i].text);
        HolExpression *f = scope_expression(cases[i].text, NULL, arena);
        REQUIRE(f != NULL);
        CHECK_NEAR(hol_expression_value(f, x), cases[i].value, 1e-15);
    }
    hol_arena_destroy(arena);
}

static void what_is_not_known_stays_unknown(void)
{
    static const char *const texts[] = {"if(log(-x) > 0, 1, 2)", "min(log(-x), 1)", "max(1, log(-x))",
                                        "sign(log(-x))",         "step(log(-x))",   "abs(log(-x))"};
    const double x[] = {3, 4, 0.5};
    HolArena *arena = hol_arena_create();
    for (int i = 0; i < 6; i++) {
        CHECK_CONTEXT("%s", texts[i]);
        HolExpression *f = scope_expression(texts[i], NULL, arena);
        CHECK(f && isnan(hol_expression_value(f, x)));
    }
    hol_arena_destroy(arena);
}

static void evaluation_does_not_allocate(void)
{
    HolArena *arena = hol_arena_create();
    HolExpression *f = scope_expression("if(x > 0, sin(t)^2, hypot(x, y)) + table(t, 0, 0, 1, 1)", NULL, arena);
    REQUIRE(f != NULL);
    const double x[] = {3, 4, 0.5};
    const HolJet jets[] = {{3, 1, 0}, {4, 1, 0}, {0.5, 1, 0}};
    hol_arena_freeze(arena);
    allocations_start();
    double value = hol_expression_value(f, x), same = hol_expression_jet(f, jets).f;
    CHECK_EQUAL_INT(allocations_stop(), 0);
    CHECK(value == same);
    hol_arena_destroy(arena);
}

static void symbols_may_be_absent(void)
{
    HolExpressionError error;
    HolDimension dimension;
    HolArena *arena = hol_arena_create();
    HolExpression *f = NULL;
    double value = 0;
    CHECK_OK(hol_number_parse("2*pi", NULL, &value, &dimension, &error));
    CHECK_NEAR(value, 2 * PI, 0);
    CHECK_STATUS(hol_number_parse("x", NULL, &value, &dimension, NULL), HOL_BAD_INPUT);
    CHECK_STRING((hol_number_parse("y + 1", NULL, &value, &dimension, &error), error.message.text), "'y' is unknown");
    CHECK_OK(hol_expression_parse("2*pi", NULL, arena, &f, NULL));
    CHECK_STATUS(hol_expression_parse("2*x", NULL, arena, &f, NULL), HOL_BAD_INPUT);
    hol_arena_destroy(arena);
}

/* Limits */

/* "((( ... t ... )))" */
static void nest(char *text, const char *open, int levels, const char *close)
{
    for (int i = 0; i < levels; i++)
        text = stpcpy(text, open);
    text = stpcpy(text, "t");
    for (int i = 0; i < levels; i++)
        text = stpcpy(text, close);
}

static HolStatus parse_nested(const char *open, int levels, const char *close, HolExpressionError *error)
{
    static char text[300000];
    HolArena *arena = hol_arena_create();
    HolSymbols symbols = scope_symbols(NULL);
    HolExpression *f;
    nest(text, open, levels, close);
    HolStatus status = hol_expression_parse(text, &symbols, arena, &f, error);
    hol_arena_destroy(arena);
    return status;
}

static void nesting_has_a_limit(void)
{
    static const struct {
        const char *open, *close;
        int fine; /* so many levels work */
    } cases[] = {{"(", ")", 100},    {"-", "", 100},       {"not ", "", 100},    {"2^", "", 100},
                 {"sin(", ")", 100}, {"t+(", ")", 100},    {"t*t+t/(", ")", 40}, {"if(t, 1, ", ")", 40},
                 {"-(", ")", 50},    {"max(1,", ")", 100}, {"not(", ")", 50}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        HolExpressionError error = {-1, {""}};
        CHECK_CONTEXT("%s", cases[i].open);
        CHECK_OK(parse_nested(cases[i].open, cases[i].fine, cases[i].close, &error));
        CHECK_STATUS(parse_nested(cases[i].open, 101, cases[i].close, &error), HOL_BAD_INPUT);
        CHECK_CONTAINS(error.message.text, "the expression is");
        CHECK_STATUS(parse_nested(cases[i].open, 20000, cases[i].close, &error), HOL_BAD_INPUT);
        CHECK_CONTAINS(error.message.text, "the expression is");
        CHECK(error.offset > 0 && error.offset < 3000);
    }
}

/* start part part part ... end */
static HolStatus parse_repeated(const char *start, const char *part, int times, const char *end)
{
    static char text[60000];
    HolArena *arena = hol_arena_create();
    HolSymbols symbols = scope_symbols(NULL);
    HolExpressionError error = {0, {""}};
    HolExpression *f = NULL;
    char *at = stpcpy(text, start);
    for (int i = 0; i < times; i++)
        at = stpcpy(at, part);
    stpcpy(at, end);
    HolStatus status = hol_expression_parse(text, &symbols, arena, &f, &error);
    CHECK_STRING(error.message.text, status == HOL_OK ? "" : "the expression is too long");
    if (status == HOL_OK)
        CHECK_NEAR(hol_expression_value(f, (double[]){0, 0, 1}), text[0] == 't' ? times + 1 : 1, 0);
    hol_arena_destroy(arena);
    return status;
}

static void length_has_a_limit(void)
{
    CHECK_OK(parse_repeated("t", "+t", 499, "")); /* 500 variables, 499 sums */
    CHECK_STATUS(parse_repeated("t", "+t", 500, ""), HOL_BAD_INPUT);
    CHECK_STATUS(parse_repeated("t", "+t", 9000, ""), HOL_BAD_INPUT);
    CHECK_OK(parse_repeated("max(t", ",t", 127, ")")); /* 128 at once */
    CHECK_STATUS(parse_repeated("max(t", ",t", 128, ")"), HOL_BAD_INPUT);
    CHECK_STATUS(parse_repeated("max(t", ",t", 9000, ")"), HOL_BAD_INPUT);
    CHECK_OK(parse_repeated("if(t,t,0+max(t", ",t", 124, "))")); /* three are waiting */
    CHECK_STATUS(parse_repeated("if(t,t,0+max(t", ",t", 125, "))"), HOL_BAD_INPUT);
    CHECK_STATUS(parse_repeated("piecewise(t,1,1", ",1,t", 9000, ")"), HOL_BAD_INPUT);
}

/* Constants shrink while they are read, so sums of numbers and tables of points may be long. */
static void long_sums_of_numbers_are_fine(void)
{
    static char text[60000] = "1", points[60000] = "table(t";
    HolDimension dimension;
    HolArena *arena = hol_arena_create();
    for (int k = 0; k < 9000; k++)
        memcpy(text + 1 + 2 * k, "+1", 2);
    CHECK_NEAR(scope_number(text, &dimension), 9001, 0);
    for (int k = 0; k < 400; k++)
        sprintf(points + strlen(points), ",%d,%d", k, k * k);
    strcat(points, ")");
    HolExpression *f = scope_expression(points, NULL, arena);
    REQUIRE(f != NULL);
    const double x[] = {0, 0, 20.5};
    CHECK_NEAR(hol_expression_value(f, x), 420.5, 1e-12);
    hol_arena_destroy(arena);
}

CHECK_MAIN(TEST(numbers_are_correctly_rounded), TEST(random_numbers_are_correctly_rounded),
           TEST(rounding_is_decided_by_the_last_digit), TEST(the_locale_does_not_matter),
           TEST(operators_have_their_precedence), TEST(functions_have_their_values), TEST(names_have_their_values),
           TEST(units_scale), TEST(variables_are_read), TEST(constants_are_computed_at_once),
           TEST(choices_are_shortened_rightly), TEST(what_is_not_known_stays_unknown),
           TEST(evaluation_does_not_allocate), TEST(symbols_may_be_absent), TEST(nesting_has_a_limit),
           TEST(length_has_a_limit), TEST(long_sums_of_numbers_are_fine))
