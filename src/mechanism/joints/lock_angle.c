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

static const HolField fields[] = {HOL_CONNECTS("lock-angle")};

const HolJointKind hol_lock_angle = {
    .name = "lock-angle",
    .title = "the second body does not turn against the first",
    .connects = "[body, body]",
    .planar = true,
    .spatial = true,
    .fields = fields,
    .field_count = sizeof fields / sizeof fields[0],
    .size = sizeof(HolJointValues),
    .build = build,
};
