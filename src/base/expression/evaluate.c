/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/expression/code.h"

#include <math.h>

int hol_code_chosen(const double *values, int count, int stride)
{
    int i = 0;
    for (; i + 1 < count; i += 2) {
        double condition = values[i * stride];
        if (isnan(condition))
            return -1;
        if (condition != 0)
            return i + 1;
    }
    return i;
}

static double choice_value(const double *values, int count)
{
    int i = hol_code_chosen(values, count, 1);
    return i < 0 ? NAN : values[i];
}

static HolJet choice_jet(const HolJet *values, int count)
{
    int i = hol_code_chosen(&values->f, count, sizeof(HolJet) / sizeof(double));
    return i < 0 ? (HolJet){NAN, NAN, NAN} : values[i];
}

double hol_code_value(const HolInstruction *code, int count, const double *x)
{
    double stack[HOL_CODE_STACK], *top = stack; /* one past the topmost value */
    for (const HolInstruction *c = code; c < code + count; c++) {
        switch (c->kind) {
        case HOL_CODE_NUMBER: *top++ = c->number; break;
        case HOL_CODE_VARIABLE: *top++ = x[c->variable]; break;
        case HOL_CODE_UNARY: top[-1] = c->operation->value(top[-1]); break;
        case HOL_CODE_BINARY:
            top--;
            top[-1] = c->operation->value2(top[-1], top[0]);
            break;
        case HOL_CODE_CHOICE:
            top -= c->count - 1;
            top[-1] = choice_value(top - 1, c->count);
            break;
        case HOL_CODE_TABLE: top[-1] = hol_table_jet(c->table, (HolJet){top[-1], 0, 0}).f; break;
        }
    }
    return stack[0];
}

static HolJet unary_jet(const HolOperation *operation, HolJet x)
{
    return operation->jet ? operation->jet(x) : (HolJet){operation->value(x.f), 0, 0};
}

static HolJet binary_jet(const HolOperation *operation, HolJet a, HolJet b)
{
    return operation->jet2 ? operation->jet2(a, b) : (HolJet){operation->value2(a.f, b.f), 0, 0};
}

static inline HolJet *apply_jet(const HolInstruction *c, const HolJet *x, HolJet *top)
{
    switch (c->kind) {
    case HOL_CODE_NUMBER: *top++ = (HolJet){c->number, 0, 0}; break;
    case HOL_CODE_VARIABLE: *top++ = x[c->variable]; break;
    case HOL_CODE_UNARY: top[-1] = unary_jet(c->operation, top[-1]); break;
    case HOL_CODE_BINARY:
        top--;
        top[-1] = binary_jet(c->operation, top[-1], top[0]);
        break;
    case HOL_CODE_CHOICE:
        top -= c->count - 1;
        top[-1] = choice_jet(top - 1, c->count);
        break;
    case HOL_CODE_TABLE: top[-1] = hol_table_jet(c->table, top[-1]); break;
    }
    return top;
}

HolJet *hol_code_apply(const HolInstruction *instruction, const HolJet *x, HolJet *top)
{
    return apply_jet(instruction, x, top);
}

static HolJet code_jet(const HolInstruction *code, int count, const HolJet *x)
{
    HolJet stack[HOL_CODE_STACK], *top = stack; /* one past the topmost value */
    for (const HolInstruction *c = code; c < code + count; c++)
        top = apply_jet(c, x, top);
    return stack[0];
}

double hol_expression_value(const HolExpression *expression, const double *x)
{
    return hol_code_value(expression->code, expression->count, x);
}

HolJet hol_expression_jet(const HolExpression *expression, const HolJet *x)
{
    return code_jet(expression->code, expression->count, x);
}

HolDimension hol_expression_dimension(const HolExpression *expression)
{
    return expression->dimension;
}

bool hol_expression_is_constant(const HolExpression *expression)
{
    return expression->count == 1 && expression->code[0].kind == HOL_CODE_NUMBER;
}
