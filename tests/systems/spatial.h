/* SPDX-License-Identifier: BSD-3-Clause */
/* Rigid bodies in space: q = (r, e) with Euler parameters e = (e0, e1, e2, e3), v = (rdot in global axes, w in body
 * axes), body axes principal, so that M is constant and diagonal.
 *
 * R is written with the squares of all four parameters (not with 1 - 2(...)): then R is |e|^2 times a rotation,
 * Rdot = R w~ holds exactly for every e, and all terms stay derivatives of each other between two normalisations. */
#ifndef TESTS_SYSTEMS_SPATIAL_H
#define TESTS_SYSTEMS_SPATIAL_H

#include <holon/system.h>

#include <math.h>

typedef struct SpatialBody {
    double mass, weight;
    double J[3];
    double G[3]; /* J1 - J2, J2 - J0, J0 - J1: the gyroscopic moment -w x Jw in numbers */
} SpatialBody;

/* The columns of R: the body axes in global axes. */
typedef struct Axes {
    double x[3], y[3], z[3];
} Axes;

static inline SpatialBody spatial_body(double mass, double gravity, double J0, double J1, double J2)
{
    return (SpatialBody){mass, mass * gravity, {J0, J1, J2}, {J1 - J2, J2 - J0, J0 - J1}};
}

static inline Axes spatial_axes(const double *e)
{
    double e00 = e[0] * e[0], e11 = e[1] * e[1], e22 = e[2] * e[2], e33 = e[3] * e[3];
    double e01 = e[0] * e[1], e02 = e[0] * e[2], e03 = e[0] * e[3];
    double e12 = e[1] * e[2], e13 = e[1] * e[3], e23 = e[2] * e[3];
    return (Axes){
        {e00 + e11 - e22 - e33, 2 * (e12 + e03), 2 * (e13 - e02)},
        {2 * (e12 - e03), e00 - e11 + e22 - e33, 2 * (e23 + e01)},
        {2 * (e13 + e02), 2 * (e23 - e01), e00 - e11 - e22 + e33},
    };
}

static inline double dot3(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void cross3(const double *a, const double *b, double *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/* From body axes to global axes: R a. */
static inline void spatial_turn(const Axes *R, const double *a, double *b)
{
    for (int i = 0; i < 3; i++)
        b[i] = R->x[i] * a[0] + R->y[i] * a[1] + R->z[i] * a[2];
}

static inline void spatial_mass(const SpatialBody *body, double *M)
{
    M[0] = M[7] = M[14] = body->mass;
    M[21] = body->J[0];
    M[28] = body->J[1];
    M[35] = body->J[2];
}

static inline void spatial_force(const SpatialBody *body, const double *v, double *Q)
{
    Q[2] = -body->weight;
    Q[3] = body->G[0] * v[4] * v[5];
    Q[4] = body->G[1] * v[5] * v[3];
    Q[5] = body->G[2] * v[3] * v[4];
}

static inline double spatial_kinetic(const SpatialBody *body, const double *v)
{
    double turning = body->J[0] * v[3] * v[3] + body->J[1] * v[4] * v[4] + body->J[2] * v[5] * v[5];
    return 0.5 * (body->mass * dot3(v, v) + turning);
}

/* Everything of a lone body that does not know about constraints. */
static inline void spatial_single(const SpatialBody *body, const HolPoint *at, unsigned want, HolTerms *terms)
{
    if (want & HOL_WANT_MASS)
        spatial_mass(body, terms->M);
    if (want & HOL_WANT_FORCE) {
        spatial_force(body, at->v, terms->Q);
        terms->power = 0;
    }
    if (want & HOL_WANT_ENERGY) {
        terms->kinetic = spatial_kinetic(body, at->v);
        terms->potential = body->weight * at->q[2];
    }
}

/* c = a * b */
static inline void quaternion_product(const double *a, const double *b, double *c)
{
    c[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    c[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    c[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    c[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

/* edot = e * (0, w) / 2 */
static inline void spatial_qdot(const double *q, const double *v, double *qdot)
{
    const double half[4] = {0, 0.5 * v[3], 0.5 * v[4], 0.5 * v[5]};
    for (int i = 0; i < 3; i++)
        qdot[i] = v[i];
    quaternion_product(q + 3, half, qdot + 3);
}

/* e_new = e * exp(w / 2), normalised */
static inline void spatial_retract(const double *q, const double *w, double *q_new)
{
    double angle = 0.5 * sqrt(dot3(w + 3, w + 3));
    double sinc = angle > 1e-4 ? sin(angle) / angle : 1 - angle * angle / 6;
    const double step[4] = {cos(angle), 0.5 * sinc * w[3], 0.5 * sinc * w[4], 0.5 * sinc * w[5]};
    double e[4];
    quaternion_product(q + 3, step, e);
    double scale = 1 / sqrt(dot3(e, e) + e[3] * e[3]);
    for (int i = 0; i < 3; i++)
        q_new[i] = q[i] + w[i];
    for (int i = 0; i < 4; i++)
        q_new[3 + i] = scale * e[i];
}

/* e_b = e_a * (1, theta/2), normalised: the rotation of a step with the Rodrigues vector theta in body axes. */
static inline void spatial_displace(const double *q_a, const double *delta, double *q_b)
{
    const double turn[4] = {1, 0.5 * delta[3], 0.5 * delta[4], 0.5 * delta[5]};
    double e[4];
    quaternion_product(q_a + 3, turn, e);
    double scale = 1 / sqrt(dot3(e, e) + e[3] * e[3]);
    for (int i = 0; i < 3; i++)
        q_b[i] = q_a[i] + delta[i];
    for (int i = 0; i < 4; i++)
        q_b[3 + i] = scale * e[i];
}

/* The mean R of the rotations of a step, and its inverse (I - theta~/2) R_a^T, by rows. */
typedef struct MeanAxes {
    Axes R;
    double inverse[3][3];
} MeanAxes;

static inline MeanAxes spatial_mean_axes(const double *e_a, const double *e_b)
{
    Axes a = spatial_axes(e_a), b = spatial_axes(e_b);
    MeanAxes mean;
    const double back[4] = {e_a[0], -e_a[1], -e_a[2], -e_a[3]};
    double p[4];
    quaternion_product(back, e_b, p);
    const double half[3] = {p[1] / p[0], p[2] / p[0], p[3] / p[0]};
    for (int i = 0; i < 3; i++) {
        const double column[3] = {a.x[i], a.y[i], a.z[i]}; /* of R_a^T */
        double turned[3];
        cross3(half, column, turned);
        for (int k = 0; k < 3; k++)
            mean.inverse[k][i] = column[k] - turned[k];
        mean.R.x[i] = 0.5 * (a.x[i] + b.x[i]);
        mean.R.y[i] = 0.5 * (a.y[i] + b.y[i]);
        mean.R.z[i] = 0.5 * (a.z[i] + b.z[i]);
    }
    return mean;
}

/* qdot, retract and displace of a lone body, as a system's ops want them. */
static inline void spatial_single_displace(const void *self, const double *q_a, const double *delta, double *q_b)
{
    (void)self;
    spatial_displace(q_a, delta, q_b);
}

static inline void spatial_single_qdot(const void *self, const double *q, const double *v, double *qdot)
{
    (void)self;
    spatial_qdot(q, v, qdot);
}

static inline void spatial_single_retract(const void *self, const double *q, const double *w, double *q_new)
{
    (void)self;
    spatial_retract(q, w, q_new);
}

#endif
