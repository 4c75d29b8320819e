/* SPDX-License-Identifier: BSD-3-Clause */
/* What a formulation is: a way to get vdot and lambda from the terms of a constrained system, and perhaps a way to pull
 * an accepted state back onto its constraints, or a first-order state of its own. One kind is one file ending in one
 * const table, plus one line in registry.c. A formulation never sees a body or a joint. */
#ifndef HOLON_FORMULATIONS_FORMULATION_H
#define HOLON_FORMULATIONS_FORMULATION_H

#include <holon/option.h>
#include <holon/simulation.h>

#include "base/arena.h"
#include "system/workspace.h"

/* What a formulation offers and an integrator needs, or-ed. */
typedef enum HolOffer {
    HOL_RATES = 1 << 0,   /* a first-order state y and its ydot */
    HOL_SPLIT = 1 << 1,   /* the same, and y is (q, v), so positions may move with the new velocities */
    HOL_NEWMARK = 1 << 2, /* a whole implicit step with the coefficients of a Newmark scheme */
    HOL_OWN_STEP = 1 << 3 /* a whole step of its own */
} HolOffer;

/* The step to take. y and ydot are as in rates.h and must not be changed. */
typedef struct HolStepFrom {
    double t, h;
    const double *y, *ydot;
} HolStepFrom;

/* The family of Newmark's schemes: with a sequence a that follows vdot, from t_0 to t_1 = t_0 + h,
 *
 *     (1 - alpha_m) a_1 + alpha_m a_0 = (1 - alpha_f) vdot_1 + alpha_f vdot_0              (1)
 *     w   = h v_0 + h^2 ((1/2 - beta) a_0 + beta a_1),   q_1 = q_0 (+) w                   (2)
 *     v_1 = v_0 + h ((1 - gamma) a_0 + gamma a_1)                                          (3)
 *
 * Newmark's own have alpha_m = alpha_f = 0, so that a = vdot; the trapezoidal rule is beta = 1/4, gamma = 1/2. */
typedef struct HolNewmark {
    double alpha_m, alpha_f, beta, gamma; /* alpha_m, alpha_f < 1, beta > 0 */
} HolNewmark;

/* What create() may use. Everything lives as long as the simulation. */
typedef struct HolSetup {
    const HolSystem *system;
    HolArena *arena;
    HolWorkspace *work;          /* the terms, shared by all that works on one point at a time */
    double h;                    /* nominal step, for gains that depend on it */
    const char *adaptive;        /* the integrator, if it takes steps of other sizes; else NULL */
    const double *row_weights;   /* m factors on penalties, or NULL */
    const double *row_stiffness; /* a full matrix of them for each group, or NULL */
    const double *preload;       /* m multipliers, or NULL */
    HolMessage *message;         /* for what only create() can tell */
} HolSetup;

typedef struct HolFormulationKind {
    const char *name, *title, *page; /* "baumgarte", one line for people, docs page */
    const char *advice;              /* what to do when its own iteration fails; NULL: take a smaller step */
    const char *integrator;          /* the one it is run by where nobody chose another; NULL: rk4 */
    unsigned offers;                 /* HolOffer */
    bool weighs_rows;                /* makes use of row_weights */
    bool couples_rows;               /* makes use of row_stiffness and preload */
    bool shares_rows;                /* by a rule where rows are redundant, not as it happens */
    bool leaves_rows_out;            /* that rule: some carry nothing */
    unsigned wants;                  /* HolWant: the terms that accelerate() reads */
    size_t options_size;
    const HolOption *options;
    int option_count;

    /* Optional: where these options let energy decay on purpose, a method beside it that does not; else NULL. */
    const char *(*undamped)(const void *options);

    /* The workspace stands at the consistent start, with M and D evaluated. */
    HolStatus (*create)(const HolSetup *setup, const void *options, void **self);

    /* vdot and lambda from the terms, which hold all that is wanted; h is the present step. */
    HolStatus (*accelerate)(void *self, HolWorkspace *work, double h, double *vdot, double *lambda,
                            HolStepReport *report);

    /* Optional: once per step, before it, where the workspace stands at the accepted state. */
    HolStatus (*prepare)(void *self, HolWorkspace *work, HolStepReport *report);

    /* Optional: makes the dependent part of q and v agree with the independent one, before each evaluation. */
    HolStatus (*complete)(void *self, HolWorkspace *work, double t, double *q, double *v, HolStepReport *report);

    /* Optional: the tangent vector u that positions move along, qdot = N(q) u, where the workspace stands; without it
     * u = v. Called after accelerate(), or alone for split steps. */
    HolStatus (*position_rates)(void *self, HolWorkspace *work, double h, double *u);

    /* Optional: pulls an accepted q and v back onto the constraints. Called by the run loop, once per step. */
    HolStatus (*project)(void *self, HolWorkspace *work, double t, double *q, double *v, HolStepReport *report);

    /* Optional, together: a first-order state y = (q, x, W) in place of (q, v, W), x being what the
     * formulation likes instead of v. How many numbers x has: */
    int (*own_size)(const HolPattern *pattern);
    /* x where the workspace stands, at the consistent start with all terms evaluated. */
    void (*open)(void *self, HolWorkspace *work, double *x);
    /* v from (t, y); leaves the workspace standing at (t, q, v). What must last from step to step is kept in prepare(),
     * so that a step that fails, or a record between two steps, has changed nothing. */
    HolStatus (*close)(void *self, HolWorkspace *work, double t, const double *y, double *v, HolStepReport *report);
    /* The rate of x where close() has put the workspace, which may look elsewhere but must come back. NULL: x has nv
     * numbers that move as v does, xdot = vdot. */
    HolStatus (*own_rates)(void *self, HolWorkspace *work, double *xdot);
    /* Optional: where vdot and lambda at t are means of a step, a configuration whose stresses, taken together with
     * those of the state, have the same mean; NULL where they are not. */
    const double *(*q_before)(void *self, double t);
    /* Optional: the kinetic energy of x, if that is not the one of v, at which the workspace stands, and of x - v. M is
     * up to date. */
    double (*kinetic)(void *self, HolWorkspace *work, const double *x, double *stray);

    /* HOL_NEWMARK: q_1 and v_1 of y_new by (1)-(3) such that the equations of motion and the holonomic rows hold at
     * t_1; those of velocity need not, project() comes next. What must last from step to step is kept in prepare(), so
     * that a step that fails has changed nothing. */
    HolStatus (*newmark)(void *self, HolWorkspace *work, const HolNewmark *scheme, const HolStepFrom *from,
                         double *y_new, HolStepReport *report);

    /* HOL_OWN_STEP: all of y_new, its work W included, which keeps the books that the step is exact in. What must last
     * from step to step is kept in prepare(). */
    HolStatus (*step)(void *self, HolWorkspace *work, const HolStepFrom *from, double *y_new, HolStepReport *report);
} HolFormulationKind;

extern const HolFormulationKind *const hol_formulation_kinds[]; /* NULL-terminated */

/* HOL_UNSUPPORTED and a sentence if dense nv x nv and m x nv matrices would be too large. */
HolStatus hol_formulation_check_dense(const HolSetup *setup, const char *name);

const HolFormulationKind *hol_formulation_find(const char *name, HolMessage *message);

#endif
