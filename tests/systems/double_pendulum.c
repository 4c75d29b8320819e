/* SPDX-License-Identifier: BSD-3-Clause */
/* Two point masses on two rods: two blocks, two groups, and the second group touches both blocks.
 *
 *     Phi_1 = (|p1|^2 - l^2) / 2l      Phi_2 = (|d|^2 - l^2) / 2l,  d = p2 - p1 */
#include "draft.h"

typedef struct DoublePendulum {
    double m[2], g, l, inverse_l;
    int tangent[2][2]; /* where the blocks of K begin */
} DoublePendulum;

static void rows(const DoublePendulum *p, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const double *q = at->q, *v = at->v;
    double dx = q[2] - q[0], dy = q[3] - q[1], ux = v[2] - v[0], uy = v[3] - v[1];
    if (want & HOL_WANT_PHI) {
        terms->Phi[0] = 0.5 * ((q[0] * q[0] + q[1] * q[1]) * p->inverse_l - p->l);
        terms->Phi[1] = 0.5 * ((dx * dx + dy * dy) * p->inverse_l - p->l);
    }
    if (want & HOL_WANT_JACOBIAN) {
        const int *start = terms->pattern->pair_start;
        double *D11 = terms->D + start[0], *D21 = terms->D + start[1], *D22 = terms->D + start[2];
        D11[0] = q[0] * p->inverse_l;
        D11[1] = q[1] * p->inverse_l;
        D22[0] = dx * p->inverse_l;
        D22[1] = dy * p->inverse_l;
        D21[0] = -D22[0];
        D21[1] = -D22[1];
    }
    if (want & HOL_WANT_GAMMA) {
        terms->gamma[0] = -(v[0] * v[0] + v[1] * v[1]) * p->inverse_l;
        terms->gamma[1] = -(ux * ux + uy * uy) * p->inverse_l;
    }
}

static HolStatus evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const DoublePendulum *p = self;
    const double *q = at->q, *v = at->v;
    rows(p, at, want, terms);
    for (int b = 0; b < 2; b++) {
        double *M = terms->M + terms->pattern->mass_start[b];
        if (want & HOL_WANT_MASS)
            M[0] = M[3] = p->m[b];
        if (want & HOL_WANT_FORCE)
            terms->Q[2 * b + 1] = -p->m[b] * p->g;
    }
    if (want & HOL_WANT_FORCE)
        terms->power = 0;
    if (want & HOL_WANT_ENERGY) {
        terms->kinetic = 0.5 * (p->m[0] * (v[0] * v[0] + v[1] * v[1]) + p->m[1] * (v[2] * v[2] + v[3] * v[3]));
        terms->potential = p->g * (p->m[0] * q[1] + p->m[1] * q[3]);
    }
    return HOL_OK;
}

/* f_1 = (lambda_1 p1 - lambda_2 d) / l,  f_2 = lambda_2 d / l,  K = -df/dp */
static HolStatus tangent(const void *self, const HolPoint *at, const double *vdot, const double *lambda,
                         HolTerms *terms)
{
    const DoublePendulum *p = self;
    (void)at, (void)vdot;
    double k1 = lambda[0] * p->inverse_l, k2 = lambda[1] * p->inverse_l;
    const double k[2][2] = {{-k1 - k2, k2}, {k2, -k2}};
    for (int a = 0; a < 2; a++) {
        for (int b = 0; b < 2; b++) {
            for (int i = 0; i < 4; i++) {
                terms->K[p->tangent[a][b] + i] = i % 3 == 0 ? k[a][b] : 0;
                terms->C[p->tangent[a][b] + i] = 0;
            }
        }
    }
    return HOL_OK;
}

static const HolSystemOps ops = {.evaluate = evaluate, .tangent = tangent};

static Scene *create(int n)
{
    (void)n;
    HolSystemSpec spec = hol_system_spec();
    spec.name = "double-pendulum";
    spec.ops = &ops;
    spec.nq = spec.nv = 4;
    spec.nh = 2;
    spec.constant_mass = spec.scleronomic = true;
    Draft draft = draft_open(&spec, sizeof(DoublePendulum));
    draft_divide(&draft, 2, 2, 2, 1);
    draft_pair(&draft, 0, 0);
    draft_pair(&draft, 1, 0);
    draft_pair(&draft, 1, 1);
    DoublePendulum *p = draft.self;
    if (draft.scene) {
        *p = (DoublePendulum){.m = {1, 0.5}, .g = 9.81, .l = 1, .inverse_l = 1};
        draft.q[0] = draft.q[2] = draft.q[3] = 1; /* the first rod horizontal, the second upright */
        draft.scene->until = 2;
        draft.scene->conservative = true;
    }
    Scene *scene = draft_close(&draft);
    for (int k = 0; scene && k < 4; k++)
        p->tangent[k / 2][k % 2] = draft_tangent(scene, k / 2, k % 2);
    return scene;
}

const SceneKind scene_double_pendulum = {
    .name = "double-pendulum",
    .title = "two point masses on two rods: a row that touches two blocks",
    .create = create,
};
