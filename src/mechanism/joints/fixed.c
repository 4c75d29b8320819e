/* SPDX-License-Identifier: BSD-3-Clause */
/* A weld: the bodies do not move relative to each other. */
#include "mechanism/joints/rows.h"

static void fixed_build(HolBuilder *builder, const HolPart *part, const void *values)
{
    (void)part;
    const HolJointValues *v = values;
    hol_joint_connects(builder, v->body[0], v->body[1], v->at);
    hol_row_coincide(builder, v->body[0], v->body[1], v->at);
    hol_rows_no_rotation(builder, v->body);
}

static const HolField fields[] = {HOL_CONNECTS("fixed"), HOL_AT, HOL_JOINT_FIELDS};

static const HolSample samples[] = {
    {"{fixed: [a, b], at: P}", HOL_IN_PLANE, 3, 0},
    {"{fixed: [a, b], at: P}", HOL_IN_SPACE, 6, 0},
};

const HolJointKind hol_fixed = {
    .kind = {"fixed", "a weld: the second body does not move relative to the first", "[body, body]", HOL_EVERYWHERE,
             HOL_FIELDS(fields, HolJointValues), HOL_SAMPLES(samples)},
    .build = fixed_build,
};
