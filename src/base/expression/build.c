/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/expression/build.h"

#include "base/expression/rules.h"
#include "base/message.h"

#include <math.h>
#include <string.h>

HolMessage *hol_build_error(HolBuild *build, int offset)
{
    build->error->offset = offset;
    return &build->error->message;
}

int hol_build_shown(const char *text, int length)
{
    enum { LONGEST = 60 };
    if (length <= LONGEST)
        return length;
    int shown = LONGEST;
    while (shown > 0 && ((unsigned char)text[shown] & 0xc0) == 0x80) /* not in the middle of a character */
        shown--;
    return shown;
}

static HolStatus too_long(HolBuild *build, int at)
{
    return hol_fail(hol_build_error(build, at), HOL_BAD_INPUT, "the expression is too long");
}

static HolOperand *operand(const HolBuild *build, int count, int i) /* of the last `count` values */
{
    return &build->operands[build->operand_count - count + i];
}

static int code_end(const HolBuild *build, const HolOperand *o)
{
    bool last = o == &build->operands[build->operand_count - 1];
    return last ? build->code_count : o[1].code;
}

static bool build_is_constant(const HolBuild *build, const HolOperand *o)
{
    return code_end(build, o) == o->code + 1 && build->code[o->code].kind == HOL_CODE_NUMBER;
}

/* Leaves */

static HolStatus build_push(HolBuild *build, int start, HolInstruction instruction, HolDimension dimension)
{
    if (build->code_count == HOL_BUILD_LONGEST)
        return too_long(build, start);
    build->operands[build->operand_count++] =
        (HolOperand){.code = build->code_count, .start = start, .depth = 1, .dimension = dimension};
    build->code[build->code_count++] = instruction;
    return HOL_OK;
}

static void note_infinite(HolBuild *build, HolOperand *o)
{
    if (build_is_constant(build, o) && !isfinite(build->code[o->code].number) && o->infinite.length == 0)
        o->infinite = (HolSpan){o->start, build->end - o->start};
}

HolStatus hol_build_number(HolBuild *build, int start, double number, HolDimension dimension)
{
    HOL_TRY(build_push(build, start, (HolInstruction){.kind = HOL_CODE_NUMBER, .number = number}, dimension));
    note_infinite(build, operand(build, 1, 0));
    return HOL_OK;
}

HolStatus hol_build_variable(HolBuild *build, int start, int variable)
{
    HolInstruction instruction = {.kind = HOL_CODE_VARIABLE, .variable = variable};
    return build_push(build, start, instruction, (HolDimension){.state = HOL_FREE});
}

/* Operations */

/* Merges the last `count` operands into the first of them; returns whether all are constant. */
static bool join(HolBuild *build, int count, int start)
{
    bool constant = true;
    HolOperand *whole = operand(build, count, 0);
    for (int i = 0; i < count; i++) {
        const HolOperand *o = operand(build, count, i);
        constant = constant && build_is_constant(build, o);
        if (o->depth + i > whole->depth)
            whole->depth = o->depth + i;
        if (whole->infinite.length == 0)
            whole->infinite = o->infinite;
    }
    whole->start = start;
    return constant;
}

/* Replaces the last values by the result of an instruction that takes them all, or, repeated, two at a time. */
static HolStatus build_replace(HolBuild *build, int count, int start, HolInstruction instruction,
                               HolDimension dimension)
{
    int times = instruction.kind == HOL_CODE_BINARY ? count - 1 : 1;
    bool constant = join(build, count, start);
    HolOperand *whole = operand(build, count, 0);
    if (whole->depth > HOL_CODE_STACK || build->code_count + times > HOL_BUILD_LONGEST)
        return too_long(build, start);
    for (int i = 0; i < times; i++)
        build->code[build->code_count++] = instruction;
    build->operand_count -= count - 1;
    whole->dimension = dimension;
    if (constant) {
        double value = hol_code_value(build->code + whole->code, build->code_count - whole->code, NULL);
        build->code[whole->code] = (HolInstruction){.kind = HOL_CODE_NUMBER, .number = value};
        build->code_count = whole->code + 1;
        whole->depth = 1;
    }
    note_infinite(build, whole);
    return HOL_OK;
}

/* Of the last `count` values keeps `kept`, beginning with number `first` of them. */
static void build_keep(HolBuild *build, int count, int first, int kept)
{
    HolOperand *to = operand(build, count, 0), *from = operand(build, count, first);
    int begin = from->code, end = code_end(build, from + kept - 1), shift = begin - to->code;
    memmove(build->code + to->code, build->code + begin, (size_t)(end - begin) * sizeof build->code[0]);
    memmove(to, from, (size_t)kept * sizeof *to);
    for (int i = 0; i < kept; i++)
        to[i].code -= shift;
    build->code_count = end - shift;
    build->operand_count -= count - kept;
}

/* Removes leading conditions that are constant, with the values they exclude. Returns the number of values left. */
static int decide(HolBuild *build, int count)
{
    while (count > 1) {
        const HolOperand *condition = operand(build, count, 0);
        if (!build_is_constant(build, condition) || condition->infinite.length > 0)
            return count;
        bool holds = build->code[condition->code].number != 0;
        int left = holds ? 1 : count - 2;
        build_keep(build, count, holds ? 1 : 2, left);
        count = left;
    }
    return count;
}

static HolStatus build_choice(HolBuild *build, const HolOperation *choice, int count, int start)
{
    HolDimension dimension = operand(build, count, 1)->dimension;
    for (int i = 2; i < count; i++) {
        const HolOperand *o = operand(build, count, i);
        bool condition = i % 2 == 0 && i < count - 1;
        if (!condition)
            HOL_TRY(hol_rule_merge(choice, dimension, o->dimension, &dimension, hol_build_error(build, o->start)));
    }
    count = decide(build, count);
    HolInstruction instruction = {.kind = HOL_CODE_CHOICE, .count = count};
    if (count > 1)
        return build_replace(build, count, start, instruction, dimension);
    operand(build, 1, 0)->start = start;
    operand(build, 1, 0)->dimension = dimension;
    return HOL_OK;
}

HolStatus hol_build_table(HolBuild *build, const HolTable *table, int start)
{
    HolInstruction instruction = {.kind = HOL_CODE_TABLE, .table = table};
    return build_replace(build, 1, start, instruction, (HolDimension){.state = HOL_FREE});
}

/* Value number i of a table(x, x1, y1, ...), a constant that agrees with the others of its column. */
static HolStatus table_entry(HolBuild *build, const HolOperation *operation, int count, int i, HolDimension *column,
                             double *entry)
{
    const HolOperand *o = operand(build, count, i);
    HolMessage *message = hol_build_error(build, o->start);
    if (!build_is_constant(build, o))
        return hol_fail(message, HOL_BAD_INPUT, "the points of 'table' must be constant");
    *entry = build->code[o->code].number;
    return hol_rule_merge(operation, *column, o->dimension, column, message);
}

static HolStatus create_table(HolBuild *build, int count, const double *x, const double *y, int at, HolTable **table)
{
    if (!build->arena) {
        build->arena = hol_arena_create();
        build->owns_arena = build->arena != NULL;
    }
    if (!build->arena)
        return hol_fail(hol_build_error(build, at), HOL_NO_MEMORY, "out of memory");
    return hol_table_create(build->arena, count, x, y, false, table, hol_build_error(build, at));
}

static HolStatus build_points(HolBuild *build, const HolOperation *operation, int count, int start, int at)
{
    double x[HOL_BUILD_LONGEST / 2], y[HOL_BUILD_LONGEST / 2];
    HolDimension abscissa = operand(build, count, 0)->dimension, ordinate = {.state = HOL_PURE};
    HolTable *table;
    int points = (count - 1) / 2;
    for (int i = 0; i < points; i++) {
        HOL_TRY(table_entry(build, operation, count, 1 + 2 * i, &abscissa, &x[i]));
        HOL_TRY(table_entry(build, operation, count, 2 + 2 * i, &ordinate, &y[i]));
    }
    HOL_TRY(create_table(build, points, x, y, at, &table));
    build_keep(build, count, 0, 1);
    HOL_TRY(hol_build_table(build, table, start));
    operand(build, 1, 0)->dimension = ordinate;
    return HOL_OK;
}

static HolStatus find_dimension(HolBuild *build, const HolOperation *operation, int count, int at,
                                HolDimension *dimension)
{
    const HolOperand *first = operand(build, count, 0), *second = first + (count > 1);
    double exponent = build_is_constant(build, second) ? build->code[second->code].number : NAN;
    HolDimension result = first->dimension;
    if (count == 1)
        HOL_TRY(hol_rule_of_one(operation, first->dimension, &result, hol_build_error(build, first->start)));
    for (int i = 1; i < count; i++)
        HOL_TRY(hol_rule_of_two(operation, result, first[i].dimension, exponent, &result, hol_build_error(build, at)));
    *dimension = result;
    return HOL_OK;
}

HolStatus hol_build_operation(HolBuild *build, const HolOperation *operation, int count, int start, int at)
{
    if (operation->kind == HOL_CODE_CHOICE)
        return build_choice(build, operation, count, start);
    if (operation->kind == HOL_CODE_TABLE)
        return build_points(build, operation, count, start, at);
    HolDimension dimension;
    HOL_TRY(find_dimension(build, operation, count, at, &dimension));
    HolInstruction instruction = {.kind = operation->kind, .operation = operation};
    return build_replace(build, count, start, instruction, dimension);
}

HolStatus hol_build_finish(HolBuild *build)
{
    HolSpan span = operand(build, 1, 0)->infinite;
    const char *quoted = build->text + span.start;
    if (span.length > 0)
        return hol_fail(hol_build_error(build, span.start), HOL_BAD_INPUT, "'%.*s' is not a finite number",
                        hol_build_shown(quoted, span.length), quoted);
    return HOL_OK;
}
