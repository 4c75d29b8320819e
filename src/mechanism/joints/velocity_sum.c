/* SPDX-License-Identifier: BSD-3-Clause */
/* A weighted sum of velocities, angular velocities and joint rates is a given function of time. */
#include "mechanism/joints/velocities.h"

typedef struct Values {
    HolJointGiven given;
    const HolNode *terms;
    HolFunction value;
} Values;

#define TIMES                                                                                                          \
    HOL_FIELD("times", NUMBER, HolVelocityValues, times, .otherwise = 1, .fallback = "1",                              \
              .help = "its factor in the sum")

static const HolField point_fields[] = {HOL_POINT_VELOCITY_FIELDS, TIMES};
static const HolField turning_fields[] = {HOL_ANGULAR_VELOCITY_FIELDS, TIMES};
static const HolField angle_fields[] = {{"angle-rate", HOL_FIELD_JOINT, offsetof(HolVelocityValues, joint),
                                         .needed = true, .help = "a joint with an angle"},
                                        TIMES};
static const HolField displacement_fields[] = {{"displacement-rate", HOL_FIELD_JOINT,
                                                offsetof(HolVelocityValues, joint), .needed = true,
                                                .help = "a joint with a displacement"},
                                               TIMES};

enum { POINT, TURNING, ANGLE, DISPLACEMENT };

static const HolKind term_kinds[] = {
    {"velocity", "", "[body, body]", HOL_EVERYWHERE, HOL_FIELDS(point_fields, HolVelocityValues)},
    {"angular-velocity", "", "[body, body]", HOL_EVERYWHERE, HOL_FIELDS(turning_fields, HolVelocityValues)},
    {"angle-rate", "", "joint", HOL_EVERYWHERE, HOL_FIELDS(angle_fields, HolVelocityValues)},
    {"displacement-rate", "", "joint", HOL_EVERYWHERE, HOL_FIELDS(displacement_fields, HolVelocityValues)},
};

/* False after an error, or if it refers to a broken joint. */
static bool read_term(HolBuilder *builder, const HolPart *sum, const HolNode *node, HolVelocityValues *v,
                      HolSpeed *speed)
{
    static const HolKind *const kinds[] = {&term_kinds[POINT], &term_kinds[TURNING], &term_kinds[ANGLE],
                                           &term_kinds[DISPLACEMENT], NULL};
    HolPart term = {.what = sum->what, .name = sum->name, .node = node};
    const HolKind *kind = hol_read_kind(builder->reader, node, "velocity in a sum", kinds);
    if (!kind || !hol_read_part(builder->reader, kind, &term, v))
        return false;
    if (kind == &term_kinds[POINT])
        *speed = hol_read_point_velocity(builder, &term, v);
    else if (kind == &term_kinds[TURNING])
        *speed = hol_read_angular_velocity(builder, v);
    else if (!hol_read_rate(builder, &term, kind->name, v, kind == &term_kinds[ANGLE], speed))
        return false;
    speed->k = v->times;
    if (v->times != 0)
        return true;
    return hol_reader_error(builder->reader, hol_part_place(&term, "times"), "'times' must not be zero");
}

/* Its reaction is reported at the point of the first term. */
static void velocity_sum_build(HolBuilder *builder, const HolPart *part, const void *values)
{
    const Values *v = values;
    if (v->terms->type != HOL_LIST || v->terms->count == 0) {
        hol_reader_error(builder->reader, v->terms->place,
                         "a list of velocities is expected, such as [{angle-rate: pin, times: 2}, ...]");
        return;
    }
    HolSpeed *speeds = hol_arena_alloc(builder->arena, (size_t)v->terms->count * sizeof *speeds);
    bool ok = hol_driver_starts(builder, part, &v->value, 1) && speeds;
    int count = 0;
    for (const HolNode *node = v->terms->first; node && speeds; node = node->next) {
        HolVelocityValues term = {0};
        ok = read_term(builder, part, node, &term, &speeds[count]) && ok;
        if (ok && count == 0)
            hol_joint_connects(builder, term.body[0], term.body[1], term.at);
        ++count;
    }
    if (ok)
        hol_row_velocity(builder, speeds, count, &v->value, "sum of velocities");
}

static const HolField fields[] = {
    {"velocity-sum", HOL_FIELD_NODE, offsetof(Values, terms), .needed = true,
     .help = "a list of {velocity: }, {angular-velocity: }, {angle-rate: joint} and {displacement-rate: joint}, each "
             "with a factor 'times'"},
    {"value", HOL_FIELD_FUNCTION, offsetof(Values, value), .names = hol_driver_variables, .fallback = "0",
     .help = "the value of the sum as a function of t"},
    HOL_IMPULSE_FIELD,
    HOL_JOINT_FIELDS,
};

static const HolSample samples[] = {
    {"{velocity-sum: [{angle-rate: pin_a}, {angle-rate: pin_b, times: 2}], value: step(t - 0.4), impulse: true}",
     HOL_EVERYWHERE, 1, 1},
    {"{velocity-sum: [{velocity: [a, b], at: Q, along: y, fixed_in: second}, {angle-rate: pin_a, times: -0.3},"
     " {angular-velocity: [ground, b], times: 2}, {displacement-rate: slide}], value: t^2}",
     HOL_IN_PLANE, 1, 1},
    {"{velocity-sum: [{velocity: [a, b], at: Q, along: y, fixed_in: second}, {angle-rate: pin_a, times: -0.3},"
     " {angular-velocity: [ground, b], axis: z}, {displacement-rate: slide}], value: t^2}",
     HOL_IN_SPACE, 1, 1},
};

const HolJointKind hol_velocity_sum = {
    .kind = {"velocity-sum", "a weighted sum of velocities and joint rates is zero or a function of time",
             "list of velocities", HOL_EVERYWHERE, HOL_FIELDS(fields, Values), HOL_SAMPLES(samples)},
    .build = velocity_sum_build,
};
