/* SPDX-License-Identifier: BSD-3-Clause */
/* A force on a point of a body, a given function of time and of inputs. */
#include "mechanism/forces/endpoints.h"
#include "mechanism/forces/wrench.h"

#include <string.h>

typedef struct Values {
    int body[2]; /* acted on, and taking the reaction */
    double at[3];
    HolFunction vector[3];
    int axes;
} Values;

static const HolField fields[] = {
    {"force", HOL_FIELD_BODY, offsetof(Values, body[0]), "the body it acts on", .needed = true},
    {"at", HOL_FIELD_POINT, offsetof(Values, at), "the point of the body at which it acts",
     .fallback = "the centre of mass"},
    {"vector", HOL_FIELD_FUNCTIONS, offsetof(Values, vector), "its components as functions of t and inputs",
     .unit = "N", .needed = true, .names = hol_time_names, .inputs = true},
    {"axes", HOL_FIELD_CHOICE, offsetof(Values, axes), "axes of the components", .names = hol_axes_names,
     .fallback = "global"},
    {"from", HOL_FIELD_BODY, offsetof(Values, body[1]), "the body that takes the reaction along the same line",
     .fallback = "ground"},
};

/* False after an error: particles have no axes, directions no points. */
static bool suits_element(HolBuilder *builder, const HolPart *part, const Values *values)
{
    const HolBody *body = values->body[0] > 0 ? &builder->mechanism->bodies[values->body[0] - 1] : NULL;
    if (body && body->form == HOL_DIRECTION)
        hol_reader_error(builder->reader, hol_part_place(part, "force"), "'%s' is a direction: it has no points",
                         body->name);
    else if (body && body->form == HOL_PARTICLE && values->axes == HOL_BODY_AXES)
        hol_reader_error(builder->reader, hol_part_place(part, "axes"), "'%s' is a particle: it has no axes",
                         body->name);
    else
        return true;
    return false;
}

/* False after an error. */
static bool find_place(HolBuilder *builder, const HolPart *part, const Values *values, HolMark *place)
{
    bool is_given = hol_part_was_given(part, "at");
    if (!is_given && values->body[0] == 0)
        return hol_reader_error(builder->reader, part->node->place,
                                "the ground has no centre of mass; give the point by 'at'");
    *place = (HolMark){.body = values->body[0], .is_point = true};
    if (is_given)
        *place = hol_mark_point(builder, values->body[0], values->at);
    return true;
}

static bool force_is_constant(const HolFunction *f)
{
    return !f[0].expression && !f[1].expression && !f[2].expression;
}

static void force_build(HolBuilder *builder, const HolPart *part, const void *values, HolForce *force)
{
    const Values *from = values;
    HolWrench *s = hol_force_memory(builder, sizeof *s);
    if (!s || !hol_wrench_bodies(builder, part, "force", from->body) || !suits_element(builder, part, from) ||
        !find_place(builder, part, from, &s->place) || !hol_wrench_starts(builder, part, from->vector))
        return;
    s->turns = from->axes == HOL_BODY_AXES;
    s->has_potential = !s->turns && from->body[1] == 0 && force_is_constant(from->vector);
    memcpy(s->force, from->vector, sizeof s->force);
    memcpy(force->body, from->body, sizeof force->body);
    force->follows = s->turns && from->body[1] == 0 ? from->body[0] : 0;
    force->self = s;
}

static const HolSample samples[] = {
    {"{force: b, at: Q, vector: [3, -2]}", HOL_IN_PLANE, 0, 0},
    {"{force: b, at: Q, vector: [3*t, cos(t)], axes: body}", HOL_IN_PLANE, 0, 0},
    {"{force: b, at: Q, vector: [3, t], from: a}", HOL_IN_PLANE, 0, 0},
    {"{force: b, at: Q, vector: [3, -2, 1]}", HOL_IN_SPACE, 0, 0},
    {"{force: b, at: Q, vector: [3*t, cos(t), 1], axes: body}", HOL_IN_SPACE, 0, 0},
    {"{force: b, at: Q, vector: [3, t, 2], from: a}", HOL_IN_SPACE, 0, 0},
};

const HolForceKind hol_force = {
    .kind = {"force", "a force on a point of a body", "body", HOL_EVERYWHERE, HOL_FIELDS(fields, Values),
             HOL_SAMPLES(samples)},
    .is_load = true,
    .build = force_build,
    .apply = hol_wrench_apply,
    .potential = hol_wrench_potential,
    .tangent = hol_wrench_tangent,
    .discrete_gradient = hol_wrench_discrete_gradient,
    .ends = hol_wrench_ends,
};
