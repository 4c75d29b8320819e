/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanism/joints/drivers.h"

const char *const hol_driver_variables[] = {"t", NULL};

void hol_driver_build(HolBuilder *builder, const HolPart *part, const HolDriverValues *values, bool angle)
{
    const HolJoint *joint = &builder->mechanism->joints[values->joint];
    int measure = angle ? joint->angle : joint->displacement;
    if (joint->is_broken)
        return;
    if (measure < 0) {
        hol_reader_error(builder->reader, part->node->place, "joint '%s' has no %s to drive (it is %s)", joint->name,
                         angle ? "angle" : "displacement", joint->kind);
        return;
    }
    const HolMark *place = &joint->place;
    double at[3];
    hol_mark_value(builder->frames, place, at);
    hol_joint_connects(builder, joint->body[0], joint->body[1], at);
    hol_row_follows(builder, measure, &values->value, angle && !builder->mechanism->planar, "driven");
}
