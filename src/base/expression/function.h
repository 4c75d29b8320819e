/* SPDX-License-Identifier: BSD-3-Clause */
/* A value that users give as a number or as an expression in named variables. */
#ifndef HOLON_BASE_EXPRESSION_FUNCTION_H
#define HOLON_BASE_EXPRESSION_FUNCTION_H

#include "base/expression/expression.h"

typedef struct HolFunction {
    const HolExpression *expression; /* NULL: constant */
    double constant;
} HolFunction;

/* x: the variables in the order in which they were declared. */
static inline double hol_function_value(const HolFunction *f, const double *x)
{
    return f->expression ? hol_expression_value(f->expression, x) : f->constant;
}

static inline HolJet hol_function_jet(const HolFunction *f, const HolJet *x)
{
    return f->expression ? hol_expression_jet(f->expression, x) : (HolJet){f->constant, 0, 0};
}

/* Of time alone. */
static inline HolJet hol_function_at(const HolFunction *f, double t)
{
    HolJet at = {t, 1, 0};
    return hol_function_jet(f, &at);
}

#endif
