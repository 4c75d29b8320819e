/* SPDX-License-Identifier: BSD-3-Clause */
#include <holon/argument.h>

#include "kind.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#define KINDS(KIND)                                                                                                    \
    KIND(hol_results_csv)                                                                                              \
    KIND(hol_results_npy)                                                                                              \
    KIND(hol_results_hdf5)

#define DECLARE(kind) extern const HolResultsKind kind;
#define LIST(kind) &kind,

KINDS(DECLARE)
static const HolResultsKind *const kinds[] = {KINDS(LIST)};

enum { COUNT = sizeof kinds / sizeof *kinds };
enum { BUFFER_SIZE = 1 << 16, MIN_ROWS = 4 }; /* bytes, and rows that the buffer has room for */

/* Rows wait no longer than this for the next write, in ns. A killed run loses less than a second. */
static const int64_t FLUSH_INTERVAL = 250000000;

#ifdef CLOCK_MONOTONIC_COARSE
#define CLOCK CLOCK_MONOTONIC_COARSE /* a few nanoseconds, without a system call */
#else
#define CLOCK CLOCK_MONOTONIC
#endif

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

const char *hol_results_ending(int index)
{
    return index >= 0 && index < COUNT ? kinds[index]->ending : "";
}

/* The file name extension with its dot, or "". */
static const char *ending_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash ? slash : path, '.');
    return dot ? dot : "";
}

const HolResultsKind *hol_results_kind(const char *path, const char *doing, HolMessage *message)
{
    const char *ending = ending_of(path);
    for (int i = 0; i < COUNT; ++i)
        if (strcasecmp(kinds[i]->ending, ending) == 0)
            return kinds[i];
    if (ending[0])
        hol_fail(message, HOL_BAD_INPUT, "'%s': results are %s as .csv, .npy and .h5, not as %s", path, doing, ending);
    else
        hol_fail(message, HOL_BAD_INPUT, "'%s' must end in .csv, .npy or .h5, which says how results are %s", path,
                 doing);
    return NULL;
}

HolStatus hol_results_fail(HolResults *results, int error)
{
    results->status = hol_output_fail(&results->message, results->path, error);
    return results->status;
}

HolStatus hol_results_new(const char *path, int column_count, HolResults **results, HolMessage *message)
{
    const HolResultsKind *kind = hol_results_kind(path, "written", message);
    if (!kind)
        return HOL_BAD_INPUT;
    HolResults *r = calloc(1, sizeof *r);
    if (r) {
        r->kind = kind;
        r->column_count = column_count;
        r->row_size = (size_t)column_count * kind->number_size;
        r->room = MIN_ROWS * r->row_size > BUFFER_SIZE ? MIN_ROWS * r->row_size : BUFFER_SIZE;
        r->output = (HolOutput){.file = -1, .older = -1};
        r->path = strdup(path);
        r->buffer = malloc(r->room);
    }
    if (r && r->path && r->buffer) {
        *results = r;
        return HOL_OK;
    }
    hol_results_refuse(r, HOL_NO_MEMORY, NULL);
    return hol_fail(message, HOL_NO_MEMORY, "not enough memory to write '%s'", path);
}

static void results_free(HolResults *results)
{
    if (results->kind->release)
        results->kind->release(results);
    free(results->scene);
    free(results->buffer);
    free(results->path);
    free(results);
}

HolStatus hol_results_refuse(HolResults *results, HolStatus status, HolMessage *message)
{
    if (!results)
        return status;
    if (message)
        *message = results->message;
    hol_output_discard(&results->output);
    results_free(results);
    return status;
}

HolStatus hol_results_header(HolResults *results, const char *const *columns, char **bytes, size_t *size)
{
    *bytes = NULL;
    FILE *memory = hol_text_open(bytes, size);
    HolStatus status = memory ? results->kind->begin(results, columns, memory) : HOL_NO_MEMORY;
    bool is_complete = hol_text_close(memory, bytes);
    if (status == HOL_NO_MEMORY || (status == HOL_OK && !is_complete))
        status = hol_results_fail(results, ENOMEM);
    if (status != HOL_OK) {
        free(*bytes);
        *bytes = NULL;
    }
    return status;
}

/* Whether the file is one that the format can be written to. */
static HolStatus results_check_stream(HolResults *results)
{
    if (!results->kind->is_patched || lseek(results->output.file, 0, SEEK_CUR) >= 0)
        return HOL_OK;
    return hol_fail(&results->message, HOL_NOT_WRITTEN, "cannot write '%s': it is a pipe, which takes .csv only",
                    results->path);
}

static HolStatus results_begin(HolResults *results, const char *const *columns)
{
    char *header;
    size_t size;
    HolStatus status = hol_results_header(results, columns, &header, &size);
    if (status != HOL_OK)
        return status;
    int error = hol_output_open(&results->output, results->path);
    status = error == 0 ? results_check_stream(results) : hol_results_fail(results, error);
    if (status == HOL_OK) {
        error = hol_output_write(&results->output, header, size);
        if (error == 0 && results->kind->mark)
            error = results->kind->mark(results, false);
        if (error == 0 && !results->output.was_there)
            error = hol_results_take_name(results);
        status = error == 0 ? HOL_OK : hol_results_fail(results, error);
    }
    free(header);
    return status;
}

HolStatus hol_results_check(const char *function, const char *path, const char *const *columns, int column_count,
                            HolResults **results, HolMessage *message)
{
    HolStatus status = hol_argument_pointer(message, function, "results", results);
    if (status != HOL_OK)
        return status;
    *results = NULL;
    status = hol_argument_pointer(message, function, "path", path);
    if (status == HOL_OK)
        status = hol_argument_pointer(message, function, "columns", columns);
    if (status == HOL_OK && column_count < 1)
        status = hol_fail(message, HOL_BAD_INPUT, "%s: column_count = %d must be positive", function, column_count);
    return status == HOL_OK ? hol_argument_names(message, function, "columns", columns, column_count) : status;
}

HolStatus hol_results_create(const char *path, const char *const *columns, int column_count, HolResults **results,
                             HolMessage *message)
{
    HolStatus wrong = hol_results_check(__func__, path, columns, column_count, results, message);
    if (wrong != HOL_OK)
        return wrong;
    hol_fail(message, HOL_OK, "%s", "");
    HolResults *r = NULL;
    HolStatus status = hol_results_new(path, column_count, &r, message);
    if (status != HOL_OK)
        return status;
    status = results_begin(r, columns);
    if (status != HOL_OK)
        return hol_results_refuse(r, status, message);
    r->is_open = true;
    r->flushed_at = now();
    *results = r;
    return HOL_OK;
}

/* After a failure: leaves a readable file that ends with its last complete row. The message is of the failure. */
static HolStatus results_stop(HolResults *results, int error)
{
    results->row_count = results->stored;
    results->used = 0;
    if (!results->kind->mark || results->kind->mark(results, true) == 0)
        hol_output_cut(&results->output);
    return hol_results_fail(results, error);
}

/* After a write that failed: the rows that are in the file completely count. */
static void results_salvage(HolResults *results)
{
    size_t size = results->output.partial;
    long rows = (long)(size / results->row_size);
    size_t complete = (size_t)rows * results->row_size;
    if (results->kind->count_rows)
        rows = results->kind->count_rows(results->buffer, size, &complete);
    results->output.end += (long long)complete;
    results->stored += rows;
}

static HolStatus results_flush(HolResults *results)
{
    int error = results->used > 0 ? hol_output_write(&results->output, results->buffer, results->used) : 0;
    if (error != 0)
        results_salvage(results);
    else if (results->used > 0) {
        results->used = 0;
        results->stored = results->row_count;
        error = results->kind->mark ? results->kind->mark(results, false) : 0;
    }
    results->flushed_at = now();
    return error == 0 ? HOL_OK : results_stop(results, error);
}

/* A second row shows that the run has begun: now the results are better than older ones. */
static HolStatus results_settle(HolResults *results)
{
    HolStatus status = results_flush(results);
    if (status != HOL_OK || results->row_count < 2)
        return status;
    int error = hol_results_take_name(results);
    return error == 0 ? HOL_OK : results_stop(results, error);
}

HolStatus hol_results_add(HolResults *results, const double *values)
{
    if (!results)
        return HOL_BAD_INPUT;
    if (results->status != HOL_OK)
        return results->status;
    if (!values)
        return HOL_CHECK_POINTER(&results->message, values);
    if (!results->is_open) {
        results->status = HOL_BAD_INPUT;
        return hol_fail(&results->message, HOL_BAD_INPUT, "'%s' is closed; no row can be added", results->path);
    }
    results->used += results->kind->add(results, values, results->buffer + results->used);
    ++results->row_count;
    bool is_due = results->room - results->used < results->row_size || now() - results->flushed_at >= FLUSH_INTERVAL;
    const bool waits = results->output.part || (results->scene && !results->kind->attach);
    return is_due || waits ? results_settle(results) : HOL_OK;
}

HolStatus hol_results_flush_due(HolResults *results)
{
    if (!results)
        return HOL_BAD_INPUT;
    if (!results->is_open || results->status != HOL_OK || results->used == 0)
        return results->status;
    return now() - results->flushed_at >= FLUSH_INTERVAL ? results_settle(results) : HOL_OK;
}

HolStatus hol_results_sync(HolResults *results)
{
    if (!results)
        return HOL_BAD_INPUT;
    if (!results->is_open || results->status != HOL_OK)
        return results->status;
    HolStatus status = results_flush(results);
    if (status != HOL_OK)
        return status;
    int error = hol_results_take_name(results);
    if (error == 0)
        error = hol_output_sync(&results->output);
    return error == 0 ? HOL_OK : hol_results_fail(results, error);
}

/* Behind the last row: the attached text, the last mark, the name. */
static int results_complete(HolResults *results)
{
    const HolResultsKind *kind = results->kind;
    int error = kind->finish ? kind->finish(results) : 0;
    int mark_error = kind->mark ? kind->mark(results, true) : 0;
    if (mark_error == 0)
        mark_error = hol_output_cut(&results->output);
    error = error != 0 ? error : mark_error;
    if (error == 0)
        error = hol_results_take_name(results);
    return error == 0 ? hol_output_sync(&results->output) : error;
}

/* The message of an earlier failure is kept. Results that failed before their second row do not replace others. */
HolStatus hol_results_finish(HolResults *results)
{
    if (!results)
        return HOL_BAD_INPUT;
    if (!results->is_open)
        return results->status;
    results->is_open = false;
    if (results->status == HOL_OK && results_flush(results) == HOL_OK) {
        int error = results_complete(results);
        if (error != 0)
            hol_results_fail(results, error);
    }
    int error = hol_output_close(&results->output);
    return error != 0 && results->status == HOL_OK ? hol_results_fail(results, error) : results->status;
}

void hol_results_destroy(HolResults *results)
{
    if (!results)
        return;
    hol_results_finish(results);
    results_free(results);
}

void hol_results_discard(HolResults *results)
{
    if (!results)
        return;
    if (results->is_open && results->row_count == 0)
        hol_results_refuse(results, HOL_OK, NULL);
    else if (results->is_open && results->output.part) {
        hol_output_close(&results->output);
        results_free(results);
    } else
        hol_results_destroy(results);
}

const char *hol_results_path(const HolResults *results)
{
    return results ? results->path : "";
}

bool hol_results_has_name(const HolResults *results)
{
    return results && !results->output.part;
}

long hol_results_row_count(const HolResults *results)
{
    return results ? results->row_count : 0;
}

const char *hol_results_message(const HolResults *results)
{
    return results ? results->message.text : "";
}
