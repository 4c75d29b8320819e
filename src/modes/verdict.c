/* SPDX-License-Identifier: BSD-3-Clause */
/* The verdict on modes: they are motions about a state only if that state stays as it is. */
#include "simulate/verdict/findings.h"

void hol_modes_findings(const HolModes *modes, HolFindings *findings)
{
    if (!hol_findings_begin(findings, modes))
        return;
    HolJudged steady = {"steady state", modes->is_steady ? 0 : 1, 0, 1};
    hol_finding_advise(hol_findings_add(findings, steady, "%s",
                                        modes->is_steady ? "The state is an equilibrium or a steady motion."
                                                         : "The state is not steady: these are modes of the equations "
                                                           "at this instant, not of the motion."),
                       "Take --at equilibrium, or the angular velocity of the steady motion.");
    hol_findings_finish(findings);
}
