/* SPDX-License-Identifier: BSD-3-Clause */
/* A staircase of n bars (1 m, 1 kg, section 0.1 x 0.1) hinged end to end, released at rest: bars 1, 3, 5, ... lie
 * along x and turn about y, bars 2, 4, ... lie along y and turn about x, so that the motion is truly spatial.
 *
 * Every bar has its body x axis along itself, from tail to tip, and its hinge along its body y axis; in the bar before
 * it that hinge is the body x axis. With the columns x, y, z of R (p: bar before, n: this bar) a hinge has five rows:
 *
 *     Phi_0-2 = (r_n - h x_n) - (r_p + h x_p)         tail on tip, h half a bar
 *     Phi_3   = x_p . x_n                             the hinge is normal to this bar's x axis
 *     Phi_4   = x_p . z_n                             and to its z axis
 *
 * For a body axis a = R e: adot = R (w x e) and addot = R (wdot x e) + a'', a'' = (w.e) R w - w^2 a. */
#include "draft.h"
#include "spatial.h"

#include <string.h>

typedef struct Stairs {
    SpatialBody body;
    double h;
    int n;
} Stairs;

/* What a hinge needs to know about one of its bars. */
typedef struct Link {
    const double *r;
    Axes axes;
    double x_rate[3], z_rate[3]; /* adot at the present w */
    double x_bias[3], z_bias[3]; /* a'' */
} Link;

static inline void link_bias(Link *link, const double *w)
{
    const Axes *R = &link->axes;
    double ww = dot3(w, w);
    for (int i = 0; i < 3; i++) {
        double x = R->x[i], y = R->y[i], z = R->z[i];
        double turn = x * w[0] + y * w[1] + z * w[2];
        link->x_rate[i] = w[2] * y - w[1] * z;
        link->z_rate[i] = w[1] * x - w[0] * y;
        link->x_bias[i] = w[0] * turn - ww * x;
        link->z_bias[i] = w[2] * turn - ww * z;
    }
}

static inline void link_set(Link *link, const double *q, const double *v, unsigned want)
{
    link->r = q;
    link->axes = spatial_axes(q + 3);
    if (want & HOL_WANT_GAMMA)
        link_bias(link, v + 3);
}

/* Phi_0-2: the columns of w are the same for the tail of n and, because of its minus sign, for the tip of p. */
static inline void jacobian_point(const Axes *R, double h, double unit, double *D)
{
    for (int i = 0; i < 3; i++) {
        D[7 * i] = unit;
        D[6 * i + 4] = h * R->z[i];
        D[6 * i + 5] = -h * R->y[i];
    }
}

/* Phi_3 and Phi_4: w_n turns x_n and z_n, w_p turns x_p. Dp is NULL where the bar before is the ground. */
static inline void jacobian(const Axes *p, const Axes *n, double h, double *Dp, double *Dn)
{
    jacobian_point(n, h, 1, Dn);
    Dn[18 + 4] = -dot3(p->x, n->z);
    Dn[18 + 5] = dot3(p->x, n->y);
    Dn[24 + 3] = -Dn[18 + 5];
    Dn[24 + 4] = dot3(p->x, n->x);
    if (!Dp)
        return;
    jacobian_point(p, h, -1, Dp);
    Dp[18 + 4] = -dot3(p->z, n->x);
    Dp[18 + 5] = dot3(p->y, n->x);
    Dp[24 + 4] = -dot3(p->z, n->z);
    Dp[24 + 5] = dot3(p->y, n->z);
}

static inline void position(const Link *p, const Link *n, double h, double *Phi)
{
    for (int i = 0; i < 3; i++)
        Phi[i] = n->r[i] - p->r[i] - h * (n->axes.x[i] + p->axes.x[i]);
    Phi[3] = dot3(p->axes.x, n->axes.x);
    Phi[4] = dot3(p->axes.x, n->axes.z);
}

static inline void bias(const Link *p, const Link *n, double h, double *gamma)
{
    const double *xp = p->axes.x;
    for (int i = 0; i < 3; i++)
        gamma[i] = h * (n->x_bias[i] + p->x_bias[i]);
    gamma[3] = -(dot3(xp, n->x_bias) + dot3(p->x_bias, n->axes.x) + 2 * dot3(p->x_rate, n->x_rate));
    gamma[4] = -(dot3(xp, n->z_bias) + dot3(p->x_bias, n->axes.z) + 2 * dot3(p->x_rate, n->z_rate));
}

static inline void hinge(const Stairs *s, int i, const Link *p, const Link *n, unsigned want, HolTerms *terms)
{
    const int *start = terms->pattern->pair_start;
    if (want & HOL_WANT_PHI)
        position(p, n, s->h, terms->Phi + 5 * i);
    if (want & HOL_WANT_JACOBIAN)
        jacobian(&p->axes, &n->axes, s->h, i > 0 ? terms->D + start[2 * i - 1] : NULL, terms->D + start[2 * i]);
    if (want & HOL_WANT_GAMMA)
        bias(p, n, s->h, terms->gamma + 5 * i);
}

/* Walks down the chain and keeps the bar before, so that every R is computed once and nothing needs memory. */
static void hinges(const Stairs *s, const HolPoint *at, unsigned want, HolTerms *terms)
{
    /* The ground is a bar along y (its hinge axis is the global y axis) with its tip at the origin. */
    const double middle[3] = {0, -s->h, 0};
    Link links[2] = {{.r = middle, .axes = {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}}}};
    for (int i = 0; i < s->n; i++) {
        Link *p = &links[i & 1], *n = &links[~i & 1];
        link_set(n, at->q + 7 * i, at->v + 6 * i, want);
        hinge(s, i, p, n, want, terms);
    }
}

static void energy(const Stairs *s, const HolPoint *at, HolTerms *terms)
{
    terms->kinetic = terms->potential = 0;
    for (int i = 0; i < s->n; i++) {
        terms->kinetic += spatial_kinetic(&s->body, at->v + 6 * i);
        terms->potential += s->body.weight * at->q[7 * i + 2];
    }
}

static HolStatus evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const Stairs *s = self;
    if (want & (HOL_WANT_PHI | HOL_WANT_JACOBIAN | HOL_WANT_GAMMA))
        hinges(s, at, want, terms);
    if (want & HOL_WANT_MASS) {
        for (int i = 0; i < s->n; i++)
            spatial_mass(&s->body, terms->M + terms->pattern->mass_start[i]);
    }
    if (want & HOL_WANT_FORCE) {
        for (int i = 0; i < s->n; i++)
            spatial_force(&s->body, at->v + 6 * i, terms->Q + 6 * i);
        terms->power = 0;
    }
    if (want & HOL_WANT_ENERGY)
        energy(s, at, terms);
    return HOL_OK;
}

static void qdot(const void *self, const double *q, const double *v, double *rate)
{
    const Stairs *s = self;
    for (int i = 0; i < s->n; i++)
        spatial_qdot(q + 7 * i, v + 6 * i, rate + 7 * i);
}

static void retract(const void *self, const double *q, const double *w, double *q_new)
{
    const Stairs *s = self;
    for (int i = 0; i < s->n; i++)
        spatial_retract(q + 7 * i, w + 6 * i, q_new + 7 * i);
}

static const HolSystemOps ops = {.evaluate = evaluate, .qdot = qdot, .retract = retract};

static void divide(Draft *draft, int n)
{
    draft_divide(draft, n, 6, n, 5);
    draft_pair(draft, 0, 0);
    for (int i = 1; i < n; i++) {
        draft_pair(draft, i, i - 1);
        draft_pair(draft, i, i);
    }
}

/* Bar i starts where bar i-1 ends: half of the steps so far went along x, half along y. */
static void start(int n, double *q)
{
    const double c = 0.70710678118654752440; /* a quarter turn about z */
    for (int i = 0; i < n; i++) {
        double x = i / 2 + i % 2, y = i / 2;
        const double along_x[7] = {x + 0.5, y, 0, 1, 0, 0, 0};
        const double along_y[7] = {x, y + 0.5, 0, c, 0, 0, c};
        memcpy(q + 7 * i, i % 2 ? along_y : along_x, sizeof along_x);
    }
}

static Scene *create(int n)
{
    const double m = 1, l = 1, a = 0.1;
    HolSystemSpec spec = hol_system_spec();
    spec.name = "spatial-chain";
    spec.ops = &ops;
    spec.nq = 7 * n;
    spec.nv = 6 * n;
    spec.nh = 5 * n;
    spec.constant_mass = spec.scleronomic = true;
    Draft draft = draft_open(&spec, sizeof(Stairs));
    divide(&draft, n);
    if (draft.scene) {
        double axial = m * a * a / 6, transverse = m * (l * l + a * a) / 12;
        *(Stairs *)draft.self = (Stairs){spatial_body(m, 9.81, axial, transverse, transverse), l / 2, n};
        start(n, draft.q);
        draft.scene->until = 1;
        draft.scene->conservative = true;
    }
    return draft_close(&draft);
}

const SceneKind scene_spatial_chain = {
    .name = "spatial-chain",
    .title = "staircase of n hinged bars in space, released at rest",
    .create = create,
    .default_n = 10,
};
