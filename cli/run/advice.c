/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/advice.h"

/* Whether an integrator needs nothing but accelerations. */
static bool run_is_explicit(const char *integrator)
{
    return hol_pair_supported("lagrange", integrator, NULL) != HOL_UNSUPPORTED &&
           hol_pair_supported("index3-augmented-lagrangian", integrator, NULL) == HOL_UNSUPPORTED;
}

/* Whether the run stopped at a singular configuration because of --branch stop. */
static bool was_refused(const HolSimulation *simulation)
{
    int count = hol_simulation_passage_count(simulation);
    return count > 0 && hol_simulation_passage(simulation, count - 1).stopped;
}

const char *cli_run_advice(const HolMechanism *mechanism, const HolSimulation *simulation, HolStatus status)
{
    if (was_refused(simulation))
        return NULL;
    bool has_beams = hol_mechanism_beam_count(mechanism) > 0;
    bool has_failed =
        status == HOL_SINGULAR || status == HOL_NO_CONVERGENCE || status == HOL_NOT_FINITE || status == HOL_TOO_STIFF;
    if (has_beams && has_failed && run_is_explicit(hol_simulation_summary(simulation).integrator))
        return "beams are stiff and need very short explicit steps; --formulation index3-augmented-lagrangian is "
               "implicit and allows longer ones";
    switch (status) {
    case HOL_TOO_STIFF:
        return "leave out --formulation, --integrator and --step, or their keys in 'run', to let 'automatic' choose "
               "among explicit and implicit steps";
    case HOL_SINGULAR:
        if (has_beams)
            return "a beam that folds between its nodes needs more elements; otherwise try a smaller --step or another "
                   "--formulation";
        return "'holon check' lists the redundant constraint equations; try another --formulation or --step";
    case HOL_NO_CONVERGENCE:
    case HOL_NOT_FINITE: return "try a smaller --step, another --formulation or another --integrator";
    default: return NULL;
    }
}
