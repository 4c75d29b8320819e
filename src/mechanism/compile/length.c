/* SPDX-License-Identifier: BSD-3-Clause */
/* The size of a mechanism, which its lengths are compared with: the longest side of the box around all that is drawn,
 * the points of the model, the bodies and the places of the joints. Where all of these are at one place it is the
 * largest radius of gyration.
 *
 * And its lever arm, by which rotations are compared with translations: the geometric mean of the distances of joints
 * from the origins of their bodies, and of the elements of beams. A long chain of small bodies has a small one. */
#include "base/tolerances.h"
#include "linalg/block/blocks.h"
#include "mechanism/compile/compile.h"
#include "mechanism/motion.h"

#include <math.h>

typedef struct Box {
    double least[3], most[3];
} Box;

static void box_add(Box *box, const double *x)
{
    for (int i = 0; i < 3; ++i) {
        box->least[i] = fmin(box->least[i], x[i]);
        box->most[i] = fmax(box->most[i], x[i]);
    }
}

static double radius_of_gyration(const HolMechanism *m)
{
    double largest = 0;
    for (int i = 0; i < m->body_count; ++i)
        for (int k = 0; k < 3 && m->bodies[i].mass > 0; ++k)
            largest = fmax(largest, sqrt(m->bodies[i].J[k][k] / m->bodies[i].mass));
    return largest;
}

/* From the origin of a body to a joint at x; at most `near` counts as none. */
static void arm_add(const HolMechanism *m, int body, const double *x, double near, double *sum, int *count)
{
    if (body == 0 || m->bodies[body - 1].form == HOL_DIRECTION)
        return;
    const double *r = m->bodies[body - 1].r;
    double arm = hypot(hypot(x[0] - r[0], x[1] - r[1]), x[2] - r[2]);
    if (!(arm > near) || !isfinite(arm))
        return;
    *sum += log2(arm);
    ++*count;
}

static double lever_arm(const HolBuilder *builder)
{
    const HolMechanism *m = builder->mechanism;
    double sum = 0, x[3];
    int count = 0;
    for (int i = 0; i < m->joint_count; ++i) {
        if (m->joints[i].is_broken || !m->joints[i].place.is_point)
            continue;
        hol_mark_value(builder->frames, &m->joints[i].place, x);
        for (int k = 0; k < 2; ++k)
            arm_add(m, m->joints[i].body[k], x, HOL_TOL_LENGTH * m->length, &sum, &count);
    }
    for (int i = 0; i < m->beam_count; ++i) {
        sum += m->beams[i].element_count * log2(m->beams[i].length / m->beams[i].element_count);
        count += m->beams[i].element_count;
    }
    return count > 0 && isfinite(sum) ? exp2(sum / count) : m->length;
}

void hol_compile_length(HolBuilder *builder)
{
    HolMechanism *m = builder->mechanism;
    const HolReader *reader = builder->reader;
    Box box = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    double length = 0, x[3];
    for (int i = 0; i < hol_names_count(reader->points); ++i)
        if (reader->point_is_known[i])
            box_add(&box, reader->point_at[i]);
    for (int i = 0; i < m->body_count; ++i)
        if (m->bodies[i].form != HOL_DIRECTION)
            box_add(&box, m->bodies[i].r);
    for (int i = 0; i < m->joint_count; ++i)
        if (!m->joints[i].is_broken && m->joints[i].place.is_point) {
            hol_mark_value(builder->frames, &m->joints[i].place, x);
            box_add(&box, x);
        }
    for (int i = 0; i < 3; ++i)
        length = fmax(length, box.most[i] - box.least[i]);
    m->length = length > 0 ? length : radius_of_gyration(m);
    if (!isfinite(m->length)) /* overflow is reported elsewhere */
        m->length = 0;
    /* An ordinary machine is measured in metres throughout: two units that differ make rows hard to compare. */
    m->arm = hol_magnitude(m->length) == 1 ? 1 : lever_arm(builder);
}
