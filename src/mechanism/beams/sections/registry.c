/* SPDX-License-Identifier: BSD-3-Clause */
/* All sections of beams: one line each. */
#include "mechanism/beams/sections/section.h"

#define KINDS                                                                                                          \
    KIND(hol_rectangle)                                                                                                \
    KIND(hol_circle)                                                                                                   \
    KIND(hol_tube)                                                                                                     \
    KIND(hol_stiffnesses)                                                                                              \
    KIND(hol_stiffness_matrix)

#define KIND(kind) extern const HolSectionKind kind;
KINDS
#undef KIND

#define KIND(name) &name.kind,
const HolKind *const hol_section_kinds[] = {KINDS NULL};
#undef KIND
