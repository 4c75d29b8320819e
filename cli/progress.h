/* SPDX-License-Identifier: BSD-3-Clause */
/* A bar on stderr that tells how far a run has come and how long it will take; only on a terminal. */
#ifndef HOLON_CLI_PROGRESS_H
#define HOLON_CLI_PROGRESS_H

#include <stdbool.h>

typedef struct CliProgress {
    bool shown;
    double start, until;         /* of the run */
    const char *name, *unit;     /* of what goes from start to until: "t", " s"; others may be put in their place */
    double began, last_drawn_at; /* on the clock, s */
    bool on_screen;
} CliProgress;

/* Nothing is ever drawn if it is not wanted or stderr is no terminal. */
CliProgress cli_progress_begin(double start, double until, bool wanted);
/* Draws at most ten times a second, and nothing in the first half second. */
void cli_progress_update(CliProgress *progress, double t);
/* Takes the bar away. */
void cli_progress_end(CliProgress *progress);

#endif
