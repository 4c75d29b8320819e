/* SPDX-License-Identifier: BSD-3-Clause */
#include <holon/number.h>

#include "check.h"
#include "io/shortest.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* The fewest digits with which printf() writes a number that is read as x. Only powers of two have shorter decimals,
 * which are not the closest ones of their number of digits. */
static int fewest_digits(double x)
{
    char text[64];
    int digits = 0;
    do
        snprintf(text, sizeof text, "%.*e", digits++, x);
    while (strtod(text, NULL) != x);
    return digits;
}

/* What hol_number_text() promises, by printf alone: %g with at least 15 digits. Below the smallest normal number less
 * than 15 are exact, and what follows them would be written, too. */
static void plainly(double x, char *text, size_t size)
{
    int digits = fewest_digits(x);
    bool is_normal = fabs(x) >= DBL_MIN || x == 0;
    snprintf(text, size, "%.*g", digits < 15 && is_normal ? 15 : digits, x);
}

static void check_number(double x)
{
    char text[HOL_NUMBER_SIZE], expected[64];
    size_t length = hol_number_text(x, text);
    plainly(x, expected, sizeof expected);
    CHECK_STRING(text, expected);
    CHECK_EQUAL_INT(length, strlen(text));
    CHECK(strtod(text, NULL) == x);
}

static int digits_of(const char *text)
{
    int digits = 0;
    for (; *text && *text != 'e'; ++text)
        digits += *text >= '0' && *text <= '9' && (digits > 0 || *text != '0');
    return digits;
}

/* A power of two is read from more decimals above it than below: the shortest may be the next one above the closest. */
static void check_power_of_two(double x)
{
    char text[HOL_NUMBER_SIZE], closest[64];
    hol_number_text(x, text);
    CHECK(strtod(text, NULL) == x);
    int digits = fewest_digits(x), found = digits_of(text);
    if (found != digits - 1) {
        check_number(x);
        return;
    }
    snprintf(closest, sizeof closest, "%.*e", found - 1, x);
    CHECK(strtod(closest, NULL) < x); /* and is read as another number */
    CHECK(nextafter(strtod(closest, NULL), x) == x);
}

static void known_numbers_are_short(void)
{
    static const struct {
        double x;
        const char *text;
    } known[] = {
        {0, "0"},
        {-0.0, "-0"},
        {1, "1"},
        {-2.5, "-2.5"},
        {0.1, "0.1"},
        {1e-3, "0.001"},
        {1e5, "100000"},
        {1e-5, "1e-05"},
        {1e14, "100000000000000"},
        {1e15, "1e+15"},
        {1e23, "1e+23"},
        {1e300, "1e+300"},
        {0.1 + 0.2, "0.30000000000000004"},
        {5e-324, "5e-324"},
        {0x1p-44, "5.684341886080802e-14"}, /* the closest decimal of 16 digits, ...01e-14, is another number */
        {0x1p-1022, "2.2250738585072014e-308"},
        {0x1p53, "9007199254740992"},
        {123456789012345680.0, "1.2345678901234568e+17"},
        {DBL_MAX, "1.7976931348623157e+308"},
        {NAN, "nan"},
        {INFINITY, "inf"},
        {-INFINITY, "-inf"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
        char text[HOL_NUMBER_SIZE];
        size_t length = hol_number_text(known[i].x, text);
        CHECK_STRING(text, known[i].text);
        CHECK_EQUAL_INT(length, strlen(text));
    }
}

static void every_number_is_as_printf_writes_it(void)
{
    uint64_t bits = 88172645463325252ULL;
    for (int i = 0; i < 50000; ++i) {
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        double any;
        memcpy(&any, &bits, sizeof any);
        if (isfinite(any))
            check_number(any);
        check_number((double)(int64_t)bits / 1e15);
        check_number((double)(bits % 100000000) * pow(10, -(double)(bits >> 60)));
        check_number((double)(int64_t)bits * pow(2, -(double)(bits % 128)));
    }
}

static void edges_are_as_printf_writes_them(void)
{
    for (int e = -320; e <= 308; ++e) {
        double power = pow(10, e);
        check_number(power);
        check_number(nextafter(power, 0));
        check_number(nextafter(power, 1e308));
    }
    for (int e = -1074; e <= 1023; ++e) {
        double power = ldexp(1, e);
        check_power_of_two(power);
        check_number(-nextafter(power, 0));
        check_number(nextafter(power, 1e308));
    }
    check_number(DBL_MAX);
    for (int i = 1; i < 2000; ++i) /* ends and middles of intervals that are decimals themselves */
        check_number((0x1p53 + 2 * i) * (i % 2 ? 5 : 25));
}

/* 10^j by long multiplication, and 10^-j by long division of a power of two, in parts of 32 bits, the lowest first. */
enum { PARTS = 72 };

static void multiply(uint32_t *number, uint32_t factor)
{
    uint64_t carry = 0;
    for (int i = 0; i < PARTS; ++i) {
        carry += (uint64_t)number[i] * factor;
        number[i] = (uint32_t)carry;
        carry >>= 32;
    }
    CHECK_EQUAL_INT((long)carry, 0);
}

static void divide(uint32_t *number, uint32_t divisor)
{
    uint64_t rest = 0;
    for (int i = PARTS - 1; i >= 0; --i) {
        rest = rest << 32 | number[i];
        number[i] = (uint32_t)(rest / divisor);
        rest %= divisor;
    }
}

static int bit(const uint32_t *number, int i)
{
    return i < 0 ? 0 : (int)(number[i / 32] >> i % 32 & 1);
}

/* The 128 leading bits, rounded up. */
static void check_power(int j, const uint32_t *number, bool has_rest)
{
    int top = 32 * PARTS - 1;
    uint64_t half[2] = {0, 0};
    while (!bit(number, top))
        --top;
    for (int i = 0; i < 128; ++i)
        half[i / 64] = half[i / 64] << 1 | (uint64_t)bit(number, top - i);
    for (int i = top - 128; i >= 0 && !has_rest; --i)
        has_rest = bit(number, i);
    half[1] += has_rest;
    CHECK_CONTEXT("10^%d", j);
    CHECK(half[0] == hol_powers_of_ten[j - HOL_FIRST_POWER][0]);
    CHECK(half[1] == hol_powers_of_ten[j - HOL_FIRST_POWER][1]);
}

static void the_powers_of_ten_are_right(void)
{
    uint32_t up[PARTS] = {1}, down[PARTS] = {0};
    down[PARTS - 1] = 1u << 31;
    check_power(0, up, false);
    for (int j = 1; j <= HOL_LAST_POWER; ++j) {
        multiply(up, 10);
        check_power(j, up, false);
    }
    for (int j = -1; j >= HOL_FIRST_POWER; --j) { /* a rest in one division stays a rest in all */
        divide(down, 10);
        check_power(j, down, true);
    }
}

/* Only where such a locale is installed does the second half say more than the first. */
static void the_locale_does_not_matter(void)
{
    static const double numbers[] = {1.5, 0.1 + 0.2, 1.25e-300, -3e200 / 7};
    char before[4][HOL_NUMBER_SIZE], after[HOL_NUMBER_SIZE];
    for (int i = 0; i < 4; ++i)
        hol_number_text(numbers[i], before[i]);
    if (!setlocale(LC_ALL, "de_DE.UTF-8"))
        setlocale(LC_ALL, "");
    for (int i = 0; i < 4; ++i) {
        hol_number_text(numbers[i], after);
        CHECK_STRING(after, before[i]);
        CHECK(strchr(after, ',') == NULL);
    }
    setlocale(LC_ALL, "C");
}

CHECK_MAIN(TEST(known_numbers_are_short), TEST(every_number_is_as_printf_writes_it),
           TEST(edges_are_as_printf_writes_them), TEST(the_powers_of_ten_are_right), TEST(the_locale_does_not_matter))
