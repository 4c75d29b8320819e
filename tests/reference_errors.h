/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs of built-in models against the reference.csv in their folders: errors by kind of quantity. */
#ifndef TESTS_REFERENCE_ERRORS_H
#define TESTS_REFERENCE_ERRORS_H

#include <holon/mechanism.h>

typedef struct ReferenceRun {
    const char *model, *coordinates, *formulation, *integrator; /* NULL: those of the model or formulation */
    const char *path, *value;                                   /* one more setting; NULL: none */
    double step, t;
} ReferenceRun;

/* The largest errors at t of positions and angles, of velocities, and of forces and torques, of each kind relative to
 * the largest value at t of this kind in the reference; 0 where it has none. */
typedef struct ReferenceErrors {
    HolSummary summary;
    double place, speed, force;
    double largest_force;
} ReferenceErrors;

/* The state at t of a solver of its own; NULL after a failed check. It lives as long as `user` says. */
typedef const HolState *ReferenceSolver(void *user, const HolMechanism *mechanism, double t);
/* The same errors of such a state; the summary is empty. */
ReferenceErrors reference_errors_of(const ReferenceRun *run, ReferenceSolver *solve, void *user);

/* NANs after a failed check if the run fails or there is no reference for t. */
ReferenceErrors reference_errors(const ReferenceRun *run);

#endif
