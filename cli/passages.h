/* SPDX-License-Identifier: BSD-3-Clause */
/* Singular configurations that a run has passed, in words. */
#ifndef HOLON_CLI_PASSAGES_H
#define HOLON_CLI_PASSAGES_H

#include <holon/mechanism.h>

#include <stdio.h>

/* Those at which something went wrong. */
void cli_tell_passages(FILE *file, const HolMechanism *mechanism, const HolSimulation *simulation, bool quiet);

/* One of them: where it was, the motions that are possible there, what the run did. */
void cli_passage_text(const HolMechanism *mechanism, const HolSimulation *simulation, int index, char *text,
                      size_t size);

/* One line about all of them; there must be one. */
void cli_passages_text(const HolMechanism *mechanism, const HolSimulation *simulation, char *text, size_t size);

#endif
