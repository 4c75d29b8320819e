/* SPDX-License-Identifier: BSD-3-Clause */
/* The report of a comparison: its records, violations and energy drift over time, a recommendation, and the motion of
 * the recommended method. */
#ifndef HOLON_CLI_COMPARE_REPORT_H
#define HOLON_CLI_COMPARE_REPORT_H

#include "compare/output.h"
#include "report/thin.h"

/* Violations and drift of each run over time. */
typedef struct CliSeries {
    CliThin *runs; /* one for each record */
    int count;
} CliSeries;

/* For HolCompareOptions.observe. Leaves out what does not fit into memory. */
void cli_series_add(CliSeries *series, int record, double t, const HolMeasures *measures);
void cli_series_free(CliSeries *series);

/* Repeats the recommended run for its motion and writes the page. Returns an exit code. */
int cli_compare_report(const CliComparison *comparison, const CliSeries *series, long rows, const char *path);

#endif
