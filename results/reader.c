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

int hol_results_keep_scene(HolResults *results, const char *text)
{
    char *copy = strdup(text);
    if (!copy)
        return ENOMEM;
    free(results->scene);
    results->scene = copy;
    return 0;
}

HolStatus hol_results_attach(HolResults *results, const char *text, HolMessage *message)
{
    char beside[PATH_MAX];
    HolStatus status = HOL_CHECK_POINTER(message, results);
    if (status == HOL_OK)
        status = HOL_CHECK_POINTER(message, text);
    if (status != HOL_OK)
        return status;
    if (!results->is_open)
        return hol_fail(message, HOL_BAD_INPUT, "'%s' is closed; no text can be attached", results->path);
    if (results->kind->attach)
        return results->kind->attach(results, text, message);
    if (results->output.is_stream)
        return HOL_OK; /* nothing can be beside it */
    if (!scene_path(results->path, beside))
        return hol_output_fail(message, results->path, ENAMETOOLONG);
    results->has_scene = true;
    if (hol_results_are_settled(results))
        return hol_file_write(beside, text, strlen(text), message);
    int error = hol_results_keep_scene(results, text);
    return error == 0 ? HOL_OK : hol_output_fail(message, beside, error);
}

/* The text of older results goes, or is emptied in a folder that lets nothing go. */
static int remove_scene(const char *beside)
{
    return unlink(beside) == 0 || errno == ENOENT || truncate(beside, 0) == 0 ? 0 : errno;
}

/* The new text is complete on the disk when the results take their name: only a name is missing then. */
static int take_name_with_scene(HolResults *results, const char *beside)
{
    HolOutput scene;
    int error = hol_output_open(&scene, beside);
    if (error != 0)
        return error;
    error = hol_output_write(&scene, results->scene, strlen(results->scene));
    if (error == 0)
        error = hol_output_sync(&scene);
    if (error == 0)
        error = hol_output_take_name(&results->output);
    if (error == 0) {
        error = hol_output_take_name(&scene);
        if (error != 0)
            (void)remove_scene(beside);
    }
    hol_output_close(&scene);
    return error;
}

bool hol_results_are_settled(const HolResults *results)
{
    return !results->output.part && (results->output.was_there || results->row_count > 1);
}

/* That of results whose name was free waits for their second row: another file may be in its place, which goes if they
 * have no scene. Results without a scene are as good; who attaches another at the end learns why it cannot be written.
 */
static void write_waiting_scene(HolResults *results, const char *beside)
{
    HolMessage message;
    if (results->kind->attach || results->output.is_stream || results->row_count < 1)
        return;
    if (!results->has_scene)
        (void)remove_scene(beside);
    results->has_scene = true;
    if (!results->scene)
        return;
    (void)hol_file_write(beside, results->scene, strlen(results->scene), &message);
    free(results->scene);
    results->scene = NULL;
}

int hol_results_take_name(HolResults *results)
{
    char beside[PATH_MAX];
    bool has_name = !results->output.part, has_path = scene_path(results->path, beside);
    if (has_name && has_path)
        write_waiting_scene(results, beside);
    if (has_name)
        return 0;
    if (results->output.is_nameless) /* the folder takes no scene either */
        return hol_output_take_name(&results->output);
    if (results->scene && !results->kind->attach) {
        int error = take_name_with_scene(results, beside);
        if (error == 0) {
            free(results->scene);
            results->scene = NULL;
        }
        return error;
    }
    const bool was_there = results->output.was_there;
    int error = hol_output_take_name(&results->output);
    if (error == 0 && has_path && was_there)
        error = remove_scene(beside);
    return error;
}

/* Whether there is something to read; *size is 0 if that cannot be known. An empty file is no text. */
static bool scene_is_there(const char *beside, FILE *file, size_t *size)
{
    struct stat there;
    *size = 0;
    if ((file ? fstat(fileno(file), &there) : stat(beside, &there)) != 0)
        return file || (errno != ENOENT && errno != ENAMETOOLONG);
    *size = (size_t)there.st_size;
    return S_ISREG(there.st_mode) && there.st_size > 0 && there.st_size < HOL_LARGEST_SCENE;
}

/* A text that is there and cannot be read is empty; NULL: there is none, or it is too large. */
static HolStatus read_beside(HolResultsReader *reader)
{
    char beside[PATH_MAX];
    size_t size;
    if (!scene_path(reader->path, beside))
        return HOL_OK;
    FILE *file = fopen(beside, "r");
    bool is_there = scene_is_there(beside, file, &size);
    reader->attached = is_there ? calloc(size + 1, 1) : NULL;
    if (file && reader->attached) {
        size = fread(reader->attached, 1, size, file);
        reader->attached[ferror(file) ? 0 : size] = '\0';
    }
    if (file)
        fclose(file);
    return is_there && !reader->attached ? HOL_NO_MEMORY : HOL_OK;
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
    if (status == HOL_OK && !made->attached && !kind->attach)
        status = read_beside(made);
    if (status == HOL_NO_MEMORY)
        hol_fail(message, status, "not enough memory to read '%s'", path);
    if (status != HOL_OK) {
        hol_results_close(made);
        return status;
    }
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

bool hol_results_is_incomplete(const HolResultsReader *reader)
{
    return reader && reader->is_incomplete;
}
