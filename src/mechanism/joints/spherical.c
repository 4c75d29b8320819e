/* SPDX-License-Identifier: BSD-3-Clause */
/* A ball in a socket: the bodies share a point. */
#include "mechanism/joints/rows.h"

static void spherical_build(HolBuilder *builder, const HolPart *part, const void *values)
{
    (void)part;
    const HolJointValues *v = values;
    hol_joint_connects(builder, v->body[0], v->body[1], v->at);
    hol_row_coincide(builder, v->body[0], v->body[1], v->at);
}

static const HolField fields[] = {HOL_CONNECTS("spherical"), HOL_AT, HOL_JOINT_FIELDS};

static const HolSample samples[] = {
    {"{spherical: [a, b], at: P}", HOL_IN_SPACE, 3, 0},
};

const HolJointKind hol_spherical = {
    .kind = {"spherical", "a ball in a socket: the bodies share a point", "[body, body]", HOL_IN_SPACE,
             HOL_FIELDS(fields, HolJointValues), HOL_SAMPLES(samples)},
    .build = spherical_build,
};
