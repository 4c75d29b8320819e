/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers as text that every program reads alike, whatever the locale of the process.
 *
 *     char text[HOL_NUMBER_SIZE];
 *     hol_number_text(0.1, text);                          "0.1"
 *     hol_number_read("0.1, 2", &value, &length);          value 0.1, length 3
 *     hol_format(text, sizeof text, "%.3f", 0.5);          "0.500" */
#ifndef HOLON_NUMBER_H
#define HOLON_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum { HOL_NUMBER_SIZE = 32 };

/* Writes x with the fewest digits that are read as the same double, at most 17; nan, inf, -inf. Returns the length,
 * which is less than HOL_NUMBER_SIZE. 0 if the text is NULL. */
size_t hol_number_text(double x, char text[HOL_NUMBER_SIZE]);

/* Reads the number that the text begins with, correctly rounded, in the form that hol_number_text() writes. Returns
 * false, and changes nothing, if the text begins with no number or an argument is NULL. */
bool hol_number_read(const char *text, double *value, size_t *length);

/* snprintf() whatever the locale: numbers have a full stop and no groups of digits. Returns what snprintf() returns,
 * and -1 with an empty text for a format or text that is NULL. */
int hol_format(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
