/* SPDX-License-Identifier: BSD-3-Clause */
/* The report of a comparison: the records, what became of constraints and energy in each run, advice, and the motion of
 * the method that is advised. */
#ifndef HOLON_CLI_COMPARE_REPORT_H
#define HOLON_CLI_COMPARE_REPORT_H

#include "compare_output.h"
#include "thin.h"

/* Violations and drift of each run over time. */
typedef struct CliSeries {
    CliThin *runs; /* by the record */
    int count;
} CliSeries;

/* For HolCompareOptions.observe. What memory does not suffice for is left out. */
void cli_series_add(CliSeries *series, int record, double t, const HolMeasures *measures);
void cli_series_free(CliSeries *series);

/* Runs the advised method again for its motion, and writes the page; an exit code. */
int cli_compare_report(const CliComparison *comparison, const CliSeries *series, long rows, const char *path);

#endif
