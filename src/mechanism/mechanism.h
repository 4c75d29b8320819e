/* SPDX-License-Identifier: BSD-3-Clause */
/* A mechanism: geometry and physics compiled from a model, in plain arrays that the evaluation reads. The pattern of
 * its system defines where results go. */
#ifndef HOLON_MECHANISM_MECHANISM_H
#define HOLON_MECHANISM_MECHANISM_H

#include <holon/mechanism.h>

#include "base/arena.h"
#include "mechanism/parts/beam.h"
#include "mechanism/parts/body.h"
#include "mechanism/parts/constraint.h"
#include "mechanism/parts/force.h"
#include "mechanism/parts/initial_value.h"
#include "mechanism/parts/joint.h"

/* A point that can be recorded. */
typedef struct HolNamedPoint {
    const char *name;
    HolMark mark;
} HolNamedPoint;

typedef struct HolRunSection HolRunSection;
typedef struct HolSwitching HolSwitching; /* model/reader.h */
typedef struct HolTimePart HolTimePart;   /* base/expression/expression.h */

struct HolMechanism {
    HolArena *arena;
    const char *name;
    HolRunSection *run; /* what the model says about runs; run_section.h */
    bool planar;
    bool natural;       /* coordinates; else reference-point */
    bool has_particles; /* particles or directions */
    double gravity[3];
    double length; /* the extent of what is drawn, which lengths are compared with */
    double arm;    /* of joints about their bodies, by which rotations are compared with translations */

    int body_count;
    HolBody *bodies;
    int measure_count;
    HolMeasure *measures;
    int row_count; /* general rows */
    HolRow *rows;
    int coincidence_count;
    HolCoincidence *coincidences;
    int rod_count;
    HolRod *rods;
    int rolling_count;
    HolRolling *rollings;
    int speed_count;
    HolSpeed *speeds;
    int velocity_row_count;
    HolVelocityRow *velocity_rows;
    int hold_row_count;
    HolHoldRow *hold_rows;
    int beam_count;
    HolBeam *beams;
    int beam_element_count;
    HolBeamElement *beam_elements;
    int joint_count;
    HolJoint *joints;
    int force_count;
    HolForce *forces;
    int point_count;
    HolNamedPoint *points;
    int hold_count;
    HolHold *holds;
    int input_count;
    int angle_count; /* of forces that count full turns, in HolTerms.angles */
    const char **input_names;
    double *inputs;  /* initial values */
    int event_count; /* of all forces, one after the other */
    HolEventName *event_names;
    const HolSwitching *switching; /* its functions of time that have breakpoints */
    int time_function_count;
    HolTimePart *time_functions;
    const char **time_function_names; /* "force 'push'" */
    bool *velocity_functions;         /* which of them are prescribed velocities */
    int state_function_count;         /* HolForce.function of all forces, one after the other */
    HolStateFunction *state_functions;
    int *state_forces;     /* the forces that they belong to */
    double jumps_searched; /* up to this time, from 0 on, no prescribed motion is known to jump */

    HolSystem *system;
    uint64_t fingerprint; /* of the model it was created from */
    const HolPattern *pattern;
    double *q, *v;                 /* the initial state in reference-point coordinates, */
    double *q_natural, *v_natural; /* and in natural ones where those are used, else NULL */
    HolGap gap;                    /* of the joints, as drawn */

    bool is_elastic;  /* some joint has a stiffness */
    bool has_preload; /* some joint has a misfit or a preload */
    /* For formulations that share reactions by stiffness, NULL where no joint has any: a stiffness matrix of each group
     * of rows, the diagonal of all, and the multipliers of the unloaded mechanism. */
    double *row_stiffness, *row_weights, *preload;
    bool weights_are_exact;     /* these describe the joints at every time */
    double *row_omega, *row_xi; /* for formulations with penalties (row_gains.h), NULL where no joint has any */
};

#endif
