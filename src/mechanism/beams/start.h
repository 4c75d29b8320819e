/* SPDX-License-Identifier: BSD-3-Clause */
/* The start of a whole beam. */
#ifndef HOLON_MECHANISM_BEAMS_START_H
#define HOLON_MECHANISM_BEAMS_START_H

#include "mechanism/builder.h"

/* Reads the motion of a beam as of a rigid body, and gives each of its nodes its part of it, held; there must be room
 * in the list of holds. */
void hol_beam_read_start(HolBuilder *builder, const HolNode *node, const HolBeam *beam);

#endif
