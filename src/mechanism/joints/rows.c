/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanism/joints/rows.h"

#include "mechanism/kinematics/rotation.h"

#include <math.h>

void hol_rows_parallel(HolBuilder *builder, const int body[2], const double *axis)
{
    double n1[3], n2[3];
    hol_triad_complete(axis, n1, n2);
    hol_row_equals(builder, hol_measure_add_dot(builder, body[0], body[1], n1, axis), 0, "first tilt of the axis");
    hol_row_equals(builder, hol_measure_add_dot(builder, body[0], body[1], n2, axis), 0, "second tilt of the axis");
}

void hol_rows_on_axis(HolBuilder *builder, const int body[2], const double *axis, const double *through,
                      const double *at)
{
    double n1[3], n2[3];
    hol_triad_complete(axis, n1, n2);
    hol_row_equals(builder, hol_measure_add_offset(builder, body[0], body[1], n1, through, at), 0,
                   "first shift across the axis");
    hol_row_equals(builder, hol_measure_add_offset(builder, body[0], body[1], n2, through, at), 0,
                   "second shift across the axis");
}

void hol_rows_no_rotation(HolBuilder *builder, const int body[2])
{
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const char *const names[3] = {"rotation about z", "rotation about x", "rotation about y"};
    if (builder->mechanism->planar) {
        hol_row_equals(builder, hol_measure_add_angle(builder, body[0], body[1], axes[2]), 0, "rotation");
        return;
    }
    for (int i = 0; i < 3; ++i)
        hol_row_equals(builder, hol_measure_add_dot(builder, body[0], body[1], axes[i], axes[(i + 1) % 3]), 0,
                       names[i]);
}

double hol_line_length(HolBuilder *builder, const HolPart *part, const HolLineValues *line, const char *advice)
{
    double d[3] = {line->to[0] - line->from[0], line->to[1] - line->from[1], line->to[2] - line->from[2]};
    if (!hol_is_same_place(builder->reader, line->from, line->to))
        return sqrt(hol_dot3(d, d));
    hol_reader_error(builder->reader, hol_part_place(part, "to"), "'from' and 'to' are at the same place%s", advice);
    return 0;
}

int hol_row_line(HolBuilder *builder, const HolLineValues *line, double scale, const HolFunction *length,
                 const char *name)
{
    hol_joint_connects(builder, line->body[0], line->body[1], line->to);
    hol_joint_rod(builder, line->from);
    int square = hol_measure_add_square(builder, line->body[0], line->body[1], line->from, line->to, scale);
    hol_row_length(builder, square, length, name);
    return square;
}
