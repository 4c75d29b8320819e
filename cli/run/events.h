/* SPDX-License-Identifier: BSD-3-Clause */
/* The events of a run: contacts that close and open, force laws that switch. */
#ifndef HOLON_CLI_RUN_EVENTS_H
#define HOLON_CLI_RUN_EVENTS_H

#include <holon/mechanism.h>

#include "json.h"

/* "3, the first at t = 0.447214 s (bump-stop 'end' closes)"; there must be at least one. */
void cli_events_text(const HolMechanism *mechanism, const HolSimulation *simulation, char *text, size_t size);

/* "2, the first at t = 0.5 s (driver 'motor': 3 N*m*s, work 4.5 J)", if there is any impulse. */
void cli_impulses_text(const HolMechanism *mechanism, const HolSimulation *simulation, char *text, size_t size);

/* Writes the member "impulses", an array of {t, name, impulse, unit, work} of those kept. */
void cli_impulses_member(const HolMechanism *mechanism, const HolSimulation *simulation, CliJson *json);

/* Writes the members "events", an array of {t, what} of those kept, and "skipped_events". */
void cli_events_members(const HolMechanism *mechanism, const HolSimulation *simulation, CliJson *json);

#endif
