/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers as text that every program reads alike, whatever the locale of the process. */
#ifndef HOLON_IO_NUMBER_H
#define HOLON_IO_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

enum { HOL_NUMBER_SIZE = 32 };

/* With 15, 16 or 17 digits, the first that gives the same double back; nan, inf, -inf. Returns the length. */
size_t hol_number_text(double x, char text[HOL_NUMBER_SIZE]);

/* Replaces the decimal mark of a locale, if there is one, by a full stop. Returns the length. */
size_t hol_number_full_stop(char *text);

/* The number that the text begins with, as the first function writes them: correctly rounded. False: there is none. */
bool hol_number_read(const char *text, double *value, size_t *length);

#endif
