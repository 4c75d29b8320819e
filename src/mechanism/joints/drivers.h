/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by drivers and by joints that constrain velocities. */
#ifndef HOLON_MECHANISM_JOINTS_DRIVERS_H
#define HOLON_MECHANISM_JOINTS_DRIVERS_H

#include "mechanism/joints/joint.h"

extern const char *const hol_driver_variables[]; /* "t" */

/* The key that all kinds with a value in t have, to be placed after it. */
#define HOL_IMPULSE_FIELD                                                                                              \
    HOL_FIELD("impulse", FLAG, HolJointGiven, impulse, "a jump of the prescribed velocity acts as an impulse",         \
              .fallback = "false: it is refused")

/* The values of a driver of a joint's angle or displacement, or of their rates. */
typedef struct HolJointDriver {
    HolJointGiven given;
    int joint;
    HolFunction value;
} HolJointDriver;

#define HOL_JOINT_DRIVER_FIELDS(key, coordinate, of, meaning)                                                          \
    {                                                                                                                  \
        HOL_FIELD(key, JOINT, HolJointDriver, joint, .needed = true, .help = "a joint that has " coordinate),          \
            HOL_FIELD("value", FUNCTION, HolJointDriver, value, .needed = true, .unit = of,                            \
                      .names = hol_driver_variables, .help = meaning),                                                 \
            HOL_IMPULSE_FIELD, HOL_JOINT_FIELDS                                                                        \
    }

/* The measure of a joint's angle or displacement; -1 after an error, or if the joint is broken. */
int hol_joint_measure(const HolBuilder *builder, const HolPart *part, const char *key, int index, bool angle);
/* False after an error: the value and its derivatives up to this order, 1 or 2, must be finite at t = 0. */
bool hol_driver_starts(HolBuilder *builder, const HolPart *part, const HolFunction *value, int order);

/* Places the driver at its joint, with the axes of the joint. Returns the measure to drive, -1 after an error. */
int hol_joint_driver_begin(HolBuilder *builder, const HolPart *part, const HolJointDriver *driver, bool angle,
                           int order);
/* The same for a driver of the rate, with its velocity row. */
void hol_joint_driver_rate(HolBuilder *builder, const HolPart *part, const HolJointDriver *driver, bool angle);

#endif
