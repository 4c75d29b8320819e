/* SPDX-License-Identifier: BSD-3-Clause */
/* A ball of radius r that rolls without slip in a bowl of radius R, in twelve coordinates:
 *
 *     q = (rho, alpha, beta, e1, e2, e3)
 *
 * The centre is at rho e_rho; e1, e2, e3 are the axes of the ball. Spherical directions, alpha > 0 below the rim:
 *
 *     e_rho   = ( cos a cos b,  cos a sin b, -sin a)
 *     e_alpha = (-sin a cos b, -sin a sin b, -cos a)       (1)
 *     e_beta  = (-sin b, cos b, 0)
 *
 *     T = m/2 (rho'^2 + rho^2 alpha'^2 + rho^2 cos^2 alpha beta'^2) + I/4 (|e1'|^2 + |e2'|^2 + |e3'|^2)      (2)
 *     V = -m g rho sin alpha                                                                               (3)
 *
 * The sum of the |e_i'|^2 is 2 |omega|^2, hence I/4, and I/2 on the diagonal of M. Rows:
 *
 *     Phi = (rho - (R - r), (e_i.e_i - 1)/2, e1.e2, e1.e3, e2.e3)                  7 holonomic ones          (4)
 *     Psi = (R - r) alpha'          + r sum (e_i.e_rho) e_alpha.e_i'
 *           (R - r) cos alpha beta' + r sum (e_i.e_rho) e_beta.e_i'                2 of rolling              (5)
 *
 * (5) says that the point of the ball at the bowl is at rest. */
#ifndef HOLON_EXAMPLES_BALL_IN_BOWL_SYSTEM_H
#define HOLON_EXAMPLES_BALL_IN_BOWL_SYSTEM_H

#include <holon/system.h>

#include <math.h>

typedef struct Ball {
    double mass, radius, bowl, gravity; /* bowl: its radius R */
} Ball;

enum { BALL_NV = 12, BALL_NH = 7, BALL_NN = 2 };

static inline double ball_inertia(const Ball *p)
{
    return 0.4 * p->mass * p->radius * p->radius;
}

static inline double ball_dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* (1): directions[0] is e_rho, then e_alpha, e_beta. */
static inline void ball_directions(double alpha, double beta, double directions[3][3])
{
    double ca = cos(alpha), sa = sin(alpha), cb = cos(beta), sb = sin(beta);
    const double e[3][3] = {{ca * cb, ca * sb, -sa}, {-sa * cb, -sa * sb, -ca}, {-sb, cb, 0}};
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            directions[i][k] = e[i][k];
}

/* Their rates: e_rho' = a' e_alpha + cos a b' e_beta, e_alpha' = -a' e_rho - sin a b' e_beta,
 * e_beta' = -b' (cos a e_rho - sin a e_alpha). */
static inline void ball_direction_rates(double alpha, const double *v, double e[3][3], double rates[3][3])
{
    double ca = cos(alpha), sa = sin(alpha), da = v[1], db = v[2];
    for (int k = 0; k < 3; ++k) {
        rates[0][k] = da * e[1][k] + ca * db * e[2][k];
        rates[1][k] = -da * e[0][k] - sa * db * e[2][k];
        rates[2][k] = -db * (ca * e[0][k] - sa * e[1][k]);
    }
}

static inline void ball_mass(const Ball *p, const double *q, double *M)
{
    double rho = q[0], c = cos(q[1]);
    M[0 * BALL_NV + 0] = p->mass;
    M[1 * BALL_NV + 1] = p->mass * rho * rho;
    M[2 * BALL_NV + 2] = p->mass * rho * rho * c * c;
    for (int i = 3; i < BALL_NV; ++i)
        M[i * BALL_NV + i] = ball_inertia(p) / 2;
}

/* Of gravity, and of the curved coordinates. */
static inline void ball_force(const Ball *p, const double *q, const double *v, double *Q)
{
    double m = p->mass, g = p->gravity, rho = q[0], c = cos(q[1]), s = sin(q[1]);
    Q[0] = m * g * s + m * rho * (v[1] * v[1] + c * c * v[2] * v[2]);
    Q[1] = m * g * rho * c - m * rho * (2 * v[0] * v[1] + rho * s * c * v[2] * v[2]);
    Q[2] = -2 * m * rho * v[2] * (c * c * v[0] - rho * s * c * v[1]);
}

/* Which axes the rows of (4) multiply, after the first. */
static const int BALL_PRODUCTS[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

static inline void ball_phi(const Ball *p, const double *q, double *Phi) /* (4) */
{
    Phi[0] = q[0] - (p->bowl - p->radius);
    for (int k = 0; k < 6; ++k) {
        int i = BALL_PRODUCTS[k][0], j = BALL_PRODUCTS[k][1];
        double product = ball_dot(q + 3 + 3 * i, q + 3 + 3 * j);
        Phi[1 + k] = i == j ? (product - 1) / 2 : product;
    }
}

static inline void ball_jacobian(const Ball *p, const double *q, double *D)
{
    double e[3][3], around = p->bowl - p->radius;
    ball_directions(q[1], q[2], e);
    for (int k = 0; k < (BALL_NH + BALL_NN) * BALL_NV; ++k)
        D[k] = 0;
    D[0] = 1;
    for (int k = 0; k < 6; ++k) {
        int i = BALL_PRODUCTS[k][0], j = BALL_PRODUCTS[k][1];
        double *row = D + (1 + k) * BALL_NV + 3;
        for (int n = 0; n < 3; ++n) { /* i == j: half of both */
            row[3 * i + n] = q[3 + 3 * j + n];
            row[3 * j + n] = q[3 + 3 * i + n];
        }
    }
    D[7 * BALL_NV + 1] = around;
    D[8 * BALL_NV + 2] = around * cos(q[1]);
    for (int i = 0; i < 3; ++i)
        for (int n = 0; n < 3; ++n)
            for (int row = 0; row < 2; ++row)
                D[(7 + row) * BALL_NV + 3 + 3 * i + n] = p->radius * ball_dot(q + 3 + 3 * i, e[0]) * e[1 + row][n];
}

/* gamma = -D' v */
static inline void ball_gamma(const Ball *p, const double *q, const double *v, double *gamma)
{
    double e[3][3], rate[3][3];
    ball_directions(q[1], q[2], e);
    ball_direction_rates(q[1], v, e, rate);
    for (int k = 0; k < 6; ++k) {
        int i = BALL_PRODUCTS[k][0], j = BALL_PRODUCTS[k][1];
        gamma[1 + k] = (i == j ? -1 : -2) * ball_dot(v + 3 + 3 * i, v + 3 + 3 * j);
    }
    gamma[7] = 0;
    gamma[8] = (p->bowl - p->radius) * sin(q[1]) * v[1] * v[2];
    for (int row = 0; row < 2; ++row)
        for (int i = 0; i < 3; ++i) {
            const double *axis = q + 3 + 3 * i, *axis_rate = v + 3 + 3 * i;
            double along = ball_dot(axis, e[0]), along_rate = ball_dot(axis_rate, e[0]) + ball_dot(axis, rate[0]);
            gamma[7 + row] -=
                p->radius * (along_rate * ball_dot(e[1 + row], axis_rate) + along * ball_dot(rate[1 + row], axis_rate));
        }
}

static inline void ball_energy(const Ball *p, const double *q, const double *v, HolTerms *terms) /* (2), (3) */
{
    double c = cos(q[1]), turning = 0;
    for (int i = 3; i < BALL_NV; ++i)
        turning += v[i] * v[i];
    terms->kinetic =
        p->mass / 2 * (v[0] * v[0] + q[0] * q[0] * (v[1] * v[1] + c * c * v[2] * v[2])) + ball_inertia(p) / 4 * turning;
    terms->potential = -p->mass * p->gravity * q[0] * sin(q[1]);
}

static inline HolStatus ball_evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const Ball *p = self;
    if (want & HOL_WANT_MASS)
        ball_mass(p, at->q, terms->M);
    if (want & HOL_WANT_FORCE)
        ball_force(p, at->q, at->v, terms->Q);
    if (want & HOL_WANT_PHI)
        ball_phi(p, at->q, terms->Phi);
    if (want & HOL_WANT_JACOBIAN)
        ball_jacobian(p, at->q, terms->D);
    if (want & HOL_WANT_GAMMA)
        ball_gamma(p, at->q, at->v, terms->gamma);
    if (want & HOL_WANT_ENERGY)
        ball_energy(p, at->q, at->v, terms);
    return HOL_OK;
}

/* The spec of a ball, which must outlive the system. */
static inline HolSystemSpec ball_spec(const Ball *ball)
{
    static const HolSystemOps ops = {.evaluate = ball_evaluate};
    HolSystemSpec spec = hol_system_spec();
    spec.name = "ball in a bowl", spec.ops = &ops, spec.self = ball;
    spec.nq = spec.nv = BALL_NV, spec.nh = BALL_NH, spec.nn = BALL_NN;
    spec.scleronomic = true;
    return spec;
}

/* A start that rolls: the axes of the ball along those of space, angles and rates as given, and the spin about e_rho.
 * omega = spin e_rho + (rho/r) cos(a) b' e_alpha - (rho/r) a' e_beta,  e_i' = omega x e_i */
static inline void ball_start(const Ball *p, double alpha, double alpha_rate, double beta_rate, double spin, double *q,
                              double *v)
{
    double e[3][3], omega[3], rho = p->bowl - p->radius, turns = rho / p->radius;
    ball_directions(alpha, 0, e);
    for (int k = 0; k < 3; ++k)
        omega[k] = spin * e[0][k] + turns * (cos(alpha) * beta_rate * e[1][k] - alpha_rate * e[2][k]);
    q[0] = rho, q[1] = alpha, q[2] = 0;
    v[0] = 0, v[1] = alpha_rate, v[2] = beta_rate;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            q[3 + 3 * i + k] = i == k;
    for (int i = 0; i < 3; ++i) {
        const double *axis = q + 3 + 3 * i;
        for (int k = 0; k < 3; ++k)
            v[3 + 3 * i + k] = omega[(k + 1) % 3] * axis[(k + 2) % 3] - omega[(k + 2) % 3] * axis[(k + 1) % 3];
    }
}

/* The spin about e_rho, omega = 1/2 sum e_i x e_i'; it never changes. */
static inline double ball_spin(const double *q, const double *v)
{
    double e[3][3], spin = 0;
    ball_directions(q[1], q[2], e);
    for (int i = 0; i < 3; ++i) {
        const double *a = q + 3 + 3 * i, *b = v + 3 + 3 * i;
        for (int k = 0; k < 3; ++k)
            spin += (a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3]) * e[0][k] / 2;
    }
    return spin;
}

/* beta' cos^2 alpha + 2 r / (7 (R - r)) spin sin alpha, which never changes either. */
static inline double ball_first_integral(const Ball *p, const double *q, const double *v)
{
    double c = cos(q[1]);
    return v[2] * c * c + 2 * p->radius / (7 * (p->bowl - p->radius)) * ball_spin(q, v) * sin(q[1]);
}

#endif
