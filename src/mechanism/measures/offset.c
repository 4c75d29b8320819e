/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanism/kinematics/measure.h"

static void offset_form(const HolMeasure *measure, const double x[][3], HolMeasureForm *f)
{
    (void)measure;
    for (int i = 0; i < 3; ++i) {
        f->G[0][i] = x[2][i] - x[1][i];
        f->G[1][i] = -x[0][i];
        f->G[2][i] = x[0][i];
    }
    f->value = hol_dot3(x[0], f->G[0]);
    f->pair_count = 2;
    f->pair[0] = (HolMarkPair){0, 1, -1};
    f->pair[1] = (HolMarkPair){0, 2, 1};
}

const HolMeasureKind hol_measure_offset = {
    .name = "offset",
    .mark_count = 3,
    .side = {0, 0, 1},
    .is_point = {false, true, true},
    .conjugate = HOL_FORCE_ALONG_DIRECTION,
    .form = offset_form,
};
