/* SPDX-License-Identifier: BSD-3-Clause */
/* YAML text -> tree of nodes. What a model has no use for (anchors, tags, several documents) is refused. */
#ifndef HOLON_IO_YAML_H
#define HOLON_IO_YAML_H

#include "model/model.h"

enum { HOL_YAML_DEEPEST = 32 }; /* levels of nesting; what walks a tree may recurse */

typedef struct HolYamlText {
    const char *file; /* stands in the places of the nodes, so it must live as long as the model */
    const char *text;
    size_t length;
    bool is_value; /* any value rather than a map, without places inside: of --set */
} HolYamlText;

/* Mistakes go to the model. HOL_BAD_INPUT with *root NULL where the text is no YAML; with a tree where a map had a key
 * twice or something was left out, so that the reader can go on to find more mistakes. */
HolStatus hol_yaml_parse(HolModel *model, const HolYamlText *text, HolNode **root);

#endif
