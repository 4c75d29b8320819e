/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/scene_json.h"

#include "report/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
    return strcmp(((const CliName *)a)->name, ((const CliName *)b)->name);
}

bool cli_names_sort(CliNames *names)
{
    names->sorted = malloc((size_t)(names->count > 0 ? names->count : 1) * sizeof *names->sorted);
    for (int i = 0; names->sorted && i < names->count; ++i)
        names->sorted[i] = (CliName){names->names[i], i};
    if (names->sorted)
        qsort(names->sorted, (size_t)names->count, sizeof *names->sorted, by_name);
    return names->sorted != NULL;
}

void cli_names_free(CliNames *names)
{
    free(names->sorted);
    names->sorted = NULL;
}

int cli_names_find(const CliNames *names, const char *name)
{
    int low = 0, high = names->count - 1;
    while (low <= high) {
        int middle = (low + high) / 2, order = strcmp(name, names->sorted[middle].name);
        if (order == 0)
            return names->sorted[middle].index;
        if (order < 0)
            high = middle - 1;
        else
            low = middle + 1;
    }
    return -1;
}

/* The columns of a scene, and the bodies that it lists. */
typedef struct Columns {
    const CliNames *names;
    int first;
    const int *listed; /* the number of each body, or UNLISTED */
    CliJson *json;
} Columns;

static int scene_json_column_of(const Columns *columns, const char *part, const char *ending)
{
    size_t size = strlen(part) + strlen(ending) + 2;
    char *name = malloc(size);
    if (!name) {
        columns->json->failed = true;
        return -1;
    }
    snprintf(name, size, "%s.%s", part, ending);
    int found = cli_names_find(columns->names, name);
    free(name);
    return found < 0 ? -1 : columns->first + found;
}

void cli_columns_begin(CliJson *json)
{
    cli_json_array(json, "columns");
}

void cli_columns_add(CliJson *json, const char *name, long rows)
{
    cli_json_object(json, NULL);
    cli_json_text(json, "name", name);
    cli_json_text(json, "unit", cli_column_unit(name));
    cli_json_text(json, "type", cli_column_is_double(name) ? "f8" : "f4");
    if (rows >= 0)
        cli_json_whole(json, "rows", rows);
    cli_json_end(json);
}

/* Removes the rounding of the rotation into body axes. */
static double tidy(double x)
{
    return fabs(x) < 1e-15 ? 0 : x;
}

static void write_vector(CliJson *json, const char *key, const double *x)
{
    cli_json_array(json, key);
    for (int i = 0; i < 3; ++i)
        cli_json_number(json, NULL, tidy(x[i]));
    cli_json_end(json);
}

static void write_vectors(CliJson *json, const char *key, const double (*x)[3], int count)
{
    cli_json_array(json, key);
    for (int i = 0; i < count; ++i)
        write_vector(json, NULL, x[i]);
    cli_json_end(json);
}

static bool is_identity(const double axes[3][3])
{
    for (int k = 0; k < 9; ++k)
        if (fabs(axes[k / 3][k % 3] - (k / 3 == k % 3)) > 1e-12)
            return false;
    return true;
}

static void write_box(CliJson *json, const HolSceneShape *shape)
{
    write_vector(json, "box", shape->edges);
    write_vector(json, "at", shape->points[0]);
    if (is_identity(shape->axes))
        return;
    cli_json_array(json, "axes");
    for (int k = 0; k < 9; ++k) /* row by row of the matrix whose columns are the axes */
        cli_json_number(json, NULL, tidy(shape->axes[k % 3][k / 3]));
    cli_json_end(json);
}

static void scene_json_write_shape(CliJson *json, const HolSceneShape *shape)
{
    cli_json_object(json, NULL);
    switch (shape->type) {
    case HOL_SHAPE_BAR: write_vectors(json, "bar", shape->points, 2); break;
    case HOL_SHAPE_CYLINDER: write_vectors(json, "cylinder", shape->points, 2); break;
    case HOL_SHAPE_PLATE: write_vectors(json, "plate", shape->points, shape->point_count); break;
    case HOL_SHAPE_BOX: write_box(json, shape); break;
    case HOL_SHAPE_SPHERE:
        cli_json_number(json, "sphere", shape->radius);
        write_vector(json, "at", shape->points[0]);
        break;
    }
    if (shape->radius > 0 && shape->type != HOL_SHAPE_SPHERE)
        cli_json_number(json, "radius", shape->radius);
    cli_json_end(json);
}

enum { GROUND = -1, UNLISTED = -2 };

/* The number that a body has in the header. */
static int number_of(const Columns *columns, int body)
{
    return body < 0 ? GROUND : columns->listed[body];
}

/* Numbers the bodies that can be drawn; returns how many have no columns. */
static int list_bodies(const HolScene *scene, const Columns *columns, int *listed)
{
    int count = 0, missing = 0;
    for (int i = 0; i < scene->body_count; ++i) {
        bool has_place = scene->bodies[i].form != HOL_SCENE_DIRECTION;
        bool has_columns = scene_json_column_of(columns, scene->bodies[i].name, "x") >= 0;
        listed[i] = has_place && has_columns ? count++ : UNLISTED;
        missing += has_place && !has_columns;
    }
    return missing;
}

static void write_body(CliJson *json, const HolSceneBody *body, const Columns *columns)
{
    static const char *const forms[] = {
        [HOL_SCENE_RIGID] = "rigid", [HOL_SCENE_PARTICLE] = "particle", [HOL_SCENE_DIRECTION] = "direction"};
    cli_json_object(json, NULL);
    cli_json_text(json, "name", body->name);
    cli_json_text(json, "form", forms[body->form]);
    cli_json_whole(json, "column", scene_json_column_of(columns, body->name, "x"));
    cli_json_whole(json, "node_of", body->node_of);
    cli_json_array(json, "shapes");
    for (int i = 0; i < body->shape_count; ++i)
        scene_json_write_shape(json, &body->shapes[i]);
    cli_json_end(json);
    write_vectors(json, "marks", body->marks, body->mark_count);
    cli_json_end(json);
}

static void write_beam(CliJson *json, const HolSceneBeam *beam, const Columns *columns)
{
    for (int i = 0; i < beam->node_count; ++i)
        if (number_of(columns, beam->first_node + i) == UNLISTED)
            return;
    cli_json_object(json, NULL);
    cli_json_text(json, "name", beam->name);
    cli_json_whole(json, "order", beam->order);
    cli_json_array(json, "nodes");
    for (int i = 0; i < beam->node_count; ++i)
        cli_json_whole(json, NULL, number_of(columns, beam->first_node + i));
    cli_json_end(json);
    cli_json_array(json, "s");
    for (int i = 0; i < beam->node_count; ++i)
        cli_json_number(json, NULL, beam->s[i]);
    cli_json_end(json);
    if (beam->width > 0) {
        cli_json_number(json, "width", beam->width);
        cli_json_number(json, "height", beam->height);
    }
    cli_json_flag(json, "round", beam->round);
    cli_json_end(json);
}

static void write_place(CliJson *json, const HolScenePlace *place, const Columns *columns)
{
    cli_json_object(json, NULL);
    cli_json_whole(json, "body", number_of(columns, place->body));
    write_vector(json, "at", place->at);
    cli_json_end(json);
}

static void scene_json_write_joint(CliJson *json, const HolSceneJoint *joint, const HolJointDiagnosis *found,
                                   const Columns *columns)
{
    int first = number_of(columns, joint->first), second = number_of(columns, joint->second);
    if (first == UNLISTED || second == UNLISTED)
        return;
    cli_json_object(json, NULL);
    cli_json_text(json, "name", joint->name);
    cli_json_text(json, "kind", joint->kind);
    cli_json_whole(json, "first", first);
    cli_json_whole(json, "second", second);
    write_vector(json, "at", joint->place.at);
    if (joint->place.body != joint->second)
        cli_json_text(json, "in", "first");
    if (joint->has_axis)
        write_vector(json, "axis", joint->axis);
    else
        cli_json_null(json, "axis");
    if (joint->is_rod)
        write_vector(json, "from", joint->from.at); /* of the first body */
    if (joint->radius > 0)
        cli_json_number(json, "radius", joint->radius);
    cli_json_whole(json, "column", scene_json_column_of(columns, joint->name, "fx"));
    cli_json_array(json, "unique");
    for (int i = 0; i < 6; ++i)
        cli_json_flag(json, NULL, !found || found->unique[i]);
    cli_json_end(json);
    cli_json_end(json);
}

static void write_force(CliJson *json, const HolSceneForce *force, const Columns *columns)
{
    for (int i = 0; i < force->end_count; ++i)
        if (number_of(columns, force->ends[i].body) == UNLISTED)
            return;
    cli_json_object(json, NULL);
    cli_json_text(json, "name", force->name);
    cli_json_text(json, "kind", force->kind);
    cli_json_array(json, "ends");
    for (int i = 0; i < force->end_count; ++i)
        write_place(json, &force->ends[i], columns);
    cli_json_end(json);
    cli_json_end(json);
}

static void write_point(CliJson *json, const char *name, const HolScenePlace *place, const Columns *columns)
{
    if (scene_json_column_of(columns, name, "x") < 0)
        return;
    cli_json_object(json, NULL);
    cli_json_text(json, "name", name);
    cli_json_whole(json, "column", scene_json_column_of(columns, name, "x"));
    if (number_of(columns, place->body) != UNLISTED) {
        cli_json_whole(json, "body", number_of(columns, place->body));
        write_vector(json, "at", place->at);
    }
    cli_json_end(json);
}

int cli_scene_members(const HolScene *scene, const HolDiagnosis *diagnosis, const CliNames *names, int first,
                      CliJson *json)
{
    int *listed = calloc((size_t)scene->body_count + 1, sizeof *listed);
    Columns columns = {names, first, listed, json};
    json->failed = json->failed || !listed;
    if (!listed)
        return 0;
    int missing = list_bodies(scene, &columns, listed);
    bool has_found = diagnosis && diagnosis->reactions_examined;
    cli_json_flag(json, "planar", scene->planar);
    write_vector(json, "gravity", scene->gravity);
    cli_json_array(json, "bodies");
    for (int i = 0; i < scene->body_count; ++i)
        if (listed[i] != UNLISTED)
            write_body(json, &scene->bodies[i], &columns);
    cli_json_end(json);
    cli_json_array(json, "beams");
    for (int i = 0; i < scene->beam_count; ++i)
        write_beam(json, &scene->beams[i], &columns);
    cli_json_end(json);
    cli_json_object(json, "ground");
    write_vectors(json, "marks", scene->ground_marks, scene->ground_mark_count);
    cli_json_end(json);
    cli_json_array(json, "joints");
    for (int i = 0; i < scene->joint_count; ++i)
        scene_json_write_joint(json, &scene->joints[i], has_found ? &diagnosis->joints[i] : NULL, &columns);
    cli_json_end(json);
    cli_json_array(json, "points");
    for (int i = 0; i < scene->point_count; ++i)
        write_point(json, scene->points[i], &scene->point_places[i], &columns);
    cli_json_end(json);
    cli_json_array(json, "forces");
    for (int i = 0; i < scene->force_count; ++i)
        write_force(json, &scene->forces[i], &columns);
    cli_json_end(json);
    free(listed);
    return missing;
}
