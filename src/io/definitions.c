/* SPDX-License-Identifier: BSD-3-Clause */
/* Typed definitions become the same tree that a model file becomes, so that there is one reader and one set of
 * mistakes. A part is complete before it is put into the model. */
#include <holon/definitions.h>
#include <holon/number.h>

#include "base/format.h"
#include "base/message.h"
#include "base/utf8.h"
#include "io/yaml.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A part under construction: a map that belongs to `name` in `section`, or is the section itself. */
typedef struct Part {
    HolModel *model;
    const char *section, *name;
    HolPlace place;
    HolNode *map;
    int dimension;   /* components of a position: 2 or 3 */
    bool has_failed; /* out of memory */
    bool is_broken;  /* a text is not UTF-8 */
} Part;

HolWorldDef hol_world_def(void)
{
    return (HolWorldDef){.title = NULL};
}

HolBodyDef hol_body_def(void)
{
    return (HolBodyDef){.kind = "rigid",
                        .size = {NAN, NAN, NAN},
                        .mass = NAN,
                        .density = NAN,
                        .inertia = {NAN, NAN, NAN, NAN, NAN, NAN},
                        .orientation = {NAN, NAN, NAN, NAN},
                        .velocity = {NAN, NAN, NAN},
                        .angular_velocity = {NAN, NAN, NAN}};
}

HolJointDef hol_joint_def(void)
{
    return (HolJointDef){.kind = "revolute", .first = "ground", .at = {NAN, NAN, NAN}, .axis = {NAN, NAN, NAN}};
}

HolDriverDef hol_driver_def(void)
{
    return (HolDriverDef){.kind = "angle"};
}

HolForceDef hol_force_def(void)
{
    return (HolForceDef){.kind = "force",
                         .at = {NAN, NAN, NAN},
                         .vector = {NAN, NAN, NAN},
                         .from = {NAN, NAN, NAN},
                         .to = {NAN, NAN, NAN},
                         .stiffness = NAN,
                         .damping = NAN};
}

HolRunDef hol_run_def(void)
{
    return (HolRunDef){.step = NAN, .until = NAN, .every = NAN};
}

static HolNode *part_node(Part *part, HolNodeType type, const char *text)
{
    HolNode *node = part->has_failed ? NULL : hol_node_create(part->model->arena, type, part->place);
    part->is_broken = part->is_broken || (text && !hol_is_utf8(text));
    if (node && text) {
        node->is_quoted = true; /* a name is never taken for a number or a null */
        node->text = hol_arena_text(part->model->arena, text, strlen(text));
    }
    part->has_failed = !node || (text && !node->text);
    return part->has_failed ? NULL : node;
}

static HolNode *part_number(Part *part, double x)
{
    char text[HOL_NUMBER_SIZE];
    hol_number_text(x, text);
    HolNode *node = part_node(part, HOL_SCALAR, text);
    if (node)
        node->is_quoted = false;
    return node;
}

static void part_append(Part *part, HolNode *parent, const char *key, HolNode *child)
{
    if (part->has_failed || !child)
        return;
    child->key = key ? hol_arena_text(part->model->arena, key, strlen(key)) : NULL;
    child->key_place = part->place;
    part->is_broken = part->is_broken || (key && !hol_is_utf8(key));
    part->has_failed = (key && !child->key) || !hol_node_append(part->model->arena, parent, child);
}

static HolNode *part_numbers(Part *part, int count, const double *x)
{
    HolNode *list = part_node(part, HOL_LIST, NULL);
    for (int i = 0; i < count; ++i)
        part_append(part, list, NULL, part_number(part, isnan(x[i]) ? 0 : x[i]));
    return list;
}

static void part_put_text(Part *part, const char *key, const char *text)
{
    if (text)
        part_append(part, part->map, key, part_node(part, HOL_SCALAR, text));
}

static void part_put_number(Part *part, const char *key, double x)
{
    if (!isnan(x))
        part_append(part, part->map, key, part_number(part, x));
}

static bool is_given(int count, const double *x)
{
    for (int i = 0; i < count; ++i)
        if (!isnan(x[i]))
            return true;
    return false;
}

static void part_put_numbers(Part *part, const char *key, int count, const double *x)
{
    if (is_given(count, x))
        part_append(part, part->map, key, part_numbers(part, count, x));
}

static void part_put_position(Part *part, const char *key, const double x[3])
{
    part_put_numbers(part, key, part->dimension, x);
}

/* About z in the plane, a vector in space. */
static void part_put_rotation(Part *part, const char *key, const double x[3])
{
    if (part->dimension == 2)
        part_put_number(part, key, x[2]);
    else
        part_put_numbers(part, key, 3, x);
}

static HolStatus part_check_rotation(const Part *part, const char *key, const double x[3])
{
    for (int i = 0; i < 2 && part->dimension == 2; ++i)
        if (!isnan(x[i]) && x[i] != 0)
            return hol_error(part->model, part->place,
                             "%s[%d] is %g, but in the plane only %s[2], about z, has a meaning", key, i, x[i], key);
    return HOL_OK;
}

/* The names that the part connects, under the key of its kind; nothing without the first. */
static void part_put_names(Part *part, const char *kind, const char *first, const char *second)
{
    if (!kind || !first)
        return;
    if (!second) {
        part_put_text(part, kind, first);
        return;
    }
    HolNode *list = part_node(part, HOL_LIST, NULL);
    part_append(part, list, NULL, part_node(part, HOL_SCALAR, first));
    part_append(part, list, NULL, part_node(part, HOL_SCALAR, second));
    part_append(part, part->map, kind, list);
}

static HolStatus part_begin(HolModel *model, const char *section, const char *name, Part *part)
{
    char place[200];
    hol_model_forget(model);
    bool is_readable = !name || hol_is_utf8(name);
    const char *shown = name && is_readable ? name : "";
    hol_format(place, sizeof place, "%s%s%s", section, *shown ? "." : "", shown);
    const char *file = hol_arena_text(model->arena, place, strlen(place));
    if (!file)
        return HOL_NO_MEMORY;
    *part = (Part){.model = model, .section = section, .name = name, .place = {file, 0, 0}};
    if (!is_readable)
        return hol_error(model, part->place, "the name of a part is not UTF-8 text; convert it from its encoding");
    part->dimension = hol_node_find(model->root, "plane") ? 2 : 3;
    part->map = part_node(part, HOL_MAP, NULL);
    return part->map ? HOL_OK : HOL_NO_MEMORY;
}

/* A key alone would remove what a member gives. */
static HolStatus part_check_values(const Part *part, const HolNode *keys)
{
    for (const HolNode *child = keys->first; child; child = child->next)
        if (child->type == HOL_SCALAR && !child->is_quoted && !child->text[0])
            return hol_error(part->model, part->place, "'%s' has no value in 'more'; write '%s: VALUE'", child->key,
                             child->key);
    return HOL_OK;
}

/* The keys of `more`, which replace those of members; without a kind the key of the kind is among them. */
static HolStatus part_add_more(Part *part, const char *kind, const char *more)
{
    HolNode *keys;
    if (!kind && !more)
        return hol_error(part->model, part->place, "the member 'kind' is NULL; see 'holon list %s' for the kinds",
                         part->section);
    if (!more)
        return HOL_OK;
    size_t size = strlen(more) + sizeof "{}";
    char *text = hol_arena_small(part->model->arena, size);
    if (!text)
        return HOL_NO_MEMORY;
    hol_format(text, size, "{%s}", more);
    HolYamlText yaml = {part->place.file, text, size - 1, true};
    HOL_TRY(hol_yaml_parse(part->model, &yaml, &keys));
    if (keys->type != HOL_MAP)
        return hol_error(part->model, part->place, "'%s' is no list of keys with values, as in 'outline: [A, B, C]'",
                         more);
    HOL_TRY(part_check_values(part, keys));
    HolNode *map = hol_node_merge(part->model->arena, part->map, keys);
    part->has_failed = part->has_failed || !map;
    part->map = map;
    return HOL_OK;
}

/* Puts a child under a key of a map, in the place of the one that is there. */
static void part_replace(Part *part, HolNode *map, const char *key, HolNode *child)
{
    HolNode *old = part->has_failed ? NULL : hol_node_find(map, key);
    if (old)
        hol_node_replace(old, child);
    else
        part_append(part, map, key, child);
}

static HolStatus part_check_texts(const Part *part)
{
    if (part->is_broken)
        return hol_error(part->model, part->place, "a name or text is not UTF-8; convert it from its encoding");
    return HOL_OK;
}

/* The section may be missing or empty. */
static HolStatus part_check_section(const Part *part, const char *section)
{
    HOL_TRY(part_check_texts(part));
    const HolNode *map = hol_node_find(part->model->root, section);
    if (!map || map->type == HOL_MAP || hol_node_is_null(map))
        return HOL_OK;
    return hol_error(part->model, part->place, "the section '%s' must be a map of names, not %s; no part can be added",
                     section, hol_node_type_name(map));
}

/* The map of the section in the model; it is created where the section is missing or empty. */
static HolNode *part_section(Part *part, const char *section)
{
    HolNode *root = part->model->root, *map = hol_node_find(root, section);
    if (map && map->type == HOL_MAP)
        return map;
    part_replace(part, root, section, part_node(part, HOL_MAP, NULL));
    return part->has_failed ? NULL : hol_node_find(root, section);
}

/* Puts the node under the part's name into the section. */
static HolStatus part_end(Part *part, const char *section, HolNode *node)
{
    HOL_TRY(part_check_section(part, section));
    HolNode *map = part->has_failed ? NULL : part_section(part, section);
    if (map)
        part_replace(part, map, part->name, node);
    return part->has_failed ? HOL_NO_MEMORY : HOL_OK;
}

static HolStatus part_begin_named(HolModel *model, const char *section, const char *name, Part *part)
{
    HOL_TRY(part_begin(model, section, name, part));
    return !name[0] ? hol_error(model, part->place, "a part needs a name") : HOL_OK;
}

/* Ends a part that connects others; `missing` is the member without their name, NULL if they are given. */
static HolStatus part_finish_connection(Part *part, const char *kind, const char *missing, const char *more)
{
    HOL_TRY(part_add_more(part, kind, more));
    if (kind && missing && !part->has_failed && !hol_node_find(part->map, kind))
        return hol_error(part->model, part->place,
                         "the member '%s' is NULL; set it to the name of what the '%s' connects, such as \"ground\"",
                         missing, kind);
    return part_end(part, part->section, part->map);
}

HolStatus hol_model_set_world(HolModel *model, const HolWorldDef *def)
{
    Part part;
    HOL_TRY(HOL_CHECK_FOR_MODEL(model, def));
    HOL_TRY(part_begin(model, "model", NULL, &part));
    HolNode *title = def->title ? part_node(&part, HOL_SCALAR, def->title) : NULL;
    HolNode *plane = def->is_planar ? part_node(&part, HOL_SCALAR, "xy") : NULL;
    HolNode *gravity = part_numbers(&part, def->is_planar ? 2 : 3, def->gravity);
    HOL_TRY(part_check_texts(&part));
    if (title)
        part_replace(&part, model->root, "title", title);
    if (plane)
        part_replace(&part, model->root, "plane", plane);
    else if (!part.has_failed && hol_node_find(model->root, "plane"))
        hol_node_remove(model->root, hol_node_find(model->root, "plane"));
    part_replace(&part, model->root, "gravity", gravity);
    return part.has_failed ? HOL_NO_MEMORY : HOL_OK;
}

HolStatus hol_model_add_point(HolModel *model, const char *name, const double at[3])
{
    Part part;
    HOL_TRY(HOL_CHECK_FOR_MODEL(model, name));
    HOL_TRY(HOL_CHECK_FOR_MODEL(model, at));
    HOL_TRY(part_begin_named(model, "points", name, &part));
    return part_end(&part, "points", part_numbers(&part, part.dimension, at));
}

/* The key of the kind with the members that give its geometry. */
static void body_put_geometry(Part *part, const HolBodyDef *def)
{
    const char *kind = def->kind;
    bool is_box = strcmp(kind, "box") == 0, is_cylinder = strcmp(kind, "cylinder") == 0;
    bool is_sphere = strcmp(kind, "sphere") == 0;
    if (strcmp(kind, "rigid") == 0 || strcmp(kind, "particle") == 0)
        part_put_position(part, kind, def->at);
    if (strcmp(kind, "bar") == 0) {
        HolNode *ends = part_node(part, HOL_LIST, NULL);
        part_append(part, ends, NULL, part_numbers(part, part->dimension, def->ends[0]));
        part_append(part, ends, NULL, part_numbers(part, part->dimension, def->ends[1]));
        part_append(part, part->map, kind, ends);
    }
    if (is_box)
        part_put_numbers(part, kind, part->dimension, def->size);
    if (is_cylinder)
        part_put_numbers(part, kind, isnan(def->size[1]) ? 1 : 2, def->size);
    if (is_sphere)
        part_put_number(part, kind, def->size[0]);
    if (is_box || is_cylinder || is_sphere)
        part_put_position(part, "at", def->at);
}

/* A body of an unknown kind, or without the geometry of its kind, is reported when the model is compiled. */
static HolStatus body_finish_keys(Part *part, const HolBodyDef *def)
{
    HOL_TRY(part_add_more(part, def->kind, def->more));
    bool is_missing = def->kind && !part->has_failed && !hol_node_find(part->map, def->kind);
    HolNode *nothing = is_missing ? part_node(part, HOL_SCALAR, "") : NULL;
    if (nothing)
        nothing->is_quoted = false;
    part_append(part, part->map, def->kind, nothing);
    return HOL_OK;
}

/* Rotations about x and y, and Euler parameters, have no meaning in the plane. */
static HolStatus body_check_rotation(const Part *part, const HolBodyDef *def)
{
    if (part->dimension == 2 && is_given(3, def->orientation + 1))
        return hol_error(part->model, part->place,
                         "the orientation in the plane is the angle in orientation[0], rad; the other components must "
                         "stay NAN");
    return part_check_rotation(part, "angular_velocity", def->angular_velocity);
}

static void body_put_inertia(Part *part, const double inertia[6])
{
    bool is_full = is_given(3, inertia + 3);
    if (part->dimension == 2)
        part_put_number(part, "inertia", inertia[2]);
    else
        part_put_numbers(part, "inertia", is_full ? 6 : 3, inertia);
}

/* Velocities belong to the section `start`; those of a body that is replaced are removed. */
static HolStatus body_put_velocities(Part *part, const HolBodyDef *def)
{
    if (!is_given(part->dimension, def->velocity) && !is_given(3, def->angular_velocity)) {
        HolNode *start = hol_node_find(part->model->root, "start"), *old = hol_node_find(start, part->name);
        if (old)
            hol_node_remove(start, old);
        return HOL_OK;
    }
    part->map = part_node(part, HOL_MAP, NULL);
    part_put_position(part, "velocity", def->velocity);
    part_put_rotation(part, "angular_velocity", def->angular_velocity);
    return part_end(part, "start", part->map);
}

HolStatus hol_model_add_body(HolModel *model, const char *name, const HolBodyDef *def)
{
    Part part;
    HOL_TRY(HOL_CHECK_FOR_MODEL(model, name));
    HOL_TRY(HOL_CHECK_FOR_MODEL(model, def));
    HOL_TRY(part_begin_named(model, "bodies", name, &part));
    HOL_TRY(body_check_rotation(&part, def));
    HOL_TRY(part_check_section(&part, "start")); /* before anything of the body is in the model */
    if (def->kind)
        body_put_geometry(&part, def);
    part_put_number(&part, "mass", def->mass);
    part_put_number(&part, "density", def->density);
    body_put_inertia(&part, def->inertia);
    if (part.dimension == 2)
        part_put_number(&part, "orientation", def->orientation[0]);
    else
        part_put_numbers(&part, "orientation", 4, def->orientation);
    HOL_TRY(body_finish_keys(&part, def));
    HOL_TRY(part_end(&part, part.section, part.map));
    return body_put_velocities(&part, def);
}

HolStatus hol_model_add_joint(HolModel *model, const char *name, const HolJointDef *def)
{
    Part part;
    HOL_TRY(HOL_CHECK_FOR_MODEL(model, name));
    HOL_TRY(HOL_CHECK_FOR_MODEL(model, def));
    HOL_TRY(part_begin_named(model, "joints", name, &part));
    const char *missing = !def->first ? "first" : !def->second ? "second" : NULL;
    part_put_names(&part, missing ? NULL : def->kind, def->first, def->second);
    part_put_position(&part, "at", def->at);
    part_put_position(&part, "axis", def->axis);
    return part_finish_connection(&part, def->kind, missing, def->more);
}

HolStatus hol_model_add_driver(HolModel *model, const char *name, const HolDriverDef *def)
{
    Part part;
    HOL_TRY(HOL_CHECK_FOR_MODEL(model, name));
    HOL_TRY(HOL_CHECK_FOR_MODEL(model, def));
    HOL_TRY(part_begin_named(model, "drivers", name, &part));
    part_put_names(&part, def->kind, def->first, def->second);
    part_put_text(&part, "value", def->value);
    return part_finish_connection(&part, def->kind, def->first ? NULL : "first", def->more);
}

HolStatus hol_model_add_force(HolModel *model, const char *name, const HolForceDef *def)
{
    Part part;
    HOL_TRY(HOL_CHECK_FOR_MODEL(model, name));
    HOL_TRY(HOL_CHECK_FOR_MODEL(model, def));
    HOL_TRY(part_begin_named(model, "forces", name, &part));
    part_put_names(&part, def->kind, def->first, def->second);
    part_put_position(&part, "at", def->at);
    bool is_torque = def->kind && strcmp(def->kind, "torque") == 0;
    HOL_TRY(is_torque ? part_check_rotation(&part, "vector", def->vector) : HOL_OK);
    (is_torque ? part_put_rotation : part_put_position)(&part, "vector", def->vector);
    part_put_position(&part, "from", def->from);
    part_put_position(&part, "to", def->to);
    part_put_number(&part, "stiffness", def->stiffness);
    part_put_number(&part, "damping", def->damping);
    return part_finish_connection(&part, def->kind, def->first ? NULL : "first", def->more);
}

HolStatus hol_model_set_run(HolModel *model, const HolRunDef *def)
{
    Part part;
    HOL_TRY(HOL_CHECK_FOR_MODEL(model, def));
    HOL_TRY(part_begin(model, "model", NULL, &part));
    part_put_text(&part, "formulation", def->formulation);
    part_put_text(&part, "integrator", def->integrator);
    part_put_number(&part, "step", def->step);
    part_put_number(&part, "until", def->until);
    part_put_number(&part, "every", def->every);
    HOL_TRY(part_add_more(&part, "run", def->more));
    HOL_TRY(part_check_texts(&part));
    part_replace(&part, model->root, "run", part.map);
    return part.has_failed ? HOL_NO_MEMORY : HOL_OK;
}
