/* SPDX-License-Identifier: BSD-3-Clause */
/* A motor: the angle of a joint is a function of time. */
#include "mechanism/joints/drivers.h"

static void drive_angle_build(HolBuilder *builder, const HolPart *part, const void *values)
{
    const HolJointDriver *driver = values;
    int measure = hol_joint_driver_begin(builder, part, driver, true, 2);
    if (measure >= 0)
        hol_row_follows(builder, measure, &driver->value, hol_builder_angles_wrap(builder), "driven");
}

static const HolField fields[] =
    HOL_JOINT_DRIVER_FIELDS("angle", "an angle", "rad", "the angle as a function of t, zero as drawn");

static const HolSample samples[] = {
    {"{angle: pin_b, value: sin(2*t)}", HOL_EVERYWHERE, 1, 0},
    {"{angle: pin_b, value: 'max(t, 3*t - 0.8)', impulse: true}", HOL_EVERYWHERE, 1, 0},
};

const HolJointKind hol_drive_angle = {
    {"angle", "a motor: the angle of a joint is a function of time", "joint", HOL_EVERYWHERE,
     HOL_FIELDS(fields, HolJointDriver), HOL_SAMPLES(samples)},
    drive_angle_build,
};
