/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes JSON to a stream, one member per line.
 *
 *     HolJson json = hol_json_begin(stdout);
 *     hol_json_object(&json, NULL);
 *     hol_json_text(&json, "model", "four-bar");
 *     hol_json_array(&json, "joints");
 *     ...
 *     hol_json_end(&json);     the array
 *     hol_json_end(&json);     the object, and the end of the line
 *
 * Inside objects every value has a key; inside arrays and at the top it is NULL. Numbers that are not finite become
 * null, bytes that are not UTF-8 become U+FFFD. Nothing here fails: ask the stream by ferror(). */
#ifndef HOLON_JSON_H
#define HOLON_JSON_H

#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { HOL_JSON_DEEPEST = 16 };

typedef struct HolJson {
    FILE *file;
    int depth;                          /* of open objects and arrays, at most HOL_JSON_DEEPEST */
    char closing[HOL_JSON_DEEPEST];     /* '}' or ']' of each */
    bool has_members[HOL_JSON_DEEPEST]; /* so that the next needs a comma */
} HolJson;

HolJson hol_json_begin(FILE *file);

/* Opens one; hol_json_end() closes the innermost. */
void hol_json_object(HolJson *json, const char *key);
void hol_json_array(HolJson *json, const char *key);
void hol_json_end(HolJson *json);

void hol_json_text(HolJson *json, const char *key, const char *text); /* NULL becomes null */
void hol_json_number(HolJson *json, const char *key, double value);
void hol_json_whole(HolJson *json, const char *key, long value);
void hol_json_flag(HolJson *json, const char *key, bool value);
void hol_json_null(HolJson *json, const char *key);
void hol_json_value(HolJson *json, const char *key, const char *text, size_t length); /* JSON already, as it is */

#ifdef __cplusplus
}
#endif

#endif
