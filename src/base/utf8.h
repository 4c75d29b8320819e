/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HOLON_BASE_UTF8_H
#define HOLON_BASE_UTF8_H

#include <stdbool.h>

bool hol_is_utf8(const char *text);

#endif
