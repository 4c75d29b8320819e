/* SPDX-License-Identifier: BSD-3-Clause */
/* Velocity rows, sums of speeds that equal a function of time:
 *
 *     Psi = sum k_i sigma_i - f      D = sum k_i g_i      nu = f      gamma = f' - sum k_i gdot_i . v           (1)
 *
 * A speed sigma = g . v between two bodies is the power of a unit force or torque that acts on body 1, and of its
 * opposite on body 0. With its direction T, the point p and the centres r,
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
#include "base/tolerances.h"
#include "mechanism/evaluate/evaluate.h"
#include "mechanism/kinematics/moving.h"

static const double STEEPEST = HOL_TOL_PARALLEL * HOL_TOL_PARALLEL; /* |n x e|^2 of an edge that stands on its plane */

/* A mark whose body is one of two, numbered 0 and 1 as their frames are. */
static HolMoving velocity_rows_follow(const HolSpeed *speed, const HolFrame frames[2], const HolMark *mark)
{
    HolMark local = *mark;
    local.body = mark->body == speed->body[1] ? 1 : 0;
    return hol_moving_mark(frames, &local);
}

/* T of (2) and (3). */
static HolStatus velocity_rows_find_direction(const HolSpeed *speed, const HolFrame frames[2], HolMoving *T)
{
    HolMoving along = velocity_rows_follow(speed, frames, &speed->along);
    *T = along;
    if (speed->type != HOL_SPEED_SIDEWAYS)
        return HOL_OK;
    HolMoving n = velocity_rows_follow(speed, frames, &speed->normal), side = hol_moving_cross(&n, &along);
    HolMovingNumber square = hol_moving_dot(&side, &side);
    if (!(square.x > STEEPEST))
        return HOL_SINGULAR;
    *T = hol_moving_scale(hol_moving_quotient(hol_moving_number(1), hol_moving_root(square)), &side);
    return HOL_OK;
}

/* A force and its moment N about the centre of one body. */
static void velocity_rows_pull_at(const HolFrame *f, const HolMoving *force, const HolMoving *N, double *g,
                                  double *rate)
{
    for (int i = 0; i < 3; ++i) {
        g[i] = force->x[i];
        rate[i] = force->rate[i];
    }
    if (f->is_natural) {
        hol_gradient_natural_moment(f, N, 1, g, rate);
        return;
    }
    HolMoving local = hol_moving_turn_back(f, N);
    for (int i = 0; i < 3; ++i) {
        g[3 + i] = local.x[i];
        rate[3 + i] = local.rate[i];
    }
}

/* (2) */
static HolStatus velocity_rows_pull(const HolSpeed *speed, const HolFrame frames[2], HolMovingGradient *pulled)
{
    HolMoving T;
    HOL_TRY(velocity_rows_find_direction(speed, frames, &T));
    HolMoving p = velocity_rows_follow(speed, frames, &speed->point);
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
        velocity_rows_pull_at(f, &force, &N, pulled->g[side], pulled->rate[side]);
    }
    return HOL_OK;
}

/* Evaluates a speed: its gradient and gdot . v. */
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
    HolMovingGradient pulled;
    HOL_TRY(velocity_rows_pull(speed, frames, &pulled));
    memcpy(g, pulled.g, sizeof pulled.g);
    *bias = rates ? hol_gradient_bias(&frames[0], pulled.rate[0]) + hol_gradient_bias(&frames[1], pulled.rate[1]) : 0;
    return HOL_OK;
}

/* Clears D of a row: speeds add to it, and several may involve one body. */
static void velocity_row_clear(const HolMotion *motion, const HolVelocityRow *row)
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

static HolStatus velocities_evaluate_row(const HolMotion *motion, const HolVelocityRow *row, unsigned want)
{
    HolTerms *terms = motion->terms;
    HolJet f = hol_function_at(&row->f, motion->t);
    double gamma = f.d;
    if (want & HOL_WANT_NU)
        terms->nu[row->row] = f.f;
    if (!(want & (HOL_WANT_JACOBIAN | HOL_WANT_GAMMA)))
        return HOL_OK;
    if (want & HOL_WANT_JACOBIAN)
        velocity_row_clear(motion, row);
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
        HOL_TRY(hol_report_undefined(motion->terms, row->group, velocities_evaluate_row(motion, row, want)));
    }
    return HOL_OK;
}

/* K -= factor gdot, column by column */
static HolStatus add_pull(const HolMotion *motion, const HolSpeed *speed, double factor, HolBlocks K)
{
    HolFrame frames[2] = {motion->frames[speed->body[0]], motion->frames[speed->body[1]]};
    int n = motion->mechanism->natural ? HOL_WIDE : HOL_POSE;
    for (int column = 0; column < 2 * n; ++column) {
        int side = column / n, j = column % n;
        HolMovingGradient pulled;
        if (speed->body[side] == 0)
            continue; /* the ground does not move */
        hol_frames_move_along(frames, side, j);
        HOL_TRY(velocity_rows_pull(speed, frames, &pulled));
        for (int i = 0; i < n; ++i) {
            K[0][side][HOL_WIDE * i + j] -= factor * pulled.rate[0][i];
            K[1][side][HOL_WIDE * i + j] -= factor * pulled.rate[1][i];
        }
    }
    return HOL_OK;
}

static HolStatus velocities_add_speed(const HolMotion *motion, const HolSpeed *speed, double lambda)
{
    HolBlocks K = {0};
    if (speed->type == HOL_SPEED_MEASURE)
        hol_measure_add_hessian(&motion->mechanism->measures[speed->measure], motion->frames, -lambda * speed->k, K);
    else
        HOL_TRY(add_pull(motion, speed, lambda * speed->k, K));
    hol_motion_add_blocks(motion, speed->body, K);
    return HOL_OK;
}

HolStatus hol_velocity_rows_add_tangent(const HolMotion *motion, const double *lambda)
{
    const HolMechanism *mechanism = motion->mechanism;
    for (int r = 0; r < mechanism->velocity_row_count; ++r) {
        const HolVelocityRow *row = &mechanism->velocity_rows[r];
        for (int i = 0; i < row->speed_count; ++i)
            HOL_TRY(velocities_add_speed(motion, &mechanism->speeds[row->first_speed + i], lambda[row->row]));
    }
    return HOL_OK;
}
