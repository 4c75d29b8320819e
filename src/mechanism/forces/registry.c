/* SPDX-License-Identifier: BSD-3-Clause */
/* All forces: one line each. */
#include "mechanism/force.h"

#define KINDS(KIND)                                                                                                    \
    KIND(hol_force)                                                                                                    \
    KIND(hol_torque)                                                                                                   \
    KIND(hol_spring)                                                                                                   \
    KIND(hol_torsion)                                                                                                  \
    KIND(hol_bushing)                                                                                                  \
    KIND(hol_bump_stop)                                                                                                \
    KIND(hol_line_load)                                                                                                \
    KIND(hol_tyre)

#define DECLARE(kind) extern const HolForceKind kind;
#define LIST(kind) &kind,

KINDS(DECLARE)
const HolForceKind *const hol_force_kinds[] = {KINDS(LIST) NULL};
