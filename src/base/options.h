/* SPDX-License-Identifier: BSD-3-Clause */
/* Fills a kind's options struct from its table. */
#ifndef HOLON_BASE_OPTIONS_H
#define HOLON_BASE_OPTIONS_H

#include <holon/option.h>

/* Bounds for options without a natural limit. */
#define HOL_LARGEST 1e300
#define HOL_SMALLEST 1e-300

void hol_options_defaults(const HolOption *table, int count, void *options);

/* Sets one option from text; kind is the name for the sentence ("penalty"). */
HolStatus hol_options_set(const HolOption *table, int count, const char *kind, const char *name, const char *value,
                          void *options, HolMessage *message);

#endif
