/* SPDX-License-Identifier: BSD-3-Clause */
#include "terminal/table.h"

#include <holon/status.h>

#include <assert.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { GAP = 2, NARROWEST = 30, LONGEST_LINE = 8000 };

int cli_line_width(void)
{
    struct winsize size;
    const char *said = getenv("COLUMNS");
    if (!isatty(STDOUT_FILENO))
        return CLI_UNLIMITED_WIDTH;
    long columns = said ? strtol(said, NULL, 10) : 0;
    if (columns > 0 && columns < CLI_UNLIMITED_WIDTH)
        return (int)columns;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : CLI_UNLIMITED_WIDTH;
}

/* Characters, not bytes, of UTF-8. */
static int width_of(const char *text, size_t length)
{
    int width = 0;
    for (size_t i = 0; i < length; ++i)
        width += ((unsigned char)text[i] & 0xc0) != 0x80;
    return width;
}

void cli_put(FILE *file, const char *text, size_t length)
{
    char *copy = strndup(text, length);
    if (copy)
        fputs(hol_make_printable(copy), file);
    free(copy);
}

void cli_put_line(FILE *file, const char *format, ...)
{
    char line[LONGEST_LINE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    fprintf(file, "%s\n", hol_make_printable(line));
}

/* Breaks at blanks; the lines after the first begin at column `indent`. */
static void print_wrapped(const char *text, size_t size, int indent)
{
    const char *end = text + size;
    int room = cli_line_width() - indent, used = 0;
    room = room < NARROWEST ? NARROWEST : room;
    while (text < end) {
        size_t length = strcspn(text, " \n");
        int word = width_of(text, length);
        if (used > 0 && used + 1 + word > room) {
            printf("\n%*s", indent, "");
            used = 0;
        }
        fputs(used > 0 ? " " : "", stdout);
        cli_put(stdout, text, length);
        used += word + (used > 0);
        text += length;
        text += strspn(text, " ");
    }
    putchar('\n');
}

void cli_print_text(const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        if (*text == ' ') {
            cli_put(stdout, text, length);
            putchar('\n');
        } else {
            print_wrapped(text, length, 0);
        }
        text += length + (text[length] == '\n');
    }
}

void cli_print_line(const char *format, ...)
{
    char line[1001];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    cli_print_text(line);
}

static bool has_lost_cells;

bool cli_table_has_lost_cells(void)
{
    return has_lost_cells;
}

/* Makes room for one more row; false: not enough memory. */
static bool table_make_room(CliTable *table)
{
    if (table->rows < table->capacity)
        return true;
    int capacity = 2 * table->capacity + 16;
    char **cells = realloc(table->cells, (size_t)capacity * (size_t)table->columns * sizeof *cells);
    if (!cells)
        return false;
    table->cells = cells;
    table->capacity = capacity;
    return true;
}

void cli_table_add(CliTable *table, ...)
{
    if (!table_make_room(table)) {
        has_lost_cells = true;
        return;
    }
    va_list cells;
    va_start(cells, table);
    for (int c = 0; c < table->columns; ++c) {
        const char *cell = va_arg(cells, const char *);
        char *copy = strdup(cell ? cell : "");
        has_lost_cells = has_lost_cells || !copy;
        table->cells[table->rows * table->columns + c] = copy;
    }
    va_end(cells);
    ++table->rows;
}

static const char *table_cell_at(const CliTable *table, int row, int column)
{
    const char *cell = table->cells[row * table->columns + column];
    return cell ? cell : "";
}

static int column_width(const CliTable *table, int column)
{
    int widest = 0;
    for (int r = 0; r < table->rows; ++r) {
        const char *cell = table_cell_at(table, r, column);
        int width = width_of(cell, strlen(cell));
        widest = width > widest ? width : widest;
    }
    return widest;
}

/* The columns of one of the printed tables, besides the repeated ones. */
typedef struct Part {
    int begin, end;
} Part;

/* Prints blanks before the next text, so that no line ends in blanks. */
static void print_row(const CliTable *table, int row, const int *widths, int indent, Part part)
{
    int at = indent, printed = 0;
    for (int c = 0; c < part.end; c = c == table->repeated ? part.begin : c + 1) {
        const char *cell = table_cell_at(table, row, c);
        if (*cell) {
            printf("%*s", at - printed, "");
            if (c == table->columns - 1) {
                print_wrapped(cell, strlen(cell), at);
                return;
            }
            cli_put(stdout, cell, strlen(cell));
            printed = at + width_of(cell, strlen(cell));
        }
        at += widths[c] > 0 ? widths[c] + GAP : 0;
    }
    putchar('\n');
}

/* The end of the columns before the next allowed break. */
static int end_of_group(const CliTable *table, int begin)
{
    int end = begin + 1;
    while (end < table->columns && !(table->breaks >> end & 1))
        ++end;
    return end;
}

/* The end of as many groups of columns as fit, at least one. */
static int end_of_part(const CliTable *table, const int *widths, int indent, int begin)
{
    int used = indent - GAP, room = cli_line_width();
    for (int c = 0; c <= table->repeated; ++c)
        used += widths[c] > 0 ? widths[c] + GAP : 0;
    for (int group = begin; group < table->columns; group = end_of_group(table, group)) {
        for (int c = group; c < end_of_group(table, group); ++c)
            used += widths[c] > 0 ? widths[c] + GAP : 0;
        if (group > begin && used > room)
            return group;
    }
    return table->columns;
}

void cli_table_print(CliTable *table, int indent)
{
    int widths[CLI_MAX_COLUMNS];
    assert(table->columns <= CLI_MAX_COLUMNS);
    for (int c = 0; c < table->columns; ++c)
        widths[c] = column_width(table, c);
    for (int begin = 1 + table->repeated, end = 0; end < table->columns; begin = end) {
        end = table->breaks ? end_of_part(table, widths, indent, begin) : table->columns;
        if (begin > 1 + table->repeated)
            putchar('\n');
        for (int r = 0; r < table->rows; ++r)
            print_row(table, r, widths, indent, (Part){begin, end});
    }
    for (int i = 0; i < table->rows * table->columns; ++i)
        free(table->cells[i]);
    free(table->cells);
    *table = (CliTable){.columns = table->columns};
}
