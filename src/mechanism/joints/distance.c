/* SPDX-License-Identifier: BSD-3-Clause */
/* A massless rod: the distance L of two points is constant. The multiplier of (|d|^2 - L^2) / (2 L) = 0 is the force
 * in the rod. */
#include "mechanism/joints/rows.h"

typedef struct Values {
    HolLineValues line;
    double length;
} Values;

enum { LENGTH = 3 };

static void distance_build(HolBuilder *builder, const HolPart *part, const void *values)
{
    const Values *v = values;
    double drawn = hol_line_length(builder, part, &v->line, "; use a revolute or spherical joint");
    double length = part->given >> LENGTH & 1 ? v->length : drawn;
    if (drawn > 0)
        hol_row_line(builder, &v->line, length, &(HolFunction){.constant = length}, "distance");
}

static const HolField fields[] = {
    HOL_LINE_FIELDS("distance", "the two bodies"),
    {"length", HOL_FIELD_NUMBER, offsetof(Values, length), .unit = "m", .rule = HOL_POSITIVE, .fallback = "as drawn",
     .help = "the distance between the points"},
    HOL_JOINT_FIELDS,
};

static const HolSample samples[] = {
    {"{distance: [a, b], from: P, to: Q}", HOL_EVERYWHERE, 1, 0},
};

const HolJointKind hol_distance = {
    .kind = {"distance", "a massless rod: the distance between two points is constant", "[body, body]", HOL_EVERYWHERE,
             HOL_FIELDS(fields, Values), HOL_SAMPLES(samples)},
    .build = distance_build,
};
