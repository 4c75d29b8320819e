/* SPDX-License-Identifier: BSD-3-Clause */
/* Two directions keep the angle between them: a . b = cos(angle). The gradient vanishes where they are parallel. */
#include "base/tolerances.h"
#include "mechanism/joints/rows.h"

typedef struct Values {
    HolJointGiven given;
    int body[2];
    double axes[2][3];
} Values;

static const double SMALLEST_SINE = HOL_TOL_PARALLEL;

static void constant_angle_build(HolBuilder *builder, const HolPart *part, const void *values)
{
    const Values *v = values;
    double cosine = hol_dot3(v->axes[0], v->axes[1]);
    if (1 - cosine * cosine < SMALLEST_SINE * SMALLEST_SINE) {
        hol_reader_error(
            builder->reader, hol_part_place(part, "axes"),
            "its two axes are parallel, where this constraint is singular; use a joint that keeps axes parallel");
        return;
    }
    int moving = v->body[1] > 0 ? v->body[1] : v->body[0];
    hol_joint_connects(builder, v->body[0], v->body[1], builder->frames[moving].r);
    hol_joint_axis(builder, v->axes[0]);
    hol_row_equals(builder, hol_measure_add_dot(builder, v->body[0], v->body[1], v->axes[0], v->axes[1]), cosine,
                   "angle between the axes");
}

static const HolField fields[] = {
    {"constant-angle", HOL_FIELD_BODIES, offsetof(Values, body), .needed = true, .help = "the two bodies"},
    {"axes", HOL_FIELD_DIRECTIONS, offsetof(Values, axes), .needed = true,
     .help = "a direction of the first body and one of the second"},
    HOL_JOINT_FIELDS,
};

static const HolSample samples[] = {
    {"{constant-angle: [a, b], axes: [[1, 3, 2], [0, 1, -1]]}", HOL_IN_SPACE, 1, 0},
};

const HolJointKind hol_constant_angle = {
    .kind = {"constant-angle", "the angle between a direction of the first body and one of the second is constant",
             "[body, body]", HOL_IN_SPACE, HOL_FIELDS(fields, Values), HOL_SAMPLES(samples)},
    .build = constant_angle_build,
};
