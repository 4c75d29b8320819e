/* SPDX-License-Identifier: BSD-3-Clause */
/* Interval arithmetic on bounds {lowest, highest}. */
#ifndef HOLON_BASE_EXPRESSION_BOUNDS_H
#define HOLON_BASE_EXPRESSION_BOUNDS_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

static inline void bounds_set(double bounds[2], const double from[2])
{
    bounds[0] = from[0];
    bounds[1] = from[1];
}

/* Like fmin() and fmax(), which compilers do not put in line: a number wins over NAN. */
static inline double bounds_lower(double a, double b)
{
    return a < b || isnan(b) ? a : b;
}

static inline double bounds_upper(double a, double b)
{
    return a > b || isnan(b) ? a : b;
}

static inline void bounds_include(double bounds[2], double x)
{
    bounds[0] = bounds_lower(bounds[0], x);
    bounds[1] = bounds_upper(bounds[1], x);
}

static inline void bounds_join(double bounds[2], const double other[2])
{
    bounds_include(bounds, other[0]);
    bounds_include(bounds, other[1]);
}

static inline double bounds_size(const double x[2])
{
    return bounds_upper(fabs(x[0]), fabs(x[1]));
}

static inline bool bounds_contain(const double x[2], double number)
{
    return x[0] <= number && number <= x[1];
}

/* The least magnitude in it. */
static inline double bounds_nearest(const double x[2])
{
    return bounds_contain(x, 0) ? 0 : bounds_lower(fabs(x[0]), fabs(x[1]));
}

/* A product that is too small for a number is not zero: the next factor may be unbounded. */
static inline void bounds_include_product(double bounds[2], double x, double y)
{
    double product = x == 0 || y == 0 ? 0 : x * y;
    bounds_include(bounds, product);
    if (product == 0 && x != 0 && y != 0)
        bounds_include(bounds, (x > 0) == (y > 0) ? DBL_MIN : -DBL_MIN);
}

/* Zero times infinity is zero: a factor of zero cancels whatever is unbounded. */
static inline void bounds_multiply(const double a[2], const double b[2], double product[2])
{
    double sum[2] = {HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < 4; ++i)
        bounds_include_product(sum, a[i / 2], b[i % 2]);
    bounds_set(product, sum);
}

static inline void bounds_add(const double a[2], double factor, const double b[2], double sum[2])
{
    double low = a[0] + bounds_lower(factor * b[0], factor * b[1]);
    double high = a[1] + bounds_upper(factor * b[0], factor * b[1]);
    sum[0] = isnan(low) ? -HUGE_VAL : low;
    sum[1] = isnan(high) ? HUGE_VAL : high;
}

#endif
