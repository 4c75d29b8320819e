/* SPDX-License-Identifier: BSD-3-Clause */
/* Uniform planar bars in reference-point coordinates (x, y, phi), pinned at their ends.
 *
 * The half bar is h = half (cos phi, sin phi), so the ends are r + s with s = +h (tip) or s = -h (tail), and
 *
 *     (r + s)'  = rdot + phidot perp(s)                 perp(s) = (-s_y, s_x)
 *     (r + s)'' = rddot + phiddot perp(s) - phidot^2 s
 *
 * A pin has Phi = end of the second body - end of the first, hence its lambda is the force of the first on the
 * second, and gamma = phidot_2^2 s_2 - phidot_1^2 s_1. */
#ifndef TESTS_SYSTEMS_PLANAR_H
#define TESTS_SYSTEMS_PLANAR_H

#include <holon/system.h>

#include "sincos.h"

#include <string.h>

enum { PLANAR_KINEMATICS = HOL_WANT_PHI | HOL_WANT_JACOBIAN | HOL_WANT_GAMMA };

typedef struct PlanarBar {
    double half, mass, inertia, weight;
} PlanarBar;

typedef struct PlanarPose {
    double x, y, hx, hy, ww; /* ww = phidot^2 */
} PlanarPose;

typedef struct PlanarEnd {
    double x, y, sx, sy, ww;
} PlanarEnd;

static inline PlanarPose planar_pose(const PlanarBar *bar, const double *q, const double *v)
{
    double sine, cosine;
    fast_sincos(q[2], &sine, &cosine);
    return (PlanarPose){q[0], q[1], bar->half * cosine, bar->half * sine, v[2] * v[2]};
}

static inline PlanarEnd planar_tip(PlanarPose p)
{
    return (PlanarEnd){p.x + p.hx, p.y + p.hy, p.hx, p.hy, p.ww};
}

static inline PlanarEnd planar_tail(PlanarPose p)
{
    return (PlanarEnd){p.x - p.hx, p.y - p.hy, -p.hx, -p.hy, p.ww};
}

static inline PlanarEnd planar_ground(double x, double y)
{
    return (PlanarEnd){x, y, 0, 0, 0};
}

/* The rows of one pin; D1 is NULL where the first body is the ground. */
static inline void planar_pin(unsigned want, PlanarEnd e1, PlanarEnd e2, int row, double *D1, double *D2,
                              HolTerms *terms)
{
    if (want & HOL_WANT_PHI) {
        terms->Phi[row] = e2.x - e1.x;
        terms->Phi[row + 1] = e2.y - e1.y;
    }
    if (want & HOL_WANT_JACOBIAN) {
        D2[0] = D2[4] = 1;
        D2[2] = -e2.sy;
        D2[5] = e2.sx;
        if (D1) {
            D1[0] = D1[4] = -1;
            D1[2] = e1.sy;
            D1[5] = -e1.sx;
        }
    }
    if (want & HOL_WANT_GAMMA) {
        terms->gamma[row] = e2.ww * e2.sx - e1.ww * e1.sx;
        terms->gamma[row + 1] = e2.ww * e2.sy - e1.ww * e1.sy;
    }
}

static inline void planar_energy(int count, const PlanarBar *bar, int stride, const HolPoint *at, HolTerms *terms)
{
    double kinetic = 0, potential = 0;
    for (int b = 0; b < count; b++, bar += stride) {
        const double *v = at->v + 3 * b;
        kinetic += bar->mass * (v[0] * v[0] + v[1] * v[1]) + bar->inertia * v[2] * v[2];
        potential += bar->weight * at->q[3 * b + 1];
    }
    terms->kinetic = 0.5 * kinetic;
    terms->potential = potential;
}

/* Everything that does not know about pins. stride 1: one bar after the other; stride 0: all are the same bar. */
static inline void planar_bodies(int count, const PlanarBar *bars, int stride, const HolPoint *at, unsigned want,
                                 HolTerms *terms)
{
    if (want & HOL_WANT_MASS) {
        for (int b = 0; b < count; b++) {
            double *M = terms->M + terms->pattern->mass_start[b];
            M[0] = M[4] = bars[stride * b].mass;
            M[8] = bars[stride * b].inertia;
        }
    }
    if (want & HOL_WANT_FORCE) {
        for (int b = 0; b < count; b++)
            terms->Q[3 * b + 1] = -bars[stride * b].weight;
        terms->power = 0;
    }
    if (want & HOL_WANT_ENERGY)
        planar_energy(count, bars, stride, at, terms);
}

static inline double *planar_block(const HolTerms *terms, int pair)
{
    return terms->D + terms->pattern->pair_start[pair];
}

static inline void planar_tangent_clear(HolTerms *terms)
{
    size_t size = (size_t)terms->pattern->tangent_start[terms->pattern->tangent_count] * sizeof(double);
    memset(terms->K, 0, size);
    memset(terms->C, 0, size);
}

/* The only stiffness of pins: the ends turn with the bar while the forces on them keep their direction.
 * The moment is perp(h).(F_tip - F_tail), so -d/dphi is h.(F_tip - F_tail). */
static inline double planar_stiffness(const PlanarBar *bar, double phi, double tip_x, double tip_y, double tail_x,
                                      double tail_y)
{
    double sine, cosine;
    fast_sincos(phi, &sine, &cosine);
    return bar->half * (cosine * (tip_x - tail_x) + sine * (tip_y - tail_y));
}

static inline PlanarBar planar_slender(double length, double mass, double gravity)
{
    return (PlanarBar){length / 2, mass, mass * length * length / 12, mass * gravity};
}

#endif
