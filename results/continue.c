/* SPDX-License-Identifier: BSD-3-Clause */
/* Continues results of an earlier run behind one of their rows. */
#include <holon/argument.h>

#include "kind.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static HolStatus continue_refuse(HolResults *results, const char *reason)
{
    return hol_fail(&results->message, HOL_BAD_INPUT, "'%s' cannot be continued: %s", results->path, reason);
}

static HolStatus check_columns(HolResults *results, const HolResultsReader *reader, const char *const *columns)
{
    char reason[400];
    if (hol_results_column_count(reader) != results->column_count) {
        snprintf(reason, sizeof reason, "it has %d columns, not %d", hol_results_column_count(reader),
                 results->column_count);
        return continue_refuse(results, reason);
    }
    for (int i = 0; i < results->column_count; ++i) {
        if (strcmp(hol_results_column(reader, i), columns[i]) == 0)
            continue;
        snprintf(reason, sizeof reason, "its column %d is '%.100s', not '%.100s'", i + 1, hol_results_column(reader, i),
                 columns[i]);
        return continue_refuse(results, reason);
    }
    return HOL_OK;
}

/* What stands before the rows must be what this program writes there. */
static HolStatus check_header(HolResults *results, const char *const *columns)
{
    char *wanted;
    size_t size;
    HolStatus status = hol_results_header(results, columns, &wanted, &size);
    if (status != HOL_OK)
        return status;
    char *found = malloc(size);
    int error = found ? hol_output_read(&results->output, found, size, 0) : ENOMEM;
    if (error == ENOMEM)
        status = hol_results_fail(results, error);
    else if (error != 0 || !results->kind->resume(results, found, wanted, size))
        status = continue_refuse(results, "it was not written by this version of holon");
    free(found);
    free(wanted);
    return status;
}

/* Cuts the file behind the rows. */
static HolStatus continue_cut(HolResults *results, const HolResultsReader *reader, long row_count)
{
    const HolResultsKind *kind = results->kind;
    int error = 0;
    if (kind->row_end)
        error = kind->row_end(results, row_count, &results->output.end);
    else if (reader->row_count < row_count)
        error = ERANGE;
    else
        results->output.end = results->data_at + row_count * (long long)results->row_size;
    if (error == ERANGE) {
        char reason[80];
        snprintf(reason, sizeof reason, "it has fewer than %ld rows", row_count);
        return continue_refuse(results, reason);
    }
    results->row_count = results->stored = row_count;
    if (error == 0 && kind->mark)
        error = kind->mark(results, true);
    if (error == 0)
        error = hol_output_cut(&results->output);
    return error == 0 ? HOL_OK : hol_results_fail(results, error);
}

static HolStatus continue_open(HolResults *results, const char *const *columns, long row_count)
{
    HolResultsReader *reader = NULL;
    int error = hol_output_continue(&results->output, results->path);
    if (error != 0)
        return hol_results_fail(results, error);
    HolStatus status = hol_results_open(results->path, &reader, &results->message);
    if (status == HOL_OK)
        status = check_columns(results, reader, columns);
    if (status == HOL_OK)
        status = check_header(results, columns);
    if (status == HOL_OK)
        status = continue_cut(results, reader, row_count);
    hol_results_close(reader);
    return status;
}

HolStatus hol_results_continue(const char *path, const char *const *columns, int column_count, long row_count,
                               HolResults **results, HolMessage *message)
{
    HolStatus status = hol_results_check(__func__, path, columns, column_count, results, message);
    if (status == HOL_OK)
        status = HOL_CHECK_COUNT(message, row_count);
    if (status != HOL_OK)
        return status;
    hol_fail(message, HOL_OK, "%s", "");
    HolResults *r = NULL;
    status = hol_results_new(path, column_count, &r, message);
    if (status != HOL_OK)
        return status;
    status = continue_open(r, columns, row_count);
    if (status != HOL_OK)
        return hol_results_refuse(r, status, message);
    r->is_open = r->has_scene = true;
    *results = r;
    return HOL_OK;
}
