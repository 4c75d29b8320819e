/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the joints that constrain velocities: the keys that describe a velocity component. */
#ifndef HOLON_MECHANISM_JOINTS_VELOCITIES_H
#define HOLON_MECHANISM_JOINTS_VELOCITIES_H

#include "mechanism/joints/drivers.h"

/* A component of a relative velocity, or the rate of a joint's angle or displacement. `value` is read for a joint,
 * `times` for a term of a sum. */
typedef struct HolVelocityValues {
    HolJointGiven given;
    int body[2], joint;
    double at[3], direction[3];
    int fixed_in; /* 0: the first body, 1: the second */
    HolFunction value;
    double times;
} HolVelocityValues;

extern const char *const hol_direction_carriers[]; /* "first", "second" */

/* The fields of a point's velocity (0 to 3) and of an angular velocity (0 to 2). */
#define HOL_POINT_VELOCITY_FIELDS                                                                                      \
    HOL_FIELD("velocity", BODIES, HolVelocityValues, body, .needed = true,                                             \
              .help = "the body of reference, then the body with the point"),                                          \
        HOL_FIELD("at", POINT, HolVelocityValues, at, .unit = "m", .fallback = "the centre of mass",                   \
                  .help = "the point of the second body"),                                                             \
        HOL_FIELD("along", DIRECTION, HolVelocityValues, direction, .needed = true,                                    \
                  .help = "the direction of the component"),                                                           \
        HOL_FIELD("fixed_in", CHOICE, HolVelocityValues, fixed_in, .names = hol_direction_carriers,                    \
                  .fallback = "first", .help = "which of the two bodies carries the direction")

#define HOL_ANGULAR_VELOCITY_FIELDS                                                                                    \
    HOL_FIELD("angular-velocity", BODIES, HolVelocityValues, body, .needed = true,                                     \
              .help = "the body of reference, then the rotating body"),                                                \
        HOL_FIELD("axis", DIRECTION, HolVelocityValues, direction, .needed = true, .space = HOL_IN_SPACE,              \
                  .help = "the direction of the component"),                                                           \
        HOL_FIELD("fixed_in", CHOICE, HolVelocityValues, fixed_in, .names = hol_direction_carriers,                    \
                  .fallback = "first", .space = HOL_IN_SPACE, .help = "which of the two bodies carries the direction")

#define HOL_VELOCITY_VALUE(of)                                                                                         \
    HOL_FIELD("value", FUNCTION, HolVelocityValues, value, .unit = of, .names = hol_driver_variables, .fallback = "0", \
              .help = "the value of the component as a function of t"),                                                \
        HOL_IMPULSE_FIELD

/* The velocity component that was read; values->at becomes the point of its reaction. */
HolSpeed hol_read_point_velocity(const HolBuilder *builder, const HolPart *part, HolVelocityValues *values);
HolSpeed hol_read_angular_velocity(const HolBuilder *builder, HolVelocityValues *values);
/* The rate of a joint's angle or displacement; false after an error, or if the joint is broken. */
bool hol_read_rate(const HolBuilder *builder, const HolPart *part, const char *key, HolVelocityValues *values,
                   bool angle, HolSpeed *speed);

#endif
