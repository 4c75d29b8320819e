/* SPDX-License-Identifier: BSD-3-Clause */
/* The books of a run that keeps up with a clock, with a clock made by hand. */
#include "cli/run/pace.h"

#include "check.h"

#include <math.h>

static const double H = 1e-3, BEGAN = 5000;

/* Takes steps of H; each begins when the one before is due, or at once, and takes `times[i]`. The clock at the end. */
static double take(CliPace *pace, int count, const double *times)
{
    double now = pace->resumed;
    for (int i = 0; i < count; i++) {
        now += times[i];
        cli_pace_step(pace, pace->t + H, now);
        now = fmax(now, pace->deadline);
        cli_pace_resume(pace, now);
    }
    return now;
}

static void steps_in_time_are_not_late(void)
{
    const double times[] = {1e-4, 2e-4, 9e-4, 2e-4, 1e-4};
    CliPace pace = cli_pace_begin(1, 10, BEGAN);
    double now = take(&pace, 5, times);
    CHECK_NEAR(now, BEGAN + 5 * H, 1e-9); /* the simulated time has passed, no more */
    CHECK_EQUAL_INT(pace.steps, 5);
    CHECK_EQUAL_INT(pace.late, 0);
    CHECK(pace.max_lateness == 0 && pace.lateness < 0);
    CHECK_NEAR(pace.lateness, 1e-4 - H, 1e-9);
    CHECK_NEAR(pace.longest, 9e-4, 1e-9);
    CHECK_NEAR(pace.max_share, 0.9, 1e-6);
    CHECK_NEAR(pace.busy, 15e-4, 1e-9);
    CHECK_NEAR(cli_pace_load(&pace), 0.3, 1e-6);
    CHECK_NEAR(cli_pace_median(&pace), 2e-4, 0.03 * 2e-4);
}

/* A step of 2.5 H makes the next two begin at once; of these the first is late too, the second is not. */
static void a_late_step_is_caught_up(void)
{
    const double times[] = {1e-4, 25e-4, 3e-4, 1e-4, 1e-4};
    CliPace pace = cli_pace_begin(1, 0, BEGAN);
    double now = take(&pace, 2, times);
    CHECK_EQUAL_INT(pace.late, 1);
    CHECK_NEAR(pace.lateness, 15e-4, 1e-9);
    CHECK_NEAR(now, BEGAN + 35e-4, 1e-9);
    now = take(&pace, 1, times + 2);
    CHECK_EQUAL_INT(pace.late, 2);
    CHECK_NEAR(pace.lateness, 8e-4, 1e-9);
    now = take(&pace, 2, times + 3);
    CHECK_EQUAL_INT(pace.late, 2);
    CHECK_NEAR(pace.max_lateness, 15e-4, 1e-9);
    CHECK_NEAR(now, BEGAN + 5 * H, 1e-9);
}

/* Lateness is the sum of what each step takes too long, and all of it is reported. */
static void a_run_that_is_too_slow_falls_behind(void)
{
    const double times[] = {3e-3, 3e-3, 3e-3, 3e-3};
    CliPace pace = cli_pace_begin(2, 0, BEGAN);
    take(&pace, 4, times);
    CHECK_EQUAL_INT(pace.late, 4);
    CHECK_NEAR(pace.lateness, 4 * (3e-3 - H / 2), 1e-9);
    CHECK_NEAR(pace.max_lateness, pace.lateness, 1e-12);
    CHECK_NEAR(cli_pace_load(&pace), 6, 1e-5);
    CHECK_NEAR(pace.max_share, 6, 1e-5);
}

/* Waking up late is the system's fault, unless the step was late itself. */
static void waking_up_late_is_noted(void)
{
    CliPace pace = cli_pace_begin(1, 0, BEGAN);
    cli_pace_step(&pace, H, BEGAN + 2e-4);
    cli_pace_resume(&pace, BEGAN + H + 3e-4);
    CHECK_NEAR(pace.max_oversleep, 3e-4, 1e-9);
    cli_pace_step(&pace, 2 * H, BEGAN + H + 5e-4); /* took 2e-4, however late it began */
    CHECK_NEAR(pace.longest, 2e-4, 1e-9);
    cli_pace_resume(&pace, BEGAN + 2 * H + 1e-4);
    cli_pace_step(&pace, 3 * H, BEGAN + 5 * H);
    cli_pace_resume(&pace, BEGAN + 5 * H);
    CHECK_NEAR(pace.max_oversleep, 3e-4, 1e-9);
    CHECK_EQUAL_INT(pace.late, 1);
}

/* Half as fast as the clock: twice the time for the same steps. */
static void the_factor_stretches_the_deadlines(void)
{
    const double times[] = {1e-3, 1e-3};
    CliPace pace = cli_pace_begin(0.5, 3, BEGAN);
    double now = take(&pace, 2, times);
    CHECK_NEAR(now, BEGAN + 4 * H, 1e-9);
    CHECK_NEAR(pace.max_share, 0.5, 1e-6);
    CHECK_EQUAL_INT(pace.late, 0);
}

/* From below a nanosecond to above the last bin; and of an even number of steps. */
static void the_median_knows_all_times(void)
{
    const double times[] = {0, 0, 5e-7, 3e3, 2e-3};
    for (int i = 1; i < 5; i++) {
        CliPace pace = cli_pace_begin(1, 0, 0);
        cli_pace_step(&pace, 1, times[i]);
        CHECK(cli_pace_median(&pace) > 0 && isfinite(cli_pace_median(&pace)));
        if (times[i] > 1e-9 && times[i] < 1000)
            CHECK_NEAR(cli_pace_median(&pace), times[i], 0.03 * times[i]);
    }
    CliPace pace = cli_pace_begin(1, 0, 0);
    take(&pace, 5, times);
    CHECK_NEAR(cli_pace_median(&pace), 5e-7, 0.03 * 5e-7);
    pace = cli_pace_begin(1, 0, 0);
    CHECK(isnan(cli_pace_median(&pace)) && isnan(cli_pace_load(&pace)));
}

CHECK_MAIN(TEST(steps_in_time_are_not_late), TEST(a_late_step_is_caught_up), TEST(a_run_that_is_too_slow_falls_behind),
           TEST(waking_up_late_is_noted), TEST(the_factor_stretches_the_deadlines), TEST(the_median_knows_all_times))
