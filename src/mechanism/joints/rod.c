/* SPDX-License-Identifier: BSD-3-Clause */
/* A slender rod with mass between two points, which keep their distance L as in the joint `distance`. The mass m is
 * spread evenly, so that every point of the rod is a mean of its ends and
 *
 *     T = m (v_0^2 + v_0.v_1 + v_1^2) / 6,     V = -m g.(x_0 + x_1) / 2                                    (1)
 *
 * which in natural coordinates is a constant mass matrix. */
#include "mechanism/joints/rows.h"

#include <math.h>

typedef struct Values {
    HolJointGiven given;
    int body[2];
    double from[3], to[3], mass;
} Values;

static void build(HolBuilder *builder, const HolPart *part, const void *values)
{
    const Values *v = values;
    double d[3] = {v->to[0] - v->from[0], v->to[1] - v->from[1], v->to[2] - v->from[2]};
    double length = sqrt(hol_dot3(d, d));
    if (!(length > 1e-12)) {
        hol_reader_error(builder->reader, hol_part_place(part, "to"), "'from' and 'to' are at the same place");
        return;
    }
    if (!builder->mechanism->natural) {
        hol_reader_error(builder->reader, part->node->place,
                         "a rod with mass needs natural coordinates: 'run: {coordinates: natural}'");
        return;
    }
    hol_joint_connects(builder, v->body[0], v->body[1], v->to);
    hol_joint_rod(builder, v->from);
    int square = hol_build_square(builder, v->body[0], v->body[1], v->from, v->to, length);
    hol_row_length(builder, square, &(HolFunction){.constant = length}, "distance");
    hol_build_rod(builder, square, v->mass);
}

static const HolField fields[] = {
    {"rod", HOL_FIELD_BODIES, offsetof(Values, body), .needed = true, .help = "the two bodies at its ends"},
    {"from", HOL_FIELD_POINT, offsetof(Values, from), .needed = true, .unit = "m", .help = "a point of the first body"},
    {"to", HOL_FIELD_POINT, offsetof(Values, to), .needed = true, .unit = "m", .help = "a point of the second body"},
    {"mass", HOL_FIELD_NUMBER, offsetof(Values, mass), .needed = true, .unit = "kg", .rule = HOL_POSITIVE,
     .help = "of the rod"},
    HOL_JOINT_FIELDS,
};

const HolJointKind hol_rod = {
    .kind = {"rod", "a slender rod with mass between two points (natural coordinates)", "[body, body]", HOL_EVERYWHERE,
             HOL_FIELDS(fields, Values)},
    .build = build,
};
