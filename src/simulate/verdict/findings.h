/* SPDX-License-Identifier: BSD-3-Clause */
/* How findings are added to a list. */
#ifndef HOLON_SIMULATE_VERDICT_FINDINGS_H
#define HOLON_SIMULATE_VERDICT_FINDINGS_H

#include <holon/verdict.h>

/* A measure with the limits of good and of doubtful values. */
typedef struct HolJudged {
    const char *what;
    double value, good, doubtful;
} HolJudged;

/* Empties the findings. False if there are none, or nothing to judge, which is then the one finding. */
bool hol_findings_begin(HolFindings *findings, const void *judged);

/* Adds a finding with its verdict by the limits and a sentence; returns it, for its advice. NULL: the list is full. */
__attribute__((format(printf, 3, 4))) HolFinding *hol_findings_add(HolFindings *findings, HolJudged judged,
                                                                   const char *format, ...);

/* Sorts the worst first and sets the verdict. A good finding has no advice. */
void hol_findings_finish(HolFindings *findings);

/* Copies an advice into a finding that may be NULL. */
void hol_finding_advise(HolFinding *finding, const char *advice);

#endif
