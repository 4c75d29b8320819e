/* SPDX-License-Identifier: BSD-3-Clause */
/* Aligned columns on stdout.
 *
 *     CliTable table = {.columns = 3};
 *     cli_table_add(&table, "pin_A", "revolute", "2");
 *     cli_table_print(&table, 2);
 *
 * The last column is broken into lines where a terminal is too narrow for it; in a pipe or a file a row stays one
 * line. Columns without any text take no room. A table that says where it may be broken becomes several below each
 * other there, each beginning with the first columns. */
#ifndef HOLON_CLI_TABLE_H
#define HOLON_CLI_TABLE_H

enum { CLI_MOST_COLUMNS = 16 };

typedef struct CliTable {
    int columns, rows, capacity;
    char **cells;
    unsigned breaks; /* bit c: where a line is too long for the terminal, column c may begin another table */
    int repeated;    /* columns that each of these begins with, besides the first */
} CliTable;

/* One row; as many const char * as there are columns, NULL for nothing. They are copied. */
void cli_table_add(CliTable *table, ...);
/* Prints with so many blanks before each line, and frees the rows. */
void cli_table_print(CliTable *table, int indent);

enum { CLI_ENDLESS = 1 << 20 };
/* Of the terminal (the variable COLUMNS counts more than what it says itself), or CLI_ENDLESS in a pipe or a file. */
int cli_line_width(void);

/* Prints a text, breaking the lines that do not fit the terminal; in a pipe or a file they stay as they are. */
void cli_print_text(const char *text);
/* The same of one line of up to a thousand characters. */
__attribute__((format(printf, 1, 2))) void cli_print_line(const char *format, ...);

#endif
