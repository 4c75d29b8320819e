/* SPDX-License-Identifier: BSD-3-Clause */
/* Times in rounds. A round runs every combination once, each round beginning with another one, and ratios are taken
 * within a round: what slows the machine for longer than a round cancels, and the median overlooks the rest. They are
 * ratios of processor time, which does not pass while other programs have the processor. */
#include "base/message.h"
#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_REPEATS = 20 };
static const double ENOUGH_TIME = 5e-3; /* s */

static HolStatus watch(void *user, double t)
{
    const HolCompareOptions *options = user;
    (void)t;
    return options->watch ? options->watch(options->user) : HOL_OK;
}

static double processor_time(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Times of one run without samples; left alone if it fails. */
static HolStatus time_once(const HolStudy *s, const HolCompareRecord *r, HolTimes *times)
{
    HolSimulation *simulation;
    HolMessage message;
    HolStatus status = hol_study_open(s, r, &simulation, &message);
    if (status != HOL_OK)
        return status == HOL_NO_MEMORY ? status : HOL_OK;
    HolRun run = {.until = s->shown.until, .progress = watch, .user = (void *)(size_t)s->options};
    double begin = processor_time();
    status = hol_simulation_run(simulation, &run);
    if (status == HOL_OK)
        *times = (HolTimes){hol_simulation_summary(simulation).wall_s, processor_time() - begin};
    hol_simulation_destroy(simulation);
    return status == HOL_STOPPED ? status : HOL_OK;
}

/* Runs that are too short for the clock and the caches are repeated; the mean counts. */
static HolStatus time_run(const HolStudy *s, const HolCompareRecord *r, HolTimes *mean)
{
    HolTimes sum = {0, 0};
    int count = 0;
    do {
        HolTimes times = {NAN, NAN};
        HOL_TRY(time_once(s, r, &times));
        sum.wall += times.wall;
        sum.processor += times.processor;
        ++count;
    } while (sum.processor < ENOUGH_TIME && count < MOST_REPEATS);
    *mean = (HolTimes){sum.wall / count, sum.processor / count};
    return HOL_OK;
}

static HolStatus run_round(HolStudy *s, int round)
{
    char what[200];
    for (int k = 0; k < s->all_count; ++k) {
        int i = (k + round) % s->all_count;
        const HolCompareRecord *r = &s->records[i];
        HolTimes *times = &s->times[round * s->all_count + i];
        *times = (HolTimes){NAN, NAN};
        if (r->status != HOL_OK)
            continue;
        snprintf(what, sizeof what, "timing %s with %s, step %g s, round %d of %d", r->formulation, r->integrator,
                 r->step, round + 1, s->options->rounds);
        HOL_TRY(hol_study_announce(s, what));
        HOL_TRY(time_run(s, r, times));
    }
    return HOL_OK;
}

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The record of lagrange listed with the same integrator and step, or -1. */
static int standard_of(const HolStudy *s, const HolCompareRecord *r)
{
    for (int i = 0; i < s->all_count; ++i)
        if (strcmp(s->records[i].formulation, "lagrange") == 0 && s->records[i].beside == r->beside &&
            s->records[i].step == r->step)
            return i;
    return -1;
}

static void compare_times(HolStudy *s, int index)
{
    HolCompareRecord *r = &s->records[index];
    double ratio[HOL_STUDY_MOST_ROUNDS], fastest = NAN;
    int n = 0, standard = standard_of(s, r), count = s->all_count;
    for (int round = 0; round < s->options->rounds; ++round) {
        HolTimes times = s->times[round * count + index];
        double against = standard >= 0 ? s->times[round * count + standard].processor : NAN;
        if (!(times.wall >= fastest))
            fastest = times.wall;
        if (times.processor / against > 0)
            ratio[n++] = times.processor / against;
    }
    if (fastest > 0)
        r->wall_s = fastest;
    if (n == 0)
        return;
    qsort(ratio, (size_t)n, sizeof *ratio, ascending);
    r->time_ratio = n % 2 ? ratio[n / 2] : (ratio[n / 2 - 1] + ratio[n / 2]) / 2;
    r->time_low = ratio[n / 4];
    r->time_high = ratio[n - 1 - n / 4];
}

HolStatus hol_study_timing(HolStudy *s)
{
    for (int round = 0; round < s->options->rounds; ++round)
        HOL_TRY(run_round(s, round));
    for (int i = 0; i < s->shown.count; ++i)
        compare_times(s, i);
    return HOL_OK;
}
