/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanism/motion.h"

#include "mechanism/evaluate.h"

void hol_motion_add_block(const HolMotion *motion, double *matrix, int at, const double block[36])
{
    static const int kept[3] = {0, 1, 5};
    if (at < 0)
        return;
    double *K = matrix + at;
    if (motion->mechanism->planar) {
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                K[3 * i + j] += block[6 * kept[i] + kept[j]];
        return;
    }
    for (int i = 0; i < 36; ++i)
        K[i] += block[i];
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
    int nv = motion->mechanism->planar ? HOL_PLANAR_NV : HOL_SPATIAL_NV;
    int place = body == 0 ? -1 : hol_place_in_D(pattern, group, body - 1);
    return place < 0 ? NULL : motion->terms->D + place + nv * (row - pattern->group_start[group]);
}
