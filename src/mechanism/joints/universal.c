/* SPDX-License-Identifier: BSD-3-Clause */
/* A Cardan joint: the bodies share a point, and an axis of one stays normal to an axis of the other. */
#include "base/tolerances.h"
#include "mechanism/joints/rows.h"

#include <math.h>

typedef struct Values {
    HolJointValues joint;
    double axes[2][3];
} Values;

static const double LARGEST_COSINE = HOL_TOL_SMALL;

static void universal_build(HolBuilder *builder, const HolPart *part, const void *values)
{
    const HolJointValues *v = values;
    const Values *u = values;
    double cosine = hol_dot3(u->axes[0], u->axes[1]);
    if (fabs(cosine) > LARGEST_COSINE) {
        hol_reader_error(builder->reader, hol_part_place(part, "axes"),
                         "its two axes must be normal to each other, but the angle between them is %.4g degrees",
                         acos(fmin(1, fabs(cosine))) * 180 / M_PI);
        return;
    }
    hol_joint_connects(builder, v->body[0], v->body[1], v->at);
    hol_joint_axis(builder, u->axes[0]);
    hol_row_coincide(builder, v->body[0], v->body[1], v->at);
    hol_row_equals(builder, hol_measure_add_dot(builder, v->body[0], v->body[1], u->axes[0], u->axes[1]), 0,
                   "angle between the axes");
}

static const HolField fields[] = {
    HOL_CONNECTS("universal"),
    HOL_AT,
    {"axes", HOL_FIELD_DIRECTIONS, offsetof(Values, axes), .needed = true,
     .help = "an axis of the first body and one of the second, normal to each other"},
    HOL_JOINT_FIELDS,
};

static const HolSample samples[] = {
    {"{universal: [a, b], at: P, axes: [[1, 1, 0], [1, -1, 2]]}", HOL_IN_SPACE, 4, 0},
};

const HolJointKind hol_universal = {
    .kind = {"universal",
             "a Cardan joint: the bodies share a point, and an axis of one stays normal to an axis of the other",
             "[body, body]", HOL_IN_SPACE, HOL_FIELDS(fields, Values), HOL_SAMPLES(samples)},
    .build = universal_build,
};
