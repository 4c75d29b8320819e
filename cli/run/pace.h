/* SPDX-License-Identifier: BSD-3-Clause */
/* Deadlines of a run in real time. This file reads no clock: callers pass its time as `now`.
 *
 * The state at time t is due when the clock shows
 *
 *     deadline(t) = began + (t - start) / factor                                    (1)
 *
 * A step begins when the previous state is due, or at once if it is overdue. A step that ends after its deadline is
 * late. Deadlines never shift, so a run catches up if it can, and its lateness grows if it cannot. */
#ifndef HOLON_CLI_RUN_PACE_H
#define HOLON_CLI_RUN_PACE_H

/* A histogram of step times, 16 bins per octave from 1 ns to 1000 s: its size does not depend on the run. */
enum {
    CLI_PACE_OCTAVES = 40,
    CLI_PACE_BINS_PER_OCTAVE = 16,
    CLI_PACE_BINS = CLI_PACE_OCTAVES * CLI_PACE_BINS_PER_OCTAVE
};

typedef struct CliPace {
    double factor;                 /* simulated seconds in a second of the clock */
    double start, began;           /* simulated time and clock time at the start */
    double t, resumed;             /* simulated time of the last step, clock time at which the next one began */
    double deadline;               /* of the last step: (1) */
    long steps, late;              /* steps that ended, and those that ended after their deadline */
    double lateness, max_lateness; /* of the last step, negative if early; the largest, 0 if no step was late */
    double max_oversleep;          /* largest delay between a deadline and the start of the next step */
    double busy, longest;          /* total and largest time of steps */
    double max_share;              /* largest ratio of the time of a step to the time available for it */
    long bins[CLI_PACE_BINS];
} CliPace;

CliPace cli_pace_begin(double factor, double start, double now);

/* Records a step to t that has ended now. The caller then waits until pace->deadline. */
void cli_pace_step(CliPace *pace, double t, double now);
/* Records that the next step begins now, and how long after the deadline. */
void cli_pace_resume(CliPace *pace, double now);

/* The median time of a step, within 3 percent; NAN if there was no step. */
double cli_pace_median(const CliPace *pace);
/* The time of all steps divided by the available time, which may exceed 1; NAN if there was no step. */
double cli_pace_load(const CliPace *pace);

#endif
