/* SPDX-License-Identifier: BSD-3-Clause */
/* Comma-separated values: RFC 4180 but for the line ends, which are \n. */
#include <holon/number.h>

#include "kind.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

/* Writes a name, in quotes if it contains a separator. */
static void csv_write_name(FILE *file, const char *name)
{
    if (!strpbrk(name, ",\"")) {
        fputs(name, file);
        return;
    }
    putc('"', file);
    for (const char *c = name; *c; ++c) {
        if (*c == '"')
            putc('"', file);
        putc(*c, file);
    }
    putc('"', file);
}

static HolStatus csv_begin(HolResults *results, const char *const *columns, FILE *file)
{
    for (int i = 0; i < results->column_count; ++i) {
        if (strpbrk(columns[i], "\r\n"))
            return hol_fail(&results->message, HOL_BAD_INPUT,
                            "'%s': the name of column %d contains a line break, which lines of .csv cannot; choose "
                            "another name, or .npy or .h5",
                            results->path, i);
        csv_write_name(file, columns[i]);
        putc(i + 1 < results->column_count ? ',' : '\n', file);
    }
    results->data_at = ftell(file);
    return HOL_OK;
}

static size_t csv_add(const HolResults *results, const double *values, char *to)
{
    char *at = to;
    for (int i = 0; i < results->column_count; ++i) {
        at += hol_number_text(values[i], at);
        *at++ = i + 1 < results->column_count ? ',' : '\n';
    }
    return (size_t)(at - to);
}

static bool csv_resume(HolResults *results, const char *found, const char *wanted, size_t size)
{
    (void)results;
    return memcmp(found, wanted, size) == 0;
}

static long csv_count_rows(const char *bytes, size_t size, size_t *complete)
{
    const char *from = bytes, *last = bytes + size, *line;
    long rows = 0;
    for (; (line = memchr(from, '\n', (size_t)(last - from))) != NULL; from = line + 1)
        ++rows;
    *complete = (size_t)(from - bytes);
    return rows;
}

/* Behind a line break per row. */
static int csv_row_end(const HolResults *results, long rows, long long *end)
{
    char block[1 << 12];
    long long at = results->data_at;
    for (long left = rows; left > 0;) {
        ssize_t count = pread(results->output.file, block, sizeof block, at);
        if (count <= 0)
            return count == 0 ? ERANGE : errno;
        const char *from = block, *last = block + count, *line;
        while (left > 0 && (line = memchr(from, '\n', (size_t)(last - from))) != NULL) {
            from = line + 1;
            --left;
        }
        at += left > 0 ? count : from - block;
    }
    *end = at;
    return 0;
}

/* Reads a line without its end. Returns false at the end of the file, and for a last line without an end: its last
 * number may be cut. */
static bool next_line(HolResultsReader *reader)
{
    ssize_t length = getline(&reader->line, &reader->line_size, reader->file);
    reader->is_incomplete = length > 0 && reader->line[length - 1] != '\n';
    if (reader->is_incomplete)
        return false;
    while (length > 0 && (reader->line[length - 1] == '\n' || reader->line[length - 1] == '\r'))
        reader->line[--length] = '\0';
    return length >= 0;
}

/* Some programs begin a file with a byte order mark. */
static char *skip_byte_order_mark(char *text)
{
    static const char mark[] = "\xef\xbb\xbf";
    return text + (strncmp(text, mark, sizeof mark - 1) == 0 ? sizeof mark - 1 : 0);
}

/* Removes the quotes of the name that begins here, in place. Returns what follows it and its comma, or NULL. */
static char *cut_name(char *at, size_t *length)
{
    char *to = at, *from = at;
    bool quoted = *from == '"';
    from += quoted;
    while (*from && (quoted || *from != ',')) {
        if (*from == '"' && quoted && from[1] != '"')
            break;
        from += *from == '"' && quoted;
        *to++ = *from++;
    }
    *length = (size_t)(to - at);
    if (quoted && *from++ != '"')
        return NULL;
    return *from == ',' ? from + 1 : *from == '\0' ? from : NULL;
}

static HolStatus csv_read_names(HolResultsReader *reader, HolMessage *message)
{
    size_t length;
    int most = 1;
    bool is_read = next_line(reader);
    char *names = is_read || reader->is_incomplete ? skip_byte_order_mark(reader->line) : NULL;
    if (reader->is_incomplete && names[0])
        return hol_fail(message, HOL_BAD_INPUT, "'%s' is cut off within its line of names", reader->path);
    if (!names || !names[0])
        return hol_fail(message, HOL_BAD_INPUT, "'%s' is empty: it has no line of names", reader->path);
    bool ends_in_comma = names[strlen(names) - 1] == ',';
    for (const char *c = names; *c; ++c)
        most += *c == ',';
    if (!hol_reader_columns(reader, most))
        return HOL_NO_MEMORY;
    for (char *at = names, *next; *at; at = next) {
        next = cut_name(at, &length);
        if (!next || length == 0 || ends_in_comma)
            return hol_fail(message, HOL_BAD_INPUT, "'%s': name %d in the first line cannot be read", reader->path,
                            reader->column_count + 1);
        if (!hol_reader_add_column(reader, at, length))
            return HOL_NO_MEMORY;
    }
    if (reader->column_count == 0) /* a byte order mark and nothing else */
        return hol_fail(message, HOL_BAD_INPUT, "'%s' is empty: it has no line of names", reader->path);
    return HOL_OK;
}

static HolStatus csv_read_row(HolResultsReader *reader, double *values, bool *more, HolMessage *message)
{
    bool follows_gap = false;
    while ((*more = next_line(reader)) && !reader->line[0])
        follows_gap = true; /* empty lines at the end are ignored */
    if (!*more && ferror(reader->file))
        return hol_fail(message, HOL_BAD_INPUT, "cannot read '%s'", reader->path);
    if (!*more && !feof(reader->file)) /* getline() ends for this reason too */
        return hol_fail(message, HOL_NO_MEMORY, "not enough memory to read '%s'", reader->path);
    if (!*more)
        return HOL_OK;
    char *at = reader->line;
    long row = ++reader->next + 1; /* line in the file */
    for (int i = 0; i < reader->column_count; ++i) {
        size_t length;
        bool is_number = hol_number_read(at, &values[i], &length) && !follows_gap;
        bool is_last = i + 1 == reader->column_count;
        if (!is_number || at[length] != (is_last ? '\0' : ','))
            return hol_fail(message, HOL_BAD_INPUT, "'%s', line %ld: %s number %d of %d", reader->path, row,
                            is_number && is_last ? "unexpected text after" : "cannot read", i + 1,
                            reader->column_count);
        at += length + 1;
    }
    return HOL_OK;
}

const HolResultsKind hol_results_csv = {.ending = ".csv",
                                        .number_size = HOL_NUMBER_SIZE,
                                        .begin = csv_begin,
                                        .add = csv_add,
                                        .resume = csv_resume,
                                        .count_rows = csv_count_rows,
                                        .row_end = csv_row_end,
                                        .read_names = csv_read_names,
                                        .read_row = csv_read_row};
