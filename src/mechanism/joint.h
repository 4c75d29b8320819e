/* SPDX-License-Identifier: BSD-3-Clause */
/* What a joint is: a table of rows. One kind is one file in joints/ ending in one const table, plus one line in its
 * registry.c. Drivers are joints whose rows follow a function of time. */
#ifndef HOLON_MECHANISM_JOINT_H
#define HOLON_MECHANISM_JOINT_H

#include "mechanism/builder.h"

typedef struct HolJointKind {
    HolKind kind;

    /* Adds its rows by the builder's functions. Errors go to the builder's reader. */
    void (*build)(HolBuilder *builder, const HolPart *part, const void *values);
} HolJointKind;

extern const HolJointKind *const hol_joint_kinds[];  /* NULL-terminated */
extern const HolJointKind *const hol_driver_kinds[]; /* NULL-terminated */

#endif
