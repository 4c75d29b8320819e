/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate/run/times.h"

#include "base/tolerances.h"

#include <math.h>

static const double MOST_UNITS = 1e15; /* whole numbers below it are exact */

/* Whether x is a whole number but for the rounding of the two factors it came from. */
static bool is_whole(double x)
{
    return fabs(x) < MOST_UNITS && fabs(x - nearbyint(x)) <= HOL_ROUNDINGS(2) * fabs(x);
}

/* The number of units of time in one second, so that start and every are whole numbers of units: a power of ten, or
 * 1/every for every = 1/3. Zero: there is none. */
static double units_per_second(double start, double every)
{
    for (double units = 1; units < MOST_UNITS; units *= 10)
        if (is_whole(every * units) && is_whole(start * units))
            return units;
    double units = nearbyint(1 / every);
    return is_whole(1 / every) && is_whole(start * units) ? units : 0;
}

HolRecordTimes hol_record_times(double start, double every)
{
    return (HolRecordTimes){start, every, every > 0 ? units_per_second(start, every) : 0};
}

double hol_record_time(const HolRecordTimes *times, double t)
{
    double k = times->units > 0 ? nearbyint((t - times->start) / times->every) : NAN;
    double sum = nearbyint(times->start * times->units) + k * nearbyint(times->every * times->units);
    double label = sum / times->units;
    bool is_same = fabs(sum) < MOST_UNITS && fabs(label - t) <= HOL_ROUNDINGS(4) * fmax(fabs(t), fabs(times->start));
    return is_same ? label : t;
}
