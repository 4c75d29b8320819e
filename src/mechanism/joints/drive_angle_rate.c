/* SPDX-License-Identifier: BSD-3-Clause */
/* A speed-controlled motor: the rate of a joint's angle is a function of time; the angle itself is not prescribed. */
#include "mechanism/joints/drivers.h"

static void drive_angle_rate_build(HolBuilder *builder, const HolPart *part, const void *values)
{
    hol_joint_driver_rate(builder, part, values, true);
}

static const HolField fields[] =
    HOL_JOINT_DRIVER_FIELDS("angle-rate", "an angle", "rad/s", "the rate as a function of t");

static const HolSample samples[] = {
    {"{angle-rate: pin_b, value: sin(2*t)}", HOL_EVERYWHERE, 1, 1},
    {"{angle-rate: pin_b, value: 3*step(t - 0.4), impulse: true}", HOL_EVERYWHERE, 1, 1},
};

const HolJointKind hol_drive_angle_rate = {
    {"angle-rate", "a speed-controlled motor: the rate of a joint's angle is a function of time", "joint",
     HOL_EVERYWHERE, HOL_FIELDS(fields, HolJointDriver), HOL_SAMPLES(samples)},
    drive_angle_rate_build,
};
