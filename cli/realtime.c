/* SPDX-License-Identifier: BSD-3-Clause */
#include "realtime.h"

#include <holon/model.h>

#include "command.h"
#include "interrupt.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

/* A signal that comes just before a sleep does not end it: no sleep is longer than this. */
static const double LONGEST_SLEEP = 0.1;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void sleep_until(double moment)
{
    double whole = floor(moment);
    struct timespec time = {.tv_sec = (time_t)whole, .tv_nsec = (long)((moment - whole) * 1e9)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
}

bool cli_realtime_parse(const char *text, double *factor)
{
    *factor = 1;
    if (!*text)
        return true;
    if (hol_quantity_parse(text, "1", factor, NULL) == HOL_OK && *factor > 0 && isfinite(1 / *factor))
        return true;
    cli_fail("--realtime: '%s' is not a positive number: 2 is twice as fast as the clock", text);
    return false;
}

CliPace cli_realtime_begin(double factor, double start)
{
    return cli_pace_begin(factor, start, now());
}

bool cli_realtime_step(CliPace *pace, double t)
{
    cli_pace_step(pace, t, now());
    return pace->lateness <= 0;
}

void cli_realtime_wait(CliPace *pace)
{
    double moment = now();
    for (; moment < pace->deadline && !cli_interrupted(); moment = now())
        sleep_until(fmin(pace->deadline, moment + LONGEST_SLEEP));
    cli_pace_resume(pace, moment);
}

/* "870 ns", "12.3 us", "4.5 ms", "2 s" */
static void time_text(double seconds, char *text, size_t size)
{
    static const struct {
        double size;
        const char *name;
    } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
    int i = 0;
    while (seconds > 0 && i < 3 && seconds < units[i].size)
        ++i;
    snprintf(text, size, "%.3g %s", seconds / units[i].size, units[i].name);
}

/* "every step in time", "3 of 100 steps late, by up to 2 ms", and whether the run is behind at its end. */
static void deadlines_text(const CliPace *pace, char *text, size_t size)
{
    char most[24], last[24];
    time_text(pace->most_lateness, most, sizeof most);
    time_text(pace->lateness, last, sizeof last);
    if (pace->late == 0)
        snprintf(text, size, "every step in time");
    else if (pace->lateness > 0)
        snprintf(text, size, "%ld of %ld steps late, by up to %s, and %s behind at the end", pace->late, pace->steps,
                 most, last);
    else
        snprintf(text, size, "%ld of %ld steps late, by up to %s, caught up at the end", pace->late, pace->steps, most);
}

void cli_realtime_text(const CliPace *pace, char *text, size_t size)
{
    char deadlines[120], median[24], longest[24], overslept[24];
    if (pace->steps == 0) {
        snprintf(text, size, "no step was taken");
        return;
    }
    deadlines_text(pace, deadlines, sizeof deadlines);
    time_text(cli_pace_median(pace), median, sizeof median);
    time_text(pace->longest, longest, sizeof longest);
    time_text(pace->most_oversleep, overslept, sizeof overslept);
    snprintf(
        text, size,
        "%s; a step takes %s (median), %s (worst), and begins up to %s after its time; %.3g %% of the time is used",
        deadlines, median, longest, overslept, 100 * cli_pace_load(pace));
}

void cli_realtime_warn(const CliPace *pace)
{
    char deadlines[120];
    double load = cli_pace_load(pace);
    if (pace->late == 0)
        return;
    deadlines_text(pace, deadlines, sizeof deadlines);
    if (load > 1)
        fprintf(stderr, "warning: the run cannot keep up with the clock: it needs %.3g times the time there is; %s\n",
                load, deadlines);
    else
        fprintf(stderr, "warning: not every step kept up with the clock: %s\n", deadlines);
}

void cli_realtime_member(const CliPace *pace, HolJson *json)
{
    if (!pace) {
        hol_json_null(json, "realtime");
        return;
    }
    hol_json_object(json, "realtime");
    hol_json_number(json, "factor", pace->factor);
    hol_json_whole(json, "missed_deadlines", pace->late);
    hol_json_number(json, "max_lateness_s", pace->most_lateness);
    hol_json_number(json, "final_lateness_s", fmax(pace->lateness, 0));
    hol_json_number(json, "max_oversleep_s", pace->most_oversleep);
    hol_json_number(json, "median_step_s", cli_pace_median(pace));
    hol_json_number(json, "max_step_s", pace->longest);
    hol_json_number(json, "max_share", pace->largest_share);
    hol_json_number(json, "load", cli_pace_load(pace));
    hol_json_end(json);
}
