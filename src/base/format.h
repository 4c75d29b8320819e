/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HOLON_BASE_FORMAT_H
#define HOLON_BASE_FORMAT_H

#include <holon/number.h>

#include <stdarg.h>

/* hol_format() with a list of arguments. */
int hol_vformat(char *text, size_t size, const char *format, va_list arguments) __attribute__((format(printf, 3, 0)));

#endif
