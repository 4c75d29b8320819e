/* SPDX-License-Identifier: BSD-3-Clause */
/* What was found out about a model, and how it is told. */
#ifndef HOLON_CLI_CHECK_H
#define HOLON_CLI_CHECK_H

#include <holon/mechanism.h>

typedef struct CliFindings {
    const HolModel *model;
    const HolMechanism *mechanism;
    HolGap gap;     /* as drawn */
    bool assembled; /* the start could be made consistent */
    bool consistent_start;
    const HolDiagnosis *diagnosis; /* at the start, assembled or as drawn */
    HolTerms *terms;               /* energies there, and inputs; NULL: no memory */
} CliFindings;

void cli_findings_print(const CliFindings *findings);
void cli_self_stress_print(const CliFindings *findings);
void cli_findings_print_json(const CliFindings *findings);

/* The components of reactions that a model has: fx fy tz in the plane, else all six. The indices end with -1. */
extern const char *const cli_component_names[6];
const int *cli_components(const HolMechanism *mechanism);

#endif
