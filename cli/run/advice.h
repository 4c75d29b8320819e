/* SPDX-License-Identifier: BSD-3-Clause */
/* What to try after a run that has failed. */
#ifndef HOLON_CLI_RUN_ADVICE_H
#define HOLON_CLI_RUN_ADVICE_H

#include <holon/mechanism.h>

/* A sentence, or NULL. */
const char *cli_run_advice(const HolMechanism *mechanism, const HolSimulation *simulation, HolStatus status);

#endif
