/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds joints and forces: turns points and directions of the initial position, in global axes, into marks, measures
 * and rows. */
#ifndef HOLON_MECHANISM_BUILDER_BUILDER_H
#define HOLON_MECHANISM_BUILDER_BUILDER_H

#include "mechanism/mechanism.h"
#include "model/reader.h"

enum { HOL_JOINT_ROWS = 8 };

typedef struct HolBuilder {
    HolMechanism *mechanism;
    HolReader *reader;
    HolArena *arena;                       /* the mechanism's */
    HolJoint *joint;                       /* being built, NULL for forces */
    const HolNode *node;                   /* of the joint or force being built */
    bool failed;                           /* out of memory */
    HolFrame *frames;                      /* of the bodies as drawn, [0] the ground */
    double *phi;                           /* their angles in the plane */
    const char *row_names[HOL_JOINT_ROWS]; /* of the joint being built */
    int row_name_count;
    int measure_room, row_room, coincidence_room, rolling_room, rod_room, speed_room, velocity_row_room;
} HolBuilder;

/* The mark of a body (0: ground) at a point or along a direction in global axes. */
HolMark hol_mark_point(const HolBuilder *builder, int body, const double *x);
HolMark hol_mark_direction(const HolBuilder *builder, int body, const double *a);
bool hol_builder_has_axes(const HolBuilder *builder, int body); /* false for a particle */

/* Reports a name of a body, joint, driver, force or point that would be ambiguous in results or paths. */
void hol_builder_check_name(HolBuilder *builder, const HolNode *node);
/* 1 / k of a positive stiffness; 0 and an error if it is too small or too large to compute with. */
double hol_read_inverse(HolReader *reader, HolPlace place, const char *key, double k);

/* Adds a measure of this kind between bodies a and b and returns its index. x has the points and directions of its
 * marks, in the order of the kind. */
int hol_measure_add(HolBuilder *builder, const HolMeasureKind *kind, int a, int b, double scale,
                    const double *const *x);
int hol_measure_add_length(HolBuilder *builder, int a, int b, const double *from, const double *to);
int hol_measure_add_square(HolBuilder *builder, int a, int b, const double *from, const double *to, double scale);
int hol_measure_add_offset(HolBuilder *builder, int a, int b, const double *direction, const double *from,
                           const double *to);
int hol_measure_add_dot(HolBuilder *builder, int a, int b, const double *direction_a, const double *direction_b);
/* The angle of b against a about an axis, zero as drawn; in the plane the axis is z. */
int hol_measure_add_angle(HolBuilder *builder, int a, int b, const double *axis);
/* Whether angles are known modulo 2 pi only. */
bool hol_builder_angles_wrap(const HolBuilder *builder);
/* The value of a measure as drawn. */
double hol_builder_measure_value(const HolBuilder *builder, int measure);

/* Adds a row to the joint being built; messages call it by its name. */
void hol_row_coincide(HolBuilder *builder, int a, int b, const double *at);
void hol_row_equals(HolBuilder *builder, int measure, double value, const char *name);
void hol_row_follows(HolBuilder *builder, int measure, const HolFunction *f, bool wraps, const char *name);
/* k0 mu0 + k1 mu1 keeps its value as drawn, modulo 2 pi if it wraps. The row is multiplied by factor. */
void hol_row_couples(HolBuilder *builder, const int measure[2], const double k[2], bool wraps, double factor,
                     const char *name);
/* The length of a square measure equals L(t). */
void hol_row_length(HolBuilder *builder, int measure, const HolFunction *length, const char *name);
/* Mass along the line between the two points of a measure. */
void hol_rod_add(HolBuilder *builder, int measure, double mass);
void hol_row_rolls(HolBuilder *builder, const HolRolling *rolling);

/* Speeds, with the factor 1. `carrier`, a or b, is the body that the direction is fixed to. The edge is fixed to b, the
 * normal to a. */
HolSpeed hol_speed_of_point(const HolBuilder *builder, int a, int b, int carrier, const double *along,
                            const double *at);
HolSpeed hol_speed_of_turning(const HolBuilder *builder, int a, int b, int carrier, const double *axis);
HolSpeed hol_speed_sideways(const HolBuilder *builder, int a, int b, const double *edge, const double *normal,
                            const double *at);
HolSpeed hol_speed_of_measure(const HolBuilder *builder, int measure);
/* A velocity row: the sum of these speeds equals f(t). */
void hol_row_velocity(HolBuilder *builder, const HolSpeed *speeds, int count, const HolFunction *f, const char *name);

/* Sets the bodies of the joint and the point where its reaction acts. */
void hol_joint_connects(HolBuilder *builder, int a, int b, const double *at);
/* Sets its own x axis, a direction of the first body; by default its axes are the global ones as drawn. */
void hol_joint_axis(HolBuilder *builder, const double *axis);
/* The same as a direction of the second body. */
void hol_joint_axis_of_second(HolBuilder *builder, const double *axis);
/* Makes it a rod: x points from this point of the first body to where its reaction acts. */
void hol_joint_rod(HolBuilder *builder, const double *from);
/* Sets the measures of its degrees of freedom, -1: none. */
void hol_joint_measures(HolBuilder *builder, int angle, int displacement);

#endif
