/* SPDX-License-Identifier: BSD-3-Clause */
/* The constants of an element, from its nodes as drawn and the section. */
#ifndef HOLON_MECHANISM_BEAMS_ELEMENTS_H
#define HOLON_MECHANISM_BEAMS_ELEMENTS_H

#include "mechanism/beams/sections/section.h"

/* An error of the section and the arc length where it occurs; why NULL: none. */
typedef struct HolElementFault {
    const char *why;
    double s;
} HolElementFault;

/* Element `index` of a beam whose nodes are among the bodies; also gives these the masses that count in the assembly.
 * free_curvature NULL: as drawn. */
HolElementFault hol_beam_element_make(const HolMechanism *mechanism, const HolBeam *beam, int index,
                                      const HolSectionRead *section, const double *free_curvature,
                                      HolBeamElement *element);

#endif
