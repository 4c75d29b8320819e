/* SPDX-License-Identifier: BSD-3-Clause */
/* A linear actuator: the displacement of a joint is a function of time. */
#include "mechanism/joints/drivers.h"

static void drive_displacement_build(HolBuilder *builder, const HolPart *part, const void *values)
{
    const HolJointDriver *driver = values;
    int measure = hol_joint_driver_begin(builder, part, driver, false, 2);
    if (measure >= 0)
        hol_row_follows(builder, measure, &driver->value, false, "driven");
}

static const HolField fields[] = HOL_JOINT_DRIVER_FIELDS("displacement", "a displacement", "m",
                                                         "the displacement as a function of t, zero as drawn");

static const HolSample samples[] = {
    {"{displacement: slide, value: 0.1*t^3}", HOL_EVERYWHERE, 1, 0},
    {"{displacement: slide, value: 'max(0, t - 0.4)', impulse: true}", HOL_EVERYWHERE, 1, 0},
};

const HolJointKind hol_drive_displacement = {
    {"displacement", "a linear actuator: the displacement of a joint is a function of time", "joint", HOL_EVERYWHERE,
     HOL_FIELDS(fields, HolJointDriver), HOL_SAMPLES(samples)},
    drive_displacement_build,
};
