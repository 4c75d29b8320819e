/* SPDX-License-Identifier: BSD-3-Clause */
/* With x = c 2^q, the decimals that are read as x form an interval,
 *
 *     x - 2^q / 2 <= d <= x + 2^q / 2,                                                             (1)
 *
 * with both ends if c is even, and without them if it is odd. Below a power of two the next double is half as far, so
 * the lower end is x - 2^q / 4 there. Let k be the largest integer for which 10^k is at most the width of the interval.
 * Then the interval has at least one multiple of 10^k and at most one of 10^(k+1). The latter, if there is one, has the
 * fewest digits: any shorter decimal would be the same number. Otherwise the answer is one of the two multiples of 10^k
 * next to x, the closer one if both are in the interval.
 *
 * All this compares three numbers with integers: x and the two ends, in units of 10^k / 4,
 *
 *     v = c 2^q 10^-k,    c' = 4 c,  4 c - 2 or 4 c - 1,  4 c + 2 in place of c.                   (2)
 *
 * Such a comparison needs the integer part of v and whether there is a fraction. With 10^-k = g 2^e, g rounded up to
 * 128 bits, and h = q + e + 128, which lies between 1 and 4,
 *
 *     v = (c' 2^h) g / 2^128                                                                       (3)
 *
 * is too large by less than c' 2^h / 2^128 < 2^-68. Each v is an integer or further than 2^-66 from any, which
 * tools/numbers/powers_of_ten.py proves for all q. So (3) gives both: there is no fraction if it is at most the error.
 */
#include "io/shortest.h"

#include <stdbool.h>
#include <string.h>

__extension__ typedef unsigned __int128 Wide;

enum { MANTISSA_BITS = 52, EXPONENT_MASK = 2047, SMALLEST_Q = -1074 };

/* 10^j for the numbers (2) of one double, and h. */
typedef struct Scale {
    const uint64_t *g;
    int h;
} Scale;

/* (3), twice the integer part, plus one if there is a fraction. */
static uint64_t scaled(Scale scale, uint64_t c)
{
    const uint64_t shifted = c << scale.h;
    const Wide low = (Wide)shifted * scale.g[1], high = (Wide)shifted * scale.g[0] + (uint64_t)(low >> 64);
    const Wide fraction = (Wide)(uint64_t)high << 64 | (uint64_t)low;
    return (uint64_t)(high >> 64) << 1 | (fraction > shifted);
}

/* The largest k with 10^k <= 2^q, or <= 3/4 2^q: the logarithms of 2 and 3/4, times 2^40. */
static int decimal_exponent(int q, bool is_power)
{
    return (int)((q * INT64_C(330985980541) - (is_power ? INT64_C(137371820000) : 0)) >> 40);
}

static Scale scale_of(int q, int k)
{
    const int log2_of_power = (-k * 1741647) >> 19; /* the integer part of log2(10^-k) */
    return (Scale){hol_powers_of_ten[-k - HOL_FIRST_POWER], q + log2_of_power + 1};
}

/* The same units as scaled() */
static uint64_t in_eighths(uint64_t n)
{
    return n << 3;
}

HolDecimal hol_shortest_decimal(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const uint64_t fraction = bits & ((UINT64_C(1) << MANTISSA_BITS) - 1);
    const int biased = (int)(bits >> MANTISSA_BITS) & EXPONENT_MASK;
    const uint64_t c = biased > 0 ? fraction | UINT64_C(1) << MANTISSA_BITS : fraction;
    const int q = biased > 0 ? biased - 1 + SMALLEST_Q : SMALLEST_Q;
    const bool is_power = fraction == 0 && biased > 1;
    const int k = decimal_exponent(q, is_power);
    const Scale scale = scale_of(q, k);
    const uint64_t is_odd = c & 1; /* then the ends are not in the interval */
    const uint64_t least = scaled(scale, 4 * c - (is_power ? 1 : 2)) + is_odd;
    const uint64_t most = scaled(scale, 4 * c + 2) - is_odd;
    const uint64_t v = scaled(scale, 4 * c), n = v >> 3;
    const uint64_t tens = n / 10 * 10;
    if (in_eighths(tens) >= least)
        return (HolDecimal){tens, k};
    if (in_eighths(tens + 10) <= most)
        return (HolDecimal){tens + 10, k};
    const bool has_lower = in_eighths(n) >= least, has_upper = in_eighths(n + 1) <= most;
    if (has_lower != has_upper)
        return (HolDecimal){n + has_upper, k};
    const uint64_t middle = in_eighths(n) + 4;
    return (HolDecimal){n + (v > middle || (v == middle && (n & 1))), k};
}
