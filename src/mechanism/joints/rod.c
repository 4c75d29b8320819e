/* SPDX-License-Identifier: BSD-3-Clause */
/* A slender rod with mass between two points, whose distance L is constant as in the joint `distance`. The mass m is
 * uniformly distributed, and every point of the rod is a weighted mean of its ends, so that
 *
 *     T = m (v_0^2 + v_0.v_1 + v_1^2) / 6,     V = -m g.(x_0 + x_1) / 2                                    (1)
 *
 * which in natural coordinates is a constant mass matrix. */
#include "mechanism/joints/rows.h"

typedef struct Values {
    HolLineValues line;
    double mass;
} Values;

static void rod_build(HolBuilder *builder, const HolPart *part, const void *values)
{
    const Values *v = values;
    double length = hol_line_length(builder, part, &v->line, "");
    if (!(length > 0))
        return;
    if (!builder->mechanism->natural) {
        hol_reader_error(builder->reader, part->node->place,
                         "a rod with mass needs natural coordinates: 'run: {coordinates: natural}'");
        return;
    }
    int square = hol_row_line(builder, &v->line, length, &(HolFunction){.constant = length}, "distance");
    hol_rod_add(builder, square, v->mass);
}

static const HolField fields[] = {
    HOL_LINE_FIELDS("rod", "the two bodies at its ends"),
    {"mass", HOL_FIELD_NUMBER, offsetof(Values, mass), .needed = true, .unit = "kg", .rule = HOL_POSITIVE,
     .help = "mass of the rod"},
    HOL_JOINT_FIELDS,
};

static const HolSample samples[] = {
    {"{rod: [a, b], from: P, to: Q, mass: 3}", HOL_EVERYWHERE, 1, 0},
    {"{rod: [ground, b], from: P, to: Q, mass: 3}", HOL_EVERYWHERE, 1, 0},
};

const HolJointKind hol_rod = {
    .kind = {"rod", "a slender rod with mass between two points (natural coordinates)", "[body, body]", HOL_EVERYWHERE,
             HOL_FIELDS(fields, Values), HOL_SAMPLES(samples), .natural = true},
    .build = rod_build,
};
