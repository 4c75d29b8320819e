/* SPDX-License-Identifier: BSD-3-Clause */
/* A format of result files is one source file ending in one const table, plus one line in results.c. */
#ifndef HOLON_RESULTS_KIND_H
#define HOLON_RESULTS_KIND_H

#include <holon/results.h>

#include "output.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct HolResultsKind HolResultsKind;

enum { HOL_LARGEST_SCENE = 1 << 28 }; /* bytes of an attached text; a longer one is ignored */

struct HolResults {
    const HolResultsKind *kind;
    HolOutput output;
    bool is_open;
    char *path;
    int column_count;
    long row_count, stored;      /* rows added, and rows in the file */
    void *own;                   /* data of the format */
    long long patch_at, data_at; /* positions in the file: where mark() writes, where the rows begin */
    char *scene;                 /* an attached text that is not in a file yet, or NULL */
    bool has_scene;              /* the text beside the file is of these results, or was removed */
    char *buffer;                /* whole rows that are not in the file yet */
    size_t used, room, row_size; /* bytes in the buffer, its size, and the most that a row takes */
    int64_t flushed_at;          /* ns */
    HolStatus status;
    HolMessage message;
};

struct HolResultsReader {
    const HolResultsKind *kind;
    char *path;
    FILE *file;
    void *own;
    int column_count;
    char **columns;
    char *attached;
    long row_count, next; /* number of rows, where it is known, and index of the next one */
    long stated;          /* number of rows that the file states, where it has less */
    bool is_incomplete;   /* what follows the last row is a part of another */
    char *line;           /* of getline() */
    size_t line_size;
};

/* Functions that return int return 0 or an error number. */
struct HolResultsKind {
    const char *ending; /* ".csv" */
    size_t number_size; /* the most bytes that a number takes */
    bool is_patched;    /* the file must be seekable */
    /* Writes what stands before the rows, with no rows so far. The message is in results->message. */
    HolStatus (*begin)(HolResults *results, const char *const *columns, FILE *file);
    /* Adds a row to the buffer, which has room for it. Returns its size. */
    size_t (*add)(const HolResults *results, const double *values, char *to);
    /* Optional: states in the file that it has results->stored rows. If is_last, it also has no more bytes than
     * results->output.end. The file is readable before, meanwhile and after. */
    int (*mark)(HolResults *results, bool is_last);
    int (*finish)(HolResults *results);   /* optional, behind the last row, before the last mark() */
    void (*release)(HolResults *results); /* optional: frees own */

    /* Takes the state of a file with those bytes in place of what begin() wrote. False if they are no such bytes. */
    bool (*resume)(HolResults *results, const char *found, const char *wanted, size_t size);
    /* Optional, for rows of any size: the number of complete rows in some bytes, and their size. */
    long (*count_rows)(const char *bytes, size_t size, size_t *complete);
    /* Optional, for rows of any size: finds where a number of rows ends, or fails with ERANGE. */
    int (*row_end)(const HolResults *results, long rows, long long *end);
    HolStatus (*attach)(HolResults *results, const char *text, HolMessage *message); /* NULL: beside the file */

    /* Read the names of the columns, then row by row; *more is false after the last row or a failure. */
    HolStatus (*read_names)(HolResultsReader *reader, HolMessage *message);
    HolStatus (*read_row)(HolResultsReader *reader, double *values, bool *more, HolMessage *message);
    void (*forget)(HolResultsReader *reader); /* optional */
};

/* NULL after a message */
const HolResultsKind *hol_results_kind(const char *path, const char *doing, HolMessage *message);
/* The arguments of the function that creates or continues results; *results is then NULL. */
HolStatus hol_results_check(const char *function, const char *path, const char *const *columns, int column_count,
                            HolResults **results, HolMessage *message);
/* Results that are not yet open. HOL_BAD_INPUT or HOL_NO_MEMORY after a message. */
HolStatus hol_results_new(const char *path, int column_count, HolResults **results, HolMessage *message);
/* Writes what begin() of the format gives into memory. */
HolStatus hol_results_header(HolResults *results, const char *const *columns, char **bytes, size_t *size);
HolStatus hol_results_fail(HolResults *results, int error);
/* Copies the message and frees without touching the file that has the name. Returns the status. */
HolStatus hol_results_refuse(HolResults *results, HolStatus status, HolMessage *message);

/* Keeps a copy of the text in results->scene. Returns 0 or ENOMEM. */
int hol_results_keep_scene(HolResults *results, const char *text);
/* Whether the results have their name for good: they are better than what was there, or go on with it. */
bool hol_results_are_settled(const HolResults *results);
/* Takes the name of the results, with the text that waits beside them; removes the text of older results. */
int hol_results_take_name(HolResults *results);

/* Adds a name. Returns false if there is not enough memory. */
bool hol_reader_add_column(HolResultsReader *reader, const char *name, size_t length);
/* Allocates memory for `count` names. Returns false if there is not enough. */
bool hol_reader_columns(HolResultsReader *reader, int count);

#endif
