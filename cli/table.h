/* SPDX-License-Identifier: BSD-3-Clause */
/* Aligned columns on stdout.
 *
 *     CliTable table = {.columns = 3};
 *     cli_table_add(&table, "pin_A", "revolute", "2");
 *     cli_table_print(&table, 2);
 *
 * The last column is broken into lines where a terminal is too narrow for it; in a pipe or a file a row stays one
 * line. Columns without any text take no room. */
#ifndef HOLON_CLI_TABLE_H
#define HOLON_CLI_TABLE_H

enum { CLI_MOST_COLUMNS = 14 };

typedef struct CliTable {
    int columns, rows, capacity;
    char **cells;
} CliTable;

/* One row; as many const char * as there are columns, NULL for nothing. They are copied. */
void cli_table_add(CliTable *table, ...);
/* Prints with so many blanks before each line, and frees the rows. */
void cli_table_print(CliTable *table, int indent);

/* Prints a text, breaking the lines that do not fit the terminal; in a pipe or a file they stay as they are. */
void cli_print_text(const char *text);

#endif
