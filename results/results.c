/* SPDX-License-Identifier: BSD-3-Clause */
#include <holon/argument.h>

#include "kind.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define KINDS(KIND)                                                                                                    \
    KIND(hol_results_csv)                                                                                              \
    KIND(hol_results_npy)                                                                                              \
    KIND(hol_results_hdf5)

#define DECLARE(kind) extern const HolResultsKind kind;
#define LIST(kind) &kind,

KINDS(DECLARE)
static const HolResultsKind *const kinds[] = {KINDS(LIST)};

enum { COUNT = sizeof kinds / sizeof *kinds };

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

static HolStatus results_fail(HolResults *results, int error)
{
    results->status = HOL_NOT_WRITTEN;
    return hol_fail(&results->message, results->status, "cannot write '%s': %s", results->path,
                    error ? strerror(error) : "the reason is unknown; the disk may be full");
}

static HolStatus results_open_file(HolResults *results, const char *const *columns)
{
    hol_results_forget_scene(results->path);
    if (results->kind->open)
        return results->kind->open(results, columns);
    errno = 0;
    results->file = fopen(results->path, "wb");
    if (!results->file)
        return results_fail(results, errno);
    setvbuf(results->file, results->buffer, _IOFBF, sizeof results->buffer);
    results->kind->begin(results, columns);
    if (fflush(results->file) != 0 || ferror(results->file))
        return results_fail(results, errno);
    return HOL_OK;
}

static HolStatus results_check(const char *path, const char *const *columns, int column_count, HolResults **results,
                               HolMessage *message)
{
    static const char function[] = "hol_results_create";
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
    HolStatus wrong = results_check(path, columns, column_count, results, message);
    if (wrong != HOL_OK)
        return wrong;
    hol_fail(message, HOL_OK, "%s", "");
    const HolResultsKind *kind = hol_results_kind(path, "written", message);
    if (!kind)
        return HOL_BAD_INPUT;
    HolResults *r = calloc(1, sizeof *r);
    char *copy = r ? strdup(path) : NULL;
    if (!copy) {
        free(r);
        return hol_fail(message, HOL_NO_MEMORY, "not enough memory to write '%s'", path);
    }
    r->kind = kind;
    r->path = copy;
    r->column_count = column_count;
    HolStatus status = results_open_file(r, columns);
    if (status != HOL_OK) {
        hol_fail(message, status, "%s", r->message.text);
        hol_results_destroy(r);
        return status;
    }
    *results = r;
    return HOL_OK;
}

HolStatus hol_results_add(HolResults *results, const double *values)
{
    if (!results)
        return HOL_BAD_INPUT;
    if (results->status != HOL_OK)
        return results->status;
    if (!values)
        return HOL_CHECK_POINTER(&results->message, values);
    if (!results->file && !results->own) {
        results->status = HOL_BAD_INPUT;
        return hol_fail(&results->message, HOL_BAD_INPUT, "'%s' is closed; no row can be added", results->path);
    }
    if (results->kind->put) {
        results->status = results->kind->put(results, values);
        results->row_count += results->status == HOL_OK;
        return results->status;
    }
    errno = 0;
    results->kind->add(results, values);
    if (ferror(results->file))
        return results_fail(results, errno);
    ++results->row_count;
    return HOL_OK;
}

/* The message of an earlier failure is kept. */
HolStatus hol_results_finish(HolResults *results)
{
    if (!results)
        return HOL_BAD_INPUT;
    if (results->own) {
        HolStatus closed = results->kind->close(results);
        results->status = results->status == HOL_OK ? closed : results->status;
    }
    if (!results->file)
        return results->status;
    FILE *file = results->file;
    errno = 0;
    bool good = fflush(file) == 0 && !ferror(file);
    int error = errno;
    if (results->kind->finish && !results->kind->finish(results) && good) {
        good = false;
        error = errno;
    }
    if (fclose(file) != 0 && good) {
        good = false;
        error = errno;
    }
    results->file = NULL;
    return !good && results->status == HOL_OK ? results_fail(results, error) : results->status;
}

void hol_results_destroy(HolResults *results)
{
    if (!results)
        return;
    hol_results_finish(results);
    free(results->path);
    free(results);
}

const char *hol_results_path(const HolResults *results)
{
    return results ? results->path : "";
}

long hol_results_row_count(const HolResults *results)
{
    return results ? results->row_count : 0;
}

const char *hol_results_message(const HolResults *results)
{
    return results ? results->message.text : "";
}
