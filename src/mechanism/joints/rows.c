/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanism/joints/rows.h"

void hol_rows_parallel(HolBuilder *builder, const int body[2], const double *axis)
{
    double n1[3], n2[3];
    hol_build_normals(axis, n1, n2);
    hol_row_equals(builder, hol_build_dot(builder, body[0], body[1], n1, axis), 0, "first tilt of the axis");
    hol_row_equals(builder, hol_build_dot(builder, body[0], body[1], n2, axis), 0, "second tilt of the axis");
}

void hol_rows_on_axis(HolBuilder *builder, const int body[2], const double *axis, const double *through,
                      const double *at)
{
    double n1[3], n2[3];
    hol_build_normals(axis, n1, n2);
    hol_row_equals(builder, hol_build_offset(builder, body[0], body[1], n1, through, at), 0,
                   "first shift across the axis");
    hol_row_equals(builder, hol_build_offset(builder, body[0], body[1], n2, through, at), 0,
                   "second shift across the axis");
}

void hol_rows_no_turning(HolBuilder *builder, const int body[2])
{
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const char *const names[3] = {"turning about z", "turning about x", "turning about y"};
    if (builder->mechanism->planar) {
        hol_row_equals(builder, hol_build_angle(builder, body[0], body[1], axes[2]), 0, "turning");
        return;
    }
    for (int i = 0; i < 3; ++i)
        hol_row_equals(builder, hol_build_dot(builder, body[0], body[1], axes[i], axes[(i + 1) % 3]), 0, names[i]);
}
