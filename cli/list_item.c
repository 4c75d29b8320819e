/* SPDX-License-Identifier: BSD-3-Clause */
/* One listed thing in full, for people and for programs. */
#include <holon/json.h>

#include "list.h"
#include "table.h"

#include <stdio.h>
#include <string.h>

void cli_option_default(const HolOption *option, char *text, size_t size)
{
    if (option->type == HOL_OPTION_CHOICE)
        snprintf(text, size, "%s", option->choices[(int)option->fallback]);
    else
        snprintf(text, size, "%.15g", option->fallback);
}

/* Bounds that only stand for "no limit" are not shown. */
static const double NO_LIMIT = 1e300, NO_LEAST = 1e-300;

void cli_option_range(const HolOption *option, char *text, size_t size)
{
    text[0] = '\0';
    for (int i = 0; option->type == HOL_OPTION_CHOICE && option->choices[i]; ++i) {
        size_t length = strlen(text);
        snprintf(text + length, size - length, "%s%s", i ? " | " : "", option->choices[i]);
    }
    if (option->type == HOL_OPTION_CHOICE)
        return;
    const char *what = option->type == HOL_OPTION_INTEGER ? "whole number" : "number";
    bool above = option->min > -NO_LIMIT, below = option->max < NO_LIMIT;
    if (above && option->min == NO_LEAST)
        snprintf(text, size, below ? "%s > 0, <= %g" : "%s > 0", what, option->max);
    else if (above && below)
        snprintf(text, size, "%s from %g to %g", what, option->min, option->max);
    else if (above)
        snprintf(text, size, "%s >= %g", what, option->min);
    else
        snprintf(text, size, "%s", what);
}

static void print_options(const CliItem *item)
{
    CliTable table = {.columns = 5};
    char fallback[60], range[200];
    cli_table_add(&table, "option", "default", "unit", "value", "meaning");
    for (int i = 0; i < item->option_count; ++i) {
        const HolOption *option = &item->options[i];
        cli_option_default(option, fallback, sizeof fallback);
        cli_option_range(option, range, sizeof range);
        cli_table_add(&table, option->name, fallback, option->unit, range, option->help);
    }
    cli_table_print(&table, 2);
}

/* "number", "choice: global | body", "function of l, ldot" */
static void describe_value(const HolFieldInfo *field, char *text, size_t size)
{
    bool is_function = strstr(field->type, "function") != NULL;
    snprintf(text, size, "%s", field->type);
    for (int i = 0; field->choices && field->choices[i]; ++i) {
        size_t length = strlen(text);
        const char *before = i > 0 ? (is_function ? ", " : " | ") : is_function ? " of " : ": ";
        snprintf(text + length, size - length, "%s%s", before, field->choices[i]);
    }
}

static void print_fields(const CliItem *item)
{
    CliTable table = {.columns = 5};
    char value[300], needed[40];
    cli_table_add(&table, "key", "value", "unit", "default", "meaning");
    for (int i = 0; i < item->field_count; ++i) {
        HolFieldInfo field = hol_part_field(item->section, item->index, i);
        describe_value(&field, value, sizeof value);
        const char *blank = field.where[0] ? " " : "";
        snprintf(needed, sizeof needed, "(needed%s%s)", blank, field.where);
        cli_table_add(&table, field.name, value, field.unit, field.fallback ? field.fallback : needed, field.help);
    }
    cli_table_print(&table, 2);
}

void cli_item_print(const CliItem *item)
{
    if (item->text) {
        fputs(item->text, stdout);
        return;
    }
    printf("%s\n  %s\n", item->name, item->title);
    if (item->connects && item->connects[0])
        printf("  written {%s: %s, ...}; in %s\n", item->name, item->connects, item->where);
    if (item->page)
        printf("  page %s\n", item->page);
    putchar('\n');
    if (item->option_count > 0)
        print_options(item);
    else if (item->field_count > 0)
        print_fields(item);
    else
        puts("  It has no options.");
}

static void write_options(HolJson *json, const CliItem *item)
{
    char text[200];
    hol_json_array(json, "options");
    for (int i = 0; i < item->option_count; ++i) {
        const HolOption *option = &item->options[i];
        hol_json_object(json, NULL);
        hol_json_text(json, "name", option->name);
        cli_option_range(option, text, sizeof text);
        hol_json_text(json, "value", text);
        hol_json_text(json, "unit", option->unit);
        cli_option_default(option, text, sizeof text);
        hol_json_text(json, "default", text);
        hol_json_text(json, "help", option->help);
        hol_json_end(json);
    }
    hol_json_end(json);
}

static void write_fields(HolJson *json, const CliItem *item)
{
    char value[300];
    hol_json_array(json, "keys");
    for (int i = 0; i < item->field_count; ++i) {
        HolFieldInfo field = hol_part_field(item->section, item->index, i);
        describe_value(&field, value, sizeof value);
        hol_json_object(json, NULL);
        hol_json_text(json, "name", field.name);
        hol_json_text(json, "value", value);
        hol_json_text(json, "unit", field.unit);
        hol_json_text(json, "default", field.fallback);
        hol_json_text(json, "where", field.where);
        hol_json_text(json, "help", field.help);
        hol_json_end(json);
    }
    hol_json_end(json);
}

static void write_item(HolJson *json, const CliItem *item)
{
    hol_json_object(json, NULL);
    hol_json_text(json, "name", item->name);
    hol_json_text(json, "title", item->title);
    if (item->connects) {
        hol_json_text(json, "connects", item->connects);
        hol_json_text(json, "where", item->where);
        write_fields(json, item);
    }
    if (item->page) {
        hol_json_text(json, "page", item->page);
        write_options(json, item);
    }
    hol_json_end(json);
}

void cli_section_print_json(const CliSection *section, const char *name)
{
    HolJson json = hol_json_begin(stdout);
    if (!name)
        hol_json_array(&json, NULL);
    for (int i = 0; i < section->count(); ++i) {
        CliItem item = section->item(i);
        if (!name || strcmp(item.name, name) == 0)
            write_item(&json, &item);
    }
    if (!name)
        hol_json_end(&json);
}
