/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of a simulation share. */
#ifndef HOLON_SIMULATE_INTERNAL_H
#define HOLON_SIMULATE_INTERNAL_H

#include "integrators/integrator.h"
#include "simulate/watch.h"

struct HolSimulation {
    const HolSystem *system;
    HolArena *arena;
    HolWorkspace *work;
    HolRates *rates;
    const HolIntegratorKind *integrator;
    void *integrator_self;

    double *y, *ydot;           /* the accepted state and its derivative */
    double *y_old, *ydot_old;   /* the one before, for interpolation */
    double *y_new, *ydot_new;   /* the one being tried */
    double *y_halt, *ydot_halt; /* the halt of a detour */
    double t_old;
    HolState state;    /* what the user sees: a copy of y and of vdot, lambda */
    HolState recorded; /* the same at a recorded time between two steps */
    double *residual;  /* m */

    double step;   /* nominal */
    double next;   /* what an adaptive integrator wants to try next */
    double origin; /* fixed steps end at origin + count * step, so that times do not accumulate rounding */
    long count;

    bool has_new_inputs; /* ydot is of the inputs before */

    double energy_initial;
    double lowest_drift; /* so far */
    HolMeasures measures, measures_new;
    double best_pivot;     /* the largest that was met: what the present one is compared with */
    double singular_size;  /* square root of the present pivot in parts of that: a distance from singular */
    double singular_at;    /* when it is zero if it goes on as it does; HUGE_VAL: not in sight */
    bool singular_is_sure; /* the last two estimates of that agree */
    HolWatch *watch;
    HolBranch branch; /* what is done where it is lost */
    bool is_refused;  /* the step that failed was to stop the run */
    bool is_crossing; /* y_new continues y_old, not y */
    HolSummary summary;
    double sum_position_sq, sum_velocity_sq, sum_acceleration_sq; /* integrals over time */
    HolMessage message;
};

/* The measures of the state that the workspace stands at, with the rates' vdot; y holds its work. */
HolMeasures hol_measure(HolSimulation *s, const double *y);

/* HOL_NOT_FINITE and a sentence in the rates' message if they are not finite, or the power in ydot is not: a state that
 * cannot be measured is not accepted, even if its accelerations are finite. */
HolStatus hol_check_measures(HolSimulation *s, double t, const HolMeasures *measures, const double *ydot);

/* Copies (t, y) and the rates' vdot, lambda. */
void hol_state_fill(const HolRates *rates, double t, const double *y, HolState *state);

/* The group of the rows that are nearest to dependence at the present state, -1: not known. */
int hol_dependent_group(HolSimulation *s);

/* One accepted step of at most h; ends exactly at `end` if that is reached. */
HolStatus hol_take_step(HolSimulation *s, double h, double end);

/* ydot of the present state with the present inputs, where those have changed since. On failure all is as it was. */
HolStatus hol_renew_rates(HolSimulation *s);

/* Rows of D that are independent at the point where the workspace stands, D being evaluated. */
HolStatus hol_count_rank(HolWorkspace *work, int *rank);

#endif
