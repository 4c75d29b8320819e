/* SPDX-License-Identifier: BSD-3-Clause */
/* The angle of a body against another, or against the ground, is a function of time, wherever they are. */
#include "mechanism/joints/drivers.h"

typedef struct Values {
    HolJointGiven given;
    int body[2];
    HolFunction value;
} Values;

static void build(HolBuilder *builder, const HolPart *part, const void *values)
{
    static const double z[3] = {0, 0, 1};
    const Values *v = values;
    int a = v->body[0], b = v->body[1];
    if (!hol_driver_starts(builder, part, &v->value))
        return;
    hol_joint_connects(builder, a, b, builder->frames[b > 0 ? b : a].r);
    hol_row_follows(builder, hol_build_angle(builder, a, b, z), &v->value, hol_build_angles_wrap(builder), "driven");
}

static const HolField fields[] = {
    {"angle-between", HOL_FIELD_BODIES, offsetof(Values, body), .needed = true, .help = "the two bodies"},
    {"value", HOL_FIELD_FUNCTION, offsetof(Values, value), .needed = true, .unit = "rad", .names = hol_driver_variables,
     .help = "the angle of the second against the first, as a function of t, zero as drawn"},
    HOL_JOINT_FIELDS,
};

const HolJointKind hol_drive_angle_between = {
    .kind = {"angle-between", "the angle between two bodies that no joint needs to connect is a function of time",
             "[body, body]", HOL_IN_PLANE, HOL_FIELDS(fields, Values)},
    .build = build,
};
