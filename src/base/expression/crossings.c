/* SPDX-License-Identifier: BSD-3-Clause */
/* Zero crossings of the switches of an expression:
 *
 *     a < b, min(a, b), ...       g = a - b
 *     abs(x), sign(x), step(x)    g = x
 *     floor(x), ceil(x)           g = the distance of x from the nearest whole number, its sign changing from one to
 *     mod(a, b), x = a/b              the next                                                              (1) */
#include "base/expression/code.h"

#include <math.h>

/* (1) */
static HolJet distance_from_whole(HolJet x)
{
    double below = floor(x.f), sign = fmod(below, 2) == 0 ? 1 : -1;
    bool is_low = x.f - below < 0.5;
    double factor = is_low ? sign : -sign;
    return (HolJet){factor * (x.f - (is_low ? below : below + 1)), factor * x.d, 0};
}

/* The g of an operation on the topmost values. */
static HolJet crossing_of(const HolOperation *operation, const HolJet *top)
{
    HolJet x = top[-1];
    if (operation->shape == HOL_SHAPE_ABS)
        return x;
    if (operation->shape == HOL_SHAPE_STAIRS)
        return operation->value(2) == 1 ? x : distance_from_whole(x);
    HolJet a = top[-2], b = top[-1];
    if (operation->shape == HOL_SHAPE_MODULO)
        return distance_from_whole((HolJet){a.f / b.f, (a.d - a.f / b.f * b.d) / b.f, 0});
    return (HolJet){a.f - b.f, a.d - b.d, 0};
}

static bool has_crossing(const HolInstruction *c)
{
    if (c->kind != HOL_CODE_UNARY && c->kind != HOL_CODE_BINARY)
        return false;
    switch (c->operation->shape) {
    case HOL_SHAPE_ABS:
    case HOL_SHAPE_STAIRS:
    case HOL_SHAPE_LOWER:
    case HOL_SHAPE_UPPER:
    case HOL_SHAPE_MODULO:
    case HOL_SHAPE_ORDER: return true;
    default: return false;
    }
}

int hol_expression_crossings(const HolExpression *expression, int variable, const HolJet *x, HolJet *g)
{
    HolJet stack[HOL_CODE_STACK], *top = stack;
    bool depends[HOL_CODE_STACK]; /* of each value on the stack, whether it depends on more than time */
    int count = 0, height = 0;
    for (const HolInstruction *c = expression->code; c < expression->code + expression->count; c++) {
        int operands = hol_code_operands(c);
        bool any = c->kind == HOL_CODE_VARIABLE && c->variable != variable;
        for (int i = 0; i < operands; ++i)
            any = depends[--height] || any;
        depends[height++] = any;
        if (any && has_crossing(c) && count < HOL_MAX_CROSSINGS) {
            if (g)
                g[count] = crossing_of(c->operation, top);
            ++count;
        }
        if (g)
            top = hol_code_apply(c, x, top);
    }
    return count;
}
