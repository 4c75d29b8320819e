/* SPDX-License-Identifier: BSD-3-Clause */
/* A planar walker of seven links, both feet on the ground, that bends its knees in time:
 *
 *     q = (x, y, theta, theta1 ... theta6)
 *
 * (x, y) is the centre of the trunk, theta the angle of the trunk; 1, 2, 3 are thigh, shank and foot of the front leg,
 * 4, 5, 6 of the rear leg. Every point of interest is the centre of the trunk plus a fixed vector on each link:
 *
 *     p = (x, y) + sum_k R(theta_k) (along_k, across_k)                            (1)
 *     J = dp/dq,   p'' = J vdot - sum_k theta_k'^2 R(theta_k) (along_k, across_k)    (2)
 *
 * so that a table of such vectors is the whole geometry. With the centres of the links, M = sum m J^T J + inertias.
 * Rows, with c = cos(omega t):
 *
 *     heel y, toe y;  theta2 - theta1 + pi/10 (1 - c), theta5 - theta4 + pi/10 (1 - c),
 *     theta - 4 pi/9 - pi/18 (1 - c), theta3 - pi/18 (1 + c), theta6 + pi/18 (1 - c)        7 holonomic ones   (3)
 *     heel x', toe x'                                                                     2 of velocity     (4)
 *
 * Nine rows for nine coordinates: nothing is free. (4) could be integrated; it stands at the level of velocities since
 * where the feet are is not to be known. */
#ifndef HOLON_EXAMPLES_BIPED_SYSTEM_H
#define HOLON_EXAMPLES_BIPED_SYSTEM_H

#include <holon/system.h>

#include <math.h>
#include <string.h>

enum { BIPED_NV = 9, BIPED_NH = 7, BIPED_NN = 2, BIPED_LINKS = 7 };

/* Lengths in m, masses in kg, inertias about the centres in kg m^2. */
typedef struct Biped {
    double thigh, shank, ankle, hip;   /* lengths; height of the ankle over the sole; hip to centre of the trunk */
    double toe, heel;                  /* along the sole, from below the ankle */
    double thigh_centre, shank_centre; /* from the upper joint */
    double foot_centre[2];             /* from the ankle: forward, down */
    double mass[4], inertia[4];        /* of trunk, thigh, shank, foot */
    double omega, gravity;
} Biped;

/* A person of 1.8 m and 75 kg, by mean anthropometric ratios. */
static const Biped BIPED = {
    .thigh = 0.441,
    .shank = 0.4428,
    .ankle = 0.0702,
    .hip = 0.3245184,
    .toe = 0.2052,
    .heel = 0.0684,
    .thigh_centre = 0.190953,
    .shank_centre = 0.1917324,
    .foot_centre = {0.0684, 0.0351},
    .mass = {50.85, 7.5, 3.4875, 1.0875},
    .inertia = {3.361896166588416, 0.1521750618675, 0.062365344632568, 0.01836744174},
    .omega = 3.14159265358979324,
    .gravity = 9.81,
};

/* The fixed vectors of one point on the seven links. */
typedef struct BipedPoint {
    double along[BIPED_LINKS], across[BIPED_LINKS];
} BipedPoint;

/* Where it is, how it moves with q, and p'' - J vdot. */
typedef struct BipedMotion {
    double p[2], J[2][BIPED_NV], bias[2];
} BipedMotion;

/* The centre of a link: 0 the trunk, 1, 2, 3 and 4, 5, 6 the legs. */
static inline BipedPoint biped_centre(const Biped *b, int link)
{
    BipedPoint point = {.along = {0}};
    int thigh = link <= 3 ? 1 : 4, part = link - thigh; /* 0, 1, 2: thigh, shank, foot */
    if (link == 0)
        return point;
    point.along[0] = -b->hip;
    point.along[thigh] = part == 0 ? -b->thigh_centre : -b->thigh;
    if (part > 0)
        point.along[thigh + 1] = part == 1 ? -b->shank_centre : -b->shank;
    if (part > 1)
        point.along[thigh + 2] = b->foot_centre[0], point.across[thigh + 2] = -b->foot_centre[1];
    return point;
}

/* Where the front heel (leg 0) or the rear toe (leg 1) meets the ground. */
static inline BipedPoint biped_contact(const Biped *b, int leg)
{
    int foot = leg == 0 ? 3 : 6;
    BipedPoint point = biped_centre(b, foot);
    point.along[foot] = leg == 0 ? -b->heel : b->toe;
    point.across[foot] = -b->ankle;
    return point;
}

static inline BipedMotion biped_motion(const BipedPoint *point, const double *q, const double *v) /* (1), (2) */
{
    BipedMotion m = {.p = {q[0], q[1]}, .J = {{1, 0}, {0, 1}}};
    for (int k = 0; k < BIPED_LINKS; ++k) {
        double c = cos(q[2 + k]), s = sin(q[2 + k]), w = v[2 + k];
        double x = point->along[k] * c - point->across[k] * s, y = point->along[k] * s + point->across[k] * c;
        m.p[0] += x, m.p[1] += y;
        m.J[0][2 + k] = -y, m.J[1][2 + k] = x;
        m.bias[0] -= w * w * x, m.bias[1] -= w * w * y;
    }
    return m;
}

/* One link's share of M, Q and the energies. */
static inline void biped_add_link(const Biped *b, int link, const HolPoint *at, unsigned want, HolTerms *terms)
{
    int kind = link == 0 ? 0 : 1 + (link - 1) % 3;
    double mass = b->mass[kind], u[2] = {0}, w = at->v[2 + link];
    BipedPoint centre = biped_centre(b, link);
    BipedMotion m = biped_motion(&centre, at->q, at->v);
    if (want & HOL_WANT_MASS) {
        for (int i = 0; i < BIPED_NV; ++i)
            for (int k = 0; k < BIPED_NV; ++k)
                terms->M[i * BIPED_NV + k] += mass * (m.J[0][i] * m.J[0][k] + m.J[1][i] * m.J[1][k]);
        terms->M[(2 + link) * (BIPED_NV + 1)] += b->inertia[kind];
    }
    for (int i = 0; i < BIPED_NV; ++i) {
        if (want & HOL_WANT_FORCE)
            terms->Q[i] -= mass * (m.J[0][i] * m.bias[0] + m.J[1][i] * (m.bias[1] + b->gravity));
        u[0] += m.J[0][i] * at->v[i], u[1] += m.J[1][i] * at->v[i];
    }
    if (want & HOL_WANT_ENERGY) {
        terms->kinetic += (mass * (u[0] * u[0] + u[1] * u[1]) + b->inertia[kind] * w * w) / 2;
        terms->potential += mass * b->gravity * m.p[1];
    }
}

/* Rows 2 to 6 of (3): the angles +plus -minus, in q, follow mean + swing (1 - cos(omega t)). */
typedef struct BipedDrive {
    int plus, minus; /* minus 0: none */
    double mean, swing;
} BipedDrive;

static inline BipedDrive biped_drive(int k)
{
    const double PI = 3.14159265358979324;
    const BipedDrive drives[] = {{4, 3, 0, -PI / 10},
                                 {7, 6, 0, -PI / 10},
                                 {2, 0, 4 * PI / 9, PI / 18},
                                 {5, 0, PI / 9, -PI / 18},
                                 {8, 0, 0, -PI / 18}};
    return drives[k];
}

static inline void biped_drives(const Biped *b, const HolPoint *at, unsigned want, HolTerms *terms)
{
    double w = b->omega, c = cos(w * at->t), s = sin(w * at->t);
    for (int k = 0; k < 5; ++k) {
        BipedDrive d = biped_drive(k);
        if (want & HOL_WANT_PHI)
            terms->Phi[2 + k] = at->q[d.plus] - (d.minus ? at->q[d.minus] : 0) - d.mean - d.swing * (1 - c);
        if (want & HOL_WANT_JACOBIAN) {
            terms->D[(2 + k) * BIPED_NV + d.plus] = 1;
            if (d.minus)
                terms->D[(2 + k) * BIPED_NV + d.minus] = -1;
        }
        if (want & HOL_WANT_NU)
            terms->nu[2 + k] = d.swing * w * s;
        if (want & HOL_WANT_GAMMA)
            terms->gamma[2 + k] = d.swing * w * w * c;
    }
}

/* A foot's height is row `leg` of (3), its slip row 7 + leg, of (4). */
static inline void biped_contacts(const Biped *b, const HolPoint *at, unsigned want, HolTerms *terms)
{
    for (int leg = 0; leg < 2; ++leg) {
        BipedPoint point = biped_contact(b, leg);
        BipedMotion m = biped_motion(&point, at->q, at->v);
        if (want & HOL_WANT_PHI)
            terms->Phi[leg] = m.p[1];
        if (want & HOL_WANT_JACOBIAN) {
            memcpy(terms->D + leg * BIPED_NV, m.J[1], sizeof m.J[1]);
            memcpy(terms->D + (7 + leg) * BIPED_NV, m.J[0], sizeof m.J[0]);
        }
        if (want & HOL_WANT_GAMMA)
            terms->gamma[leg] = -m.bias[1], terms->gamma[7 + leg] = -m.bias[0];
    }
}

static inline HolStatus biped_evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const Biped *b = self;
    if (want & HOL_WANT_MASS)
        memset(terms->M, 0, BIPED_NV * BIPED_NV * sizeof *terms->M);
    if (want & HOL_WANT_FORCE)
        memset(terms->Q, 0, BIPED_NV * sizeof *terms->Q);
    if (want & HOL_WANT_ENERGY)
        terms->kinetic = terms->potential = 0;
    if (want & (HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_ENERGY))
        for (int link = 0; link < BIPED_LINKS; ++link)
            biped_add_link(b, link, at, want, terms);
    biped_contacts(b, at, want, terms);
    biped_drives(b, at, want, terms);
    return HOL_OK;
}

/* The spec of a walker, which must outlive the system. */
static inline HolSystemSpec biped_spec(const Biped *biped)
{
    static const HolSystemOps ops = {.evaluate = biped_evaluate};
    HolSystemSpec spec = hol_system_spec();
    spec.name = "biped", spec.ops = &ops, spec.self = biped;
    spec.nq = spec.nv = BIPED_NV, spec.nh = BIPED_NH, spec.nn = BIPED_NN;
    return spec;
}

#endif
