/* SPDX-License-Identifier: BSD-3-Clause */
/* NumPy's format: a header that is a Python dictionary, then the numbers as they lie in memory.
 *
 *     \x93NUMPY, version 1.0 (length in 2 bytes), 2.0 or 3.0 (in 4 bytes), 3.0 where a name is not ASCII
 *     {'descr': [('t', '<f8'), ...], 'fortran_order': False, 'shape': (rows,), }  and spaces up to a multiple of 64
 *
 * After each block of rows their number is written over the former one. It lies within one block of the disk and of the
 * system's memory, so that it is never half of one number and half of another. */
#include "kind.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { ALIGNMENT = 64, SHAPE_SIZE = 32, SHORT_PREFIX = 10, LONG_PREFIX = 12, DISK_BLOCK = 512 };

static char byte_order(void)
{
    const uint16_t one = 1;
    return *(const unsigned char *)&one == 1 ? '<' : '>';
}

/* Writes a name as a Python string without its quotes, or only counts if file is NULL. Returns the length. */
static size_t npy_write_name(FILE *file, const char *name)
{
    size_t length = 0;
    for (const char *c = name; *c; ++c) {
        bool escaped = *c == '\'' || *c == '\\';
        length += escaped ? 2 : 1;
        if (file && escaped)
            putc('\\', file);
        if (file)
            putc(*c, file);
    }
    return length;
}

static const char *const opening = "{'descr': [";
static const char *const middle = "], 'fortran_order': False, 'shape': ";

static size_t field_size(const char *name)
{
    return strlen("('', '<f8'), ") + npy_write_name(NULL, name);
}

static void npy_write_fields(FILE *file, int count, const char *const *columns)
{
    for (int i = 0; i < count; ++i) {
        fputs("('", file);
        npy_write_name(file, columns[i]);
        fprintf(file, "', '%cf8'), ", byte_order());
    }
}

static bool is_ascii(int count, const char *const *names)
{
    for (int i = 0; i < count; ++i)
        for (const char *c = names[i]; *c; ++c)
            if ((unsigned char)*c >= 0x80)
                return false;
    return true;
}

/* Writes the magic string, the version and the length of the header. */
static void write_prefix(FILE *file, int version, size_t length)
{
    int bytes = version == 1 ? 2 : 4;
    fwrite("\x93NUMPY", 1, 6, file);
    putc(version, file);
    putc(0, file);
    for (int i = 0; i < bytes; ++i)
        putc((int)(length >> (8 * i)) & 0xff, file);
}

/* The rows and the closing brace, always SHAPE_SIZE characters. */
static void fill_shape(long rows, char text[SHAPE_SIZE + 1])
{
    char shape[SHAPE_SIZE + 1];
    snprintf(shape, sizeof shape, "(%ld,), }", rows);
    snprintf(text, SHAPE_SIZE + 1, "%-*s", SHAPE_SIZE, shape);
}

/* Spaces that keep the number of rows within one block. */
static size_t shape_shift(size_t at)
{
    size_t left = DISK_BLOCK - at % DISK_BLOCK;
    return left < SHAPE_SIZE ? left : 0;
}

static HolStatus npy_begin(HolResults *results, const char *const *columns, FILE *file)
{
    char shape[SHAPE_SIZE + 1];
    fill_shape(0, shape);
    size_t size = strlen(opening) + strlen(middle) + SHAPE_SIZE + 1; /* with the end of the line */
    for (int i = 0; i < results->column_count; ++i)
        size += field_size(columns[i]);
    bool is_short = size + SHORT_PREFIX + ALIGNMENT + SHAPE_SIZE <= UINT16_MAX;
    int version = !is_ascii(results->column_count, columns) ? 3 : is_short ? 1 : 2;
    size_t prefix = version == 1 ? SHORT_PREFIX : LONG_PREFIX;
    size_t shift = shape_shift(prefix + size - SHAPE_SIZE - 1);
    size += shift;
    size_t padding = (ALIGNMENT - (prefix + size) % ALIGNMENT) % ALIGNMENT;
    write_prefix(file, version, size + padding);
    fputs(opening, file);
    npy_write_fields(file, results->column_count, columns);
    fputs(middle, file);
    results->patch_at = (long long)(prefix + size) - SHAPE_SIZE - 1;
    results->data_at = (long long)(prefix + size + padding);
    fprintf(file, "%*s%s%*s\n", (int)shift, "", shape, (int)padding, "");
    return HOL_OK;
}

static size_t npy_add(const HolResults *results, const double *values, char *to)
{
    memcpy(to, values, results->row_size);
    return results->row_size;
}

/* The rows are in the file when it says so. */
static int npy_mark(HolResults *results, bool is_last)
{
    char shape[SHAPE_SIZE + 1];
    (void)is_last;
    fill_shape(results->stored, shape);
    return hol_output_patch(&results->output, shape, SHAPE_SIZE, results->patch_at);
}

static bool npy_resume(HolResults *results, const char *found, const char *wanted, size_t size)
{
    size_t before = (size_t)results->patch_at, after = before + SHAPE_SIZE;
    return memcmp(found, wanted, before) == 0 && memcmp(found + after, wanted + after, size - after) == 0;
}

/* The header as text, NULL after a message. */
static char *read_header(HolResultsReader *reader, HolMessage *message)
{
    unsigned char prefix[LONG_PREFIX];
    size_t length = 0;
    bool good = fread(prefix, 1, SHORT_PREFIX, reader->file) == SHORT_PREFIX && memcmp(prefix, "\x93NUMPY", 6) == 0 &&
                prefix[6] >= 1 && prefix[6] <= 3;
    if (!good) {
        hol_fail(message, HOL_BAD_INPUT, "'%s' is not a .npy file: it does not begin like one", reader->path);
        return NULL;
    }
    int bytes = prefix[6] == 1 ? 2 : 4;
    if (bytes == 4)
        good = fread(prefix + SHORT_PREFIX, 1, 2, reader->file) == 2;
    for (int i = 0; i < bytes; ++i)
        length |= (size_t)prefix[8 + i] << 8 * i;
    struct stat file;
    good = good && fstat(fileno(reader->file), &file) == 0 && length < (size_t)file.st_size;
    char *text = good ? malloc(length + 1) : NULL;
    if (good && text && fread(text, 1, length, reader->file) == length) {
        text[length] = '\0';
        return text;
    }
    free(text);
    hol_fail(message, HOL_BAD_INPUT, "'%s' is cut off within its header", reader->path);
    return NULL;
}

/* Removes the escapes of a Python string, in place. Returns what follows it, NULL if there is no such string. */
static char *cut_string(char *at, size_t *length)
{
    char quote = *at, *to = at + 1, *from = at + 1;
    if (quote != '\'' && quote != '"')
        return NULL;
    for (; *from && *from != quote; ++from) {
        from += *from == '\\' && from[1];
        *to++ = *from;
    }
    *length = (size_t)(to - at) - 1;
    return *from ? from + 1 : NULL;
}

static char *skip(char *at, const char *text)
{
    size_t length = strlen(text);
    return at && strncmp(at, text, length) == 0 ? at + length : NULL;
}

/* Reads ('t', '<f8'), ... and returns what follows the list. */
static char *read_fields(HolResultsReader *reader, char *at)
{
    char type[] = "'<f8')";
    type[1] = byte_order();
    while (at && *at == '(') {
        size_t length;
        char *name = ++at;
        at = skip(cut_string(at, &length), ", ");
        at = skip(at, type);
        if (!at || length == 0 || !hol_reader_add_column(reader, name + 1, length))
            return NULL;
        at += strspn(at, ", ");
    }
    return at;
}

/* The number of rows by the size of the file: the header of a killed run may state less, that of a cut file more. */
static void count_rows(HolResultsReader *reader)
{
    struct stat file;
    long long begin = ftell(reader->file), width = (long long)sizeof(double) * reader->column_count;
    if (begin < 0 || fstat(fileno(reader->file), &file) != 0 || !S_ISREG(file.st_mode))
        return;
    long long size = (long long)file.st_size - begin;
    reader->is_incomplete = size % width != 0;
    reader->stated = reader->row_count;
    reader->row_count = (long)(size / width);
}

static HolStatus npy_read_names(HolResultsReader *reader, HolMessage *message)
{
    char *header = read_header(reader, message), *end = NULL;
    int most = 1;
    if (!header)
        return HOL_BAD_INPUT;
    for (const char *c = header; *c; ++c)
        most += *c == '(';
    char *at = hol_reader_columns(reader, most) ? skip(header, opening) : NULL;
    char *order = at ? read_fields(reader, at) : NULL;
    char *shape = skip(order, middle);
    if (shape)
        shape += strspn(shape, " ");
    if (shape && *shape == '(')
        reader->row_count = strtol(shape + 1, &end, 10);
    bool good = reader->column_count > 0 && end && strncmp(end, ",)", 2) == 0 && reader->row_count >= 0;
    free(header);
    if (good)
        count_rows(reader);
    if (!good)
        return hol_fail(message, HOL_BAD_INPUT,
                        "'%s' is not an array with named columns of doubles, as 'holon run --output' writes it",
                        reader->path);
    return HOL_OK;
}

static HolStatus npy_read_row(HolResultsReader *reader, double *values, bool *more, HolMessage *message)
{
    size_t count = (size_t)reader->column_count;
    *more = reader->next < reader->row_count;
    if (!*more && reader->next >= reader->stated)
        return HOL_OK;
    if (!*more || fread(values, sizeof *values, count, reader->file) != count)
        return hol_fail(message, HOL_BAD_INPUT, "'%s' is cut off: it has %ld of %ld rows", reader->path, reader->next,
                        reader->stated > reader->row_count ? reader->stated : reader->row_count);
    ++reader->next;
    return HOL_OK;
}

const HolResultsKind hol_results_npy = {.ending = ".npy",
                                        .number_size = sizeof(double),
                                        .is_patched = true,
                                        .begin = npy_begin,
                                        .add = npy_add,
                                        .mark = npy_mark,
                                        .resume = npy_resume,
                                        .read_names = npy_read_names,
                                        .read_row = npy_read_row};
