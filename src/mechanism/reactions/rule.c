/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanism/reactions/elastic.h"
#include "mechanism/reactions/resolver.h"

bool hol_shares_by_stiffness(const HolMechanism *mechanism, unsigned load_sharing)
{
    bool by_weights = (load_sharing & HOL_SHARING_BY_WEIGHTS) && !mechanism->has_preload;
    return ((load_sharing & HOL_SHARING_BY_STIFFNESS) || by_weights) && mechanism->weights_are_exact;
}

/* Computed reactions are recorded as they are where the formulation shares them by the stiffness of the joints, or by a
 * rule of its own between joints without stiffness. Where constraints that keep bodies rigid would take a share, the
 * rule is applied to the joints alone. */
HolReactionRule hol_reaction_rule(const HolMechanism *mechanism, unsigned load_sharing)
{
    HolReactionRule given = mechanism->run->reactions;
    if (given == HOL_BY_STIFFNESS && !mechanism->is_elastic)
        return HOL_MINIMUM_NORM; /* of rigid joints */
    if (given != HOL_AUTOMATIC)
        return given;
    if (mechanism->is_elastic || mechanism->has_preload) {
        if (hol_shares_by_stiffness(mechanism, load_sharing))
            return HOL_AS_COMPUTED;
        return mechanism->is_elastic ? HOL_BY_STIFFNESS : HOL_MINIMUM_NORM;
    }
    if ((load_sharing & HOL_SHARING_BY_RULE) && !hol_mechanism_has_rigidity_rows(mechanism))
        return HOL_AS_COMPUTED;
    return load_sharing & HOL_SHARING_BY_ELIMINATION ? HOL_BY_ELIMINATION : HOL_MINIMUM_NORM;
}
