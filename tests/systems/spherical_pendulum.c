/* SPDX-License-Identifier: BSD-3-Clause */
/* A rigid body hanging on a spherical joint at the origin, with one row too many.
 *
 *     Phi = r + R s           the body point s stays at the origin: rows 0-2
 *     Phi_3 = (Phi_0 + Phi_1) / sqrt 2                            redundant
 *     D = [1, -R s~],   gamma = -R (w x (w x s)) */
#include "draft.h"
#include "spatial.h"

#define HALF_SQRT 0.70710678118654752440

typedef struct SphericalPendulum {
    SpatialBody body;
    double s[3];
} SphericalPendulum;

static void jacobian(const Axes *R, const double *s, double *D, double *spare)
{
    for (int i = 0; i < 3; i++) {
        D[7 * i] = 1;
        D[6 * i + 3] = R->z[i] * s[1] - R->y[i] * s[2];
        D[6 * i + 4] = R->x[i] * s[2] - R->z[i] * s[0];
        D[6 * i + 5] = R->y[i] * s[0] - R->x[i] * s[1];
    }
    for (int k = 0; k < 6; k++)
        spare[k] = HALF_SQRT * (D[k] + D[6 + k]);
}

static void bias(const Axes *R, const double *s, const double *w, double *gamma)
{
    double ws[3], wws[3];
    cross3(w, s, ws);
    cross3(ws, w, wws);
    spatial_turn(R, wws, gamma);
    gamma[3] = HALF_SQRT * (gamma[0] + gamma[1]);
}

static HolStatus evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const SphericalPendulum *p = self;
    spatial_single(&p->body, at, want, terms);
    if (!(want & (HOL_WANT_PHI | HOL_WANT_JACOBIAN | HOL_WANT_GAMMA)))
        return HOL_OK;
    Axes R = spatial_axes(at->q + 3);
    if (want & HOL_WANT_PHI) {
        double *Phi = terms->Phi;
        spatial_turn(&R, p->s, Phi);
        for (int i = 0; i < 3; i++)
            Phi[i] += at->q[i];
        Phi[3] = HALF_SQRT * (Phi[0] + Phi[1]);
    }
    if (want & HOL_WANT_JACOBIAN)
        jacobian(&R, p->s, terms->D + terms->pattern->pair_start[0], terms->D + terms->pattern->pair_start[1]);
    if (want & HOL_WANT_GAMMA)
        bias(&R, p->s, at->v + 3, terms->gamma);
    return HOL_OK;
}

/* Of a step: forces at the mean velocity, and in D the moment about the centre brought back by the inverse of R. */
static HolStatus evaluate_mean(const void *self, const HolPoint *middle, const double *q_a, const double *q_b,
                               unsigned want, HolTerms *terms)
{
    const SphericalPendulum *p = self;
    double *D = terms->D + terms->pattern->pair_start[0], *spare = terms->D + terms->pattern->pair_start[1], arm[3];
    spatial_single(&p->body, middle, want, terms);
    if (!(want & HOL_WANT_JACOBIAN))
        return HOL_OK;
    MeanAxes mean = spatial_mean_axes(q_a + 3, q_b + 3);
    spatial_turn(&mean.R, p->s, arm);
    for (int i = 0; i < 3; i++) {
        const double unit[3] = {i == 0, i == 1, i == 2};
        double moment[3];
        cross3(arm, unit, moment);
        D[7 * i] = 1;
        for (int k = 0; k < 3; k++)
            D[6 * i + 3 + k] = dot3(mean.inverse[k], moment);
    }
    for (int k = 0; k < 6; k++)
        spare[k] = HALF_SQRT * (D[k] + D[6 + k]);
    return HOL_OK;
}

static const HolSystemOps ops = {
    .evaluate = evaluate,
    .qdot = spatial_single_qdot,
    .retract = spatial_single_retract,
    .displace = spatial_single_displace,
    .evaluate_mean = evaluate_mean,
};

/* The centre follows from the turned body, its velocity from the spin. */
static void start(const SphericalPendulum *p, double *q, double *v)
{
    static const double still[7] = {0, 0, 0, 1, 0, 0, 0};
    static const double lift[6] = {0, 0, 0, 0.4, 1.1, -0.3};
    static const double w[3] = {1.5, -0.8, 6};
    spatial_retract(still, lift, q);
    Axes R = spatial_axes(q + 3);
    double s[3], ws[3], u[3];
    spatial_turn(&R, p->s, s);
    cross3(w, p->s, ws);
    spatial_turn(&R, ws, u);
    for (int i = 0; i < 3; i++) {
        q[i] = -s[i];
        v[i] = -u[i];
        v[3 + i] = w[i];
    }
}

static Scene *create(int n)
{
    (void)n;
    static const int group_sizes[] = {3, 1};
    static const char *const group_names[] = {"pin", "spare"};
    HolSystemSpec spec = hol_system_spec();
    spec.name = "spherical-pendulum";
    spec.ops = &ops;
    spec.nq = 7;
    spec.nv = 6;
    spec.nh = 4;
    spec.constant_mass = spec.scleronomic = true;
    spec.group_count = 2;
    spec.group_sizes = group_sizes;
    spec.group_names = group_names;
    Draft draft = draft_open(&spec, sizeof(SphericalPendulum));
    if (draft.scene) {
        SphericalPendulum *p = draft.self;
        *p = (SphericalPendulum){spatial_body(2, 9.81, 0.3, 0.2, 0.15), {0.1, -0.05, 0.6}};
        start(p, draft.q, draft.v);
        draft.scene->until = 2;
        draft.scene->conservative = true;
        draft.scene->redundant_rows = 1;
    }
    return draft_close(&draft);
}

const SceneKind scene_spherical_pendulum = {
    .name = "spherical-pendulum",
    .title = "spinning rigid body on a spherical joint with one redundant row",
    .create = create,
};
