/* SPDX-License-Identifier: BSD-3-Clause */
#include "terminal/text.h"

#include <holon/status.h>

#include "terminal/table.h"

#include <stdarg.h>
#include <stdio.h>

void cli_text_add(CliText *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text->text + text->length, sizeof text->text - text->length, format, arguments);
    va_end(arguments);
    text->length += length > 0 ? (size_t)length : 0;
    if (text->length >= sizeof text->text)
        text->length = sizeof text->text - 1;
}

void cli_text_add_heading(CliText *text, const char *title, const char *name)
{
    size_t before = text->length;
    cli_text_add(text, *title ? "%s (%s)" : "%s%s", title, name);
    hol_make_printable(text->text + before);
    cli_text_add(text, "\n");
}

void cli_text_add_count(CliText *text, int count, const char *one, const char *many)
{
    cli_text_add(text, "%d %s", count, count == 1 ? one : many);
}

void cli_text_add_separator(CliText *text, int i, int count)
{
    if (i > 0)
        cli_text_add(text, "%s", i == count - 1 ? " and " : ", ");
}

void cli_text_print(const CliText *text)
{
    if (text->length > 0)
        cli_print_text(text->text);
}
