/* SPDX-License-Identifier: BSD-3-Clause */
/* Sentences composed piece by piece. */
#ifndef HOLON_CLI_TERMINAL_TEXT_H
#define HOLON_CLI_TERMINAL_TEXT_H

#include <stddef.h>

enum { CLI_TEXT_SIZE = 4000 };

/* A text that grows and is truncated at its maximum length. */
typedef struct CliText {
    char text[CLI_TEXT_SIZE];
    size_t length;
} CliText;

__attribute__((format(printf, 2, 3))) void cli_text_add(CliText *text, const char *format, ...);
/* "Title (name)" or "name", on one line whatever they contain */
void cli_text_add_heading(CliText *text, const char *title, const char *name);
/* "1 body", "3 bodies" */
void cli_text_add_count(CliText *text, int count, const char *one, const char *many);
/* "", ", " or " and " before item i of count */
void cli_text_add_separator(CliText *text, int i, int count);
void cli_text_print(const CliText *text); /* wrapped; nothing if it is empty */

#endif
