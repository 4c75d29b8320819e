/* SPDX-License-Identifier: BSD-3-Clause */
/* One line for each kind of section. */
#include "mechanism/beams/section.h"

#define KINDS                                                                                                          \
    KIND(hol_rectangle)                                                                                                \
    KIND(hol_circle)                                                                                                   \
    KIND(hol_tube)                                                                                                     \
    KIND(hol_stiffnesses)                                                                                              \
    KIND(hol_stiffness_matrix)

#define KIND(kind) extern const HolSectionKind kind;
KINDS
#undef KIND

#define KIND(kind) &kind,
const HolSectionKind *const hol_section_kinds[] = {KINDS NULL};
#undef KIND
