/* SPDX-License-Identifier: BSD-3-Clause */
/* The sine and cosine of the planar scenes against those of libm in long double. */
#define _GNU_SOURCE
#include "systems/sincos.h"

#include "check.h"

static const double ERROR = 2.5e-16;

static double error_at(double x)
{
    double s, c;
    fast_sincos(x, &s, &c);
    return fmax((double)fabsl(s - sinl(x)), (double)fabsl(c - cosl(x)));
}

/* The largest error in [-range, range], at places of no pattern. */
static double largest_error(double range, int count)
{
    double largest = 0;
    unsigned long long seed = 1;
    for (int i = 0; i < count; i++) {
        seed = seed * 6364136223846793005ull + 1442695040888963407ull;
        largest = fmax(largest, error_at(range * ((double)(seed >> 11) * 0x1p-52 - 1)));
    }
    return largest;
}

static void all_ranges_are_accurate(void)
{
    for (double range = 1e-8; range < 2e6; range *= 10) {
        CHECK_CONTEXT("up to %g", range);
        CHECK(largest_error(range, 20000) <= ERROR);
    }
}

/* Where one of the two vanishes the error is relative to what is left of it. */
static void multiples_of_a_quarter_turn_are_accurate(void)
{
    double largest = 0, relative = 0;
    for (int n = -60000; n <= 60000; n++) {
        double x = n * 1.57079632679489661923, s, c;
        fast_sincos(x, &s, &c);
        double small = n % 2 ? c : s;
        long double truth = n % 2 ? cosl(x) : sinl(x);
        largest = fmax(largest, error_at(x));
        if (n != 0)
            relative = fmax(relative, (double)(fabsl(small - truth) / fabsl(truth)));
    }
    CHECK(largest <= ERROR);
    CHECK(relative <= 1e-8);
}

static void borders_of_quadrants_are_accurate(void)
{
    double largest = 0;
    for (int n = -60001; n <= 60001; n += 2)
        for (int k = -1; k <= 1; k++)
            largest = fmax(largest, error_at(n * 0.78539816339744830962 * (1 + k * 1e-15)));
    CHECK(largest <= ERROR);
}

static void zeros_and_unusable_numbers(void)
{
    const double unusable[] = {INFINITY, -INFINITY, NAN};
    double s, c;
    fast_sincos(0.0, &s, &c);
    CHECK(s == 0 && c == 1);
    for (int i = 0; i < 3; i++) {
        fast_sincos(unusable[i], &s, &c);
        CHECK(isnan(s) && isnan(c));
    }
    CHECK(error_at(1e22) <= ERROR && error_at(-1e300) <= ERROR && error_at(1e-300) == 0);
}

CHECK_MAIN(TEST(all_ranges_are_accurate), TEST(multiples_of_a_quarter_turn_are_accurate),
           TEST(borders_of_quadrants_are_accurate), TEST(zeros_and_unusable_numbers))
