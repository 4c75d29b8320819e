/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/view_columns.h"

#include <string.h>

/* Whether the columns from `first` belong to one part and have these endings. */
static bool has_endings(const CliNames *names, int first, const char *const *endings)
{
    const char *dot = strrchr(names->names[first], '.');
    size_t length = dot ? (size_t)(dot - names->names[first]) : 0;
    for (int i = 0; endings[i]; ++i) {
        if (length == 0 || first + i >= names->count)
            return false;
        const char *name = names->names[first + i];
        if (strncmp(name, names->names[first], length + 1) != 0 || strcmp(name + length + 1, endings[i]) != 0)
            return false;
    }
    return true;
}

static const char *const bodies[2][8] = {{"x", "y", "phi"}, {"x", "y", "z", "e0", "e1", "e2", "e3"}};
static const char *const points[2][6] = {{"x", "y", "vx", "vy"}, {"x", "y", "z", "vx", "vy"}};

static bool is_planar(const CliNames *names)
{
    for (int i = 0; i < names->count; ++i)
        if (has_endings(names, i, bodies[1]) || has_endings(names, i, points[1]))
            return false;
    return true;
}

static void write_part(const CliNames *names, int first, bool is_body, CliJson *json)
{
    char name[300];
    const char *column = names->names[first];
    snprintf(name, sizeof name, "%.*s", (int)(strrchr(column, '.') - column), column);
    cli_json_object(json, NULL);
    cli_json_text(json, "name", name);
    cli_json_whole(json, "column", first);
    if (is_body) {
        cli_json_text(json, "form", "rigid");
        cli_json_whole(json, "node_of", -1);
        cli_json_array(json, "shapes");
        cli_json_end(json);
        cli_json_array(json, "marks");
        cli_json_end(json);
    }
    cli_json_end(json);
}

static void write_parts(const CliNames *names, const char *key, const char *const *endings, CliJson *json)
{
    cli_json_array(json, key);
    for (int i = 0; i < names->count; ++i)
        if (has_endings(names, i, endings))
            write_part(names, i, strcmp(key, "bodies") == 0, json);
    cli_json_end(json);
}

static void write_nothing(const char *key, CliJson *json)
{
    cli_json_array(json, key);
    cli_json_end(json);
}

void cli_view_columns(const CliNames *names, CliJson *json)
{
    int space = is_planar(names) ? 0 : 1;
    cli_json_flag(json, "planar", space == 0);
    cli_json_array(json, "gravity");
    for (int i = 0; i < 3; ++i)
        cli_json_number(json, NULL, 0);
    cli_json_end(json);
    write_parts(names, "bodies", bodies[space], json);
    write_parts(names, "points", points[space], json);
    cli_json_object(json, "ground");
    write_nothing("marks", json);
    cli_json_end(json);
    write_nothing("beams", json);
    write_nothing("joints", json);
    write_nothing("forces", json);
}
