/* SPDX-License-Identifier: BSD-3-Clause */
/* What the joints that are made of velocity rows share: the keys that tell a speed. */
#ifndef HOLON_MECHANISM_JOINTS_SPEEDS_H
#define HOLON_MECHANISM_JOINTS_SPEEDS_H

#include "mechanism/joints/drivers.h"

/* A speed between two bodies, or the rate of a joint's freedom; `value` of a joint, `times` of a term in a sum. */
typedef struct HolSpeedValues {
    HolJointGiven given;
    int body[2], joint;
    double at[3], direction[3];
    int fixed_in; /* 0: the first body, 1: the second */
    HolFunction value;
    double times;
} HolSpeedValues;

extern const char *const hol_speed_carriers[]; /* "first", "second" */

/* Fields 0 to 3 of a point's speed, and 0 to 2 of turning. */
#define HOL_SPEED_POINT_FIELDS                                                                                         \
    {"velocity", HOL_FIELD_BODIES, offsetof(HolSpeedValues, body), .needed = true,                                     \
     .help = "the body that looks on, then the one with the point"},                                                   \
        {"at",                                                                                                         \
         HOL_FIELD_POINT,                                                                                              \
         offsetof(HolSpeedValues, at),                                                                                 \
         .unit = "m",                                                                                                  \
         .fallback = "the centre of mass",                                                                             \
         .help = "the point of the second body"},                                                                      \
        {"along", HOL_FIELD_DIRECTION, offsetof(HolSpeedValues, direction), .needed = true,                            \
         .help = "the direction of the component that is meant"},                                                      \
    {                                                                                                                  \
        "fixed_in", HOL_FIELD_CHOICE, offsetof(HolSpeedValues, fixed_in),                                              \
            .names = hol_speed_carriers, .fallback = "first", .help = "which of the two bodies carries the direction"  \
    }

#define HOL_SPEED_TURNING_FIELDS                                                                                       \
    {"angular-velocity", HOL_FIELD_BODIES, offsetof(HolSpeedValues, body), .needed = true,                             \
     .help = "the body that looks on, then the one that turns"},                                                       \
        {"axis",         HOL_FIELD_DIRECTION,   offsetof(HolSpeedValues, direction),                                   \
         .needed = true, .space = HOL_IN_SPACE, .help = "the direction of the component that is meant"},               \
    {                                                                                                                  \
        "fixed_in", HOL_FIELD_CHOICE, offsetof(HolSpeedValues, fixed_in),                                              \
            .names = hol_speed_carriers, .fallback = "first", .space = HOL_IN_SPACE,                                   \
            .help = "which of the two bodies carries the direction"                                                    \
    }

#define HOL_SPEED_VALUE(of)                                                                                            \
    {                                                                                                                  \
        "value", HOL_FIELD_FUNCTION, offsetof(HolSpeedValues, value),                                                  \
            .unit = of, .names = hol_driver_variables, .fallback = "0", .help = "what it is, as a function of t"       \
    }

/* The speed that was read, and where its reaction is told. */
HolSpeed hol_read_speed_of_point(const HolBuilder *builder, const HolPart *part, HolSpeedValues *values);
HolSpeed hol_read_speed_of_turning(const HolBuilder *builder, HolSpeedValues *values);
/* Of a joint's freedom; false after an error, or if the joint is broken. */
bool hol_read_rate(const HolBuilder *builder, const HolPart *part, const char *key, HolSpeedValues *values, bool angle,
                   HolSpeed *speed);

/* A driver that prescribes it. */
void hol_driver_build_rate(HolBuilder *builder, const HolPart *part, const HolSpeedValues *values, bool angle);

/* Whether `value` and its rate are finite at the start; else an error. */
bool hol_speed_starts(HolBuilder *builder, const HolPart *part, const HolFunction *value);

#endif
