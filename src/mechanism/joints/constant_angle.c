/* SPDX-License-Identifier: BSD-3-Clause */
/* Two directions keep the angle between them: a . b = cos(angle). Where they are parallel this has no gradient. */
#include "mechanism/joints/rows.h"

#include <math.h>

typedef struct Values {
    HolJointGiven given;
    int body[2];
    double axes[2][3];
} Values;

static const double SMALLEST_SINE = 1e-6;

static void build(HolBuilder *builder, const HolPart *part, const void *values)
{
    const Values *v = values;
    double cosine = hol_dot3(v->axes[0], v->axes[1]);
    if (1 - cosine * cosine < SMALLEST_SINE * SMALLEST_SINE) {
        hol_reader_error(
            builder->reader, hol_part_place(part, "axes"),
            "its two axes are parallel, where this joint has no grip; use a joint that keeps axes parallel");
        return;
    }
    int moving = v->body[1] > 0 ? v->body[1] : v->body[0];
    hol_joint_connects(builder, v->body[0], v->body[1], builder->frames[moving].r);
    hol_joint_axis(builder, v->axes[0]);
    hol_row_equals(builder, hol_build_dot(builder, v->body[0], v->body[1], v->axes[0], v->axes[1]), cosine,
                   "angle of the axes");
}

static const HolField fields[] = {
    {"constant-angle", HOL_FIELD_BODIES, offsetof(Values, body), .needed = true, .help = "the two bodies"},
    {"axes", HOL_FIELD_DIRECTIONS, offsetof(Values, axes), .needed = true,
     .help = "a direction of the first body and one of the second"},
    HOL_JOINT_FIELDS,
};

const HolJointKind hol_constant_angle = {
    .kind = {"constant-angle", "a direction of the first body and one of the second keep their angle", "[body, body]",
             HOL_IN_SPACE, HOL_FIELDS(fields, Values)},
    .build = build,
};
