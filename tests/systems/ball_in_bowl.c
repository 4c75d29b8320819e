/* SPDX-License-Identifier: BSD-3-Clause */
/* A ball that rolls without slip in a spherical bowl, in the twelve coordinates of Braun and Goldfarb: its centre
 * (rho, alpha, beta) in spherical coordinates and three unit vectors e_1, e_2, e_3 fixed to it.
 *
 *     e_rho = (cos a cos b, cos a sin b, -sin a),   e_alpha = d e_rho / da,   e_beta = (-sin b, cos b, 0)
 *     T = m/2 (rho'^2 + rho^2 alpha'^2 + rho^2 cos^2 a beta'^2) + sum I/4 |e_i'|^2,   V = -m g rho sin a
 *
 * The blocks of e_i in M are I/2: together they have |e_1'|^2 + |e_2'|^2 + |e_3'|^2 = 2 |w|^2.
 *
 *     Phi = (rho - (R - r), (e_i.e_i - 1)/2, e_1.e_2, e_1.e_3, e_2.e_3)
 *     u   = sum (e_i.e_rho) e_i'                      velocity of the point that touches, against the centre, over r
 *     Psi = ((R - r) alpha' + r e_alpha.u,   (R - r) cos a beta' + r e_beta.u)
 *
 * Turning rates: e_rho' = alpha' e_alpha + cos a beta' e_beta, e_alpha' = -alpha' e_rho - sin a beta' e_beta,
 * e_beta' = beta' (sin a e_alpha - cos a e_rho). */
#include "draft.h"

#include <math.h>

enum { RHO, ALPHA, BETA, E };

typedef struct Bowl {
    double m, g, r, R, I;
} Bowl;

/* The spherical axes and their rates. */
typedef struct Axes {
    double rho[3], alpha[3], beta[3];
    double rho_rate[3], alpha_rate[3], beta_rate[3];
    double c, s; /* cos a, sin a */
} Axes;

static double dot3(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static Axes axes_at(const double *q, const double *v)
{
    double c = cos(q[ALPHA]), s = sin(q[ALPHA]), cb = cos(q[BETA]), sb = sin(q[BETA]);
    Axes x = {.rho = {c * cb, c * sb, -s}, .alpha = {-s * cb, -s * sb, -c}, .beta = {-sb, cb, 0}, .c = c, .s = s};
    for (int i = 0; i < 3; i++) {
        x.rho_rate[i] = v[ALPHA] * x.alpha[i] + c * v[BETA] * x.beta[i];
        x.alpha_rate[i] = -v[ALPHA] * x.rho[i] - s * v[BETA] * x.beta[i];
        x.beta_rate[i] = v[BETA] * (s * x.alpha[i] - c * x.rho[i]);
    }
    return x;
}

static void motion(const Bowl *b, const double *q, const double *v, unsigned want, HolTerms *terms)
{
    const double m = b->m, rho = q[RHO], c = cos(q[ALPHA]), s = sin(q[ALPHA]);
    const double mass[3] = {m, m * rho * rho, m * rho * rho * c * c};
    if (want & HOL_WANT_MASS)
        for (int i = 0; i < 12; i++)
            terms->M[13 * i] = i < E ? mass[i] : b->I / 2;
    if (want & HOL_WANT_FORCE) {
        terms->Q[RHO] = m * rho * (v[ALPHA] * v[ALPHA] + v[BETA] * v[BETA] * c * c) + m * b->g * s;
        terms->Q[ALPHA] = -m * rho * (2 * v[RHO] * v[ALPHA] + rho * v[BETA] * v[BETA] * s * c) + m * b->g * rho * c;
        terms->Q[BETA] = -2 * m * rho * (v[RHO] * v[BETA] * c * c - rho * v[ALPHA] * v[BETA] * s * c);
        terms->power = 0;
    }
    if (want & HOL_WANT_ENERGY) {
        terms->kinetic = 0;
        for (int i = 0; i < 12; i++)
            terms->kinetic += 0.5 * (i < E ? mass[i] : b->I / 2) * v[i] * v[i];
        terms->potential = -m * b->g * rho * s;
    }
}

/* Pairs (i, j) of the six products of the unit vectors, squares first. */
static const int first[6] = {0, 1, 2, 0, 0, 1}, second[6] = {0, 1, 2, 1, 2, 2};

static void holonomic(const Bowl *b, const double *q, const double *v, unsigned want, HolTerms *terms)
{
    if (want & HOL_WANT_PHI)
        terms->Phi[0] = q[RHO] - (b->R - b->r);
    if (want & HOL_WANT_JACOBIAN)
        terms->D[RHO] = 1;
    for (int k = 0; k < 6; k++) {
        const int i = E + 3 * first[k], j = E + 3 * second[k];
        const double half = k < 3 ? 0.5 : 1;
        double *D = terms->D + 12 * (k + 1);
        if (want & HOL_WANT_PHI)
            terms->Phi[k + 1] = half * (dot3(q + i, q + j) - (k < 3));
        if (want & HOL_WANT_GAMMA)
            terms->gamma[k + 1] = -2 * half * dot3(v + i, v + j);
        for (int x = 0; (want & HOL_WANT_JACOBIAN) && x < 3; x++) {
            D[i + x] = q[j + x];
            D[j + x] = q[i + x];
        }
    }
}

/* One row of Psi, along e_alpha or e_beta; D and gamma are those of the row. */
static void rolling(const Bowl *b, const Axes *x, const double *along, const double *along_rate, const double *q,
                    const double *v, double *D, double *gamma)
{
    *gamma = 0;
    for (int i = E; i < 12; i += 3) {
        double part = dot3(q + i, x->rho), part_rate = dot3(v + i, x->rho) + dot3(q + i, x->rho_rate);
        for (int k = 0; k < 3; k++)
            D[i + k] = b->r * part * along[k];
        *gamma -= b->r * (part_rate * dot3(along, v + i) + part * dot3(along_rate, v + i));
    }
}

static HolStatus evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const Bowl *b = self;
    const double *q = at->q, *v = at->v;
    double D[2][12] = {{0}}, gamma[2];
    motion(b, q, v, want, terms);
    holonomic(b, q, v, want, terms);
    if (!(want & (HOL_WANT_JACOBIAN | HOL_WANT_GAMMA)))
        return HOL_OK;
    Axes x = axes_at(q, v);
    rolling(b, &x, x.alpha, x.alpha_rate, q, v, D[0], &gamma[0]);
    rolling(b, &x, x.beta, x.beta_rate, q, v, D[1], &gamma[1]);
    D[0][ALPHA] = b->R - b->r;
    D[1][BETA] = (b->R - b->r) * x.c;
    gamma[1] += (b->R - b->r) * x.s * v[ALPHA] * v[BETA];
    for (int i = 0; (want & HOL_WANT_JACOBIAN) && i < 24; i++)
        terms->D[7 * 12 + i] = D[i / 12][i % 12];
    for (int i = 0; (want & HOL_WANT_GAMMA) && i < 2; i++)
        terms->gamma[7 + i] = gamma[i];
    return HOL_OK;
}

static const HolSystemOps ops = {.evaluate = evaluate};

/* e_i = the global axes, e_i' = w x e_i with w that rolls: w = e_rho + (R - r)/r (cos a beta' e_alpha - alpha' e_beta) */
static void start(const Bowl *b, double *q, double *v)
{
    double w[3];
    q[RHO] = b->R - b->r;
    q[ALPHA] = atan(1);
    v[ALPHA] = 0.5;
    v[BETA] = 1;
    Axes x = axes_at(q, v);
    for (int k = 0; k < 3; k++)
        w[k] = x.rho[k] + q[RHO] / b->r * (x.c * v[BETA] * x.alpha[k] - v[ALPHA] * x.beta[k]);
    for (int i = 0; i < 3; i++) {
        double *e = v + E + 3 * i;
        q[E + 4 * i] = 1;
        e[(i + 1) % 3] = w[(i + 2) % 3];
        e[(i + 2) % 3] = -w[(i + 1) % 3];
    }
}

static Scene *create(int n)
{
    (void)n;
    HolSystemSpec spec = hol_system_spec();
    spec.name = "ball-in-bowl";
    spec.ops = &ops;
    spec.nq = spec.nv = 12;
    spec.nh = 7;
    spec.nn = 2;
    spec.scleronomic = true;
    Draft draft = draft_open(&spec, sizeof(Bowl));
    if (draft.scene) {
        *(Bowl *)draft.self = (Bowl){.m = 1, .g = 9.81, .r = 1, .R = 8, .I = 0.4};
        start(draft.self, draft.q, draft.v);
        draft.scene->until = 3;
        draft.scene->conservative = true;
    }
    return draft_close(&draft);
}

const SceneKind scene_ball_in_bowl = {
    .name = "ball-in-bowl",
    .title = "ball that rolls without slip in a bowl, its orientation by three unit vectors",
    .create = create,
};
