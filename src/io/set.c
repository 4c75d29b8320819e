/* SPDX-License-Identifier: BSD-3-Clause */
/* Setting one value at a path of names, as --set does. On failure nothing is changed. */
#include "base/format.h"
#include "base/message.h"
#include "base/utf8.h"
#include "io/yaml.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Setting {
    HolModel *model;
    HolPlace place; /* "--set PATH", or what else it is called */
    const char *path;
    int count; /* of names */
    const char *names[HOL_YAML_DEEPEST];
    int ends[HOL_YAML_DEEPEST]; /* length of the path up to names[i], for messages */
    HolNode *value;
    bool removes;
} Setting;

static HolStatus split_path(Setting *set)
{
    HolArena *arena = set->model->arena;
    const char *start = set->path;
    for (const char *end = start;; start = end + 1) {
        end = start + strcspn(start, ".");
        if (end == start)
            return hol_error(set->model, set->place, "the path '%s' has an empty part", set->path);
        if (set->count == HOL_YAML_DEEPEST)
            return hol_error(set->model, set->place, "the path has more than %d parts", HOL_YAML_DEEPEST);
        set->names[set->count] = hol_arena_text(arena, start, (size_t)(end - start));
        if (!set->names[set->count])
            return HOL_NO_MEMORY;
        set->ends[set->count++] = (int)(end - set->path);
        if (*end == '\0')
            break;
    }
    if (strcmp(set->names[0], "extends") == 0)
        return hol_error(set->model, set->place, "'extends' cannot be set; it belongs into a file");
    return HOL_OK;
}

/* Walking down */

/* The part of the path before name `depth`, for "%.*s". */
static int end_of_parent(const Setting *set, int depth)
{
    return depth > 0 ? set->ends[depth - 1] : 0;
}

static HolStatus find_entry(const Setting *set, const HolNode *list, int depth, HolNode **entry)
{
    const char *name = set->names[depth];
    if (name[strspn(name, "0123456789")] != '\0')
        return hol_error(set->model, set->place, "'%.*s' is a list; '%s' is not the number of an entry",
                         end_of_parent(set, depth), set->path, name);
    long index = strtol(name, NULL, 10);
    if (index >= list->count)
        return hol_error(set->model, set->place, "'%.*s' has %d entries, counted from 0; there is no entry %s",
                         end_of_parent(set, depth), set->path, list->count, name);
    *entry = list->first;
    while (index-- > 0)
        *entry = (*entry)->next;
    return HOL_OK;
}

/* Method names with options may be written as a plain word, which is then their kind. */
static bool set_is_kind(const Setting *set, int depth)
{
    return depth == 2 && strcmp(set->names[0], "run") == 0 &&
           (strcmp(set->names[1], "formulation") == 0 || strcmp(set->names[1], "integrator") == 0);
}

/* penalty -> {kind: penalty} */
static HolStatus make_map_of_kind(const Setting *set, HolNode *node)
{
    HolArena *arena = set->model->arena;
    HolNode *map = hol_node_create(arena, HOL_MAP, node->place);
    HolNode *kind = hol_node_copy(arena, node);
    if (!map || !kind)
        return HOL_NO_MEMORY;
    kind->key = "kind";
    kind->key_place = node->place;
    if (!hol_node_append(arena, map, kind))
        return HOL_NO_MEMORY;
    hol_node_replace(node, map);
    return HOL_OK;
}

/* The child named names[depth] of a node, NULL if it is not there. A null may become a map. */
static HolStatus find_child(const Setting *set, HolNode *node, int depth, HolNode **child)
{
    *child = NULL;
    if (node->type == HOL_LIST)
        return find_entry(set, node, depth, child);
    if (node->type == HOL_MAP) {
        *child = hol_node_find(node, set->names[depth]);
        return HOL_OK;
    }
    if (set_is_kind(set, depth) && strcmp(set->names[depth], "kind") == 0 && !set->removes)
        *child = node; /* the word itself */
    if (hol_node_is_null(node) || set_is_kind(set, depth))
        return HOL_OK;
    return hol_error(set->model, set->place, "'%.*s' is a value, not a map", end_of_parent(set, depth), set->path);
}

/* Follows the path as far as it exists: *node is then what names[*depth - 1] leads to, *parent what it is in. */
static HolStatus walk(const Setting *set, HolNode **parent, HolNode **node, int *depth)
{
    *parent = NULL;
    *node = set->model->root;
    for (*depth = 0; *depth < set->count; ++*depth) {
        HolNode *child;
        HOL_TRY(find_child(set, *node, *depth, &child));
        if (!child)
            break;
        *parent = *node;
        *node = child;
    }
    return HOL_OK;
}

/* Building up */

static HolStatus ensure_map(const Setting *set, HolNode *node)
{
    if (node->type == HOL_MAP)
        return HOL_OK;
    if (!hol_node_is_null(node))
        return make_map_of_kind(set, node);
    HolNode *map = hol_node_create(set->model->arena, HOL_MAP, set->place);
    if (map)
        hol_node_replace(node, map);
    return map ? HOL_OK : HOL_NO_MEMORY;
}

/* Puts the value under names[depth] of a node, inside of new maps for the names that follow. */
static HolStatus put_below(const Setting *set, HolNode *node, int depth)
{
    HOL_TRY(ensure_map(set, node));
    for (; depth < set->count; ++depth) {
        bool is_last = depth == set->count - 1;
        HolNode *child = is_last ? set->value : hol_node_create(set->model->arena, HOL_MAP, set->place);
        if (!child)
            return HOL_NO_MEMORY;
        child->key = set->names[depth];
        child->key_place = set->place;
        if (!hol_node_append(set->model->arena, node, child))
            return HOL_NO_MEMORY;
        node = child;
    }
    return HOL_OK;
}

/* Values are set in parts that are there; a whole part may be new. */
static bool misses_part(const Setting *set, const HolNode *section, int depth)
{
    static const char *const sections[] = {"bodies", "beams", "joints", "forces", "drivers", "points", "tables"};
    for (size_t i = 0; i < sizeof sections / sizeof *sections; ++i)
        if (strcmp(set->names[0], sections[i]) == 0)
            return depth == 1 && set->count > 2 && section->type == HOL_MAP;
    return false;
}

static HolStatus report_missing_part(const Setting *set, const HolNode *section)
{
    const char *near = hol_node_nearest(set->model->arena, section, set->names[1]);
    if (near)
        return hol_error(set->model, set->place, "there is no '%s' in '%s' (did you mean '%s'?)", set->names[1],
                         set->names[0], near);
    return hol_error(set->model, set->place, "there is no '%s' in '%s'; set all of it at once", set->names[1],
                     set->names[0]);
}

/* Nothing depends on a parameter or input that the file does not have, unless something else that is set does. */
static void warn_of_new_name(const Setting *set, const HolNode *section, int depth)
{
    bool is_name = strcmp(set->names[0], "parameters") == 0 || strcmp(set->names[0], "inputs") == 0;
    if (!is_name || depth != 1 || section->type != HOL_MAP || section->place.line == 0)
        return;
    const char *near = hol_node_nearest(set->model->arena, section, set->names[1]);
    if (near)
        hol_warning(set->model, set->place, "'%s' of the model has no '%s'; it was added (did you mean '%s'?)",
                    set->names[0], set->names[1], near);
    else
        hol_warning(set->model, set->place, "'%s' of the model has no '%s'; it was added", set->names[0],
                    set->names[1]);
}

static HolStatus set_apply(const Setting *set)
{
    HolNode *parent, *node;
    int depth;
    HOL_TRY(walk(set, &parent, &node, &depth));
    bool is_there = depth == set->count;
    if (set->removes && !is_there)
        hol_warning(set->model, set->place, "there is nothing to remove");
    else if (set->removes)
        hol_node_remove(parent, node);
    else if (is_there)
        hol_node_replace(node, set->value);
    else if (misses_part(set, node, depth))
        return report_missing_part(set, node);
    else {
        warn_of_new_name(set, node, depth);
        return put_below(set, node, depth);
    }
    return HOL_OK;
}

/* file: the name of the change in messages */
static HolStatus set_text(HolModel *model, const char *file, const char *path, const char *text)
{
    if (!file)
        return HOL_NO_MEMORY;
    hol_model_forget(model);
    Setting set = {.model = model, .place = {file, 0, 0}, .path = path};
    if (!hol_is_utf8(path))
        return hol_error(model, set.place, "the path is not UTF-8 text; convert it from its encoding");
    HOL_TRY(split_path(&set));
    HolYamlText yaml = {file, text, strlen(text), true};
    HOL_TRY(hol_yaml_parse(model, &yaml, &set.value));
    set.removes = hol_node_is_null(set.value);
    return set_apply(&set);
}

HolStatus hol_model_set_as(HolModel *model, const char *origin, const char *path, const char *text)
{
    HOL_TRY(HOL_CHECK_FOR_MODEL(model, origin));
    HOL_TRY(HOL_CHECK_FOR_MODEL(model, path));
    HOL_TRY(HOL_CHECK_FOR_MODEL(model, text));
    return set_text(model, hol_arena_text(model->arena, origin, strlen(origin)), path, text);
}

static const char *name_place(HolModel *model, const char *path)
{
    size_t size = sizeof "--set " + strlen(path);
    char *file = hol_arena_small(model->arena, size);
    if (file)
        hol_format(file, size, "--set %s", path);
    return file;
}

HolStatus hol_model_set(HolModel *model, const char *path, const char *format, ...)
{
    va_list arguments;
    HOL_TRY(HOL_CHECK_FOR_MODEL(model, path));
    HOL_TRY(HOL_CHECK_FOR_MODEL(model, format));
    va_start(arguments, format);
    int length = hol_vformat(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (!text)
        return HOL_NO_MEMORY;
    va_start(arguments, format);
    hol_vformat(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    HolStatus status = set_text(model, name_place(model, path), path, text);
    free(text);
    return status;
}
