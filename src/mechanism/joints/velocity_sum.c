/* SPDX-License-Identifier: BSD-3-Clause */
/* A sum of velocities, angular velocities and rates of joints, each times a number, follows a function of time. */
#include "mechanism/joints/speeds.h"

typedef struct Values {
    HolJointGiven given;
    const HolNode *terms;
    HolFunction value;
} Values;

/* ---- Terms ---- */

#define TIMES                                                                                                          \
    {                                                                                                                  \
        "times", HOL_FIELD_NUMBER, offsetof(HolSpeedValues, times), .otherwise = 1, .fallback = "1",                   \
                                                                    .help = "its factor in the sum"                    \
    }

static const HolField point_fields[] = {HOL_SPEED_POINT_FIELDS, TIMES};
static const HolField turning_fields[] = {HOL_SPEED_TURNING_FIELDS, TIMES};
static const HolField angle_fields[] = {
    {"angle-rate", HOL_FIELD_JOINT, offsetof(HolSpeedValues, joint), .needed = true, .help = "a joint with an angle"},
    TIMES};
static const HolField displacement_fields[] = {{"displacement-rate", HOL_FIELD_JOINT, offsetof(HolSpeedValues, joint),
                                                .needed = true, .help = "a joint with a displacement"},
                                               TIMES};

enum { POINT, TURNING, ANGLE, DISPLACEMENT, TERM_KINDS };

static const HolKind term_kinds[TERM_KINDS] = {
    {"velocity", "", "[body, body]", HOL_EVERYWHERE, HOL_FIELDS(point_fields, HolSpeedValues)},
    {"angular-velocity", "", "[body, body]", HOL_EVERYWHERE, HOL_FIELDS(turning_fields, HolSpeedValues)},
    {"angle-rate", "", "joint", HOL_EVERYWHERE, HOL_FIELDS(angle_fields, HolSpeedValues)},
    {"displacement-rate", "", "joint", HOL_EVERYWHERE, HOL_FIELDS(displacement_fields, HolSpeedValues)},
};

/* False after an error, or if it speaks of a broken joint. */
static bool read_term(HolBuilder *builder, const HolPart *sum, const HolNode *node, HolSpeedValues *v, HolSpeed *speed)
{
    static const HolKind *const kinds[TERM_KINDS] = {&term_kinds[POINT], &term_kinds[TURNING], &term_kinds[ANGLE],
                                                     &term_kinds[DISPLACEMENT]};
    HolPart term = {.what = sum->what, .name = sum->name, .node = node};
    int kind = hol_read_kind(builder->reader, node, "velocity in a sum", kinds, TERM_KINDS);
    if (kind < 0 || !hol_read_part(builder->reader, kinds[kind], &term, v))
        return false;
    if (kind == POINT)
        *speed = hol_read_speed_of_point(builder, &term, v);
    else if (kind == TURNING)
        *speed = hol_read_speed_of_turning(builder, v);
    else if (!hol_read_rate(builder, &term, kinds[kind]->name, v, kind == ANGLE, speed))
        return false;
    speed->k = v->times;
    if (v->times != 0)
        return true;
    hol_reader_error(builder->reader, hol_part_place(&term, "times"), "'times' must not be zero");
    return false;
}

/* ---- The sum ---- */

/* Its reaction is told where the first term is. */
static void build(HolBuilder *builder, const HolPart *part, const void *values)
{
    const Values *v = values;
    if (v->terms->type != HOL_LIST || v->terms->count == 0) {
        hol_reader_error(builder->reader, v->terms->place,
                         "a list of velocities is expected, such as [{angle-rate: pin, times: 2}, ...]");
        return;
    }
    HolSpeed *speeds = hol_arena_alloc(builder->arena, (size_t)v->terms->count * sizeof *speeds);
    bool ok = hol_speed_starts(builder, part, &v->value) && speeds;
    int count = 0;
    for (const HolNode *node = v->terms->first; node && speeds; node = node->next) {
        HolSpeedValues term = {0};
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
     .help = "what the sum is, as a function of t"},
    HOL_JOINT_FIELDS,
};

const HolJointKind hol_velocity_sum = {
    .kind = {"velocity-sum",
             "a sum of velocities and rates of joints, each times a number, is zero or a function of time",
             "list of velocities", HOL_EVERYWHERE, HOL_FIELDS(fields, Values)},
    .build = build,
};
