/* SPDX-License-Identifier: BSD-3-Clause */
/* What helps a run that ended early. */
#ifndef HOLON_CLI_RUN_ADVICE_H
#define HOLON_CLI_RUN_ADVICE_H

#include <holon/mechanism.h>

/* What the user may try after a run with this status. NULL: nothing, as where --branch stop ended it. */
const char *cli_run_advice(const HolMechanism *mechanism, const HolSimulation *simulation, HolStatus status);

#endif
