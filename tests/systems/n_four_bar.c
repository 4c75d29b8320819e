/* SPDX-License-Identifier: BSD-3-Clause */
/* N parallelograms in a row: N+1 upright cranks on the ground pivots A_i = (i,0), joined at their tips B_i by N
 * couplers. All rods are uniform, 1 m and 1 kg. 6N+3 coordinates, 2(3N+1) rows, one degree of freedom, singular when
 * the cranks lie flat.
 *
 * Numbered along the mechanism:
 *     block 2k    crank k (tail at A_k, tip at B_k)       block 2k-1  coupler k (tail at B_{k-1}, tip at B_k)
 *     group 3k    A_k: ground on crank k                  group 3k-2  B_{k-1}: crank k-1 on coupler k
 *                                                         group 3k-1  B_k: crank k on coupler k */
#define _GNU_SOURCE
#include "draft.h"
#include "planar.h"

typedef struct Loops {
    PlanarBar bar;
    int n;
    int tangent[]; /* where the diagonal blocks of K begin, 2n+1 */
} Loops;

/* Walks along the loops and keeps the last crank, so that every angle is turned into its sine and cosine once. */
static void pins(const Loops *l, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const double *q = at->q, *v = at->v;
    PlanarPose last = planar_pose(&l->bar, q, v);
    planar_pin(want, planar_ground(0, 0), planar_tail(last), 0, NULL, planar_block(terms, 0), terms);
    for (int k = 1; k <= l->n; k++) {
        PlanarPose coupler = planar_pose(&l->bar, q + 6 * k - 3, v + 6 * k - 3);
        PlanarPose crank = planar_pose(&l->bar, q + 6 * k, v + 6 * k);
        int row = 6 * k, pair = 5 * k;
        planar_pin(want, planar_tip(last), planar_tail(coupler), row - 4, planar_block(terms, pair - 4),
                   planar_block(terms, pair - 3), terms);
        planar_pin(want, planar_tip(crank), planar_tip(coupler), row - 2, planar_block(terms, pair - 1),
                   planar_block(terms, pair - 2), terms);
        planar_pin(want, planar_ground(k, 0), planar_tail(crank), row, NULL, planar_block(terms, pair), terms);
        last = crank;
    }
}

static HolStatus evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const Loops *l = self;
    if (want & PLANAR_KINEMATICS)
        pins(l, at, want, terms);
    planar_bodies(2 * l->n + 1, &l->bar, 0, at, want, terms);
    return HOL_OK;
}

/* The force of the couplers left and right of crank k on its tip. */
static void tip_force(const Loops *l, const double *lambda, int k, double *f)
{
    f[0] = f[1] = 0;
    if (k > 0) {
        f[0] -= lambda[6 * k - 2];
        f[1] -= lambda[6 * k - 1];
    }
    if (k < l->n) {
        f[0] -= lambda[6 * k + 2];
        f[1] -= lambda[6 * k + 3];
    }
}

static HolStatus tangent(const void *self, const HolPoint *at, const double *vdot, const double *lambda,
                         HolTerms *terms)
{
    const Loops *l = self;
    (void)vdot;
    planar_tangent_clear(terms);
    for (int k = 0; k <= l->n; k++) {
        const double *A = lambda + 6 * k, *tail = A - 4, *tip = A - 2;
        double f[2];
        tip_force(l, lambda, k, f);
        terms->K[l->tangent[2 * k] + 8] = planar_stiffness(&l->bar, at->q[6 * k + 2], f[0], f[1], A[0], A[1]);
        if (k > 0)
            terms->K[l->tangent[2 * k - 1] + 8] =
                planar_stiffness(&l->bar, at->q[6 * k - 1], tip[0], tip[1], tail[0], tail[1]);
    }
    return HOL_OK;
}

static const HolSystemOps ops = {.evaluate = evaluate, .tangent = tangent};

static void divide(Draft *draft, int n)
{
    draft_divide(draft, 2 * n + 1, 3, 3 * n + 1, 2);
    draft_pair(draft, 0, 0);
    for (int k = 1; k <= n; k++) {
        draft_pair(draft, 3 * k - 2, 2 * k - 2);
        draft_pair(draft, 3 * k - 2, 2 * k - 1);
        draft_pair(draft, 3 * k - 1, 2 * k - 1);
        draft_pair(draft, 3 * k - 1, 2 * k);
        draft_pair(draft, 3 * k, 2 * k);
    }
}

/* Cranks upright, every B_i moving with (1,0). */
static void start(int n, double *q, double *v)
{
    for (int k = 0; k <= n; k++) {
        const double crank[3] = {k, 0.5, 1.5707963267948966192}, crank_rate[3] = {0.5, 0, -1};
        memcpy(q + 6 * k, crank, sizeof crank);
        memcpy(v + 6 * k, crank_rate, sizeof crank_rate);
        if (k > 0) {
            const double coupler[3] = {k - 0.5, 1, 0}, coupler_rate[3] = {1, 0, 0};
            memcpy(q + 6 * k - 3, coupler, sizeof coupler);
            memcpy(v + 6 * k - 3, coupler_rate, sizeof coupler_rate);
        }
    }
}

static Scene *create(int n)
{
    HolSystemSpec spec = hol_system_spec();
    spec.name = "n-four-bar";
    spec.ops = &ops;
    spec.nq = spec.nv = 6 * n + 3;
    spec.nh = 6 * n + 2;
    spec.constant_mass = spec.scleronomic = true;
    Draft draft = draft_open(&spec, sizeof(Loops) + (2 * (size_t)n + 1) * sizeof(int));
    divide(&draft, n);
    Loops *l = draft.self;
    if (draft.scene) {
        l->bar = planar_slender(1, 1, 9.81);
        l->n = n;
        start(n, draft.q, draft.v);
        draft.scene->until = 2;
        draft.scene->conservative = true;
    }
    Scene *scene = draft_close(&draft);
    for (int b = 0; scene && b < 2 * n + 1; b++)
        l->tangent[b] = draft_tangent(scene, b, b);
    return scene;
}

const SceneKind scene_n_four_bar = {
    .name = "n-four-bar",
    .title = "n parallelogram loops in a row, one degree of freedom",
    .create = create,
    .default_n = 2,
};
