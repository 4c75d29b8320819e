/* SPDX-License-Identifier: BSD-3-Clause */
/* Energy of motion that is too fast for the steps of a run by implicit steps.
 *
 * Such steps pass by a vibration without an error that halving them would show, for its energy stays where it is: in
 * velocities at the ends of steps between which nothing moves. With h the step,
 *
 *     s = v_1 - (q_1 - q_0) / h                                                                          (1)
 *
 * is h vdot / 2 of motion that the steps follow, and v_1 of motion that they do not: the kinetic energy of s falls with
 * h^2 or stays. Where qdot is not v, only the trapezoidal rule steps, and s is (v_1 - v_0) / 2. */
#ifndef HOLON_STUDY_UNRESOLVED_H
#define HOLON_STUDY_UNRESOLVED_H

#include <holon/simulation.h>

#include "base/arena.h"

typedef struct HolUnresolved {
    const HolSystem *system;
    HolTerms *terms;
    double *q, *v, *slip; /* where the step begins; (1) */
    double t, energy;     /* and the sum of h times the energy of s, J s */
} HolUnresolved;

/* Arrays live in the arena; the rest until hol_unresolved_clear(). */
HolStatus hol_unresolved_create(HolArena *arena, const HolSystem *system, HolUnresolved *unresolved);
void hol_unresolved_clear(HolUnresolved *unresolved);
void hol_unresolved_begin(HolUnresolved *unresolved, const HolState *state);
HolStatus hol_unresolved_add(HolUnresolved *unresolved, const HolState *state); /* the end of a step */
/* What is left of mean energies of s with steps h and 2 h where a part falls with h^2, as of motion that is followed.
 * It is told as a part of `kinetic`. */
double hol_unresolved_part(double twice, double once, double kinetic);

#endif
