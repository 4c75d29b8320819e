/* SPDX-License-Identifier: BSD-3-Clause */
/* A kind of joint adds constraint equations. It is one file in joints/ ending in one const table, plus one line in
 * registry.c. Drivers are joints whose constraint equations contain a function of time. */
#ifndef HOLON_MECHANISM_JOINTS_JOINT_H
#define HOLON_MECHANISM_JOINTS_JOINT_H

#include "mechanism/builder/builder.h"

#include <stddef.h>

/* The values that every joint and driver has; first member of the values of each kind. See elastic.h. */
typedef struct HolJointGiven {
    const HolNode *stiffness;
    double turning_stiffness;
    HolNumbers misfit, preload;
    HolNumbers penalty_omega, penalty_xi; /* see row_gains.h */
    bool impulse;                         /* of those that prescribe a motion: HOL_IMPULSE_FIELD */
} HolJointGiven;

/* The keys that all kinds have, to be placed after the kind's own. */
#define HOL_JOINT_FIELDS                                                                                               \
    HOL_FIELD(                                                                                                         \
        "stiffness", NODE, HolJointGiven, stiffness,                                                                   \
        "a number, {axial: , radial: } along and across its axis, or a list, one number per constraint equation",      \
        .unit = "N/m", .fallback = "rigid"),                                                                           \
        HOL_FIELD("turning_stiffness", NUMBER, HolJointGiven, turning_stiffness, "stiffness against rotation",         \
                  .unit = "N*m/rad", .rule = HOL_POSITIVE, .fallback = "rigid"),                                       \
        HOL_FIELD("misfit", NUMBERS, HolJointGiven, misfit,                                                            \
                  "excess length of a rod as built; for other joints a list, one number per constraint equation",      \
                  .unit = "m", .fallback = "0"),                                                                       \
        HOL_FIELD("preload", NUMBERS, HolJointGiven, preload,                                                          \
                  "tension of a rod without other loads; for other joints a list, one number per constraint equation", \
                  .unit = "N", .fallback = "0"),                                                                       \
        HOL_FIELD("penalty_omega", NUMBERS, HolJointGiven, penalty_omega,                                              \
                  "frequency of its penalty, instead of the option omega: a number or a list, one number per "         \
                  "constraint equation",                                                                               \
                  .unit = "rad/s", .rule = HOL_NOT_NEGATIVE, .fallback = "the option"),                                \
        HOL_FIELD("penalty_xi", NUMBERS, HolJointGiven, penalty_xi,                                                    \
                  "damping ratio of its penalty, instead of the option xi: a number or a list, one number per "        \
                  "constraint equation",                                                                               \
                  .rule = HOL_NOT_NEGATIVE, .fallback = "the option")

typedef struct HolJointKind {
    HolKind kind;

    /* Adds constraint equations by the functions of builder.h. Errors go to the builder's reader. */
    void (*build)(HolBuilder *builder, const HolPart *part, const void *values);
} HolJointKind;

extern const HolKind *const hol_joint_kinds[];  /* each the first member of a HolJointKind; NULL-terminated */
extern const HolKind *const hol_driver_kinds[]; /* each the first member of a HolJointKind; NULL-terminated */

#endif
