/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/expression/parser.h"

#include "base/format.h"
#include "base/message.h"
#include "base/units.h"

#include <stdarg.h>

static const HolOperator operators[] = {
    {"or", HOL_LEVEL_OR},         {"and", HOL_LEVEL_AND},       {"<", HOL_LEVEL_COMPARISON},
    {"<=", HOL_LEVEL_COMPARISON}, {">", HOL_LEVEL_COMPARISON},  {">=", HOL_LEVEL_COMPARISON},
    {"==", HOL_LEVEL_COMPARISON}, {"!=", HOL_LEVEL_COMPARISON}, {"+", HOL_LEVEL_SUM},
    {"-", HOL_LEVEL_SUM},         {"*", HOL_LEVEL_PRODUCT},     {"/", HOL_LEVEL_PRODUCT},
};

/* Operators of other languages, for suggestions. */
static const struct {
    const char *sign, *meant;
} foreign[] = {{"**", "^"}, {"&&", "and"}, {"||", "or"}, {"!", "not"}, {"=", "=="}};

/* Tokens */

const char *hol_parser_text(const HolParser *p, HolToken token)
{
    return p->build.text + token.start;
}

HolName hol_parser_name(const HolParser *p, HolToken token)
{
    return (HolName){hol_parser_text(p, token), (size_t)token.length};
}

void hol_parser_advance(HolParser *p)
{
    p->last = p->token;
    p->build.end = p->token.start + p->token.length;
    p->token = hol_token_at(p->build.text, p->build.end);
}

HolToken hol_parser_after(const HolParser *p, HolToken token)
{
    return hol_token_at(p->build.text, token.start + token.length);
}

bool hol_parser_token_is(const HolParser *p, HolToken token, const char *word)
{
    return hol_token_is(p->build.text, token, word);
}

bool hol_parser_next_is(const HolParser *p, const char *word)
{
    return hol_parser_token_is(p, p->token, word);
}

const HolOperator *hol_parser_operator(const HolParser *p, HolToken token)
{
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++) {
        if (hol_parser_token_is(p, token, operators[i].sign))
            return &operators[i];
    }
    return NULL;
}

bool hol_parser_is_name(const HolParser *p, HolToken token)
{
    return token.kind == HOL_TOKEN_NAME && !hol_parser_operator(p, token) && !hol_parser_token_is(p, token, "not");
}

bool hol_parser_is_call(const HolParser *p, HolToken name)
{
    return hol_parser_token_is(p, hol_parser_after(p, name), "(");
}

bool hol_parser_calls_function(const HolParser *p, HolToken name)
{
    return hol_parser_is_call(p, name) && hol_name_is_function(p->symbols, hol_parser_name(p, name));
}

bool hol_parser_is_unit(const HolParser *p, HolToken token)
{
    return hol_parser_is_name(p, token) && hol_unit_exists(hol_parser_text(p, token), (size_t)token.length) &&
           !hol_name_is_value(p->symbols, hol_parser_name(p, token)) && !hol_parser_calls_function(p, token);
}

/* Failures */

HolStatus hol_parser_fail(HolParser *p, HolToken at, const char *format, ...)
{
    HolMessage *message = hol_build_error(&p->build, at.start);
    va_list arguments;
    va_start(arguments, format);
    hol_vformat(message->text, sizeof message->text, format, arguments);
    va_end(arguments);
    hol_make_printable(message->text);
    return HOL_BAD_INPUT;
}

HolStatus hol_parser_unexpected(HolParser *p)
{
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++) {
        if (hol_parser_next_is(p, foreign[i].sign))
            return hol_parser_fail(p, p->token, "unexpected '%s' (did you mean '%s'?)", foreign[i].sign,
                                   foreign[i].meant);
    }
    unsigned char first = (unsigned char)*hol_parser_text(p, p->token);
    if (first < ' ' || first == 0x7f)
        return hol_parser_fail(p, p->token, "unexpected control character %d", first);
    return hol_parser_fail(p, p->token, "unexpected '%.*s'", HOL_QUOTE(p, p->token));
}

HolStatus hol_parser_missing_value(HolParser *p)
{
    bool begins = p->last.length == 0, ends = p->token.kind == HOL_TOKEN_END;
    bool is_known = hol_parser_operator(p, p->token) || hol_parser_next_is(p, ")") || hol_parser_next_is(p, ",") ||
                    hol_parser_next_is(p, "^");
    if (begins && ends)
        return hol_parser_fail(p, p->token, "a number is expected");
    if (!begins && (ends || is_known))
        return hol_parser_fail(p, p->last, "a value is expected after '%.*s'", HOL_QUOTE(p, p->last));
    return hol_parser_unexpected(p);
}

HolStatus hol_parser_misplaced(HolParser *p, bool in_parentheses)
{
    if (p->token.kind == HOL_TOKEN_END && in_parentheses)
        return hol_parser_fail(p, p->token, "')' is missing");
    if (hol_parser_is_unit(p, p->token))
        return hol_parser_fail(p, p->token, "the unit '%.*s' must follow a number", HOL_QUOTE(p, p->token));
    if (p->token.kind == HOL_TOKEN_NUMBER || p->token.kind == HOL_TOKEN_NAME || hol_parser_next_is(p, "("))
        return hol_parser_fail(p, p->token, "an operator is missing before '%.*s'", HOL_QUOTE(p, p->token));
    return hol_parser_unexpected(p);
}

HolStatus hol_parser_expect_close(HolParser *p)
{
    if (!hol_parser_next_is(p, ")"))
        return hol_parser_misplaced(p, true);
    hol_parser_advance(p);
    return HOL_OK;
}
