/* SPDX-License-Identifier: BSD-3-Clause */
/* A pin: the points coincide, and in space the axes stay parallel. */
#include "mechanism/joints/rows.h"

static void revolute_build(HolBuilder *builder, const HolPart *part, const void *values)
{
    (void)part;
    const HolJointValues *v = values;
    hol_joint_connects(builder, v->body[0], v->body[1], v->at);
    if (!builder->mechanism->planar)
        hol_joint_axis(builder, v->axis);
    hol_row_coincide(builder, v->body[0], v->body[1], v->at);
    if (!builder->mechanism->planar)
        hol_rows_parallel(builder, v->body, v->axis);
    if (hol_builder_has_axes(builder, v->body[0]) && hol_builder_has_axes(builder, v->body[1]))
        hol_joint_measures(builder, hol_measure_add_angle(builder, v->body[0], v->body[1], v->axis), -1);
}

static const HolField fields[] = {HOL_CONNECTS("revolute"), HOL_AT, HOL_AXIS(HOL_IN_SPACE), HOL_JOINT_FIELDS};

static const HolSample samples[] = {
    {"{revolute: [a, b], at: P}", HOL_IN_PLANE, 2, 0},
    {"{revolute: [a, b], at: P, axis: [1, 0.2, 3]}", HOL_IN_SPACE, 5, 0},
};

const HolJointKind hol_revolute = {
    .kind = {"revolute", "a pin: the second body rotates about an axis of the first", "[body, body]", HOL_EVERYWHERE,
             HOL_FIELDS(fields, HolJointValues), HOL_SAMPLES(samples)},
    .build = revolute_build,
};
