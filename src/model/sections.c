/* SPDX-License-Identifier: BSD-3-Clause */
/* The top-level keys of a model. */
#include "model/reader.h"

#include <string.h>

static const char *const known[] = {"title",  "extends", "plane", "gravity",  "parameters", "tables",
                                    "points", "bodies",  "beams", "joints",   "forces",     "drivers",
                                    "repeat", "start",   "run",   "variants", "inputs",     NULL};

static bool sections_is_known(const char *key)
{
    for (int i = 0; known[i]; ++i)
        if (strcmp(known[i], key) == 0)
            return true;
    return false;
}

static void check_map(HolModel *model, const HolNode *map)
{
    for (const HolNode *node = map->first; node; node = node->next) {
        const char *near = sections_is_known(node->key) ? NULL : hol_nearest_name(node->key, known);
        if (near)
            hol_error(model, node->key_place, "key '%s' is unknown (did you mean '%s'?)", node->key, near);
        else if (!sections_is_known(node->key))
            hol_error(model, node->key_place, "key '%s' is unknown at the top of a model; see docs/guide/model-file.md",
                      node->key);
    }
}

void hol_check_keys(HolModel *model)
{
    const HolNode *variants = hol_node_find(model->root, "variants");
    check_map(model, model->root);
    if (!variants || hol_node_is_null(variants))
        return;
    if (variants->type != HOL_MAP)
        hol_error(model, variants->place, "'variants' must be a map of names, not %s", hol_node_type_name(variants));
    for (const HolNode *node = variants->type == HOL_MAP ? variants->first : NULL; node; node = node->next)
        if (hol_check_variant(model, node) == HOL_OK)
            check_map(model, node);
}

const HolNode *hol_reader_section(HolReader *reader, const char *name)
{
    const HolNode *section = hol_node_find(reader->model->root, name);
    if (!section || hol_node_is_null(section))
        return NULL;
    if (section->type != HOL_MAP) {
        hol_error(reader->model, section->place, "'%s' must be a map%s, not %s", name,
                  strcmp(name, "run") == 0 ? "" : " of names", hol_node_type_name(section));
        return NULL;
    }
    return section;
}

bool hol_reader_has_lost(const HolReader *reader, const char *section)
{
    const HolNode *root = reader->model->root, *node = hol_node_find(root, section);
    if (node)
        return node->type != HOL_MAP && !hol_node_is_null(node);
    for (node = root->first; node; node = node->next) {
        const char *near = sections_is_known(node->key) ? NULL : hol_nearest_name(node->key, known);
        if (near && strcmp(near, section) == 0)
            return true;
    }
    return false;
}
