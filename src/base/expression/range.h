/* SPDX-License-Identifier: BSD-3-Clause */
/* The range of an expression over an interval of time a <= t <= b, by interval arithmetic on values and slopes, and
 * which pieces of its functions it passes there. The mean value theorem narrows each range:
 *
 *     f(t) = f(m) + f'(s) (t - m),   m = (a + b) / 2,  s in [a, b]                                           (1) */
#ifndef HOLON_BASE_EXPRESSION_RANGE_H
#define HOLON_BASE_EXPRESSION_RANGE_H

#include "base/expression/code.h"

#include <stdint.h>

typedef struct HolRange {
    double value[2], slope[2]; /* {lowest, highest} */
    double middle;             /* the value at m; NAN if it is not known */
    uint64_t piece;            /* a number of the combination of pieces at m */
    double size;               /* of the terms that it is a sum of, for rounding */
    int switches;              /* how often the piece may change in the interval: 0, 1, or 2 for more */
    bool known;                /* it depends on time alone */
} HolRange;

HolRange hol_code_range(const HolInstruction *code, int count, int variable, double a, double b);

#endif
