/* SPDX-License-Identifier: BSD-3-Clause */
/* The report of a run: one page of HTML with all recorded columns, thinned during the run. */
#ifndef HOLON_CLI_REPORT_REPORT_H
#define HOLON_CLI_REPORT_REPORT_H

#include "report/page.h"
#include "report/scene_json.h"
#include "report/verdicts.h"
#include "run/realtime.h"

enum { CLI_REPORT_ROWS = 2001, CLI_REPORT_MAX_ROWS = 1000000 };

/* The value of --report-rows, or the default if NULL. Returns false after an error message. */
bool cli_report_rows(const char *text, long *rows);
/* Checks that the page of this option can be written. Returns an exit code. */
int cli_report_check(const char *option, const char *path);

/* The members title, model, summary, scene, verdicts and events of an object that is open. outcome is NULL for a run
 * that has not finished. Column numbers start at `first`. */
typedef struct CliRunMembers {
    const HolModel *model;
    const HolScene *scene;
    const HolDiagnosis *diagnosis;
    const CliOutcome *outcome;
    const CliPace *pace;
    const CliNames *names;
    int first;
} CliRunMembers;
void cli_run_members(const CliRunMembers *members, CliJson *json);
/* Writes the members format, kind and version. */
void cli_report_format(CliJson *json, const char *kind);

/* The recorded states of a run. */
typedef struct CliReport {
    HolRecorder *recorder;
    HolScene *scene;
    CliNames names;
    const char **columns;
    CliThin thin;
    int energy, violation, singular; /* the first of these columns, -1: none */
    double last;                     /* time of the last state */
} CliReport;

/* Records all columns, and those of `also` that "all" leaves out: beam sections, reactions in joint axes, singular
 * values. Returns an exit code; call cli_report_free() in either case. */
int cli_report_begin(const HolMechanism *mechanism, const HolRecorder *also, long rows, CliReport *report);
void cli_report_free(CliReport *report);

/* For HolRun.record. Reads only the states that it keeps; of the others it merges the measures. */
HolStatus cli_report_record(CliReport *report, const HolState *state, const HolMeasures *measures);
/* Adds the final state of the run, if it was not recorded. */
void cli_report_end(CliReport *report, const HolSimulation *simulation);

/* Writes the page. Returns an exit code. */
int cli_report_write(const CliReport *report, const char *path, const HolModel *model, const HolDiagnosis *diagnosis,
                     const CliOutcome *outcome, const CliPace *pace);

/* The scene of results with these columns: the header of a page. NULL: not enough memory. */
char *cli_scene_text(const CliRunMembers *members);

#endif
