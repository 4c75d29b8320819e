/* SPDX-License-Identifier: BSD-3-Clause */
/* What the run section of a model says. The mechanism carries it for the layers above, which know the names and options
 * of formulations and integrators, check them, and fill in what the section leaves out. */
#ifndef HOLON_MECHANISM_RUN_SECTION_H
#define HOLON_MECHANISM_RUN_SECTION_H

#include "mechanism/mechanism.h"
#include "model/node.h"

/* Which of the possible reactions are recorded where constraints are redundant; AUTOMATIC: hol_reaction_rule(). */
typedef enum HolReactionRule {
    HOL_AUTOMATIC,
    HOL_AS_COMPUTED,
    HOL_MINIMUM_NORM,
    HOL_BY_STIFFNESS,
    HOL_BY_ELIMINATION
} HolReactionRule;

#define HOL_AUTOMATIC_INTEGRATOR "automatic" /* the name that leaves the choice open, like no name at all */
#define HOL_MOST_RECORDS 1e10                /* of one run: more would fill any disk */

struct HolRunSection {
    const char *formulation, *integrator; /* "": not given; NULL: given, but not readable */
    HolPlace formulation_place, integrator_place;
    bool formulation_is_free, integrator_is_free, step_is_free; /* not given: simulate/automatic may choose them */
    const HolChoice *choice;                                    /* NULL: it has not */
    int setting_count;
    HolSetting *settings; /* their options */
    HolPlace *setting_places;
    double until, step, every;
    bool keeps_start; /* as given, not assembled */
    HolBranchPolicy branch;
    HolReactionRule reactions;
    unsigned load_sharing; /* HolLoadSharing of the formulation, from the layer above */
    const char **record;
    int record_count; /* -1: everything */
};

/* Whether a record list may contain `name`; the message gives the reason if not. */
bool hol_record_name_is_known(const HolMechanism *mechanism, const char *name, HolMessage *message);

#endif
