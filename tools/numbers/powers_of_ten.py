#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes src/io/powers_of_ten.c, after it has proved what src/io/shortest.c needs of the table.

    python3 tools/numbers/powers_of_ten.py > src/io/powers_of_ten.c; clang-format -i src/io/powers_of_ten.c

The letters are those of shortest.c. The proof: no integer c up to 2^55 + 2 comes closer than 2^-66 to making
c 2^q 10^-k an integer without making it one. The table makes that product larger by less than 2^-69.
"""
from fractions import Fraction

SMALLEST_Q, LARGEST_Q = -1074, 971
LARGEST_C = 2**55 + 2
LEAST_DISTANCE_BITS = 66


def floor_log(x, base):
    """The largest k with base^k <= x, x being a Fraction."""
    k = 0
    while Fraction(base) ** (k + 1) <= x:
        k += 1
    while Fraction(base) ** k > x:
        k -= 1
    return k


def decimal_exponent(q, is_power):
    """As in shortest.c, compared with its definition."""
    k = (q * 330985980541 - (137371820000 if is_power else 0)) >> 40
    width = Fraction(2) ** q * (Fraction(3, 4) if is_power else 1)
    assert Fraction(10) ** k <= width < Fraction(10) ** (k + 1), q
    return k


def first_between(a, m, low, high):
    """The least c >= 0 with low <= a c mod m <= high, or None."""
    a %= m
    if low == 0:
        return 0
    if a == 0:
        return None
    if 2 * a > m:
        return first_between(m - a, m, m - high, m - low)
    c = -(-low // a)
    if c * a <= high:
        return c
    turns = first_between(m % a, a, -high % a, -low % a)
    return None if turns is None else -(-(low + m * turns) // a)


def check_distance(q, k):
    ratio = Fraction(2) ** q / Fraction(10) ** k
    a, m = ratio.numerator % ratio.denominator, ratio.denominator
    near = m >> LEAST_DISTANCE_BITS
    if near == 0:
        return
    for c in first_between(a, m, 1, near), first_between(a, m, m - near, m - 1):
        assert c is None or c > LARGEST_C, (q, k, c)


def power(j):
    """10^j = g 2^e with 2^127 <= g < 2^128, g rounded up."""
    exact = Fraction(10) ** j
    e = ((j * 1741647) >> 19) - 127
    g = exact / Fraction(2) ** e
    g = -(-g.numerator // g.denominator)
    assert 2**127 <= g < 2**128, j
    return g


def main():
    exponents = {(q, decimal_exponent(q, power)) for q in range(SMALLEST_Q, LARGEST_Q + 1) for power in (False, True)}
    for q, k in exponents:
        shift = q + ((-k * 1741647) >> 19) + 1
        assert 1 <= shift <= 4 and LARGEST_C << shift <= 2**60, (q, k)
        check_distance(q, k)
    first, last = min(-k for q, k in exponents), max(-k for q, k in exponents)
    print("/* SPDX-License-Identifier: BSD-3-Clause */")
    print("/* Written by tools/numbers/powers_of_ten.py. The upper and the lower half of g, 10^j = g 2^e, rounded up. */")
    print('#include "io/shortest.h"\n')
    print(f"_Static_assert(HOL_FIRST_POWER == {first} && HOL_LAST_POWER == {last}, \"the table has these powers\");\n")
    print("const uint64_t hol_powers_of_ten[HOL_LAST_POWER - HOL_FIRST_POWER + 1][2] = {")
    for j in range(first, last + 1):
        g = power(j)
        print(f"{{{g >> 64:#018x}, {g & (2**64 - 1):#018x}}},")
    print("};")


main()
