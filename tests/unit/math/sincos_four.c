/* SPDX-License-Identifier: BSD-3-Clause */
/* Four sines and cosines at once against those of libm in long double. */
#include "check.h"
#include "math/sincos.h"
#include "random.h"

static const double ERROR = 2.5e-16;

static double error_at(const double *x)
{
    double s[4], c[4], largest = 0;
    hol_sincos_four(x, s, c);
    for (int i = 0; i < 4; i++)
        largest = fmax(largest, (double)fmaxl(fabsl(s[i] - sinl(x[i])), fabsl(c[i] - cosl(x[i]))));
    return largest;
}

static void all_ranges_are_accurate(void)
{
    random_seed(1);
    for (double range = 1e-8; range < 2e6; range *= 10) {
        double x[4], largest = 0;
        for (int k = 0; k < 5000; k++) {
            random_fill(4, x);
            for (int i = 0; i < 4; i++)
                x[i] *= range;
            largest = fmax(largest, error_at(x));
        }
        CHECK_CONTEXT("up to %g", range);
        CHECK(largest <= ERROR);
    }
}

static void quarters_and_borders_of_quadrants_are_accurate(void)
{
    double largest = 0;
    for (int n = -60000; n <= 60000; n++) {
        double quarter = n * 1.57079632679489661923, border = (n + 0.5) * 1.57079632679489661923;
        const double x[4] = {quarter, border, border * (1 - 1e-15), border * (1 + 1e-15)};
        largest = fmax(largest, error_at(x));
    }
    CHECK(largest <= ERROR);
}

/* One that libm must do among three that it need not. */
static void large_and_unusable_numbers(void)
{
    const double large[4] = {1, -1e300, 0, 1e22}, unusable[4] = {INFINITY, NAN, -INFINITY, 2}, zeros[4] = {0};
    double s[4], c[4];
    CHECK(error_at(large) <= ERROR);
    hol_sincos_four(unusable, s, c);
    CHECK(isnan(s[0]) && isnan(c[1]) && isnan(s[2]));
    CHECK_NEAR(s[3], sin(2), ERROR);
    hol_sincos_four(zeros, s, c);
    CHECK(s[0] == 0 && c[0] == 1 && s[3] == 0 && c[3] == 1);
}

CHECK_MAIN(TEST(all_ranges_are_accurate), TEST(quarters_and_borders_of_quadrants_are_accurate),
           TEST(large_and_unusable_numbers))
