/* SPDX-License-Identifier: BSD-3-Clause */
/* Verdicts as text, as JSON and as exit codes; the same for all commands. */
#ifndef HOLON_CLI_FINDINGS_H
#define HOLON_CLI_FINDINGS_H

#include <holon/verdict.h>

#include "command.h"
#include "json.h"
#include "terminal/table.h"

/* Rows "verdict", "good"; for each finding that is not good its reason and advice. */
void cli_findings_add(const HolFindings *findings, CliTable *table);
/* The same below a table, one line each. */
void cli_verdict_print(const HolFindings *findings);

/* The members `verdict` and `findings` of an object that is open. */
void cli_findings_members(const HolFindings *findings, CliJson *json);

/* EXIT_BAD for a bad result, unless --accept allows it. */
int cli_findings_code(const HolFindings *findings, const char *accept);

#endif
