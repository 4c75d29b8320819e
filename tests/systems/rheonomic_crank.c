/* SPDX-License-Identifier: BSD-3-Clause */
/* A crank that is driven along a given angle, with a bar hanging on its tip.
 *
 *     Phi_drive = phi - (omega t + a sin(b t))        nu = omega + a b cos(b t),   gamma = -a b^2 sin(b t)
 *
 * lambda of the drive is its torque, and lambda nu the power that it brings in. */
#define _GNU_SOURCE
#include "draft.h"
#include "planar.h"

enum { CRANK, BAR };
enum { ROW_A, ROW_DRIVE = 2, ROW_B };
enum { PAIR_A, PAIR_DRIVE, PAIR_B_CRANK, PAIR_B_BAR };

typedef struct Driven {
    PlanarBar bars[2];
    double omega, a, b;
    int tangent[2];
} Driven;

static void pins(const Driven *d, const HolPoint *at, unsigned want, HolTerms *terms)
{
    PlanarPose crank = planar_pose(&d->bars[CRANK], at->q, at->v);
    PlanarPose bar = planar_pose(&d->bars[BAR], at->q + 3, at->v + 3);
    planar_pin(want, planar_ground(0, 0), planar_tail(crank), ROW_A, NULL, planar_block(terms, PAIR_A), terms);
    planar_pin(want, planar_tip(crank), planar_tail(bar), ROW_B, planar_block(terms, PAIR_B_CRANK),
               planar_block(terms, PAIR_B_BAR), terms);
}

static void drive(const Driven *d, const HolPoint *at, unsigned want, HolTerms *terms)
{
    double sine, cosine;
    sincos(d->b * at->t, &sine, &cosine);
    if (want & HOL_WANT_PHI)
        terms->Phi[ROW_DRIVE] = at->q[2] - d->omega * at->t - d->a * sine;
    if (want & HOL_WANT_JACOBIAN)
        planar_block(terms, PAIR_DRIVE)[2] = 1;
    if (want & HOL_WANT_NU)
        terms->nu[ROW_DRIVE] = d->omega + d->a * d->b * cosine;
    if (want & HOL_WANT_GAMMA)
        terms->gamma[ROW_DRIVE] = -d->a * d->b * d->b * sine;
}

static HolStatus evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const Driven *d = self;
    if (want & PLANAR_KINEMATICS)
        pins(d, at, want, terms);
    if (want & (PLANAR_KINEMATICS | HOL_WANT_NU))
        drive(d, at, want, terms);
    planar_bodies(2, d->bars, 1, at, want, terms);
    return HOL_OK;
}

static HolStatus tangent(const void *self, const HolPoint *at, const double *vdot, const double *lambda,
                         HolTerms *terms)
{
    const Driven *d = self;
    const double *A = lambda + ROW_A, *B = lambda + ROW_B;
    (void)vdot;
    planar_tangent_clear(terms);
    terms->K[d->tangent[CRANK] + 8] = planar_stiffness(&d->bars[CRANK], at->q[2], -B[0], -B[1], A[0], A[1]);
    terms->K[d->tangent[BAR] + 8] = planar_stiffness(&d->bars[BAR], at->q[5], 0, 0, B[0], B[1]);
    return HOL_OK;
}

static const HolSystemOps ops = {.evaluate = evaluate, .tangent = tangent};

/* The crank along x at its driven rate, the bar hanging down from its tip and not turning. */
static void start(const Driven *d, double *q, double *v)
{
    double half = d->bars[CRANK].half, rate = d->omega + d->a * d->b;
    q[0] = half;
    v[1] = half * rate;
    v[2] = rate;
    q[3] = 2 * half;
    q[4] = -d->bars[BAR].half;
    q[5] = -1.5707963267948966192;
    v[4] = 2 * half * rate;
}

static void divide(HolSystemSpec *spec)
{
    static const int block_sizes[] = {3, 3}, group_sizes[] = {2, 1, 2};
    static const char *const names[] = {"A", "drive", "B"};
    static const HolPair pairs[] = {{0, CRANK}, {1, CRANK}, {2, CRANK}, {2, BAR}};
    spec->block_count = 2;
    spec->block_sizes = block_sizes;
    spec->group_count = 3;
    spec->group_sizes = group_sizes;
    spec->group_names = names;
    spec->pair_count = 4;
    spec->pairs = pairs;
}

static Scene *create(int n)
{
    (void)n;
    HolSystemSpec spec = hol_system_spec();
    spec.name = "rheonomic-crank";
    spec.ops = &ops;
    spec.nq = spec.nv = 6;
    spec.nh = 5;
    spec.constant_mass = true;
    divide(&spec);
    Draft draft = draft_open(&spec, sizeof(Driven));
    Driven *d = draft.self;
    if (draft.scene) {
        *d = (Driven){.bars = {planar_slender(0.5, 1, 9.81), planar_slender(1, 2, 9.81)}, 4, 0.3, 2, {0, 0}};
        start(d, draft.q, draft.v);
        draft.scene->until = 2;
    }
    Scene *scene = draft_close(&draft);
    for (int b = 0; scene && b < 2; b++)
        d->tangent[b] = draft_tangent(scene, b, b);
    return scene;
}

const SceneKind scene_rheonomic_crank = {
    .name = "rheonomic-crank",
    .title = "crank driven along a given angle, with a bar hanging on its tip",
    .create = create,
};
