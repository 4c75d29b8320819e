/* SPDX-License-Identifier: BSD-3-Clause */
/* The shortest decimal number that is read as a given double (docs/decisions/0026-numbers-as-short-as-possible.md). */
#ifndef HOLON_IO_SHORTEST_H
#define HOLON_IO_SHORTEST_H

#include <stdint.h>

enum { HOL_FIRST_POWER = -292, HOL_LAST_POWER = 324 };

/* 10^j is g 2^e with 2^127 <= g < 2^128, for j from the first to the last; g is rounded up. */
extern const uint64_t hol_powers_of_ten[HOL_LAST_POWER - HOL_FIRST_POWER + 1][2];

/* n 10^exponent; n has at most 17 digits, and may end with zeros. */
typedef struct HolDecimal {
    uint64_t n;
    int exponent;
} HolDecimal;

/* Of the decimals with the fewest digits that are read as x, the one closest to x; x is finite and positive. */
HolDecimal hol_shortest_decimal(double x);

#endif
