/* SPDX-License-Identifier: BSD-3-Clause */
/* Vectors and numbers with their rates (automatic differentiation). A velocity row written with them yields its bias,
 * the rate under the velocity of the bodies, and its tangent, whose columns are the rates under unit velocities. */
#ifndef HOLON_MECHANISM_KINEMATICS_MOVING_H
#define HOLON_MECHANISM_KINEMATICS_MOVING_H

#include "mechanism/kinematics/frame.h"

#include <math.h>
#include <string.h>

typedef struct HolMoving {
    double x[3], rate[3];
} HolMoving;

typedef struct HolMovingNumber {
    double x, rate;
} HolMovingNumber;

static inline HolMoving hol_moving_mark(const HolFrame *frames, const HolMark *mark)
{
    HolMoving y;
    hol_mark_value(frames, mark, y.x);
    hol_mark_velocity(frames, mark, y.rate);
    return y;
}

static inline HolMovingNumber hol_moving_number(double x)
{
    return (HolMovingNumber){x, 0};
}

/* a u + b v */
static inline HolMoving hol_moving_sum(HolMovingNumber a, const HolMoving *u, HolMovingNumber b, const HolMoving *v)
{
    HolMoving y;
    for (int i = 0; i < 3; ++i) {
        y.x[i] = a.x * u->x[i] + b.x * v->x[i];
        y.rate[i] = a.x * u->rate[i] + a.rate * u->x[i] + b.x * v->rate[i] + b.rate * v->x[i];
    }
    return y;
}

static inline HolMoving hol_moving_plus(const HolMoving *u, const HolMoving *v)
{
    return hol_moving_sum(hol_moving_number(1), u, hol_moving_number(1), v);
}

static inline HolMoving hol_moving_minus(const HolMoving *u, const HolMoving *v)
{
    return hol_moving_sum(hol_moving_number(1), u, hol_moving_number(-1), v);
}

static inline HolMoving hol_moving_scale(HolMovingNumber a, const HolMoving *u)
{
    return hol_moving_sum(a, u, hol_moving_number(0), u);
}

static inline HolMovingNumber hol_moving_dot(const HolMoving *u, const HolMoving *v)
{
    return (HolMovingNumber){hol_dot3(u->x, v->x), hol_dot3(u->rate, v->x) + hol_dot3(u->x, v->rate)};
}

static inline HolMovingNumber hol_moving_quotient(HolMovingNumber a, HolMovingNumber b)
{
    double x = a.x / b.x;
    return (HolMovingNumber){x, (a.rate - x * b.rate) / b.x};
}

static inline HolMovingNumber hol_moving_root(HolMovingNumber a)
{
    double x = sqrt(a.x);
    return (HolMovingNumber){x, 0.5 * a.rate / x};
}

static inline HolMoving hol_moving_cross(const HolMoving *u, const HolMoving *v)
{
    HolMoving y;
    double other[3];
    hol_cross3(u->x, v->x, y.x);
    hol_cross3(u->rate, v->x, y.rate);
    hol_cross3(u->x, v->rate, other);
    for (int i = 0; i < 3; ++i)
        y.rate[i] += other[i];
    return y;
}

/* R^T u, whose rate is R^T udot + (R^T u) x w; of a mean R^-1 u, whose rate is not needed. */
static inline HolMoving hol_moving_turn_back(const HolFrame *f, const HolMoving *u)
{
    HolMoving y;
    double turning[3];
    hol_moment_back(f, u->x, y.x);
    hol_moment_back(f, u->rate, y.rate);
    hol_cross3(y.x, f->w, turning);
    for (int i = 0; i < 3; ++i)
        y.rate[i] += turning[i];
    return y;
}

/* The gradients g of a speed g . v on two bodies, and their rates. */
typedef struct HolMovingGradient {
    double g[2][HOL_WIDE], rate[2][HOL_WIDE];
} HolMovingGradient;

/* rate . v of one body */
static inline double hol_gradient_bias(const HolFrame *f, const double *rate)
{
    double v[HOL_WIDE], sum = 0;
    int n = hol_frame_velocity(f, v);
    for (int i = 0; i < n; ++i)
        sum += rate[i] * v[i];
    return sum;
}

/* The gradient of a moment N in natural coordinates, (7) of frame.h: sign N x a_j / 2 */
static inline void hol_gradient_natural_moment(const HolFrame *f, const HolMoving *N, double sign, double *g,
                                               double *rate)
{
    for (int j = 0; j < 3; ++j) {
        const HolMoving a = {{f->R[0][j], f->R[1][j], f->R[2][j]}, {f->Rdot[0][j], f->Rdot[1][j], f->Rdot[2][j]}};
        HolMoving turned = hol_moving_cross(N, &a);
        for (int i = 0; i < 3; ++i) {
            g[3 + 3 * j + i] = 0.5 * sign * turned.x[i];
            rate[3 + 3 * j + i] = 0.5 * sign * turned.rate[i];
        }
    }
}

static inline void hol_frame_stop(HolFrame *f)
{
    memset(f->v, 0, sizeof f->v);
    memset(f->w, 0, sizeof f->w);
    if (f->is_natural)
        memset(f->Rdot, 0, sizeof f->Rdot);
}

/* Gives one of two bodies the unit velocity j of its v, and the other none. */
static inline void hol_frames_move_along(HolFrame frames[2], int side, int j)
{
    HolFrame *f = &frames[side];
    hol_frame_stop(&frames[0]);
    hol_frame_stop(&frames[1]);
    if (j < 3)
        f->v[j] = 1;
    else if (f->is_natural)
        f->Rdot[j % 3][j / 3 - 1] = 1;
    else
        f->w[j - 3] = 1;
}

#endif
