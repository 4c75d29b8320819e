/* SPDX-License-Identifier: BSD-3-Clause */
/* The words and numbers of an expression. */
#ifndef HOLON_BASE_EXPRESSION_SCAN_H
#define HOLON_BASE_EXPRESSION_SCAN_H

#include <stdbool.h>

typedef struct HolToken {
    enum { HOL_TOKEN_END, HOL_TOKEN_NUMBER, HOL_TOKEN_NAME, HOL_TOKEN_SIGN } kind;
    int start, length; /* in the text */
} HolToken;

/* The token at or after `start`. Bytes beyond ASCII count as letters; .nan and .inf are names. */
HolToken hol_token_at(const char *text, int start);
bool hol_token_is(const char *text, HolToken token, const char *word);

int hol_decimal_length(const char *text); /* of the number that the text begins with, without sign; 0: none */
/* Correctly rounded, whatever the locale; infinite if too large. */
double hol_decimal_value(const char *text, int length);

#endif
