/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread: a cylindrical joint whose displacement s follows its angle, s = pitch angle / (2 pi). The angle is known
 * modulo a whole turn, so the constraint is written as p wrap(s / p - angle) with p = pitch / (2 pi). */
#include "mechanism/joints/rows.h"

#include <math.h>

typedef struct Values {
    HolJointValues joint;
    double pitch;
} Values;

static void screw_build(HolBuilder *builder, const HolPart *part, const void *values)
{
    const HolJointValues *v = values;
    double p = ((const Values *)values)->pitch / (2 * M_PI);
    if (p == 0) {
        hol_reader_error(builder->reader, hol_part_place(part, "pitch"),
                         "'pitch' must not be zero (use a revolute joint)");
        return;
    }
    hol_joint_connects(builder, v->body[0], v->body[1], v->at);
    hol_joint_axis(builder, v->axis);
    hol_rows_on_axis(builder, v->body, v->axis, v->at, v->at);
    hol_rows_parallel(builder, v->body, v->axis);
    int angle = hol_measure_add_angle(builder, v->body[0], v->body[1], v->axis);
    int displacement = hol_measure_add_offset(builder, v->body[0], v->body[1], v->axis, v->at, v->at);
    hol_row_couples(builder, (int[]){displacement, angle}, (double[]){1 / p, -1}, true, p, "advance");
    hol_joint_measures(builder, angle, displacement);
}

static const HolField fields[] = {
    HOL_CONNECTS("screw"),
    HOL_AT,
    HOL_AXIS(HOL_EVERYWHERE),
    {"pitch", HOL_FIELD_NUMBER, offsetof(Values, pitch), .needed = true, .unit = "m", .help = "advance per turn"},
    HOL_JOINT_FIELDS,
};

static const HolSample samples[] = {
    {"{screw: [a, b], at: P, axis: [1, 1, 0], pitch: 0.2}", HOL_IN_SPACE, 5, 0},
};

const HolJointKind hol_screw = {
    .kind = {"screw", "a thread: the second body advances along an axis of the first as it rotates about it",
             "[body, body]", HOL_IN_SPACE, HOL_FIELDS(fields, Values), HOL_SAMPLES(samples)},
    .build = screw_build,
};
