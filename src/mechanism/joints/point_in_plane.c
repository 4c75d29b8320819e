/* SPDX-License-Identifier: BSD-3-Clause */
/* A point of the second body stays in a plane of the first. */
#include "mechanism/joints/rows.h"

typedef struct Values {
    HolJointValues joint;
    double through[3];
} Values;

enum { THROUGH = 3 };

static void point_in_plane_build(HolBuilder *builder, const HolPart *part, const void *values)
{
    const HolJointValues *v = values;
    const double *through = part->given >> THROUGH & 1 ? ((const Values *)values)->through : v->at;
    hol_joint_connects(builder, v->body[0], v->body[1], v->at);
    hol_joint_axis(builder, v->axis);
    hol_row_equals(builder, hol_measure_add_offset(builder, v->body[0], v->body[1], v->axis, through, v->at), 0,
                   "distance from the plane");
}

static const HolField fields[] = {
    HOL_CONNECTS("point-in-plane"),
    HOL_AT,
    {"normal", HOL_FIELD_DIRECTION, offsetof(HolJointValues, axis), .needed = true,
     .help = "the direction normal to the plane"},
    {"through", HOL_FIELD_POINT, offsetof(Values, through), .unit = "m", .fallback = "at",
     .help = "a point of the plane, which belongs to the first body"},
    HOL_JOINT_FIELDS,
};

static const HolSample samples[] = {
    {"{point-in-plane: [a, b], at: P, normal: [1, 3, 2]}", HOL_IN_SPACE, 1, 0},
};

const HolJointKind hol_point_in_plane = {
    .kind = {"point-in-plane", "a point of the second body stays in a plane of the first", "[body, body]", HOL_IN_SPACE,
             HOL_FIELDS(fields, Values), HOL_SAMPLES(samples)},
    .build = point_in_plane_build,
};
