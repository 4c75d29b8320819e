/* SPDX-License-Identifier: BSD-3-Clause */
/* Velocity rows, sums of speeds that follow a function of time:
 *
 *     Psi = sum k_i sigma_i - f      D = sum k_i g_i      nu = f      gamma = f' - sum k_i gdot_i . v           (1)
 *
 * A speed sigma = g . v between two bodies is the power of a force or torque of size one, which acts on body 1 and in
 * the opposite way on body 0. With its direction T, the point p and the centres r,
 *
 *     of a point    T . (pdot - rdot_0 - W_0 x (p - r_0))     force T and moment (p - r) x T about r
 *     of turning    T . (W_1 - W_0)                           torque T                                      (2)
 *
 * T is a direction of either body, or, across an edge e of body 1 that slides in a plane of body 0 with the normal n,
 *
 *     T = n x e / |n x e|                                                                                   (3)
 *
 * g of a force and a moment is (4) and (7) of frame.h; gdot and the columns of K, -gdot under unit velocities, are the
 * rates that all vectors carry. The rate of a measure has the measure's own g, bias and Hessian. */
#include "base/message.h"
#include "mechanism/evaluate.h"
#include "mechanism/moving.h"
#include "system/undefined.h"

static const double STEEPEST = 1e-12; /* |n x e|^2 of an edge that stands on its plane */

/* The gradient of a speed on body[0] and body[1], and its rate. */
typedef struct Pull {
    double g[2][HOL_WIDE], rate[2][HOL_WIDE];
} Pull;

/* A mark whose body is one of two, numbered 0 and 1 as their frames are. */
static HolMoving follow(const HolSpeed *speed, const HolFrame frames[2], const HolMark *mark)
{
    HolMark local = *mark;
    local.body = mark->body == speed->body[1] ? 1 : 0;
    return hol_moving_mark(frames, &local);
}

/* T of (2) and (3). */
static HolStatus find_direction(const HolSpeed *speed, const HolFrame frames[2], HolMoving *T)
{
    HolMoving along = follow(speed, frames, &speed->along);
    *T = along;
    if (speed->type != HOL_SPEED_SIDEWAYS)
        return HOL_OK;
    HolMoving n = follow(speed, frames, &speed->normal), side = hol_moving_cross(&n, &along);
    HolMovingNumber square = hol_moving_dot(&side, &side);
    if (!(square.x > STEEPEST))
        return HOL_SINGULAR;
    *T = hol_moving_scale(hol_moving_quotient(hol_moving_number(1), hol_moving_root(square)), &side);
    return HOL_OK;
}

/* (7) of frame.h: N x a_j / 2 */
static void turn_natural(const HolFrame *f, const HolMoving *N, double *g, double *rate)
{
    for (int j = 0; j < 3; ++j) {
        const HolMoving a = {{f->R[0][j], f->R[1][j], f->R[2][j]}, {f->Rdot[0][j], f->Rdot[1][j], f->Rdot[2][j]}};
        HolMoving turned = hol_moving_cross(N, &a);
        for (int i = 0; i < 3; ++i) {
            g[3 + 3 * j + i] = 0.5 * turned.x[i];
            rate[3 + 3 * j + i] = 0.5 * turned.rate[i];
        }
    }
}

/* A force and its moment N about the centre of one body. */
static void pull_at(const HolFrame *f, const HolMoving *force, const HolMoving *N, double *g, double *rate)
{
    for (int i = 0; i < 3; ++i) {
        g[i] = force->x[i];
        rate[i] = force->rate[i];
    }
    if (f->is_natural) {
        turn_natural(f, N, g, rate);
        return;
    }
    HolMoving local = hol_moving_turn_back(f, N);
    for (int i = 0; i < 3; ++i) {
        g[3 + i] = local.x[i];
        rate[3 + i] = local.rate[i];
    }
}

/* (2) */
static HolStatus pull(const HolSpeed *speed, const HolFrame frames[2], Pull *pulled)
{
    HolMoving T;
    HOL_TRY(find_direction(speed, frames, &T));
    HolMoving p = follow(speed, frames, &speed->point);
    for (int side = 0; side < 2; ++side) {
        const HolFrame *f = &frames[side];
        const HolMoving r = {{f->r[0], f->r[1], f->r[2]}, {f->v[0], f->v[1], f->v[2]}};
        HolMoving force = hol_moving_scale(hol_moving_number(side ? 1 : -1), &T), N = force;
        if (speed->type == HOL_SPEED_TURNING) {
            force = (HolMoving){{0}, {0}};
        } else {
            HolMoving arm = hol_moving_minus(&p, &r);
            N = hol_moving_cross(&arm, &force);
        }
        pull_at(f, &force, &N, pulled->g[side], pulled->rate[side]);
    }
    return HOL_OK;
}

/* ---- Terms ---- */

/* gdot . v of one body */
static double along_motion(const HolFrame *f, const double *rate)
{
    double v[HOL_WIDE], sum = 0;
    int n = hol_frame_velocity(f, v);
    for (int i = 0; i < n; ++i)
        sum += rate[i] * v[i];
    return sum;
}

/* Of one speed: its gradient and gdot . v. */
static HolStatus read_speed(const HolMotion *motion, const HolSpeed *speed, bool rates, double g[2][HOL_WIDE],
                            double *bias)
{
    if (speed->type == HOL_SPEED_MEASURE) {
        HolGauge gauge = {0};
        hol_measure_differentiate(&motion->mechanism->measures[speed->measure], motion->frames, motion->phi, rates,
                                  &gauge);
        memcpy(g, gauge.g, sizeof gauge.g);
        *bias = gauge.bias;
        return HOL_OK;
    }
    HolFrame frames[2] = {motion->frames[speed->body[0]], motion->frames[speed->body[1]]};
    for (int side = 0; side < 2 && !rates; ++side)
        hol_frame_stop(&frames[side]);
    Pull pulled;
    HOL_TRY(pull(speed, frames, &pulled));
    memcpy(g, pulled.g, sizeof pulled.g);
    *bias = rates ? along_motion(&frames[0], pulled.rate[0]) + along_motion(&frames[1], pulled.rate[1]) : 0;
    return HOL_OK;
}

void hol_velocity_row_clear(const HolMotion *motion, const HolVelocityRow *row)
{
    const HolSpeed *speeds = &motion->mechanism->speeds[row->first_speed];
    for (int i = 0; i < 2 * row->speed_count; ++i) {
        int body = speeds[i / 2].body[i % 2];
        double *D = hol_row_in_D(motion, row->group, row->row, body);
        for (int k = 0; D && k < motion->mechanism->bodies[body - 1].layout->nv; ++k)
            D[k] = 0;
    }
}

static void add_gradient(const HolMotion *motion, const HolVelocityRow *row, const HolSpeed *speed,
                         double g[2][HOL_WIDE])
{
    for (int side = 0; side < 2; ++side) {
        int body = speed->body[side];
        double *D = hol_row_in_D(motion, row->group, row->row, body);
        if (D)
            hol_layout_add(motion->mechanism->bodies[body - 1].layout, speed->k, g[side], D);
    }
}

static HolStatus evaluate_row(const HolMotion *motion, const HolVelocityRow *row, unsigned want)
{
    HolTerms *terms = motion->terms;
    HolJet f = hol_function_at(&row->f, motion->t);
    double gamma = f.d;
    if (want & HOL_WANT_NU)
        terms->nu[row->row] = f.f;
    if (!(want & (HOL_WANT_JACOBIAN | HOL_WANT_GAMMA)))
        return HOL_OK;
    if (want & HOL_WANT_JACOBIAN)
        hol_velocity_row_clear(motion, row);
    for (int i = 0; i < row->speed_count; ++i) {
        const HolSpeed *speed = &motion->mechanism->speeds[row->first_speed + i];
        double g[2][HOL_WIDE], bias;
        HOL_TRY(read_speed(motion, speed, want & HOL_WANT_GAMMA, g, &bias));
        gamma -= speed->k * bias;
        if (want & HOL_WANT_JACOBIAN)
            add_gradient(motion, row, speed, g);
    }
    if (want & HOL_WANT_GAMMA)
        terms->gamma[row->row] = gamma;
    return HOL_OK;
}

HolStatus hol_velocity_rows_evaluate(const HolMotion *motion, unsigned want)
{
    const HolMechanism *mechanism = motion->mechanism;
    for (int i = 0; i < mechanism->velocity_row_count; ++i) {
        const HolVelocityRow *row = &mechanism->velocity_rows[i];
        HOL_TRY(hol_terms_note(motion->terms, row->group, evaluate_row(motion, row, want)));
    }
    return HOL_OK;
}

/* ---- Tangents ---- */

/* K -= factor gdot, column by column */
static HolStatus add_pull(const HolMotion *motion, const HolSpeed *speed, double factor, HolBlocks K)
{
    HolFrame frames[2] = {motion->frames[speed->body[0]], motion->frames[speed->body[1]]};
    int n = motion->mechanism->natural ? HOL_WIDE : HOL_POSE;
    for (int column = 0; column < 2 * n; ++column) {
        int side = column / n, j = column % n;
        Pull pulled;
        if (speed->body[side] == 0)
            continue; /* the ground does not move */
        hol_frames_move_along(frames, side, j);
        HOL_TRY(pull(speed, frames, &pulled));
        for (int i = 0; i < n; ++i) {
            K[0][side][HOL_WIDE * i + j] -= factor * pulled.rate[0][i];
            K[1][side][HOL_WIDE * i + j] -= factor * pulled.rate[1][i];
        }
    }
    return HOL_OK;
}

static HolStatus add_speed(const HolMotion *motion, const HolSpeed *speed, double lambda)
{
    const HolPattern *pattern = motion->terms->pattern;
    const int *body = speed->body;
    HolBlocks K = {0};
    if (speed->type == HOL_SPEED_MEASURE)
        hol_measure_add_hessian(&motion->mechanism->measures[speed->measure], motion->frames, -lambda * speed->k, K);
    else
        HOL_TRY(add_pull(motion, speed, lambda * speed->k, K));
    for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b)
            if (body[a] > 0 && body[b] > 0)
                hol_motion_add_block(motion, motion->terms->K, hol_place_in_tangent(pattern, body[a] - 1, body[b] - 1),
                                     body[a], body[b], K[a][b]);
    return HOL_OK;
}

HolStatus hol_velocity_rows_add_tangent(const HolMotion *motion, const double *lambda)
{
    const HolMechanism *mechanism = motion->mechanism;
    for (int r = 0; r < mechanism->velocity_row_count; ++r) {
        const HolVelocityRow *row = &mechanism->velocity_rows[r];
        for (int i = 0; i < row->speed_count; ++i)
            HOL_TRY(add_speed(motion, &mechanism->speeds[row->first_speed + i], lambda[row->row]));
    }
    return HOL_OK;
}
