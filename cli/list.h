/* SPDX-License-Identifier: BSD-3-Clause */
/* What can be listed: sections of things with names, whatever table of the library they come from. */
#ifndef HOLON_CLI_LIST_H
#define HOLON_CLI_LIST_H

#include <holon/mechanism.h>

/* One thing of a section; what does not apply is NULL or 0. */
typedef struct CliItem {
    const char *name, *title;
    const char *page;     /* of the manual */
    const char *connects; /* what the kind's own key takes: "[body, body]" */
    const char *where;    /* "plane", "space" or "plane, space" */
    const char *text;     /* of a model */
    const HolOption *options;
    int option_count;
    HolSection section; /* of a kind of parts, and its index there */
    int index, field_count;
} CliItem;

typedef struct CliSection {
    const char *name, *title;
    int (*count)(void);
    CliItem (*item)(int index);
} CliSection;

extern const CliSection cli_sections[]; /* ends with a name NULL */

/* A number of an option or its choices, as people and files write it. */
void cli_option_default(const HolOption *option, char *text, size_t size);
void cli_option_range(const HolOption *option, char *text, size_t size);

void cli_item_print(const CliItem *item);
void cli_section_print_json(const CliSection *section, const char *name); /* one item, or all if name is NULL */

#endif
