/* SPDX-License-Identifier: BSD-3-Clause */
/* The sections of `holon list` and their items, read from the tables of the library. */
#ifndef HOLON_CLI_LIST_LIST_H
#define HOLON_CLI_LIST_LIST_H

#include <holon/mechanism.h>

/* An item of a section; fields that do not apply are NULL or 0. */
typedef struct CliItem {
    const char *name, *title;
    const char *page;     /* of the documentation */
    const char *connects; /* what the kind's own key takes: "[body, body]" */
    const char *where;    /* "plane", "space" or "plane, space" */
    const char *text;     /* the file of a model */
    const HolOption *options;
    int option_count;
    HolSection section; /* of a kind of parts, and its index there */
    int index, field_count, sample_count;
} CliItem;

typedef struct CliSection {
    const char *name, *title;
    int (*count)(void);
    CliItem (*item)(int index);
} CliSection;

extern const CliSection cli_sections[]; /* ends with a name NULL */

/* The default and the allowed values of an option, as written in a model file. */
void cli_option_default(const HolOption *option, char *text, size_t size);
void cli_option_range(const HolOption *option, char *text, size_t size);

void cli_item_print(const CliItem *item);
void cli_section_print_json(const CliSection *section, const char *name); /* one item, or all if name is NULL */

#endif
