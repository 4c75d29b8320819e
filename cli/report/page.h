/* SPDX-License-Identifier: BSD-3-Clause */
/* The page of HTML that shows results. It is built from viewer/ and compiled in; a mark in it is replaced by the header
 * (JSON) and the numbers. HOLON_PAGE names another page, for development. */
#ifndef HOLON_CLI_REPORT_PAGE_H
#define HOLON_CLI_REPORT_PAGE_H

#include "report/thin.h"

#include <stdio.h>

/* EXIT_DONE, or EXIT_BAD_INPUT after an error message if this build has no page. */
int cli_page_check(void);

/* A column of numbers of the page. */
typedef struct CliColumn {
    const CliThin *from;
    int index; /* in it */
    bool is_double;
} CliColumn;

bool cli_column_is_double(const char *name); /* times, energies, violations and angles */
const char *cli_column_unit(const char *name);
CliKeep cli_column_keep(const char *name);

/* Writes the page with the header (JSON) and the columns, completely or not at all. Returns an exit code. */
int cli_page_write(const char *path, const char *header, const CliColumn *columns, int column_count);

/* Writes JSON on one line, escaped for use inside a tag. */
void cli_page_header(const char *json, FILE *file);

#endif
