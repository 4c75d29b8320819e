/* SPDX-License-Identifier: BSD-3-Clause */
/* The letters and digits of ASCII. Those of <ctype.h> depend on the locale of the process. */
#ifndef HOLON_BASE_LETTERS_H
#define HOLON_BASE_LETTERS_H

#include <stdbool.h>

static inline bool hol_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool hol_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline bool hol_is_letter_or_digit(char c)
{
    return hol_is_letter(c) || hol_is_digit(c);
}

static inline char hol_small_letter(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

#endif
