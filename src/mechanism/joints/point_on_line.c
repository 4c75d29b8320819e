/* SPDX-License-Identifier: BSD-3-Clause */
/* A pin in a slot: a point of the second body stays on a line of the first. */
#include "mechanism/joints/rows.h"

typedef struct Values {
    HolJointValues joint;
    double through[3];
} Values;

enum { THROUGH = 3 };

static void point_on_line_build(HolBuilder *builder, const HolPart *part, const void *values)
{
    const HolJointValues *v = values;
    const double *through = part->given >> THROUGH & 1 ? ((const Values *)values)->through : v->at;
    hol_joint_connects(builder, v->body[0], v->body[1], v->at);
    hol_joint_axis(builder, v->axis);
    if (builder->mechanism->planar) {
        const double normal[3] = {-v->axis[1], v->axis[0], 0};
        hol_row_equals(builder, hol_measure_add_offset(builder, v->body[0], v->body[1], normal, through, v->at), 0,
                       "distance from the line");
    } else {
        hol_rows_on_axis(builder, v->body, v->axis, through, v->at);
    }
    hol_joint_measures(builder, -1, hol_measure_add_offset(builder, v->body[0], v->body[1], v->axis, v->at, v->at));
}

static const HolField fields[] = {
    HOL_CONNECTS("point-on-line"),
    HOL_AT,
    HOL_AXIS(HOL_EVERYWHERE),
    {"through", HOL_FIELD_POINT, offsetof(Values, through), .unit = "m", .fallback = "at",
     .help = "a point of the line, which belongs to the first body"},
    HOL_JOINT_FIELDS,
};

static const HolSample samples[] = {
    {"{point-on-line: [a, b], at: P, axis: [1, 3]}", HOL_IN_PLANE, 1, 0},
    {"{point-on-line: [a, b], at: P, axis: [1, 3, 2]}", HOL_IN_SPACE, 2, 0},
};

const HolJointKind hol_point_on_line = {
    .kind = {"point-on-line", "a pin in a slot: a point of the second body stays on a line of the first",
             "[body, body]", HOL_EVERYWHERE, HOL_FIELDS(fields, Values), HOL_SAMPLES(samples)},
    .build = point_on_line_build,
};
