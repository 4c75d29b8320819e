/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of numbers, thinned while they come: of n rows every k-th is kept, k = 1, 2, 4, ... and the last one, so that
 * there are never more than twice as many as wanted in memory, and at the end no more than wanted. The same rows give
 * the same result.
 *
 *     CliThin thin; cli_thin_begin(&thin, keep, columns, most);
 *     double *row = cli_thin_next(&thin);            where to put the next one; NULL: it is left out
 *     cli_thin_merge(&thin, column, value);          what a row that is left out adds to the one kept before it
 *     cli_thin_finish(&thin);                        thin.rows, thin.row_count */
#ifndef HOLON_CLI_THIN_H
#define HOLON_CLI_THIN_H

#include <stdbool.h>
#include <stddef.h>

/* What becomes of the numbers of a column in rows that are left out. */
typedef enum CliKeep {
    CLI_KEEP_NOTHING,
    CLI_KEEP_LARGEST, /* in magnitude, with its sign */
    CLI_KEEP_SMALLEST
} CliKeep;

typedef struct CliThin {
    int column_count;
    CliKeep *keep;  /* of each column */
    double *rows;   /* row-major */
    long row_count; /* kept so far */
    long most;      /* wanted at the end */
    long seen;      /* rows that came */
    long stride;    /* every one of these is kept */
    bool has_end;   /* the last row that came was left out, and stands behind the others */
} CliThin;

/* keep is copied. False: not enough memory. */
bool cli_thin_begin(CliThin *thin, const CliKeep *keep, int column_count, long most);
void cli_thin_free(CliThin *thin);

double *cli_thin_next(CliThin *thin);
void cli_thin_merge(CliThin *thin, int column, double value);
/* A whole row: kept or merged. */
void cli_thin_add(CliThin *thin, const double *values);
/* One more row behind the last, which counts as none that came: the end of a run. */
double *cli_thin_last(CliThin *thin);
/* No more than wanted, the last one among them. */
void cli_thin_finish(CliThin *thin);

static inline double *cli_thin_row(const CliThin *thin, long row)
{
    return thin->rows + (size_t)row * (size_t)thin->column_count;
}

#endif
