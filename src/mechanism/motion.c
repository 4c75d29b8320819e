/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanism/motion.h"

#include "base/tolerances.h"
#include "mechanism/kinematics/rotation.h"

#include <math.h>

void hol_motion_add_block(const HolMotion *motion, double *matrix, int at, int row_body, int column_body,
                          const double *block)
{
    const HolBody *bodies = motion->mechanism->bodies;
    if (at >= 0)
        hol_layout_add_block(bodies[row_body - 1].layout, bodies[column_body - 1].layout, block, matrix + at);
}

void hol_motion_add_blocks(const HolMotion *motion, const int body[2], HolBlocks blocks)
{
    for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b)
            if (body[a] > 0 && body[b] > 0)
                hol_motion_add_block(motion, motion->terms->K,
                                     hol_place_in_tangent(motion->terms->pattern, body[a] - 1, body[b] - 1), body[a],
                                     body[b], blocks[a][b]);
}

static const double ROUNDINGS = 8; /* within which a difference is rounding */

double hol_mean_slope(double l_a, double l_b, double V_a, double V_b, double in_middle)
{
    double dl = l_b - l_a, miss = V_b - V_a - in_middle * dl;
    double size = fabs(V_a) + fabs(V_b) + fabs(in_middle * dl);
    return dl != 0 && fabs(miss) > HOL_ROUNDINGS(ROUNDINGS) * size ? in_middle + miss / dl : in_middle;
}

/* delta of one body. */
static void displacement_of(const HolDiscreteGradientMotion *motion, int body, double *delta)
{
    const HolLayout *layout = motion->middle.mechanism->bodies[body - 1].layout;
    int start = motion->middle.is_mean ? layout->nq * (body - 1) : motion->middle.terms->pattern->block_start[body - 1];
    const double *a = motion->q_a + start, *b = motion->q_b + start;
    for (int i = 0; i < layout->nv; ++i)
        delta[i] = b[i] - a[i];
    if (motion->middle.is_mean)
        hol_rotation_between(a + 3, b + 3, delta + 3);
}

/* g . delta and |delta|^2 of one body's coordinates are added up; size: of what the former is made of. */
static void motion_follow(const HolDiscreteGradientMotion *motion, int body, const double *g, double *along,
                          double *size, double *square)
{
    double of_body[HOL_WIDE] = {0}, delta[HOL_WIDE];
    if (body == 0)
        return;
    const HolLayout *layout = motion->middle.mechanism->bodies[body - 1].layout;
    displacement_of(motion, body, delta);
    hol_layout_add(layout, 1, g, of_body);
    for (int i = 0; i < layout->nv; ++i) {
        *along += of_body[i] * delta[i];
        *size += fabs(of_body[i] * delta[i]);
        *square += delta[i] * delta[i];
    }
}

static void push_along(const HolDiscreteGradientMotion *motion, int body, double factor)
{
    double delta[HOL_WIDE];
    if (body == 0)
        return;
    int start = motion->middle.terms->pattern->block_start[body - 1];
    displacement_of(motion, body, delta);
    for (int i = 0; i < motion->middle.mechanism->bodies[body - 1].layout->nv; ++i)
        motion->middle.terms->Q[start + i] += factor * delta[i];
}

void hol_discrete_gradient_push(const HolDiscreteGradientMotion *motion, const HolDiscreteGradientLaw *law)
{
    static const double JUMP = 3; /* rad; an angle that wraps within the step cannot be exact */
    double f = law->mean, sum = law->l_a + law->l_b, factor = f;
    double dl = law->l_b - law->l_a, along = 0, size = fabs(law->l_a) + fabs(law->l_b), square = 0;
    for (int i = 0; i < 2; ++i)
        motion_follow(motion, law->body[i], law->middle->g[i], &along, &size, &square);
    if (law->is_angle && fabs(dl - along) > JUMP)
        return;
    if (law->is_length)
        factor = sum > 0 ? 2 * f * law->middle->value / sum : 0;
    for (int i = 0; i < 2; ++i)
        hol_motion_push(&motion->middle, law->body[i], law->applied - factor, law->middle->g[i]);
    if (law->is_length || fabs(dl - along) <= HOL_ROUNDINGS(ROUNDINGS) * size || !(square > 0))
        return;
    for (int i = 0; i < 2; ++i)
        push_along(motion, law->body[i], -f * (dl - along) / square);
}

int hol_place_in_D(const HolPattern *pattern, int group, int block)
{
    for (int p = pattern->group_pairs[group]; p < pattern->group_pairs[group + 1]; ++p)
        if (pattern->pairs[p].column == block)
            return pattern->pair_start[p];
    return -1;
}

int hol_pair_find(const HolPair *pairs, int low, int high, int row, int column)
{
    int end = high;
    while (low < high) {
        int middle = low + (high - low) / 2;
        HolPair pair = pairs[middle];
        if (pair.row < row || (pair.row == row && pair.column < column))
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && pairs[low].row == row && pairs[low].column == column ? low : -1;
}

int hol_place_in_tangent(const HolPattern *pattern, int row, int column)
{
    int found = hol_pair_find(pattern->tangents, 0, pattern->tangent_count, row, column);
    return found < 0 ? -1 : pattern->tangent_start[found];
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
