/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/thin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool cli_thin_begin(CliThin *thin, const CliKeep *keep, int column_count, long most)
{
    size_t columns = (size_t)column_count, room = 2 * (size_t)most + 1; /* one for the last row */
    *thin = (CliThin){.column_count = column_count, .most = most, .stride = 1};
    thin->keep = malloc(columns * sizeof *thin->keep);
    thin->rows = malloc(room * columns * sizeof *thin->rows);
    if (!thin->keep || !thin->rows)
        return false;
    memcpy(thin->keep, keep, columns * sizeof *keep);
    return true;
}

void cli_thin_free(CliThin *thin)
{
    free(thin->keep);
    free(thin->rows);
    *thin = (CliThin){0};
}

/* Merges two numbers; a NAN is ignored. */
static double merged(CliKeep keep, double a, double b)
{
    if (keep == CLI_KEEP_SMALLEST)
        return fmin(a, b);
    return keep == CLI_KEEP_LARGEST && !(fabs(b) <= fabs(a)) && !isnan(b) ? b : a;
}

void cli_thin_merge(CliThin *thin, int column, double value)
{
    if (thin->row_count == 0)
        return;
    double *kept = cli_thin_row(thin, thin->row_count - 1) + column;
    *kept = merged(thin->keep[column], *kept, value);
}

/* Every other row is merged into the one before it. */
static void halve(CliThin *thin)
{
    size_t size = (size_t)thin->column_count * sizeof *thin->rows;
    for (long i = 1; i < thin->row_count; i += 2)
        for (int c = 0; c < thin->column_count; ++c) {
            double *kept = cli_thin_row(thin, i - 1) + c;
            *kept = merged(thin->keep[c], *kept, cli_thin_row(thin, i)[c]);
        }
    for (long i = 2; i < thin->row_count; i += 2)
        memcpy(cli_thin_row(thin, i / 2), cli_thin_row(thin, i), size);
    thin->row_count = (thin->row_count + 1) / 2;
    thin->stride *= 2;
}

double *cli_thin_next(CliThin *thin)
{
    if (thin->row_count == 2 * thin->most)
        halve(thin);
    bool is_kept = thin->seen++ % thin->stride == 0;
    return is_kept ? cli_thin_row(thin, thin->row_count++) : NULL;
}

/* The place after all rows. */
static double *thin_end_of(const CliThin *thin)
{
    return cli_thin_row(thin, 2 * thin->most);
}

static void copy_row(const CliThin *thin, double *to, const double *from)
{
    memcpy(to, from, (size_t)thin->column_count * sizeof *to);
}

void cli_thin_add(CliThin *thin, const double *values)
{
    double *row = cli_thin_next(thin);
    thin->has_end = !row;
    copy_row(thin, row ? row : thin_end_of(thin), values);
    for (int c = 0; !row && c < thin->column_count; ++c)
        cli_thin_merge(thin, c, values[c]);
}

double *cli_thin_last(CliThin *thin)
{
    while (thin->row_count >= thin->most)
        halve(thin);
    thin->has_end = false;
    return cli_thin_row(thin, thin->row_count++);
}

void cli_thin_finish(CliThin *thin)
{
    while (thin->row_count > thin->most) {
        if (!thin->has_end && thin->row_count % 2 == 0) {
            copy_row(thin, thin_end_of(thin), cli_thin_row(thin, thin->row_count - 1));
            thin->has_end = true;
        }
        halve(thin);
    }
    if (thin->has_end)
        copy_row(thin, cli_thin_last(thin), thin_end_of(thin));
}
