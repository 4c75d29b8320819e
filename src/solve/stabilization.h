/* SPDX-License-Identifier: BSD-3-Clause */
/* The acceleration that brings a violated row back:
 *
 *     c = gamma - 2 xi omega (D v - nu) - omega^2 Phi                             (1)
 *
 * Phi then obeys the equation of a damped oscillator. Nonholonomic rows have no Phi and decay with 2 xi omega. */
#ifndef HOLON_SOLVE_STABILIZATION_H
#define HOLON_SOLVE_STABILIZATION_H

#include "solve/setup.h"

/* The terms that (1) reads. */
enum { HOL_WANT_STABILIZATION = HOL_WANT_PHI | HOL_WANT_JACOBIAN | HOL_WANT_NU | HOL_WANT_GAMMA };

typedef struct HolGains {
    double damping, stiffness;           /* 2 xi omega, omega^2 */
    double *row_damping, *row_stiffness; /* m of them each in their place, or NULL */
} HolGains;

typedef enum HolGainChoice { HOL_GAINS_FIXED, HOL_GAINS_AUTOMATIC } HolGainChoice;
extern const char *const hol_gain_choices[];

/* xi = 1/sqrt 2 and omega = sqrt 2 / h: the oscillator's roots lie at (-1 +- i)/h. */
HolGains hol_gains_automatic(double h);

/* xi = 1 and omega the largest rate of the motion, but at most 0.5 / h. Redundant rows that have drifted disagree
 * by about rate^2 Phi; in the least-squares sense Phi then grows by exp(rate t), which these gains prevent. */
HolGains hol_gains_of_motion(const HolWorkspace *work, double h);

/* Adds the gains of each row where the setup has its omega or xi; the other of the two is given. HOL_NO_MEMORY. */
HolStatus hol_row_gains(const HolSetup *setup, double omega, double xi, HolGains *gains);

void hol_stabilized_gamma(const HolWorkspace *work, HolGains gains, double *c); /* (1) */

#endif
