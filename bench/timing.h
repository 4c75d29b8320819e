/* SPDX-License-Identifier: BSD-3-Clause */
/* A clock and the order statistics of what it shows; quartiles, because a shared machine adds time and never takes it. */
#ifndef BENCH_TIMING_H
#define BENCH_TIMING_H

#include <math.h>
#include <stdlib.h>
#include <time.h>

static inline double now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

typedef struct Quartiles {
    double low, median, high; /* zeros where nothing was measured */
} Quartiles;

static inline double quantile(const double *sorted, int count, double share)
{
    double at = share * (count - 1);
    int below = (int)at;
    int above = below + 1 < count ? below + 1 : below;
    return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
}

/* Sorts the sample. */
static inline Quartiles quartiles(double *sample, int count)
{
    if (count == 0)
        return (Quartiles){0};
    qsort(sample, (size_t)count, sizeof *sample, ascending);
    return (Quartiles){quantile(sample, count, 0.25), quantile(sample, count, 0.5), quantile(sample, count, 0.75)};
}

/* The exponent p of y = c x^p through the first and the last of the points. */
static inline double end_to_end_exponent(int count, const double *x, const double *y)
{
    return log(y[count - 1] / y[0]) / log(x[count - 1] / x[0]);
}

/* The same by least squares of the logarithms. */
static inline double fitted_exponent(int count, const double *x, const double *y)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int i = 0; i < count; ++i) {
        double lx = log(x[i]), ly = log(y[i]);
        sx += lx;
        sy += ly;
        sxx += lx * lx;
        sxy += lx * ly;
    }
    return (count * sxy - sx * sy) / (count * sxx - sx * sx);
}

#endif
