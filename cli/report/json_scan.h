/* SPDX-License-Identifier: BSD-3-Clause */
/* Validates JSON from a file and finds values in it. */
#ifndef HOLON_CLI_REPORT_JSON_SCAN_H
#define HOLON_CLI_REPORT_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the text is one JSON value. */
bool cli_json_is_valid(const char *text);

/* The functions below need valid text. The value of a member; NULL: no such member, or not an object. */
const char *cli_json_member(const char *object, const char *key);
/* The first entry of an array, and the entry after another; NULL: none. */
const char *cli_json_first(const char *array);
const char *cli_json_next(const char *entry);
/* The size of a value in bytes. */
size_t cli_json_length(const char *value);
/* Whether the value is this string. */
bool cli_json_is_text(const char *value, const char *text);

#endif
