/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/source.h"

#include "io/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FIRST_ROOM = 1 << 16, MEGABYTE = 1000000 };

static HolStatus too_large(HolModel *model, HolPlace place, const char *name)
{
    return hol_error(model, place, "'%s' is larger than the limit of %.3g MB; '--limit file=...MB' raises it", name,
                     model->limits.file / MEGABYTE);
}

/* Reads to the end, or a little more than the limit; NULL when out of memory. */
static char *read_all(FILE *file, size_t limit, size_t *length)
{
    size_t room = FIRST_ROOM;
    char *text = malloc(room);
    *length = 0;
    while (text) {
        *length += fread(text + *length, 1, room - *length, file);
        if (*length < room || *length > limit)
            return text;
        room *= 2;
        char *larger = realloc(text, room);
        if (!larger)
            free(text);
        text = larger;
    }
    return NULL;
}

static HolStatus read_stream(HolModel *model, HolPlace place, FILE *file, HolSource *source)
{
    size_t limit = (size_t)model->limits.file;
    source->memory = read_all(file, limit, &source->length);
    source->text = source->memory;
    if (!source->memory)
        return HOL_NO_MEMORY;
    if (ferror(file))
        return hol_error(model, place, "'%s' cannot be read", source->name);
    if (source->length > limit)
        return too_large(model, place, source->name);
    return HOL_OK;
}

/* A pipe may be given by the person who starts a program; a file that names one would make it wait for ever. */
static HolStatus source_read_file(HolModel *model, HolPlace place, bool may_be_pipe, HolSource *source)
{
    struct stat about;
    if (stat(source->name, &about) != 0)
        return hol_error(model, place, "there is no file '%s'", source->name);
    if (S_ISDIR(about.st_mode))
        return hol_error(model, place, "'%s' is a folder, not a model file", source->name);
    if (!S_ISREG(about.st_mode) && !(may_be_pipe && S_ISFIFO(about.st_mode)))
        return hol_error(model, place, "'%s' is not a regular file%s", source->name, may_be_pipe ? " or a pipe" : "");
    if ((double)about.st_size > model->limits.file)
        return too_large(model, place, source->name);
    source->device = about.st_dev;
    source->inode = about.st_ino;
    FILE *file = fopen(source->name, "rb");
    if (!file)
        return hol_error(model, place, "'%s' may not be read", source->name);
    HolStatus status = read_stream(model, place, file, source);
    fclose(file);
    if (status != HOL_OK)
        hol_source_close(source);
    return status;
}

/* Paths are relative to the folder of the file that names them. */
static char *path_from(HolModel *model, const char *name, const char *from)
{
    const char *slash = from && name[0] != '/' ? strrchr(from, '/') : NULL;
    size_t folder = slash ? (size_t)(slash - from) + 1 : 0;
    char *path = hol_arena_small(model->arena, folder + strlen(name) + 1);
    if (path) {
        memcpy(path, from ? from : "", folder);
        strcpy(path + folder, name);
    }
    return path;
}

static bool exists(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0;
}

static HolStatus neither(HolModel *model, HolPlace place, const char *name)
{
    const char *nearest = hol_library_nearest(model->arena, name);
    if (nearest)
        return hol_error(model, place, "'%s' is neither a file nor a built-in model (did you mean '%s'?)", name,
                         nearest);
    return hol_error(model, place, "'%s' is neither a file nor a built-in model; 'holon list models' lists these",
                     name);
}

HolStatus hol_source_open(HolModel *model, HolPlace place, const char *name, const char *from, HolSource *source)
{
    bool may_be_built_in = !strpbrk(name, "/.");
    const HolLibraryModel *built_in = may_be_built_in ? hol_library_find(name) : NULL;
    if (built_in)
        return hol_source_of_text(model, built_in->text, built_in->name, source);
    *source = (HolSource){.name = path_from(model, name, from)};
    if (!source->name)
        return HOL_NO_MEMORY;
    if (name[0] == '\0')
        return hol_error(model, place, "the name of a model is missing");
    if (may_be_built_in && !exists(source->name))
        return neither(model, place, name);
    return source_read_file(model, place, !from, source);
}

HolStatus hol_source_of_text(HolModel *model, const char *text, const char *name, HolSource *source)
{
    *source = (HolSource){.text = text, .length = strlen(text)};
    source->name = hol_arena_text(model->arena, name, strlen(name));
    if (!source->name)
        return HOL_NO_MEMORY;
    return (double)source->length > model->limits.file ? too_large(model, (HolPlace){NULL, 0, 0}, name) : HOL_OK;
}

void hol_source_close(HolSource *source)
{
    free(source->memory);
    source->memory = NULL;
    source->text = NULL;
}

bool hol_source_is_same(const HolSource *a, const HolSource *b)
{
    if (a->inode || b->inode)
        return a->inode == b->inode && a->device == b->device;
    return strcmp(a->name, b->name) == 0;
}

/* The last name of a path that ends before `end`. */
static const char *last_name(const char *path, const char *end)
{
    const char *start = end;
    while (start > path && start[-1] != '/')
        --start;
    return start;
}

/* A file model.yaml goes by the name of its folder. */
const char *hol_source_stem(HolModel *model, const HolSource *source)
{
    const char *end = source->name + strlen(source->name), *start = last_name(source->name, end);
    const char *dot = strrchr(start, '.');
    if (dot && dot != start)
        end = dot;
    if (end - start == 5 && memcmp(start, "model", 5) == 0 && start > source->name + 1) {
        end = start - 1;
        start = last_name(source->name, end);
    }
    return hol_arena_text(model->arena, start, (size_t)(end - start));
}
