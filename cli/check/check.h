/* SPDX-License-Identifier: BSD-3-Clause */
/* The findings of `holon check`, printed as text or JSON. */
#ifndef HOLON_CLI_CHECK_CHECK_H
#define HOLON_CLI_CHECK_CHECK_H

#include <holon/mechanism.h>

#include "terminal/text.h"
#include "uniqueness.h"

typedef struct CliFindings {
    const HolModel *model;
    const HolMechanism *mechanism;
    double closed;                 /* violations up to this count as none, m or rad */
    HolGap gap;                    /* violation of the configuration as drawn */
    bool assembled;                /* assembly has made the initial state consistent */
    bool consistent_start;         /* the initial state was consistent as drawn */
    const HolDiagnosis *diagnosis; /* of the initial configuration, assembled or as drawn */
    HolTimeScales scales;          /* of the initial state; fastest is NAN: not known */
    HolTerms *terms;               /* energies and inputs there; NULL: not enough memory */
} CliFindings;

void cli_findings_print(const CliFindings *findings);
void cli_self_stress_print(const CliFindings *findings);
void cli_findings_print_json(const CliFindings *findings);

/* Adds the components of a joint's reaction that are not unique: "fx tz", or nothing. */
void cli_add_not_unique(CliText *text, const HolMechanism *mechanism, const HolDiagnosis *diagnosis, int joint);

#endif
