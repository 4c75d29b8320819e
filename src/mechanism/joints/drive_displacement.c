/* SPDX-License-Identifier: BSD-3-Clause */
/* A linear actuator: the displacement of a joint is a function of time. */
#include "mechanism/joints/drivers.h"

static void build(HolBuilder *builder, const HolPart *part, const void *values)
{
    hol_driver_build(builder, part, values, false);
}

static const HolField fields[] = {
    {"displacement", HOL_FIELD_JOINT, offsetof(HolDriverValues, joint), .needed = true,
     .help = "a joint that has a displacement"},
    {"value", HOL_FIELD_FUNCTION, offsetof(HolDriverValues, value), .needed = true, .unit = "m",
     .names = hol_driver_variables, .help = "the displacement as a function of t, zero as drawn"},
    HOL_JOINT_FIELDS,
};

const HolJointKind hol_drive_displacement = {
    .kind = {"displacement", "a linear actuator: the displacement of a joint is a function of time", "joint",
             HOL_EVERYWHERE, HOL_FIELDS(fields, HolDriverValues)},
    .build = build,
};
