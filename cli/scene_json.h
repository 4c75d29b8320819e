/* SPDX-License-Identifier: BSD-3-Clause */
/* A scene as JSON: what a page needs to draw a mechanism, and the columns that move it. */
#ifndef HOLON_CLI_SCENE_JSON_H
#define HOLON_CLI_SCENE_JSON_H

#include <holon/json.h>
#include <holon/scene.h>

/* Names of columns, sorted for finding; the names are not copied. */
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

/* The members planar, gravity, bodies, beams, ground, joints, points and forces of an object that is open. Columns
 * count from `first` on. The diagnosis tells which reactions are unique, NULL: all of them. Bodies without a place, or
 * without columns, are left out, and so is what holds them: returns how many were left out for lack of columns. */
int cli_scene_members(const HolScene *scene, const HolDiagnosis *diagnosis, const CliNames *names, int first,
                      HolJson *json);

/* The member columns: name, unit, type; rows of each where they are given (not negative). */
void cli_columns_begin(HolJson *json);
void cli_columns_add(HolJson *json, const char *name, long rows);

#endif
