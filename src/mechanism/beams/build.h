/* SPDX-License-Identifier: BSD-3-Clause */
/* From the section `beams` of a model to nodes and elements. */
#ifndef HOLON_MECHANISM_BEAMS_BUILD_H
#define HOLON_MECHANISM_BEAMS_BUILD_H

#include "mechanism/builder/builder.h"

extern const HolKind hol_beam_kind; /* its keys and samples */

/* The beams that were read, between the two steps below. */
typedef struct HolBeamDrafts HolBeamDrafts;

/* Reads the section; returns the number of nodes of all beams. Errors go to the reader. */
HolStatus hol_beams_read(HolBuilder *builder, HolBeamDrafts **drafts, int *node_count);

/* Appends the nodes to the bodies, for which there must be room, and makes the elements. */
HolStatus hol_beams_make(HolBuilder *builder, const HolBeamDrafts *drafts);

/* Reads the rigid-body motion of a beam from the start section and prescribes the velocity of each of its nodes; there
 * must be room in the list of holds. */
void hol_beam_read_start(HolBuilder *builder, const HolNode *node, const HolBeam *beam);

/* The beam of that name, or NULL. */
const HolBeam *hol_beam_find(const HolMechanism *mechanism, const char *name, size_t length);

/* "tower@0.5": a beam and a fraction of its length. *beam is NULL if the name is not that of a beam; false also if the
 * fraction does not lie between 0 and 1. */
bool hol_beam_find_place(const HolMechanism *mechanism, const char *name, const HolBeam **beam, double *x);

#endif
