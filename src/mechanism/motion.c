/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanism/motion.h"

#include "mechanism/evaluate.h"

#include <float.h>
#include <math.h>

void hol_motion_add_block(const HolMotion *motion, double *matrix, int at, int row_body, int column_body,
                          const double *block)
{
    const HolBody *bodies = motion->mechanism->bodies;
    if (at >= 0)
        hol_layout_add_block(bodies[row_body - 1].layout, bodies[column_body - 1].layout, block, matrix + at);
}

/* ---- Potentials along a chord ---- */

static const double ROUNDINGS = 8; /* that a miss may be explained by */

double hol_mean_slope(double l_a, double l_b, double V_a, double V_b, double in_middle)
{
    double dl = l_b - l_a, miss = V_b - V_a - in_middle * dl;
    double size = fabs(V_a) + fabs(V_b) + fabs(in_middle * dl);
    return dl != 0 && fabs(miss) > ROUNDINGS * DBL_EPSILON * size ? in_middle + miss / dl : in_middle;
}

/* g . delta and |delta|^2 of one body's coordinates are added up; size: of what the former is made of. */
static void follow(const HolChordMotion *chord, int body, const double *g, double *along, double *size, double *square)
{
    double of_body[HOL_WIDE] = {0};
    if (body == 0)
        return;
    const HolLayout *layout = chord->middle.mechanism->bodies[body - 1].layout;
    int start = chord->middle.terms->pattern->block_start[body - 1];
    hol_layout_add(layout, 1, g, of_body);
    for (int i = 0; i < layout->nv; ++i) {
        double delta = chord->q_b[start + i] - chord->q_a[start + i];
        *along += of_body[i] * delta;
        *size += fabs(of_body[i] * delta);
        *square += delta * delta;
    }
}

static void push_along(const HolChordMotion *chord, int body, double factor)
{
    if (body == 0)
        return;
    int start = chord->middle.terms->pattern->block_start[body - 1];
    for (int i = 0; i < chord->middle.mechanism->bodies[body - 1].layout->nv; ++i)
        chord->middle.terms->Q[start + i] += factor * (chord->q_b[start + i] - chord->q_a[start + i]);
}

void hol_chord_push(const HolChordMotion *chord, const HolChordLaw *law)
{
    static const double JUMP = 3; /* an angle that passes half a turn: nothing can be exact there */
    double f = law->mean, sum = law->l_a + law->l_b, factor = f;
    double dl = law->l_b - law->l_a, along = 0, size = fabs(law->l_a) + fabs(law->l_b), square = 0;
    for (int i = 0; i < 2; ++i)
        follow(chord, law->body[i], law->middle->g[i], &along, &size, &square);
    if (law->is_angle && fabs(dl - along) > JUMP)
        return;
    if (law->is_length)
        factor = sum > 0 ? 2 * f * law->middle->value / sum : 0;
    for (int i = 0; i < 2; ++i)
        hol_motion_push(&chord->middle, law->body[i], law->applied - factor, law->middle->g[i]);
    if (law->is_length || fabs(dl - along) <= ROUNDINGS * DBL_EPSILON * size || !(square > 0))
        return;
    for (int i = 0; i < 2; ++i)
        push_along(chord, law->body[i], -f * (dl - along) / square);
}

int hol_place_in_D(const HolPattern *pattern, int group, int block)
{
    for (int p = pattern->group_pairs[group]; p < pattern->group_pairs[group + 1]; ++p)
        if (pattern->pairs[p].column == block)
            return pattern->pair_start[p];
    return -1;
}

/* The tangents are sorted by row, then by column. */
int hol_place_in_tangent(const HolPattern *pattern, int row, int column)
{
    int low = 0, high = pattern->tangent_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        HolPair pair = pattern->tangents[middle];
        if (pair.row < row || (pair.row == row && pair.column < column))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == pattern->tangent_count)
        return -1;
    HolPair found = pattern->tangents[low];
    return found.row == row && found.column == column ? pattern->tangent_start[low] : -1;
}

double *hol_row_in_D(const HolMotion *motion, int group, int row, int body)
{
    const HolPattern *pattern = motion->terms->pattern;
    int place = body == 0 ? -1 : hol_place_in_D(pattern, group, body - 1);
    if (place < 0)
        return NULL;
    return motion->terms->D + place +
           motion->mechanism->bodies[body - 1].layout->nv * (row - pattern->group_start[group]);
}
