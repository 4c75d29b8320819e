/* SPDX-License-Identifier: BSD-3-Clause */
/* A plate on a table: a plane of the second body slides in a plane of the first. */
#include "mechanism/joints/rows.h"

static void planar_build(HolBuilder *builder, const HolPart *part, const void *values)
{
    (void)part;
    const HolJointValues *v = values;
    hol_joint_connects(builder, v->body[0], v->body[1], v->at);
    hol_joint_axis(builder, v->axis);
    int distance = hol_measure_add_offset(builder, v->body[0], v->body[1], v->axis, v->at, v->at);
    hol_row_equals(builder, distance, 0, "distance from the plane");
    hol_rows_parallel(builder, v->body, v->axis);
}

static const HolField fields[] = {
    HOL_CONNECTS("planar"),
    HOL_AT,
    {"normal", HOL_FIELD_DIRECTION, offsetof(HolJointValues, axis), .needed = true,
     .help = "the direction normal to the plane"},
    HOL_JOINT_FIELDS,
};

static const HolSample samples[] = {
    {"{planar: [a, b], at: P, normal: [1, 1, 4]}", HOL_IN_SPACE, 3, 0},
};

const HolJointKind hol_planar = {
    .kind = {"planar", "a plate on a table: a plane of the second body slides in one of the first", "[body, body]",
             HOL_IN_SPACE, HOL_FIELDS(fields, HolJointValues), HOL_SAMPLES(samples)},
    .build = planar_build,
};
