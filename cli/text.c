/* SPDX-License-Identifier: BSD-3-Clause */
#include "text.h"

#include "table.h"

#include <stdarg.h>
#include <stdio.h>

void cli_say(CliText *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text->text + text->length, sizeof text->text - text->length, format, arguments);
    va_end(arguments);
    text->length += length > 0 ? (size_t)length : 0;
    if (text->length >= sizeof text->text)
        text->length = sizeof text->text - 1;
}

void cli_say_count(CliText *text, int count, const char *one, const char *many)
{
    cli_say(text, "%d %s", count, count == 1 ? one : many);
}

void cli_say_between(CliText *text, int i, int count)
{
    if (i > 0)
        cli_say(text, "%s", i == count - 1 ? " and " : ", ");
}

void cli_text_print(const CliText *text)
{
    if (text->length > 0)
        cli_print_text(text->text);
}
