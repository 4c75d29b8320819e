/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanism/joints/velocities.h"

#include <string.h>

enum { AT = 1 };

const char *const hol_direction_carriers[] = {"first", "second", NULL};

HolSpeed hol_read_point_velocity(const HolBuilder *builder, const HolPart *part, HolVelocityValues *values)
{
    const int *body = values->body;
    if (!(part->given >> AT & 1))
        memcpy(values->at, builder->frames[body[1]].r, sizeof values->at);
    return hol_speed_of_point(builder, body[0], body[1], body[values->fixed_in], values->direction, values->at);
}

HolSpeed hol_read_angular_velocity(const HolBuilder *builder, HolVelocityValues *values)
{
    const int *body = values->body;
    if (builder->mechanism->planar)
        memcpy(values->direction, (double[]){0, 0, 1}, sizeof values->direction);
    memcpy(values->at, builder->frames[body[1] > 0 ? body[1] : body[0]].r, sizeof values->at);
    return hol_speed_of_turning(builder, body[0], body[1], body[values->fixed_in], values->direction);
}

bool hol_read_rate(const HolBuilder *builder, const HolPart *part, const char *key, HolVelocityValues *values,
                   bool angle, HolSpeed *speed)
{
    const HolJoint *joint = &builder->mechanism->joints[values->joint];
    int measure = hol_joint_measure(builder, part, key, values->joint, angle);
    if (measure < 0)
        return false;
    *speed = hol_speed_of_measure(builder, measure);
    memcpy(values->body, joint->body, sizeof values->body);
    hol_mark_value(builder->frames, &joint->place, values->at);
    return true;
}
