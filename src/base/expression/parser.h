/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of the parser share: the next token, and sentences for what should not be there. */
#ifndef HOLON_BASE_EXPRESSION_PARSER_H
#define HOLON_BASE_EXPRESSION_PARSER_H

#include "base/expression/build.h"
#include "base/expression/names.h"
#include "base/expression/scan.h"

typedef struct HolParser {
    HolBuild build;
    const HolSymbols *symbols;
    HolToken token, last; /* the next one, and the one that was read before it */
    int depth;
} HolParser;

/* How tightly operators bind. */
typedef enum HolLevel {
    HOL_LEVEL_OR,
    HOL_LEVEL_AND,
    HOL_LEVEL_NOT,
    HOL_LEVEL_COMPARISON,
    HOL_LEVEL_SUM,
    HOL_LEVEL_PRODUCT,
    HOL_LEVEL_UNARY
} HolLevel;

typedef struct HolOperator {
    const char *sign;
    HolLevel level;
} HolOperator;

/* Each leaves one value in the build. */
HolStatus hol_parse_expression(HolParser *p, HolLevel level); /* with operators of this level and above */
HolStatus hol_parse_number(HolParser *p);                     /* and its unit */
HolStatus hol_parse_name(HolParser *p);
HolStatus hol_parse_call(HolParser *p);

/* Tokens */
void hol_parser_advance(HolParser *p);
HolToken hol_parser_after(const HolParser *p, HolToken token);
const char *hol_parser_text(const HolParser *p, HolToken token); /* not terminated */
HolName hol_parser_name(const HolParser *p, HolToken token);
bool hol_parser_token_is(const HolParser *p, HolToken token, const char *word);
bool hol_parser_next_is(const HolParser *p, const char *word);
const HolOperator *hol_parser_operator(const HolParser *p, HolToken token); /* of two values; NULL: it is none */
bool hol_parser_is_name(const HolParser *p, HolToken token);                /* any but the words and, or, not */
bool hol_parser_is_call(const HolParser *p, HolToken name);                 /* of whatever */
bool hol_parser_calls_function(const HolParser *p, HolToken name);
bool hol_parser_is_unit(const HolParser *p, HolToken token); /* and nothing else has that name */

/* Failures */
__attribute__((format(printf, 3, 4))) HolStatus hol_parser_fail(HolParser *p, HolToken at, const char *format, ...);
HolStatus hol_parser_missing_value(HolParser *p);
HolStatus hol_parser_unexpected(HolParser *p);
/* Where a value has ended, and what follows is no operator. */
HolStatus hol_parser_misplaced(HolParser *p, bool in_parentheses);
HolStatus hol_parser_expect_close(HolParser *p); /* reads ')' */

/* The two arguments of "%.*s". */
#define HOL_QUOTE(p, token) hol_build_shown(hol_parser_text(p, token), (token).length), hol_parser_text(p, token)

#endif
