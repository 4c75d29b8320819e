/* SPDX-License-Identifier: BSD-3-Clause */
/* A hanging chain of n uniform bars of 1 m and 1 kg in the plane, released at rest from the horizontal.
 * Block i is bar i, group i its pin to the bar before it (the ground for i = 0). */
#define _GNU_SOURCE
#include "draft.h"
#include "planar.h"

typedef struct Chain {
    PlanarBar bar;
    int n;
    int tangent[]; /* where the diagonal blocks of K begin */
} Chain;

static void pins(const Chain *c, const HolPoint *at, unsigned want, HolTerms *terms)
{
    PlanarPose last = planar_pose(&c->bar, at->q, at->v);
    planar_pin(want, planar_ground(0, 0), planar_tail(last), 0, NULL, planar_block(terms, 0), terms);
    for (int i = 1; i < c->n; i++) {
        PlanarPose next = planar_pose(&c->bar, at->q + 3 * i, at->v + 3 * i);
        planar_pin(want, planar_tip(last), planar_tail(next), 2 * i, planar_block(terms, 2 * i - 1),
                   planar_block(terms, 2 * i), terms);
        last = next;
    }
}

static HolStatus evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const Chain *c = self;
    if (want & PLANAR_KINEMATICS)
        pins(c, at, want, terms);
    planar_bodies(c->n, &c->bar, 0, at, want, terms);
    return HOL_OK;
}

static HolStatus tangent(const void *self, const HolPoint *at, const double *vdot, const double *lambda,
                         HolTerms *terms)
{
    static const double nothing[2];
    const Chain *c = self;
    (void)vdot;
    planar_tangent_clear(terms);
    for (int i = 0; i < c->n; i++) {
        const double *tail = lambda + 2 * i, *behind = i + 1 < c->n ? tail + 2 : nothing;
        terms->K[c->tangent[i] + 8] =
            planar_stiffness(&c->bar, at->q[3 * i + 2], -behind[0], -behind[1], tail[0], tail[1]);
    }
    return HOL_OK;
}

static const HolSystemOps ops = {.evaluate = evaluate, .tangent = tangent};

static void divide(Draft *draft, int n)
{
    draft_divide(draft, n, 3, n, 2);
    draft_pair(draft, 0, 0);
    for (int i = 1; i < n; i++) {
        draft_pair(draft, i, i - 1);
        draft_pair(draft, i, i);
    }
}

static Scene *create(int n)
{
    HolSystemSpec spec = hol_system_spec();
    spec.name = "planar-chain";
    spec.ops = &ops;
    spec.nq = spec.nv = 3 * n;
    spec.nh = 2 * n;
    spec.constant_mass = spec.scleronomic = true;
    Draft draft = draft_open(&spec, sizeof(Chain) + (size_t)n * sizeof(int));
    divide(&draft, n);
    Chain *c = draft.self;
    if (draft.scene) {
        c->bar = planar_slender(1, 1, 9.81);
        c->n = n;
        for (int i = 0; i < n; i++)
            draft.q[3 * i] = i + 0.5;
        draft.scene->until = 1;
        draft.scene->conservative = true;
    }
    Scene *scene = draft_close(&draft);
    for (int i = 0; scene && i < n; i++)
        c->tangent[i] = draft_tangent(scene, i, i);
    return scene;
}

const SceneKind scene_planar_chain = {
    .name = "planar-chain",
    .title = "chain of n bars in the plane, released from the horizontal",
    .create = create,
    .default_n = 10,
};
