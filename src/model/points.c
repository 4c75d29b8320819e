/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/message.h"
#include "model/reader.h"

/* The coordinates of an entry, which is a list or a map with `at`. */
static bool read_coordinates(HolReader *reader, const HolNode *node, double *x)
{
    if (node->type != HOL_MAP)
        return hol_read_vector(reader, node, "m", x);
    const HolNode *at = hol_node_find(node, "at");
    for (const HolNode *key = node->first; key; key = key->next)
        if (key != at && key != hol_node_find(node, "on"))
            hol_reader_error(reader, key->key_place, "key '%s' is unknown (known are: at, on)", key->key);
    if (!at)
        hol_reader_error(reader, node->place, "'at' is missing (its coordinates)");
    return at && hol_read_vector(reader, at, "m", x);
}

HolStatus hol_reader_points(HolReader *reader)
{
    const HolNode *section = hol_reader_section(reader, "points");
    size_t count = (size_t)(section ? section->count : 0);
    reader->point_at = hol_arena_alloc(reader->arena, count * sizeof *reader->point_at);
    reader->point_is_known = hol_arena_alloc(reader->arena, count);
    if (!reader->point_at || !reader->point_is_known)
        return HOL_NO_MEMORY;
    for (const HolNode *node = section ? section->first : NULL; node; node = node->next) {
        hol_reader_enter(reader, "point", node->key);
        int index = hol_names_add(reader->points, node->key);
        if (index < 0)
            return HOL_NO_MEMORY;
        reader->point_is_known[index] = read_coordinates(reader, node, reader->point_at[index]);
    }
    hol_reader_leave(reader);
    return HOL_OK;
}
