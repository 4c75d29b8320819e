/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks into JSON that somebody else wrote. */
#ifndef HOLON_CLI_JSON_SCAN_H
#define HOLON_CLI_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>

/* Whether all of the text is one value, by the grammar. */
bool cli_json_is_valid(const char *text);

/* Of valid text. A member of an object, NULL: there is none, or no object. */
const char *cli_json_member(const char *object, const char *key);
/* The first entry of an array, and the one behind an entry; NULL: there is none. */
const char *cli_json_first(const char *array);
const char *cli_json_next(const char *entry);
/* Bytes of a value. */
size_t cli_json_length(const char *value);
/* Whether it is a string, and this one. */
bool cli_json_is_text(const char *value, const char *text);

#endif
