/* SPDX-License-Identifier: BSD-3-Clause */
/* A format of result files is one source file ending in one const table, plus one line in results.c. */
#ifndef HOLON_RESULTS_KIND_H
#define HOLON_RESULTS_KIND_H

#include <holon/results.h>

#include <stdbool.h>
#include <stdio.h>

typedef struct HolResultsKind HolResultsKind;

enum { HOL_LARGEST_SCENE = 1 << 28 }; /* bytes of an attached text; a longer one is ignored */

struct HolResults {
    const HolResultsKind *kind;
    FILE *file; /* NULL once finished */
    char *path;
    int column_count;
    long row_count;
    void *own;              /* data of a format that opens the file by itself */
    long patch_at, data_at; /* positions in the file: where finish() writes, where the rows begin */
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
    long row_count, next; /* number of rows, where the file states it, and index of the next one */
    char *line;           /* of getline() */
    size_t line_size;
};

/* Formats that write to the stream `file` do not report failures: ferror() does. A format that opens the file by itself
 * (HDF5) has open(), put() and close() instead of begin(), add() and finish(). */
struct HolResultsKind {
    const char *ending; /* ".csv" */
    void (*begin)(HolResults *results, const char *const *columns);
    void (*add)(HolResults *results, const double *values);
    bool (*finish)(HolResults *results); /* optional, after the last row was flushed; false and errno if it failed */

    HolStatus (*open)(HolResults *results, const char *const *columns); /* with a message in results->message */
    HolStatus (*put)(HolResults *results, const double *values);        /* likewise */
    HolStatus (*close)(HolResults *results);
    HolStatus (*attach)(HolResults *results, const char *text, HolMessage *message); /* NULL: beside the file */

    /* Read the names of the columns, then row by row; *more is false after the last row or a failure. */
    HolStatus (*read_names)(HolResultsReader *reader, HolMessage *message);
    HolStatus (*read_row)(HolResultsReader *reader, double *values, bool *more, HolMessage *message);
    void (*forget)(HolResultsReader *reader); /* optional */
};

/* Removes the scene file of older results. Its path has at most PATH_MAX characters, otherwise it does not exist. */
void hol_results_forget_scene(const char *path);

const HolResultsKind *hol_results_kind(const char *path, const char *doing,
                                       HolMessage *message); /* NULL after a message */
/* Adds a name. Returns false if there is not enough memory. */
bool hol_reader_add_column(HolResultsReader *reader, const char *name, size_t length);
/* Allocates memory for `count` names. Returns false if there is not enough. */
bool hol_reader_columns(HolResultsReader *reader, int count);

#endif
