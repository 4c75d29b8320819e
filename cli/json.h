/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes JSON to a stream, one member per line.
 *
 *     CliJson json = cli_json_begin(stdout);
 *     cli_json_object(&json, NULL);
 *     cli_json_text(&json, "model", "four-bar");
 *     cli_json_array(&json, "joints");
 *     ...
 *     cli_json_end(&json);     the array
 *     cli_json_end(&json);     the object, and the end of the line
 *
 * Inside objects every value has a key; inside arrays and at the top it is NULL. Numbers that are not finite become
 * null, bytes that are not UTF-8 become U+FFFD. No function fails; ferror() of the stream reports errors. */
#ifndef HOLON_CLI_JSON_H
#define HOLON_CLI_JSON_H

#include <stdbool.h>
#include <stdio.h>

enum { CLI_JSON_DEEPEST = 16 };

typedef struct CliJson {
    FILE *file;
    int depth;                          /* of open objects and arrays, at most CLI_JSON_DEEPEST */
    char closing[CLI_JSON_DEEPEST];     /* '}' or ']' of each */
    bool has_members[CLI_JSON_DEEPEST]; /* so that the next needs a comma */
    int left_out;                       /* open levels that are too deep: the outermost was written as null */
    bool failed;                        /* set by those who write: there was not enough memory, and a part is missing */
} CliJson;

CliJson cli_json_begin(FILE *file);

/* Open an object or an array; cli_json_end() closes the innermost. */
void cli_json_object(CliJson *json, const char *key);
void cli_json_array(CliJson *json, const char *key);
void cli_json_end(CliJson *json);

void cli_json_text(CliJson *json, const char *key, const char *text); /* NULL becomes null */
void cli_json_number(CliJson *json, const char *key, double value);
void cli_json_whole(CliJson *json, const char *key, long value);
void cli_json_flag(CliJson *json, const char *key, bool value);
void cli_json_null(CliJson *json, const char *key);
void cli_json_value(CliJson *json, const char *key, const char *text,
                    size_t length); /* the text is JSON and is copied */

#endif
