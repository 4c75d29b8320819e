/* SPDX-License-Identifier: BSD-3-Clause */
/* One item in full, as text or JSON. */
#include "json.h"
#include "list/list.h"
#include "terminal/table.h"

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

static void item_print_options(const CliItem *item)
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
        snprintf(needed, sizeof needed, "(required%s%s)", blank, field.where);
        cli_table_add(&table, field.name, value, field.unit, field.fallback ? field.fallback : needed, field.help);
    }
    cli_table_print(&table, 2);
}

/* "in space: 3 constraint equations, 2 nonholonomic" */
static void describe_sample(const HolPartSample *sample, char *text, size_t size)
{
    int used = snprintf(text, size, "%s",
                        sample->planar && sample->spatial ? "in the plane and in space"
                        : sample->planar                  ? "in the plane"
                                                          : "in space");
    if (sample->row_count > 0)
        used += snprintf(text + used, size - (size_t)used, ": %d constraint equation%s", sample->row_count,
                         sample->row_count > 1 ? "s" : "");
    if (sample->nonholonomic_count > 0)
        snprintf(text + used, size - (size_t)used, ", %d nonholonomic", sample->nonholonomic_count);
}

static void print_samples(const CliItem *item)
{
    CliTable table = {.columns = 2};
    char where[100];
    for (int i = 0; i < item->sample_count; ++i) {
        HolPartSample sample = hol_part_sample(item->section, item->index, i);
        describe_sample(&sample, where, sizeof where);
        cli_table_add(&table, where, sample.text);
    }
    puts("\n  Examples:");
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
        printf("  syntax: {%s: %s, ...}; in %s\n", item->name, item->connects, item->where);
    if (item->page)
        printf("  documentation: %s\n", item->page);
    putchar('\n');
    if (item->option_count > 0)
        item_print_options(item);
    else if (item->field_count > 0)
        print_fields(item);
    else
        puts("  no options");
    if (item->sample_count > 0)
        print_samples(item);
}

static void write_options(CliJson *json, const CliItem *item)
{
    char text[200];
    cli_json_array(json, "options");
    for (int i = 0; i < item->option_count; ++i) {
        const HolOption *option = &item->options[i];
        cli_json_object(json, NULL);
        cli_json_text(json, "name", option->name);
        cli_option_range(option, text, sizeof text);
        cli_json_text(json, "value", text);
        cli_json_text(json, "unit", option->unit);
        cli_option_default(option, text, sizeof text);
        cli_json_text(json, "default", text);
        cli_json_text(json, "help", option->help);
        cli_json_end(json);
    }
    cli_json_end(json);
}

static void item_write_fields(CliJson *json, const CliItem *item)
{
    char value[300];
    cli_json_array(json, "keys");
    for (int i = 0; i < item->field_count; ++i) {
        HolFieldInfo field = hol_part_field(item->section, item->index, i);
        describe_value(&field, value, sizeof value);
        cli_json_object(json, NULL);
        cli_json_text(json, "name", field.name);
        cli_json_text(json, "value", value);
        cli_json_text(json, "unit", field.unit);
        cli_json_text(json, "default", field.fallback);
        cli_json_text(json, "where", field.where);
        cli_json_text(json, "help", field.help);
        cli_json_end(json);
    }
    cli_json_end(json);
}

static void item_write_samples(CliJson *json, const CliItem *item)
{
    cli_json_array(json, "examples");
    for (int i = 0; i < item->sample_count; ++i) {
        HolPartSample sample = hol_part_sample(item->section, item->index, i);
        cli_json_object(json, NULL);
        cli_json_text(json, "text", sample.text);
        cli_json_text(json, "where",
                      sample.planar && sample.spatial ? "plane, space"
                      : sample.planar                 ? "plane"
                                                      : "space");
        cli_json_whole(json, "constraint_equations", sample.row_count);
        cli_json_whole(json, "nonholonomic", sample.nonholonomic_count);
        cli_json_end(json);
    }
    cli_json_end(json);
}

static void write_item(CliJson *json, const CliItem *item)
{
    cli_json_object(json, NULL);
    cli_json_text(json, "name", item->name);
    cli_json_text(json, "title", item->title);
    if (item->connects) {
        cli_json_text(json, "connects", item->connects);
        cli_json_text(json, "where", item->where);
        item_write_fields(json, item);
        item_write_samples(json, item);
    }
    if (item->page) {
        cli_json_text(json, "page", item->page);
        write_options(json, item);
    }
    cli_json_end(json);
}

void cli_section_print_json(const CliSection *section, const char *name)
{
    CliJson json = cli_json_begin(stdout);
    if (!name)
        cli_json_array(&json, NULL);
    for (int i = 0; i < section->count(); ++i) {
        CliItem item = section->item(i);
        if (!name || strcmp(item.name, name) == 0)
            write_item(&json, &item);
    }
    if (!name)
        cli_json_end(&json);
}
