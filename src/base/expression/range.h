/* SPDX-License-Identifier: BSD-3-Clause */
/* The range of an expression over an interval of time a <= t <= b, by interval arithmetic on values and two
 * derivatives, and which pieces of its functions it passes there. The mean value theorem narrows each range:
 *
 *     f(t)  = f(m)  + f'(s) (t - m),   m = (a + b) / 2,  s in [a, b]                                         (1)
 *     f'(t) = f'(m) + f''(s) (t - m)                                                                         (2) */
#ifndef HOLON_BASE_EXPRESSION_RANGE_H
#define HOLON_BASE_EXPRESSION_RANGE_H

#include "base/expression/code.h"

#include <stdint.h>

typedef struct HolRange {
    double value[2], slope[2], curvature[2]; /* {lowest, highest} of f, f', f'' */
    double middle, rate;                     /* f and f' at m; NAN if not known */
    uint64_t piece;                          /* a number of the combination of pieces at m */
    double size;                             /* of the terms that it is a sum of, for rounding */
    int switches;                            /* how often the piece may change in the interval: 0, 1, or 2 for more */
    bool known;                              /* it depends on time alone */
} HolRange;

/* Of time alone: the other variables are not known. */
HolRange hol_code_range(const HolInstruction *code, int count, int variable, double a, double b);

/* A variable along a cubic over the part theta = a ... b of a step, 0 <= a <= b <= 1, from its values and rates at both
 * ends; the rates are those of a step of size one. */
HolRange hol_range_of_cubic(const double from[2], const double to[2], double a, double b);

/* Of variables whose ranges over an interval of the given radius are known. *may_switch: whether a switch of more than
 * linear tables may change in it. */
HolRange hol_code_range_along(const HolInstruction *code, int count, const HolRange *variables, double radius,
                              bool *may_switch);

#endif
