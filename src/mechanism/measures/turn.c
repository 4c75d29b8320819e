/* SPDX-License-Identifier: BSD-3-Clause */
/* The angle between two planar bodies. */
#include "math/kernels.h"
#include "mechanism/kinematics/measure.h"

#include <math.h>
#include <string.h>

/* phi = atan2(s, c) of one body in natural coordinates, sign times: gradient, rate and bias. */
static void turn_add_natural(const HolFrame *f, double sign, bool rates, double *g, HolGauge *gauge)
{
    double c = f->R[0][0], s = f->R[1][0], n = c * c + s * s;
    g[3] = -sign * s / n;
    g[4] = sign * c / n;
    if (!rates || !f->is_natural)
        return;
    double cdot = f->Rdot[0][0], sdot = f->Rdot[1][0], rate = (c * sdot - s * cdot) / n;
    gauge->rate += sign * rate;
    gauge->bias -= sign * 2 * rate * (c * cdot + s * sdot) / n;
}

static void turn_differentiate_natural(const HolMeasure *measure, const HolFrame *frames, bool rates, HolGauge *gauge)
{
    gauge->value = gauge->rate = gauge->bias = 0;
    memset(gauge->g, 0, sizeof gauge->g);
    turn_add_natural(&frames[measure->body[0]], -1, rates, gauge->g[0], gauge);
    turn_add_natural(&frames[measure->body[1]], 1, rates, gauge->g[1], gauge);
}

/* Angles are known modulo a turn only: the value is between -pi and pi. */
static void turn_read_natural(const HolMeasure *measure, const HolFrame *frames, bool rates, HolGauge *gauge)
{
    const HolFrame *a = &frames[measure->body[0]], *b = &frames[measure->body[1]];
    double turn = atan2(b->R[1][0], b->R[0][0]) - atan2(a->R[1][0], a->R[0][0]) - measure->scale;
    turn_differentiate_natural(measure, frames, rates, gauge);
    gauge->value = remainder(turn, 2 * M_PI);
}

static bool turn_is_natural(const HolMeasure *measure, const HolFrame *frames)
{
    return frames[measure->body[0]].is_natural || frames[measure->body[1]].is_natural;
}

HOL_CLONES static void turn_read(const HolMeasure *measure, const HolFrame *frames, const double *phi, bool rates,
                                 HolGauge *gauge)
{
    int a = measure->body[0], b = measure->body[1];
    if (turn_is_natural(measure, frames)) {
        turn_read_natural(measure, frames, rates, gauge);
        return;
    }
    gauge->value = phi[b] - phi[a] - measure->scale;
    for (int i = 0; i < 5; ++i)
        gauge->g[0][i] = gauge->g[1][i] = 0;
    gauge->g[0][5] = -1;
    gauge->g[1][5] = 1;
    if (!rates)
        return;
    gauge->rate = frames[b].w[2] - frames[a].w[2];
    gauge->bias = 0;
}

static void turn_differentiate(const HolMeasure *measure, const HolFrame *frames, const double *phi, bool rates,
                               HolGauge *gauge)
{
    if (turn_is_natural(measure, frames))
        turn_differentiate_natural(measure, frames, rates, gauge);
    else
        turn_read(measure, frames, phi, rates, gauge);
}

/* The second derivatives of phi = atan2(s, c) of one body. */
static void turn_add_second(const HolFrame *f, double factor, double *K)
{
    double c = f->R[0][0], s = f->R[1][0], n = c * c + s * s, a = factor / (n * n);
    if (!f->is_natural)
        return;
    K[HOL_WIDE * 3 + 3] += a * 2 * c * s;
    K[HOL_WIDE * 4 + 4] -= a * 2 * c * s;
    K[HOL_WIDE * 3 + 4] += a * (s * s - c * c);
    K[HOL_WIDE * 4 + 3] += a * (s * s - c * c);
}

static void turn_add_hessian(const HolMeasure *measure, const HolFrame *frames, double factor, HolBlocks K)
{
    turn_add_second(&frames[measure->body[0]], -factor, K[0][0]);
    turn_add_second(&frames[measure->body[1]], factor, K[1][1]);
}

const HolMeasureKind hol_measure_turn = {
    .name = "turn",
    .conjugate = HOL_MOMENT,
    .is_angle = true,
    .read = turn_read,
    .differentiate = turn_differentiate,
    .add_hessian = turn_add_hessian,
};
