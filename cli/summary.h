/* SPDX-License-Identifier: BSD-3-Clause */
/* What a run was like, for programs (JSON, whose keys are a contract) and for people. */
#ifndef HOLON_CLI_SUMMARY_H
#define HOLON_CLI_SUMMARY_H

#include <holon/json.h>
#include <holon/mechanism.h>

typedef struct CliSummary {
    const HolModel *model;
    const HolMechanism *mechanism;
    HolSummary run;
    double until;
    const HolDiagnosis *diagnosis; /* of a mechanism with redundant rows; NULL: not examined */
    const char *results;           /* the file and its size in words, or NULL */
    double unresolved_since; /* when reactions could not be resolved any more; HUGE_VAL: never, NAN: not recorded */
    const char *passages;    /* singular configurations in words, or NULL */
    const char *realtime;    /* how the run kept up with the clock, or NULL */
} CliSummary;

/* The members of an object that is open. */
void cli_summary_members(const CliSummary *summary, HolJson *json);
void cli_summary_print(const CliSummary *summary); /* to stdout */
/* Whether an appreciable part of the kinetic energy is in motion that the constraints forbid. */
bool cli_strays(const HolSummary *run);
/* How reactions that the motion leaves open are told. */
const char *cli_reactions_words(const HolMechanism *mechanism);

#endif
