/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanism/forces/endpoints.h"

bool hol_part_has_any(const HolPart *part, const char *const *keys)
{
    for (int i = 0; keys[i]; ++i)
        if (hol_part_is_named(part, keys[i]))
            return true;
    return false;
}

void hol_warn_negative(const HolBuilder *builder, const HolPart *part, const char *key, double value)
{
    if (value < 0)
        hol_warning(builder->reader->model, hol_part_place(part, key), "%s '%s': '%s' is negative (%g)", part->what,
                    part->name, key, value);
}

void hol_warn_half_turn(const HolBuilder *builder, const HolPart *part, const char *key)
{
    const HolMechanism *m = builder->mechanism;
    if (m->planar && m->natural)
        hol_warning(builder->reader->model, hol_part_place(part, key),
                    "%s '%s': '%s': in natural coordinates its angle is known within half a turn", part->what,
                    part->name, key);
}

void *hol_force_memory(HolBuilder *builder, size_t size)
{
    void *memory = hol_arena_alloc(builder->arena, size);
    builder->failed = builder->failed || !memory;
    return memory;
}

int hol_endpoints_measure(HolBuilder *builder, const HolPart *part, const HolEndpoints *ends)
{
    bool has_direction = hol_part_was_given(part, "along");
    const int *body = ends->body;
    if (!has_direction && hol_is_same_place(builder->reader, ends->from, ends->to)) {
        hol_reader_error(builder->reader, hol_part_place(part, "to"),
                         "'from' and 'to' are at the same place, so that it has no direction; give it one by 'along'");
        return -1;
    }
    int measure = has_direction ? hol_measure_add_offset(builder, body[0], body[1], ends->along, ends->from, ends->to)
                                : hol_measure_add_length(builder, body[0], body[1], ends->from, ends->to);
    return builder->failed ? -1 : measure;
}
