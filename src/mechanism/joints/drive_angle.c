/* SPDX-License-Identifier: BSD-3-Clause */
/* A motor: the angle of a joint is a function of time. */
#include "mechanism/joints/drivers.h"

static void build(HolBuilder *builder, const HolPart *part, const void *values)
{
    hol_driver_build(builder, part, values, true);
}

static const HolField fields[] = {
    {"angle", HOL_FIELD_JOINT, offsetof(HolDriverValues, joint), .needed = true, .help = "a joint that has an angle"},
    {"value", HOL_FIELD_FUNCTION, offsetof(HolDriverValues, value), .needed = true, .unit = "rad",
     .names = hol_driver_variables, .help = "the angle as a function of t, zero as drawn"},
    HOL_JOINT_FIELDS,
};

const HolJointKind hol_drive_angle = {
    .kind = {"angle", "a motor: the angle of a joint is a function of time", "joint", HOL_EVERYWHERE,
             HOL_FIELDS(fields, HolDriverValues)},
    .build = build,
};
