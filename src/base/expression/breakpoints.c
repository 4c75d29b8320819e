/* SPDX-License-Identifier: BSD-3-Clause */
/* The search for the next breakpoint: intervals of time from left to right, each halved until its range shows that the
 * expression stays on its piece, or changes it at most once. Then its two ends decide, and bisection finds the time to
 * the last digit. So no pulse is missed, however short, unless the functions are indistinguishable from their
 * thresholds to rounding, or so wild that MOST_INTERVALS do not suffice. */
#include "base/expression/range.h"
#include "base/tolerances.h"

#include <math.h>

enum { MOST_INTERVALS = 20000, DEEPEST = 100 };

typedef struct Search {
    const HolExpression *expression;
    int variable;
    uint64_t piece; /* where it begins */
} Search;

static HolRange search_range(const Search *s, double a, double b)
{
    return hol_code_range(s->expression->code, s->expression->count, s->variable, a, b);
}

static bool search_has_left(const Search *s, double t)
{
    return search_range(s, t, t).piece != s->piece;
}

/* The first time of the new piece: a is on the old one, b is not. */
static double search_bisect(const Search *s, double a, double b)
{
    for (;;) {
        double middle = a + (b - a) / 2;
        if (!(a < middle && middle < b))
            return b;
        if (search_has_left(s, middle))
            b = middle;
        else
            a = middle;
    }
}

double hol_expression_find_breakpoint(const HolExpression *expression, int variable, double t, double until,
                                      int *intervals)
{
    Search s = {expression, variable, 0};
    double ends[DEEPEST] = {until}, a = t; /* a: up to where it is clear; the next interval ends at the last of ends */
    int count = until > t;
    s.piece = search_range(&s, t, t).piece;
    for (; count > 0 && *intervals > 0; --*intervals) {
        double b = ends[count - 1];
        bool is_narrow = b - a <= HOL_ROUNDINGS(4) * fmax(fmax(fabs(a), fabs(b)), until - t);
        if (!is_narrow && count < DEEPEST && search_range(&s, a, b).switches > 1) {
            ends[count++] = a + (b - a) / 2;
            continue;
        }
        if (search_has_left(&s, b))
            return search_bisect(&s, a, b);
        a = b;
        --count;
    }
    return HUGE_VAL;
}

double hol_expression_next_breakpoint(const HolExpression *expression, int variable, double t, double until)
{
    int intervals = MOST_INTERVALS;
    return hol_expression_find_breakpoint(expression, variable, t, until, &intervals);
}

static bool instruction_switches(const HolInstruction *c)
{
    if (c->kind == HOL_CODE_CHOICE || c->kind == HOL_CODE_TABLE)
        return true;
    return (c->kind == HOL_CODE_UNARY || c->kind == HOL_CODE_BINARY) &&
           (c->operation->shape >= HOL_SHAPE_ABS || c->operation->shape == HOL_SHAPE_ATAN2);
}

bool hol_expression_has_breakpoints(const HolExpression *expression, int variable)
{
    bool depends = false, switches = false;
    for (const HolInstruction *c = expression->code; c < expression->code + expression->count; c++) {
        depends = depends || (c->kind == HOL_CODE_VARIABLE && c->variable == variable);
        switches = switches || instruction_switches(c);
    }
    return depends && switches;
}
