/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of an expression that depend on time alone. In postfix order the code of a part is contiguous. */
#include "base/expression/range.h"

/* A value on the stack: where its code begins, and what it depends on. */
typedef struct Value {
    int first, end; /* of its code; end is one past it */
    bool of_time, of_others;
} Value;

typedef struct Parts {
    const HolExpression *expression;
    int variable;
    HolTimePart *list;
    int most, count;
} Parts;

static void parts_add(Parts *parts, const Value *value)
{
    if (!value->of_time || value->of_others)
        return;
    if (parts->count < parts->most)
        parts->list[parts->count] =
            (HolTimePart){parts->expression, parts->variable, value->first, value->end - value->first, false};
    ++parts->count;
}

/* The value that an instruction makes of its operands, the last `count` values. Where it depends on other variables,
 * operands that do not are parts. */
static Value parts_join(Parts *parts, int at, const Value *operands, int count)
{
    const HolInstruction *c = &parts->expression->code[at];
    bool is_variable = c->kind == HOL_CODE_VARIABLE;
    Value joined = {count > 0 ? operands[0].first : at, at + 1, is_variable && c->variable == parts->variable,
                    is_variable && c->variable != parts->variable};
    for (int i = 0; i < count; ++i) {
        joined.of_time = joined.of_time || operands[i].of_time;
        joined.of_others = joined.of_others || operands[i].of_others;
    }
    for (int i = 0; i < count && joined.of_others; ++i)
        parts_add(parts, &operands[i]);
    return joined;
}

int hol_expression_time_parts(const HolExpression *expression, int variable, HolTimePart *list, int most)
{
    Parts parts = {expression, variable, list, most, 0};
    Value stack[HOL_CODE_STACK];
    int height = 0;
    for (int i = 0; i < expression->count; ++i) {
        int count = hol_code_operands(&expression->code[i]);
        height -= count;
        stack[height] = parts_join(&parts, i, &stack[height], count);
        ++height;
    }
    parts_add(&parts, &stack[0]);
    return parts.count;
}

void hol_time_part_bounds(const HolTimePart *part, double a, double b, double value[2], double slope[2], double *middle)
{
    HolRange range = hol_code_range(part->expression->code + part->first, part->count, part->variable, a, b);
    for (int i = 0; i < 2; ++i) {
        value[i] = part->is_rate ? range.slope[i] : range.value[i];
        slope[i] = part->is_rate ? range.curvature[i] : range.slope[i];
    }
    *middle = part->is_rate ? range.rate : range.middle;
}
