/* SPDX-License-Identifier: BSD-3-Clause */
/* Verdicts on a run: the members `verdicts` and `events` of the header of a page. */
#ifndef HOLON_CLI_REPORT_VERDICTS_H
#define HOLON_CLI_REPORT_VERDICTS_H

#include "run/summary.h"

typedef struct CliOutcome {
    const CliSummary *summary;
    const HolSimulation *simulation;
    const char *why;    /* why the run ended early, NULL: it did not */
    const char *advice; /* what the user may try then, or NULL */
} CliOutcome;

void cli_verdicts(const CliOutcome *outcome, CliJson *json);
void cli_events(const CliOutcome *outcome, CliJson *json);

/* Adds a verdict to an array that is open; level: "good", "note", "doubtful" or "bad". */
__attribute__((format(printf, 3, 4))) void cli_verdict(CliJson *json, const char *level, const char *format, ...);

#endif
