/* SPDX-License-Identifier: BSD-3-Clause */
/* What a formulation is: it finds vdot and lambda from the terms of a constrained system, and says how the state is
 * advanced in time, by one or more of three tables: rates for the integrators of first-order systems, Newmark-type
 * steps, steps of its own. One kind is one file ending in one const table, plus one line in registry.c. A formulation
 * never sees a body or a joint. */
#ifndef HOLON_FORMULATIONS_FORMULATION_H
#define HOLON_FORMULATIONS_FORMULATION_H

#include <holon/option.h>
#include <holon/simulation.h>

#include "base/archive.h"
#include "solve/setup.h"

/* What a formulation offers and an integrator needs, or-ed; see hol_formulation_offers(). */
typedef enum HolOffer {
    HOL_RATES = 1 << 0,   /* a first-order state y and its ydot */
    HOL_SPLIT = 1 << 1,   /* the same with y = (q, v, W), so that positions can follow the new velocities */
    HOL_NEWMARK = 1 << 2, /* a whole implicit step with the coefficients of a Newmark scheme */
    HOL_OWN_STEP = 1 << 3 /* a whole step of its own */
} HolOffer;

/* Rates: ydot = (N(q) u, vdot, W'). All members are optional. */
typedef struct HolRatesOps {
    /* Makes the dependent part of q and v consistent with the independent one, before each evaluation. */
    HolStatus (*complete)(void *self, HolWorkspace *work, double t, double *q, double *v, HolStepReport *report);

    /* The tangent vector u of the positions at the point of the workspace; without it u = v. Called after accelerate(),
     * or alone for split steps. */
    HolStatus (*position_rates)(void *self, HolWorkspace *work, double h, double *u);
} HolRatesOps;

extern const HolRatesOps hol_plain_rates; /* u = v and nothing to complete */

/* A first-order state y = (q, x, W) in place of (q, v, W). */
typedef struct HolStateOps {
    int (*size)(const HolPattern *pattern); /* of x */

    /* x at the point of the workspace, the consistent initial state with all terms evaluated. */
    void (*open)(void *self, HolWorkspace *work, double *x);

    /* v from (t, y); leaves the workspace at (t, q, v). */
    HolStatus (*close)(void *self, HolWorkspace *work, double t, const double *y, double *v, HolStepReport *report);

    /* Optional: xdot where close() has left the workspace; it may be moved but must be moved back. Without it x has nv
     * numbers and xdot = vdot. */
    HolStatus (*rates)(void *self, HolWorkspace *work, double *xdot);

    /* Optional: the kinetic energy of x where it is not that of v, and the kinetic energy of x - v. The workspace
     * is at v, with M evaluated. */
    double (*kinetic)(void *self, HolWorkspace *work, const double *x, double *off_manifold_energy);
} HolStateOps;

/* Newmark-type steps. */
typedef struct HolNewmarkOps {
    /* q_1 and v_1 of y_new by (1)-(3) such that the equations of motion and the holonomic rows hold at t_1. The
     * velocities need not meet their rows: project() comes next. */
    HolStatus (*step)(void *self, HolWorkspace *work, const HolNewmark *scheme, const HolStepFrom *from, double *y_new,
                      HolStepReport *report);
} HolNewmarkOps;

/* Steps of its own. */
typedef struct HolOwnStepOps {
    /* All of y_new, including the work W by the energy balance of the step. */
    HolStatus (*step)(void *self, HolWorkspace *work, const HolStepFrom *from, double *y_new, HolStepReport *report);
    bool leaves_work; /* all but W, which follows by the trapezoidal rule from the power at both ends */

    /* Optional: where vdot and lambda at t are means over a step, a configuration whose stresses, averaged with those
     * of the state, give the same mean; else NULL. */
    const double *(*q_before)(void *self, double t);

    /* Optional: the multipliers at the midpoint of the latest step (m numbers); NULL before the first. */
    const double *(*midpoint_multipliers)(void *self);
} HolOwnStepOps;

typedef struct HolFormulationKind {
    const char *name, *title, *page; /* "baumgarte", one line for users, page of the documentation */
    const char *advice;              /* what to do when its own iteration fails; NULL: take a smaller step */
    const char *integrator;          /* the one that is used unless another is chosen; NULL: rk4 */
    bool uses_row_weights;
    bool uses_row_gains;       /* row_omega and row_xi */
    bool uses_row_stiffness;   /* and preload */
    bool has_redundancy_rule;  /* its lambda of redundant rows follows a rule, not rounding */
    bool omits_redundant_rows; /* by that rule some have lambda = 0 */
    unsigned wants;            /* HolWant: the terms that accelerate() reads */
    size_t options_size;
    const HolOption *options;
    int option_count;

    /* Optional: where these options dissipate energy numerically, a related method that does not; else NULL. */
    const char *(*undamped)(const void *options);

    /* The workspace is at the consistent initial state, with M and D evaluated. */
    HolStatus (*create)(const HolSetup *setup, const void *options, void **self);

    /* vdot and lambda from the terms it wants; h is the present step. */
    HolStatus (*accelerate)(void *self, HolWorkspace *work, double h, double *vdot, double *lambda,
                            HolStepReport *report);

    /* Optional: called once before each step, with the workspace at the accepted state. Only here may data change that
     * persists between steps: a failed step or a record between two steps changes nothing. */
    HolStatus (*prepare)(void *self, HolWorkspace *work, HolStepReport *report);

    /* Lists what persists between steps (base/archive.h); NULL: nothing. Factors that belong to a stamp of the
     * workspace are not listed: it evaluates M and D again after a restore, which gives them another stamp. */
    void (*archive)(void *self, HolArchive *archive);

    /* Optional: projects an accepted q and v onto the constraints, once per step. */
    HolStatus (*project)(void *self, HolWorkspace *work, double t, double *q, double *v, HolStepReport *report);

    /* How the state is advanced in time: the tables that it offers, the others are NULL. */
    const HolRatesOps *rates;
    const HolNewmarkOps *newmark;
    const HolOwnStepOps *own_step;
    const HolStateOps *state; /* NULL: y = (q, v, W) */
} HolFormulationKind;

/* HolOffer: which of the tables there are. */
unsigned hol_formulation_offers(const HolFormulationKind *kind);

/* HolLoadSharing of a formulation. */
unsigned hol_load_sharing(const HolFormulationKind *kind);

extern const HolFormulationKind *const hol_formulation_kinds[]; /* NULL-terminated */

/* The index of the kind with this name in a registry, or -1 and a sentence; `usual` is the default. */
int hol_kind_find(HolKindInfo (*info)(int), const char *what, const char *usual, const char *name, HolMessage *message);

const HolFormulationKind *hol_formulation_find(const char *name, HolMessage *message);

#endif
