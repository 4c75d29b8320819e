/* SPDX-License-Identifier: BSD-3-Clause */
/* The page of a report around hostile names: the lines of the input are a title and names of columns. The header is
 * valid JSON and gives the title back, and the page has no tag that its template and its two scripts do not have. */
#include "report/page.h"

#include "command.h"
#include "fuzz.h"
#include "json.h"
#include "report/json_scan.h"
#include "report/view_columns.h"
#include "terminal/files.h"

#include <stdarg.h>
#include <string.h>

enum { MOST_NAMES = 40, TAGS = 9 }; /* five of page.html, four of the scripts */

int cli_fail(const char *format, ...)
{
    (void)format;
    return EXIT_BAD_INPUT;
}

int cli_file_write(const char *path, const char *text, size_t size)
{
    int tags = 0;
    (void)path;
    for (size_t i = 0; i < size; ++i)
        tags += text[i] == '<';
    FUZZ_CHECK(tags == TAGS, "the page has %d tags", tags);
    return EXIT_DONE;
}

static void write_header(CliNames *names, const char *title, FILE *memory)
{
    CliJson json = cli_json_begin(memory);
    cli_json_object(&json, NULL);
    cli_json_text(&json, "title", title);
    cli_columns_begin(&json);
    for (int i = 0; i < names->count; ++i)
        cli_columns_add(&json, names->names[i], -1);
    cli_json_end(&json);
    cli_view_columns(names, &json);
    cli_json_end(&json);
}

static bool is_ascii(const char *text)
{
    for (; *text; ++text)
        if ((unsigned char)*text >= 0x80)
            return false;
    return true;
}

static void check_header(const char *header, const char *title)
{
    FUZZ_CHECK(cli_json_is_valid(header), "'%s' is no JSON", header);
    const char *value = cli_json_member(header, "title");
    FUZZ_CHECK(value, "the title is missing");
    FUZZ_CHECK(!is_ascii(title) || cli_json_is_text(value, title), "the title '%s' has changed", title);
}

static void check_page(CliNames *names, const char *title)
{
    static const double row[MOST_NAMES] = {0, 1, 2};
    static const CliKeep keep[MOST_NAMES];
    char *header = NULL;
    size_t size = 0;
    CliThin thin = {0};
    CliColumn columns[MOST_NAMES];
    FILE *memory = open_memstream(&header, &size);
    write_header(names, title, memory);
    fclose(memory);
    check_header(header, title);
    if (cli_thin_begin(&thin, keep, names->count, 100)) {
        cli_thin_add(&thin, row);
        cli_thin_finish(&thin);
        for (int i = 0; i < names->count; ++i)
            columns[i] = (CliColumn){&thin, i, cli_column_is_double(names->names[i])};
        FUZZ_CHECK(cli_page_write("", header, columns, names->count) == EXIT_DONE, "no page");
    }
    cli_thin_free(&thin);
    free(header);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size), *at = text;
    const char *list[MOST_NAMES] = {"t"}, *title = strsep(&at, "\n");
    CliNames names = {.names = list, .count = 1};
    while (at && names.count < MOST_NAMES)
        list[names.count++] = strsep(&at, "\n");
    if (cli_names_sort(&names))
        check_page(&names, title);
    cli_names_free(&names);
    free(text);
    return 0;
}
