/* SPDX-License-Identifier: BSD-3-Clause */
/* Properties of a mechanism that the public interface returns. */
#include "mechanism/mechanism.h"
#include "mechanism/reactions/resolver.h"
#include "mechanism/run_section.h"

#include <math.h>

const HolSystem *hol_mechanism_system(const HolMechanism *mechanism)
{
    return mechanism ? mechanism->system : NULL;
}

bool hol_mechanism_is_planar(const HolMechanism *mechanism)
{
    return mechanism && mechanism->planar;
}

const char *hol_mechanism_coordinates(const HolMechanism *mechanism)
{
    if (!mechanism)
        return "";
    return mechanism->natural ? "natural" : "reference-point";
}

HolGap hol_mechanism_gap(const HolMechanism *mechanism)
{
    return mechanism ? mechanism->gap : (HolGap){.where = NULL};
}

bool hol_mechanism_keeps_initial_state(const HolMechanism *mechanism)
{
    return mechanism && mechanism->run->keeps_start;
}

const char *hol_mechanism_reaction_rule(const HolMechanism *mechanism)
{
    static const char *const names[] = {[HOL_AS_COMPUTED] = "as-computed",
                                        [HOL_MINIMUM_NORM] = "minimum-norm",
                                        [HOL_BY_STIFFNESS] = "stiffness",
                                        [HOL_BY_ELIMINATION] = "elimination"};
    return mechanism ? names[hol_reaction_rule(mechanism, mechanism->run->load_sharing)] : "";
}

bool hol_mechanism_formulation_shares(const HolMechanism *mechanism)
{
    return mechanism && mechanism->is_elastic && hol_shares_by_stiffness(mechanism, mechanism->run->load_sharing);
}

double hol_mechanism_until(const HolMechanism *mechanism)
{
    return mechanism ? mechanism->run->until : NAN;
}

double hol_mechanism_every(const HolMechanism *mechanism)
{
    return mechanism ? mechanism->run->every : NAN;
}

int hol_mechanism_beam_count(const HolMechanism *mechanism)
{
    return mechanism ? mechanism->beam_count : 0;
}

HolBeamInfo hol_mechanism_beam(const HolMechanism *mechanism, int index)
{
    if (index < 0 || index >= hol_mechanism_beam_count(mechanism))
        return (HolBeamInfo){.name = NULL};
    const HolBeam *beam = &mechanism->beams[index];
    return (HolBeamInfo){.name = beam->name,
                         .length = beam->length,
                         .element_count = beam->element_count,
                         .order = beam->order,
                         .first_node = beam->first_node - 1,
                         .node_count = beam->node_count};
}

int hol_mechanism_body_count(const HolMechanism *mechanism)
{
    return mechanism ? mechanism->body_count : 0;
}

const char *hol_mechanism_body(const HolMechanism *mechanism, int index)
{
    return index >= 0 && index < hol_mechanism_body_count(mechanism) ? mechanism->bodies[index].name : "";
}

int hol_mechanism_joint_count(const HolMechanism *mechanism)
{
    return mechanism ? mechanism->joint_count : 0;
}

static const char *body_name(const HolMechanism *mechanism, int body)
{
    return body == 0 ? "ground" : mechanism->bodies[body - 1].name;
}

HolJointInfo hol_mechanism_joint(const HolMechanism *mechanism, int index)
{
    if (index < 0 || index >= hol_mechanism_joint_count(mechanism))
        return (HolJointInfo){.name = NULL};
    const HolJoint *joint = &mechanism->joints[index];
    return (HolJointInfo){
        .name = joint->name,
        .kind = joint->kind,
        .first = body_name(mechanism, joint->body[0]),
        .second = body_name(mechanism, joint->body[1]),
        .row_count = joint->row_count,
        .nonholonomic_count = joint->nonholonomic_count,
        .rows = joint->rows,
        .row_names = joint->row_names,
    };
}
