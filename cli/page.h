/* SPDX-License-Identifier: BSD-3-Clause */
/* The page that shows results: a file of HTML that is built from viewer/ and compiled in, with a mark where the header
 * (JSON) and the numbers go. HOLON_PAGE names another one, for work on the page. */
#ifndef HOLON_CLI_PAGE_H
#define HOLON_CLI_PAGE_H

#include "thin.h"

#include <stdio.h>

/* EXIT_DONE, or EXIT_BAD_INPUT after a sentence: this build has none. */
int cli_page_check(void);

/* A column of numbers of the page. */
typedef struct CliColumn {
    const CliThin *from;
    int index; /* in it */
    bool is_double;
} CliColumn;

bool cli_column_is_double(const char *name); /* times, energies, violations, and angles, of many turns */
const char *cli_column_unit(const char *name);
CliKeep cli_column_keep(const char *name);

/* Writes the page with the header, JSON of any layout, and the columns; all of it, or nothing. Returns an exit code. */
int cli_page_write(const char *path, const char *header, const CliColumn *columns, int column_count);

/* JSON on one line, safe between the tags of a page. */
void cli_page_header(const char *json, FILE *file);

#endif
