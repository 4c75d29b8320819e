/* SPDX-License-Identifier: BSD-3-Clause */
/* A component of the angular velocity of the second body, as seen from the first, follows a function of time. */
#include "mechanism/joints/speeds.h"

static void build(HolBuilder *builder, const HolPart *part, const void *values)
{
    HolSpeedValues v = *(const HolSpeedValues *)values;
    if (!hol_speed_starts(builder, part, &v.value))
        return;
    HolSpeed speed = hol_read_speed_of_turning(builder, &v);
    hol_joint_connects(builder, v.body[0], v.body[1], v.at);
    if (!builder->mechanism->planar)
        (v.fixed_in == 0 ? hol_joint_axis : hol_joint_axis_of_second)(builder, v.direction);
    hol_row_velocity(builder, &speed, 1, &v.value, "angular velocity");
}

static const HolField fields[] = {HOL_SPEED_TURNING_FIELDS, HOL_SPEED_VALUE("rad/s"), HOL_JOINT_FIELDS};

const HolJointKind hol_angular_velocity = {
    .kind = {"angular-velocity",
             "a component of the angular velocity, as seen from the first body, is zero or a function of time",
             "[body, body]", HOL_EVERYWHERE, HOL_FIELDS(fields, HolSpeedValues)},
    .build = build,
};
