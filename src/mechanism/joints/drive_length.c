/* SPDX-License-Identifier: BSD-3-Clause */
/* A massless hydraulic cylinder: the distance between two points is a function L of time. The constraint is (|d|^2 -
 * L^2) / (2 L0) = 0 with L0 the length as drawn. */
#include "mechanism/joints/drivers.h"
#include "mechanism/joints/rows.h"

typedef struct Values {
    HolLineValues line;
    HolFunction value;
} Values;

static void drive_length_build(HolBuilder *builder, const HolPart *part, const void *values)
{
    const Values *v = values;
    double drawn = hol_line_length(builder, part, &v->line, ", so that the length has no direction");
    if (!(drawn > 0))
        return;
    if (!hol_driver_starts(builder, part, &v->value, 2))
        return;
    double start = hol_function_at(&v->value, 0).f;
    if (!(start > 0)) {
        hol_reader_error(builder->reader, hol_part_place(part, "value"),
                         "'value' must be positive at the start (t = 0), not %g", start);
        return;
    }
    hol_row_line(builder, &v->line, drawn, &v->value, "length");
}

static const HolField fields[] = {
    HOL_LINE_FIELDS("length", "the two bodies"),
    {"value", HOL_FIELD_FUNCTION, offsetof(Values, value), .needed = true, .unit = "m", .rule = HOL_POSITIVE,
     .names = hol_driver_variables, .help = "the distance between the points as a function of t"},
    HOL_IMPULSE_FIELD,
    HOL_JOINT_FIELDS,
};

static const HolSample samples[] = {
    {"{length: [a, b], from: P, to: Q, value: sqrt(0.74) + 0.1*sin(3*t)}", HOL_IN_PLANE, 1, 0},
    {"{length: [a, b], from: P, to: Q, value: sqrt(0.83) + 0.1*sin(3*t)}", HOL_IN_SPACE, 1, 0},
    {"{length: [a, b], from: P, to: Q, value: 'sqrt(0.74) + max(0, t - 0.4)', impulse: true}", HOL_IN_PLANE, 1, 0},
};

const HolJointKind hol_drive_length = {
    .kind = {"length", "a massless actuator: the distance between two points is a function of time", "[body, body]",
             HOL_EVERYWHERE, HOL_FIELDS(fields, Values), HOL_SAMPLES(samples)},
    .build = drive_length_build,
};
