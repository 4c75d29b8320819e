/* SPDX-License-Identifier: BSD-3-Clause */
/* The books of a run that keeps up with a clock. No clock is read here: whoever has one tells what it shows.
 *
 * The state at time t is due when the clock shows
 *
 *     deadline(t) = began + (t - start) / factor                                    (1)
 *
 * A step may begin when the one before it is due, or at once if that is over. One that ends behind its deadline is
 * late; deadlines stay where they are, so that a run catches up if it can, and the lateness tells if it cannot. */
#ifndef HOLON_CLI_PACE_H
#define HOLON_CLI_PACE_H

/* Times of steps are counted in bins, 16 to an octave, from a nanosecond to 1000 s: nothing grows with the run. */
enum {
    CLI_PACE_OCTAVES = 40,
    CLI_PACE_BINS_PER_OCTAVE = 16,
    CLI_PACE_BINS = CLI_PACE_OCTAVES * CLI_PACE_BINS_PER_OCTAVE
};

typedef struct CliPace {
    double factor;                  /* simulated seconds in a second of the clock */
    double start, began;            /* of the run: its time, and what the clock showed */
    double t, resumed;              /* the last step done, and when the next one began */
    double deadline;                /* of the last step: (1) */
    long steps, late;               /* how many ended, how many of them behind their deadline */
    double lateness, most_lateness; /* of the last step, negative if it was early; the largest, 0 if none was late */
    double most_oversleep;          /* the latest that a step began after waiting: the system's share of lateness */
    double busy, longest;           /* all the time that steps took, and the longest of them */
    double largest_share;           /* of the time that a step had, that it took */
    long bins[CLI_PACE_BINS];
} CliPace;

CliPace cli_pace_begin(double factor, double start, double now);

/* A step to t has ended now. Until its deadline there is nothing to do. */
void cli_pace_step(CliPace *pace, double t, double now);
/* The next step begins now; what was waited beyond the deadline is noted. */
void cli_pace_resume(CliPace *pace, double now);

/* The median of the times of steps, within 3 percent; NAN if there was none. */
double cli_pace_median(const CliPace *pace);
/* The part of the time of the clock that steps took, which may be more than 1; NAN if there was none. */
double cli_pace_load(const CliPace *pace);

#endif
