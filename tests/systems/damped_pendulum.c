/* SPDX-License-Identifier: BSD-3-Clause */
/* A uniform bar pinned to the ground at its tail, slowed by the moment -c phidot: its power is -c phidot^2. */
#define _GNU_SOURCE
#include "draft.h"
#include "planar.h"

typedef struct DampedBar {
    PlanarBar bar;
    double c;
} DampedBar;

static HolStatus evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const DampedBar *d = self;
    double phidot = at->v[2];
    if (want & PLANAR_KINEMATICS) {
        PlanarPose pose = planar_pose(&d->bar, at->q, at->v);
        planar_pin(want, planar_ground(0, 0), planar_tail(pose), 0, NULL, terms->D, terms);
    }
    planar_bodies(1, &d->bar, 0, at, want, terms);
    if (want & HOL_WANT_FORCE) {
        terms->Q[2] = -d->c * phidot;
        terms->power = -d->c * phidot * phidot;
    }
    return HOL_OK;
}

static HolStatus tangent(const void *self, const HolPoint *at, const double *vdot, const double *lambda,
                         HolTerms *terms)
{
    const DampedBar *d = self;
    (void)vdot;
    planar_tangent_clear(terms);
    terms->K[8] = planar_stiffness(&d->bar, at->q[2], 0, 0, lambda[0], lambda[1]);
    terms->C[8] = d->c;
    return HOL_OK;
}

static const HolSystemOps ops = {.evaluate = evaluate, .tangent = tangent};

static Scene *create(int n)
{
    (void)n;
    HolSystemSpec spec = hol_system_spec();
    spec.name = "damped-pendulum";
    spec.ops = &ops;
    spec.nq = spec.nv = 3;
    spec.nh = 2;
    spec.constant_mass = spec.scleronomic = true;
    Draft draft = draft_open(&spec, sizeof(DampedBar));
    if (draft.scene) {
        *(DampedBar *)draft.self = (DampedBar){planar_slender(1, 1, 9.81), 0.4};
        draft.q[0] = 0.5;
        draft.scene->until = 3;
    }
    return draft_close(&draft);
}

const SceneKind scene_damped_pendulum = {
    .name = "damped-pendulum",
    .title = "pinned bar with a rotational damper",
    .create = create,
};
