/* SPDX-License-Identifier: BSD-3-Clause */
/* A rack and its pinion: s - R angle is constant for the displacement s, written as R wrap(s / R - angle). */
#include "mechanism/joints/rows.h"

typedef struct Values {
    HolJointGiven given;
    int joint[2];
    double radius;
} Values;

static void rack_build(HolBuilder *builder, const HolPart *part, const void *values)
{
    const Values *v = values;
    const HolJoint *pinion = &builder->mechanism->joints[v->joint[0]],
                   *slide = &builder->mechanism->joints[v->joint[1]];
    if (pinion->is_broken || slide->is_broken)
        return;
    if (pinion->angle < 0 || slide->displacement < 0) {
        hol_reader_error(builder->reader, hol_part_place(part, "rack"),
                         "it needs a joint with an angle, then one with a displacement; '%s' is %s and '%s' is %s",
                         pinion->name, pinion->kind, slide->name, slide->kind);
        return;
    }
    if (v->radius == 0) {
        hol_reader_error(builder->reader, hol_part_place(part, "radius"), "'radius' must not be zero");
        return;
    }
    const int measure[2] = {slide->displacement, pinion->angle};
    const double k[2] = {1 / v->radius, -1};
    int a = pinion->body[1] ? pinion->body[1] : pinion->body[0], b = slide->body[1] ? slide->body[1] : slide->body[0];
    hol_joint_connects(builder, a, b, builder->frames[b].r);
    hol_row_couples(builder, measure, k, hol_builder_angles_wrap(builder), v->radius, "mesh");
}

static const HolField fields[] = {
    {"rack", HOL_FIELD_JOINTS, offsetof(Values, joint), .needed = true,
     .help = "a joint that has an angle, then one that has a displacement"},
    {"radius", HOL_FIELD_NUMBER, offsetof(Values, radius), .needed = true, .unit = "m",
     .help = "displacement = radius times angle; may be negative"},
    HOL_JOINT_FIELDS,
};

static const HolSample samples[] = {
    {"{rack: [pin_a, slide], radius: 0.3}", HOL_EVERYWHERE, 1, 0},
};

const HolJointKind hol_rack = {
    .kind = {"rack", "a rack and its pinion: the displacement of one joint follows the angle of another",
             "[joint, joint]", HOL_EVERYWHERE, HOL_FIELDS(fields, Values), HOL_SAMPLES(samples)},
    .build = rack_build,
};
