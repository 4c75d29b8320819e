/* SPDX-License-Identifier: BSD-3-Clause */
/* The copy of a mechanism that is assembled, with rows that keep the values of the start section. */
#include "base/format.h"
#include "base/message.h"
#include "mechanism/compile/compile.h"
#include "mechanism/kinematics/rotation.h"

#include <string.h>

static void hold_add_row(HolMechanism *m, const HolHold *hold, HolHoldType type, int axis, double target,
                         const char *name)
{
    HolHoldRow row = {.type = type, .body = hold->body + 1, .axis = axis, .target = target, .name = name};
    if (!m->planar)
        memcpy(row.e, m->q + 7 * hold->body + 3, sizeof row.e);
    m->hold_rows[m->hold_row_count++] = row;
}

static void hold_position(HolMechanism *m, const HolHold *hold, const char *name)
{
    const double *q = m->q + (m->planar ? 3 : 7) * hold->body;
    for (int i = 0; i < 3; ++i)
        if (hold->position[i])
            hold_add_row(m, hold, HOL_HOLD_POSITION, i, q[i], name);
    for (int i = 0; hold->orientation && i < (m->planar ? 1 : 3); ++i)
        hold_add_row(m, hold, HOL_HOLD_ORIENTATION, i, m->planar ? q[2] : 0, name);
}

/* The angular velocity is given in global axes and kept in body axes, which depend on the present orientation. */
static void hold_velocity(HolMechanism *m, const HolHold *hold, const double *q, const char *name)
{
    const double *v = m->v + (m->planar ? 3 : 6) * hold->body;
    double w[3] = {v[2]};
    if (!m->planar) {
        HolFrame frame;
        hol_frame_place(&frame, q + 7 * hold->body, q + 7 * hold->body + 3);
        hol_turn_back(&frame, hold->turning, w);
    }
    for (int i = 0; i < 3; ++i)
        if (hold->velocity[i])
            hold_add_row(m, hold, HOL_HOLD_VELOCITY, i, v[i], name);
    for (int i = 0; hold->angular_velocity && i < (m->planar ? 1 : 3); ++i)
        hold_add_row(m, hold, HOL_HOLD_TURNING, i, w[i], name);
}

static const char *name_hold(HolMechanism *m, const HolHold *hold)
{
    char text[96];
    int length = hol_format(text, sizeof text, "start of %.80s", m->bodies[hold->body].name);
    return hol_arena_text(m->arena, text, (size_t)length);
}

static void *hold_copy(HolArena *arena, const void *array, int count, size_t size)
{
    void *made = hol_arena_alloc(arena, (size_t)count * size);
    return made && count > 0 ? memcpy(made, array, (size_t)count * size) : made;
}

/* Copies the arrays that numbering writes to; the others are shared. */
static HolStatus copy_parts(const HolMechanism *from, HolMechanism *to)
{
    HolArena *arena = to->arena;
    to->bodies = hold_copy(arena, from->bodies, from->body_count, sizeof *from->bodies);
    to->coincidences = hold_copy(arena, from->coincidences, from->coincidence_count, sizeof *from->coincidences);
    to->rows = hold_copy(arena, from->rows, from->row_count, sizeof *from->rows);
    to->rollings = hold_copy(arena, from->rollings, from->rolling_count, sizeof *from->rollings);
    to->velocity_rows = hold_copy(arena, from->velocity_rows, from->velocity_row_count, sizeof *from->velocity_rows);
    to->joints = hold_copy(arena, from->joints, from->joint_count, sizeof *from->joints);
    to->forces = hold_copy(arena, from->forces, from->force_count, sizeof *from->forces);
    to->hold_rows = hol_arena_alloc(arena, 6 * (size_t)from->hold_count * sizeof *from->hold_rows);
    for (int i = 0; to->joints && i < to->joint_count; ++i)
        to->joints[i].rows = hol_arena_small(arena, (size_t)to->joints[i].row_count * sizeof(int));
    return hol_arena_failed(arena) ? HOL_NO_MEMORY : HOL_OK;
}

/* Makes particles, directions and nodes of beams rigid bodies; nothing acts on their further degrees of freedom. */
static void make_rigid(HolMechanism *m)
{
    for (int i = 0; i < m->body_count; ++i) {
        HolBody *body = &m->bodies[i];
        if (body->is_node) {
            body->mass = body->assembly_mass;
            body->J[0][0] = body->J[1][1] = body->J[2][2] = body->assembly_inertia;
        }
        if (body->form == HOL_RIGID)
            continue;
        body->mass = body->mass > 0 ? body->mass : 1;
        for (int k = 0; k < 3; ++k)
            body->J[k][k] = body->J[k][k] > 0 ? body->J[k][k] : body->mass;
        body->form = HOL_RIGID;
    }
}

static HolStatus hold_build(const HolMechanism *mechanism, HolHoldLevel level, const double *q, HolMechanism *made,
                            HolMessage *message)
{
    HOL_TRY(copy_parts(mechanism, made));
    make_rigid(made);
    for (int i = 0; i < mechanism->hold_count && level != HOL_HOLD_NOTHING; ++i) {
        const char *name = name_hold(made, &mechanism->holds[i]);
        if (level == HOL_HOLD_POSITIONS)
            hold_position(made, &mechanism->holds[i], name);
        else
            hold_velocity(made, &mechanism->holds[i], q, name);
    }
    return hol_compile_system(made, message);
}

HolStatus hol_mechanism_copy_for_assembly(const HolMechanism *mechanism, HolHoldLevel level, const double *q,
                                          HolMechanism **held, HolMessage *message)
{
    HolArena *arena = hol_arena_create_within(mechanism->pattern->memory);
    HolMechanism *made = arena ? hol_arena_alloc(arena, sizeof *made) : NULL;
    if (!made) {
        hol_arena_destroy(arena);
        return hol_fail(message, HOL_NO_MEMORY, "not enough memory to assemble '%s'", mechanism->name);
    }
    *made = *mechanism;
    made->arena = arena;
    made->system = NULL;
    made->natural = false;
    made->beam_element_count = 0;
    HolStatus status = hold_build(mechanism, level, q, made, message);
    if (status != HOL_OK) {
        hol_mechanism_free(made);
        return status;
    }
    *held = made;
    return HOL_OK;
}
