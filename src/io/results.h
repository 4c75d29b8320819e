/* SPDX-License-Identifier: BSD-3-Clause */
/* What a format of results is: one file ending in one const table, plus one line in results.c. */
#ifndef HOLON_IO_RESULTS_H
#define HOLON_IO_RESULTS_H

#include <holon/results.h>

#include <stdbool.h>
#include <stdio.h>

typedef struct HolResultsKind HolResultsKind;

enum { HOL_LARGEST_SCENE = 1 << 28 }; /* bytes of what goes with results; with more there is none */

struct HolResults {
    const HolResultsKind *kind;
    FILE *file; /* NULL once finished */
    char *path;
    int column_count;
    long row_count;
    void *own;              /* what the format keeps, if it writes by itself */
    long patch_at, data_at; /* where finish() writes and where the rows begin, if the format needs that */
    HolStatus status;
    HolMessage message;
    char buffer[1 << 16]; /* of the stream, so that it allocates none */
};

struct HolResultsReader {
    const HolResultsKind *kind;
    char *path;
    FILE *file;
    void *own;
    int column_count;
    char **columns;
    char *attached;
    long row_count, next; /* rows there are where that is told ahead, and which comes next */
    char *line;           /* for the format */
    size_t line_size;
};

/* What writes to a stream is asked by the stream whether it succeeded. A format that writes by itself (HDF5) has `open`
 * instead of `begin`. */
struct HolResultsKind {
    const char *ending; /* ".csv" */
    void (*begin)(HolResults *results, const char *const *columns);
    void (*add)(HolResults *results, const double *values);
    bool (*finish)(HolResults *results); /* optional, after the last row was flushed; false and errno if it failed */

    HolStatus (*open)(HolResults *results, const char *const *columns); /* with a sentence in results->message */
    HolStatus (*put)(HolResults *results, const double *values);        /* likewise */
    HolStatus (*close)(HolResults *results);
    HolStatus (*attach)(HolResults *results, const char *text, HolMessage *message); /* NULL: beside the file */

    /* Reading: the names of the columns; then row by row, false behind the last or after a sentence. */
    HolStatus (*read_names)(HolResultsReader *reader, HolMessage *message);
    HolStatus (*read_row)(HolResultsReader *reader, double *values, bool *more, HolMessage *message);
    void (*forget)(HolResultsReader *reader); /* optional */
};

/* Takes away what was beside an older file; the path of it is at most PATH_MAX long, else there is none. */
void hol_results_forget_scene(const char *path);

const HolResultsKind *hol_results_kind(const char *path, const char *doing, HolMessage *message); /* NULL: a sentence */
/* One more name; false: not enough memory. */
bool hol_reader_add_column(HolResultsReader *reader, const char *name, size_t length);
/* Room for count names. */
bool hol_reader_columns(HolResultsReader *reader, int count);

#endif
