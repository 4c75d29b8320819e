/* SPDX-License-Identifier: BSD-3-Clause */
/* YAML text -> tree of nodes. What a model has no use for (anchors, tags, several documents) is refused. */
#ifndef HOLON_IO_YAML_H
#define HOLON_IO_YAML_H

#include "model/model.h"

enum { HOL_YAML_DEEPEST = 32 }; /* levels of nesting; what walks a tree may recurse */

typedef struct HolYamlText {
    const char *file; /* the places of the nodes refer to it, so it must live as long as the model */
    const char *text;
    size_t length;
    bool is_value; /* any value rather than a map, without places inside: of --set */
} HolYamlText;

/* Adds errors to the model. HOL_BAD_INPUT with *root NULL if the text is not YAML; with a tree if a map has a key twice
 * or an entry was skipped, so that the reader can find further errors. */
HolStatus hol_yaml_parse(HolModel *model, const HolYamlText *text, HolNode **root);

#endif
