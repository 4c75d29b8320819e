/* SPDX-License-Identifier: BSD-3-Clause */
/* One line for each kind of body. */
#include "mechanism/bodies/body.h"

#define KINDS                                                                                                          \
    KIND(hol_bar)                                                                                                      \
    KIND(hol_box)                                                                                                      \
    KIND(hol_cylinder)                                                                                                 \
    KIND(hol_sphere)                                                                                                   \
    KIND(hol_rigid)                                                                                                    \
    KIND(hol_particle)                                                                                                 \
    KIND(hol_direction)

#define KIND(kind) extern const HolBodyKind kind;
KINDS
#undef KIND

#define KIND(name) &name.kind,
const HolKind *const hol_body_kinds[] = {KINDS NULL};
#undef KIND
