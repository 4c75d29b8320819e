/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanism/kinematics/measure.h"

#include <string.h>

static void dot_form(const HolMeasure *measure, const double x[][3], HolMeasureForm *f)
{
    (void)measure;
    memcpy(f->G[0], x[1], sizeof x[1]);
    memcpy(f->G[1], x[0], sizeof x[0]);
    f->value = hol_dot3(x[0], x[1]);
    f->pair_count = 1;
    f->pair[0] = (HolMarkPair){0, 1, 1};
}

const HolMeasureKind hol_measure_dot = {
    .name = "dot",
    .mark_count = 2,
    .side = {0, 1},
    .conjugate = HOL_MOMENT,
    .form = dot_form,
};
