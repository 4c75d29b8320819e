/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/pace.h"

#include <math.h>

static const double SHORTEST = 1e-9; /* lower end of the first bin */

CliPace cli_pace_begin(double factor, double start, double now)
{
    return (CliPace){.factor = factor, .start = start, .began = now, .deadline = now, .t = start, .resumed = now};
}

static int bin_of(double time)
{
    double bin = CLI_PACE_BINS_PER_OCTAVE * log2(time / SHORTEST);
    return bin > 0 ? (int)fmin(bin, CLI_PACE_BINS - 1) : 0;
}

void cli_pace_step(CliPace *pace, double t, double now)
{
    double time = now - pace->resumed, given = (t - pace->t) / pace->factor;
    pace->deadline = pace->began + (t - pace->start) / pace->factor; /* (1) */
    ++pace->steps;
    ++pace->bins[bin_of(time)];
    pace->busy += time;
    pace->longest = fmax(pace->longest, time);
    pace->max_share = fmax(pace->max_share, time / given);
    pace->lateness = now - pace->deadline;
    pace->late += pace->lateness > 0;
    pace->max_lateness = fmax(pace->max_lateness, pace->lateness);
    pace->t = t;
}

void cli_pace_resume(CliPace *pace, double now)
{
    if (pace->lateness <= 0)
        pace->max_oversleep = fmax(pace->max_oversleep, now - pace->deadline);
    pace->resumed = now;
}

double cli_pace_median(const CliPace *pace)
{
    long below = 0;
    for (int i = 0; i < CLI_PACE_BINS; ++i) {
        below += pace->bins[i];
        if (below > 0 && 2 * below >= pace->steps)
            return SHORTEST * exp2((i + 0.5) / CLI_PACE_BINS_PER_OCTAVE);
    }
    return NAN;
}

double cli_pace_load(const CliPace *pace)
{
    return pace->steps > 0 ? pace->busy * pace->factor / (pace->t - pace->start) : NAN;
}
