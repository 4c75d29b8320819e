/* SPDX-License-Identifier: BSD-3-Clause */
/* Comma-separated values: RFC 4180 but for the line ends, which are \n. */
#include <holon/number.h>

#include "kind.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

/* Writes a name, in quotes if it contains a separator. */
static void csv_write_name(FILE *file, const char *name)
{
    if (!strpbrk(name, ",\"\r\n")) {
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

static void csv_begin(HolResults *results, const char *const *columns)
{
    for (int i = 0; i < results->column_count; ++i) {
        csv_write_name(results->file, columns[i]);
        putc(i + 1 < results->column_count ? ',' : '\n', results->file);
    }
}

static void csv_add(HolResults *results, const double *values)
{
    char text[HOL_NUMBER_SIZE];
    for (int i = 0; i < results->column_count; ++i) {
        size_t length = hol_number_text(values[i], text);
        text[length] = i + 1 < results->column_count ? ',' : '\n';
        fwrite(text, 1, length + 1, results->file);
    }
}

/* Reads a line without its end. Returns false at the end of the file. */
static bool next_line(HolResultsReader *reader)
{
    ssize_t length = getline(&reader->line, &reader->line_size, reader->file);
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
    char *names = is_read ? skip_byte_order_mark(reader->line) : NULL;
    if (!is_read || !names[0])
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
    return HOL_OK;
}

static HolStatus csv_read_row(HolResultsReader *reader, double *values, bool *more, HolMessage *message)
{
    bool follows_gap = false;
    while ((*more = next_line(reader)) && !reader->line[0])
        follows_gap = true; /* empty lines at the end are ignored */
    if (!*more)
        return ferror(reader->file) ? hol_fail(message, HOL_BAD_INPUT, "cannot read '%s'", reader->path) : HOL_OK;
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

const HolResultsKind hol_results_csv = {
    .ending = ".csv", .begin = csv_begin, .add = csv_add, .read_names = csv_read_names, .read_row = csv_read_row};
