/* SPDX-License-Identifier: BSD-3-Clause */
/* Forces and rows between two configurations a and b, so that what they say of work is exact.
 *
 * With delta = q_b - q_a and m the middle, at one time t:
 *
 *     B delta = Phi(t, q_b) - Phi(t, q_a)                                                               (1)
 *     Q . delta = V_a - V_b + the work of forces without potential, as they are in m                    (2)
 *
 * D and Q of the middle do so by themselves where rows and potential are at most quadratic in q. Elsewhere each row
 * gets what it misses along delta,
 *
 *     B_i = D_i + r_i delta_g^T / |delta_g|^2,                                                           (3)
 *
 * with r_i the miss of (1) and delta_g the part of delta that the row's group touches. The forces of a potential are
 * completed by the system, which knows them one by one (HolSystemOps.chord), or else all together,
 *
 *     Q = Q_m - r M delta / (delta . M delta),                                                           (4)
 *
 * which stiff springs do not bear well. What V would do with its force in the middle is told by the power:
 * -grad V . v = Q . v - power, with delta for v. Misses of rounding are left alone. */
#ifndef HOLON_FORMULATIONS_CHORD_H
#define HOLON_FORMULATIONS_CHORD_H

#include "formulations/formulation.h"

/* One end. */
typedef struct HolChordEnd {
    const double *q;
    double *Phi; /* nh */
    double potential;
} HolChordEnd;

typedef struct HolChord {
    const HolPattern *pattern;
    double t;
    HolChordEnd a, b;
    const double *delta;
    double *q, *v;            /* the middle, and the velocity that forces see there */
    double *B, *Q;            /* (3), (4) */
    double along_v;           /* Q . delta with the forces in the middle as they are */
    double *nu;               /* of the middle */
    double leak;              /* hol_chord_work() */
    double *zero;             /* nv */
    double *x, *size, *along; /* scratch: nv, and m sizes of rows and D delta */
} HolChord;

HolStatus hol_chord_create(const HolSetup *setup, HolChord **chord);

/* Begins at q_a, which must stay as it is. */
HolStatus hol_chord_begin(HolChord *chord, HolWorkspace *work, double t, const double *q_a);

/* Ends at q_b = q_a + delta, with the velocity v. Leaves the workspace standing in the middle with D, Q and nu as they
 * are there, so that K and C may be asked for. */
HolStatus hol_chord_end(HolChord *chord, HolWorkspace *work, const double *q_b, const double *delta, const double *v);

/* K and C in the middle, under the multipliers lambda; K is that of (2) where the system knows it. */
HolStatus hol_chord_tangent(const HolChord *chord, HolWorkspace *work, const double *lambda);

/* What forces without potential and moving rows do along delta. What rows at rest do is told by `leak`: they are closed
 * to rounding only. Moves the workspace. */
HolStatus hol_chord_work(HolChord *chord, HolWorkspace *work, const double *lambda, double *done);

#endif
