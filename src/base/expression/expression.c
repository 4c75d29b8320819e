/* SPDX-License-Identifier: BSD-3-Clause */
/* The parser: recursive descent over
 *
 *     expression  = operand { operator operand }       or < and < not < comparisons < + - < * /
 *     operand     = "not" expression | unary
 *     unary       = ("-" | "+") unary | primary [ "^" unary ]
 *     primary     = number [ unit ] | name | name "(" [ values ] ")" | "(" expression ")"
 *     values      = expression { "," expression }
 *     unit        = name [ "^" whole ] { ("*" | "/") name [ "^" whole ] }
 *
 * A name directly after a number is always a unit, also if a parameter has that name: with g = 9.81, `2 g` are two
 * grams and `2*g` is 19.62. A following `*name` or `/name` belongs to the unit if name is a unit and is neither a
 * variable, parameter or constant nor a function that is called: `5 N*m` is a torque, but if m is a parameter, five
 * newtons times m; `3 m*min(1, 2)` is a product. `1/2 m` is 1/(2 m). */
#include "base/expression/expression.h"

#include "base/expression/names.h"
#include "base/expression/parser.h"
#include "base/message.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 100 }; /* parentheses in parentheses */

/* Recursion ends before the stack does. */
static HolStatus enter(HolParser *p)
{
    if (p->depth++ > DEEPEST)
        return hol_parser_fail(p, p->token, "the expression is nested too deeply");
    return HOL_OK;
}

/* Operators */

static HolStatus expression_apply(HolParser *p, HolToken sign, int count, int start)
{
    const char *text = hol_parser_text(p, sign);
    bool is_minus = count == 1 && *text == '-';
    const HolOperation *operation =
        is_minus ? hol_operation_find("-x", 2) : hol_operation_find(text, (size_t)sign.length);
    return hol_build_operation(&p->build, operation, count, start, sign.start);
}

static int start_of_last(const HolParser *p)
{
    return p->build.operands[p->build.operand_count - 1].start;
}

static HolStatus parse_parentheses(HolParser *p)
{
    int start = p->token.start;
    hol_parser_advance(p);
    HOL_TRY(hol_parse_expression(p, HOL_LEVEL_OR));
    HOL_TRY(hol_parser_expect_close(p));
    p->build.operands[p->build.operand_count - 1].start = start;
    return HOL_OK;
}

static HolStatus parse_primary(HolParser *p)
{
    if (p->token.kind == HOL_TOKEN_NUMBER)
        return hol_parse_number(p);
    if (hol_parser_is_name(p, p->token))
        return hol_parser_is_call(p, p->token) ? hol_parse_call(p) : hol_parse_name(p);
    return hol_parser_next_is(p, "(") ? parse_parentheses(p) : hol_parser_missing_value(p);
}

static HolStatus parse_unary(HolParser *p)
{
    HolToken sign = p->token;
    HOL_TRY(enter(p));
    if (hol_parser_next_is(p, "-") || hol_parser_next_is(p, "+")) {
        hol_parser_advance(p);
        HOL_TRY(parse_unary(p));
        if (hol_parser_token_is(p, sign, "-"))
            HOL_TRY(expression_apply(p, sign, 1, sign.start));
    } else {
        HOL_TRY(parse_primary(p));
        int start = start_of_last(p);
        sign = p->token;
        if (hol_parser_next_is(p, "^")) {
            hol_parser_advance(p);
            HOL_TRY(parse_unary(p));
            HOL_TRY(expression_apply(p, sign, 2, start));
        }
    }
    p->depth--;
    return HOL_OK;
}

static HolStatus parse_operand(HolParser *p, HolLevel level)
{
    HolToken word = p->token;
    if (!hol_parser_next_is(p, "not"))
        return parse_unary(p);
    if (level > HOL_LEVEL_NOT)
        return hol_parser_fail(p, word, "'not' must be in parentheses here");
    HOL_TRY(enter(p));
    hol_parser_advance(p);
    HOL_TRY(hol_parse_expression(p, HOL_LEVEL_NOT));
    p->depth--;
    return expression_apply(p, word, 1, word.start);
}

HolStatus hol_parse_expression(HolParser *p, HolLevel level)
{
    HOL_TRY(parse_operand(p, level));
    int start = start_of_last(p);
    bool compared = false;
    for (const HolOperator *o; (o = hol_parser_operator(p, p->token)) && o->level >= level;) {
        HolToken sign = p->token;
        if (compared && o->level == HOL_LEVEL_COMPARISON)
            return hol_parser_fail(p, sign, "comparisons do not chain (write 'a < b and b < c')");
        hol_parser_advance(p);
        HOL_TRY(hol_parse_expression(p, o->level + 1));
        HOL_TRY(expression_apply(p, sign, 2, start));
        compared = o->level == HOL_LEVEL_COMPARISON;
    }
    return HOL_OK;
}

static HolStatus parse(HolParser *p)
{
    p->token = hol_token_at(p->build.text, 0);
    HOL_TRY(hol_parse_expression(p, HOL_LEVEL_OR));
    if (p->token.kind != HOL_TOKEN_END)
        return hol_parser_misplaced(p, false);
    return hol_build_finish(&p->build);
}

/* The interface. Looking up a parameter may parse another expression, and so on, so the working memory is on the heap.
 * */

typedef struct Work {
    HolParser parser;
    HolInstruction code[HOL_BUILD_LONGEST];
    HolOperand operands[HOL_BUILD_LONGEST];
    HolExpressionError ignored;
} Work;

static HolStatus start_work(const char *text, HolArena *arena, HolExpressionError *error, Work **work)
{
    Work *w = *work = malloc(sizeof *w);
    if (!w)
        return hol_fail(error ? &error->message : NULL, HOL_NO_MEMORY, "out of memory");
    w->parser = (HolParser){.build = {.text = text, .code = w->code, .operands = w->operands, .arena = arena}};
    w->parser.build.error = error ? error : &w->ignored;
    return HOL_OK;
}

static HolStatus keep_code(const HolBuild *build, HolArena *arena, HolExpression **expression)
{
    size_t size = (size_t)build->code_count * sizeof build->code[0];
    HolExpression *kept = hol_arena_alloc(arena, sizeof *kept + size);
    if (!kept)
        return hol_fail(&build->error->message, HOL_NO_MEMORY, "out of memory");
    kept->dimension = build->operands[0].dimension;
    kept->count = build->code_count;
    memcpy(kept->code, build->code, size);
    *expression = kept;
    return HOL_OK;
}

HolStatus hol_expression_parse(const char *text, const HolSymbols *symbols, HolArena *arena, HolExpression **expression,
                               HolExpressionError *error)
{
    static const HolSymbols none;
    Work *work;
    HOL_TRY(start_work(text, arena, error, &work));
    work->parser.symbols = symbols ? symbols : &none;
    HolStatus status = parse(&work->parser);
    if (status == HOL_OK)
        status = keep_code(&work->parser.build, arena, expression);
    free(work);
    return status;
}

/* Numbers without anything else need no parser. */
static bool is_plain_number(const char *text, double *value)
{
    const char *digits = text + (*text == '-' || *text == '+');
    int length = hol_decimal_length(digits);
    if (length == 0 || digits[length] != '\0')
        return false;
    double size = hol_decimal_value(digits, length);
    *value = *text == '-' ? -size : size;
    return isfinite(size);
}

HolStatus hol_number_parse(const char *text, const HolSymbols *symbols, double *value, HolDimension *dimension,
                           HolExpressionError *error)
{
    *dimension = (HolDimension){.state = HOL_PURE};
    if (is_plain_number(text, value))
        return HOL_OK;
    Work *work;
    HOL_TRY(start_work(text, NULL, error, &work));
    HolSymbols constant = symbols ? *symbols : (HolSymbols){0};
    constant.variable_count = 0;
    work->parser.symbols = &constant;
    HolStatus status = parse(&work->parser);
    if (status == HOL_OK) {
        assert(work->parser.build.code_count == 1);
        *value = work->code[0].number;
        *dimension = work->operands[0].dimension;
    }
    if (work->parser.build.owns_arena)
        hol_arena_destroy(work->parser.build.arena);
    free(work);
    return status;
}

bool hol_expression_knows(const char *name)
{
    const HolSymbols none = {0};
    HolName given = {name, strlen(name)};
    double value;
    return hol_name_constant(given, &value) || hol_name_is_function(&none, given);
}
