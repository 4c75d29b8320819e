/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers as text. The digits are those of io/shortest.h; they are laid out as %g lays out 15 digits, or 16 or 17 where
 * the number has so many. */
#include <holon/number.h>

#include "base/expression/scan.h"
#include "io/shortest.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { PLAIN_DIGITS = 15, MOST_DIGITS = 17, DIGITS_SIZE = 2 * MOST_DIGITS };

static void two_digits(uint32_t n, char *to)
{
    static const char pairs[] = "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
                                "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
                                "8081828384858687888990919293949596979899";
    memcpy(to, pairs + 2 * (size_t)n, 2);
}

static void eight_digits(uint32_t n, char *to)
{
    const uint32_t upper = n / 10000, lower = n % 10000;
    two_digits(upper / 100, to);
    two_digits(upper % 100, to + 2);
    two_digits(lower / 100, to + 4);
    two_digits(lower % 100, to + 6);
}

/* All 17 digits of n > 0; the significant ones begin and end with others than 0. */
static void number_digits(uint64_t n, char text[DIGITS_SIZE], int *begin, int *end)
{
    const uint32_t upper = (uint32_t)(n / 100000000), lower = (uint32_t)(n % 100000000);
    text[0] = (char)('0' + upper / 100000000);
    eight_digits(upper % 100000000, text + 1);
    eight_digits(lower, text + 9);
    for (*begin = 0; text[*begin] == '0';)
        ++*begin;
    for (*end = MOST_DIGITS; text[*end - 1] == '0';)
        --*end;
}

/* As %g does: e-07, e+15, e-300 */
static char *number_exponent(char *to, int exponent)
{
    int size = exponent < 0 ? -exponent : exponent;
    *to++ = 'e';
    *to++ = exponent < 0 ? '-' : '+';
    if (size >= 100)
        *to++ = (char)('0' + size / 100);
    *to++ = (char)('0' + size / 10 % 10);
    *to++ = (char)('0' + size % 10);
    return to;
}

/* Plain if the exponent lies between -5 and the number of digits, else 1.5e-07. Returns the end. 17 bytes are copied
 * whatever the count is, because copies of a constant size are fast; the text has room for them. */
static char *number_layout(const char *digits, int count, int exponent, char *to)
{
    const bool plain = exponent >= -4 && exponent < (count > PLAIN_DIGITS ? count : PLAIN_DIGITS);
    const int whole = !plain ? 1 : exponent + 1; /* digits before the full stop */
    if (whole <= 0) {
        memcpy(to, "0.000", 5);
        memcpy(to + 2 - whole, digits, MOST_DIGITS);
        return to + 2 - whole + count;
    }
    memcpy(to + 1, digits, MOST_DIGITS);
    for (int i = 0; i < whole; ++i)
        to[i] = i < count ? digits[i] : '0';
    if (count > whole)
        to[whole] = '.';
    to += count > whole ? count + 1 : whole;
    return plain ? to : number_exponent(to, exponent);
}

size_t hol_number_text(double x, char text[HOL_NUMBER_SIZE])
{
    char *end = text;
    if (!text)
        return 0;
    if (signbit(x) && !isnan(x))
        *end++ = '-';
    if (x == 0) {
        *end++ = '0';
    } else if (!isfinite(x)) {
        memcpy(end, isnan(x) ? "nan" : "inf", 3);
        end += 3;
    } else {
        char digits[DIGITS_SIZE] = {0};
        int first, last;
        const HolDecimal decimal = hol_shortest_decimal(fabs(x));
        number_digits(decimal.n, digits, &first, &last);
        end = number_layout(digits + first, last - first, decimal.exponent + MOST_DIGITS - 1 - first, end);
    }
    *end = '\0';
    return (size_t)(end - text);
}

bool hol_number_read(const char *text, double *value, size_t *length)
{
    if (!text || !value || !length)
        return false;
    size_t sign = *text == '-' || *text == '+';
    const char *digits = text + sign;
    if (strncmp(digits, "nan", 3) == 0 || strncmp(digits, "inf", 3) == 0) {
        *value = *digits == 'n' ? NAN : HUGE_VAL;
        *length = sign + 3;
    } else {
        int count = hol_decimal_length(digits);
        if (count <= 0)
            return false;
        *value = hol_decimal_value(digits, count);
        *length = sign + (size_t)count;
    }
    if (*text == '-')
        *value = -*value;
    return true;
}
