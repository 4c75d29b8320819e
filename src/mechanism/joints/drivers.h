/* SPDX-License-Identifier: BSD-3-Clause */
/* What the drivers of joint freedoms share. */
#ifndef HOLON_MECHANISM_JOINTS_DRIVERS_H
#define HOLON_MECHANISM_JOINTS_DRIVERS_H

#include "mechanism/joint.h"

extern const char *const hol_driver_variables[]; /* "t" */

typedef struct HolDriverValues {
    HolJointGiven given;
    int joint;
    HolFunction value;
} HolDriverValues;

/* Drives the angle or else the displacement of a joint. */
void hol_driver_build(HolBuilder *builder, const HolPart *part, const HolDriverValues *values, bool angle);

/* Whether its value, speed and acceleration are finite at the start; else an error. */
bool hol_driver_starts(HolBuilder *builder, const HolPart *part, const HolFunction *value);

#endif
