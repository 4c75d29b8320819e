/* SPDX-License-Identifier: BSD-3-Clause */
/* The distance of two points, as a length and as a square. */
#include "mechanism/kinematics/measure.h"

#include <math.h>
#include <string.h>

/* G_1 = a (x_1 - x_0) = -G_0. */
static void distance_form(double a, const double *d, HolMeasureForm *f)
{
    for (int i = 0; i < 3; ++i) {
        f->G[1][i] = a * d[i];
        f->G[0][i] = -a * d[i];
    }
    f->pair_count = 3;
    f->pair[0] = (HolMarkPair){0, 0, a};
    f->pair[1] = (HolMarkPair){1, 1, a};
    f->pair[2] = (HolMarkPair){0, 1, -a};
}

static void square_form(const HolMeasure *measure, const double x[][3], HolMeasureForm *f)
{
    const double d[3] = {x[1][0] - x[0][0], x[1][1] - x[0][1], x[1][2] - x[0][2]};
    f->value = hol_dot3(d, d) / (2 * measure->scale);
    distance_form(1 / measure->scale, d, f);
}

/* Points that coincide have no direction between them: the gradient is then taken as zero. */
static void length_form(const HolMeasure *measure, const double x[][3], HolMeasureForm *f)
{
    (void)measure;
    const double d[3] = {x[1][0] - x[0][0], x[1][1] - x[0][1], x[1][2] - x[0][2]};
    f->value = sqrt(hol_dot3(d, d));
    double a = f->value > 0 ? 1 / f->value : 0;
    distance_form(a, d, f);
    f->rank = 1;
    f->h[0][0] = -a;
    memcpy(f->c[0], f->G, 2 * sizeof f->G[0]);
}

const HolMeasureKind hol_measure_length = {
    .name = "length",
    .mark_count = 2,
    .side = {0, 1},
    .is_point = {true, true},
    .conjugate = HOL_FORCE_ALONG_LINE,
    .is_length = true,
    .form = length_form,
};

const HolMeasureKind hol_measure_square = {
    .name = "square",
    .mark_count = 2,
    .side = {0, 1},
    .is_point = {true, true},
    .conjugate = HOL_FORCE_ALONG_LINE,
    .form = square_form,
};
