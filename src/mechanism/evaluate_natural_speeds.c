/* SPDX-License-Identifier: BSD-3-Clause */
/* Velocity rows (evaluate_velocities.c) on rigid bodies of the plane in natural coordinates, read from q = (x, y, c, s)
 * itself, without frames. The force F and the moment N about the centre of a body, of size one along a speed, have
 *
 *     g = (F, N (-s, c)),     gdot = (Fdot, Ndot (-s, c) + N (-sdot, cdot))                                   (1)
 *
 * Vectors of the plane carry their rates, as those of moving.h do. */
#include "mechanism/evaluate.h"

#include <math.h>

typedef struct Flat {
    double x, y, xdot, ydot;
} Flat;

typedef struct Moment {
    double N, Ndot;
} Moment;

static const double ORIGIN[4] = {0, 0, 1, 0}, REST[4] = {0};

bool hol_natural_speed_is_plain(const HolSpeed *speed)
{
    return speed->type != HOL_SPEED_MEASURE;
}

/* A mark: [r] + s_1 (c, s) + s_2 (-s, c) */
static Flat follow(const HolMark *mark, const double *q, const double *v)
{
    double a = mark->s[0], b = mark->s[1], r = mark->is_point ? 1 : 0;
    return (Flat){r * q[0] + a * q[2] - b * q[3], r * q[1] + a * q[3] + b * q[2], r * v[0] + a * v[2] - b * v[3],
                  r * v[1] + a * v[3] + b * v[2]};
}

/* Across an edge, of length one. */
static Flat sideways(Flat e)
{
    double square = e.x * e.x + e.y * e.y, inverse = 1 / sqrt(square);
    double rate = -(e.x * e.xdot + e.y * e.ydot) / square * inverse;
    return (Flat){-e.y * inverse, e.x * inverse, -e.ydot * inverse - e.y * rate, e.xdot * inverse + e.x * rate};
}

/* (p - r) x F */
static Moment moment_of(Flat p, const double *q, const double *v, Flat F)
{
    double x = p.x - q[0], y = p.y - q[1], xdot = p.xdot - v[0], ydot = p.ydot - v[1];
    return (Moment){x * F.y - y * F.x, xdot * F.y + x * F.ydot - ydot * F.x - y * F.xdot};
}

/* Where a mark's body is, and how it moves. */
typedef struct Place {
    const double *q, *v;
} Place;

static Place place_of(const HolPoint *at, int body)
{
    return body ? (Place){at->q + 4 * (body - 1), at->v + 4 * (body - 1)} : (Place){ORIGIN, REST};
}

static Flat follow_mark(const HolPoint *at, const HolMark *mark)
{
    Place place = place_of(at, mark->body);
    return follow(mark, place.q, place.v);
}

static Flat direction_of(const HolPoint *at, const HolSpeed *speed)
{
    Flat T = follow_mark(at, &speed->along);
    if (speed->type != HOL_SPEED_SIDEWAYS)
        return T;
    T = sideways(T);
    double sign = speed->normal.s[2] < 0 ? -1 : 1;
    return (Flat){sign * T.x, sign * T.y, sign * T.xdot, sign * T.ydot};
}

/* (1) of one body, times the factor of the speed; returns gdot . v */
static double add_side(const HolPoint *at, const HolSpeed *speed, int side, Flat T, Flat p, double *D)
{
    Place place = place_of(at, speed->body[side]);
    double k = side ? speed->k : -speed->k;
    const double *q = place.q, *v = place.v;
    Flat F = {k * T.x, k * T.y, k * T.xdot, k * T.ydot};
    Moment M = moment_of(p, q, v, F);
    if (speed->type == HOL_SPEED_TURNING) {
        double axis = speed->along.s[2];
        F = (Flat){0};
        M = (Moment){k * axis, 0};
    }
    const double g[4] = {F.x, F.y, -M.N * q[3], M.N * q[2]};
    for (int i = 0; D && i < 4; ++i)
        D[i] += g[i];
    return F.xdot * v[0] + F.ydot * v[1] + M.Ndot * (q[2] * v[3] - q[3] * v[2]);
}

static double add_speed(const HolMotion *motion, const HolPoint *at, const HolVelocityRow *row, const HolSpeed *speed,
                        bool writes)
{
    Flat T = direction_of(at, speed), p = follow_mark(at, &speed->point);
    double bias = 0;
    for (int side = 0; side < 2; ++side)
        if (speed->body[side] > 0) {
            double *D = writes ? hol_row_in_D(motion, row->group, row->row, speed->body[side]) : NULL;
            bias += add_side(at, speed, side, T, p, D);
        }
    return bias;
}

void hol_natural_speeds(const HolMechanism *mechanism, const HolPoint *at, unsigned want, HolTerms *terms)
{
    HolMotion motion = {.mechanism = mechanism, .t = at->t, .terms = terms};
    bool writes = want & HOL_WANT_JACOBIAN;
    for (int r = 0; r < mechanism->velocity_row_count; ++r) {
        const HolVelocityRow *row = &mechanism->velocity_rows[r];
        HolJet f = hol_function_at(&row->f, at->t);
        double bias = 0;
        if (want & HOL_WANT_NU)
            terms->nu[row->row] = f.f;
        if (writes)
            hol_velocity_row_clear(&motion, row);
        for (int i = 0; i < row->speed_count && (want & (HOL_WANT_JACOBIAN | HOL_WANT_GAMMA)); ++i)
            bias += add_speed(&motion, at, row, &mechanism->speeds[row->first_speed + i], writes);
        if (want & HOL_WANT_GAMMA)
            terms->gamma[row->row] = f.d - bias;
    }
}
