/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of hol_system_check() about strains. */
#ifndef HOLON_SYSTEM_CHECK_STRAINS_H
#define HOLON_SYSTEM_CHECK_STRAINS_H

#include <holon/system.h>

typedef struct HolStrainCheck {
    const HolSystem *system;
    const HolPoint *at;
    const double *delta, *z; /* nv: two displacements of order one */
    HolTerms *terms;
    double *q_b, *q_m, *f[3]; /* scratch: nv each */
    HolMessage *message;
} HolStrainCheck;

/* HOL_BAD_INPUT and a sentence if strain_stiffness() and strain_forces() contradict each other. */
HolStatus hol_check_strains(const HolStrainCheck *check);

#endif
