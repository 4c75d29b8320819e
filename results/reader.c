/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads result files, and reads and writes the text attached to them. */
#include <holon/argument.h>

#include "kind.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool scene_path(const char *path, char text[PATH_MAX])
{
    return snprintf(text, PATH_MAX, "%s.scene.json", path) < PATH_MAX;
}

void hol_results_forget_scene(const char *path)
{
    char beside[PATH_MAX];
    if (scene_path(path, beside))
        unlink(beside);
}

static HolStatus write_beside(const HolResults *results, const char *text, HolMessage *message)
{
    char beside[PATH_MAX];
    struct stat there;
    if (stat(results->path, &there) == 0 && !S_ISREG(there.st_mode))
        return HOL_OK; /* a pipe or a device has nothing beside it */
    errno = ENAMETOOLONG;
    FILE *file = scene_path(results->path, beside) ? fopen(beside, "w") : NULL;
    bool good = file && fputs(text, file) >= 0;
    good = file && fclose(file) == 0 && good;
    return good
               ? HOL_OK
               : hol_fail(message, HOL_NOT_WRITTEN, "cannot write '%s.scene.json': %s", results->path, strerror(errno));
}

HolStatus hol_results_attach(HolResults *results, const char *text, HolMessage *message)
{
    HolStatus status = HOL_CHECK_POINTER(message, results);
    if (status == HOL_OK)
        status = HOL_CHECK_POINTER(message, text);
    if (status != HOL_OK)
        return status;
    if (results->kind->attach)
        return results->kind->attach(results, text, message);
    return write_beside(results, text, message);
}

/* The text attached to results, or NULL if there is none or it is too large. */
static char *read_beside(const char *path)
{
    char beside[PATH_MAX];
    struct stat there;
    FILE *file = scene_path(path, beside) ? fopen(beside, "r") : NULL;
    char *text = NULL;
    if (file && fstat(fileno(file), &there) == 0 && S_ISREG(there.st_mode) && there.st_size < HOL_LARGEST_SCENE)
        text = malloc((size_t)there.st_size + 1);
    if (text) {
        size_t size = fread(text, 1, (size_t)there.st_size, file);
        text[size] = '\0';
    }
    if (file)
        fclose(file);
    return text;
}

bool hol_reader_columns(HolResultsReader *reader, int count)
{
    reader->columns = calloc((size_t)count, sizeof *reader->columns);
    return reader->columns != NULL;
}

bool hol_reader_add_column(HolResultsReader *reader, const char *name, size_t length)
{
    char *copy = strndup(name, length);
    if (copy)
        reader->columns[reader->column_count++] = copy;
    return copy != NULL;
}

int hol_results_column_count(const HolResultsReader *reader)
{
    return reader ? reader->column_count : 0;
}

const char *hol_results_column(const HolResultsReader *reader, int index)
{
    return index >= 0 && index < hol_results_column_count(reader) ? reader->columns[index] : "";
}

const char *hol_results_attached(const HolResultsReader *reader)
{
    return reader ? reader->attached : NULL;
}

static HolStatus reader_open_file(HolResultsReader *reader, HolMessage *message)
{
    struct stat there;
    reader->file = fopen(reader->path, "rb");
    if (!reader->file || fstat(fileno(reader->file), &there) != 0)
        return hol_fail(message, HOL_BAD_INPUT, "cannot read '%s': %s", reader->path, strerror(errno));
    if (S_ISDIR(there.st_mode))
        return hol_fail(message, HOL_BAD_INPUT, "cannot read '%s': %s", reader->path, strerror(EISDIR));
    if (S_ISREG(there.st_mode) && there.st_size == 0)
        return hol_fail(message, HOL_BAD_INPUT, "'%s' is empty", reader->path);
    HolStatus status = reader->kind->read_names(reader, message);
    if (status != HOL_OK)
        return status;
    if (strcmp(reader->columns[0], "t") != 0)
        return hol_fail(message, HOL_BAD_INPUT, "'%s' does not begin with a column t, the time, but with '%.60s'",
                        reader->path, reader->columns[0]);
    return HOL_OK;
}

HolStatus hol_results_open(const char *path, HolResultsReader **reader, HolMessage *message)
{
    HolStatus status = HOL_CHECK_POINTER(message, reader);
    if (status != HOL_OK)
        return status;
    *reader = NULL;
    status = HOL_CHECK_POINTER(message, path);
    if (status != HOL_OK)
        return status;
    const HolResultsKind *kind = hol_results_kind(path, "read", message);
    if (!kind)
        return HOL_BAD_INPUT;
    HolResultsReader *made = calloc(1, sizeof *made);
    status = HOL_NO_MEMORY;
    if (made) {
        made->kind = kind;
        made->path = strdup(path);
        status = made->path ? reader_open_file(made, message) : HOL_NO_MEMORY;
    }
    if (status == HOL_NO_MEMORY)
        hol_fail(message, status, "not enough memory to read '%s'", path);
    if (status != HOL_OK) {
        hol_results_close(made);
        return status;
    }
    if (!made->attached && !kind->attach)
        made->attached = read_beside(path);
    *reader = made;
    return HOL_OK;
}

void hol_results_close(HolResultsReader *reader)
{
    if (!reader)
        return;
    if (reader->kind->forget)
        reader->kind->forget(reader);
    if (reader->file)
        fclose(reader->file);
    for (int i = 0; i < reader->column_count; ++i)
        free(reader->columns[i]);
    free(reader->columns);
    free(reader->attached);
    free(reader->line);
    free(reader->path);
    free(reader);
}

HolStatus hol_results_next(HolResultsReader *reader, double *values, bool *more, HolMessage *message)
{
    HolStatus status = HOL_CHECK_POINTER(message, reader);
    if (status == HOL_OK)
        status = HOL_CHECK_POINTER(message, values);
    if (status == HOL_OK)
        status = HOL_CHECK_POINTER(message, more);
    if (status != HOL_OK)
        return status;
    return reader->kind->read_row(reader, values, more, message);
}
