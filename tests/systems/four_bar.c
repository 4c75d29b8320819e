/* SPDX-License-Identifier: BSD-3-Clause */
/* The planar four-bar: ground -A- crank -B- coupler -C- follower -D- ground, released at rest.
 *
 * The body x axis runs along the link (crank A to B, coupler B to C, follower D to C) and the centre is at mid-length.
 * lambda of a pin is the force of the body before it on the body behind it, in the order of the line above, except
 * for D, where it is the force of the ground on the follower. */
#define _GNU_SOURCE
#include "draft.h"
#include "planar.h"

enum { CRANK, COUPLER, FOLLOWER };

typedef struct FourBar {
    PlanarBar bars[3];
    double ground;
    int tangent[3];
} FourBar;

static void pins(const FourBar *f, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const double *q = at->q, *v = at->v;
    PlanarPose crank = planar_pose(&f->bars[CRANK], q, v);
    PlanarPose coupler = planar_pose(&f->bars[COUPLER], q + 3, v + 3);
    PlanarPose follower = planar_pose(&f->bars[FOLLOWER], q + 6, v + 6);
    planar_pin(want, planar_ground(0, 0), planar_tail(crank), 0, NULL, planar_block(terms, 0), terms);
    planar_pin(want, planar_tip(crank), planar_tail(coupler), 2, planar_block(terms, 1), planar_block(terms, 2), terms);
    planar_pin(want, planar_tip(coupler), planar_tip(follower), 4, planar_block(terms, 3), planar_block(terms, 4),
               terms);
    planar_pin(want, planar_ground(f->ground, 0), planar_tail(follower), 6, NULL, planar_block(terms, 5), terms);
}

static HolStatus evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const FourBar *f = self;
    if (want & PLANAR_KINEMATICS)
        pins(f, at, want, terms);
    planar_bodies(3, f->bars, 1, at, want, terms);
    return HOL_OK;
}

static HolStatus tangent(const void *self, const HolPoint *at, const double *vdot, const double *lambda,
                         HolTerms *terms)
{
    const FourBar *f = self;
    const double *A = lambda, *B = lambda + 2, *C = lambda + 4, *D = lambda + 6;
    (void)vdot;
    planar_tangent_clear(terms);
    terms->K[f->tangent[CRANK] + 8] = planar_stiffness(&f->bars[CRANK], at->q[2], -B[0], -B[1], A[0], A[1]);
    terms->K[f->tangent[COUPLER] + 8] = planar_stiffness(&f->bars[COUPLER], at->q[5], -C[0], -C[1], B[0], B[1]);
    terms->K[f->tangent[FOLLOWER] + 8] = planar_stiffness(&f->bars[FOLLOWER], at->q[8], C[0], C[1], D[0], D[1]);
    return HOL_OK;
}

static const HolSystemOps ops = {.evaluate = evaluate, .tangent = tangent};

static FourBar parameters(void)
{
    const double g = 9.81;
    return (FourBar){
        .bars = {{1, 1, 0.3, 1 * g}, {2, 2.25, 2, 2.25 * g}, {2, 2.2, 1.35, 2.2 * g}},
        .ground = 2.5,
    };
}

static void start(double *q)
{
    static const double assembled[9] = {
        0.5,
        0.86602540378443864676,
        1.0471975511965977462, /* crank */
        2.8235214136195176436,
        2.5534944477969066036,
        0.42324559829852309542, /* coupler */
        3.5735214136195176436,
        1.6874690440124679568,
        1.0042031595910081662, /* follower */
    };
    memcpy(q, assembled, sizeof assembled);
}

static void divide(Draft *draft)
{
    static const char *const names[] = {"A", "B", "C", "D"};
    static const HolPair pairs[] = {{0, 0}, {1, 0}, {1, 1}, {2, 1}, {2, 2}, {3, 2}};
    draft_divide(draft, 3, 3, 4, 2);
    draft->spec.group_names = names;
    draft->spec.pairs = pairs;
    draft->spec.pair_count = 6;
}

static Scene *create(int n)
{
    (void)n;
    HolSystemSpec spec = hol_system_spec();
    spec.name = "four-bar";
    spec.ops = &ops;
    spec.nq = spec.nv = 9;
    spec.nh = 8;
    spec.constant_mass = spec.scleronomic = true;
    Draft draft = draft_open(&spec, sizeof(FourBar));
    divide(&draft);
    FourBar *f = draft.self;
    if (draft.scene) {
        *f = parameters();
        start(draft.q);
        draft.scene->until = 5;
        draft.scene->conservative = true;
    }
    Scene *scene = draft_close(&draft);
    for (int b = 0; scene && b < 3; b++)
        f->tangent[b] = draft_tangent(scene, b, b);
    return scene;
}

const SceneKind scene_four_bar = {
    .name = "four-bar",
    .title = "planar four-bar mechanism, 9 coordinates, 8 rows",
    .create = create,
};
