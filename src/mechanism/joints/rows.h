/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets of rows that several joints are made of. */
#ifndef HOLON_MECHANISM_JOINTS_ROWS_H
#define HOLON_MECHANISM_JOINTS_ROWS_H

#include "mechanism/joint.h"

/* The bodies, a place and a direction: what most joints need. */
typedef struct HolJointValues {
    HolJointGiven given;
    int body[2];
    double at[3], axis[3];
} HolJointValues;

#define HOL_CONNECTS(key)                                                                                              \
    {                                                                                                                  \
        key, HOL_FIELD_BODIES, offsetof(HolJointValues, body), .needed = true, .help = "the two bodies"                \
    }
#define HOL_AT                                                                                                         \
    {                                                                                                                  \
        "at", HOL_FIELD_POINT, offsetof(HolJointValues, at), .needed = true, .unit = "m", .help = "where it is"        \
    }
#define HOL_AXIS(where)                                                                                                \
    {                                                                                                                  \
        "axis", HOL_FIELD_DIRECTION, offsetof(HolJointValues, axis), .needed = true, .space = where,                   \
                                                                     .help = "the direction of its axis"               \
    }

/* The axis of b stays parallel to that of a: two rows. */
void hol_rows_parallel(HolBuilder *builder, const int body[2], const double *axis);
/* The point stays on the axis through it: two rows. */
void hol_rows_on_axis(HolBuilder *builder, const int body[2], const double *axis, const double *through,
                      const double *at);
/* The bodies do not turn against each other: three rows, one in the plane. */
void hol_rows_no_turning(HolBuilder *builder, const int body[2]);

#endif
