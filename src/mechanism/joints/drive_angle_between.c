/* SPDX-License-Identifier: BSD-3-Clause */
/* The angle of a body relative to another, or to the ground, is a function of time; no joint needs to connect them. */
#include "mechanism/joints/drivers.h"

typedef struct Values {
    HolJointGiven given;
    int body[2];
    HolFunction value;
} Values;

static void drive_angle_between_build(HolBuilder *builder, const HolPart *part, const void *values)
{
    static const double z[3] = {0, 0, 1};
    const Values *v = values;
    int a = v->body[0], b = v->body[1];
    if (!hol_driver_starts(builder, part, &v->value, 2))
        return;
    hol_joint_connects(builder, a, b, builder->frames[b > 0 ? b : a].r);
    hol_row_follows(builder, hol_measure_add_angle(builder, a, b, z), &v->value, hol_builder_angles_wrap(builder),
                    "driven");
}

static const HolField fields[] = {
    {"angle-between", HOL_FIELD_BODIES, offsetof(Values, body), .needed = true, .help = "the two bodies"},
    {"value", HOL_FIELD_FUNCTION, offsetof(Values, value), .needed = true, .unit = "rad", .names = hol_driver_variables,
     .help = "the angle of the second body relative to the first as a function of t, zero as drawn"},
    HOL_IMPULSE_FIELD,
    HOL_JOINT_FIELDS,
};

static const HolSample samples[] = {
    {"{angle-between: [a, b], value: sin(2*t)}", HOL_IN_PLANE, 1, 0},
    {"{angle-between: [ground, b], value: t^2}", HOL_IN_PLANE, 1, 0},
    {"{angle-between: [a, b], value: abs(t - 0.4) - 0.4, impulse: true}", HOL_IN_PLANE, 1, 0},
};

const HolJointKind hol_drive_angle_between = {
    .kind = {"angle-between", "the angle between two bodies is a function of time; no joint needs to connect them",
             "[body, body]", HOL_IN_PLANE, HOL_FIELDS(fields, Values), HOL_SAMPLES(samples)},
    .build = drive_angle_between_build,
};
