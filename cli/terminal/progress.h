/* SPDX-License-Identifier: BSD-3-Clause */
/* A progress bar on stderr with the remaining time; only on a terminal. */
#ifndef HOLON_CLI_TERMINAL_PROGRESS_H
#define HOLON_CLI_TERMINAL_PROGRESS_H

#include <stdbool.h>

typedef struct CliProgress {
    bool shown;
    double start, until;         /* of the run */
    const char *name, *unit;     /* of the progress variable: "t" and " s" unless changed */
    double began, last_drawn_at; /* on the clock, s */
    bool on_screen;
} CliProgress;

/* Draws nothing if not wanted, or if stderr is not a terminal. */
CliProgress cli_progress_begin(double start, double until, bool wanted);
/* Draws at most ten times a second, and nothing in the first half second. */
void cli_progress_update(CliProgress *progress, double t);
/* Clears the bar. */
void cli_progress_end(CliProgress *progress);

#endif
