/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanism/kinematics/layout.h"

#define ONE(i)                                                                                                         \
    {                                                                                                                  \
        i, -1, 0                                                                                                       \
    }

const HolLayout hol_planar_layout = {3, 3, 2, {ONE(0), ONE(1), ONE(5)}};
const HolLayout hol_spatial_layout = {7, 6, 3, {ONE(0), ONE(1), ONE(2), ONE(3), ONE(4), ONE(5)}};
const HolLayout hol_natural_planar_layout = {4, 4, 2, {ONE(0), ONE(1), {3, 7, 1}, {4, 6, -1}}};
const HolLayout hol_natural_layout = {
    12, 12, 3, {ONE(0), ONE(1), ONE(2), ONE(3), ONE(4), ONE(5), ONE(6), ONE(7), ONE(8), ONE(9), ONE(10), ONE(11)}};

const HolLayout hol_particle_layouts[2] = {{2, 2, 2, {ONE(0), ONE(1)}}, {3, 3, 3, {ONE(0), ONE(1), ONE(2)}}};
const HolLayout hol_direction_layouts[2] = {{2, 2, 0, {ONE(3), ONE(4)}}, {3, 3, 0, {ONE(3), ONE(4), ONE(5)}}};

void hol_layout_add_block(const HolLayout *rows, const HolLayout *columns, const double *block, double *to)
{
    for (int i = 0; i < rows->nv; ++i, to += columns->nv) {
        hol_layout_add(columns, 1, block + HOL_WIDE * rows->at[i].entry, to);
        if (rows->at[i].other >= 0)
            hol_layout_add(columns, rows->at[i].sign, block + HOL_WIDE * rows->at[i].other, to);
    }
}
