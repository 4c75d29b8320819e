/* SPDX-License-Identifier: BSD-3-Clause */
/* A point mass in the plane whose speed is held at v0 while gravity pulls: a nonholonomic row that is not linear in v.
 *
 *     Psi = (v.v - v0^2) / 2,   D = v^T,   nu = D v - Psi = (v.v + v0^2) / 2,   gamma = 0
 *
 * The constraint force is along v and works: its power is lambda D v. Closed form (Gauss): with s = g t / v0 + s0,
 * where tanh s0 is the downward part of the initial direction,
 *
 *     vx = v0 / cosh s,   vy = -v0 tanh s,   x = v0^2/g (gd s - gd s0),   y = -v0^2/g ln(cosh s / cosh s0)
 *
 * and lambda = -(m g / v0) tanh s. The scene starts with s0 = 0, i.e. horizontally. */
#include "draft.h"

typedef struct Runner {
    double m, g, v0;
} Runner;

static HolStatus evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const Runner *r = self;
    const double *v = at->v;
    double vv = v[0] * v[0] + v[1] * v[1];
    if (want & HOL_WANT_MASS)
        terms->M[0] = terms->M[3] = r->m;
    if (want & HOL_WANT_FORCE) {
        terms->Q[1] = -r->m * r->g;
        terms->power = 0;
    }
    if (want & HOL_WANT_JACOBIAN) {
        terms->D[0] = v[0];
        terms->D[1] = v[1];
    }
    if (want & HOL_WANT_NU)
        terms->nu[0] = 0.5 * (vv + r->v0 * r->v0);
    if (want & HOL_WANT_ENERGY) {
        terms->kinetic = 0.5 * r->m * vv;
        terms->potential = r->m * r->g * at->q[1];
    }
    return HOL_OK;
}

static const HolSystemOps ops = {.evaluate = evaluate};

static Scene *create(int n)
{
    (void)n;
    HolSystemSpec spec = hol_system_spec();
    spec.name = "constant-speed";
    spec.ops = &ops;
    spec.nq = spec.nv = 2;
    spec.nn = 1;
    spec.constant_mass = true;
    Draft draft = draft_open(&spec, sizeof(Runner));
    if (draft.scene) {
        *(Runner *)draft.self = (Runner){.m = 1, .g = 9.81, .v0 = 3};
        draft.v[0] = 3;
        draft.scene->until = 1;
    }
    return draft_close(&draft);
}

const SceneKind scene_constant_speed = {
    .name = "constant-speed",
    .title = "point mass held at constant speed: a nonholonomic row that is not linear in v",
    .create = create,
};
