/* SPDX-License-Identifier: BSD-3-Clause */
/* Rolling without slip of the second body on the first: contact as a holonomic row, no slip as two velocity rows. In
 * the plane no slip can be integrated: the way along the line plus radius times angle stays as drawn. */
#include "mechanism/joints/rows.h"

#include <math.h>
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
    int height = hol_build_offset(builder, a, b, v->normal, v->through, v->at);
    const int measure[2] = {hol_build_offset(builder, a, b, along, v->through, v->at),
                            hol_build_angle(builder, a, b, z)};
    const double k[2] = {1 / v->radius, 1};
    hol_row_equals(builder, height, v->radius, "contact");
    hol_row_couples(builder, measure, k, hol_build_angles_wrap(builder), v->radius, "slip");
}

static void build_in_space(HolBuilder *builder, const Values *v, HolRollingShape shape)
{
    double t1[3], t2[3];
    int a = v->body[0], b = v->body[1];
    hol_build_normals(v->normal, t1, t2);
    HolRolling rolling = {
        .shape = shape,
        .body = {a, b},
        .normal = hol_build_direction(builder, a, v->normal),
        .tangent = {hol_build_direction(builder, a, t1), hol_build_direction(builder, a, t2)},
        .through = hol_build_point(builder, a, v->through),
        .centre = hol_build_point(builder, b, v->at),
        .axis = hol_build_direction(builder, b, v->axis),
        .radius = v->radius,
        .sphere_radius = v->inside,
    };
    if (shape == HOL_BALL_ON_PLANE)
        hol_row_equals(builder, hol_build_offset(builder, a, b, v->normal, v->through, v->at), v->radius, "contact");
    if (shape == HOL_BALL_IN_SPHERE) {
        double gap = v->inside - v->radius;
        int square = hol_build_square(builder, a, b, v->through, v->at, gap);
        hol_row_length(builder, square, &(HolFunction){.constant = gap}, "contact");
    }
    hol_row_rolls(builder, &rolling);
}

/* What is not given: upward normals, the body's own centre. */
static void complete(const HolBuilder *builder, const HolPart *part, Values *v)
{
    bool planar = builder->mechanism->planar;
    if (!(part->given >> NORMAL & 1))
        memcpy(v->normal, planar ? (double[]){0, 1, 0} : (double[]){0, 0, 1}, sizeof v->normal);
    if (!(part->given >> AT & 1))
        memcpy(v->at, builder->frames[v->body[1]].r, sizeof v->at);
}

/* False after a sentence. */
static bool check(HolBuilder *builder, const HolPart *part, const Values *v)
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
        key = "axis", mistake = "a ball has no 'axis'; say shape: disc";
    if (mistake)
        hol_reader_error(builder->reader, hol_part_place(part, key), "%s", mistake);
    return !mistake;
}

/* Whether it touches in one point, as drawn; else an error. */
static bool check_contact(HolBuilder *builder, const HolPart *part, const Values *v)
{
    const double d[3] = {v->at[0] - v->through[0], v->at[1] - v->through[1], v->at[2] - v->through[2]};
    double cosine = hol_dot3(v->axis, v->normal);
    if (part->given >> INSIDE & 1 && !(hol_dot3(d, d) > 1e-24)) {
        hol_reader_error(builder->reader, hol_part_place(part, "through"),
                         "the ball is drawn in the middle of the sphere, where it touches it nowhere");
        return false;
    }
    if (v->shape == SHAPE_DISC && 1 - cosine * cosine < 1e-12) {
        hol_reader_error(builder->reader, hol_part_place(part, "axis"),
                         "the disc lies flat on the plane; its axis must not be normal to the plane");
        return false;
    }
    return true;
}

static void build(HolBuilder *builder, const HolPart *part, const void *values)
{
    Values v = *(const Values *)values;
    bool planar = builder->mechanism->planar;
    if (!check(builder, part, &v))
        return;
    complete(builder, part, &v);
    if (!planar && !check_contact(builder, part, &v))
        return;
    hol_joint_connects(builder, v.body[0], v.body[1], v.at);
    builder->joint->normal = hol_build_direction(builder, v.body[0], v.normal);
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
     .help = "of the ball or disc"},
    {"normal", HOL_FIELD_DIRECTION, offsetof(Values, normal), .fallback = "z (planar: y)",
     .help = "of the plane, towards the body"},
    {"through", HOL_FIELD_POINT, offsetof(Values, through), .needed = true, .unit = "m",
     .help = "a point of the plane, or the centre of the sphere"},
    {"at", HOL_FIELD_POINT, offsetof(Values, at), .unit = "m", .fallback = "the centre of mass",
     .help = "the centre of the ball or disc"},
    {"axis", HOL_FIELD_DIRECTION, offsetof(Values, axis), .space = HOL_IN_SPACE, .fallback = "none",
     .help = "of a disc"},
    {"inside", HOL_FIELD_NUMBER, offsetof(Values, inside), .unit = "m", .rule = HOL_POSITIVE, .fallback = "none",
     .help = "radius of the sphere in which a ball rolls"},
    HOL_JOINT_FIELDS,
};

const HolJointKind hol_rolling = {
    .kind = {"rolling", "a ball or disc rolls on a plane, or a ball in a sphere, without slip", "[body, body]",
             HOL_EVERYWHERE, HOL_FIELDS(fields, Values)},
    .build = build,
};
