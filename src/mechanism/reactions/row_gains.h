/* SPDX-License-Identifier: BSD-3-Clause */
/* Frequencies and damping ratios of penalties for the constraint equations of single joints, in the place of the
 * options omega and xi of the formulation. */
#ifndef HOLON_MECHANISM_REACTIONS_ROW_GAINS_H
#define HOLON_MECHANISM_REACTIONS_ROW_GAINS_H

#include "mechanism/joints/joint.h"

/* Reads those of a joint whose rows are built; mistakes go to the builder's reader. */
void hol_joint_read_gains(HolBuilder *builder, const HolPart *part, const void *values);

/* Computes row_omega and row_xi of the mechanism: NAN for rows that have none of their own. */
HolStatus hol_mechanism_set_row_gains(HolMechanism *mechanism);

#endif
