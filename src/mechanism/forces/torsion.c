/* SPDX-License-Identifier: BSD-3-Clause */
/* A torsion spring, damper or any force law of the angle of a joint; all given terms are added:
 *
 *     f = k (angle - free_angle) + c rate + F(angle, rate, t),   V = k (angle - free_angle)^2 / 2 */
#include "mechanism/forces/endpoints.h"

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

static HolTension torsion_tension(const void *self, const HolStretch *at)
{
    const Torsion *s = self;
    double V_l = s->k * (at->l - s->free_angle);
    HolTension sum = {V_l + s->c * at->ldot, V_l, s->k, s->c};
    hol_tension_add(&s->F, at, &sum);
    return sum;
}

static double torsion_potential(const void *self, int part, double angle)
{
    (void)part;
    const Torsion *s = self;
    return 0.5 * s->k * (angle - s->free_angle) * (angle - s->free_angle);
}

static const char *const variables[] = {"angle", "rate", "t", NULL};

static void torsion_events(const void *self, const HolStretch *at, HolCrossing *crossings)
{
    hol_tension_events(&((const Torsion *)self)->F, at, crossings);
}

static int torsion_name_events(const HolForce *force, HolEventName *named)
{
    return hol_tension_name_events(&((const Torsion *)force->self)->F, named);
}

static const HolExpression *torsion_function(const HolForce *force, int *time)
{
    return hol_tension_function(&((const Torsion *)force->self)->F, time);
}

static const HolField fields[] = {
    {"torsion", HOL_FIELD_JOINT, offsetof(Values, joint), "a joint with an angle, which counts full turns during a run",
     .needed = true},
    {"stiffness", HOL_FIELD_NUMBER, offsetof(Values, stiffness), "torque per angle", .unit = "N*m/rad"},
    {"damping", HOL_FIELD_NUMBER, offsetof(Values, damping), "torque per angular speed", .unit = "N*m*s/rad"},
    {"free_angle", HOL_FIELD_NUMBER, offsetof(Values, free_angle), "the angle at which the stiffness gives no torque",
     .unit = "rad", .fallback = "0"},
    {"torque", HOL_FIELD_FUNCTION, offsetof(Values, torque),
     "torque that opposes the angle, a function of angle, rate, t and inputs", .unit = "N*m", .names = variables,
     .inputs = true},
};

/* The measure of the joint's angle, or -1 after an error, of the joint itself if that could not be built. */
static int angle_of(HolBuilder *builder, const HolPart *part, const HolJoint *joint)
{
    if (joint->angle < 0 && joint->row_count > 0)
        hol_reader_error(builder->reader, hol_part_place(part, "torsion"),
                         "joint '%s' (%s) has %s; a torsion spring needs one with an angle", joint->name, joint->kind,
                         joint->displacement < 0 ? "no angle" : "a displacement and no angle");
    return joint->angle;
}

static void torsion_build(HolBuilder *builder, const HolPart *part, const void *values, HolForce *force)
{
    static const char *const laws[] = {"stiffness", "damping", "torque", NULL};
    const Values *from = values;
    if (!hol_part_has_any(part, laws))
        hol_reader_error(builder->reader, part->node->place, "it needs stiffness, damping or torque");
    Torsion *s = hol_force_memory(builder, sizeof *s);
    if (!s)
        return;
    int measure = angle_of(builder, part, &builder->mechanism->joints[from->joint]);
    if (measure < 0)
        return;
    hol_warn_negative(builder, part, "stiffness", from->stiffness);
    hol_warn_negative(builder, part, "damping", from->damping);
    *s = (Torsion){{.tension = torsion_tension, .potential = torsion_potential, .events = torsion_events},
                   from->stiffness,
                   from->damping,
                   from->free_angle,
                   from->torque};
    hol_law_attach(builder, &s->law, measure, force);
    hol_law_count_turns(builder, &s->law);
}

static const HolSample samples[] = {
    {"{torsion: pin_b, stiffness: 4, damping: 0.3, free_angle: 10 deg}", HOL_EVERYWHERE, 0, 0},
    {"{torsion: pin_b, torque: angle^3 + rate*t}", HOL_EVERYWHERE, 0, 0},
};

const HolForceKind hol_torsion = {
    .kind = {"torsion", "a torsion spring, damper or any torque law of the angle of a joint", "joint", HOL_EVERYWHERE,
             HOL_FIELDS(fields, Values), HOL_SAMPLES(samples)},
    .build = torsion_build,
    .follow = hol_law_follow,
    HOL_LAW_OPS,
    .name_events = torsion_name_events,
    .events = hol_law_events,
    .function = torsion_function,
    .argument = hol_law_argument,
};
