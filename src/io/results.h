/* SPDX-License-Identifier: BSD-3-Clause */
/* What a format of results is: one file ending in one const table, plus one line in results.c. */
#ifndef HOLON_IO_RESULTS_H
#define HOLON_IO_RESULTS_H

#include <holon/results.h>

#include <stdbool.h>
#include <stdio.h>

typedef struct HolResultsKind HolResultsKind;

struct HolResults {
    const HolResultsKind *kind;
    FILE *file; /* NULL once finished */
    char *path;
    int column_count;
    long row_count;
    long patch_at, data_at; /* where finish() writes and where the rows begin, if the format needs that */
    HolStatus status;
    HolMessage message;
    char buffer[1 << 16]; /* of the stream, so that it allocates none */
};

/* Whether writing succeeded is asked of the stream by whoever calls these. */
struct HolResultsKind {
    const char *ending; /* ".csv" */
    void (*begin)(HolResults *results, const char *const *columns);
    void (*add)(HolResults *results, const double *values);
    bool (*finish)(HolResults *results); /* optional, after the last row was flushed; false and errno if it failed */
};

#endif
