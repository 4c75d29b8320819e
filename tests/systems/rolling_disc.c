/* SPDX-License-Identifier: BSD-3-Clause */
/* A thin disc that rolls without slip on the plane z = 0. Its axis is the body z axis.
 *
 * k = R^T (0,0,1) is the vertical in body axes, k' = k x w. With sigma = sqrt(k0^2 + k1^2) (the cosine of the lean)
 * and u = (k0, k1, 0) / sigma, the lowest point of the rim is the body point c = -rho u, at height r_z - rho sigma.
 *
 *     Phi   = r_z - rho sigma                       holonomic: the rim touches the plane
 *     Psi   = (rdot + R (w x c))_xy                 nonholonomic: the material point that touches stands still
 *
 *     sigma' = u.k' = k2 (u1 w0 - u0 w1)            u' = n (n.k') / sigma,  n = (-u1, u0, 0)
 *     gamma_0   = rho (sigma'' without wdot)
 *     gamma_1,2 = -(R (w x (w x c + c')))_xy
 *
 * A disc that lies flat has no lowest point: HOL_SINGULAR. */
#include "draft.h"
#include "spatial.h"

typedef struct Disc {
    SpatialBody body;
    double rho;
} Disc;

typedef struct Contact {
    Axes R;
    double k[3], u[2], sigma;
    double c[3]; /* the lowest point, body axes */
} Contact;

static Contact contact_at(const Disc *disc, const double *q)
{
    Contact p = {.R = spatial_axes(q + 3)};
    p.k[0] = p.R.x[2];
    p.k[1] = p.R.y[2];
    p.k[2] = p.R.z[2];
    p.sigma = sqrt(p.k[0] * p.k[0] + p.k[1] * p.k[1]);
    p.u[0] = p.k[0] / p.sigma;
    p.u[1] = p.k[1] / p.sigma;
    p.c[0] = -disc->rho * p.u[0];
    p.c[1] = -disc->rho * p.u[1];
    return p;
}

static void jacobian(const Disc *disc, const Contact *p, double *height, double *slip)
{
    const Axes *R = &p->R;
    height[2] = 1;
    height[3] = -disc->rho * p->k[2] * p->u[1];
    height[4] = disc->rho * p->k[2] * p->u[0];
    for (int i = 0; i < 2; i++) {
        slip[7 * i] = 1;
        slip[6 * i + 3] = R->z[i] * p->c[1];
        slip[6 * i + 4] = -R->z[i] * p->c[0];
        slip[6 * i + 5] = R->y[i] * p->c[0] - R->x[i] * p->c[1];
    }
}

static void bias(const Disc *disc, const Contact *p, const double *w, double *gamma)
{
    const double *u = p->u;
    double k_rate[3], wc[3], turned[3], a[3];
    cross3(p->k, w, k_rate);
    double swing = (u[0] * k_rate[1] - u[1] * k_rate[0]) / p->sigma;
    double u0_rate = -u[1] * swing, u1_rate = u[0] * swing;
    gamma[0] = disc->rho * (k_rate[2] * (u[1] * w[0] - u[0] * w[1]) + p->k[2] * (u1_rate * w[0] - u0_rate * w[1]));

    cross3(w, p->c, wc);
    wc[0] -= disc->rho * u0_rate;
    wc[1] -= disc->rho * u1_rate;
    cross3(wc, w, turned);
    spatial_turn(&p->R, turned, a);
    gamma[1] = a[0];
    gamma[2] = a[1];
}

static HolStatus evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const Disc *disc = self;
    spatial_single(&disc->body, at, want, terms);
    if (!(want & (HOL_WANT_PHI | HOL_WANT_JACOBIAN | HOL_WANT_GAMMA)))
        return HOL_OK;
    Contact p = contact_at(disc, at->q);
    if (p.sigma < 1e-12)
        return HOL_SINGULAR;
    if (want & HOL_WANT_PHI)
        terms->Phi[0] = at->q[2] - disc->rho * p.sigma;
    if (want & HOL_WANT_JACOBIAN)
        jacobian(disc, &p, terms->D + terms->pattern->pair_start[0], terms->D + terms->pattern->pair_start[1]);
    if (want & HOL_WANT_GAMMA)
        bias(disc, &p, at->v + 3, terms->gamma);
    return HOL_OK;
}

static const HolSystemOps ops = {
    .evaluate = evaluate,
    .qdot = spatial_single_qdot,
    .retract = spatial_single_retract,
};

/* The axis leans 20 degrees out of the horizontal; the centre moves as the spin makes it roll. */
static void start(const Disc *disc, double *q, double *v)
{
    static const double still[7] = {0, 0, 0, 1, 0, 0, 0};
    static const double lean[6] = {0, 0, 0, 1.2217304763960307, 0, 0};
    static const double w[3] = {0.3, 1, 7};
    spatial_retract(still, lean, q);
    Contact p = contact_at(disc, q);
    double wc[3], u[3];
    cross3(w, p.c, wc);
    spatial_turn(&p.R, wc, u);
    q[2] = disc->rho * p.sigma;
    for (int i = 0; i < 3; i++) {
        v[i] = -u[i];
        v[3 + i] = w[i];
    }
}

static Scene *create(int n)
{
    (void)n;
    const double m = 1, rho = 0.5;
    HolSystemSpec spec = hol_system_spec();
    spec.name = "rolling-disc";
    spec.ops = &ops;
    spec.nq = 7;
    spec.nv = 6;
    spec.nh = 1;
    spec.nn = 2;
    spec.constant_mass = spec.scleronomic = true;
    Draft draft = draft_open(&spec, sizeof(Disc));
    if (draft.scene) {
        Disc *disc = draft.self;
        *disc = (Disc){spatial_body(m, 9.81, m * rho * rho / 4, m * rho * rho / 4, m * rho * rho / 2), rho};
        start(disc, draft.q, draft.v);
        draft.scene->until = 3;
        draft.scene->conservative = true;
    }
    return draft_close(&draft);
}

const SceneKind scene_rolling_disc = {
    .name = "rolling-disc",
    .title = "leaning disc that rolls without slip on a plane",
    .create = create,
};
