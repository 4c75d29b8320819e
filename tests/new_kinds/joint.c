/* SPDX-License-Identifier: BSD-3-Clause */
/* A joint with a measure of its own: a point of the second body keeps its distance |c| from a plane of the first,
 *
 *     mu = c^2 / (2 s),   c = x_0 . (x_2 - x_1),   s = |c| as drawn                                        (1) */
#include "mechanism/joints/rows.h"

#include <math.h>

#ifdef HOLON_WRONG_DERIVATIVE
enum { TERMS = 1 };
#else
enum { TERMS = 2 };
#endif

static void form(const HolMeasure *measure, const double x[][3], HolMeasureForm *form)
{
    const double d[3] = {x[2][0] - x[1][0], x[2][1] - x[1][1], x[2][2] - x[1][2]};
    double c = hol_dot3(x[0], d), slope = c / measure->scale;
    form->value = c * slope / 2;
    for (int i = 0; i < 3; ++i) {
        const double gradient[3] = {d[i], -x[0][i], x[0][i]};
        for (int k = 0; k < 3; ++k) {
            form->c[0][k][i] = gradient[k];
            form->G[k][i] = slope * gradient[k];
        }
    }
    form->rank = 1;
    form->h[0][0] = 1 / measure->scale;
    form->pair_count = TERMS;
    form->pair[0] = (HolMarkPair){0, 1, -slope};
    form->pair[1] = (HolMarkPair){0, 2, slope};
}

static const HolMeasureKind from_plane = {
    .name = "distance from a plane",
    .mark_count = 3,
    .side = {0, 0, 1},
    .is_point = {false, true, true},
    .conjugate = HOL_FORCE_ALONG_DIRECTION,
    .form = form,
};

typedef struct Values {
    HolJointValues joint;
    double through[3];
} Values;

static void plane_distance_build(HolBuilder *builder, const HolPart *part, const void *values)
{
    const HolJointValues *v = values;
    const double *through = ((const Values *)values)->through;
    const double d[3] = {v->at[0] - through[0], v->at[1] - through[1], v->at[2] - through[2]};
    double c = fabs(hol_dot3(v->axis, d));
    if (!(c > 0)) {
        hol_reader_error(builder->reader, hol_part_place(part, "at"), "the point lies in the plane");
        return;
    }
    hol_joint_connects(builder, v->body[0], v->body[1], v->at);
    hol_joint_axis(builder, v->axis);
    int measure =
        hol_measure_add(builder, &from_plane, v->body[0], v->body[1], c, (const double *[]){v->axis, through, v->at});
    hol_row_equals(builder, measure, c / 2, "distance from the plane");
}

static const HolField fields[] = {
    HOL_CONNECTS("plane-distance"),
    HOL_AT,
    HOL_AXIS(HOL_EVERYWHERE),
    {"through", HOL_FIELD_POINT, offsetof(Values, through), .needed = true, .unit = "m",
     .help = "a point of the plane"},
    HOL_JOINT_FIELDS,
};

static const HolSample samples[] = {
    {"{plane-distance: [a, b], at: Q, axis: [1, 2], through: P}", HOL_IN_PLANE, 1, 0},
    {"{plane-distance: [a, b], at: Q, axis: [1, 2, 3], through: O}", HOL_IN_SPACE, 1, 0},
};

const HolJointKind hol_plane_distance = {
    .kind = {"plane-distance", "a point of the second body keeps its distance from a plane of the first",
             "[body, body]", HOL_EVERYWHERE, HOL_FIELDS(fields, Values), HOL_SAMPLES(samples)},
    .build = plane_distance_build,
};
