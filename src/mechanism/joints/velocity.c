/* SPDX-License-Identifier: BSD-3-Clause */
/* A component of the velocity of a point of the second body relative to the first is a given function of time. */
#include "mechanism/joints/velocities.h"

static void velocity_build(HolBuilder *builder, const HolPart *part, const void *values)
{
    HolVelocityValues v = *(const HolVelocityValues *)values;
    if (!hol_driver_starts(builder, part, &v.value, 1))
        return;
    HolSpeed speed = hol_read_point_velocity(builder, part, &v);
    hol_joint_connects(builder, v.body[0], v.body[1], v.at);
    (v.fixed_in == 0 ? hol_joint_axis : hol_joint_axis_of_second)(builder, v.direction);
    hol_row_velocity(builder, &speed, 1, &v.value, "velocity");
}

static const HolField fields[] = {HOL_POINT_VELOCITY_FIELDS, HOL_VELOCITY_VALUE("m/s"), HOL_JOINT_FIELDS};

static const HolSample samples[] = {
    {"{velocity: [ground, b], along: x}", HOL_EVERYWHERE, 1, 1},
    {"{velocity: [a, b], at: Q, along: [1, 2], value: sin(3*t)}", HOL_IN_PLANE, 1, 1},
    {"{velocity: [a, b], at: Q, along: [1, 2], fixed_in: second, value: 2}", HOL_IN_PLANE, 1, 1},
    {"{velocity: [b, ground], at: Q, along: y}", HOL_IN_PLANE, 1, 1},
    {"{velocity: [a, b], at: Q, along: y, value: step(t - 0.4), impulse: true}", HOL_EVERYWHERE, 1, 1},
    {"{velocity: [a, b], at: Q, along: [1, 2, 3], value: sin(3*t)}", HOL_IN_SPACE, 1, 1},
    {"{velocity: [a, b], at: Q, along: [1, 2, 3], fixed_in: second, value: 2}", HOL_IN_SPACE, 1, 1},
    {"{velocity: [b, ground], at: Q, along: [1, 0, 1]}", HOL_IN_SPACE, 1, 1},
};

const HolJointKind hol_velocity = {
    .kind = {"velocity", "a component of a point's velocity relative to the first body is zero or a function of time",
             "[body, body]", HOL_EVERYWHERE, HOL_FIELDS(fields, HolVelocityValues), HOL_SAMPLES(samples)},
    .build = velocity_build,
};
