/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps from a model to a mechanism, one file each. */
#ifndef HOLON_MECHANISM_COMPILE_COMPILE_H
#define HOLON_MECHANISM_COMPILE_COMPILE_H

#include "mechanism/builder/builder.h"

/* Reads all sections of the model into a new mechanism, which has no system yet. HOL_OK also where the model has
 * mistakes: the caller adds those of the run section and looks at hol_model_error_count() before it builds. */
HolStatus hol_mechanism_read(HolModel *model, HolMechanism **mechanism);
/* Creates the system and the initial state of a mechanism that was read without mistakes. */
HolStatus hol_mechanism_build(HolModel *model, HolMechanism *mechanism);
/* Frees a mechanism or a copy of one; NULL is allowed. */
void hol_mechanism_free(HolMechanism *mechanism);

/* Each reads a section of the model. Mistakes go to the model; the status is HOL_OK or HOL_NO_MEMORY. */
HolStatus hol_compile_bodies(HolBuilder *builder);
/* Reports bodies that no real body is like, once it is known which coordinates are used. */
void hol_compile_check_inertia(HolBuilder *builder);
HolStatus hol_compile_joints(HolBuilder *builder);             /* and drivers */
HolStatus hol_compile_massless_particles(HolBuilder *builder); /* each must have a constraint */
HolStatus hol_compile_forces(HolBuilder *builder);
HolStatus hol_compile_points(HolBuilder *builder);
HolStatus hol_compile_initial_values(HolBuilder *builder); /* q, v and what assembly keeps */
HolStatus hol_compile_run(HolBuilder *builder);
void hol_compile_length(HolBuilder *builder); /* call after bodies, joints and points */

/* Numbers rows and blocks and creates the system. */
HolStatus hol_compile_system(HolMechanism *mechanism, HolMessage *message);
void hol_compile_offsets(HolMechanism *mechanism); /* its last step */

/* The initial state in natural coordinates, where those are used: allocates it, and computes it from q and v. */
HolStatus hol_natural_create_initial_state(HolMechanism *mechanism);
void hol_natural_set_initial_state(HolMechanism *mechanism);

/* A copy of the mechanism for its assembly, in reference-point coordinates and with an arena of its own. Further rows
 * of its system keep the positions or velocities that the start section gives; q is the present position. */
typedef enum HolHoldLevel { HOL_HOLD_NOTHING, HOL_HOLD_POSITIONS, HOL_HOLD_VELOCITIES } HolHoldLevel;
HolStatus hol_mechanism_copy_for_assembly(const HolMechanism *mechanism, HolHoldLevel level, const double *q,
                                          HolMechanism **held, HolMessage *message);

#endif
