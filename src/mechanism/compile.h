/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps from a model to a mechanism, one file each. */
#ifndef HOLON_MECHANISM_COMPILE_H
#define HOLON_MECHANISM_COMPILE_H

#include "mechanism/builder.h"

/* Reads the whole model. check_run, if not NULL, is shown what the run section says, may add errors and choose the
 * integrator where the section does not: who knows the formulations and integrators is above this layer. */
typedef void HolRunCheck(HolModel *model, HolMechanism *mechanism);
HolStatus hol_mechanism_compile(HolModel *model, HolRunCheck *check_run, HolMechanism **mechanism);

/* Sections of the model; all errors go to the model, HOL_NO_MEMORY is returned. */
HolStatus hol_compile_bodies(HolBuilder *builder);
HolStatus hol_compile_joints(HolBuilder *builder); /* and drivers */
HolStatus hol_compile_masses(HolBuilder *builder); /* whether particles without mass have rows */
HolStatus hol_compile_forces(HolBuilder *builder);
HolStatus hol_compile_points(HolBuilder *builder);
HolStatus hol_compile_start(HolBuilder *builder); /* q, v and what is held */
HolStatus hol_compile_run(HolBuilder *builder);

/* Complains of the name of a body, joint, driver, force or point that results or paths could not tell. */
void hol_compile_name(HolBuilder *builder, const HolNode *node);

/* Gives every row its number and every body its block, and creates the system. */
HolStatus hol_compile_system(HolMechanism *mechanism, HolMessage *message);
HolStatus hol_compile_offsets(HolMechanism *mechanism); /* its last step */

/* The start in natural coordinates where those are used: memory for it, and its values from q and v. */
HolStatus hol_natural_create_start(HolMechanism *mechanism);
void hol_natural_set_start(HolMechanism *mechanism);

/* Whether `name` may stand in a record list; the sentence says why not. */
bool hol_record_name_is_known(const HolMechanism *mechanism, const char *name, HolMessage *message);

/* A copy of the mechanism in reference-point coordinates and in an arena of its own, whose system may have further rows
 * that hold the positions or the velocities of the start section, for bodies that stand at q. */
typedef enum HolHoldLevel { HOL_HOLD_NOTHING, HOL_HOLD_POSITIONS, HOL_HOLD_VELOCITIES } HolHoldLevel;
HolStatus hol_mechanism_hold(const HolMechanism *mechanism, HolHoldLevel level, const double *q, HolMechanism **held,
                             HolMessage *message);

#endif
