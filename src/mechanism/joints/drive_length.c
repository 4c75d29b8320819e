/* SPDX-License-Identifier: BSD-3-Clause */
/* A hydraulic cylinder without mass: the distance of two points is a function L of time. The row is
 * (|d|^2 - L^2) / (2 L0) with L0 the length as drawn. */
#include "mechanism/joints/drivers.h"

#include <math.h>

typedef struct Values {
    HolJointGiven given;
    int body[2];
    double from[3], to[3];
    HolFunction value;
} Values;

static void build(HolBuilder *builder, const HolPart *part, const void *values)
{
    const Values *v = values;
    double d[3] = {v->to[0] - v->from[0], v->to[1] - v->from[1], v->to[2] - v->from[2]};
    double drawn = sqrt(hol_dot3(d, d));
    if (!(drawn > 1e-12)) {
        hol_reader_error(builder->reader, hol_part_place(part, "to"),
                         "'from' and 'to' are at the same place, so that the length has no direction");
        return;
    }
    if (!hol_driver_starts(builder, part, &v->value))
        return;
    double start = hol_function_at(&v->value, 0).f;
    if (!(start > 0)) {
        hol_reader_error(builder->reader, hol_part_place(part, "value"),
                         "'value' must be positive at the start (t = 0), not %g", start);
        return;
    }
    hol_joint_connects(builder, v->body[0], v->body[1], v->to);
    hol_joint_rod(builder, v->from);
    hol_row_length(builder, hol_build_square(builder, v->body[0], v->body[1], v->from, v->to, drawn), &v->value,
                   "length");
}

static const HolField fields[] = {
    {"length", HOL_FIELD_BODIES, offsetof(Values, body), .needed = true, .help = "the two bodies"},
    {"from", HOL_FIELD_POINT, offsetof(Values, from), .needed = true, .unit = "m", .help = "a point of the first body"},
    {"to", HOL_FIELD_POINT, offsetof(Values, to), .needed = true, .unit = "m", .help = "a point of the second body"},
    {"value", HOL_FIELD_FUNCTION, offsetof(Values, value), .needed = true, .unit = "m", .rule = HOL_POSITIVE,
     .names = hol_driver_variables, .help = "their distance as a function of t"},
    HOL_JOINT_FIELDS,
};

const HolJointKind hol_drive_length = {
    .kind = {"length", "an actuator without mass: the distance of two points is a function of time", "[body, body]",
             HOL_EVERYWHERE, HOL_FIELDS(fields, Values)},
    .build = build,
};
