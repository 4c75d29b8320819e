/* SPDX-License-Identifier: BSD-3-Clause */
/* A weld: nothing moves. */
#include "mechanism/joints/rows.h"

static void build(HolBuilder *builder, const HolPart *part, const void *values)
{
    (void)part;
    const HolJointValues *v = values;
    hol_joint_connects(builder, v->body[0], v->body[1], v->at);
    hol_row_coincide(builder, v->body[0], v->body[1], v->at);
    hol_rows_no_turning(builder, v->body);
}

static const HolField fields[] = {HOL_CONNECTS("fixed"), HOL_AT, HOL_JOINT_FIELDS};

const HolJointKind hol_fixed = {
    .kind = {"fixed", "a weld: the second body does not move against the first", "[body, body]", HOL_EVERYWHERE,
             HOL_FIELDS(fields, HolJointValues)},
    .build = build,
};
