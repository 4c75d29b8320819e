/* SPDX-License-Identifier: BSD-3-Clause */
/* A component of the angular velocity of the second body relative to the first is a given function of time. */
#include "mechanism/joints/velocities.h"

static void angular_velocity_build(HolBuilder *builder, const HolPart *part, const void *values)
{
    HolVelocityValues v = *(const HolVelocityValues *)values;
    if (!hol_driver_starts(builder, part, &v.value, 1))
        return;
    HolSpeed speed = hol_read_angular_velocity(builder, &v);
    hol_joint_connects(builder, v.body[0], v.body[1], v.at);
    if (!builder->mechanism->planar)
        (v.fixed_in == 0 ? hol_joint_axis : hol_joint_axis_of_second)(builder, v.direction);
    hol_row_velocity(builder, &speed, 1, &v.value, "angular velocity");
}

static const HolField fields[] = {HOL_ANGULAR_VELOCITY_FIELDS, HOL_VELOCITY_VALUE("rad/s"), HOL_JOINT_FIELDS};

static const HolSample samples[] = {
    {"{angular-velocity: [a, b], value: cos(t)}", HOL_IN_PLANE, 1, 1},
    {"{angular-velocity: [a, b], value: step(t - 0.4), impulse: true}", HOL_IN_PLANE, 1, 1},
    {"{angular-velocity: [a, b], axis: [1, 2, 3], value: cos(t)}", HOL_IN_SPACE, 1, 1},
    {"{angular-velocity: [a, b], axis: [1, 2, 3], fixed_in: second}", HOL_IN_SPACE, 1, 1},
};

const HolJointKind hol_angular_velocity = {
    .kind = {"angular-velocity", "a component of the relative angular velocity is zero or a function of time",
             "[body, body]", HOL_EVERYWHERE, HOL_FIELDS(fields, HolVelocityValues), HOL_SAMPLES(samples)},
    .build = angular_velocity_build,
};
