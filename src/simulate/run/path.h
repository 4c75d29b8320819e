/* SPDX-License-Identifier: BSD-3-Clause */
/* Configurations spread along a run, at which reactions are examined after it.
 *
 * Every accepted one is stored until there is no room. Then those are left out that are closer to their predecessor
 * than a sixteenth of the time so far, and so are later ones. */
#ifndef HOLON_SIMULATE_RUN_PATH_H
#define HOLON_SIMULATE_RUN_PATH_H

#include "simulate/simulation.h"

/* At the initial state, where redundant rows have been counted: without any there is nothing to store. */
HolStatus hol_path_create(HolSimulation *s);

/* After a step was accepted. */
void hol_path_accept(HolSimulation *s);

void hol_path_archive(HolSimulation *s, HolArchive *archive);

#endif
