/* SPDX-License-Identifier: BSD-3-Clause */
/* A slide: the point stays on a line of the first body, and the bodies do not rotate relative to each other. */
#include "mechanism/joints/rows.h"

static void prismatic_build(HolBuilder *builder, const HolPart *part, const void *values)
{
    (void)part;
    const HolJointValues *v = values;
    hol_joint_connects(builder, v->body[0], v->body[1], v->at);
    hol_joint_axis(builder, v->axis);
    if (builder->mechanism->planar) {
        const double normal[3] = {-v->axis[1], v->axis[0], 0};
        hol_row_equals(builder, hol_measure_add_offset(builder, v->body[0], v->body[1], normal, v->at, v->at), 0,
                       "across the axis");
    } else {
        hol_rows_on_axis(builder, v->body, v->axis, v->at, v->at);
    }
    hol_rows_no_rotation(builder, v->body);
    hol_joint_measures(builder, -1, hol_measure_add_offset(builder, v->body[0], v->body[1], v->axis, v->at, v->at));
}

static const HolField fields[] = {HOL_CONNECTS("prismatic"), HOL_AT, HOL_AXIS(HOL_EVERYWHERE), HOL_JOINT_FIELDS};

static const HolSample samples[] = {
    {"{prismatic: [a, b], at: P, axis: [1, 1]}", HOL_IN_PLANE, 2, 0},
    {"{prismatic: [a, b], at: P, axis: [1, 1, 0]}", HOL_IN_SPACE, 5, 0},
};

const HolJointKind hol_prismatic = {
    .kind = {"prismatic", "a slide: the second body translates along an axis of the first", "[body, body]",
             HOL_EVERYWHERE, HOL_FIELDS(fields, HolJointValues), HOL_SAMPLES(samples)},
    .build = prismatic_build,
};
