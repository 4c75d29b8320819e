/* SPDX-License-Identifier: BSD-3-Clause */
/* A simulation, and the measures of its state. */
#ifndef HOLON_SIMULATE_SIMULATION_H
#define HOLON_SIMULATE_SIMULATION_H

#include "integrators/integrator.h"

struct HolSimulation {
    const HolSystem *system;
    HolArena *arena;
    HolWorkspace *work;
    HolRates *rates;
    const HolIntegratorKind *integrator;
    void *integrator_self;

    double *y, *ydot;               /* the accepted state and its derivative */
    double *y_old, *ydot_old;       /* the one before, for interpolation */
    double *y_new, *ydot_new;       /* the one being tried */
    double *y_middle, *ydot_middle; /* between the two steps of a restart (branch.h) */
    double t_old;
    HolState state;    /* what the user sees: a copy of y and of vdot, lambda */
    HolState recorded; /* the same at a recorded time between two steps */
    double *residual;  /* m */

    double step;   /* nominal */
    double next;   /* what an adaptive integrator wants to try next */
    double origin; /* fixed steps end at origin + count * step, so that times do not accumulate rounding */
    long count;

    bool has_new_inputs; /* ydot belongs to the previous inputs */

    double energy_initial;
    double lowest_drift; /* so far */
    HolMeasures measures, measures_new;
    double best_pivot;            /* the largest so far */
    double singular_sine;         /* square root of the present pivot relative to that: the distance from singular */
    double singular_time;         /* when it extrapolates to zero; HUGE_VAL: not soon */
    bool singular_time_is_known;  /* the last two estimates of it agree */
    struct HolDetector *detector; /* singular/detector.h */
    struct HolConflict *conflict; /* diagnosis/conflict.h; NULL: no prescribed motions that could contradict */
    HolBranchPolicy branch;       /* what to do where the branch changes */
    bool stopped_at_singularity;  /* the step failed because of HOL_BRANCH_STOP */
    bool is_crossing;             /* y_new continues y_old, not y */
    HolSummary summary;
    double sum_position_sq, sum_velocity_sq, sum_acceleration_sq; /* integrals over time */
    HolMessage message;
};

/* The measures of the state at which the workspace is, with the rates' vdot; y contains its work. */
HolMeasures hol_measure(HolSimulation *s, const double *y);

/* HOL_NOT_FINITE and a sentence in the rates' message if they are not finite, or the power in ydot is not: a state that
 * cannot be measured is not accepted, even if its accelerations are finite. */
HolStatus hol_check_measures(HolSimulation *s, double t, const HolMeasures *measures, const double *ydot);

/* Copies (t, y) and the rates' vdot, lambda. */
void hol_state_fill(const HolRates *rates, double t, const double *y, HolState *state);

#endif
