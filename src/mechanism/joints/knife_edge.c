/* SPDX-License-Identifier: BSD-3-Clause */
/* A blade, a skate, a steered wheel: in a plane of the first body, the velocity of a point of the second has no
 * component across its edge. One nonholonomic constraint; another joint keeps the point in the plane. */
#include "base/tolerances.h"
#include "mechanism/joints/rows.h"

#include <string.h>

typedef struct Values {
    HolJointGiven given;
    int body[2];
    double at[3], along[3], normal[3];
} Values;

enum { NORMAL = 3 };

/* False after an error: an edge normal to the plane has no lateral direction. */
static bool knife_edge_check(HolBuilder *builder, const HolPart *part, const Values *v)
{
    double side[3];
    hol_cross3(v->normal, v->along, side);
    if (hol_dot3(side, side) > HOL_TOL_PARALLEL * HOL_TOL_PARALLEL)
        return true;
    return hol_reader_error(builder->reader, hol_part_place(part, "along"),
                            "the edge stands upright on the plane; 'along' must not be normal to it");
}

static void knife_edge_build(HolBuilder *builder, const HolPart *part, const void *values)
{
    static const HolFunction zero = {0};
    Values v = *(const Values *)values;
    int a = v.body[0], b = v.body[1];
    if (!(part->given >> NORMAL & 1))
        memcpy(v.normal, (double[]){0, 0, 1}, sizeof v.normal);
    if (!knife_edge_check(builder, part, &v))
        return;
    const double side[3] = {-v.along[1], v.along[0], 0};
    HolSpeed speed = builder->mechanism->planar ? hol_speed_of_point(builder, a, b, b, side, v.at)
                                                : hol_speed_sideways(builder, a, b, v.along, v.normal, v.at);
    hol_joint_connects(builder, a, b, v.at);
    hol_joint_axis_of_second(builder, v.along);
    hol_row_velocity(builder, &speed, 1, &zero, "lateral velocity");
}

static const HolField fields[] = {
    {"knife-edge", HOL_FIELD_BODIES, offsetof(Values, body), .needed = true,
     .help = "the body with the plane, then the body with the edge"},
    {"at", HOL_FIELD_POINT, offsetof(Values, at), .needed = true, .unit = "m", .help = "the contact point of the edge"},
    {"along", HOL_FIELD_DIRECTION, offsetof(Values, along), .needed = true,
     .help = "the direction of the edge, on the second body"},
    {"normal", HOL_FIELD_DIRECTION, offsetof(Values, normal), .space = HOL_IN_SPACE, .fallback = "z",
     .help = "normal of the plane, on the first body"},
    HOL_JOINT_FIELDS,
};

static const HolSample samples[] = {
    {"{knife-edge: [ground, b], at: Q, along: [1, 2]}", HOL_IN_PLANE, 1, 1},
    {"{knife-edge: [a, b], at: Q, along: x}", HOL_IN_PLANE, 1, 1},
    {"{knife-edge: [ground, b], at: Q, along: [1, 2, 0]}", HOL_IN_SPACE, 1, 1},
    {"{knife-edge: [a, b], at: Q, along: [1, 2, 1], normal: [1, 0, 3]}", HOL_IN_SPACE, 1, 1},
};

const HolJointKind hol_knife_edge = {
    .kind = {"knife-edge", "a blade or skate: a point of the second body has no velocity across its edge",
             "[body, body]", HOL_EVERYWHERE, HOL_FIELDS(fields, Values), HOL_SAMPLES(samples)},
    .build = knife_edge_build,
};
