/* SPDX-License-Identifier: BSD-3-Clause */
#include <holon/verdict.h>

#include "wrong_arguments.h"

/* What has not been judged is bad, with a reason. */
static void check_nothing(const HolFindings *findings)
{
    CHECK_EQUAL_INT(findings->verdict, HOL_VERDICT_BAD);
    if (CHECK_EQUAL_INT(findings->count, 1))
        CHECK_CONTAINS(findings->list[0].reason, "NULL");
}

static void wrong_hol_verdict_name(void)
{
    CHECK_STRING(hol_verdict_name((HolVerdict)-1), "unknown");
    CHECK_STRING(hol_verdict_name((HolVerdict)3), "unknown");
}

static void wrong_hol_simulation_findings(void)
{
    HolFindings findings;
    Subject s;
    hol_simulation_findings(NULL, &findings);
    check_nothing(&findings);
    hol_simulation_findings(NULL, NULL);
    if (subject_open(&s, "four-bar"))
        hol_simulation_findings(s.simulation, NULL);
    subject_close(&s);
}

static void wrong_hol_summary_findings(void)
{
    HolFindings findings;
    const HolSummary empty = {0};
    hol_summary_findings(NULL, &findings);
    check_nothing(&findings);
    hol_summary_findings(&empty, NULL);
    hol_summary_findings(&empty, &findings); /* no name, no number */
    CHECK(findings.count > 0);
}

static void wrong_hol_simulation_verdict(void)
{
    CHECK_EQUAL_INT(hol_simulation_verdict(NULL), HOL_VERDICT_BAD);
}

static void wrong_hol_findings_verify(void)
{
    HolFindings findings = {0};
    hol_findings_verify(NULL, 0.1);
    for (int i = 0; i < WRONG_NUMBERS; ++i)
        hol_findings_verify(&findings, wrong_numbers[i]);
    CHECK_EQUAL_INT(findings.verdict, HOL_VERDICT_BAD);
    findings.count = INT_MAX;
    hol_findings_verify(&findings, 0);
    CHECK_EQUAL_INT(findings.count, 1);
    findings.count = -1;
    hol_findings_verify(&findings, 0);
    CHECK_EQUAL_INT(findings.count, 1);
}

static void wrong_hol_equilibrium_findings(void)
{
    HolFindings findings;
    const HolEquilibrium empty = {0};
    hol_equilibrium_findings(NULL, &findings);
    check_nothing(&findings);
    hol_equilibrium_findings(&empty, NULL);
}

static void wrong_hol_modes_findings(void)
{
    HolFindings findings;
    const HolModes empty = {0};
    hol_modes_findings(NULL, &findings);
    check_nothing(&findings);
    hol_modes_findings(&empty, NULL);
}

WRONG_ARGUMENTS_MAIN()
