/* SPDX-License-Identifier: BSD-3-Clause */
/* From the section `beams` of a model to nodes and elements. */
#ifndef HOLON_MECHANISM_BEAMS_BUILD_H
#define HOLON_MECHANISM_BEAMS_BUILD_H

#include "mechanism/builder.h"

extern const HolKind hol_beam_kind; /* its keys, for lists */

/* What has been read of the beams, between the two steps below. */
typedef struct HolBeamDrafts HolBeamDrafts;

/* Reads the section; how many nodes its beams have together. Errors go to the reader. */
HolStatus hol_beams_read(HolBuilder *builder, HolBeamDrafts **drafts, int *node_count);

/* Appends the nodes to the bodies, for which there must be room, and makes the elements. */
HolStatus hol_beams_make(HolBuilder *builder, const HolBeamDrafts *drafts);

/* The beam of that name, or NULL. */
const HolBeam *hol_beam_find(const HolMechanism *mechanism, const char *name, size_t length);

/* "tower@0.5": a beam and a part of its length. The beam is NULL where none is named; false also if the number behind
 * it does not lie between 0 and 1. */
bool hol_beam_find_place(const HolMechanism *mechanism, const char *name, const HolBeam **beam, double *x);

#endif
