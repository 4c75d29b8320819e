/* SPDX-License-Identifier: BSD-3-Clause */
/* Expressions of t, x and v with a parameter and two tables: parsed, evaluated with derivatives, bounded over intervals
 * and searched for breakpoints. The value of the jet is the value; ranges contain the values between their ends; where
 * the range proves that one piece holds around a time before the next breakpoint, it is the piece at the beginning. */
#include "base/expression/expression.h"

#include "base/arena.h"
#include "base/expression/range.h"
#include "base/tolerances.h"
#include "fuzz.h"

#include <math.h>
#include <string.h>

enum { VARIABLES = 3, POINTS = 8, SCAN = 24 };

static const char *const variables[VARIABLES] = {"t", "x", "v"};

typedef struct Scope {
    HolTable *linear, *cubic;
} Scope;

static bool is_name(const char *name, size_t length, const char *other)
{
    return length == strlen(other) && memcmp(name, other, length) == 0;
}

static bool scope_parameter(void *scope, const char *name, size_t length, double *value, HolDimension *dimension,
                            bool *broken)
{
    (void)scope;
    *broken = is_name(name, length, "broken");
    *value = 2.5;
    *dimension = (HolDimension){.state = HOL_FREE};
    if (is_name(name, length, "len"))
        *dimension = hol_dimension_of("m");
    return *broken || is_name(name, length, "len") || is_name(name, length, "p");
}

static const HolTable *scope_table(void *scope, const char *name, size_t length)
{
    const Scope *s = scope;
    return is_name(name, length, "f") ? s->linear : is_name(name, length, "g") ? s->cubic : NULL;
}

static void check_values(const HolExpression *e)
{
    static const double at[POINTS] = {0, 1, -1, 0.5, 1e-9, -3e5, 1e200, 2.5};
    for (int i = 0; i < POINTS; ++i) {
        double x[VARIABLES] = {at[i], at[(i + 3) % POINTS], at[(i + 5) % POINTS]};
        HolJet jets[VARIABLES] = {{x[0], 1, 0}, {x[1], x[2], 0.5}, {x[2], 0.5, 0}}, crossings[HOL_MAX_CROSSINGS];
        double value = hol_expression_value(e, x), again = hol_expression_value(e, x);
        HolJet jet = hol_expression_jet(e, jets);
        FUZZ_CHECK(fuzz_same_bits(value, again), "two values, %a and %a", value, again);
        FUZZ_CHECK(fuzz_same_bits(value, jet.f) || fabs(value - jet.f) <= 1e-9 * fmax(fabs(value), 1e-3) ||
                       !isfinite(value) || !isfinite(jet.f),
                   "the value is %a, that of the jet %a", value, jet.f);
        int count = hol_expression_crossings(e, 0, jets, crossings);
        FUZZ_CHECK(count >= 0 && count <= HOL_MAX_CROSSINGS && count == hol_expression_crossings(e, 0, jets, NULL),
                   "%d crossings", count);
    }
}

static HolRange range_of(const HolExpression *e, double a, double b)
{
    return hol_code_range(e->code, e->count, 0, a, b);
}

static void check_range(const HolExpression *e, double a, double b)
{
    HolRange range = range_of(e, a, b);
    if (!range.known || isnan(range.value[0]) || isnan(range.value[1]))
        return;
    for (int i = 0; i <= SCAN; ++i) {
        double t = a + (b - a) * i / SCAN, x[VARIABLES] = {t, 0, 0}, value = hol_expression_value(e, x);
        double slack = 1e-9 * fmax(range.size, fmax(fabs(value), fmax(fabs(range.value[0]), fabs(range.value[1]))));
        slack += 1e-100; /* denormal numbers have few digits, and their cube roots too */
        FUZZ_CHECK(!isfinite(value) || !isfinite(slack) ||
                       (value >= range.value[0] - slack && value <= range.value[1] + slack),
                   "at %a the value %a is outside of [%a, %a], the range from %a to %a", t, value, range.value[0],
                   range.value[1], a, b);
    }
}

/* Whether the piece at a time is proven to hold around it, and is not the one at the beginning. */
static bool is_other_piece(const HolExpression *e, uint64_t piece, double t, double around)
{
    HolRange range = range_of(e, t - around, t + around);
    return range.known && range.switches == 0 && range_of(e, t, t).piece != piece &&
           range_of(e, t - around, t - around).piece != piece && range_of(e, t + around, t + around).piece != piece;
}

/* Whether ranges leave so many intervals undecided that the search gives up, as around t = 0 in floor(sin(t)/t). */
static bool is_wild(const HolExpression *e, double t, double until)
{
    enum { MOST = 5000, DEEPEST = 100 };
    double ends[DEEPEST] = {until}, a = t, narrow = 1e-15 * (until - t);
    int count = 1;
    for (int i = 0; count > 0 && i < MOST; ++i) {
        double b = ends[count - 1];
        if (b - a > narrow && count < DEEPEST && range_of(e, a, b).switches > 1)
            ends[count++] = a + (b - a) / 2;
        else
            a = ends[--count];
    }
    return count > 0;
}

static void check_breakpoints(const HolExpression *e, double t, double until)
{
    double next = hol_expression_next_breakpoint(e, 0, t, until), end = fmin(next, until);
    HolRange start = range_of(e, t, t);
    FUZZ_CHECK(next == HUGE_VAL || (next > t && next <= until), "from %a to %a the breakpoint %a", t, until, next);
    FUZZ_CHECK(next == HUGE_VAL || hol_expression_has_breakpoints(e, 0), "a breakpoint where there can be none");
    if (e->count > 16 || !start.known || !isfinite(start.middle) || end - t < 1e-6)
        return; /* the search may give up */
    for (int i = 1; i < SCAN; ++i) {
        double s = t + (end - t) * i / SCAN, around = 1e-4 * (end - t);
        FUZZ_CHECK(!is_other_piece(e, start.piece, s, around) || is_wild(e, t, until),
                   "from %a to %a the breakpoint %a is found, but at %a another piece holds", t, until, next, s);
    }
}

/* 0.5^x is 1 for some time around x = 0, by rounding alone. */
static bool is_power_of_variable(const HolInstruction *c)
{
    return c->kind == HOL_CODE_BINARY && c->operation->shape == HOL_SHAPE_POWER && c[-1].kind != HOL_CODE_NUMBER;
}

/* Smooth functions are equal at single times, which do not count as pieces and are not in the range. A number
 * counts as true unless it is zero, which is likewise. The piece of atan2() also changes where it is smooth. */
static bool has_vague_pieces(const HolExpression *e)
{
    int undecided = 0; /* conditions that cannot all be comparisons */
    for (const HolInstruction *c = e->code; c < e->code + e->count; ++c) {
        bool operates = c->kind == HOL_CODE_BINARY || c->kind == HOL_CODE_UNARY;
        if (operates && (c->operation->shape >= HOL_SHAPE_EQUAL || c->operation->shape == HOL_SHAPE_ATAN2))
            return true;
        if (is_power_of_variable(c))
            return true;
        undecided -= operates && c->operation->shape == HOL_SHAPE_ORDER;
        undecided += c->kind == HOL_CODE_CHOICE ? c->count / 2 : 0;
    }
    return undecided > 0;
}

static void check_parsed(const HolExpression *e)
{
    char name[32];
    hol_dimension_name(hol_expression_dimension(e), name);
    check_values(e);
    if (has_vague_pieces(e))
        return;
    /* A piece may hold at a single time, such as that of t <= 0. So all times are such as nobody writes. */
    check_range(e, 0.0013579246801, 1.0097531864209);
    check_range(e, -2.5024681357913, 3.1415926000123);
    check_range(e, 1.0000123456789, 1.5011223344557);
    if (!hol_expression_has_breakpoints(e, 0))
        return;
    check_breakpoints(e, 0.0013579246801, 1);
    check_breakpoints(e, -2.5024681357913, 4);
}

static void scope_create(HolArena *arena, Scope *scope)
{
    static const double x[] = {-1, 0, 0.25, 2}, y[] = {0, 3, -2, 1};
    HolMessage message;
    bool made = hol_table_create(arena, 4, x, y, false, &scope->linear, &message) == HOL_OK &&
                hol_table_create(arena, 4, x, y, true, &scope->cubic, &message) == HOL_OK;
    FUZZ_CHECK(made, "no tables: %s", message.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Scope scope;
    static HolArena *tables;
    if (!tables) {
        tables = hol_arena_create(); /* kept for all inputs */
        scope_create(tables, &scope);
    }
    HolSymbols symbols = {variables, VARIABLES, &scope, scope_parameter, scope_table, NULL};
    char *text = fuzz_text(data, size);
    HolArena *arena = hol_arena_create();
    HolExpression *expression = NULL;
    HolExpressionError error = {0};
    if (hol_expression_parse(text, &symbols, arena, &expression, &error) == HOL_OK)
        check_parsed(expression);
    else
        FUZZ_CHECK(error.offset >= 0 && (size_t)error.offset <= strlen(text), "the offset is %d", error.offset);
    fuzz_check_sentence(error.message.text);
    hol_arena_destroy(arena);
    free(text);
    return 0;
}
