/* SPDX-License-Identifier: BSD-3-Clause */
/* A particle without mass needs at least one constraint, of a rod or of another joint. */
#include "mechanism/compile/compile.h"

static void mark_both(const int body[2], bool *touched)
{
    touched[body[0]] = true;
    touched[body[1]] = true;
}

static void find_touched(const HolMechanism *m, bool *touched)
{
    for (int i = 0; i < m->coincidence_count; ++i)
        mark_both(m->coincidences[i].body, touched);
    for (int i = 0; i < m->rolling_count; ++i)
        mark_both(m->rollings[i].body, touched);
    for (int i = 0; i < m->speed_count; ++i)
        mark_both(m->speeds[i].body, touched);
    for (int i = 0; i < m->row_count; ++i)
        for (int k = 0; k < m->rows[i].measure_count; ++k)
            mark_both(m->measures[m->rows[i].measure[k]].body, touched);
}

HolStatus hol_compile_massless_particles(HolBuilder *builder)
{
    HolReader *reader = builder->reader;
    const HolMechanism *m = builder->mechanism;
    const HolNode *section = hol_reader_section(reader, "bodies");
    if (!m->has_particles || hol_model_error_count(reader->model) > 0) /* its joint may be what could not be read */
        return HOL_OK;
    bool *touched = hol_arena_alloc(builder->arena, ((size_t)m->body_count + 1) * sizeof *touched);
    if (!touched)
        return HOL_NO_MEMORY;
    find_touched(m, touched);
    const HolNode *node = section->first;
    for (int i = 0; node; ++i, node = node->next) { /* nodes of beams follow them */
        hol_reader_enter(reader, "body", node->key);
        if (m->bodies[i].form == HOL_PARTICLE && !(m->bodies[i].mass > 0) && !touched[i + 1])
            hol_reader_error(reader, node->place,
                             "a particle without mass; give 'mass', or let a rod with mass end in it");
    }
    hol_reader_leave(reader);
    return HOL_OK;
}
