/* SPDX-License-Identifier: BSD-3-Clause */
/* What a run records: columns that were asked for, a file of them, the scene that goes with it, and a report. */
#ifndef HOLON_CLI_RECORDING_H
#define HOLON_CLI_RECORDING_H

#include <holon/results.h>

#include "report.h"

typedef struct CliRecording {
    const HolModel *model;
    HolRecorder *recorder;
    HolResults *results; /* NULL: no --output */
    double *values;      /* of one row of results */
    const char **columns;
    CliNames names;
    HolScene *scene;
    double kinetic; /* the largest kinetic energy on record */
    bool has_report;
    CliReport report;
} CliRecording;

/* The columns of a list "crank, pin_A.reaction"; NULL: what the model says. Exit codes, here and below. */
int cli_recording_choose(CliRecording *recording, const HolModel *model, const HolMechanism *mechanism,
                         const char *list);
/* The file of --output and the report; NULL and 0 rows: none. */
int cli_recording_open(CliRecording *recording, const HolMechanism *mechanism, const char *output, long report_rows);
void cli_recording_free(CliRecording *recording);

HolStatus cli_recording_add(CliRecording *recording, const HolState *state, const HolMeasures *measures);

/* The scene goes to the results: outcome NULL while the run goes on. What fails is told as a warning. */
void cli_recording_attach(CliRecording *recording, const CliOutcome *outcome, const CliPace *pace);

#endif
