/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows that keep given initial values of a body during assembly. A row of D has one constant entry, but for the
 * orientation in space: its error is p = conj(e_target) * e, which is (1, 0) at the target:
 *
 *     Phi = 2 p_v,   D = p_0 I + p_v~,   gamma = w^2 p_v / 2                                               (1)
 *
 * from pdot = p * (0, w)/2. Its row i as a force is p_0 e_i - p_v x e_i.                                   (2) */
#include "mechanism/evaluate/evaluate.h"

static void orientation_error(const double *target, const double *e, double *p)
{
    p[0] = target[0] * e[0] + hol_dot3(target + 1, e + 1);
    hol_cross3(e + 1, target + 1, p + 1);
    for (int i = 1; i < 4; ++i)
        p[i] += target[0] * e[i] - e[0] * target[i];
}

/* (2) */
static void holds_force_of(const double *p, int axis, double *force)
{
    const double unit[3] = {axis == 0, axis == 1, axis == 2};
    hol_cross3(unit, p + 1, force);
    force[axis] += p[0];
}

/* (1) */
static void hold_orientation(const HolMotion *motion, const HolHoldRow *hold, const double *e, unsigned want)
{
    HolTerms *terms = motion->terms;
    double p[4];
    orientation_error(hold->e, e, p);
    if (want & HOL_WANT_PHI)
        terms->Phi[hold->row] = 2 * p[1 + hold->axis];
    if (want & HOL_WANT_JACOBIAN)
        holds_force_of(p, hold->axis, hol_row_in_D(motion, hold->group, hold->row, hold->body) + 3);
    if (want & HOL_WANT_GAMMA) {
        const double *w = motion->frames[hold->body].w;
        terms->gamma[hold->row] = 0.5 * hol_dot3(w, w) * p[1 + hold->axis];
    }
}

/* The coordinate of the body that a constant row keeps. */
static int held_coordinate(const HolHoldRow *hold, bool planar)
{
    bool turns = hold->type == HOL_HOLD_ORIENTATION || hold->type == HOL_HOLD_TURNING;
    if (!turns)
        return hold->axis;
    return planar ? 2 : 3 + hold->axis;
}

static void hold_coordinate(const HolMotion *motion, const HolHoldRow *hold, const double *q, unsigned want)
{
    HolTerms *terms = motion->terms;
    int i = held_coordinate(hold, motion->mechanism->planar);
    bool of_velocity = hold->type == HOL_HOLD_VELOCITY || hold->type == HOL_HOLD_TURNING;
    if ((want & HOL_WANT_PHI) && !of_velocity)
        terms->Phi[hold->row] = q[i] - hold->target;
    if (want & HOL_WANT_JACOBIAN)
        hol_row_in_D(motion, hold->group, hold->row, hold->body)[i] = 1;
    if ((want & HOL_WANT_NU) && of_velocity)
        terms->nu[hold->row] = hold->target;
}

void hol_held_values_evaluate(const HolMotion *motion, const HolPoint *at, unsigned want)
{
    const HolMechanism *mechanism = motion->mechanism;
    int nq = mechanism->planar ? HOL_PLANAR_NQ : HOL_SPATIAL_NQ;
    for (int k = 0; k < mechanism->hold_row_count; ++k) {
        const HolHoldRow *hold = &mechanism->hold_rows[k];
        const double *q = at->q + nq * (hold->body - 1);
        if (hold->type == HOL_HOLD_ORIENTATION && !mechanism->planar)
            hold_orientation(motion, hold, q + 3, want);
        else
            hold_coordinate(motion, hold, q, want);
    }
}

/* Column j of K is -lambda times the change of (2) under pdot = p * (0, e_j)/2. */
static void add_orientation(const HolHoldRow *hold, const double *e, double lambda, double *K)
{
    double p[4], change[4], force[3];
    orientation_error(hold->e, e, p);
    for (int j = 0; j < 3; ++j) {
        const double half[3] = {0.5 * (j == 0), 0.5 * (j == 1), 0.5 * (j == 2)};
        change[0] = -0.5 * p[1 + j];
        hol_cross3(p + 1, half, change + 1);
        change[1 + j] += 0.5 * p[0];
        holds_force_of(change, hold->axis, force);
        for (int i = 0; i < 3; ++i)
            K[6 * (3 + i) + 3 + j] -= lambda * force[i];
    }
}

void hol_held_values_add_tangent(const HolMotion *motion, const HolPoint *at, const double *lambda)
{
    const HolMechanism *mechanism = motion->mechanism;
    for (int k = 0; k < mechanism->hold_row_count && !mechanism->planar; ++k) {
        const HolHoldRow *hold = &mechanism->hold_rows[k];
        int b = hold->body - 1, place = hol_place_in_tangent(motion->terms->pattern, b, b);
        if (hold->type == HOL_HOLD_ORIENTATION)
            add_orientation(hold, at->q + HOL_SPATIAL_NQ * b + 3, lambda[hold->row], motion->terms->K + place);
    }
}
