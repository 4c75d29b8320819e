/* SPDX-License-Identifier: BSD-3-Clause */
#include "passages.h"

#include <stdio.h>

static const char *joint_of(const HolMechanism *mechanism, const HolPassage *passage)
{
    return passage->group < 0 ? "rows" : hol_system_group_name(hol_mechanism_system(mechanism), passage->group);
}

/* Blocks of a mechanism are its bodies. */
static const char *body_of(const HolMechanism *mechanism, int block)
{
    return block < 0 ? NULL : hol_mechanism_body(mechanism, block);
}

/* "'rod' and 'crank' could also have gone another way" */
static void tell_other_way(FILE *file, const HolMechanism *mechanism, const HolPassage *passage)
{
    const char *first = body_of(mechanism, passage->blocks[0]), *second = body_of(mechanism, passage->blocks[1]);
    if (first && second)
        fprintf(file, "; there '%s' and '%s' have two ways on", first, second);
    else if (first)
        fprintf(file, "; there '%s' has two ways on", first);
}

void cli_tell_passages(FILE *file, const HolMechanism *mechanism, const HolSimulation *simulation)
{
    enum { MOST_TOLD = 5 };
    HolSummary summary = hol_simulation_summary(simulation);
    int told = 0;
    for (int i = 0; i < hol_simulation_passage_count(simulation) && told < MOST_TOLD; ++i) {
        HolPassage passage = hol_simulation_passage(simulation, i);
        if (!passage.changed_branch && !passage.energy_jump)
            continue;
        ++told;
        fprintf(file, "holon: at t = %.6g s, a singular configuration of '%s', %s%s%s", passage.t,
                joint_of(mechanism, &passage), passage.changed_branch ? "the motion turned into another one" : "",
                passage.changed_branch && passage.energy_jump ? " and " : "",
                passage.energy_jump ? "the energy jumped" : "");
        tell_other_way(file, mechanism, &passage);
        fprintf(file, ". From there on the results are not to be trusted\n");
    }
    if (summary.branch_changes > told)
        fprintf(file, "holon: %ld changes of branch in all\n", summary.branch_changes);
}

void cli_passages_text(const HolMechanism *mechanism, const HolSimulation *simulation, char *text, size_t size)
{
    HolSummary summary = hol_simulation_summary(simulation);
    HolPassage first = hol_simulation_passage(simulation, 0);
    snprintf(text, size, "%ld configuration%s passed, the first at %.6g s ('%s'); %ld change%s of branch",
             summary.singular_events, summary.singular_events == 1 ? "" : "s", first.t, joint_of(mechanism, &first),
             summary.branch_changes, summary.branch_changes == 1 ? "" : "s");
}
