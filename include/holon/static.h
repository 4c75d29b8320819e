/* SPDX-License-Identifier: BSD-3-Clause */
/* Static equilibrium: a configuration in which all forces balance,
 *
 *     Q(t, q, 0) + D^T lambda = 0,   Phi(t, q) = 0.                                                     (1)
 *
 * The search descends in potential energy, so that a pendulum ends up hanging from any initial configuration. The
 * result states whether the equilibrium is stable. See docs/methods/static.md. */
#ifndef HOLON_STATIC_H
#define HOLON_STATIC_H

#include <holon/mechanism.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The state after a load step; load 0 is the initial configuration. */
typedef struct HolLoadStep {
    double load;      /* 0 ... 1: the fraction of the applied forces and torques, of gravity, and of the initial tension
                       * of springs that acts */
    int iterations;   /* of this load step */
    double imbalance; /* max |Q + D^T lambda| under this load */
    double violation; /* max |Phi| */
    const HolState *state;
} HolLoadStep;

typedef struct HolStaticOptions {
    int steps;                      /* initial number of load steps; a step that fails is halved */
    double tolerance;               /* of the imbalance, relative to the largest force that is balanced; > 0 */
    int max_iterations;             /* of one load step */
    const char *const *block_names; /* for sentences; NULL: "block 3" */
    HolStatus (*record)(void *user, const HolLoadStep *step); /* or NULL; a result other than HOL_OK ends the search */
    void *user;
} HolStaticOptions;

typedef struct HolEquilibrium {
    HolState state; /* v and vdot are zero; lambda is the minimum-norm solution where it is not unique */
    int load_steps, iterations;
    double imbalance, violation; /* largest residuals of (1) */
    double potential;
    bool is_singular; /* the rank of D is lower than initially: several motions may be possible from here */
    /* From the modes about it: growing ones are unstable, those with s = 0 neutral. */
    bool has_stability; /* false: they could not be computed */
    int dof, unstable_count, neutral_count;
    double growth_rate;      /* of the fastest growing mode, 1/s; 0: none */
    bool all_modes_examined; /* false: only the slowest ten */
} HolEquilibrium;

HolStaticOptions hol_static_options(void); /* one load step, tolerance 1e-10, 1000 iterations */

/* Searches from (t, q), which need not be consistent, with drivers fixed at their values at t. HOL_NO_CONVERGENCE and a
 * sentence that names what keeps moving; HOL_UNSUPPORTED without a tangent. On failure *equilibrium is NULL. */
HolStatus hol_static(const HolSystem *system, double t, const double *q, const HolStaticOptions *options,
                     HolEquilibrium **equilibrium, HolMessage *message);
/* The same from the initial state of a mechanism, with the names of its bodies in sentences. */
HolStatus hol_mechanism_static(const HolMechanism *mechanism, const HolStaticOptions *options,
                               HolEquilibrium **equilibrium, HolMessage *message);
void hol_equilibrium_destroy(HolEquilibrium *equilibrium);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
