/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanism/kinematics/rotation.h"

#include "base/tolerances.h"

#include <math.h>
#include <string.h>

void hol_rotation_between(const double *e_a, const double *e_b, double *theta)
{
    double cosine = e_a[0] * e_b[0] + hol_dot3(e_a + 1, e_b + 1);
    hol_cross3(e_b + 1, e_a + 1, theta);
    for (int i = 0; i < 3; ++i)
        theta[i] = 2 * (theta[i] + e_a[0] * e_b[1 + i] - e_b[0] * e_a[1 + i]) / cosine;
}

void hol_rotation_along(const double *e_a, const double *theta, double *e_b)
{
    const double x[3] = {theta[0] / 2, theta[1] / 2, theta[2] / 2};
    double scale = 1 / sqrt((1 + hol_dot3(x, x)) * (e_a[0] * e_a[0] + hol_dot3(e_a + 1, e_a + 1))), across[3];
    const double a[4] = {e_a[0], e_a[1], e_a[2], e_a[3]};
    hol_cross3(a + 1, x, across);
    e_b[0] = scale * (a[0] - hol_dot3(a + 1, x));
    for (int i = 0; i < 3; ++i)
        e_b[1 + i] = scale * (a[1 + i] + a[0] * x[i] + across[i]);
}

/* R = |e|^2 times a rotation; see frame.h. */
void hol_frame_place(HolFrame *frame, const double *r, const double *e)
{
    double e00 = e[0] * e[0], e11 = e[1] * e[1], e22 = e[2] * e[2], e33 = e[3] * e[3];
    *frame = (HolFrame){
        .r = {r[0], r[1], r[2]},
        .R = {{e00 + e11 - e22 - e33, 2 * (e[1] * e[2] - e[0] * e[3]), 2 * (e[1] * e[3] + e[0] * e[2])},
              {2 * (e[1] * e[2] + e[0] * e[3]), e00 - e11 + e22 - e33, 2 * (e[2] * e[3] - e[0] * e[1])},
              {2 * (e[1] * e[3] - e[0] * e[2]), 2 * (e[2] * e[3] + e[0] * e[1]), e00 - e11 - e22 + e33}},
    };
}

/* Takes the largest of the four from the diagonal and divides by it, so that no divisor is small. */
void hol_quaternion_of_axes(double axes[3][3], double e[4])
{
    double x = axes[0][0], y = axes[1][1], z = axes[2][2];
    const double four[4] = {1 + x + y + z, 1 + x - y - z, 1 - x + y - z, 1 - x - y + z}; /* 4 e_i^2 */
    int largest = 0;
    for (int i = 1; i < 4; ++i)
        if (four[i] > four[largest])
            largest = i;
    double difference[3] = {axes[1][2] - axes[2][1], axes[2][0] - axes[0][2], axes[0][1] - axes[1][0]}; /* 4 e0 ei */
    double sum[3] = {axes[1][2] + axes[2][1], axes[2][0] + axes[0][2], axes[0][1] + axes[1][0]};        /* 4 ej ek */
    double root = 2 * sqrt(four[largest]);
    for (int i = 0; i < 4; ++i) {
        if (i == largest)
            e[i] = four[largest] / root;
        else if (i == 0 || largest == 0)
            e[i] = difference[i + largest - 1] / root;
        else
            e[i] = sum[(6 - i - largest) - 1] / root;
    }
    if (e[0] < 0)
        for (int i = 0; i < 4; ++i)
            e[i] = -e[i];
}

bool hol_axes_from(const double *x, const double *y, double axes[3][3])
{
    double along = hol_dot3(x, y);
    for (int i = 0; i < 3; ++i) {
        axes[0][i] = x[i];
        axes[1][i] = y[i] - along * x[i];
    }
    double length = sqrt(hol_dot3(axes[1], axes[1]));
    for (int i = 0; i < 3; ++i)
        axes[1][i] /= length;
    hol_cross3(axes[0], axes[1], axes[2]);
    return length > HOL_TOL_PARALLEL;
}

/* Four numbers, which need not be normalised. */
static bool rotation_read_parameters(HolReader *reader, const HolNode *node, double e[4])
{
    if (!hol_read_list(reader, node, 4, "a list of 4 Euler parameters [e0, e1, e2, e3]"))
        return false;
    const HolNode *entry = node->first;
    double square = 0;
    for (int i = 0; i < 4; ++i, entry = entry->next) {
        if (!hol_read_number(reader, entry, "", &e[i]))
            return false;
        square += e[i] * e[i];
    }
    if (fabs(square - 1) > HOL_TOL_SMALL)
        return hol_reader_error(reader, node->place, "Euler parameters must have length 1, not %.6g", sqrt(square));
    for (int i = 0; i < 4; ++i)
        e[i] /= sqrt(square);
    return true;
}

typedef struct Words {
    double axis[3], angle, x[3], y[3];
} Words;

static const HolField words[] = {
    {"axis", HOL_FIELD_DIRECTION, offsetof(Words, axis), .help = "of the turn"},
    {"angle", HOL_FIELD_NUMBER, offsetof(Words, angle), .unit = "rad", .help = "of the turn"},
    {"x", HOL_FIELD_DIRECTION, offsetof(Words, x), .help = "where the body x axis points"},
    {"y", HOL_FIELD_DIRECTION, offsetof(Words, y), .help = "where the body y axis points"},
};
enum { TURN = 3, AXES = 12 };

static bool read_words(HolReader *reader, const HolNode *node, double e[4])
{
    Words w = {0};
    double axes[3][3];
    uint64_t given = hol_read_fields(reader, node, words, 4, &w);
    if (given == TURN) {
        e[0] = cos(w.angle / 2);
        for (int i = 0; i < 3; ++i)
            e[1 + i] = sin(w.angle / 2) * w.axis[i];
        return true;
    }
    if (given == AXES && hol_axes_from(w.x, w.y, axes)) {
        hol_quaternion_of_axes(axes, e);
        return true;
    }
    if (given == AXES)
        hol_reader_error(reader, node->place, "the directions x and y are parallel");
    else if (reader->named != TURN && reader->named != AXES) /* else already reported */
        hol_reader_error(reader, node->place, "an orientation needs {axis: ..., angle: ...} or {x: ..., y: ...}");
    return false;
}

static bool read_angle(HolReader *reader, const HolNode *node, double e[4], double *phi)
{
    if (!hol_read_number(reader, node, "rad", phi))
        return false;
    const double turned[4] = {cos(*phi / 2), 0, 0, sin(*phi / 2)};
    memcpy(e, turned, sizeof turned);
    return true;
}

bool hol_read_orientation(HolReader *reader, const HolNode *node, double e[4], double *phi)
{
    reader->field = node->key;
    bool ok = reader->planar          ? read_angle(reader, node, e, phi)
              : node->type == HOL_MAP ? read_words(reader, node, e)
                                      : rotation_read_parameters(reader, node, e);
    reader->field = NULL;
    return ok;
}

void hol_triad_complete(const double *a, double *n1, double *n2)
{
    int least = fabs(a[0]) <= fabs(a[1]) ? 0 : 1;
    if (fabs(a[2]) < fabs(a[least]))
        least = 2;
    double unit[3] = {0};
    unit[least] = 1;
    hol_cross3(a, unit, n1);
    double length = sqrt(hol_dot3(n1, n1));
    for (int i = 0; i < 3; ++i)
        n1[i] /= length;
    hol_cross3(a, n1, n2);
}
