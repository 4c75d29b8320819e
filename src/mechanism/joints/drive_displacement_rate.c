/* SPDX-License-Identifier: BSD-3-Clause */
/* The rate of a joint's displacement is a function of time; where the joint stands is left open. */
#include "mechanism/joints/speeds.h"

static void build(HolBuilder *builder, const HolPart *part, const void *values)
{
    hol_driver_build_rate(builder, part, values, false);
}

static const HolField fields[] = {
    {"displacement-rate", HOL_FIELD_JOINT, offsetof(HolSpeedValues, joint), .needed = true,
     .help = "a joint that has a displacement"},
    {"value", HOL_FIELD_FUNCTION, offsetof(HolSpeedValues, value), .needed = true, .unit = "m/s",
     .names = hol_driver_variables, .help = "the rate as a function of t"},
    HOL_JOINT_FIELDS,
};

const HolJointKind hol_drive_displacement_rate = {
    .kind = {"displacement-rate",
             "an actuator that keeps its speed: the rate of a joint's displacement is a function of time", "joint",
             HOL_EVERYWHERE, HOL_FIELDS(fields, HolSpeedValues)},
    .build = build,
};
