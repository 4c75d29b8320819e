/* SPDX-License-Identifier: BSD-3-Clause */
/* What a run was worth, in sentences: the members verdicts and events of the header of a page. */
#ifndef HOLON_CLI_VERDICTS_H
#define HOLON_CLI_VERDICTS_H

#include "summary.h"

typedef struct CliOutcome {
    const CliSummary *summary;
    const HolSimulation *simulation;
    double kinetic;     /* the largest on record, NAN: none */
    const char *why;    /* the run ended early, NULL: it did not */
    const char *advice; /* what may help then, or NULL */
} CliOutcome;

void cli_verdicts(const CliOutcome *outcome, HolJson *json);
void cli_events(const CliOutcome *outcome, HolJson *json);

/* One verdict of an array that is open; level: "good", "note", "warn" or "bad". */
__attribute__((format(printf, 3, 4))) void cli_verdict(HolJson *json, const char *level, const char *format, ...);

#endif
