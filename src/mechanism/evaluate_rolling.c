/* SPDX-License-Identifier: BSD-3-Clause */
/* Rolling: the material points of two bodies that touch have the same velocity along two tangents.
 *
 * With the contact p, the centre c of ball or disc (on body 1) and the point o of the plane or centre of the sphere
 * (on body 0), arm = p - c and reach = p - o, a row along the tangent T is
 *
 *     Psi = T . (cdot + W_1 x arm - odot - W_0 x reach),    W = R w                                        (1)
 *
 * which is linear in v: it pulls at body 1 and body 0 with
 *
 *     g_1 = (T, s_c x R_1^T T + R_1^T (arm x T)),    g_0 = -(T, s_o x R_0^T T + R_0^T (reach x T))         (2)
 *
 * So D is (2), gamma = -gdot . v, and column j of K is -gdot for T = sum lambda_k t_k, where the bodies move with unit
 * velocity j. One function gives (2) and its rate: all vectors below carry theirs.
 *
 *     ball on a plane    arm = -radius n                            t_k = tau_k
 *     disc on a plane    arm = -radius (n - (n.a) a) / sigma        t_k = tau_k      sigma = sqrt(1 - (n.a)^2)
 *     ball in a sphere   arm = -radius n,  n = (o - c)/|o - c|      t_k = tau_k - n.tau_k/(1 + n.normal) (n + normal)
 *
 * On a plane n is `normal` of body 0. In a sphere `normal` is the inward one at the bottom, and t_k is tau_k after the
 * shortest turn from there to the present n, so that t_0, t_1, n are orthonormal everywhere but at the top. A disc also
 * has a contact row, from the offset mu of its centre and the product kappa = n.a:
 *
 *     Phi = mu - radius sigma,     dPhi/dkappa = radius kappa/sigma,     d2Phi/dkappa2 = radius/sigma^3    (3)
 *
 * In natural coordinates (2) is the same force and moment by (7) of frame.h. */
#include "base/message.h"
#include "mechanism/evaluate.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const double FLATTEST = 1e-12; /* sigma^2 of a disc that lies flat */
static const double TOPMOST = 1e-9;   /* 1 + n.normal of a ball at the top of its sphere */

/* A vector, or a scalar, and its rate. */
typedef struct Vector {
    double x[3], rate[3];
} Vector;

typedef struct Scalar {
    double x, rate;
} Scalar;

/* (2): on body[0] and body[1]. */
typedef struct Pull {
    double g[2][HOL_WIDE], rate[2][HOL_WIDE];
} Pull;

/* The contact of two bodies, whose frames and marks are here numbered 0 and 1. */
typedef struct Contact {
    HolFrame frames[2];
    HolRolling rolling;
    Vector arm, reach, t[2];
} Contact;

/* ---- Vectors with rates ---- */

static Vector follow(const Contact *contact, const HolMark *mark)
{
    Vector y;
    hol_mark_value(contact->frames, mark, y.x);
    hol_mark_velocity(contact->frames, mark, y.rate);
    return y;
}

static Scalar number(double x)
{
    return (Scalar){x, 0};
}

/* a u + b v */
static Vector combine(Scalar a, const Vector *u, Scalar b, const Vector *v)
{
    Vector y;
    for (int i = 0; i < 3; ++i) {
        y.x[i] = a.x * u->x[i] + b.x * v->x[i];
        y.rate[i] = a.x * u->rate[i] + a.rate * u->x[i] + b.x * v->rate[i] + b.rate * v->x[i];
    }
    return y;
}

static Vector scale(Scalar a, const Vector *u)
{
    return combine(a, u, number(0), u);
}

static Scalar product(const Vector *u, const Vector *v)
{
    return (Scalar){hol_dot3(u->x, v->x), hol_dot3(u->rate, v->x) + hol_dot3(u->x, v->rate)};
}

static Scalar quotient(Scalar a, Scalar b)
{
    double x = a.x / b.x;
    return (Scalar){x, (a.rate - x * b.rate) / b.x};
}

static Scalar root(Scalar a)
{
    double x = sqrt(a.x);
    return (Scalar){x, 0.5 * a.rate / x};
}

static Vector cross(const Vector *u, const Vector *v)
{
    Vector y;
    double other[3];
    hol_cross3(u->x, v->x, y.x);
    hol_cross3(u->rate, v->x, y.rate);
    hol_cross3(u->x, v->rate, other);
    for (int i = 0; i < 3; ++i)
        y.rate[i] += other[i];
    return y;
}

/* R^T u, whose rate is R^T udot + (R^T u) x w. */
static Vector turn_back(const HolFrame *f, const Vector *u)
{
    Vector y;
    double turning[3];
    hol_turn_back(f, u->x, y.x);
    hol_turn_back(f, u->rate, y.rate);
    hol_cross3(y.x, f->w, turning);
    for (int i = 0; i < 3; ++i)
        y.rate[i] += turning[i];
    return y;
}

/* ---- Where the bodies touch ---- */

static HolStatus touch_with_disc(const Vector *n, Contact *contact)
{
    const HolRolling *r = &contact->rolling;
    Vector a = follow(contact, &r->axis);
    Scalar kappa = product(n, &a), square = {1 - kappa.x * kappa.x, -2 * kappa.x * kappa.rate};
    if (!(square.x > FLATTEST))
        return HOL_SINGULAR;
    Scalar sigma = root(square), k = {-kappa.x, -kappa.rate};
    Vector inside = combine(number(1), n, k, &a);
    contact->arm = scale(quotient(number(-r->radius), sigma), &inside);
    return HOL_OK;
}

static Vector turned_tangent(const Vector *tau, const Vector *normal, const Vector *n)
{
    Scalar along = product(n, normal), one_more = {1 + along.x, along.rate};
    Scalar share = quotient(product(n, tau), one_more), minus = {-share.x, -share.rate};
    Vector middle = combine(number(1), n, number(1), normal);
    return combine(number(1), tau, minus, &middle);
}

/* between: from the centre of the sphere to that of the ball */
static HolStatus touch_in_sphere(const Vector *normal, const Vector *between, Contact *contact)
{
    Scalar square = product(between, between);
    if (!(square.x > 0))
        return HOL_SINGULAR;
    Vector n = scale(quotient(number(-1), root(square)), between);
    if (!(1 + hol_dot3(n.x, normal->x) > TOPMOST))
        return HOL_SINGULAR;
    contact->arm = scale(number(-contact->rolling.radius), &n);
    for (int k = 0; k < 2; ++k)
        contact->t[k] = turned_tangent(&contact->t[k], normal, &n);
    return HOL_OK;
}

static HolStatus touch(Contact *contact)
{
    const HolRolling *r = &contact->rolling;
    Vector n = follow(contact, &r->normal), c = follow(contact, &r->centre), o = follow(contact, &r->through);
    Vector between = combine(number(1), &c, number(-1), &o);
    HolStatus status = HOL_OK;
    for (int k = 0; k < 2; ++k)
        contact->t[k] = follow(contact, &r->tangent[k]);
    switch (r->shape) {
    case HOL_BALL_ON_PLANE: contact->arm = scale(number(-r->radius), &n); break;
    case HOL_DISC_ON_PLANE: status = touch_with_disc(&n, contact); break;
    case HOL_BALL_IN_SPHERE: status = touch_in_sphere(&n, &between, contact); break;
    }
    HOL_TRY(status);
    contact->reach = combine(number(1), &between, number(1), &contact->arm);
    return HOL_OK;
}

static void stop(HolFrame *f)
{
    memset(f->v, 0, sizeof f->v);
    memset(f->w, 0, sizeof f->w);
    memset(f->Rdot, 0, sizeof f->Rdot);
}

static Contact contact_of(const HolRolling *rolling, const HolFrame *frames, bool rates)
{
    Contact contact = {.frames = {frames[rolling->body[0]], frames[rolling->body[1]]}, .rolling = *rolling};
    HolRolling *r = &contact.rolling;
    r->normal.body = r->through.body = r->tangent[0].body = r->tangent[1].body = 0;
    r->centre.body = r->axis.body = 1;
    for (int side = 0; side < 2 && !rates; ++side)
        stop(&contact.frames[side]);
    return contact;
}

/* ---- (2) ---- */

/* One body: sign (T, s x R^T T + R^T (arm x T)) */
static void pull_at(const HolFrame *f, const double *s, const Vector *arm, double sign, const Vector *T, double *g,
                    double *rate)
{
    Vector moment = cross(arm, T), local = turn_back(f, T), turning = turn_back(f, &moment);
    const Vector lever = {{s[0], s[1], s[2]}, {0, 0, 0}};
    Vector own = cross(&lever, &local);
    for (int i = 0; i < 3; ++i) {
        g[i] = sign * T->x[i];
        rate[i] = sign * T->rate[i];
        g[3 + i] = sign * (own.x[i] + turning.x[i]);
        rate[3 + i] = sign * (own.rate[i] + turning.rate[i]);
    }
}

/* The same in natural coordinates: sign (T, N x a_j / 2), N = (R s + arm) x T */
static void pull_natural(const Contact *contact, int side, const double *s, const Vector *arm, double sign,
                         const Vector *T, double *g, double *rate)
{
    const HolMark own = {.body = side, .s = {s[0], s[1], s[2]}};
    const HolFrame *f = &contact->frames[side];
    Vector lever = follow(contact, &own);
    lever = combine(number(1), &lever, number(1), arm);
    Vector N = cross(&lever, T);
    for (int i = 0; i < 3; ++i) {
        g[i] = sign * T->x[i];
        rate[i] = sign * T->rate[i];
    }
    for (int j = 0; j < 3; ++j) {
        const Vector a = {{f->R[0][j], f->R[1][j], f->R[2][j]}, {f->Rdot[0][j], f->Rdot[1][j], f->Rdot[2][j]}};
        Vector turned = cross(&N, &a);
        for (int i = 0; i < 3; ++i) {
            g[3 + 3 * j + i] = 0.5 * sign * turned.x[i];
            rate[3 + 3 * j + i] = 0.5 * sign * turned.rate[i];
        }
    }
}

static Pull pull(const Contact *contact, const Vector *T)
{
    const HolRolling *r = &contact->rolling;
    const double *s[2] = {r->through.s, r->centre.s};
    Pull p = {0};
    for (int side = 0; side < 2; ++side) {
        const HolFrame *f = &contact->frames[side];
        const Vector *arm = side ? &contact->arm : &contact->reach;
        double sign = side ? 1 : -1;
        if (f->is_natural)
            pull_natural(contact, side, s[side], arm, sign, T, p.g[side], p.rate[side]);
        else
            pull_at(f, s[side], arm, sign, T, p.g[side], p.rate[side]);
    }
    return p;
}

/* ---- Terms ---- */

static void write_row(const HolMotion *motion, const HolRolling *r, int group, int row, double g[2][HOL_WIDE])
{
    for (int side = 0; side < 2; ++side) {
        double *D = hol_row_in_D(motion, group, row, r->body[side]);
        for (int i = 0; D && i < motion->mechanism->bodies[r->body[side] - 1].layout->nv; ++i)
            D[i] = g[side][i];
    }
}

/* rate . v */
static double along_motion(const HolFrame *f, const double *rate)
{
    double v[HOL_WIDE], sum = 0;
    int n = hol_frame_velocity(f, v);
    for (int i = 0; i < n; ++i)
        sum += rate[i] * v[i];
    return sum;
}

static HolStatus evaluate_velocity(const HolMotion *motion, const HolRolling *r, unsigned want)
{
    Contact contact = contact_of(r, motion->frames, want & HOL_WANT_GAMMA);
    HOL_TRY(touch(&contact));
    for (int k = 0; k < 2; ++k) {
        Pull p = pull(&contact, &contact.t[k]);
        if (want & HOL_WANT_JACOBIAN)
            write_row(motion, r, r->velocity_group, r->velocity_row + k, p.g);
        if (want & HOL_WANT_GAMMA)
            motion->terms->gamma[r->velocity_row + k] =
                -along_motion(&contact.frames[0], p.rate[0]) - along_motion(&contact.frames[1], p.rate[1]);
    }
    return HOL_OK;
}

/* The two measures of (3), and dPhi/dkappa and d2Phi/dkappa2. */
typedef struct DiscRow {
    HolMeasure offset, lean;
    HolGauge mu, kappa;
    double sigma, slope, curvature;
} DiscRow;

static HolStatus read_disc(const HolMotion *motion, const HolRolling *r, bool rates, DiscRow *row)
{
    *row = (DiscRow){
        .offset = {.type = HOL_OFFSET, .mark = {r->normal, r->through, r->centre}},
        .lean = {.type = HOL_DOT, .mark = {r->normal, r->axis}},
    };
    hol_measure_read(&row->offset, motion->frames, motion->phi, rates, &row->mu);
    hol_measure_read(&row->lean, motion->frames, motion->phi, rates, &row->kappa);
    double square = 1 - row->kappa.value * row->kappa.value;
    if (!(square > FLATTEST))
        return HOL_SINGULAR;
    row->sigma = sqrt(square);
    row->slope = r->radius * row->kappa.value / row->sigma;
    row->curvature = r->radius / (square * row->sigma);
    return HOL_OK;
}

static HolStatus evaluate_contact(const HolMotion *motion, const HolRolling *r, unsigned want)
{
    HolTerms *terms = motion->terms;
    DiscRow row;
    HOL_TRY(read_disc(motion, r, want & HOL_WANT_GAMMA, &row));
    double g[2][HOL_WIDE];
    for (int side = 0; side < 2; ++side)
        for (int i = 0; i < HOL_WIDE; ++i)
            g[side][i] = row.mu.g[side][i] + row.slope * row.kappa.g[side][i];
    if (want & HOL_WANT_PHI)
        terms->Phi[r->row] = row.mu.value - r->radius * row.sigma;
    if (want & HOL_WANT_JACOBIAN)
        write_row(motion, r, r->contact_group, r->row, g);
    if (want & HOL_WANT_GAMMA)
        terms->gamma[r->row] =
            -(row.mu.bias + row.slope * row.kappa.bias + row.curvature * row.kappa.rate * row.kappa.rate);
    return HOL_OK;
}

HolStatus hol_rolling_evaluate(const HolMotion *motion, unsigned want)
{
    const HolMechanism *mechanism = motion->mechanism;
    for (int k = 0; k < mechanism->rolling_count && (want & HOL_WANT_GEOMETRY); ++k) {
        const HolRolling *r = &mechanism->rollings[k];
        if (r->row >= 0)
            HOL_TRY(evaluate_contact(motion, r, want));
        if (want & (HOL_WANT_JACOBIAN | HOL_WANT_GAMMA))
            HOL_TRY(evaluate_velocity(motion, r, want));
    }
    return HOL_OK;
}

/* ---- Tangents ---- */

/* The bodies move with unit velocity j, as in body side's v. */
static void move_along(Contact *contact, int side, int j)
{
    HolFrame *f = &contact->frames[side];
    stop(&contact->frames[0]);
    stop(&contact->frames[1]);
    if (j < 3)
        f->v[j] = 1;
    else if (f->is_natural)
        f->Rdot[j % 3][j / 3 - 1] = 1;
    else
        f->w[j - 3] = 1;
}

static HolStatus add_velocity(const HolMotion *motion, const HolRolling *r, const double *lambda, HolBlocks K)
{
    Contact contact = contact_of(r, motion->frames, false);
    const double *l = lambda + r->velocity_row;
    int n = motion->mechanism->natural ? HOL_WIDE : HOL_POSE;
    for (int column = 0; column < 2 * n; ++column) {
        int side = column / n, j = column % n;
        if (r->body[side] == 0)
            continue; /* the ground does not move */
        move_along(&contact, side, j);
        HOL_TRY(touch(&contact));
        Vector T = combine(number(l[0]), &contact.t[0], number(l[1]), &contact.t[1]);
        Pull p = pull(&contact, &T);
        for (int i = 0; i < n; ++i) {
            K[0][side][HOL_WIDE * i + j] -= p.rate[0][i];
            K[1][side][HOL_WIDE * i + j] -= p.rate[1][i];
        }
    }
    return HOL_OK;
}

static HolStatus add_contact(const HolMotion *motion, const HolRolling *r, double lambda, HolBlocks K)
{
    DiscRow row;
    HOL_TRY(read_disc(motion, r, false, &row));
    hol_measure_add_hessian(&row.offset, motion->frames, -lambda, K);
    hol_measure_add_hessian(&row.lean, motion->frames, -lambda * row.slope, K);
    for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b)
            for (int k = 0; k < HOL_WIDE * HOL_WIDE; ++k)
                K[a][b][k] -= lambda * row.curvature * row.kappa.g[a][k / HOL_WIDE] * row.kappa.g[b][k % HOL_WIDE];
    return HOL_OK;
}

static void place_blocks(const HolMotion *motion, const HolRolling *r, HolBlocks K)
{
    const HolPattern *pattern = motion->terms->pattern;
    for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b)
            if (r->body[a] > 0 && r->body[b] > 0)
                hol_motion_add_block(motion, motion->terms->K,
                                     hol_place_in_tangent(pattern, r->body[a] - 1, r->body[b] - 1), r->body[a],
                                     r->body[b], K[a][b]);
}

HolStatus hol_rolling_add_tangent(const HolMotion *motion, const double *lambda)
{
    const HolMechanism *mechanism = motion->mechanism;
    for (int k = 0; k < mechanism->rolling_count; ++k) {
        const HolRolling *r = &mechanism->rollings[k];
        HolBlocks K = {0};
        if (r->row >= 0)
            HOL_TRY(add_contact(motion, r, lambda[r->row], K));
        HOL_TRY(add_velocity(motion, r, lambda, K));
        place_blocks(motion, r, K);
    }
    return HOL_OK;
}
