/* SPDX-License-Identifier: BSD-3-Clause */
/* What a run records: the requested columns, the file they go to, its scene, and a report. */
#ifndef HOLON_CLI_RUN_RECORDING_H
#define HOLON_CLI_RUN_RECORDING_H

#include <holon/results.h>

#include "report/report.h"

typedef struct CliRecording {
    const HolModel *model;
    HolRecorder *recorder;
    HolResults *results; /* NULL: no --output */
    bool is_stream;      /* they go to a pipe or a device, which may take nothing for long */
    double *values;      /* of one row of results */
    const char **columns;
    CliNames names;
    HolScene *scene;
    bool has_report;
    CliReport report;
} CliRecording;

/* Selects the columns of a list "crank, pin_A.reaction", or those of the model if NULL. Returns an exit code. */
int cli_recording_choose(CliRecording *recording, const HolModel *model, const HolMechanism *mechanism,
                         const char *list);
/* Opens the file of --output (NULL: none) and begins the report (0 rows: none). Returns an exit code. */
int cli_recording_open(CliRecording *recording, const HolMechanism *mechanism, const char *output, long report_rows);
/* The same of results whose first `rows` rows are kept, for a run that is resumed; the last of them must be last_row.
 * */
int cli_recording_continue(CliRecording *recording, const HolMechanism *mechanism, const char *output, long rows,
                           const double *last_row);
void cli_recording_free(CliRecording *recording);

HolStatus cli_recording_add(CliRecording *recording, const HolState *state, const HolMeasures *measures);

/* Attaches the scene to the results; outcome is NULL during the run. A failure is reported as a warning. */
void cli_recording_attach(CliRecording *recording, const CliOutcome *outcome, const CliPace *pace);

#endif
