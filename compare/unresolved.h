/* SPDX-License-Identifier: BSD-3-Clause */
/* The energy of motion that is too fast for the implicit steps of a run.
 *
 * Such steps do not resolve a fast vibration, and halving them shows no error: its energy stays in the velocities at
 * the ends of steps between which nothing moves. With the step h,
 *
 *     s = v_1 - (q_1 - q_0) / h                                                                          (1)
 *
 * is h vdot / 2 of resolved motion and v_1 of unresolved motion: its kinetic energy falls with h^2 or stays. Where qdot
 * is not v, only the trapezoidal rule is used, and s is (v_1 - v_0) / 2. */
#ifndef HOLON_COMPARE_UNRESOLVED_H
#define HOLON_COMPARE_UNRESOLVED_H

#include <holon/simulation.h>

#include "support.h"

typedef struct HolUnresolved {
    const HolSystem *system;
    HolTerms *terms;
    double *q, *v, *slip; /* where the step begins; (1) */
    double t, energy;     /* and the sum of h times the energy of s, J s */
} HolUnresolved;

/* Arrays live in the pool; the rest until hol_unresolved_clear(). */
HolStatus hol_unresolved_create(HolPool *pool, const HolSystem *system, HolUnresolved *unresolved);
void hol_unresolved_clear(HolUnresolved *unresolved);
void hol_unresolved_begin(HolUnresolved *unresolved, const HolState *state);
HolStatus hol_unresolved_add(HolUnresolved *unresolved, const HolState *state); /* the end of a step */
/* The unresolved part of the mean energies of s with steps 2 h and h, relative to `kinetic`: the resolved part falls
 * with h^2 and is extrapolated away. */
double hol_unresolved_fraction(double twice, double once, double kinetic);

#endif
