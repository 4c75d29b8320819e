/* SPDX-License-Identifier: BSD-3-Clause */
/* Reactions that are not unique, in words: always, or in some of the configurations that were examined. */
#ifndef HOLON_CLI_UNIQUENESS_H
#define HOLON_CLI_UNIQUENESS_H

#include <holon/mechanism.h>

#include "json.h"

/* The components of a reaction: fx fy tz in the plane, all six in space. The list of indices ends with -1. */
extern const char *const cli_component_names[6];
const int *cli_components(const HolMechanism *mechanism);

/* Whether all components of a reaction are unique. */
bool cli_is_unique(const HolJointDiagnosis *joint);

/* "rod1, rod2" or "12 joints": those whose reactions are not unique; "": none. */
void cli_not_unique_text(const HolMechanism *mechanism, const HolDiagnosis *diagnosis, char *text, size_t size);

/* "A.fx only after the initial state, B.tz only until t = 0.3 s": components that are unique in a part of a run. "":
 * none. */
void cli_changing_text(const HolMechanism *mechanism, const HolDiagnosis *diagnosis, char *text, size_t size);

/* "A.fx, B.fx": components that are unique in the initial configuration only. "": none. */
void cli_initially_unique_text(const HolMechanism *mechanism, const HolDiagnosis *diagnosis, char *text, size_t size);

/* Writes the members "reactions_examined", the number of configurations, and "changing_reactions", the components that
 * are unique in some of them: {joint, component, not_unique, from, until}. No diagnosis: 0 and none. */
void cli_uniqueness_members(const HolMechanism *mechanism, const HolDiagnosis *diagnosis, CliJson *json);

#endif
