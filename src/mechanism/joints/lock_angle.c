/* SPDX-License-Identifier: BSD-3-Clause */
/* The bodies translate relative to each other but do not rotate. */
#include "mechanism/joints/rows.h"

static void lock_angle_build(HolBuilder *builder, const HolPart *part, const void *values)
{
    (void)part;
    const HolJointValues *v = values;
    int moving = v->body[1] > 0 ? v->body[1] : v->body[0];
    hol_joint_connects(builder, v->body[0], v->body[1], builder->frames[moving].r);
    hol_rows_no_rotation(builder, v->body);
}

static const HolField fields[] = {HOL_CONNECTS("lock-angle"), HOL_JOINT_FIELDS};

static const HolSample samples[] = {
    {"{lock-angle: [a, b]}", HOL_IN_PLANE, 1, 0},
    {"{lock-angle: [a, b]}", HOL_IN_SPACE, 3, 0},
};

const HolJointKind hol_lock_angle = {
    .kind = {"lock-angle", "the second body does not rotate relative to the first", "[body, body]", HOL_EVERYWHERE,
             HOL_FIELDS(fields, HolJointValues), HOL_SAMPLES(samples)},
    .build = lock_angle_build,
};
