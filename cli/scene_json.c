/* SPDX-License-Identifier: BSD-3-Clause */
#include "scene_json.h"

#include "page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Columns by name ---- */

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

/* Where the columns of a part begin, and the bodies that are listed. */
typedef struct Columns {
    const CliNames *names;
    int first;
    const int *listed; /* the number of each body, or UNLISTED */
} Columns;

static int column_of(const Columns *columns, const char *part, const char *ending)
{
    size_t size = strlen(part) + strlen(ending) + 2;
    char *name = malloc(size);
    if (!name)
        return -1;
    snprintf(name, size, "%s.%s", part, ending);
    int found = cli_names_find(columns->names, name);
    free(name);
    return found < 0 ? -1 : columns->first + found;
}

void cli_columns_begin(HolJson *json)
{
    hol_json_array(json, "columns");
}

void cli_columns_add(HolJson *json, const char *name, long rows)
{
    hol_json_object(json, NULL);
    hol_json_text(json, "name", name);
    hol_json_text(json, "unit", cli_column_unit(name));
    hol_json_text(json, "type", cli_column_is_double(name) ? "f8" : "f4");
    if (rows >= 0)
        hol_json_whole(json, "rows", rows);
    hol_json_end(json);
}

/* ---- Vectors ---- */

/* Rounding of the turning into body axes is not worth its digits. */
static double tidy(double x)
{
    return fabs(x) < 1e-15 ? 0 : x;
}

static void write_vector(HolJson *json, const char *key, const double *x)
{
    hol_json_array(json, key);
    for (int i = 0; i < 3; ++i)
        hol_json_number(json, NULL, tidy(x[i]));
    hol_json_end(json);
}

static void write_vectors(HolJson *json, const char *key, const double (*x)[3], int count)
{
    hol_json_array(json, key);
    for (int i = 0; i < count; ++i)
        write_vector(json, NULL, x[i]);
    hol_json_end(json);
}

/* ---- Shapes ---- */

static bool is_identity(const double axes[3][3])
{
    for (int k = 0; k < 9; ++k)
        if (fabs(axes[k / 3][k % 3] - (k / 3 == k % 3)) > 1e-12)
            return false;
    return true;
}

static void write_box(HolJson *json, const HolSceneShape *shape)
{
    write_vector(json, "box", shape->edges);
    write_vector(json, "at", shape->points[0]);
    if (is_identity(shape->axes))
        return;
    hol_json_array(json, "axes");
    for (int k = 0; k < 9; ++k) /* row by row of the matrix whose columns are the axes */
        hol_json_number(json, NULL, tidy(shape->axes[k % 3][k / 3]));
    hol_json_end(json);
}

static void write_shape(HolJson *json, const HolSceneShape *shape)
{
    hol_json_object(json, NULL);
    switch (shape->type) {
    case HOL_SHAPE_BAR: write_vectors(json, "bar", shape->points, 2); break;
    case HOL_SHAPE_CYLINDER: write_vectors(json, "cylinder", shape->points, 2); break;
    case HOL_SHAPE_PLATE: write_vectors(json, "plate", shape->points, shape->point_count); break;
    case HOL_SHAPE_BOX: write_box(json, shape); break;
    case HOL_SHAPE_SPHERE:
        hol_json_number(json, "sphere", shape->radius);
        write_vector(json, "at", shape->points[0]);
        break;
    }
    if (shape->radius > 0 && shape->type != HOL_SHAPE_SPHERE)
        hol_json_number(json, "radius", shape->radius);
    hol_json_end(json);
}

/* ---- Parts ---- */

enum { GROUND = -1, UNLISTED = -2 };

/* The number that a body has in the header. */
static int number_of(const Columns *columns, int body)
{
    return body < 0 ? GROUND : columns->listed[body];
}

/* Numbers those that can be drawn; returns how many cannot for lack of columns. */
static int list_bodies(const HolScene *scene, const Columns *columns, int *listed)
{
    int count = 0, missing = 0;
    for (int i = 0; i < scene->body_count; ++i) {
        bool has_place = scene->bodies[i].form != HOL_SCENE_DIRECTION;
        bool has_columns = column_of(columns, scene->bodies[i].name, "x") >= 0;
        listed[i] = has_place && has_columns ? count++ : UNLISTED;
        missing += has_place && !has_columns;
    }
    return missing;
}

static void write_body(HolJson *json, const HolSceneBody *body, const Columns *columns)
{
    static const char *const forms[] = {
        [HOL_SCENE_RIGID] = "rigid", [HOL_SCENE_PARTICLE] = "particle", [HOL_SCENE_DIRECTION] = "direction"};
    hol_json_object(json, NULL);
    hol_json_text(json, "name", body->name);
    hol_json_text(json, "form", forms[body->form]);
    hol_json_whole(json, "column", column_of(columns, body->name, "x"));
    hol_json_whole(json, "node_of", body->node_of);
    hol_json_array(json, "shapes");
    for (int i = 0; i < body->shape_count; ++i)
        write_shape(json, &body->shapes[i]);
    hol_json_end(json);
    write_vectors(json, "marks", body->marks, body->mark_count);
    hol_json_end(json);
}

static void write_beam(HolJson *json, const HolSceneBeam *beam, const Columns *columns)
{
    for (int i = 0; i < beam->node_count; ++i)
        if (number_of(columns, beam->first_node + i) == UNLISTED)
            return;
    hol_json_object(json, NULL);
    hol_json_text(json, "name", beam->name);
    hol_json_whole(json, "order", beam->order);
    hol_json_array(json, "nodes");
    for (int i = 0; i < beam->node_count; ++i)
        hol_json_whole(json, NULL, number_of(columns, beam->first_node + i));
    hol_json_end(json);
    hol_json_array(json, "s");
    for (int i = 0; i < beam->node_count; ++i)
        hol_json_number(json, NULL, beam->s[i]);
    hol_json_end(json);
    if (beam->width > 0) {
        hol_json_number(json, "width", beam->width);
        hol_json_number(json, "height", beam->height);
    }
    hol_json_flag(json, "round", beam->round);
    hol_json_end(json);
}

static void write_place(HolJson *json, const HolScenePlace *place, const Columns *columns)
{
    hol_json_object(json, NULL);
    hol_json_whole(json, "body", number_of(columns, place->body));
    write_vector(json, "at", place->at);
    hol_json_end(json);
}

static void write_joint(HolJson *json, const HolSceneJoint *joint, const HolJointDiagnosis *found,
                        const Columns *columns)
{
    int first = number_of(columns, joint->first), second = number_of(columns, joint->second);
    if (first == UNLISTED || second == UNLISTED)
        return;
    hol_json_object(json, NULL);
    hol_json_text(json, "name", joint->name);
    hol_json_text(json, "kind", joint->kind);
    hol_json_whole(json, "first", first);
    hol_json_whole(json, "second", second);
    write_vector(json, "at", joint->place.at);
    if (joint->place.body != joint->second)
        hol_json_text(json, "in", "first");
    if (joint->has_axis)
        write_vector(json, "axis", joint->axis);
    else
        hol_json_null(json, "axis");
    if (joint->is_rod)
        write_vector(json, "from", joint->from.at); /* of the first body */
    if (joint->radius > 0)
        hol_json_number(json, "radius", joint->radius);
    hol_json_whole(json, "column", column_of(columns, joint->name, "fx"));
    hol_json_array(json, "unique");
    for (int i = 0; i < 6; ++i)
        hol_json_flag(json, NULL, !found || found->unique[i]);
    hol_json_end(json);
    hol_json_end(json);
}

static void write_force(HolJson *json, const HolSceneForce *force, const Columns *columns)
{
    for (int i = 0; i < force->end_count; ++i)
        if (number_of(columns, force->ends[i].body) == UNLISTED)
            return;
    hol_json_object(json, NULL);
    hol_json_text(json, "name", force->name);
    hol_json_text(json, "kind", force->kind);
    hol_json_array(json, "ends");
    for (int i = 0; i < force->end_count; ++i)
        write_place(json, &force->ends[i], columns);
    hol_json_end(json);
    hol_json_end(json);
}

static void write_point(HolJson *json, const char *name, const HolScenePlace *place, const Columns *columns)
{
    if (column_of(columns, name, "x") < 0)
        return;
    hol_json_object(json, NULL);
    hol_json_text(json, "name", name);
    hol_json_whole(json, "column", column_of(columns, name, "x"));
    if (number_of(columns, place->body) != UNLISTED) {
        hol_json_whole(json, "body", number_of(columns, place->body));
        write_vector(json, "at", place->at);
    }
    hol_json_end(json);
}

int cli_scene_members(const HolScene *scene, const HolDiagnosis *diagnosis, const CliNames *names, int first,
                      HolJson *json)
{
    int *listed = calloc((size_t)scene->body_count + 1, sizeof *listed);
    Columns columns = {names, first, listed};
    if (!listed)
        return scene->body_count; /* an empty scene */
    int missing = list_bodies(scene, &columns, listed);
    bool has_found = diagnosis && diagnosis->looked_at_reactions;
    hol_json_flag(json, "planar", scene->planar);
    write_vector(json, "gravity", scene->gravity);
    hol_json_array(json, "bodies");
    for (int i = 0; i < scene->body_count; ++i)
        if (listed[i] != UNLISTED)
            write_body(json, &scene->bodies[i], &columns);
    hol_json_end(json);
    hol_json_array(json, "beams");
    for (int i = 0; i < scene->beam_count; ++i)
        write_beam(json, &scene->beams[i], &columns);
    hol_json_end(json);
    hol_json_object(json, "ground");
    write_vectors(json, "marks", scene->ground_marks, scene->ground_mark_count);
    hol_json_end(json);
    hol_json_array(json, "joints");
    for (int i = 0; i < scene->joint_count; ++i)
        write_joint(json, &scene->joints[i], has_found ? &diagnosis->joints[i] : NULL, &columns);
    hol_json_end(json);
    hol_json_array(json, "points");
    for (int i = 0; i < scene->point_count; ++i)
        write_point(json, scene->points[i], &scene->point_places[i], &columns);
    hol_json_end(json);
    hol_json_array(json, "forces");
    for (int i = 0; i < scene->force_count; ++i)
        write_force(json, &scene->forces[i], &columns);
    hol_json_end(json);
    free(listed);
    return missing;
}
