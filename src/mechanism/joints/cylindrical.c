/* SPDX-License-Identifier: BSD-3-Clause */
/* A rod in a sleeve: the bodies share an axis, along and about which the second one is free. */
#include "mechanism/joints/rows.h"

static void cylindrical_build(HolBuilder *builder, const HolPart *part, const void *values)
{
    (void)part;
    const HolJointValues *v = values;
    hol_joint_connects(builder, v->body[0], v->body[1], v->at);
    hol_joint_axis(builder, v->axis);
    hol_rows_on_axis(builder, v->body, v->axis, v->at, v->at);
    hol_rows_parallel(builder, v->body, v->axis);
    hol_joint_measures(builder, hol_measure_add_angle(builder, v->body[0], v->body[1], v->axis),
                       hol_measure_add_offset(builder, v->body[0], v->body[1], v->axis, v->at, v->at));
}

static const HolField fields[] = {HOL_CONNECTS("cylindrical"), HOL_AT, HOL_AXIS(HOL_EVERYWHERE), HOL_JOINT_FIELDS};

static const HolSample samples[] = {
    {"{cylindrical: [a, b], at: P, axis: [1, 1, 0]}", HOL_IN_SPACE, 4, 0},
};

const HolJointKind hol_cylindrical = {
    .kind = {"cylindrical",
             "a rod in a sleeve: the second body rotates about and translates along an axis of the first",
             "[body, body]", HOL_IN_SPACE, HOL_FIELDS(fields, HolJointValues), HOL_SAMPLES(samples)},
    .build = cylindrical_build,
};
