/* SPDX-License-Identifier: BSD-3-Clause */
/* Breakpoints of functions of time: against times known by hand, and, of random expressions, against Taylor's formula,
 * which holds between two breakpoints and nowhere across one. */
#include "check.h"
#include "expression_scope.h"
#include "random.h"

#include <stdlib.h>

#define PI 3.14159265358979323846
enum { T = 2, MOST = 1000 }; /* the index of t */

static int find_all(const HolExpression *f, double from, double until, double *times)
{
    int count = 0;
    for (double t = from + 1e-13; count < MOST;) {
        double next = hol_expression_next_breakpoint(f, T, t, until);
        if (!(next <= until))
            break;
        times[count++] = next;
        t = next + 1e-14 * (fabs(next) + 1e-3);
    }
    return count;
}

typedef struct Known {
    const char *text;
    double until;
    bool is_steep; /* not limited by the rounding of the argument */
    int count;
    double times[6]; /* the first ones */
} Known;

static void known_times_are_found(void)
{
    static const Known cases[] = {
        {"if(t > 0.3 and t < 0.302, 500, 0)", 1, true, 2, {0.3, 0.302}},
        {"step(t-0.1) - step(t-0.100001)", 10, true, 2, {0.1, 0.100001}},
        {"step(t - 0.7) - step(t - 0.7 - 1e-12)", 1, true, 2, {0.7, 0.7 + 1e-12}},
        {"if(sin(20*t) > 0.5, 1, 0)", 0.4, true, 3, {PI / 120, PI / 24, PI / 10 + PI / 120}},
        {"sign(sin(100*t))*t", 0.1, true, 3, {PI / 100, PI / 50, 3 * PI / 100}},
        {"sign(sin(1e6*t))", 1e-5, true, 3, {PI * 1e-6, 2e-6 * PI, 3e-6 * PI}},
        {"abs(t - 0.25)*3", 1, true, 1, {0.25}},
        {"abs(sin(t))", 7, true, 2, {PI, 2 * PI}},
        {"min(t, 0.5) + max(t^2, 0.09)", 1, true, 2, {0.3, 0.5}},
        {"min(t, 0.5, 1 - t)", 1, true, 1, {0.5}},
        {"floor(3*t)", 1.1, true, 3, {1. / 3, 2. / 3, 1}},
        {"ceil(t/2) + 0", 5, true, 2, {2, 4}},
        {"mod(t, 0.25)", 0.9, true, 3, {0.25, 0.5, 0.75}},
        {"mod(-t, 0.4)", 1, true, 2, {0.4, 0.8}},
        {"if((t - 0.5)^-1 > 4, 1, 0)", 1, true, 2, {0.5, 0.75}},
        {"if(tan(t) > 5, 1, 0)", 3, true, 2, {1.3734007669450159, PI / 2}},
        {"if(mod(t, 0.1) < 0.001, 1, 0)", 0.25, true, 5, {0.001, 0.1, 0.101, 0.2, 0.201}},
        {"table(t, 0, 0, 0.2, 1, 0.7, -1)", 1, true, 2, {0.2, 0.7}},
        {"table(t^2, 0.04, 0, 0.25, 1)", 1, true, 2, {0.2, 0.5}},
        {"piecewise(t < 0.1, 0, t < 0.2, 5*t, t < 0.3, 7, 2)", 1, true, 3, {0.1, 0.2, 0.3}},
        {"if(not (t <= 0.5 or t >= 0.6), 1, 0)", 1, true, 2, {0.5, 0.6}},
        {"if(abs(t - 0.5) < 1e-6, 1, 0)", 1, true, 2, {0.5 - 1e-6, 0.5 + 1e-6}},
        {"step(abs(t - 0.5) - 1e-6)", 1, true, 2, {0.5 - 1e-6, 0.5 + 1e-6}},
        {"if((t - 0.5)^2 < 1e-10, 1, 0)", 1, false, 2, {0.5 - 1e-5, 0.5 + 1e-5}},
        {"if(exp(-((t - 0.37)/1e-6)^2) > 0.5, 1, 0)",
         1,
         false,
         2,
         {0.37 - 1e-6 * 0.832554611157697756, 0.37 + 1e-6 * 0.832554611157697756}},
        {"if(sin(1e4*t) > 0.9999999, 1, 0)",
         3e-4,
         false,
         2,
         {(PI / 2 - 4.472136065e-4) * 1e-4, (PI / 2 + 4.472136065e-4) * 1e-4}},
        {"if(2^(-((t - 0.37)/1e-3)^5000) > 0.5, 1, 0)", 1, false, 2, {0.369, 0.371}},
        {"if(t < 0.5, abs(t - 0.2), abs(t - 0.3))", 1, true, 2, {0.2, 0.5}},
        {"if(t > 0.1, 2*x, 0)", 1, true, 1, {0.1}},
        {"max(x, if(t > 0.2, y, 1))*step(t - 0.4)", 1, true, 2, {0.2, 0.4}},
        {"if(x > step(t - 0.6), 1, 0)", 1, true, 1, {0.6}},
        {"if(t > 0.3 and x > 2, 1, 0)", 1, true, 1, {0.3}},
        {"atan2(sin(t), cos(t))", 4, true, 1, {PI}},
        {"if(sqrt(t) > 0.5, 1, 0) + step(log(t + 1) - 0.5)", 1, true, 2, {0.25, 0.64872127070012814685}},
        {"step(3*t - 0.9)*step(0.31 - t)", 1, true, 2, {0.3, 0.31}},
        {"if(floor(t) == 2, 1, 0)", 5, true, 2, {2, 3}},
        {"if(t + 1e6 > 1e6 + 0.5, 1, 0)", 1, false, 1, {0.5}},
        {"if(sin(t) >= 1, 1, 0)", 10, true, 0, {0}},
        {"if(sin(t) > 1.0000001, 1, 0)", 100, true, 0, {0}},
        {"max(0, 0*t) + max(t - 1, t - 1)", 10, true, 0, {0}},
        {"abs(t + 1) + if(x > 1, abs(y), 2)*t", 10, true, 0, {0}},
        {"sin(t)*exp(-t) + t^3/(1 + t)", 10, false, 0, {0}},
        {"if(t == 0.5, 1, 0)", 1, true, 0, {0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        HolArena *arena = hol_arena_create();
        const Known *c = &cases[i];
        const HolExpression *f = scope_expression(c->text, NULL, arena);
        double times[MOST];
        REQUIRE(f != NULL);
        CHECK_CONTEXT("%s", c->text);
        int count = find_all(f, 0, c->until, times);
        CHECK_EQUAL_INT(count, c->count);
        for (int k = 0; k < count && k < c->count; ++k)
            CHECK_NEAR(times[k], c->times[k], c->is_steep ? 4e-15 : 1e-10);
        hol_arena_destroy(arena);
    }
}

/* The old value just before, the new one at the breakpoint itself. */
static void breakpoints_are_exact_to_the_last_digit(void)
{
    static const char *const texts[] = {
        "t > 0.3", "3*t >= 0.9", "sin(20*t) > 0.5", "t + 1e6 > 1e6 + 0.5", "t^2 < 0.3", "exp(t) > 2 and t < 0.9"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        HolArena *arena = hol_arena_create();
        const HolExpression *f = scope_expression(texts[i], NULL, arena);
        REQUIRE(f != NULL);
        CHECK_CONTEXT("%s", texts[i]);
        double t = hol_expression_next_breakpoint(f, T, 0, 1), before = nextafter(t, 0);
        CHECK(hol_expression_value(f, (double[]){0, 0, t}) != hol_expression_value(f, (double[]){0, 0, 0}));
        CHECK(hol_expression_value(f, (double[]){0, 0, before}) == hol_expression_value(f, (double[]){0, 0, 0}));
        hol_arena_destroy(arena);
    }
}

/* Functions that defy the search end it. */
static void wild_functions_end_the_search(void)
{
    static const char *const texts[] = {"if(sin(1/t) > 0, 1, 0)",  "if(sin(t)^2 + cos(t)^2 > 1, 1, 0)",
                                        "floor(1e12*sin(1e9*t))",  "sign(t - t)*t",
                                        "if(1/(t - t) > 2, 1, 0)", "step(log(-1 - t))",
                                        "tan(1e5*t) > 3",          "mod(t, 0*t)"};
    double times[MOST];
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        HolArena *arena = hol_arena_create();
        const HolExpression *f = scope_expression(texts[i], NULL, arena);
        REQUIRE(f != NULL);
        CHECK(find_all(f, 0, 1e-3, times) <= MOST);
        hol_arena_destroy(arena);
    }
}

/* Random expressions */

static int append(char *text, int used, const char *part)
{
    return used + snprintf(text + used, 2000 - (size_t)used, "%s", part);
}

static int append_random(char *text, int used, int depth);

static int append_call(char *text, int used, int depth, const char *before, const char *between, const char *after)
{
    used = append_random(text, append(text, used, before), depth - 1);
    if (between[0])
        used = append_random(text, append(text, used, between), depth - 1);
    return append(text, used, after);
}

static int append_random(char *text, int used, int depth)
{
    char number[40];
    if (depth == 0 || used > 1500) {
        snprintf(number, sizeof number, random_between(0, 2) ? "(%.3f*t)" : "%.3f", random_number() * 3);
        return append(text, used, number);
    }
    switch (random_between(0, 14)) {
    case 0: return append_call(text, used, depth, "(", " + ", ")");
    case 1: return append_call(text, used, depth, "(", " - ", ")");
    case 2: return append_call(text, used, depth, "(", " * ", ")");
    case 3: return append_call(text, used, depth, "sin(", "", ")");
    case 4: return append_call(text, used, depth, "cos(2*", "", ")");
    case 5: return append_call(text, used, depth, "abs(", "", ")");
    case 6: return append_call(text, used, depth, "min(", ", ", ")");
    case 7: return append_call(text, used, depth, "max(", ", ", ")");
    case 8: return append_call(text, used, depth, "step(", "", ")");
    case 9: return append_call(text, used, depth, "floor(", "", ")");
    case 10: return append_call(text, used, depth, "mod(", ", 0.7)*cos(", ")");
    case 11: return append_call(text, used, depth, "if(t > 0.4, ", "", ", 0.3)");
    case 12: return append_call(text, used, depth, "table(", ", -1, 0, 0, 0.5, 0.4, -0.3, 1.5, 0.2) + tanh(", ")");
    case 13: return append_call(text, used, depth, "sign(", "", ")");
    default:
        used = append_call(text, used, depth, "if(", " > ", ", ");
        return append_call(text, used, depth, "", ", ", ")");
    }
}

/* Whether f follows Taylor's formula from t by h, both ways. */
static bool is_smooth(const HolExpression *f, double t, double h)
{
    HolJet at = hol_expression_jet(f, (HolJet[]){{0, 0, 0}, {0, 0, 0}, {t, 1, 0}});
    double miss = 0, size = 1 + fabs(at.f) + fabs(at.d) + fabs(at.dd);
    for (int side = -1; side <= 1; side += 2) {
        double d = side * h, there = hol_expression_value(f, (double[]){0, 0, t + d});
        miss = fmax(miss, fabs(there - at.f - d * (at.d + d / 2 * at.dd)));
    }
    return miss <= 1e-3 * h * size;
}

static void random_expressions_are_smooth_between_breakpoints(void)
{
    static double times[MOST + 2];
    int with_breakpoints = 0;
    random_seed(7);
    for (int i = 0; i < 2000; ++i) {
        char text[2000] = "";
        HolArena *arena = hol_arena_create();
        append_random(text, 0, random_between(1, 5));
        const HolExpression *f = scope_expression(text, NULL, arena);
        REQUIRE(f != NULL);
        int count = find_all(f, 0, 1, times + 1);
        with_breakpoints += count > 0;
        CHECK(count == 0 || hol_expression_has_breakpoints(f, T));
        times[0] = 0, times[count + 1] = 1;
        for (int k = 0; k <= count; ++k)
            for (int n = 0; n < 20; ++n) {
                double room = times[k + 1] - times[k], h = fmin(1e-4, room / 8);
                double t = times[k] + h + (room - 2 * h) * fabs(random_number());
                CHECK_CONTEXT("%s at t = %.17g, between %.17g and %.17g", text, t, times[k], times[k + 1]);
                CHECK(room < 1e-7 || t + h >= times[k + 1] || is_smooth(f, t, h));
            }
        hol_arena_destroy(arena);
    }
    CHECK(with_breakpoints > 500);
}

CHECK_MAIN(TEST(known_times_are_found), TEST(breakpoints_are_exact_to_the_last_digit),
           TEST(wild_functions_end_the_search), TEST(random_expressions_are_smooth_between_breakpoints))
