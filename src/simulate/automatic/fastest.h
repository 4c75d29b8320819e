/* SPDX-License-Identifier: BSD-3-Clause */
/* The fastest time scale of a model at a state: the eigenvalue s of largest magnitude of the equations that an explicit
 * integrator advances,
 *
 *     J = df/dy,   ydot = f(t, y)                                                                  (1)
 *
 * by power iteration with differences of f, one evaluation for each. The last three vectors give a complex pair:
 *
 *     z_1 = J z_0 / n_1,   J z_1 = a z_1 + b z_0  (least squares),   s^2 = a s + b n_1             (2)
 *
 * J has the stiffness and damping of forces on the constraint manifold, what the formulation adds, and rotations. */
#ifndef HOLON_SIMULATE_AUTOMATIC_FASTEST_H
#define HOLON_SIMULATE_AUTOMATIC_FASTEST_H

#include "integrators/integrator.h"

/* s, in 1/s, and the block of v that moves most in its eigenvector, -1: none. */
typedef struct HolFastest {
    double re, im;
    int block;
} HolFastest;

typedef struct HolProbe { /* its memory */
    double *f;            /* rates->size numbers: f(t, y) of the latest call */
    double *y, *f_near, *unit;
    double *z[3]; /* of (2) */
} HolProbe;

HolStatus hol_probe_create(HolArena *arena, const HolRates *rates, HolProbe **probe);

/* The fastest time scale at (t, y); h is the step of the run. Like a rejected step, it changes nothing that lasts. A
 * status other than HOL_OK: f is not defined near y. */
HolStatus hol_probe_fastest(HolProbe *probe, HolRates *rates, double t, double h, const double *y, HolFastest *fastest);

double hol_fastest_rate(const HolFastest *fastest); /* |s| */

#endif
