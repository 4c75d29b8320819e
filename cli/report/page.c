/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/page.h"

#include "command.h"
#include "terminal/files.h"
#include "terminal/memory.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The built page, HOLON_PAGE_FILE; empty if Node.js was missing. */
__asm__(".section .rodata\n"
        ".global cli_page_begin\n"
        ".global cli_page_end\n"
        "cli_page_begin:\n"
        ".incbin \"" HOLON_PAGE_FILE "\"\n"
        "cli_page_end:\n"
        ".byte 0\n"
        ".previous\n");
extern const char cli_page_begin[], cli_page_end[];

static const char MARK[] = "<!--holon-data-->";

typedef struct Page {
    const char *text;
    size_t size;
    char *owned; /* text, if it was read from a file */
    const char *mark;
} Page;

static char *page_read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb"), *memory = NULL;
    char *text = NULL, part[4096];
    size_t count;
    if (file)
        memory = hol_text_open(&text, size);
    while (memory && (count = fread(part, 1, sizeof part, file)) > 0)
        fwrite(part, 1, count, memory);
    bool is_complete = hol_text_close(memory, &text);
    if (file)
        fclose(file);
    if (file && !is_complete)
        errno = ENOMEM;
    return text;
}

static const char *find_mark(const char *text, size_t size)
{
    size_t length = sizeof MARK - 1;
    for (const char *c = text; c && size - (size_t)(c - text) >= length; ++c) {
        c = memchr(c, MARK[0], size - (size_t)(c - text));
        if (!c || size - (size_t)(c - text) < length)
            return NULL;
        if (memcmp(c, MARK, length) == 0)
            return c;
    }
    return NULL;
}

static int open_page(Page *page)
{
    const char *path = getenv("HOLON_PAGE");
    *page = (Page){.text = cli_page_begin, .size = (size_t)(cli_page_end - cli_page_begin)};
    if (path && *path) {
        page->text = page->owned = page_read_file(path, &page->size);
        if (!page->text)
            return cli_fail("HOLON_PAGE: cannot read '%s': %s", path, strerror(errno));
    } else if (page->size == 0) {
        return cli_fail("this build has no report page: install Node.js and npm, then build again (cmake prints why if "
                        "that fails); --output writes the numbers");
    }
    page->mark = find_mark(page->text, page->size);
    if (page->mark)
        return EXIT_DONE;
    free(page->owned);
    return cli_fail("the report page has no mark %s: it was not built from viewer/", MARK);
}

int cli_page_check(void)
{
    Page page;
    int code = open_page(&page);
    if (code == EXIT_DONE)
        free(page.owned);
    return code;
}

static bool page_begins_with(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

void cli_page_header(const char *json, FILE *file)
{
    for (const char *c = json; *c; ++c) {
        if (*c == '<')
            fputs("\\u003c", file);
        else if (page_begins_with(c, "\xe2\x80\xa8") ||
                 page_begins_with(c, "\xe2\x80\xa9")) { /* line separators in JavaScript */
            fprintf(file, "\\u202%c", c[2] == '\xa8' ? '8' : '9');
            c += 2;
        } else if (*c == '\n')
            c += strspn(c, "\n ") - 1; /* layout: JSON strings contain no line break */
        else
            putc(*c, file);
    }
}

static bool is_under(const char *name, const char *part)
{
    return page_begins_with(name, part) && name[strlen(part)] == '.';
}

bool cli_column_is_double(const char *name)
{
    const char *ending = strrchr(name, '.');
    return strcmp(name, "t") == 0 || is_under(name, "energy") || is_under(name, "violation") ||
           (ending && strcmp(ending, ".phi") == 0);
}

CliKeep cli_column_keep(const char *name)
{
    if (is_under(name, "violation") || strcmp(name, "energy.drift") == 0)
        return CLI_KEEP_LARGEST;
    return is_under(name, "singular") ? CLI_KEEP_SMALLEST : CLI_KEEP_NOTHING;
}

const char *cli_column_unit(const char *name)
{
    static const char *const units[][2] = {
        {"x", "m"},    {"y", "m"},     {"z", "m"},      {"phi", "rad"},  {"vx", "m/s"},   {"vy", "m/s"},
        {"vz", "m/s"}, {"w", "rad/s"}, {"wx", "rad/s"}, {"wy", "rad/s"}, {"wz", "rad/s"}, {"fx", "N"},
        {"fy", "N"},   {"fz", "N"},    {"tx", "N m"},   {"ty", "N m"},   {"tz", "N m"},   {"lfx", "N"},
        {"lfy", "N"},  {"lfz", "N"},   {"ltx", "N m"},  {"lty", "N m"},  {"ltz", "N m"},  {"N", "N"},
        {"V2", "N"},   {"V3", "N"},    {"T", "N m"},    {"M2", "N m"},   {"M3", "N m"}};
    const char *ending = strrchr(name, '.');
    if (strcmp(name, "t") == 0)
        return "s";
    if (is_under(name, "energy"))
        return "J";
    for (size_t i = 0; ending && i < sizeof units / sizeof *units; ++i)
        if (strcmp(units[i][0], ending + 1) == 0)
            return units[i][1];
    return "";
}

/* Three bytes become four letters. */
typedef struct Base64 {
    FILE *file;
    unsigned char bytes[3];
    int count;
} Base64;

static void write_four(Base64 *to)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *b = to->bytes;
    char four[4] = {letters[b[0] >> 2], letters[(b[0] & 3) << 4 | b[1] >> 4], letters[(b[1] & 15) << 2 | b[2] >> 6],
                    letters[b[2] & 63]};
    for (int i = to->count + 1; i < 4; ++i)
        four[i] = '=';
    fwrite(four, 1, 4, to->file);
    memset(to->bytes, 0, 3);
    to->count = 0;
}

/* Writes little-endian bytes on any machine. */
static void write_bytes(Base64 *to, uint64_t bits, int size)
{
    for (int i = 0; i < size; ++i) {
        to->bytes[to->count++] = (unsigned char)(bits >> 8 * i);
        if (to->count == 3)
            write_four(to);
    }
}

static void write_column(Base64 *to, const CliColumn *column)
{
    for (long row = 0; row < column->from->row_count; ++row) {
        double value = cli_thin_row(column->from, row)[column->index];
        float narrow = (float)value;
        uint64_t wide_bits;
        uint32_t narrow_bits;
        memcpy(&wide_bits, &value, sizeof value);
        memcpy(&narrow_bits, &narrow, sizeof narrow);
        write_bytes(to, column->is_double ? wide_bits : narrow_bits, column->is_double ? 8 : 4);
    }
    if (!column->is_double && column->from->row_count % 2 == 1)
        write_bytes(to, 0, 4); /* to a multiple of eight */
}

static void write_data(FILE *file, const CliColumn *columns, int column_count)
{
    Base64 to = {.file = file};
    for (int i = 0; i < column_count; ++i)
        write_column(&to, &columns[i]);
    if (to.count > 0)
        write_four(&to);
}

int cli_page_write(const char *path, const char *header, const CliColumn *columns, int column_count)
{
    Page page;
    char *text = NULL;
    size_t size = 0, before;
    int code = open_page(&page);
    if (code != EXIT_DONE)
        return code;
    FILE *memory = hol_text_open(&text, &size);
    if (memory) {
        before = (size_t)(page.mark - page.text);
        fwrite(page.text, 1, before, memory);
        fputs("<script type=\"application/json\" id=\"holon-header\">", memory);
        cli_page_header(header, memory);
        fputs("</script>\n<script type=\"text/plain\" id=\"holon-data\">", memory);
        write_data(memory, columns, column_count);
        fputs("</script>\n", memory);
        before += sizeof MARK - 1;
        fwrite(page.text + before, 1, page.size - before, memory);
    }
    free(page.owned);
    return cli_memory_write(memory, &text, &size, path);
}
