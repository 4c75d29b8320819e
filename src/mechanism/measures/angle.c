/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanism/kinematics/measure.h"

#include <math.h>
#include <string.h>

/* atan2(c_1, c_0) with c_0 = x_0 . x_2, c_1 = x_1 . x_2; where both vanish the gradient is taken as zero. */
static void angle_form(const HolMeasure *measure, const double x[][3], HolMeasureForm *f)
{
    (void)measure;
    double c0 = hol_dot3(x[0], x[2]), c1 = hol_dot3(x[1], x[2]), square = c0 * c0 + c1 * c1;
    double inverse = square > 0 ? 1 / square : 0, a0 = -c1 * inverse, a1 = c0 * inverse;
    f->value = atan2(c1, c0);
    for (int i = 0; i < 3; ++i) {
        f->G[0][i] = a0 * x[2][i];
        f->G[1][i] = a1 * x[2][i];
        f->G[2][i] = a0 * x[0][i] + a1 * x[1][i];
    }
    f->pair_count = 2;
    f->pair[0] = (HolMarkPair){0, 2, a0};
    f->pair[1] = (HolMarkPair){1, 2, a1};
    f->rank = 2;
    f->h[0][0] = -2 * a0 * a1;
    f->h[1][1] = 2 * a0 * a1;
    f->h[0][1] = f->h[1][0] = a0 * a0 - a1 * a1;
    memset(f->c, 0, sizeof f->c);
    memcpy(f->c[0][0], x[2], sizeof x[2]);
    memcpy(f->c[0][2], x[0], sizeof x[0]);
    memcpy(f->c[1][1], x[2], sizeof x[2]);
    memcpy(f->c[1][2], x[1], sizeof x[1]);
}

const HolMeasureKind hol_measure_angle = {
    .name = "angle",
    .mark_count = 3,
    .side = {0, 0, 1},
    .conjugate = HOL_MOMENT,
    .is_angle = true,
    .form = angle_form,
};
