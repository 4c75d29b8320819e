/* SPDX-License-Identifier: BSD-3-Clause */
#include "json.h"

#include <holon/number.h>
#include <holon/status.h>

#include <math.h>

CliJson cli_json_begin(FILE *file)
{
    return (CliJson){.file = file};
}

static void write_character(FILE *file, const unsigned char *c, int size)
{
    if (size == 0)
        fputs("\\ufffd", file);
    else if (*c == '"' || *c == '\\')
        fprintf(file, "\\%c", *c);
    else if (*c == '\n')
        fputs("\\n", file);
    else if (*c == '\t')
        fputs("\\t", file);
    else if (*c < 0x20 || *c == 0x7f)
        fprintf(file, "\\u%04x", *c);
    else if (size == 2 && *c == 0xc2 && c[1] < 0xa0) /* C1: would steer a terminal */
        fprintf(file, "\\u%04x", c[1]);
    else if (size == 3 && *c == 0xe2 &&
             (c[1] == 0x80 || c[1] == 0x81)) /* punctuation, some of which changes direction */
        fprintf(file, "\\u%04x", 0x2000 | (c[1] & 1) << 6 | (c[2] & 0x3f));
    else
        fwrite(c, 1, (size_t)size, file);
}

/* The number of characters that stand for themselves. */
static size_t plain_length(const char *text)
{
    size_t length = 0;
    while (text[length] >= ' ' && text[length] < 0x7f && text[length] != '"' && text[length] != '\\')
        ++length;
    return length;
}

static void write_string(FILE *file, const char *text)
{
    putc('"', file);
    for (const char *c = text; *c;) {
        size_t plain = plain_length(c);
        if (plain > 0) {
            fwrite(c, 1, plain, file);
            c += plain;
            continue;
        }
        int size = hol_character_size(c);
        write_character(file, (const unsigned char *)c, size);
        c += size ? size : 1;
    }
    putc('"', file);
}

static void new_line(const CliJson *json)
{
    static const char spaces[] = "\n                                ";
    _Static_assert(sizeof spaces - 2 >= 2 * CLI_JSON_DEEPEST, "an indentation for each level");
    fwrite(spaces, 1, 1 + 2 * (size_t)json->depth, json->file);
}

/* Writes what precedes a value: the comma of the one before, a line of its own, its key. False: the value is left out,
 * because it is too deep. */
static bool begin_value(CliJson *json, const char *key)
{
    if (json->left_out > 0)
        return false;
    if (json->depth > 0) {
        bool *has_members = &json->has_members[json->depth - 1];
        if (*has_members)
            putc(',', json->file);
        *has_members = true;
        new_line(json);
    }
    if (key) {
        write_string(json->file, key);
        fputs(": ", json->file);
    }
    return true;
}

static void open_level(CliJson *json, const char *key, char opening, char closing)
{
    if (json->left_out > 0 || json->depth == CLI_JSON_DEEPEST) {
        cli_json_null(json, key);
        ++json->left_out;
        return;
    }
    begin_value(json, key);
    putc(opening, json->file);
    json->closing[json->depth] = closing;
    json->has_members[json->depth] = false;
    ++json->depth;
}

void cli_json_object(CliJson *json, const char *key)
{
    open_level(json, key, '{', '}');
}

void cli_json_array(CliJson *json, const char *key)
{
    open_level(json, key, '[', ']');
}

void cli_json_end(CliJson *json)
{
    if (json->left_out > 0) {
        --json->left_out;
        return;
    }
    if (json->depth == 0)
        return;
    --json->depth;
    if (json->has_members[json->depth])
        new_line(json);
    putc(json->closing[json->depth], json->file);
    if (json->depth == 0)
        putc('\n', json->file);
}

void cli_json_text(CliJson *json, const char *key, const char *text)
{
    if (!text) {
        cli_json_null(json, key);
        return;
    }
    if (begin_value(json, key))
        write_string(json->file, text);
}

void cli_json_number(CliJson *json, const char *key, double value)
{
    char text[HOL_NUMBER_SIZE] = "null";
    if (isfinite(value))
        hol_number_text(value, text);
    if (begin_value(json, key))
        fputs(text, json->file);
}

void cli_json_whole(CliJson *json, const char *key, long value)
{
    if (begin_value(json, key))
        fprintf(json->file, "%ld", value);
}

void cli_json_flag(CliJson *json, const char *key, bool value)
{
    if (begin_value(json, key))
        fputs(value ? "true" : "false", json->file);
}

void cli_json_null(CliJson *json, const char *key)
{
    if (begin_value(json, key))
        fputs("null", json->file);
}

void cli_json_value(CliJson *json, const char *key, const char *text, size_t length)
{
    if (begin_value(json, key))
        fwrite(text, 1, length, json->file);
}
