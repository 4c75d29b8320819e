/* SPDX-License-Identifier: BSD-3-Clause */
/* What a formulation is created from, and what a step of it starts from: shared by formulations and by the solvers they
 * have in common. */
#ifndef HOLON_SOLVE_SETUP_H
#define HOLON_SOLVE_SETUP_H

#include <holon/simulation.h>

#include "base/arena.h"
#include "system/workspace.h"

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
    HolWorkspace *work;          /* the terms, shared by all code that works on one point at a time */
    double h;                    /* nominal step, for gains that depend on it */
    const char *adaptive;        /* the integrator, if it takes steps of other sizes; else NULL */
    const double *row_weights;   /* m factors on penalties, or NULL */
    const double *row_omega;     /* m frequencies of penalties, NAN: that of all; or NULL */
    const double *row_xi;        /* m damping ratios of them, likewise */
    const double *row_stiffness; /* a full matrix of them for each group, or NULL */
    const double *preload;       /* m multipliers, or NULL */
    HolMessage *message;         /* for failures of create() */
} HolSetup;

/* HOL_UNSUPPORTED and a sentence if dense nv x nv and m x nv matrices would be too large. */
HolStatus hol_setup_check_dense(const HolSetup *setup, const char *name);

/* HOL_UNSUPPORTED and a sentence unless qdot = v and M is constant. */
HolStatus hol_setup_check_flat(const HolSetup *setup, const char *name);

/* The same for methods that also take steps of systems with HolSystemOps.evaluate_mean. */
HolStatus hol_setup_check_mean(const HolSetup *setup, const char *name);

#endif
