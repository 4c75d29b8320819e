/* SPDX-License-Identifier: BSD-3-Clause */
/* Rolling: the material points of two bodies that touch have the same velocity along two tangents.
 *
 * With the contact p, the centre c of ball or disc (on body 1) and the point o of the plane or centre of the sphere
 * (on body 0), arm = p - c and reach = p - o, a row along the tangent T is
 *
 *     Psi = T . (cdot + W_1 x arm - odot - W_0 x reach),    W = R w                                        (1)
 *
 * which is linear in v. Its gradients on body 1 and body 0 are
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
 * shortest turn from there to the present n, so that t_0, t_1, n are orthonormal except at the top. A disc also
 * has a contact row, from the offset mu of its centre and the product kappa = n.a:
 *
 *     Phi = mu - radius sigma,     dPhi/dkappa = radius kappa/sigma,     d2Phi/dkappa2 = radius/sigma^3    (3)
 *
 * In natural coordinates (2) is the same force and moment by (7) of frame.h, at a mean of two poses by (8). */
#include "base/message.h"
#include "base/tolerances.h"
#include "mechanism/evaluate/evaluate.h"
#include "mechanism/kinematics/moving.h"

#include <math.h>

static const double FLATTEST = HOL_TOL_PARALLEL * HOL_TOL_PARALLEL; /* sigma^2 of a disc that lies flat */
static const double TOPMOST = HOL_TOL_EQUAL; /* 1 + n.normal of a ball at the top of its sphere */

/* The contact of two bodies, whose frames and marks are here numbered 0 and 1. */
typedef struct Contact {
    HolFrame frames[2];
    HolRolling rolling;
    HolMoving arm, reach, t[2];
} Contact;

static HolStatus touch_with_disc(const HolMoving *n, Contact *contact)
{
    const HolRolling *r = &contact->rolling;
    HolMoving a = hol_moving_mark(contact->frames, &r->axis);
    HolMovingNumber kappa = hol_moving_dot(n, &a), square = {1 - kappa.x * kappa.x, -2 * kappa.x * kappa.rate};
    if (!(square.x > FLATTEST))
        return HOL_SINGULAR;
    HolMovingNumber sigma = hol_moving_root(square), k = {-kappa.x, -kappa.rate};
    HolMoving inside = hol_moving_sum(hol_moving_number(1), n, k, &a);
    contact->arm = hol_moving_scale(hol_moving_quotient(hol_moving_number(-r->radius), sigma), &inside);
    return HOL_OK;
}

static HolMoving turned_tangent(const HolMoving *tau, const HolMoving *normal, const HolMoving *n)
{
    HolMovingNumber along = hol_moving_dot(n, normal), one_more = {1 + along.x, along.rate};
    HolMovingNumber share = hol_moving_quotient(hol_moving_dot(n, tau), one_more), minus = {-share.x, -share.rate};
    HolMoving middle = hol_moving_plus(n, normal);
    return hol_moving_sum(hol_moving_number(1), tau, minus, &middle);
}

/* between: from the centre of the sphere to that of the ball */
static HolStatus touch_in_sphere(const HolMoving *normal, const HolMoving *between, Contact *contact)
{
    HolMovingNumber square = hol_moving_dot(between, between);
    if (!(square.x > 0))
        return HOL_SINGULAR;
    HolMoving n = hol_moving_scale(hol_moving_quotient(hol_moving_number(-1), hol_moving_root(square)), between);
    if (!(1 + hol_dot3(n.x, normal->x) > TOPMOST))
        return HOL_SINGULAR;
    contact->arm = hol_moving_scale(hol_moving_number(-contact->rolling.radius), &n);
    for (int k = 0; k < 2; ++k)
        contact->t[k] = turned_tangent(&contact->t[k], normal, &n);
    return HOL_OK;
}

static HolStatus rolling_touch(Contact *contact)
{
    const HolRolling *r = &contact->rolling;
    HolMoving n = hol_moving_mark(contact->frames, &r->normal), c = hol_moving_mark(contact->frames, &r->centre);
    HolMoving o = hol_moving_mark(contact->frames, &r->through);
    HolMoving between = hol_moving_minus(&c, &o);
    HolStatus status = HOL_OK;
    for (int k = 0; k < 2; ++k)
        contact->t[k] = hol_moving_mark(contact->frames, &r->tangent[k]);
    switch (r->shape) {
    case HOL_BALL_ON_PLANE: contact->arm = hol_moving_scale(hol_moving_number(-r->radius), &n); break;
    case HOL_DISC_ON_PLANE: status = touch_with_disc(&n, contact); break;
    case HOL_BALL_IN_SPHERE: status = touch_in_sphere(&n, &between, contact); break;
    }
    HOL_TRY(status);
    contact->reach = hol_moving_plus(&between, &contact->arm);
    return HOL_OK;
}

static Contact contact_of(const HolRolling *rolling, const HolFrame *frames, bool rates)
{
    Contact contact = {.frames = {frames[rolling->body[0]], frames[rolling->body[1]]}, .rolling = *rolling};
    HolRolling *r = &contact.rolling;
    r->normal.body = r->through.body = r->tangent[0].body = r->tangent[1].body = 0;
    r->centre.body = r->axis.body = 1;
    for (int side = 0; side < 2 && !rates; ++side)
        hol_frame_stop(&contact.frames[side]);
    return contact;
}

/* One body: sign (T, s x R^T T + R^T (arm x T)) */
static void rolling_pull_at(const HolFrame *f, const double *s, const HolMoving *arm, double sign, const HolMoving *T,
                            double *g, double *rate)
{
    HolMoving moment = hol_moving_cross(arm, T), local = hol_moving_turn_back(f, T),
              turning = hol_moving_turn_back(f, &moment);
    const HolMoving lever = {{s[0], s[1], s[2]}, {0, 0, 0}};
    HolMoving own = hol_moving_cross(&lever, &local);
    for (int i = 0; i < 3; ++i) {
        g[i] = sign * T->x[i];
        rate[i] = sign * T->rate[i];
        g[3 + i] = sign * (own.x[i] + turning.x[i]);
        rate[3 + i] = sign * (own.rate[i] + turning.rate[i]);
    }
}

/* The same where R is no rotation, from the moment N = (R s + arm) x T: in natural coordinates sign (T, N x a_j / 2),
 * at a mean sign (T, R^-1 N), which needs no rate. */
static void pull_by_moment(const Contact *contact, int side, const double *s, const HolMoving *arm, double sign,
                           const HolMoving *T, double *g, double *rate)
{
    const HolMark own = {.body = side, .s = {s[0], s[1], s[2]}};
    const HolFrame *f = &contact->frames[side];
    HolMoving lever = hol_moving_mark(contact->frames, &own);
    lever = hol_moving_plus(&lever, arm);
    HolMoving N = hol_moving_cross(&lever, T);
    for (int i = 0; i < 3; ++i) {
        g[i] = sign * T->x[i];
        rate[i] = sign * T->rate[i];
    }
    if (f->is_natural) {
        hol_gradient_natural_moment(f, &N, sign, g, rate);
        return;
    }
    hol_moment_back(f, N.x, g + 3);
    for (int i = 3; i < HOL_POSE; ++i)
        g[i] *= sign;
}

static HolMovingGradient rolling_pull(const Contact *contact, const HolMoving *T)
{
    const HolRolling *r = &contact->rolling;
    const double *s[2] = {r->through.s, r->centre.s};
    HolMovingGradient p = {0};
    for (int side = 0; side < 2; ++side) {
        const HolFrame *f = &contact->frames[side];
        const HolMoving *arm = side ? &contact->arm : &contact->reach;
        double sign = side ? 1 : -1;
        if (f->is_natural || f->is_mean)
            pull_by_moment(contact, side, s[side], arm, sign, T, p.g[side], p.rate[side]);
        else
            rolling_pull_at(f, s[side], arm, sign, T, p.g[side], p.rate[side]);
    }
    return p;
}

static void rolling_write_row(const HolMotion *motion, const HolRolling *r, int group, int row, double g[2][HOL_WIDE])
{
    for (int side = 0; side < 2; ++side) {
        double *D = hol_row_in_D(motion, group, row, r->body[side]);
        for (int i = 0; D && i < motion->mechanism->bodies[r->body[side] - 1].layout->nv; ++i)
            D[i] = g[side][i];
    }
}

static HolStatus evaluate_velocity(const HolMotion *motion, const HolRolling *r, unsigned want)
{
    Contact contact = contact_of(r, motion->frames, want & HOL_WANT_GAMMA);
    HOL_TRY(rolling_touch(&contact));
    for (int k = 0; k < 2; ++k) {
        HolMovingGradient p = rolling_pull(&contact, &contact.t[k]);
        if (want & HOL_WANT_JACOBIAN)
            rolling_write_row(motion, r, r->velocity_group, r->velocity_row + k, p.g);
        if (want & HOL_WANT_GAMMA)
            motion->terms->gamma[r->velocity_row + k] =
                -hol_gradient_bias(&contact.frames[0], p.rate[0]) - hol_gradient_bias(&contact.frames[1], p.rate[1]);
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
        .offset = {.kind = &hol_measure_offset, .mark = {r->normal, r->through, r->centre}},
        .lean = {.kind = &hol_measure_dot, .mark = {r->normal, r->axis}},
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
        rolling_write_row(motion, r, r->contact_group, r->row, g);
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
            HOL_TRY(hol_report_undefined(motion->terms, r->contact_group, evaluate_contact(motion, r, want)));
        if (want & (HOL_WANT_JACOBIAN | HOL_WANT_GAMMA))
            HOL_TRY(hol_report_undefined(motion->terms, r->velocity_group, evaluate_velocity(motion, r, want)));
    }
    return HOL_OK;
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
        hol_frames_move_along(contact.frames, side, j);
        HOL_TRY(rolling_touch(&contact));
        HolMoving T = hol_moving_sum(hol_moving_number(l[0]), &contact.t[0], hol_moving_number(l[1]), &contact.t[1]);
        HolMovingGradient p = rolling_pull(&contact, &T);
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

HolStatus hol_rolling_add_tangent(const HolMotion *motion, const double *lambda)
{
    const HolMechanism *mechanism = motion->mechanism;
    for (int k = 0; k < mechanism->rolling_count; ++k) {
        const HolRolling *r = &mechanism->rollings[k];
        HolBlocks K = {0};
        if (r->row >= 0)
            HOL_TRY(add_contact(motion, r, lambda[r->row], K));
        HOL_TRY(add_velocity(motion, r, lambda, K));
        hol_motion_add_blocks(motion, r->body, K);
    }
    return HOL_OK;
}
