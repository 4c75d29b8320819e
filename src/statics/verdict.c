/* SPDX-License-Identifier: BSD-3-Clause */
/* The verdict on an equilibrium. The search ends only where forces balance to its tolerance, so what remains is whether
 * the mechanism would stay there, and whether the configuration determines its reactions. */
#include "simulate/verdict/findings.h"

/* 1 is doubtful. */
static HolJudged is_doubtful(const char *what, bool doubtful)
{
    return (HolJudged){what, doubtful ? 1 : 0, 0, 1};
}

static void judge_stability(const HolEquilibrium *e, HolFindings *findings)
{
    HolFinding *f;
    if (!e->has_stability)
        f = hol_findings_add(findings, is_doubtful("stability", true), "The stability could not be determined.");
    else
        f = hol_findings_add(findings, is_doubtful("stability", e->unstable_count > 0), "%d of %d modes grow%s.",
                             e->unstable_count, e->dof, e->all_modes_examined ? "" : ", judged by the lowest modes");
    hol_finding_advise(f, e->has_stability
                              ? "Disturb the initial configuration to find a stable equilibrium."
                              : "Simulate with damping from there, or try 'holon modes --at equilibrium'.");
}

void hol_equilibrium_findings(const HolEquilibrium *equilibrium, HolFindings *findings)
{
    const HolEquilibrium *e = equilibrium;
    if (!hol_findings_begin(findings, e))
        return;
    hol_findings_add(findings, is_doubtful("force imbalance", false), "Forces balance to %.2g, positions to %.2g.",
                     e->imbalance, e->violation);
    judge_stability(e, findings);
    if (e->is_singular)
        hol_finding_advise(
            hol_findings_add(findings, is_doubtful("singular configuration", true),
                             "The equilibrium is a singular configuration: reactions and stability depend "
                             "on how forces are distributed."),
            "Move it off the singular configuration by a small load.");
    hol_findings_finish(findings);
}
