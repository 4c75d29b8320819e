/* SPDX-License-Identifier: BSD-3-Clause */
/* Code under construction: values that wait for their operation, each with its code, its dimension and its place.
 *
 * An operation is applied to the last values and leaves one. Where all of them are constant, it is computed at once. A
 * constant that is not finite is remembered and becomes an error in the end, unless a choice has left it out:
 * if(n > 0, 1/n, 0) is 0 for n = 0. */
#ifndef HOLON_BASE_EXPRESSION_BUILD_H
#define HOLON_BASE_EXPRESSION_BUILD_H

#include "base/expression/code.h"

enum { HOL_BUILD_LONGEST = 1000 }; /* instructions, and waiting values */

typedef struct HolSpan {
    int start, length; /* in the text */
} HolSpan;

typedef struct HolOperand {
    int code;  /* its first instruction; it ends where the next operand begins */
    int start; /* its first character */
    int depth; /* places of the stack that it takes */
    HolDimension dimension;
    HolSpan infinite; /* the constant in it that is not finite; length 0: none */
} HolOperand;

typedef struct HolBuild {
    const char *text;
    int end; /* of what has been read of the text */
    HolInstruction *code;
    HolOperand *operands;
    HolArena *arena; /* for tables in the expression */
    bool owns_arena; /* made here because there was none; the caller destroys it */
    HolExpressionError *error;
    int code_count, operand_count;
} HolBuild;

/* Sets the place of the error and returns its message: hol_fail(hol_build_error(build, offset), HOL_BAD_INPUT, ...). */
HolMessage *hol_build_error(HolBuild *build, int offset);
int hol_build_shown(const char *text, int length); /* how much of the text to quote, as the width of %.*s */

HolStatus hol_build_number(HolBuild *build, int start, double number, HolDimension dimension);
HolStatus hol_build_variable(HolBuild *build, int start, int variable);
/* Applies to the last `count` values. `start`: where the text of the whole begins; `at`: the operator or name. */
HolStatus hol_build_operation(HolBuild *build, const HolOperation *operation, int count, int start, int at);
HolStatus hol_build_table(HolBuild *build, const HolTable *table, int start);
/* Fails if a constant is not finite. */
HolStatus hol_build_finish(HolBuild *build);

#endif
