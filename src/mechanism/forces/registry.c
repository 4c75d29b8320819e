/* SPDX-License-Identifier: BSD-3-Clause */
/* All forces: one line each. */
#include "mechanism/forces/force_kind.h"

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
#define LIST(name) &name.kind,

KINDS(DECLARE)
const HolKind *const hol_force_kinds[] = {KINDS(LIST) NULL};
