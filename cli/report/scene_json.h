/* SPDX-License-Identifier: BSD-3-Clause */
/* A scene as JSON: what the page needs to draw a mechanism, and the columns with its motion. */
#ifndef HOLON_CLI_REPORT_SCENE_JSON_H
#define HOLON_CLI_REPORT_SCENE_JSON_H

#include <holon/scene.h>

#include "json.h"

/* Names of columns, sorted for lookup; the names are not copied. */
typedef struct CliName {
    const char *name;
    int index;
} CliName;

typedef struct CliNames {
    const char *const *names;
    int count;
    CliName *sorted;
} CliNames;

bool cli_names_sort(CliNames *names); /* false: not enough memory */
void cli_names_free(CliNames *names);
int cli_names_find(const CliNames *names, const char *name); /* -1: none */

/* Writes the members planar, gravity, bodies, beams, ground, joints, points and forces of an object that is open.
 * Column numbers start at `first`. The diagnosis marks reactions that are not unique; NULL: all are unique. Leaves out
 * bodies without a position or columns, and what they connect to; returns how many had no columns. Without enough
 * memory json->failed is set. */
int cli_scene_members(const HolScene *scene, const HolDiagnosis *diagnosis, const CliNames *names, int first,
                      CliJson *json);

/* Writes the member `columns`: name, unit, type, and the number of rows unless negative. */
void cli_columns_begin(CliJson *json);
void cli_columns_add(CliJson *json, const char *name, long rows);

#endif
