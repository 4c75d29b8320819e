/* SPDX-License-Identifier: BSD-3-Clause */
/* The bodies move against each other but do not turn. */
#include "mechanism/joints/rows.h"

static void build(HolBuilder *builder, const HolPart *part, const void *values)
{
    (void)part;
    const HolJointValues *v = values;
    int moving = v->body[1] > 0 ? v->body[1] : v->body[0];
    hol_joint_connects(builder, v->body[0], v->body[1], builder->frames[moving].r);
    hol_rows_no_turning(builder, v->body);
}

static const HolField fields[] = {HOL_CONNECTS("lock-angle"), HOL_JOINT_FIELDS};

const HolJointKind hol_lock_angle = {
    .kind = {"lock-angle", "the second body does not turn against the first", "[body, body]", HOL_EVERYWHERE,
             HOL_FIELDS(fields, HolJointValues)},
    .build = build,
};
