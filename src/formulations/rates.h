/* SPDX-License-Identifier: BSD-3-Clause */
/* The first-order form of a formulation, the only interface of the integrators:
 *
 *     y = (q, v, W),   ydot = (N(q) v, vdot, power + lambda^T nu)
 *
 * or with other numbers in the place of v, if the formulation has a state of its own (HolStateOps), or
 * with another tangent vector than v in N(q) v (HolRatesOps.position_rates). q always comes first and W last;
 * hol_rates_v() knows where v is.
 *
 * W is the work of forces without potential and of moving constraints. It is integrated with the state so that the
 * energy balance has the order of the integrator; error control ignores it. */
#ifndef HOLON_FORMULATIONS_RATES_H
#define HOLON_FORMULATIONS_RATES_H

#include "formulations/formulation.h"

typedef struct HolRates {
    const HolSystem *system;
    const HolFormulationKind *kind;
    void *formulation;
    HolWorkspace *work;
    int nq, nv, m;
    bool at_rest;                        /* no row moves: nu is zero */
    int size;                            /* of y: nq + nv + 1, or nq + size of x + 1 */
    int controlled;                      /* the first of them that error control looks at: all but W */
    double *unit;                        /* controlled numbers: what is small in y is so relative to these */
    double *v;                           /* of the latest evaluation, if v is not part of y; else NULL */
    double *vdot, *lambda;               /* of the latest evaluation */
    double kinetic, off_manifold_energy; /* of the latest accepted state, see HolMeasures */
    double *zero;                        /* nv zeros */
    double *u;                           /* nv, from position_rates(); NULL: v */
    const double *whole_step; /* the y that the latest whole step has written, until it is accepted; else NULL */
    const double *unfinished; /* the same of a step whose work needs the power at its end */
    double W_known;           /* its W without the power at its end, */
    double W_per_power;       /* and the factor on that power */
    bool is_at_result;        /* the workspace is at the state just projected */
    void (*watch)(void *watcher, const HolPoint *stage); /* called with every stage; NULL: nobody watches */
    void *watcher;
    HolStepReport report; /* counts of the step under way */
    HolMessage message;   /* why the latest failure */
} HolRates;

HolStatus hol_rates_create(const HolSetup *setup, const HolFormulationKind *kind, const void *options,
                           HolRates **rates);

/* y of a state, with W = 0. The workspace must be at that state, consistent, with all terms evaluated. */
void hol_rates_open(HolRates *rates, const double *q, const double *v, double *y);

/* The velocities of y, which must be the y of the latest evaluation unless v is part of it. */
const double *hol_rates_v(const HolRates *rates, const double *y);

/* ydot at (t, y). y is completed in place: a formulation may replace dependent numbers by consistent ones. */
HolStatus hol_rates_evaluate(HolRates *rates, double t, double h, double *y, double *ydot);

/* Only vdot and lambda, at a state that needs no completion; W is the work of that state. */
HolStatus hol_rates_accelerate(HolRates *rates, double t, double h, const double *q, const double *v, double W);

/* Only the first nq numbers of ydot, from the q and v in y (for split steps). */
HolStatus hol_rates_positions(HolRates *rates, double t, double h, const double *y, double *qdot);

/* ydot at a state that hol_rates_project() has made, with all terms evaluated so that they can be measured. */
HolStatus hol_rates_accept(HolRates *rates, double t, double h, double *y, double *ydot);

/* W of a step of order 1 or 2 by the trapezoidal rule, from the power at both ends: a force that acts in one step from
 * rest does work though its power is zero at the beginning. */
void hol_rates_integrate_work(HolRates *rates, const HolStepFrom *from, double *y_new);

/* One implicit step of a formulation that offers HOL_NEWMARK. W follows by the trapezoidal rule from the power at both
 * ends, of which the last is known when y_new is accepted. */
HolStatus hol_rates_newmark(HolRates *rates, const HolNewmark *scheme, const HolStepFrom *from, double *y_new);

/* One step of a formulation that offers HOL_OWN_STEP, work included. */
HolStatus hol_rates_own_step(HolRates *rates, const HolStepFrom *from, double *y_new);

/* y pulled back on its manifold and, by a projecting formulation, onto the constraints. */
HolStatus hol_rates_project(HolRates *rates, double t, double *y);

/* See HolOwnStepOps. */
const double *hol_rates_q_before(const HolRates *rates, double t);
const double *hol_rates_midpoint_multipliers(const HolRates *rates);

/* y after the velocities have jumped by dv, from v. The work of that impulse, dv^T M (v + dv/2), is added to W and
 * returned; it is the change of the kinetic energy of accepted states. M must be evaluated; Mdv is scratch, nv numbers.
 */
double hol_rates_kick(HolRates *rates, const double *v, const double *dv, double *Mdv, double *y);

/* Once per step, right after hol_rates_accept(): lets the formulation get ready for the next one. */
HolStatus hol_rates_prepare(HolRates *rates);

#endif
