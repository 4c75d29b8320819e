/* SPDX-License-Identifier: BSD-3-Clause */
/* A force as compiled; its kind evaluates it. */
#ifndef HOLON_MECHANISM_PARTS_FORCE_H
#define HOLON_MECHANISM_PARTS_FORCE_H

#include "mechanism/kinematics/frame.h"

typedef struct HolForceKind HolForceKind;

enum { HOL_FORCE_BODIES = 2 };

typedef struct HolForce {
    const char *name;
    const HolForceKind *kind;
    void *self;
    int body[HOL_FORCE_BODIES];                      /* what it acts on, 0: ground; its tangent couples them */
    int tangent[HOL_FORCE_BODIES][HOL_FORCE_BODIES]; /* where its blocks begin in K and C, -1: none */
    int event_count;                                 /* event functions */
    const HolExpression *function;                   /* of the state; NULL: none; */
    int time;                                        /* the index of t in it, */
    bool is_of_distance;                             /* and whether its argument is the distance of two points */
    int follows; /* of a follower load: the body that its resultant rotates with, else 0 */
} HolForce;

#endif
