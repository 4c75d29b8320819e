/* SPDX-License-Identifier: BSD-3-Clause */
/* The rate of a joint's angle is a function of time; where the joint stands is left open. */
#include "mechanism/joints/speeds.h"

static void build(HolBuilder *builder, const HolPart *part, const void *values)
{
    hol_driver_build_rate(builder, part, values, true);
}

static const HolField fields[] = {
    {"angle-rate", HOL_FIELD_JOINT, offsetof(HolSpeedValues, joint), .needed = true,
     .help = "a joint that has an angle"},
    {"value", HOL_FIELD_FUNCTION, offsetof(HolSpeedValues, value), .needed = true, .unit = "rad/s",
     .names = hol_driver_variables, .help = "the rate as a function of t"},
    HOL_JOINT_FIELDS,
};

const HolJointKind hol_drive_angle_rate = {
    .kind = {"angle-rate", "a motor that keeps its speed: the rate of a joint's angle is a function of time", "joint",
             HOL_EVERYWHERE, HOL_FIELDS(fields, HolSpeedValues)},
    .build = build,
};
