/* SPDX-License-Identifier: BSD-3-Clause */
/* Comma-separated values: RFC 4180 but for the line ends, which are \n. */
#include "io/number.h"
#include "io/results.h"

#include <string.h>

/* Quoted where the name would break the line apart. */
static void write_name(FILE *file, const char *name)
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

static void begin(HolResults *results, const char *const *columns)
{
    for (int i = 0; i < results->column_count; ++i) {
        write_name(results->file, columns[i]);
        putc(i + 1 < results->column_count ? ',' : '\n', results->file);
    }
}

static void add(HolResults *results, const double *values)
{
    char text[HOL_NUMBER_SIZE];
    for (int i = 0; i < results->column_count; ++i) {
        size_t length = hol_number_text(values[i], text);
        text[length] = i + 1 < results->column_count ? ',' : '\n';
        fwrite(text, 1, length + 1, results->file);
    }
}

const HolResultsKind hol_results_csv = {.ending = ".csv", .begin = begin, .add = add};
