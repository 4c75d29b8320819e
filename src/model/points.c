/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/message.h"
#include "base/tolerances.h"
#include "model/reader.h"

#include <math.h>

bool hol_is_same_place(const HolReader *reader, const double *a, const double *b)
{
    double largest = reader->largest, square = 0;
    for (int i = 0; i < 3; ++i) {
        largest = fmax(largest, fmax(fabs(a[i]), fabs(b[i])));
        square += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return !(sqrt(square) > HOL_TOL_LENGTH * largest);
}

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
        double *x = reader->point_at[index];
        reader->point_is_known[index] = read_coordinates(reader, node, x);
        for (int i = 0; i < 3 && reader->point_is_known[index]; ++i)
            reader->largest = fmax(reader->largest, fabs(x[i]));
    }
    hol_reader_leave(reader);
    return HOL_OK;
}
