/* SPDX-License-Identifier: BSD-3-Clause */
/* Static equilibrium: a configuration that stays where it is,
 *
 *     Q(t, q, 0) + D^T lambda = 0,   Phi(t, q) = 0.                                                     (1)
 *
 * The way there leads downhill, so that a pendulum ends up hanging, whatever the start; what is found is told to be
 * stable or not. See docs/methods/static.md. */
#ifndef HOLON_STATIC_H
#define HOLON_STATIC_H

#include <holon/mechanism.h>

#ifdef __cplusplus
extern "C" {
#endif

/* After each load step; load 0 is the start. */
typedef struct HolLoadStep {
    double load;    /* 0 ... 1: the part of the applied forces and torques, of gravity, and of the tension that springs
                       * have at the start which acts */
    int iterations; /* that it took */
    double imbalance; /* max |Q + D^T lambda| under this load */
    double violation; /* max |Phi| */
    const HolState *state;
} HolLoadStep;

typedef struct HolStaticOptions {
    int steps;                      /* load steps to begin with; more are taken where one fails */
    double tolerance;               /* of forces, in parts of the largest that is balanced; > 0 */
    int most_iterations;            /* of one load step */
    const char *const *block_names; /* for sentences; NULL: "block 3" */
    HolStatus (*record)(void *user, const HolLoadStep *step); /* NULL: nobody looks; else anything but HOL_OK ends it */
    void *user;
} HolStaticOptions;

typedef struct HolEquilibrium {
    HolState state; /* v and vdot are zero; of lambda that are not unique those of least norm */
    int load_steps, iterations;
    double imbalance, violation; /* of (1): the largest numbers left */
    double potential;
    bool is_singular; /* rows depend on each other there that do not at the start: there may be several ways to move */
    /* From the modes about it: those that leave it, those that neither leave nor return. */
    bool looked_at_stability; /* false: they could not be computed */
    int dof, unstable_count, neutral_count;
    double growth;      /* the fastest, 1/s; 0: none */
    bool looked_at_all; /* else only at the slowest ten */
} HolEquilibrium;

HolStaticOptions hol_static_options(void); /* one step, 1e-10, 1000 */

/* From (t, q), which need not be consistent. Drivers stand still where they are at t. HOL_NO_CONVERGENCE and a sentence
 * that names what keeps moving; HOL_UNSUPPORTED without a tangent. On failure *equilibrium is NULL. */
HolStatus hol_static(const HolSystem *system, double t, const double *q, const HolStaticOptions *options,
                     HolEquilibrium **equilibrium, HolMessage *message);
/* From the start of a mechanism; block_names are its bodies'. */
HolStatus hol_mechanism_static(const HolMechanism *mechanism, const HolStaticOptions *options,
                               HolEquilibrium **equilibrium, HolMessage *message);
void hol_equilibrium_destroy(HolEquilibrium *equilibrium);

#ifdef __cplusplus
}
#endif

#endif
