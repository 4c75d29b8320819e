/* SPDX-License-Identifier: BSD-3-Clause */
/* holon list [SECTION [NAME]]: lists models, methods and kinds of parts. */
#include "list/list.h"

#include "command.h"
#include "terminal/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SECTIONS = 16 };

typedef struct Settings {
    CliWords words;
    bool json, names;
} Settings;

static const CliSection *list_find_section(const char *name)
{
    const char *names[MAX_SECTIONS + 1] = {NULL};
    char hint[CLI_HINT_SIZE];
    for (int i = 0; cli_sections[i].name; ++i) {
        names[i] = cli_sections[i].name;
        if (strcmp(names[i], name) == 0)
            return &cli_sections[i];
    }
    cli_hint(name, names, hint);
    cli_fail("list: '%s' cannot be listed%s", name, hint[0] ? hint : "; 'holon list --names' prints the sections");
    return NULL;
}

/* The index of an item, or -1 after an error message. */
static int find_item(const CliSection *section, const char *name)
{
    int count = section->count();
    const char **names = calloc((size_t)count + 1, sizeof *names);
    char hint[CLI_HINT_SIZE] = "";
    for (int i = 0; i < count; ++i) {
        const char *known = section->item(i).name;
        if (strcmp(known, name) == 0) {
            free(names);
            return i;
        }
        if (names)
            names[i] = known;
    }
    if (names)
        cli_hint(name, names, hint);
    free(names);
    cli_fail("list: there is no '%s' among the %s%s", name, section->name, hint);
    return -1;
}

static void print_names(const CliSection *section)
{
    for (int i = 0; i < section->count(); ++i)
        puts(section->item(i).name);
}

static void print_section(const CliSection *section)
{
    CliTable table = {.columns = 4};
    for (int i = 0; i < section->count(); ++i) {
        CliItem item = section->item(i);
        cli_table_add(&table, item.name, item.connects, item.where, item.title);
    }
    cli_table_print(&table, 2);
}

static void print_all(void)
{
    for (const CliSection *section = cli_sections; section->name; ++section) {
        printf("%s%s (%s)\n", section == cli_sections ? "" : "\n", section->name, section->title);
        print_section(section);
    }
}

static void print_all_names(void)
{
    for (const CliSection *section = cli_sections; section->name; ++section)
        puts(section->name);
}

static int run_section(const Settings *s, const CliSection *section)
{
    const char *name = s->words.count > 1 ? s->words.items[1] : NULL;
    int index = name ? find_item(section, name) : 0;
    if (index < 0)
        return EXIT_BAD_INPUT;
    if (s->json)
        cli_section_print_json(section, name);
    else if (s->names)
        print_names(section);
    else if (name) {
        CliItem item = section->item(index);
        cli_item_print(&item);
    } else
        print_section(section);
    return EXIT_DONE;
}

static int list_run(const void *settings)
{
    const Settings *s = settings;
    if (s->words.count > 0) {
        const CliSection *section = list_find_section(s->words.items[0]);
        return section ? run_section(s, section) : EXIT_BAD_INPUT;
    }
    if (s->json)
        return cli_fail("list: --json needs a section, as in 'holon list joints --json'");
    if (s->names)
        print_all_names();
    else
        print_all();
    return EXIT_DONE;
}

static const CliOption options[] = {
    {"--names", NULL, OPTION_FLAG, offsetof(Settings, names), "print names only, one per line"},
    {"--json", NULL, OPTION_FLAG, offsetof(Settings, json), "print JSON, options and keys included"},
};

const CliCommand cli_list = {
    .name = "list",
    .arguments = "[SECTION [NAME]]",
    .title = "List built-in models, formulations, integrators, and kinds of bodies, joints, drivers and forces.",
    .notes =
        "SECTION is models, formulations, integrators, bodies, beams, sections (of beams), joints, drivers or forces.\n"
        "With a NAME, prints its options or keys with unit, default and meaning. For a model, prints its file:\n"
        "'holon list models four-bar > mine.yaml' is a start for a model of your own.\n",
    .max_words = 2,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .settings_size = sizeof(Settings),
    .run = list_run,
};
