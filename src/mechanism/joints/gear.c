/* SPDX-License-Identifier: BSD-3-Clause */
/* Two wheels in mesh: the angles of two joints are coupled, n1 angle1 + n2 angle2 = as drawn. In space and in natural
 * coordinates angles are known modulo a whole turn only, so n1 and n2 are made whole numbers there: the sum is then
 * known modulo a turn too, which shifts the wheels by one tooth. */
#include "base/tolerances.h"
#include "mechanism/joints/rows.h"

#include <math.h>

typedef struct Values {
    HolJointGiven given;
    int joint[2];
    HolNumbers teeth;
    bool internal;
    double ratio;
} Values;

enum { TEETH = 1, RATIO = 3 };
static const double LARGEST_COUNT = 10000;

static bool is_count(double x)
{
    return x == floor(x) && x >= 1 && x <= LARGEST_COUNT;
}

/* Whole numbers n, d with n / d = ratio, by continued fractions. */
static bool find_fraction(double ratio, double *n, double *d)
{
    double n0 = 0, d0 = 1, x = fabs(ratio);
    *n = 1;
    *d = 0;
    for (int i = 0; i < 20; ++i) {
        double whole = floor(x), n_new = whole * *n + n0, d_new = whole * *d + d0;
        n0 = *n;
        d0 = *d;
        *n = n_new;
        *d = d_new;
        if (*d > LARGEST_COUNT || *n > LARGEST_COUNT)
            return false;
        if (fabs(*n - fabs(ratio) * *d) <= HOL_TOL_AMPLIFIED * *n) {
            *n = copysign(*n, ratio);
            return true;
        }
        x = 1 / (x - whole);
    }
    return false;
}

/* angle2 = ratio angle1 as whole or real numbers k[0] angle1 + k[1] angle2 = 0. */
static bool choose_numbers(const HolBuilder *builder, const HolPart *part, const Values *v, double k[2])
{
    HolReader *reader = builder->reader;
    bool has_teeth = part->given >> TEETH & 1, has_ratio = part->given >> RATIO & 1;
    if (has_teeth == has_ratio) {
        if (has_teeth || !(part->named >> TEETH & 1 || part->named >> RATIO & 1))
            hol_reader_error(reader, part->node->place,
                             has_teeth ? "'teeth' and 'ratio' are both given; one is enough"
                                       : "either 'teeth' or 'ratio' is needed");
        return false;
    }
    if (has_teeth) {
        if (v->teeth.count != 2 || !is_count(v->teeth.x[0]) || !is_count(v->teeth.x[1]))
            return hol_reader_error(reader, hol_part_place(part, "teeth"),
                                    "'teeth' must be two whole numbers from 1 to 10000");
        k[0] = v->teeth.x[0];
        k[1] = v->internal ? -v->teeth.x[1] : v->teeth.x[1];
        return true;
    }
    if (v->internal)
        return hol_reader_error(
            reader, part->node->place,
            "'internal' requires 'teeth'; with 'ratio' leave it out: a positive ratio means equal senses of rotation");
    k[0] = -v->ratio;
    k[1] = 1;
    if (v->ratio == 0 || (hol_builder_angles_wrap(builder) && !find_fraction(-v->ratio, &k[0], &k[1])))
        return hol_reader_error(
            reader, hol_part_place(part, "ratio"), "'ratio' must %s; 'teeth: [n1, n2]' says it exactly",
            v->ratio == 0 ? "not be zero" : "be a fraction of whole numbers in space and in natural coordinates");
    return true;
}

static bool have_angles(const HolBuilder *builder, const HolPart *part, const int joint[2])
{
    for (int i = 0; i < 2; ++i) {
        const HolJoint *wheel = &builder->mechanism->joints[joint[i]];
        if (wheel->angle >= 0)
            continue;
        if (wheel->is_broken)
            return false;
        return hol_reader_error(builder->reader, hol_part_place(part, "gear"),
                                "joint '%s' (%s) has no angle; gears couple revolute, cylindrical or screw joints",
                                wheel->name, wheel->kind);
    }
    if (joint[0] == joint[1])
        hol_reader_error(builder->reader, hol_part_place(part, "gear"), "it couples '%s' with itself",
                         builder->mechanism->joints[joint[0]].name);
    return joint[0] != joint[1];
}

static void gear_build(HolBuilder *builder, const HolPart *part, const void *values)
{
    const Values *v = values;
    double k[2];
    if (!have_angles(builder, part, v->joint) || !choose_numbers(builder, part, v, k))
        return;
    const HolJoint *first = &builder->mechanism->joints[v->joint[0]],
                   *second = &builder->mechanism->joints[v->joint[1]];
    const int measure[2] = {first->angle, second->angle};
    int a = first->body[1] ? first->body[1] : first->body[0], b = second->body[1] ? second->body[1] : second->body[0];
    hol_joint_connects(builder, a, b, builder->frames[b].r);
    hol_row_couples(builder, measure, k, hol_builder_angles_wrap(builder), 1 / fabs(k[1]), "mesh");
}

static const HolField fields[] = {
    {"gear", HOL_FIELD_JOINTS, offsetof(Values, joint), .needed = true, .help = "two joints that have an angle"},
    {"teeth", HOL_FIELD_NUMBERS, offsetof(Values, teeth), .fallback = "none",
     .help = "numbers of teeth of the two wheels"},
    {"internal", HOL_FIELD_FLAG, offsetof(Values, internal), .fallback = "false",
     .help = "one wheel is a ring gear around the other: both rotate in the same sense"},
    {"ratio", HOL_FIELD_NUMBER, offsetof(Values, ratio), .unit = "", .fallback = "none",
     .help = "second angle = ratio times first angle, instead of teeth"},
    HOL_JOINT_FIELDS,
};

static const HolSample samples[] = {
    {"{gear: [pin_a, pin_b], teeth: [20, 37]}", HOL_EVERYWHERE, 1, 0},
    {"{gear: [pin_a, pin_b], teeth: [20, 37], internal: true}", HOL_IN_PLANE, 1, 0},
    {"{gear: [pin_a, pin_b], ratio: 0.37}", HOL_IN_PLANE, 1, 0},
    {"{gear: [pin_a, pin_b], ratio: -0.375}", HOL_IN_SPACE, 1, 0},
};

const HolJointKind hol_gear = {
    .kind = {"gear", "two wheels in mesh: the angles of two joints are coupled", "[joint, joint]", HOL_EVERYWHERE,
             HOL_FIELDS(fields, Values), HOL_SAMPLES(samples)},
    .build = gear_build,
};
