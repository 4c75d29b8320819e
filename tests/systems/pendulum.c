/* SPDX-License-Identifier: BSD-3-Clause */
/* A point mass on a rod, in x and y. The textbook system, and the smallest one with a constraint.
 *
 *     Phi = (x^2 + y^2 - l^2) / 2l      its gradient is the unit vector of the rod, so -lambda is the rod's tension */
#include "draft.h"

typedef struct Pendulum {
    double m, g, l, inverse_l;
} Pendulum;

static HolStatus evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const Pendulum *p = self;
    const double *q = at->q, *v = at->v;
    if (want & HOL_WANT_MASS)
        terms->M[0] = terms->M[3] = p->m;
    if (want & HOL_WANT_FORCE) {
        terms->Q[1] = -p->m * p->g;
        terms->power = 0;
    }
    if (want & HOL_WANT_PHI)
        terms->Phi[0] = 0.5 * ((q[0] * q[0] + q[1] * q[1]) * p->inverse_l - p->l);
    if (want & HOL_WANT_JACOBIAN) {
        terms->D[0] = q[0] * p->inverse_l;
        terms->D[1] = q[1] * p->inverse_l;
    }
    if (want & HOL_WANT_GAMMA)
        terms->gamma[0] = -(v[0] * v[0] + v[1] * v[1]) * p->inverse_l;
    if (want & HOL_WANT_ENERGY) {
        terms->kinetic = 0.5 * p->m * (v[0] * v[0] + v[1] * v[1]);
        terms->potential = p->m * p->g * q[1];
    }
    return HOL_OK;
}

/* K = -lambda / l, C = 0 */
static HolStatus tangent(const void *self, const HolPoint *at, const double *vdot, const double *lambda,
                         HolTerms *terms)
{
    const Pendulum *p = self;
    (void)at, (void)vdot;
    double k = -lambda[0] * p->inverse_l;
    for (int i = 0; i < 4; i++) {
        terms->K[i] = i % 3 == 0 ? k : 0;
        terms->C[i] = 0;
    }
    return HOL_OK;
}

static const HolSystemOps ops = {.evaluate = evaluate, .tangent = tangent};

static Scene *create(int n)
{
    (void)n;
    HolSystemSpec spec = hol_system_spec();
    spec.name = "pendulum";
    spec.ops = &ops;
    spec.nq = spec.nv = 2;
    spec.nh = 1;
    spec.constant_mass = spec.scleronomic = true;
    Draft draft = draft_open(&spec, sizeof(Pendulum));
    if (draft.scene) {
        *(Pendulum *)draft.self = (Pendulum){.m = 1, .g = 9.81, .l = 1, .inverse_l = 1};
        draft.q[0] = 1;
        draft.scene->until = 2;
        draft.scene->conservative = true;
    }
    return draft_close(&draft);
}

const SceneKind scene_pendulum = {
    .name = "pendulum",
    .title = "point mass on a rod, released from the horizontal",
    .create = create,
};
