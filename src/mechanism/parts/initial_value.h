/* SPDX-License-Identifier: BSD-3-Clause */
/* Initial values that the start section of a model gives: assembly keeps them. */
#ifndef HOLON_MECHANISM_PARTS_INITIAL_VALUE_H
#define HOLON_MECHANISM_PARTS_INITIAL_VALUE_H

#include <stdbool.h>

/* Which values of a body are given. */
typedef struct HolHold {
    int body; /* 0-based, without the ground */
    bool position[3], velocity[3];
    bool orientation, angular_velocity;
    double turning[3]; /* the angular velocity in global axes, in space */
} HolHold;

/* The constraint equation that keeps one of them during assembly. */
typedef enum HolHoldType { HOL_HOLD_POSITION, HOL_HOLD_ORIENTATION, HOL_HOLD_VELOCITY, HOL_HOLD_TURNING } HolHoldType;

typedef struct HolHoldRow {
    HolHoldType type;
    int body;      /* 1-based as in frames */
    int axis;      /* 0, 1, 2 */
    double target; /* position or velocity; angle or w in the plane; w in body axes */
    double e[4];   /* target orientation */
    const char *name;
    int row, group;
} HolHoldRow;

#endif
