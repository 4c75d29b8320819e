/* SPDX-License-Identifier: BSD-3-Clause */
/* Which components of reactions are unique, in one configuration after the other.
 *
 * States of self-stress can be added to the reactions without a change of the motion: a component that all of them lack
 * is unique. It must be so in every configuration. */
#ifndef HOLON_SIMULATE_DIAGNOSIS_UNIQUENESS_H
#define HOLON_SIMULATE_DIAGNOSIS_UNIQUENESS_H

#include "mechanism/motion.h"
#include "system/workspace.h"

/* In the configuration of the diagnosis itself, at the time t, from its self-stresses. */
void hol_uniqueness_begin(HolDiagnosis *diagnosis, double t, HolJointDiagnosis *joints);

/* In others near the point of the workspace, and along the motion of the drivers. */
HolStatus hol_uniqueness_near(const HolMechanism *mechanism, HolWorkspace *work, HolDiagnosis *diagnosis,
                              HolJointDiagnosis *joints);

/* In the configurations of a list. */
HolStatus hol_uniqueness_along(const HolMechanism *mechanism, HolWorkspace *work, const HolConfiguration *list,
                               int count, HolDiagnosis *diagnosis, HolJointDiagnosis *joints);

#endif
