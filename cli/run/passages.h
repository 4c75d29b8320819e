/* SPDX-License-Identifier: BSD-3-Clause */
/* Sentences about the singular configurations that a run has passed. */
#ifndef HOLON_CLI_RUN_PASSAGES_H
#define HOLON_CLI_RUN_PASSAGES_H

#include <holon/mechanism.h>

#include <stdio.h>

/* One line for each at which the run left its branch, jumped in energy or was carried across. */
void cli_passages_print(FILE *file, const HolMechanism *mechanism, const HolSimulation *simulation, bool quiet);

/* One of them: its time, the branches that meet there, what the run did. */
void cli_passage_text(const HolMechanism *mechanism, const HolSimulation *simulation, int index, char *text,
                      size_t size);

/* One line about all of them; there must be at least one. */
void cli_passages_summary(const HolMechanism *mechanism, const HolSimulation *simulation, char *text, size_t size);

#endif
