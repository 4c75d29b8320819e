/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanism/joints/drivers.h"

#include <math.h>

const char *const hol_driver_variables[] = {"t", NULL};

bool hol_driver_starts(HolBuilder *builder, const HolPart *part, const HolFunction *value)
{
    HolJet at = hol_function_at(value, 0);
    const char *what = !isfinite(at.f) ? "'value'" : !isfinite(at.d) ? "the speed of 'value'" : NULL;
    if (!what && !isfinite(at.dd))
        what = "the acceleration of 'value'";
    if (what)
        hol_reader_error(builder->reader, hol_part_place(part, "value"), "%s is not finite at the start (t = 0)", what);
    return !what;
}

void hol_driver_build(HolBuilder *builder, const HolPart *part, const HolDriverValues *values, bool angle)
{
    const HolJoint *joint = &builder->mechanism->joints[values->joint];
    int measure = angle ? joint->angle : joint->displacement;
    if (joint->is_broken)
        return;
    if (measure < 0) {
        const char *freedom = angle ? "angle" : "displacement";
        hol_reader_error(builder->reader, hol_part_place(part, freedom), "joint '%s' (%s) has no %s to drive",
                         joint->name, joint->kind, freedom);
        return;
    }
    if (!hol_driver_starts(builder, part, &values->value))
        return;
    const HolMark *place = &joint->place;
    double at[3];
    hol_mark_value(builder->frames, place, at);
    hol_joint_connects(builder, joint->body[0], joint->body[1], at);
    builder->joint->axis = joint->axis;
    builder->joint->side = joint->side;
    builder->joint->has_axis = joint->has_axis;
    hol_row_follows(builder, measure, &values->value, angle && hol_build_angles_wrap(builder), "driven");
}
