/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the body that a named point is fixed to. */
#include "mechanism/compile/compile.h"

/* Fixes the points that a value names to a body, unless they have one. */
static void claim(HolBuilder *builder, const HolNode *value, int body)
{
    const HolReader *reader = builder->reader;
    HolMechanism *m = builder->mechanism;
    for (const HolNode *entry = value && value->type == HOL_LIST ? value->first : value; entry; entry = entry->next) {
        int index = entry->type == HOL_SCALAR ? hol_names_find(reader->points, entry->text) : -1;
        if (index >= 0 && m->points[index].mark.body < 0)
            m->points[index].mark.body = body;
        if (value->type != HOL_LIST)
            return;
    }
}

/* Points that define the shape of a body are fixed to it. */
static void claim_by_bodies(HolBuilder *builder)
{
    static const char *const keys[] = {"bar", "rigid", "particle", "at", "centre"};
    const HolNode *section = hol_reader_section(builder->reader, "bodies");
    int body = 1;
    for (const HolNode *node = section ? section->first : NULL; node; node = node->next, ++body)
        for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i)
            claim(builder, hol_node_find(node, keys[i]), body);
}

/* Points at the ends of beams are fixed to their nodes. */
static void claim_by_beams(HolBuilder *builder)
{
    const HolMechanism *m = builder->mechanism;
    const HolNode *section = hol_reader_section(builder->reader, "beams");
    const HolNode *node = section ? section->first : NULL;
    for (int i = 0; i < m->beam_count; ++i, node = node->next) {
        claim(builder, hol_node_find(node, "from"), m->beams[i].first_node);
        claim(builder, hol_node_find(node, "to"), m->beams[i].first_node + m->beams[i].node_count - 1);
    }
}

static void claim_by_joints(HolBuilder *builder)
{
    const HolNode *section = hol_reader_section(builder->reader, "joints");
    const HolJoint *joint = builder->mechanism->joints;
    for (const HolNode *node = section ? section->first : NULL; node; node = node->next, ++joint) {
        bool is_second = joint->velocity_row_count > 0 && joint->body[1] > 0; /* the velocity is that of the second */
        int body = joint->body[0] && !is_second ? joint->body[0] : joint->body[1];
        if (body > 0)
            claim(builder, hol_node_find(node, "at"), body);
    }
}

/* The key `on` of a point names its body. */
static void claim_by_words(HolBuilder *builder)
{
    const HolNode *section = hol_reader_section(builder->reader, "points");
    HolNamedPoint *point = builder->mechanism->points;
    for (const HolNode *node = section ? section->first : NULL; node; node = node->next, ++point) {
        const HolNode *on = hol_node_find(node, "on");
        hol_reader_enter(builder->reader, "point", node->key);
        hol_builder_check_name(builder, node);
        if (on)
            hol_read_body(builder->reader, on, &point->mark.body);
    }
    hol_reader_leave(builder->reader);
}

HolStatus hol_compile_points(HolBuilder *builder)
{
    HolMechanism *m = builder->mechanism;
    const HolReader *reader = builder->reader;
    int count = hol_names_count(reader->points);
    m->points = hol_arena_alloc(builder->arena, (size_t)count * sizeof *m->points);
    if (!m->points)
        return HOL_NO_MEMORY;
    m->point_count = count;
    for (int i = 0; i < count; ++i)
        m->points[i] = (HolNamedPoint){.name = hol_names_get(reader->points, i), .mark = {.body = -1}};
    claim_by_words(builder);
    claim_by_bodies(builder);
    claim_by_beams(builder);
    claim_by_joints(builder);
    for (int i = 0; i < count; ++i) {
        int body = m->points[i].mark.body;
        m->points[i].mark = hol_mark_point(builder, body > 0 ? body : 0, reader->point_at[i]);
    }
    return HOL_OK;
}
