/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanism/joints/speeds.h"

#include <math.h>
#include <string.h>

enum { AT = 1 };

const char *const hol_speed_carriers[] = {"first", "second", NULL};

bool hol_speed_starts(HolBuilder *builder, const HolPart *part, const HolFunction *value)
{
    HolJet at = hol_function_at(value, 0);
    const char *what = !isfinite(at.f) ? "'value'" : !isfinite(at.d) ? "the rate of 'value'" : NULL;
    if (what)
        hol_reader_error(builder->reader, hol_part_place(part, "value"), "%s is not finite at the start (t = 0)", what);
    return !what;
}

HolSpeed hol_read_speed_of_point(const HolBuilder *builder, const HolPart *part, HolSpeedValues *values)
{
    const int *body = values->body;
    if (!(part->given >> AT & 1))
        memcpy(values->at, builder->frames[body[1]].r, sizeof values->at);
    return hol_speed_of_point(builder, body[0], body[1], body[values->fixed_in], values->direction, values->at);
}

HolSpeed hol_read_speed_of_turning(const HolBuilder *builder, HolSpeedValues *values)
{
    const int *body = values->body;
    if (builder->mechanism->planar)
        memcpy(values->direction, (double[]){0, 0, 1}, sizeof values->direction);
    memcpy(values->at, builder->frames[body[1] > 0 ? body[1] : body[0]].r, sizeof values->at);
    return hol_speed_of_turning(builder, body[0], body[1], body[values->fixed_in], values->direction);
}

bool hol_read_rate(const HolBuilder *builder, const HolPart *part, const char *key, HolSpeedValues *values, bool angle,
                   HolSpeed *speed)
{
    const HolJoint *joint = &builder->mechanism->joints[values->joint];
    int measure = angle ? joint->angle : joint->displacement;
    if (joint->is_broken)
        return false;
    if (measure < 0) {
        hol_reader_error(builder->reader, hol_part_place(part, key), "joint '%s' (%s) has no %s", joint->name,
                         joint->kind, angle ? "angle" : "displacement");
        return false;
    }
    *speed = hol_speed_of_measure(builder, measure);
    memcpy(values->body, joint->body, sizeof values->body);
    hol_mark_value(builder->frames, &joint->place, values->at);
    return true;
}

void hol_driver_build_rate(HolBuilder *builder, const HolPart *part, const HolSpeedValues *values, bool angle)
{
    HolSpeedValues v = *values;
    HolSpeed speed;
    const HolJoint *joint = &builder->mechanism->joints[v.joint];
    if (!hol_read_rate(builder, part, angle ? "angle-rate" : "displacement-rate", &v, angle, &speed) ||
        !hol_speed_starts(builder, part, &v.value))
        return;
    hol_joint_connects(builder, v.body[0], v.body[1], v.at);
    builder->joint->axis = joint->axis;
    builder->joint->side = joint->side;
    builder->joint->has_axis = joint->has_axis;
    hol_row_velocity(builder, &speed, 1, &v.value, "driven");
}
