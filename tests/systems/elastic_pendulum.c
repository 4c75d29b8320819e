/* SPDX-License-Identifier: BSD-3-Clause */
/* Two points in a plane: the first on a rod of length a, the second on an elastic band from the first,
 *
 *     Phi = (|r_1|^2 - a^2) / 2a,   eps = (|r_2 - r_1|^2 - l^2) / 2l,   V = k eps^2 / 2 + m g (y_1 + y_2)
 *
 * The strain is quadratic: with g = d eps/dq and its second derivative H, constant, it changes by g of the middle times
 * the change of q, and its mean is that of the middle plus half of H along half of the change. */
#include "draft.h"

#include <string.h>

typedef struct Band {
    double m, g, a, l, k;
} Band;

enum { SIZE = 4 };

/* H x */
static void curve(const Band *s, const double *x, double *Hx)
{
    for (int i = 0; i < 2; i++) {
        Hx[2 + i] = (x[2 + i] - x[i]) / s->l;
        Hx[i] = -Hx[2 + i];
    }
}

static double dot(const double *x, const double *y)
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2] + x[3] * y[3];
}

/* eps, and g = H q */
static double strain(const Band *s, const double *q, double *g)
{
    curve(s, q, g);
    return dot(q, g) / 2 - s->l / 2;
}

static void rod(const Band *s, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const double *q = at->q, *v = at->v;
    if (want & HOL_WANT_PHI)
        terms->Phi[0] = (q[0] * q[0] + q[1] * q[1] - s->a * s->a) / (2 * s->a);
    for (int i = 0; i < 2 && (want & HOL_WANT_JACOBIAN); i++)
        terms->D[i] = q[i] / s->a;
    if (want & HOL_WANT_GAMMA)
        terms->gamma[0] = -(v[0] * v[0] + v[1] * v[1]) / s->a;
}

static HolStatus evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const Band *s = self;
    double g[SIZE], eps = strain(s, at->q, g);
    for (int i = 0; i < SIZE && (want & HOL_WANT_MASS); i++)
        terms->M[(SIZE + 1) * i] = s->m;
    for (int i = 0; i < SIZE && (want & HOL_WANT_FORCE); i++)
        terms->Q[i] = -s->k * eps * g[i] - (i % 2) * s->m * s->g;
    rod(s, at, want, terms);
    if (want & HOL_WANT_ENERGY) {
        terms->kinetic = s->m * dot(at->v, at->v) / 2;
        terms->potential = s->k * eps * eps / 2 + s->m * s->g * (at->q[1] + at->q[3]);
    }
    return HOL_OK;
}

static void add_outer(double k, const double *g, double *K)
{
    for (int i = 0; i < SIZE * SIZE; i++)
        K[i] += k * g[i / SIZE] * g[i % SIZE];
}

/* k (g g^T + eps H) - lambda d^2 Phi/dq^2 */
static HolStatus tangent(const void *self, const HolPoint *at, const double *vdot, const double *lambda,
                         HolTerms *terms)
{
    const Band *s = self;
    double g[SIZE], eps = strain(s, at->q, g);
    (void)vdot;
    memset(terms->K, 0, SIZE * SIZE * sizeof *terms->K);
    memset(terms->C, 0, SIZE * SIZE * sizeof *terms->C);
    for (int j = 0; j < SIZE; j++) {
        double unit[SIZE] = {0}, column[SIZE];
        unit[j] = 1;
        curve(s, unit, column);
        for (int i = 0; i < SIZE; i++)
            terms->K[SIZE * i + j] = s->k * eps * column[i];
    }
    add_outer(s->k, g, terms->K);
    terms->K[0] -= lambda[0] / s->a;
    terms->K[SIZE + 1] -= lambda[0] / s->a;
    return HOL_OK;
}

static HolStatus discrete_gradient(const void *self, const HolPoint *middle, const double *q_a, const double *q_b,
                                   HolTerms *terms)
{
    const Band *s = self;
    double half[SIZE], g[SIZE];
    for (int i = 0; i < SIZE; i++)
        half[i] = (q_b[i] - q_a[i]) / 2;
    curve(s, half, g);
    double more = dot(half, g) / 2;
    strain(s, middle->q, g);
    for (int i = 0; i < SIZE; i++)
        terms->Q[i] -= s->k * more * g[i];
    return HOL_OK;
}

static HolStatus strain_stiffness(const void *self, const HolPoint *at, HolTerms *terms)
{
    const Band *s = self;
    double g[SIZE];
    strain(s, at->q, g);
    memset(terms->K, 0, SIZE * SIZE * sizeof *terms->K);
    add_outer(s->k, g, terms->K);
    return HOL_OK;
}

static HolStatus strain_forces(const void *self, const HolStrainPath *path, HolTerms *terms)
{
    const Band *s = self;
    double g_a[SIZE], g_m[SIZE], change[SIZE];
    strain(s, path->q_a, g_a);
    strain(s, path->q_m, g_m);
    for (int i = 0; i < SIZE; i++)
        change[i] = path->q_b[i] - path->q_a[i];
    double sigma = s->k * (path->of_change * dot(g_m, change) + path->of_z * dot(g_a, path->z));
    for (int i = 0; i < SIZE; i++)
        terms->Q[i] -= sigma * (path->at_a ? g_a : g_m)[i];
    return HOL_OK;
}

static const HolSystemOps ops = {.evaluate = evaluate,
                                 .tangent = tangent,
                                 .discrete_gradient = discrete_gradient,
                                 .strain_stiffness = strain_stiffness,
                                 .strain_forces = strain_forces};

static Scene *create(int n)
{
    (void)n;
    HolSystemSpec spec = hol_system_spec();
    spec.name = "elastic-pendulum";
    spec.ops = &ops;
    spec.nq = spec.nv = SIZE;
    spec.nh = 1;
    spec.constant_mass = spec.scleronomic = true;
    Draft draft = draft_open(&spec, sizeof(Band));
    if (draft.scene) {
        *(Band *)draft.self = (Band){.m = 1, .g = 9.81, .a = 1, .l = 0.7, .k = 30};
        draft.q[0] = 0.6;
        draft.q[1] = -0.8;
        draft.q[2] = 1.4;
        draft.q[3] = -0.9;
        draft.scene->until = 3;
        draft.scene->conservative = true;
    }
    return draft_close(&draft);
}

const SceneKind scene_elastic_pendulum = {
    .name = "elastic-pendulum",
    .title = "two points, one on a rod and one on an elastic band",
    .create = create,
};
