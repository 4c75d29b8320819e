/* SPDX-License-Identifier: BSD-3-Clause */
/* A ball in a socket: the points coincide. */
#include "mechanism/joints/rows.h"

static void build(HolBuilder *builder, const HolPart *part, const void *values)
{
    (void)part;
    const HolJointValues *v = values;
    hol_joint_connects(builder, v->body[0], v->body[1], v->at);
    hol_row_coincide(builder, v->body[0], v->body[1], v->at);
}

static const HolField fields[] = {HOL_CONNECTS("spherical"), HOL_AT};

const HolJointKind hol_spherical = {
    .name = "spherical",
    .title = "a ball in a socket: a point in common",
    .connects = "[body, body]",
    .spatial = true,
    .fields = fields,
    .field_count = sizeof fields / sizeof fields[0],
    .size = sizeof(HolJointValues),
    .build = build,
};
