/* SPDX-License-Identifier: BSD-3-Clause */
/* The report of a run: everything it moved, thinned while it runs, as one page of HTML. */
#ifndef HOLON_CLI_REPORT_H
#define HOLON_CLI_REPORT_H

#include "page.h"
#include "realtime.h"
#include "scene_json.h"
#include "verdicts.h"

enum { CLI_REPORT_ROWS = 2001, CLI_REPORT_MOST_ROWS = 1000000 };

/* What --report-rows says; NULL: the default. False after a sentence. */
bool cli_report_rows(const char *text, long *rows);
/* Whether the page of this option could be written there; an exit code. */
int cli_report_check(const char *option, const char *path);

/* The members of a run of an object that is open: title, model, summary, scene, verdicts, events. outcome NULL: the run
 * has not come to its end. Columns count from `first` on. */
typedef struct CliRunMembers {
    const HolModel *model;
    const HolScene *scene;
    const HolDiagnosis *diagnosis;
    const CliOutcome *outcome;
    const CliPace *pace;
    const CliNames *names;
    int first;
} CliRunMembers;
void cli_run_members(const CliRunMembers *members, HolJson *json);
/* Format, kind and version. */
void cli_report_format(HolJson *json, const char *kind);

/* What is kept of a run. */
typedef struct CliReport {
    HolRecorder *recorder;
    HolScene *scene;
    CliNames names;
    const char **columns;
    CliThin thin;
    int energy, violation, singular; /* where these columns begin, -1: not there */
    double last;                     /* time of the last state that came */
} CliReport;

/* Records everything, and of what `also` records all that is not in that: sections of beams, reactions in the axes of
 * joints, singular values. Returns an exit code; cli_report_free() in either case. */
int cli_report_begin(const HolMechanism *mechanism, const HolRecorder *also, long rows, CliReport *report);
void cli_report_free(CliReport *report);

/* For HolRun.record. Only states that are kept are read: of the others measures alone are looked at. */
HolStatus cli_report_record(CliReport *report, const HolState *state, const HolMeasures *measures);
/* The state that the run ended with, if it was not recorded. */
void cli_report_end(CliReport *report, const HolSimulation *simulation);
double cli_report_kinetic(const CliReport *report); /* the largest that was kept */

/* Writes the page; an exit code. */
int cli_report_write(const CliReport *report, const char *path, const HolModel *model, const HolDiagnosis *diagnosis,
                     const CliOutcome *outcome, const CliPace *pace);

/* The text that goes with results of these columns: the header without the numbers. NULL: not enough memory. */
char *cli_scene_text(const CliRunMembers *members);

#endif
