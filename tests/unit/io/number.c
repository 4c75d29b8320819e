/* SPDX-License-Identifier: BSD-3-Clause */
#include <holon/number.h>

#include "check.h"

#include <float.h>
#include <locale.h>
#include <stdint.h>
#include <stdlib.h>

/* What hol_number_text() promises, by printf alone. */
static void plainly(double x, char *text, size_t size)
{
    for (int digits = 15; digits <= 17; ++digits) {
        snprintf(text, size, "%.*g", digits, x);
        if (strtod(text, NULL) == x)
            return;
    }
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
        check_number(power);
        check_number(-nextafter(power, 0));
        check_number(nextafter(power, 1e308));
    }
    check_number(DBL_MAX);
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
           TEST(edges_are_as_printf_writes_them), TEST(the_locale_does_not_matter))
