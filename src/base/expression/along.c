/* SPDX-License-Identifier: BSD-3-Clause */
/* Expressions along the path of a step: each variable is a cubic between the ends. */
#include "base/expression/range_parts.h"

/* x = c[0] + c[1] theta + c[2] theta^2 + c[3] theta^3 */
HolRange hol_range_of_cubic(const double from[2], const double to[2], double a, double b)
{
    const double line = to[0] - from[0];
    const double c[4] = {from[0], from[1], 3 * line - 2 * from[1] - to[1], from[1] + to[1] - 2 * line};
    const double m = a + (b - a) / 2, turn = c[3] == 0 ? m : fmin(fmax(-c[2] / (3 * c[3]), a), b);
    HolRange r = {.value = {-HUGE_VAL, HUGE_VAL}, .known = true};
    const double at[] = {a, b, turn};
    double ends[2] = {HUGE_VAL, -HUGE_VAL};
    bounds_set(r.slope, ends);
    bounds_set(r.curvature, ends);
    for (int i = 0; i < 3; ++i) {
        double x = at[i], slope = c[1] + x * (2 * c[2] + 3 * x * c[3]);
        bounds_include(r.slope, slope);
        bounds_include(r.curvature, 2 * c[2] + 6 * c[3] * x);
        if (i < 2)
            bounds_include(ends, c[0] + x * (c[1] + x * (c[2] + x * c[3])));
    }
    r.middle = c[0] + m * (c[1] + m * (c[2] + m * c[3]));
    r.rate = c[1] + m * (2 * c[2] + 3 * m * c[3]);
    hol_range_narrow(&r, b - m);
    if (r.slope[0] >= 0 || r.slope[1] <= 0)
        bounds_set(r.value, ends);
    r.size = bounds_size(r.value);
    return r;
}

HolAlong hol_expression_along(const HolExpression *expression, const HolCourse *variables, int count, double a,
                              double b)
{
    HolRange ranges[HOL_MOST_COURSES];
    for (int i = 0; i < count && i < HOL_MOST_COURSES; ++i)
        ranges[i] = hol_range_of_cubic(variables[i].from, variables[i].to, a, b);
    HolAlong along;
    HolRange f = hol_code_range_along(expression->code, expression->count, ranges, (b - a) / 2, &along.may_switch);
    bounds_set(along.value, f.value);
    bounds_set(along.slope, f.slope);
    along.middle = f.middle;
    return along;
}

bool hol_expression_depends(const HolExpression *expression, int first, int last)
{
    for (const HolInstruction *c = expression->code; c < expression->code + expression->count; ++c)
        if (c->kind == HOL_CODE_VARIABLE && c->variable >= first && c->variable <= last)
            return true;
    return false;
}
