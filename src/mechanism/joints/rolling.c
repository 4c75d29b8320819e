/* SPDX-License-Identifier: BSD-3-Clause */
/* Rolling without slip of the second body on the first: contact is a holonomic constraint, no slip two nonholonomic
 * ones. In the plane no slip is integrable: the path along the line plus radius times angle is constant. */
#include "base/tolerances.h"
#include "mechanism/joints/rows.h"
#include "mechanism/kinematics/rotation.h"

#include <string.h>

typedef struct Values {
    HolJointGiven given;
    int body[2];
    int shape;
    double radius, normal[3], through[3], at[3], axis[3], inside;
} Values;

enum { SHAPE_BALL, SHAPE_DISC };
enum { NORMAL = 3, THROUGH = 4, AT = 5, AXIS = 6, INSIDE = 7 };

static void build_in_plane(HolBuilder *builder, const Values *v)
{
    const double along[3] = {v->normal[1], -v->normal[0], 0}, z[3] = {0, 0, 1};
    int a = v->body[0], b = v->body[1];
    int height = hol_measure_add_offset(builder, a, b, v->normal, v->through, v->at);
    const int measure[2] = {hol_measure_add_offset(builder, a, b, along, v->through, v->at),
                            hol_measure_add_angle(builder, a, b, z)};
    const double k[2] = {1 / v->radius, 1};
    hol_row_equals(builder, height, v->radius, "contact");
    hol_row_couples(builder, measure, k, hol_builder_angles_wrap(builder), v->radius, "slip");
}

static void build_in_space(HolBuilder *builder, const Values *v, HolRollingShape shape)
{
    double t1[3], t2[3];
    int a = v->body[0], b = v->body[1];
    hol_triad_complete(v->normal, t1, t2);
    HolRolling rolling = {
        .shape = shape,
        .body = {a, b},
        .normal = hol_mark_direction(builder, a, v->normal),
        .tangent = {hol_mark_direction(builder, a, t1), hol_mark_direction(builder, a, t2)},
        .through = hol_mark_point(builder, a, v->through),
        .centre = hol_mark_point(builder, b, v->at),
        .axis = hol_mark_direction(builder, b, v->axis),
        .radius = v->radius,
        .sphere_radius = v->inside,
    };
    if (shape == HOL_BALL_ON_PLANE)
        hol_row_equals(builder, hol_measure_add_offset(builder, a, b, v->normal, v->through, v->at), v->radius,
                       "contact");
    if (shape == HOL_BALL_IN_SPHERE) {
        double gap = v->inside - v->radius;
        int square = hol_measure_add_square(builder, a, b, v->through, v->at, gap);
        hol_row_length(builder, square, &(HolFunction){.constant = gap}, "contact");
    }
    hol_row_rolls(builder, &rolling);
}

/* Defaults: an upward normal and the body's centre of mass. */
static void rolling_complete(const HolBuilder *builder, const HolPart *part, Values *v)
{
    bool planar = builder->mechanism->planar;
    if (!(part->given >> NORMAL & 1))
        memcpy(v->normal, planar ? (double[]){0, 1, 0} : (double[]){0, 0, 1}, sizeof v->normal);
    if (!(part->given >> AT & 1))
        memcpy(v->at, builder->frames[v->body[1]].r, sizeof v->at);
}

/* False after an error. */
static bool rolling_check(HolBuilder *builder, const HolPart *part, const Values *v)
{
    bool planar = builder->mechanism->planar, inside = part->given >> INSIDE & 1, disc = v->shape == SHAPE_DISC;
    const char *key = NULL, *mistake = NULL;
    if (v->body[1] == 0)
        key = "rolling", mistake = "the body that rolls is the second one; it cannot be the ground";
    else if (inside && (planar || disc))
        key = "inside", mistake = "'inside' is for a ball in a sphere, in a spatial model";
    else if (inside && v->inside <= v->radius)
        key = "inside", mistake = "the ball is not smaller than the sphere it rolls in";
    else if (!planar && disc && !(part->named >> AXIS & 1))
        key = "shape", mistake = "a disc needs its 'axis'";
    else if (!disc && part->given >> AXIS & 1)
        key = "axis", mistake = "a ball has no 'axis'; give 'shape: disc' for a disc";
    if (mistake)
        hol_reader_error(builder->reader, hol_part_place(part, key), "%s", mistake);
    return !mistake;
}

/* False after an error: as drawn, the contact point must be unique. */
static bool check_contact(HolBuilder *builder, const HolPart *part, const Values *v)
{
    double cosine = hol_dot3(v->axis, v->normal);
    if (part->given >> INSIDE & 1 && hol_is_same_place(builder->reader, v->at, v->through))
        return hol_reader_error(
            builder->reader, hol_part_place(part, "through"),
            "the ball is drawn in the centre of the sphere, so that its contact point is undefined; move one of them");
    if (v->shape == SHAPE_DISC && 1 - cosine * cosine < HOL_TOL_PARALLEL * HOL_TOL_PARALLEL)
        return hol_reader_error(builder->reader, hol_part_place(part, "axis"),
                                "the disc lies flat on the plane; its axis must not be normal to the plane");
    return true;
}

static void rolling_build(HolBuilder *builder, const HolPart *part, const void *values)
{
    Values v = *(const Values *)values;
    bool planar = builder->mechanism->planar;
    if (!rolling_check(builder, part, &v))
        return;
    rolling_complete(builder, part, &v);
    if (!planar && !check_contact(builder, part, &v))
        return;
    hol_joint_connects(builder, v.body[0], v.body[1], v.at);
    builder->joint->normal = hol_mark_direction(builder, v.body[0], v.normal);
    hol_joint_axis(builder, v.normal);
    builder->joint->radius = v.radius;
    if (planar)
        build_in_plane(builder, &v);
    else
        build_in_space(builder, &v,
                       part->given >> INSIDE & 1 ? HOL_BALL_IN_SPHERE
                       : v.shape == SHAPE_DISC   ? HOL_DISC_ON_PLANE
                                                 : HOL_BALL_ON_PLANE);
}

static const char *const shapes[] = {"ball", "disc", NULL};

static const HolField fields[] = {
    {"rolling", HOL_FIELD_BODIES, offsetof(Values, body), .needed = true,
     .help = "the body with the plane, then the body that rolls"},
    {"shape", HOL_FIELD_CHOICE, offsetof(Values, shape), .names = shapes, .fallback = "ball", .space = HOL_IN_SPACE,
     .help = "ball or disc"},
    {"radius", HOL_FIELD_NUMBER, offsetof(Values, radius), .needed = true, .unit = "m", .rule = HOL_POSITIVE,
     .help = "radius of the ball or disc"},
    {"normal", HOL_FIELD_DIRECTION, offsetof(Values, normal), .fallback = "z (planar: y)",
     .help = "normal of the plane, towards the body"},
    {"through", HOL_FIELD_POINT, offsetof(Values, through), .needed = true, .unit = "m",
     .help = "a point of the plane, or the centre of the sphere"},
    {"at", HOL_FIELD_POINT, offsetof(Values, at), .unit = "m", .fallback = "the centre of mass",
     .help = "the centre of the ball or disc"},
    {"axis", HOL_FIELD_DIRECTION, offsetof(Values, axis), .space = HOL_IN_SPACE, .fallback = "none",
     .help = "axis of a disc"},
    {"inside", HOL_FIELD_NUMBER, offsetof(Values, inside), .unit = "m", .rule = HOL_POSITIVE, .fallback = "none",
     .help = "radius of the sphere in which a ball rolls"},
    HOL_JOINT_FIELDS,
};

static const HolSample samples[] = {
    {"{rolling: [ground, b], radius: 0.1, through: O}", HOL_IN_PLANE, 2, 0},
    {"{rolling: [a, b], radius: 0.14, through: P, normal: [3, 4]}", HOL_IN_PLANE, 2, 0},
    {"{rolling: [ground, b], radius: 0.4, through: O}", HOL_IN_SPACE, 3, 2},
    {"{rolling: [a, b], radius: 0.4, through: P, normal: [2, 1, 2]}", HOL_IN_SPACE, 3, 2},
    {"{rolling: [ground, b], shape: disc, axis: [12, 16, 15], radius: 0.5, through: O}", HOL_IN_SPACE, 3, 2},
    {"{rolling: [ground, b], radius: 0.4, inside: 1.4, normal: [0.8, 0, 0.6], through: [1.7, 0.1, 1]}", HOL_IN_SPACE, 3,
     2},
    {"{rolling: [a, b], radius: 0.4, inside: 1.4, normal: [0.8, 0, 0.6], through: [1.7, 0.1, 1]}", HOL_IN_SPACE, 3, 2},
};

const HolJointKind hol_rolling = {
    .kind = {"rolling", "a ball or disc rolls on a plane, or a ball in a sphere, without slip", "[body, body]",
             HOL_EVERYWHERE, HOL_FIELDS(fields, Values), HOL_SAMPLES(samples)},
    .build = rolling_build,
};
