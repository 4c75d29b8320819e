/* SPDX-License-Identifier: BSD-3-Clause */
/* What a joint is: a table of rows. One kind is one file in joints/ ending in one const table, plus one line in its
 * registry.c. Drivers are joints whose rows follow a function of time. */
#ifndef HOLON_MECHANISM_JOINT_H
#define HOLON_MECHANISM_JOINT_H

#include "mechanism/builder.h"

#include <stddef.h>

/* What can be said of every joint and driver; first member of the values of each kind. See elastic.h. */
typedef struct HolJointGiven {
    const HolNode *stiffness;
    double turning_stiffness;
    HolNumbers misfit, preload;
} HolJointGiven;

/* The keys that all kinds have, to be put after a kind's own. */
#define HOL_JOINT_FIELDS                                                                                               \
    {"stiffness",                                                                                                      \
     HOL_FIELD_NODE,                                                                                                   \
     offsetof(HolJointGiven, stiffness),                                                                               \
     .unit = "N/m",                                                                                                    \
     .fallback = "rigid",                                                                                              \
     .help = "how it resists: a number, {axial: , radial: } along and across its axis, or a list, one for each row"},  \
        {"turning_stiffness",                                                                                          \
         HOL_FIELD_NUMBER,                                                                                             \
         offsetof(HolJointGiven, turning_stiffness),                                                                   \
         .unit = "N*m/rad",                                                                                            \
         .rule = HOL_POSITIVE,                                                                                         \
         .fallback = "rigid",                                                                                          \
         .help = "how it resists turning"},                                                                            \
        {"misfit",                                                                                                     \
         HOL_FIELD_NUMBERS,                                                                                            \
         offsetof(HolJointGiven, misfit),                                                                              \
         .unit = "m",                                                                                                  \
         .fallback = "0",                                                                                              \
         .help = "by how much a rod is too long as built; of other joints a list, one for each row"},                  \
    {                                                                                                                  \
        "preload", HOL_FIELD_NUMBERS, offsetof(HolJointGiven, preload),                                                \
            .unit = "N", .fallback = "0",                                                                              \
            .help = "tension of a rod while nothing else acts; of other joints a list, one for each row"               \
    }

typedef struct HolJointKind {
    HolKind kind;

    /* Adds its rows by the builder's functions. Errors go to the builder's reader. */
    void (*build)(HolBuilder *builder, const HolPart *part, const void *values);
} HolJointKind;

extern const HolJointKind *const hol_joint_kinds[];  /* NULL-terminated */
extern const HolJointKind *const hol_driver_kinds[]; /* NULL-terminated */

#endif
