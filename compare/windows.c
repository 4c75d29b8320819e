/* SPDX-License-Identifier: BSD-3-Clause */
#include "windows.h"

#include <math.h>

enum { MOST_HALVINGS = 30 };
static const double NEAR = 0.1; /* relative to the range over the run */

static double at_time(const HolSystem *system, int function, double t)
{
    return hol_system_time_bounds(system, function, t, t).middle;
}

static bool is_resolved(const HolSystem *system, int function, double range, double a, double b)
{
    HolTimeBounds bounds = hol_system_time_bounds(system, function, a, b);
    double from = at_time(system, function, a), to = at_time(system, function, b);
    double above = bounds.value[1] - fmax(from, to), below = fmin(from, to) - bounds.value[0];
    return !(fmax(above, below) > NEAR * range);
}

double hol_window(const HolSystem *system, double start, double until, double t, double longest)
{
    double window = longest;
    for (int f = 0; f < hol_system_time_function_count(system); ++f) {
        HolTimeBounds all = hol_system_time_bounds(system, f, start, until);
        double range = all.value[1] - all.value[0];
        if (!isfinite(range) || !(range > 0))
            continue;
        for (int i = 0; i < MOST_HALVINGS && !is_resolved(system, f, range, t, t + window); ++i)
            window /= 2;
    }
    return window;
}
