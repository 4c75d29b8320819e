/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HOLON_IO_NUMBER_H
#define HOLON_IO_NUMBER_H

#include <holon/number.h>

/* Replaces the decimal mark of a locale, if there is one, by a full stop. Returns the length. */
size_t hol_number_full_stop(char *text);

#endif
