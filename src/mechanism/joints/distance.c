/* SPDX-License-Identifier: BSD-3-Clause */
/* A massless rod: two points keep their distance L. The row is (|d|^2 - L^2) / (2 L), so that its multiplier is the
 * force in the rod. */
#include "mechanism/joints/rows.h"

#include <math.h>

typedef struct Values {
    HolJointGiven given;
    int body[2];
    double from[3], to[3], length;
} Values;

enum { LENGTH = 3 };

static void build(HolBuilder *builder, const HolPart *part, const void *values)
{
    const Values *v = values;
    double d[3] = {v->to[0] - v->from[0], v->to[1] - v->from[1], v->to[2] - v->from[2]};
    double drawn = sqrt(hol_dot3(d, d));
    double length = part->given >> LENGTH & 1 ? v->length : drawn;
    if (!(drawn > 1e-12)) {
        hol_reader_error(builder->reader, hol_part_place(part, "to"),
                         "'from' and 'to' are at the same place; use a revolute or spherical joint");
        return;
    }
    hol_joint_connects(builder, v->body[0], v->body[1], v->to);
    hol_joint_rod(builder, v->from);
    int square = hol_build_square(builder, v->body[0], v->body[1], v->from, v->to, length);
    hol_row_length(builder, square, &(HolFunction){.constant = length}, "distance");
}

static const HolField fields[] = {
    {"distance", HOL_FIELD_BODIES, offsetof(Values, body), .needed = true, .help = "the two bodies"},
    {"from", HOL_FIELD_POINT, offsetof(Values, from), .needed = true, .unit = "m", .help = "a point of the first body"},
    {"to", HOL_FIELD_POINT, offsetof(Values, to), .needed = true, .unit = "m", .help = "a point of the second body"},
    {"length", HOL_FIELD_NUMBER, offsetof(Values, length), .unit = "m", .rule = HOL_POSITIVE, .fallback = "as drawn",
     .help = "their distance"},
    HOL_JOINT_FIELDS,
};

const HolJointKind hol_distance = {
    .kind = {"distance", "a massless rod: two points keep their distance", "[body, body]", HOL_EVERYWHERE,
             HOL_FIELDS(fields, Values)},
    .build = build,
};
