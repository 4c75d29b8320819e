/* SPDX-License-Identifier: BSD-3-Clause */
/* The shortest of 15, 16 or 17 digits that gives a double back.
 *
 * printf() and strtod() find it, but three calls of the one and two of the other take more than a microsecond, longer
 * than a step of a small mechanism takes for each number it records. Where long double has 64 bits or more the same is
 * done in it first: with x = n 10^-k, n a whole number of P digits,
 *
 *     n = round(x 10^k)                                       (1)
 *     |n 10^-k - x| < (1 - margin) ulp(x) / 2                 (2)
 *
 * and (2) proves that n 10^-k is read as x, the margin being more than both computations can be wrong. What lies inside
 * the margins, and numbers very large or small, are left to printf(): the text is the same either way. */
#include <holon/number.h>

#include "base/expression/scan.h"
#include "base/format.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_DIGITS = 15, MOST_DIGITS = 17, LARGEST_POWER = 27 }; /* 10^27 is exact in 64 bits */

static const long double MARGIN = 1 / 128.0L;
static const double SMALLEST = 1e-30, LARGEST = 1e40;

/* n 10^(exponent - digits + 1) */
typedef struct Decimal {
    uint64_t n;
    int digits, exponent;
} Decimal;

typedef enum Answer { NO, YES, UNDECIDED } Answer;

static long double power_of_ten(int k)
{
    static const long double powers[LARGEST_POWER + 1] = {
        1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,  1e7L,  1e8L,  1e9L,  1e10L, 1e11L, 1e12L, 1e13L,
        1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L, 1e20L, 1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L,
    };
    return powers[k];
}

/* x 10^k, |k| <= 2 * LARGEST_POWER */
static long double scaled(long double x, int k)
{
    for (; k > LARGEST_POWER; k -= LARGEST_POWER)
        x *= power_of_ten(LARGEST_POWER);
    for (; k < -LARGEST_POWER; k += LARGEST_POWER)
        x /= power_of_ten(LARGEST_POWER);
    return k < 0 ? x / power_of_ten(-k) : x * power_of_ten(k);
}

/* (1) and (2) for x > 0; half is ulp(x) / 2. */
static Answer find_decimal(double x, int exponent, int digits, long double half, Decimal *decimal)
{
    int k = digits - 1 - exponent;
    long double exact = scaled(x, k);
    if (exact >= power_of_ten(digits) - 0.5L) {
        ++exponent;
        exact = scaled(x, --k);
    }
    uint64_t n = (uint64_t)exact;
    long double fraction = exact - (long double)n;
    if (fabsl(fraction - 0.5L) < MARGIN)
        return UNDECIDED;
    n += fraction > 0.5L;
    *decimal = (Decimal){n, digits, exponent};
    long double error = fabsl(scaled((long double)n, -k) - x);
    return error < (1 - MARGIN) * half ? YES : error > (1 + MARGIN) * half ? NO : UNDECIDED;
}

static bool find_shortest(double x, Decimal *decimal)
{
    int binary;
    if (LDBL_MANT_DIG < 64 || !(x >= SMALLEST && x <= LARGEST) || frexp(x, &binary) == 0.5)
        return false;
    int exponent = (int)floor((binary - 1) * 0.30102999566398120); /* the exponent of x or one less */
    long double half = ldexpl(1, binary - 54);
    Answer answer = NO;
    for (int digits = LEAST_DIGITS; digits <= MOST_DIGITS && answer == NO; ++digits)
        answer = find_decimal(x, exponent, digits, half, decimal);
    return answer == YES;
}

/* The digits without zeros at the end; returns how many, at least one. */
static int write_digits(const Decimal *decimal, char digits[MOST_DIGITS])
{
    uint64_t n = decimal->n;
    for (int i = decimal->digits - 1; i >= 0; --i, n /= 10)
        digits[i] = (char)('0' + n % 10);
    int count = decimal->digits;
    while (count > 1 && digits[count - 1] == '0')
        --count;
    return count;
}

static char *number_copy(char *to, const char *from, int count)
{
    memcpy(to, from, (size_t)count);
    return to + count;
}

/* As %g does: plain if the exponent lies between -5 and the digits, else 1.5e-07. */
static size_t write_decimal(const Decimal *decimal, char *text)
{
    char digits[MOST_DIGITS], *end = text;
    int count = write_digits(decimal, digits), exponent = decimal->exponent;
    bool plain = exponent >= -4 && exponent < decimal->digits;
    int whole = !plain ? 1 : exponent + 1; /* digits before the full stop */
    if (whole <= 0) {
        end = number_copy(end, "0.000", 1 - whole + 1);
        end = number_copy(end, digits, count);
    } else {
        end = number_copy(end, digits, count < whole ? count : whole);
        for (int i = count; i < whole; ++i)
            *end++ = '0';
        if (count > whole) {
            *end++ = '.';
            end = number_copy(end, digits + whole, count - whole);
        }
    }
    *end = '\0';
    if (!plain)
        end += hol_format(end, sizeof "e-30", "e%c%02d", exponent < 0 ? '-' : '+', abs(exponent));
    return (size_t)(end - text);
}

size_t hol_number_text(double x, char text[HOL_NUMBER_SIZE])
{
    Decimal decimal;
    if (!text)
        return 0;
    if (!isfinite(x))
        return (size_t)hol_format(text, HOL_NUMBER_SIZE, "%s", isnan(x) ? "nan" : x > 0 ? "inf" : "-inf");
    text[0] = '-';
    size_t sign = signbit(x) ? 1 : 0;
    if (x == 0)
        return sign + (size_t)hol_format(text + sign, HOL_NUMBER_SIZE - sign, "0");
    if (find_shortest(fabs(x), &decimal))
        return sign + write_decimal(&decimal, text + sign);
    for (int digits = LEAST_DIGITS; digits <= MOST_DIGITS; ++digits) {
        hol_format(text, HOL_NUMBER_SIZE, "%.*g", digits, x);
        if (hol_decimal_value(text + sign, hol_decimal_length(text + sign)) == fabs(x))
            break;
    }
    return strlen(text);
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
