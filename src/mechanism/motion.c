/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanism/motion.h"

#include "mechanism/evaluate.h"

void hol_motion_add_block(const HolMotion *motion, double *matrix, int at, int row_body, int column_body,
                          const double *block)
{
    const HolBody *bodies = motion->mechanism->bodies;
    if (at >= 0)
        hol_layout_add_block(bodies[row_body - 1].layout, bodies[column_body - 1].layout, block, matrix + at);
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
