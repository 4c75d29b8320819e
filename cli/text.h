/* SPDX-License-Identifier: BSD-3-Clause */
/* Sentences put together piece by piece. */
#ifndef HOLON_CLI_TEXT_H
#define HOLON_CLI_TEXT_H

#include <stddef.h>

enum { CLI_TEXT_SIZE = 4000 };

/* A text that grows; what does not fit is left out. */
typedef struct CliText {
    char text[CLI_TEXT_SIZE];
    size_t length;
} CliText;

__attribute__((format(printf, 2, 3))) void cli_say(CliText *text, const char *format, ...);
/* "1 body", "3 bodies" */
void cli_say_count(CliText *text, int count, const char *one, const char *many);
/* "", ", " or " and " before item i of so many */
void cli_say_between(CliText *text, int i, int count);
void cli_text_print(const CliText *text); /* in lines, nothing if it is empty */

#endif
