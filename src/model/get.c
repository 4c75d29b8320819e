/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/model.h"

#include <string.h>

/* The child whose key is the first `length` bytes of name. */
static const HolNode *find_part(const HolNode *map, const char *name, size_t length)
{
    if (!map || map->type != HOL_MAP)
        return NULL;
    for (const HolNode *child = map->first; child; child = child->next)
        if (strlen(child->key) == length && strncmp(child->key, name, length) == 0)
            return child;
    return NULL;
}

static bool get_is_kind(const char *path)
{
    return strcmp(path, "run.formulation.kind") == 0 || strcmp(path, "run.integrator.kind") == 0;
}

const char *hol_model_get(const HolModel *model, const char *path)
{
    const HolNode *node = model && path ? model->root : NULL;
    for (const char *part = path; node; part += strcspn(part, ".") + 1) {
        size_t length = strcspn(part, ".");
        bool is_last = part[length] == '\0';
        if (!(is_last && node->type == HOL_SCALAR && get_is_kind(path)))
            node = find_part(node, part, length);
        if (is_last)
            break;
    }
    return node && node->type == HOL_SCALAR && !hol_node_is_null(node) ? node->text : NULL;
}
