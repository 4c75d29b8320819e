/* SPDX-License-Identifier: BSD-3-Clause */
/* Verdicts: whether a result can be relied on, from what was measured along with it.
 *
 *     HolFindings findings;
 *     hol_simulation_findings(simulation, &findings);
 *     if (findings.verdict == HOL_VERDICT_BAD) puts(findings.list[0].reason);
 *
 * Each finding compares one measure with a limit. The verdict is that of the worst finding. See
 * docs/methods/verdicts.md. */
#ifndef HOLON_VERDICT_H
#define HOLON_VERDICT_H

#include <holon/modes.h>
#include <holon/static.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef enum HolVerdict {
    HOL_VERDICT_GOOD,     /* nothing was found that speaks against the result */
    HOL_VERDICT_DOUBTFUL, /* the result may be inaccurate: check it by shorter steps */
    HOL_VERDICT_BAD       /* the result is wrong, or part of it is missing */
} HolVerdict;

const char *hol_verdict_name(HolVerdict verdict); /* "good", "doubtful", "bad" */

enum { HOL_MAX_FINDINGS = 12 };

typedef struct HolFinding {
    HolVerdict verdict;
    const char *what; /* "energy balance", ...: the same for all results */
    double value;     /* the measure, as a part of what it is compared with, or a count; NAN: none */
    double limit;     /* the largest value of the next better verdict; of a good one the largest that is good */
    char reason[320]; /* a sentence with the numbers */
    char advice[240]; /* what to do; "" of a good one */
} HolFinding;

typedef struct HolFindings {
    HolVerdict verdict;
    int count;
    HolFinding list[HOL_MAX_FINDINGS]; /* the worst first */
} HolFindings;

/* On a run so far, and on one of which only the summary is left. Nothing, NULL, is bad. */
void hol_simulation_findings(const HolSimulation *simulation, HolFindings *findings);
void hol_summary_findings(const HolSummary *summary, HolFindings *findings);
HolVerdict hol_simulation_verdict(const HolSimulation *simulation);
/* Replaces the estimated error by one that a repeated run has measured, relative to the motion. */
void hol_findings_verify(HolFindings *findings, double error);

/* On an equilibrium, and on modes about a state. */
void hol_equilibrium_findings(const HolEquilibrium *equilibrium, HolFindings *findings);
void hol_modes_findings(const HolModes *modes, HolFindings *findings);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
