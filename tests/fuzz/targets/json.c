/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON that is read: the scene beside results. Valid text can be walked, each value has a length, and the same text
 * inside a page is still valid and cannot end the script that it is in. */
#include "command.h"
#include "fuzz.h"
#include "report/json_scan.h"
#include "report/page.h"
#include "terminal/files.h"

#include <string.h>

enum { DEEPEST = 70 };

/* What the page needs of the command when it is written, which it is not here. */
int cli_fail(const char *format, ...)
{
    (void)format;
    return EXIT_BAD_INPUT;
}

int cli_file_write(const char *path, const char *text, size_t size)
{
    (void)path, (void)text, (void)size;
    return EXIT_BAD_INPUT;
}

static void check_value(const char *value, const char *end, int depth)
{
    size_t length = cli_json_length(value);
    FUZZ_CHECK(depth < DEEPEST && length > 0 && value + length <= end, "a value of %zu bytes", length);
    cli_json_is_text(value, "run");
    cli_json_member(value, "columns");
    cli_json_member(value, "");
    if (*value != '[')
        return;
    for (const char *entry = cli_json_first(value); entry; entry = cli_json_next(entry))
        check_value(entry, value + length, depth + 1);
}

/* What the page contains is one line without a tag, and JSON of the same value. */
static void check_page(const char *text)
{
    char *header = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&header, &size);
    cli_page_header(text, memory);
    fclose(memory);
    FUZZ_CHECK(!strchr(header, '<') && !strstr(header, "\xe2\x80\xa8") && !strstr(header, "\xe2\x80\xa9"),
               "a tag or a line separator inside the page");
    FUZZ_CHECK(cli_json_is_valid(header), "'%s' is no JSON any more", header);
    free(header);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    if (cli_json_is_valid(text)) {
        const char *value = text + strspn(text, " \t\r\n");
        check_value(value, text + strlen(text), 0);
        check_page(text);
    }
    free(text);
    return 0;
}
