/* SPDX-License-Identifier: BSD-3-Clause */
/* Slider-crank of two equal uniform rods in natural coordinates q = (x2, y2, x3): P1 = (0,0), P2 = (x2,y2),
 * P3 = (x3,0). With equal rods it passes singular configurations (P3 over P1), where D loses rank.
 *
 * A uniform rod whose ends move with a and b has T = m/6 (a.a + a.b + b.b), which makes M constant and coupled:
 *
 *     M = m/6 [4 0 1; 0 4 0; 1 0 2]
 *     Phi_1 = (x2^2 + y2^2 - l^2) / 2l      Phi_2 = (d^2 + y2^2 - l^2) / 2l,  d = x3 - x2 */
#include "draft.h"

typedef struct SliderCrank {
    double m, g, l, inverse_l;
} SliderCrank;

static void rows(const SliderCrank *s, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const double *q = at->q, *v = at->v;
    double d = q[2] - q[0], u = v[2] - v[0], il = s->inverse_l;
    if (want & HOL_WANT_PHI) {
        terms->Phi[0] = 0.5 * ((q[0] * q[0] + q[1] * q[1]) * il - s->l);
        terms->Phi[1] = 0.5 * ((d * d + q[1] * q[1]) * il - s->l);
    }
    if (want & HOL_WANT_JACOBIAN) {
        double *D = terms->D;
        D[0] = q[0] * il;
        D[1] = D[4] = q[1] * il;
        D[5] = d * il;
        D[3] = -D[5];
    }
    if (want & HOL_WANT_GAMMA) {
        terms->gamma[0] = -(v[0] * v[0] + v[1] * v[1]) * il;
        terms->gamma[1] = -(u * u + v[1] * v[1]) * il;
    }
}

static HolStatus evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const SliderCrank *s = self;
    const double *v = at->v;
    rows(s, at, want, terms);
    if (want & HOL_WANT_MASS) {
        double *M = terms->M;
        M[0] = M[4] = s->m * 2 / 3;
        M[2] = M[6] = s->m / 6;
        M[8] = s->m / 3;
    }
    if (want & HOL_WANT_FORCE) {
        terms->Q[1] = -s->m * s->g;
        terms->power = 0;
    }
    if (want & HOL_WANT_ENERGY) {
        terms->kinetic = s->m / 6 * (2 * (v[0] * v[0] + v[1] * v[1]) + v[0] * v[2] + v[2] * v[2]);
        terms->potential = s->m * s->g * at->q[1];
    }
    return HOL_OK;
}

/* K = -d(D^T lambda)/dq, C = 0 */
static HolStatus tangent(const void *self, const HolPoint *at, const double *vdot, const double *lambda,
                         HolTerms *terms)
{
    const SliderCrank *s = self;
    (void)at, (void)vdot;
    double k1 = -lambda[0] * s->inverse_l, k2 = -lambda[1] * s->inverse_l;
    const double K[9] = {k1 + k2, 0, -k2, 0, k1 + k2, 0, -k2, 0, k2};
    for (int i = 0; i < 9; i++) {
        terms->K[i] = K[i];
        terms->C[i] = 0;
    }
    return HOL_OK;
}

static const HolSystemOps ops = {.evaluate = evaluate, .tangent = tangent};

static Scene *create(int n)
{
    (void)n;
    const double c = 0.70710678118654752440; /* cos and sin of the start angle pi/4 */
    HolSystemSpec spec = hol_system_spec();
    spec.name = "slider-crank";
    spec.ops = &ops;
    spec.nq = spec.nv = 3;
    spec.nh = 2;
    spec.constant_mass = spec.scleronomic = true;
    Draft draft = draft_open(&spec, sizeof(SliderCrank));
    if (draft.scene) {
        *(SliderCrank *)draft.self = (SliderCrank){.m = 1, .g = 9.81, .l = 1, .inverse_l = 1};
        draft.q[0] = draft.q[1] = c;
        draft.q[2] = 2 * c;
        draft.v[0] = -2;
        draft.v[1] = 2;
        draft.v[2] = -4;
        draft.scene->until = 2;
        draft.scene->conservative = true;
    }
    return draft_close(&draft);
}

const SceneKind scene_slider_crank = {
    .name = "slider-crank",
    .title = "slider-crank in natural coordinates, through singular configurations",
    .create = create,
};
