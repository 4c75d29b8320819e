/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of numbers, thinned as they arrive: every k-th row and the last one are kept, k = 1, 2, 4, ... Memory holds at
 * most twice the wanted number of rows. The result depends on the rows alone.
 *
 *     CliThin thin; cli_thin_begin(&thin, keep, columns, most);
 *     double *row = cli_thin_next(&thin);            the place of the next row; NULL: it is left out
 *     cli_thin_merge(&thin, column, value);          merges a row that is left out into the row before
 *     cli_thin_finish(&thin);                        thin.rows, thin.row_count */
#ifndef HOLON_CLI_REPORT_THIN_H
#define HOLON_CLI_REPORT_THIN_H

#include <stdbool.h>
#include <stddef.h>

/* How a column merges the numbers of rows that are left out. */
typedef enum CliKeep {
    CLI_KEEP_NOTHING,
    CLI_KEEP_LARGEST, /* by magnitude, with its sign */
    CLI_KEEP_SMALLEST
} CliKeep;

typedef struct CliThin {
    int column_count;
    CliKeep *keep;  /* of each column */
    double *rows;   /* row-major */
    long row_count; /* kept so far */
    long most;      /* maximum at the end */
    long seen;      /* rows that arrived */
    long stride;    /* k */
    bool has_end;   /* the last row was left out, and is stored after the others */
} CliThin;

/* keep is copied. False: not enough memory. */
bool cli_thin_begin(CliThin *thin, const CliKeep *keep, int column_count, long most);
void cli_thin_free(CliThin *thin);

double *cli_thin_next(CliThin *thin);
void cli_thin_merge(CliThin *thin, int column, double value);
/* Keeps or merges a whole row. */
void cli_thin_add(CliThin *thin, const double *values);
/* The place of a row after the last, for the end of a run; `seen` does not count it. */
double *cli_thin_last(CliThin *thin);
/* Thins to the maximum and keeps the last row. */
void cli_thin_finish(CliThin *thin);

static inline double *cli_thin_row(const CliThin *thin, long row)
{
    return thin->rows + (size_t)row * (size_t)thin->column_count;
}

#endif
