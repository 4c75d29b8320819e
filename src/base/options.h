/* SPDX-License-Identifier: BSD-3-Clause */
/* Fills a kind's options struct from its table. */
#ifndef HOLON_BASE_OPTIONS_H
#define HOLON_BASE_OPTIONS_H

#include <holon/option.h>

/* Bounds for options without a natural limit. */
#define HOL_LARGEST 1e300
#define HOL_SMALLEST 1e-300

/* A row of a table: the name of the option is that of its field in the struct. */
#define HOL_REAL(Options, field, standard, least, most, measure, text)                                                 \
    {                                                                                                                  \
        .name = #field, .type = HOL_OPTION_REAL, .offset = offsetof(Options, field), .fallback = (standard),           \
        .min = (least), .max = (most), .unit = (measure), .help = (text)                                               \
    }
#define HOL_INTEGER(Options, field, standard, least, most, text)                                                       \
    {                                                                                                                  \
        .name = #field, .type = HOL_OPTION_INTEGER, .offset = offsetof(Options, field), .fallback = (standard),        \
        .min = (least), .max = (most), .unit = "", .help = (text)                                                      \
    }
#define HOL_CHOICE(Options, field, standard, names, text)                                                              \
    {                                                                                                                  \
        .name = #field, .type = HOL_OPTION_CHOICE, .offset = offsetof(Options, field), .fallback = (standard),         \
        .choices = (names), .unit = "", .help = (text)                                                                 \
    }

/* The members of a kind that describe its options. */
#define HOL_OPTIONS(Options, table)                                                                                    \
    .options_size = sizeof(Options), .options = (table), .option_count = sizeof(table) / sizeof *(table)

void hol_options_defaults(const HolOption *table, int count, void *options);

/* Sets one option from text; kind is the name for the sentence ("penalty"). */
HolStatus hol_options_set(const HolOption *table, int count, const char *kind, const char *name, const char *value,
                          void *options, HolMessage *message);

#endif
