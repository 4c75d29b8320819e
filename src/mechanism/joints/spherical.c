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

static const HolField fields[] = {HOL_CONNECTS("spherical"), HOL_AT, HOL_JOINT_FIELDS};

const HolJointKind hol_spherical = {
    .kind = {"spherical", "a ball in a socket: a point in common", "[body, body]", HOL_IN_SPACE,
             HOL_FIELDS(fields, HolJointValues)},
    .build = build,
};
