/* SPDX-License-Identifier: BSD-3-Clause */
/* Timing in rounds. A round runs every combination once, each round beginning with another one, and ratios are taken
 * within a round: a disturbance longer than a round cancels, and the median ignores shorter ones. Processor time does
 * not pass while other programs have the processor. */
#include <holon/number.h>

#include "study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_REPEATS = 20 };
static const double ENOUGH_TIME = 5e-3; /* s */

/* The times of one run without samples; unchanged if it fails. */
static HolStatus time_once(const HolStudy *s, const HolCompareRecord *r, HolTimes *times)
{
    HolSimulation *simulation;
    HolMessage message;
    HolStatus status = hol_compare_open(s->mechanism, r, &simulation, &message);
    if (status != HOL_OK)
        return status == HOL_NO_MEMORY ? status : HOL_OK;
    HolRun run = {.until = s->result.until, .progress = hol_study_after_step, .user = (void *)(size_t)s->options};
    status = hol_simulation_run(simulation, &run);
    HolSummary summary = hol_simulation_summary(simulation);
    if (status == HOL_OK)
        *times = (HolTimes){summary.wall_s, summary.processor_s};
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
    for (int k = 0; k < s->entry_count; ++k) {
        int i = (k + round) % s->entry_count;
        const HolCompareRecord *r = &s->entries[i].record;
        HolTimes *times = &s->times[round * s->entry_count + i];
        *times = (HolTimes){NAN, NAN};
        if (r->status != HOL_OK)
            continue;
        hol_format(what, sizeof what, "timing %s with %s, step %g s, round %d of %d", r->formulation, r->integrator,
                   r->step, round + 1, s->options->rounds);
        HOL_TRY(hol_study_announce(s, what));
        HOL_TRY(time_run(s, r, times));
    }
    return HOL_OK;
}

static int timing_ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

void hol_study_sort(double *x, int n)
{
    qsort(x, (size_t)n, sizeof *x, timing_ascending);
}

void hol_study_quartiles(double *x, int n, double quartiles[3])
{
    hol_study_sort(x, n);
    quartiles[0] = x[n / 4];
    quartiles[1] = n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
    quartiles[2] = x[n - 1 - n / 4];
}

/* The entry of lagrange in the same block, or -1. */
static int standard_of(const HolStudy *s, const HolCompareRecord *r)
{
    for (int i = 0; i < s->entry_count; ++i)
        if (s->entries[i].record.block == r->block && strcmp(s->entries[i].record.formulation, "lagrange") == 0)
            return i;
    return -1;
}

static void compare_ratios(HolStudy *s, int index)
{
    HolCompareRecord *r = &s->entries[index].record;
    double ratio[HOL_COMPARE_MAX_ROUNDS], quartiles[3];
    int n = 0, standard = standard_of(s, r), count = s->entry_count;
    for (int round = 0; standard >= 0 && round < s->result.rounds; ++round) {
        double value = s->times[round * count + index].processor / s->times[round * count + standard].processor;
        if (value > 0)
            ratio[n++] = value;
    }
    if (n == 0)
        return;
    hol_study_quartiles(ratio, n, quartiles);
    r->time_ratio_low = quartiles[0];
    r->time_ratio = quartiles[1];
    r->time_ratio_high = quartiles[2];
}

static void compare_times(HolStudy *s, int index)
{
    HolCompareRecord *r = &s->entries[index].record;
    double processor[HOL_COMPARE_MAX_ROUNDS], quartiles[3], fastest = NAN;
    int n = 0;
    for (int round = 0; round < s->result.rounds; ++round) {
        HolTimes times = s->times[round * s->entry_count + index];
        fastest = fmin(fastest, times.wall);
        if (times.processor > 0)
            processor[n++] = times.processor;
    }
    if (fastest > 0)
        r->wall_s = fastest;
    if (n > 0) {
        hol_study_quartiles(processor, n, quartiles);
        r->processor_s = quartiles[1];
    }
    compare_ratios(s, index);
}

static double clock_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Limits the rounds of stiff models, whose runs take long. The measuring runs count too. */
static bool has_time(const HolStudy *s, double begun)
{
    double spent = clock_s() - begun;
    for (int i = 0; i < s->entry_count; ++i)
        if (s->entries[i].shown && s->entries[i].record.status == HOL_OK)
            spent += s->entries[i].record.wall_s;
    return !s->result.is_stiff || s->options->stiff_time_limit <= 0 || spent < s->options->stiff_time_limit;
}

HolStatus hol_study_timing(HolStudy *s)
{
    HolStatus status = HOL_OK;
    double begun = clock_s();
    while (s->result.rounds < s->options->rounds && status == HOL_OK && has_time(s, begun)) {
        status = run_round(s, s->result.rounds);
        s->result.rounds += status == HOL_OK;
    }
    for (int i = 0; i < s->entry_count; ++i)
        compare_times(s, i);
    return status;
}
