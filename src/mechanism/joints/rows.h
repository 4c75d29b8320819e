/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets of constraint equations that several joints share. */
#ifndef HOLON_MECHANISM_JOINTS_ROWS_H
#define HOLON_MECHANISM_JOINTS_ROWS_H

#include "mechanism/joints/joint.h"

/* The values of most joints: two bodies, a point and a direction. */
typedef struct HolJointValues {
    HolJointGiven given;
    int body[2];
    double at[3], axis[3];
} HolJointValues;

#define HOL_CONNECTS(key) HOL_FIELD(key, BODIES, HolJointValues, body, .needed = true, .help = "the two bodies")
#define HOL_AT HOL_FIELD("at", POINT, HolJointValues, at, .needed = true, .unit = "m", .help = "the point of the joint")
#define HOL_AXIS(where)                                                                                                \
    HOL_FIELD("axis", DIRECTION, HolJointValues, axis, .needed = true, .space = where,                                 \
              .help = "the direction of its axis")

/* A line between a point of the first body and one of the second; first member of the values of such joints. */
typedef struct HolLineValues {
    HolJointGiven given;
    int body[2];
    double from[3], to[3];
} HolLineValues;

#define HOL_LINE_FIELDS(key, bodies)                                                                                   \
    HOL_FIELD(key, BODIES, HolLineValues, body, .needed = true, .help = bodies),                                       \
        HOL_FIELD("from", POINT, HolLineValues, from, .needed = true, .unit = "m",                                     \
                  .help = "a point of the first body"),                                                                \
        HOL_FIELD("to", POINT, HolLineValues, to, .needed = true, .unit = "m", .help = "a point of the second body")

/* The length as drawn; 0 after an error if the points coincide, which ends in `advice`. */
double hol_line_length(HolBuilder *builder, const HolPart *part, const HolLineValues *line, const char *advice);
/* The row that gives the line a length, scaled by `scale`; returns its measure. */
int hol_row_line(HolBuilder *builder, const HolLineValues *line, double scale, const HolFunction *length,
                 const char *name);

/* The axis of the second body stays parallel to that of the first: two rows. */
void hol_rows_parallel(HolBuilder *builder, const int body[2], const double *axis);
/* The point `at` of the second body stays on the first body's axis through `through`: two rows. */
void hol_rows_on_axis(HolBuilder *builder, const int body[2], const double *axis, const double *through,
                      const double *at);
/* The bodies do not rotate relative to each other: three rows, one in the plane. */
void hol_rows_no_rotation(HolBuilder *builder, const int body[2]);

#endif
