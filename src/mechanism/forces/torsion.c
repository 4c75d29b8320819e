/* SPDX-License-Identifier: BSD-3-Clause */
/* A torsion spring, damper or any law of the angle of a joint; all that is given adds up:
 *
 *     f = k (angle - free_angle) + c rate + F(angle, rate, t),   V = k (angle - free_angle)^2 / 2 */
#include "mechanism/forces/ends.h"

typedef struct Values {
    int joint;
    double stiffness, damping, free_angle;
    HolFunction torque;
} Values;

typedef struct Torsion {
    HolLaw law;
    double k, c, free_angle;
    HolFunction F;
} Torsion;

static HolTension tension(const void *self, const HolStretch *at)
{
    const Torsion *s = self;
    double V_l = s->k * (at->l - s->free_angle);
    HolTension sum = {V_l + s->c * at->ldot, V_l, s->k, s->c};
    hol_tension_add(&s->F, at, &sum);
    return sum;
}

static double potential(const void *self, int part, double angle)
{
    (void)part;
    const Torsion *s = self;
    return 0.5 * s->k * (angle - s->free_angle) * (angle - s->free_angle);
}

static const char *const variables[] = {"angle", "rate", "t", NULL};

static const HolField fields[] = {
    {"torsion", HOL_FIELD_JOINT, offsetof(Values, joint),
     "a joint with an angle; in space the angle is between -180 and 180 deg, so that a stiffness suits half a turn",
     .needed = true},
    {"stiffness", HOL_FIELD_NUMBER, offsetof(Values, stiffness), "torque per angle", .unit = "N*m/rad"},
    {"damping", HOL_FIELD_NUMBER, offsetof(Values, damping), "torque per angular speed", .unit = "N*m*s/rad"},
    {"free_angle", HOL_FIELD_NUMBER, offsetof(Values, free_angle), "the angle without torque from the stiffness",
     .unit = "rad", .fallback = "0"},
    {"torque", HOL_FIELD_FUNCTION, offsetof(Values, torque),
     "torque against the angle as a function of angle, rate, t and inputs", .unit = "N*m", .names = variables,
     .inputs = true},
};

enum { FIELD_COUNT = sizeof fields / sizeof *fields };

/* The measure of the joint's angle, or -1 after a sentence (of the joint itself, if that could not be built). */
static int angle_of(HolBuilder *builder, const HolPart *part, const HolJoint *joint)
{
    if (joint->angle < 0 && joint->row_count > 0)
        hol_reader_error(builder->reader, hol_part_place(part, "torsion"),
                         "joint '%s' (%s) has %s; a torsion spring needs one with an angle", joint->name, joint->kind,
                         joint->displacement < 0 ? "no angle" : "a displacement and no angle");
    return joint->angle;
}

static void build(HolBuilder *builder, const HolPart *part, const void *values, HolForce *force)
{
    static const char *const laws[] = {"stiffness", "damping", "torque", NULL};
    const Values *from = values;
    if (!hol_part_has_any(part, fields, FIELD_COUNT, laws))
        hol_reader_error(builder->reader, part->node->place, "it has no stiffness, damping or torque");
    Torsion *s = hol_force_memory(builder, sizeof *s);
    if (!s)
        return;
    int measure = angle_of(builder, part, &builder->mechanism->joints[from->joint]);
    if (measure < 0)
        return;
    hol_warn_negative(builder, part, "stiffness", from->stiffness);
    hol_warn_negative(builder, part, "damping", from->damping);
    if (hol_was_given(part->given, fields, FIELD_COUNT, "stiffness"))
        hol_warn_half_turn(builder, part, "stiffness");
    else if (hol_was_given(part->given, fields, FIELD_COUNT, "torque"))
        hol_warn_half_turn(builder, part, "torque");
    *s = (Torsion){
        {.tension = tension, .potential = potential}, from->stiffness, from->damping, from->free_angle, from->torque};
    hol_law_add(&s->law, measure);
    force->self = s;
    force->body[0] = builder->mechanism->measures[measure].body[0];
    force->body[1] = builder->mechanism->measures[measure].body[1];
}

const HolForceKind hol_torsion = {
    .kind = {"torsion", "a torsion spring, damper or any law of the angle of a joint", "joint", HOL_EVERYWHERE,
             HOL_FIELDS(fields, Values)},
    .build = build,
    .apply = hol_law_apply,
    .potential = hol_law_potential,
    .tangent = hol_law_tangent,
    .chord = hol_law_chord,
};
