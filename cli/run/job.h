/* SPDX-License-Identifier: BSD-3-Clause */
/* One run of the command: what `holon run` prepares, and what is written and printed at its end. */
#ifndef HOLON_CLI_RUN_JOB_H
#define HOLON_CLI_RUN_JOB_H

#include <holon/compare.h>

#include "model.h"
#include "run/checkpoint.h"
#include "run/recording.h"
#include "run/verify.h"
#include "terminal/progress.h"

typedef struct CliRunSettings {
    CliWords words;
    CliModelOptions model;
    const char *output, *report, *report_rows, *summary, *record, *realtime, *accept;
    const char *checkpoint, *checkpoint_every, *resume;
    bool plot, quiet, verify;
} CliRunSettings;

/* Everything one run holds. */
typedef struct CliJob {
    const CliRunSettings *settings;
    HolModel *model;
    HolMechanism *mechanism;
    CliRecording recording;
    HolSimulation *simulation;
    long report_rows;
    HolRun run;
    CliProgress progress;
    double factor; /* of --realtime */
    CliPace pace;
    HolHistory history;
    CliVerify verify;
    bool has_older;   /* the file of --output is that of an earlier run */
    HolStatus status; /* of the run */
    bool was_left;    /* in the middle of a step */
    CliCheckpoint checkpoint;
    double interval;     /* of checkpoints */
    CliResumed *resumed; /* NULL: the run begins */
} CliJob;

/* Whether --summary prints JSON to stdout. */
bool cli_job_prints_summary(const CliRunSettings *settings);

/* The run has ended with this status: writes and prints what is left. Returns an exit code. */
int cli_job_report(CliJob *job, HolStatus status);

/* The run has refused to begin: all files are as they were. Returns an exit code. */
int cli_job_refuse(CliJob *job);

#endif
