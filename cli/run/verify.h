/* SPDX-License-Identifier: BSD-3-Clause */
/* --verify: the run is repeated with half the step, or a tenth of the tolerance. The difference in each column,
 * times 2^p / (2^p - 1) for a method of order p, is an estimate of its error. */
#ifndef HOLON_CLI_RUN_VERIFY_H
#define HOLON_CLI_RUN_VERIFY_H

#include "findings.h"

typedef struct CliVerify {
    const HolMechanism *mechanism;
    HolRecorder *recorder;
    int columns, rows, stride; /* every stride-th step is kept */
    long steps;
    double *values;                      /* rows of columns, the time first */
    double *error, *low, *high;          /* of each column */
    double factor;                       /* of differences, to errors */
    double energy;                       /* in motion */
    void *recorder_start, *recorder_end; /* what the recorder remembers at the ends of the first run */
    size_t recorder_size;
    bool is_on;
} CliVerify;

/* Returns an exit code. */
int cli_verify_begin(CliVerify *verify, const HolMechanism *mechanism, HolRecorder *recorder,
                     const HolSimulation *simulation);
/* After each accepted step. */
HolStatus cli_verify_add(CliVerify *verify, const HolSimulation *simulation);
/* Repeats the run, prints a table unless quiet, and replaces the estimate among the findings. Returns an exit code. */
int cli_verify_end(CliVerify *verify, const HolSummary *run, HolStatus (*progress)(void *user, double t), void *user,
                   HolFindings *findings);
void cli_verify_print(const CliVerify *verify);
/* The member `verify`, a list of {column, error, relative}; null without --verify. */
void cli_verify_member(const CliVerify *verify, CliJson *json);
void cli_verify_free(CliVerify *verify);

#endif
