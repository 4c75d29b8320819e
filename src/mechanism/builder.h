/* SPDX-License-Identifier: BSD-3-Clause */
/* How joints and forces are put together: from points and directions in the starting position to marks, measures and
 * rows. All geometry comes in global axes; the builder knows where the bodies are drawn. */
#ifndef HOLON_MECHANISM_BUILDER_H
#define HOLON_MECHANISM_BUILDER_H

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

/* A place or direction in global axes as a mark of a body (0: ground). */
HolMark hol_build_point(const HolBuilder *builder, int body, const double *x);
HolMark hol_build_direction(const HolBuilder *builder, int body, const double *a);
bool hol_build_has_axes(const HolBuilder *builder, int body); /* it is no particle */
/* Two directions that complete a to a right-handed set of three. */
void hol_build_normals(const double *a, double *n1, double *n2);

/* Measures between bodies a and b; the index of the new measure. */
int hol_build_length(HolBuilder *builder, int a, int b, const double *from, const double *to);
int hol_build_square(HolBuilder *builder, int a, int b, const double *from, const double *to, double scale);
int hol_build_offset(HolBuilder *builder, int a, int b, const double *direction, const double *from, const double *to);
int hol_build_dot(HolBuilder *builder, int a, int b, const double *direction_a, const double *direction_b);
/* The angle of b against a about an axis, zero as drawn; in the plane the axis is z. */
int hol_build_angle(HolBuilder *builder, int a, int b, const double *axis);
/* Whether angles are known modulo a whole turn only. */
bool hol_build_angles_wrap(const HolBuilder *builder);
/* The value of a measure as drawn. */
double hol_build_value(const HolBuilder *builder, int measure);

/* Rows of the joint being built; `name` tells people which row it is. */
void hol_row_coincide(HolBuilder *builder, int a, int b, const double *at);
void hol_row_equals(HolBuilder *builder, int measure, double value, const char *name);
void hol_row_follows(HolBuilder *builder, int measure, const HolFunction *f, bool wraps, const char *name);
/* k0 mu0 + k1 mu1 = 0 as drawn; wraps modulo 2 pi. The row is multiplied by factor. */
void hol_row_couples(HolBuilder *builder, const int measure[2], const double k[2], bool wraps, double factor,
                     const char *name);
/* A length that follows L(t), of a square measure. */
void hol_row_length(HolBuilder *builder, int measure, const HolFunction *length, const char *name);
/* Mass along the line between the two points of a measure. */
void hol_build_rod(HolBuilder *builder, int measure, double mass);
void hol_row_rolls(HolBuilder *builder, const HolRolling *rolling);

/* Speeds, with the factor 1. The first ones are of a direction that `carrier` carries, a or b; the third is across an
 * edge that b carries and the normal that a carries. */
HolSpeed hol_speed_of_point(const HolBuilder *builder, int a, int b, int carrier, const double *along,
                            const double *at);
HolSpeed hol_speed_of_turning(const HolBuilder *builder, int a, int b, int carrier, const double *axis);
HolSpeed hol_speed_sideways(const HolBuilder *builder, int a, int b, const double *edge, const double *normal,
                            const double *at);
HolSpeed hol_speed_of_measure(const HolBuilder *builder, int measure);
/* A velocity row: the sum of these speeds follows f. */
void hol_row_velocity(HolBuilder *builder, const HolSpeed *speeds, int count, const HolFunction *f, const char *name);

/* What the joint connects and where its reaction is told. */
void hol_joint_connects(HolBuilder *builder, int a, int b, const double *at);
/* Its own axes: x along this direction of the first body; without one they are the global axes as drawn. */
void hol_joint_axis(HolBuilder *builder, const double *axis);
/* The same, carried by the second body. */
void hol_joint_axis_of_second(HolBuilder *builder, const double *axis);
/* x along the line from this point of the first body to where its reaction is told. */
void hol_joint_rod(HolBuilder *builder, const double *from);
void hol_joint_freedoms(HolBuilder *builder, int angle, int displacement);

#endif
