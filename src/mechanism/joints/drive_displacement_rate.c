/* SPDX-License-Identifier: BSD-3-Clause */
/* A speed-controlled actuator: the rate of a joint's displacement is a function of time; the displacement itself is not
 * prescribed. */
#include "mechanism/joints/drivers.h"

static void drive_displacement_rate_build(HolBuilder *builder, const HolPart *part, const void *values)
{
    hol_joint_driver_rate(builder, part, values, false);
}

static const HolField fields[] =
    HOL_JOINT_DRIVER_FIELDS("displacement-rate", "a displacement", "m/s", "the rate as a function of t");

static const HolSample samples[] = {
    {"{displacement-rate: slide, value: 0.1*t^3}", HOL_EVERYWHERE, 1, 1},
    {"{displacement-rate: slide, value: 3*step(t - 0.4), impulse: true}", HOL_EVERYWHERE, 1, 1},
};

const HolJointKind hol_drive_displacement_rate = {
    {"displacement-rate", "a speed-controlled actuator: the rate of a joint's displacement is a function of time",
     "joint", HOL_EVERYWHERE, HOL_FIELDS(fields, HolJointDriver), HOL_SAMPLES(samples)},
    drive_displacement_rate_build,
};
