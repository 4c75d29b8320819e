/* SPDX-License-Identifier: BSD-3-Clause */
/* Aligned columns on stdout.
 *
 *     CliTable table = {.columns = 3};
 *     cli_table_add(&table, "pin_A", "revolute", "2");
 *     cli_table_print(&table, 2);
 *
 * On a narrow terminal the last column wraps; in a pipe or a file a row is always one line. Empty columns take no
 * space. A table with `breaks` is split there into several, each beginning with the first columns. */
#ifndef HOLON_CLI_TERMINAL_TABLE_H
#define HOLON_CLI_TERMINAL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { CLI_MAX_COLUMNS = 16 };

typedef struct CliTable {
    int columns, rows, capacity;
    char **cells;
    unsigned breaks; /* bit c: column c may begin another table where a line is too long for the terminal */
    int repeated;    /* columns repeated in each of these, besides the first */
} CliTable;

/* Adds a row of const char *, one for each column, NULL for an empty cell. They are copied. */
void cli_table_add(CliTable *table, ...);
/* Whether a cell of any table is missing for lack of memory, which the exit code then reports. */
bool cli_table_has_lost_cells(void);
/* Prints the table, each line indented by this many blanks, and frees its rows. */
void cli_table_print(CliTable *table, int indent);

enum { CLI_UNLIMITED_WIDTH = 1 << 20 };
/* The width of the terminal (COLUMNS takes precedence), or CLI_UNLIMITED_WIDTH in a pipe or a file. */
int cli_line_width(void);

/* Writes length bytes of a text, but nothing that would steer the terminal (hol_make_printable()). All text that comes
 * from a file, a path or an option goes this way, through cli_fail(), or as JSON. */
void cli_put(FILE *file, const char *text, size_t length);
/* The same for one line. */
__attribute__((format(printf, 2, 3))) void cli_put_line(FILE *file, const char *format, ...);

/* Prints a text and wraps lines that do not fit the terminal; not in a pipe or a file. Indented lines do not wrap. */
void cli_print_text(const char *text);
/* The same for one line of up to 1000 characters. */
__attribute__((format(printf, 1, 2))) void cli_print_line(const char *format, ...);

#endif
