/* SPDX-License-Identifier: BSD-3-Clause */
/* Constraint equations as compiled: each is one row of D or a few.
 *
 * A general holonomic row is a sum of measures that equals a function of time,
 *
 *     Phi = factor (sum k_i mu_i - f(t))                                                               (1)
 *
 * Points that coincide and rolling contacts have code of their own. A nonholonomic row is a sum of speeds,
 *
 *     Psi = sum k_i sigma_i - f(t)                                                                     (2) */
#ifndef HOLON_MECHANISM_PARTS_CONSTRAINT_H
#define HOLON_MECHANISM_PARTS_CONSTRAINT_H

#include "base/expression/function.h"
#include "mechanism/kinematics/measure.h"

enum { HOL_ROW_MEASURES = 2 };

/* A holonomic row (1). */
typedef struct HolRow {
    int measure[HOL_ROW_MEASURES]; /* indices */
    double k[HOL_ROW_MEASURES];
    int measure_count;
    HolFunction f;
    bool squares;                        /* f is L(t)^2 / (2 scale of the first measure) with L the function */
    bool wraps;                          /* Phi is taken modulo 2 pi, into (-pi, pi] */
    double factor;                       /* scales the row */
    int at;                              /* index in Phi */
    int D[HOL_ROW_MEASURES][2];          /* where the row of each measure's bodies begins in D, -1: ground */
    int tangent[HOL_ROW_MEASURES][2][2]; /* where the blocks of its measures' bodies begin in K, -1: none */
} HolRow;

/* Two points that coincide: three rows, two in the plane. */
typedef struct HolCoincidence {
    int body[2]; /* 0: ground */
    double s[2][3];
    int row;        /* its first */
    int D[2];       /* where the blocks of its rows begin in D, -1: ground */
    int tangent[2]; /* where the diagonal blocks of its bodies begin in K, -1: ground; it couples no two bodies */
} HolCoincidence;

/* A rolling contact: the point of body[1] that touches body[0] has no velocity along two tangents of body[0]. The
 * shapes differ in where that point is. */
typedef enum HolRollingShape { HOL_BALL_ON_PLANE, HOL_DISC_ON_PLANE, HOL_BALL_IN_SPHERE } HolRollingShape;

typedef struct HolRolling {
    HolRollingShape shape;
    int body[2];
    HolMark normal;     /* of the plane, on body[0]; of the sphere, inward, at the bottom */
    HolMark tangent[2]; /* directions of body[0] that complete it */
    HolMark through;    /* a point of the plane, or the centre of the sphere, on body[0] */
    HolMark centre;     /* of ball or disc, on body[1] */
    HolMark axis;       /* of the disc, on body[1] */
    double radius, sphere_radius;
    int row;          /* the holonomic row of contact of a disc; -1: a general row with a measure does it */
    int velocity_row; /* the first of two nonholonomic rows, as an index of lambda */
    int contact_group, velocity_group;
} HolRolling;

/* A speed: a function between two bodies that is linear in v. */
typedef enum HolSpeedType {
    HOL_SPEED_POINT,    /* of a point of body[1] relative to body[0], along a direction of either */
    HOL_SPEED_SIDEWAYS, /* the same, normal to an edge of body[1] and to `normal` of body[0] */
    HOL_SPEED_TURNING,  /* angular velocity of body[1] relative to body[0], about a direction of either */
    HOL_SPEED_MEASURE   /* the rate of a measure */
} HolSpeedType;

typedef struct HolSpeed {
    HolSpeedType type;
    double k; /* its factor in the row */
    int body[2];
    HolMark along, normal, point; /* along: the direction, or the edge */
    int measure;
} HolSpeed;

/* A nonholonomic row (2). */
typedef struct HolVelocityRow {
    int first_speed, speed_count;
    HolFunction f;
    int row, group;
} HolVelocityRow;

#endif
