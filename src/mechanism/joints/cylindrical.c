/* SPDX-License-Identifier: BSD-3-Clause */
/* A rod in a sleeve: one axis in common, along which and about which the second body is free. */
#include "mechanism/joints/rows.h"

static void build(HolBuilder *builder, const HolPart *part, const void *values)
{
    (void)part;
    const HolJointValues *v = values;
    hol_joint_connects(builder, v->body[0], v->body[1], v->at);
    hol_joint_axis(builder, v->axis);
    hol_rows_on_axis(builder, v->body, v->axis, v->at, v->at);
    hol_rows_parallel(builder, v->body, v->axis);
    hol_joint_freedoms(builder, hol_build_angle(builder, v->body[0], v->body[1], v->axis),
                       hol_build_offset(builder, v->body[0], v->body[1], v->axis, v->at, v->at));
}

static const HolField fields[] = {HOL_CONNECTS("cylindrical"), HOL_AT, HOL_AXIS(HOL_EVERYWHERE), HOL_JOINT_FIELDS};

const HolJointKind hol_cylindrical = {
    .kind = {"cylindrical", "a rod in a sleeve: the second body turns about and moves along an axis of the first",
             "[body, body]", HOL_IN_SPACE, HOL_FIELDS(fields, HolJointValues)},
    .build = build,
};
