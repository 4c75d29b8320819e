/* SPDX-License-Identifier: BSD-3-Clause */
/* A blade, a skate, a wheel that steers: a point of the second body does not move sideways of its edge, in a plane of
 * the first. One velocity row; what keeps the point in the plane is another joint. */
#include "mechanism/joints/rows.h"

#include <string.h>

typedef struct Values {
    HolJointGiven given;
    int body[2];
    double at[3], along[3], normal[3];
} Values;

enum { NORMAL = 3 };

/* Whether the edge has a side; else an error. */
static bool check(HolBuilder *builder, const HolPart *part, const Values *v)
{
    double side[3];
    hol_cross3(v->normal, v->along, side);
    if (hol_dot3(side, side) > 1e-12)
        return true;
    hol_reader_error(builder->reader, hol_part_place(part, "along"),
                     "the edge stands upright on the plane; 'along' must not be normal to it");
    return false;
}

static void build(HolBuilder *builder, const HolPart *part, const void *values)
{
    static const HolFunction zero = {0};
    Values v = *(const Values *)values;
    int a = v.body[0], b = v.body[1];
    if (!(part->given >> NORMAL & 1))
        memcpy(v.normal, (double[]){0, 0, 1}, sizeof v.normal);
    if (!check(builder, part, &v))
        return;
    const double side[3] = {-v.along[1], v.along[0], 0};
    HolSpeed speed = builder->mechanism->planar ? hol_speed_of_point(builder, a, b, b, side, v.at)
                                                : hol_speed_sideways(builder, a, b, v.along, v.normal, v.at);
    hol_joint_connects(builder, a, b, v.at);
    hol_joint_axis_of_second(builder, v.along);
    hol_row_velocity(builder, &speed, 1, &zero, "sideways");
}

static const HolField fields[] = {
    {"knife-edge", HOL_FIELD_BODIES, offsetof(Values, body), .needed = true,
     .help = "the body with the plane, then the body with the edge"},
    {"at", HOL_FIELD_POINT, offsetof(Values, at), .needed = true, .unit = "m", .help = "the point of the edge"},
    {"along", HOL_FIELD_DIRECTION, offsetof(Values, along), .needed = true,
     .help = "the direction of the edge, on the second body"},
    {"normal", HOL_FIELD_DIRECTION, offsetof(Values, normal), .space = HOL_IN_SPACE, .fallback = "z",
     .help = "of the plane, on the first body"},
    HOL_JOINT_FIELDS,
};

const HolJointKind hol_knife_edge = {
    .kind = {"knife-edge", "a blade or skate: a point of the second body does not move sideways of its edge",
             "[body, body]", HOL_EVERYWHERE, HOL_FIELDS(fields, Values)},
    .build = build,
};
