/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanism/joints/drivers.h"

#include <math.h>

const char *const hol_driver_variables[] = {"t", NULL};

bool hol_driver_starts(HolBuilder *builder, const HolPart *part, const HolFunction *value, int order)
{
    HolJet at = hol_function_at(value, 0);
    hol_reader_prescribe(builder->reader, value, order > 1);
    const char *what = !isfinite(at.f)                 ? "'value'"
                       : !isfinite(at.d)               ? "the rate of 'value'"
                       : order > 1 && !isfinite(at.dd) ? "the second derivative of 'value'"
                                                       : NULL;
    if (what)
        hol_reader_error(builder->reader, hol_part_place(part, "value"), "%s is not finite at the start (t = 0)", what);
    return !what;
}

int hol_joint_measure(const HolBuilder *builder, const HolPart *part, const char *key, int index, bool angle)
{
    const HolJoint *joint = &builder->mechanism->joints[index];
    int measure = angle ? joint->angle : joint->displacement;
    if (joint->is_broken)
        return -1;
    if (measure < 0)
        hol_reader_error(builder->reader, hol_part_place(part, key), "joint '%s' (%s) has no %s", joint->name,
                         joint->kind, angle ? "angle" : "displacement");
    return measure;
}

static void driver_connect(HolBuilder *builder, int index)
{
    const HolJoint *joint = &builder->mechanism->joints[index];
    double at[3];
    hol_mark_value(builder->frames, &joint->place, at);
    hol_joint_connects(builder, joint->body[0], joint->body[1], at);
    builder->joint->axis = joint->axis;
    builder->joint->side = joint->side;
    builder->joint->has_axis = joint->has_axis;
}

int hol_joint_driver_begin(HolBuilder *builder, const HolPart *part, const HolJointDriver *driver, bool angle,
                           int order)
{
    int measure = hol_joint_measure(builder, part, builder->joint->kind, driver->joint, angle);
    if (measure < 0 || !hol_driver_starts(builder, part, &driver->value, order))
        return -1;
    driver_connect(builder, driver->joint);
    return measure;
}

void hol_joint_driver_rate(HolBuilder *builder, const HolPart *part, const HolJointDriver *driver, bool angle)
{
    int measure = hol_joint_driver_begin(builder, part, driver, angle, 1);
    if (measure < 0)
        return;
    HolSpeed speed = hol_speed_of_measure(builder, measure);
    hol_row_velocity(builder, &speed, 1, &driver->value, "driven");
}
