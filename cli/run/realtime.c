/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/realtime.h"

#include <holon/model.h>

#include "command.h"
#include "terminal/interrupt.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

/* In s. A signal just before a sleep does not end it, so no sleep is longer than this. */
static const double LONGEST_SLEEP = 0.1;

static double realtime_now(void)
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
    return cli_pace_begin(factor, start, realtime_now());
}

bool cli_realtime_step(CliPace *pace, double t)
{
    cli_pace_step(pace, t, realtime_now());
    return pace->lateness <= 0;
}

void cli_realtime_wait(CliPace *pace)
{
    double moment = realtime_now();
    for (; moment < pace->deadline && !cli_interrupted(); moment = realtime_now())
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

/* "every step on time", "3 of 100 steps late, by up to 2 ms", and whether the run is late at its end. */
static void deadlines_text(const CliPace *pace, char *text, size_t size)
{
    char most[24], last[24];
    time_text(pace->max_lateness, most, sizeof most);
    time_text(pace->lateness, last, sizeof last);
    if (pace->late == 0)
        snprintf(text, size, "every step on time");
    else if (pace->lateness > 0)
        snprintf(text, size, "%ld of %ld steps late, by up to %s; %s late at the end", pace->late, pace->steps, most,
                 last);
    else
        snprintf(text, size, "%ld of %ld steps late, by up to %s; on time at the end", pace->late, pace->steps, most);
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
    time_text(pace->max_oversleep, overslept, sizeof overslept);
    snprintf(text, size, "%s; time per step: median %s, max %s; steps started up to %s late; load %.3g %%", deadlines,
             median, longest, overslept, 100 * cli_pace_load(pace));
}

void cli_realtime_warn(const CliPace *pace)
{
    char deadlines[120];
    double load = cli_pace_load(pace);
    if (pace->late == 0)
        return;
    deadlines_text(pace, deadlines, sizeof deadlines);
    if (load > 1)
        fprintf(stderr, "warning: the run is slower than real time: it needs %.3g times the available time; %s\n", load,
                deadlines);
    else
        fprintf(stderr, "warning: some steps were late: %s\n", deadlines);
}

void cli_realtime_member(const CliPace *pace, CliJson *json)
{
    if (!pace) {
        cli_json_null(json, "realtime");
        return;
    }
    cli_json_object(json, "realtime");
    cli_json_number(json, "factor", pace->factor);
    cli_json_whole(json, "missed_deadlines", pace->late);
    cli_json_number(json, "max_lateness_s", pace->max_lateness);
    cli_json_number(json, "final_lateness_s", fmax(pace->lateness, 0));
    cli_json_number(json, "max_oversleep_s", pace->max_oversleep);
    cli_json_number(json, "median_step_s", cli_pace_median(pace));
    cli_json_number(json, "max_step_s", pace->longest);
    cli_json_number(json, "max_share", pace->max_share);
    cli_json_number(json, "load", cli_pace_load(pace));
    cli_json_end(json);
}
