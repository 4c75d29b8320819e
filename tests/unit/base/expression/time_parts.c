/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of an expression that depend on time alone, and their bounds. */
#include "base/expression/expression.h"
#include "check.h"

enum { L, T };
static const char *const names[] = {"l", "t"};

static HolExpression *parsed(const char *text, HolArena *arena)
{
    HolExpression *expression = NULL;
    HolSymbols symbols = {.variables = names, .variable_count = 2};
    CHECK_OK(hol_expression_parse(text, &symbols, arena, &expression, NULL));
    return expression;
}

typedef struct Case {
    const char *text;
    int count;
    double value[3]; /* of the parts at t = 0.5 */
} Case;

static void parts_are_the_largest_of_time_alone(void)
{
    static const Case cases[] = {{"3", 0, {0}},
                                 {"l^2", 0, {0}},
                                 {"t", 1, {0.5}},
                                 {"sin(t)*2 + 1", 1, {1.9588510772084060}},
                                 {"l*t", 1, {0.5}},
                                 {"l*exp(-t^2) + 2*t", 2, {0.77880078307140487, 1}},
                                 {"if(t > 1, l, t^2)", 2, {0, 0.25}},
                                 {"if(l > 1, cos(t), 4) - 3*t", 2, {0.87758256189037271, 1.5}},
                                 {"min(l, t, 2*t)", 1, {0.5}}};
    HolArena *arena = hol_arena_create();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        HolTimePart parts[3];
        double value[2], slope[2], middle;
        const HolExpression *expression = parsed(cases[i].text, arena);
        CHECK_CONTEXT("%s", cases[i].text);
        REQUIRE(CHECK_EQUAL_INT(hol_expression_time_parts(expression, T, parts, 3), cases[i].count));
        for (int k = 0; k < cases[i].count; ++k) {
            hol_time_part_bounds(&parts[k], 0.5, 0.5, value, slope, &middle);
            CHECK_NEAR(middle, cases[i].value[k], 1e-15);
        }
        CHECK_EQUAL_INT(hol_expression_time_parts(expression, T, NULL, 0), cases[i].count);
    }
    hol_arena_destroy(arena);
}

static void bounds_contain_values_and_rates(void)
{
    static const char *const texts[] = {"sin(7*t)", "exp(-((t - 0.3)/0.02)^2)", "t^3 - 2*t", "1/(1 + 50*t^2)",
                                        "tanh(9*t)"};
    HolArena *arena = hol_arena_create();
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        const HolExpression *expression = parsed(texts[i], arena);
        HolTimePart part;
        REQUIRE(hol_expression_time_parts(expression, T, &part, 1) == 1);
        for (int k = 0; k < 64; ++k) {
            double a = k / 64.0, b = a + 0.05, value[2], rate[2], curve[2], middle, rate_middle, slope[2];
            CHECK_CONTEXT("%s from %g", texts[i], a);
            part.is_rate = false;
            hol_time_part_bounds(&part, a, b, value, slope, &middle);
            part.is_rate = true;
            hol_time_part_bounds(&part, a, b, rate, curve, &rate_middle);
            CHECK(rate[0] == slope[0] && rate[1] == slope[1]);
            for (int n = 0; n <= 10; ++n) {
                HolJet x[2] = {{0, 0, 0}, {a + n * 0.005, 1, 0}}, f = hol_expression_jet(expression, x);
                CHECK(value[0] <= f.f + 1e-12 && f.f <= value[1] + 1e-12);
                CHECK(rate[0] <= f.d + 1e-9 && f.d <= rate[1] + 1e-9);
                CHECK(curve[0] <= f.dd + 1e-6 && f.dd <= curve[1] + 1e-6);
                if (n == 5)
                    CHECK(fabs(f.f - middle) < 1e-12 && fabs(f.d - rate_middle) < 1e-9);
            }
        }
    }
    hol_arena_destroy(arena);
}

CHECK_MAIN(TEST(parts_are_the_largest_of_time_alone), TEST(bounds_contain_values_and_rates))
