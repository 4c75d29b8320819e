/* SPDX-License-Identifier: BSD-3-Clause */
/* The terms at one point, evaluated when first needed.
 *
 * Several parts of a step look at the same point: a projection needs D, the next acceleration needs the same D and Q.
 * The workspace remembers which terms are up to date, so that nothing is evaluated twice, and numbers the Jacobians it
 * has seen, so that a solver knows whether its factorisation still holds. */
#ifndef HOLON_SYSTEM_WORKSPACE_H
#define HOLON_SYSTEM_WORKSPACE_H

#include <holon/system.h>

#include "base/arena.h"

/* The functions of a system, and what they are passed. */
const HolSystemOps *hol_system_ops(const HolSystem *system);
const void *hol_system_self(const HolSystem *system);

typedef struct HolWorkspace {
    const HolSystem *system;
    const HolPattern *pattern;
    HolTerms *terms;
    unsigned have;     /* HolWant bits that are up to date */
    long stamp;        /* changes whenever M or D may have changed */
    bool is_undefined; /* the latest evaluation, by hol_workspace_need(), failed */
    HolPoint at;
    double t_first, t_last; /* terms are evaluated inside these times: on one side of jumps in time */
    double stage_t;         /* the time of the latest stage of the step under way; NAN: none yet */
    /* A thousand steps of the run, to an order of magnitude; 1 s without a run. slow and gentle are the velocity and
     * acceleration that change the size of the system in that time: what a system at rest, which has none of its own,
     * is compared with. */
    double time, slow, gentle;
    double W; /* the work of the point (formulations/rates.h), for methods that balance the energy */
} HolWorkspace;

HolStatus hol_workspace_create(const HolSystem *system, HolArena *arena, HolWorkspace **work);
void hol_workspace_destroy(HolWorkspace *work); /* the terms; the rest belongs to the arena */

/* The time at which terms of t are evaluated. */
static inline double hol_workspace_time(const HolWorkspace *work, double t)
{
    return t < work->t_first ? work->t_first : t > work->t_last ? work->t_last : t;
}

/* Moves to another point, where nothing is up to date. The arrays must not change while the workspace is there. */
void hol_workspace_move(HolWorkspace *work, double t, const double *q, const double *v);

/* The velocities in at.v have changed, the rest has not. */
void hol_workspace_new_velocity(HolWorkspace *work);

/* hol_system_evaluate() without a look at its arguments. */
HolStatus hol_system_update(const HolSystem *system, const HolPoint *at, unsigned want, HolTerms *terms);

/* Evaluates terms that are not up to date. */
HolStatus hol_workspace_evaluate(HolWorkspace *work, unsigned missing);

/* Makes the wanted terms up to date. */
static inline HolStatus hol_workspace_need(HolWorkspace *work, unsigned want)
{
    unsigned missing = want & ~work->have;
    work->is_undefined = false;
    return missing ? hol_workspace_evaluate(work, missing) : HOL_OK;
}

/* Q, D or nu of a step from q_a to q_b (HolSystemOps.evaluate_mean) take the place of those of the present point. */
HolStatus hol_workspace_evaluate_mean(HolWorkspace *work, const double *q_a, const double *q_b, unsigned want);

/* r = D v - nu at the present point, which needs D and nu; returns max |r_i|. */
double hol_workspace_velocity_residual(const HolWorkspace *work, double *r);
void hol_workspace_set_step(HolWorkspace *work, double h); /* of the run */

/* What velocities at rounding are compared with: the magnitude of the largest, but at least work->slow. */
double hol_velocity_unit(const HolWorkspace *work, const double *v);
/* max |Phi_i| relative to the size of the system or max |r_i| relative to hol_velocity_unit(), whichever is larger. */
double hol_workspace_relative_violation(const HolWorkspace *work, double *r);

#endif
