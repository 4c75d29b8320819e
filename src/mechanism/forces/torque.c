/* SPDX-License-Identifier: BSD-3-Clause */
/* A torque on a body, a given function of time and of inputs. */
#include "mechanism/forces/endpoints.h"
#include "mechanism/forces/wrench.h"

#include <string.h>

typedef struct Values {
    int body[2]; /* acted on, and taking the reaction */
    const HolNode *vector;
    int axes;
} Values;

static const HolField fields[] = {
    {"torque", HOL_FIELD_BODY, offsetof(Values, body[0]), "the body it acts on", .needed = true},
    {"vector", HOL_FIELD_NODE, offsetof(Values, vector),
     "its three components, in the plane one number; functions of t and inputs", .unit = "N*m", .needed = true},
    {"axes", HOL_FIELD_CHOICE, offsetof(Values, axes), "axes of the components", .names = hol_axes_names,
     .fallback = "global"},
    {"from", HOL_FIELD_BODY, offsetof(Values, body[1]), "the body that takes the reaction", .fallback = "ground"},
};

/* In the plane the vector has one component, about z. */
static bool read_vector(HolReader *reader, const HolNode *node, HolFunction *vector)
{
    static const HolField component = {
        .type = HOL_FIELD_FUNCTION, .unit = "N*m", .names = hol_time_names, .inputs = true};
    if (reader->planar)
        return hol_read_function(reader, node, &component, &vector[2]);
    if (!hol_read_list(reader, node, 3, "a list of 3 values"))
        return false;
    bool ok = true;
    const HolNode *entry = node->first;
    for (int i = 0; i < 3; ++i, entry = entry->next)
        ok = hol_read_function(reader, entry, &component, &vector[i]) && ok;
    return ok;
}

static void torque_build(HolBuilder *builder, const HolPart *part, const void *values, HolForce *force)
{
    const Values *from = values;
    HolWrench *s = hol_force_memory(builder, sizeof *s);
    if (!s)
        return;
    builder->reader->field = "vector";
    bool ok = read_vector(builder->reader, from->vector, s->torque);
    builder->reader->field = NULL;
    if (!hol_wrench_bodies(builder, part, "torque", from->body) || !ok || !hol_wrench_starts(builder, part, s->torque))
        return;
    if (from->body[0] > 0 && builder->mechanism->bodies[from->body[0] - 1].form != HOL_RIGID) {
        hol_reader_error(builder->reader, hol_part_place(part, "torque"),
                         "'%s' is not a rigid body; a torque cannot act on it",
                         builder->mechanism->bodies[from->body[0] - 1].name);
        return;
    }
    s->place = (HolMark){.body = from->body[0], .is_point = true};
    s->turns = from->axes == HOL_BODY_AXES;
    memcpy(force->body, from->body, sizeof force->body);
    force->self = s;
}

static const HolSample samples[] = {
    {"{torque: b, vector: 2*t}", HOL_IN_PLANE, 0, 0},
    {"{torque: b, vector: 2, from: a}", HOL_IN_PLANE, 0, 0},
    {"{torque: b, vector: [2*t, 1, 0]}", HOL_IN_SPACE, 0, 0},
    {"{torque: b, vector: [2, 1, t], axes: body, from: a}", HOL_IN_SPACE, 0, 0},
};

const HolForceKind hol_torque = {
    .kind = {"torque", "a torque on a body", "body", HOL_EVERYWHERE, HOL_FIELDS(fields, Values), HOL_SAMPLES(samples)},
    .is_load = true,
    .build = torque_build,
    .apply = hol_wrench_apply,
    .tangent = hol_wrench_tangent,
};
