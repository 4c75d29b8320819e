/* SPDX-License-Identifier: BSD-3-Clause */
/* The summary of a run: JSON for programs, whose keys are a contract, and a table for people. */
#ifndef HOLON_CLI_RUN_SUMMARY_H
#define HOLON_CLI_RUN_SUMMARY_H

#include "findings.h"

typedef struct CliSummary {
    const HolModel *model;
    const HolMechanism *mechanism;
    HolSummary run;
    double until;
    const HolDiagnosis *diagnosis; /* of a mechanism with redundant constraint equations; NULL: not examined */
    const char *results;           /* "motion.csv: 101 rows, 24 columns", or NULL */
    double unresolved_since;       /* first time without resolved reactions; HUGE_VAL: none, NAN: not recorded */
    const char *passages;          /* a sentence about singular configurations, or NULL */
    const char *events;            /* a sentence about events of the state, or NULL */
    const char *impulses;          /* a sentence about impulses of drivers, or NULL */
    const char *realtime;          /* a sentence about late steps, or NULL */
    HolFindings findings;          /* on the run */
} CliSummary;

/* Writes the members of an object that is open. */
void cli_summary_members(const CliSummary *summary, CliJson *json);
void cli_summary_print(const CliSummary *summary); /* to stdout */
/* How reactions that are not unique are determined, as a phrase. */
const char *cli_reaction_rule_text(const HolMechanism *mechanism);

#endif
