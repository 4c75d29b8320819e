/* SPDX-License-Identifier: BSD-3-Clause */
/* The picture of a body, drawn by its kind once the centre and the axes are known. */
#ifndef HOLON_MECHANISM_BODIES_DRAWING_H
#define HOLON_MECHANISM_BODIES_DRAWING_H

#include "mechanism/bodies/body.h"

struct HolDrawing {
    HolBuilder *builder;
    const HolPart *part;
    const HolShape *shape; /* as measured */
    HolBody *body;
    HolFrame frame; /* of the body as drawn */
};

/* All arguments are in global axes, as drawn. A radius of 0 is unknown; the axes of a box are three vectors. */
void hol_draw_bar(const HolDrawing *drawing, const double ends[2][3], double radius);
void hol_draw_box(const HolDrawing *drawing, const double *middle, const double *edges, const double *axes);
void hol_draw_sphere(const HolDrawing *drawing, const double *middle, double radius);
void hol_draw_plate(const HolDrawing *drawing, const double (*outline)[3], int count);
/* Its axis is the z axis of the body. */
void hol_draw_cylinder(const HolDrawing *drawing, const double *middle, double radius, double length);

/* The body's own axes, for boxes whose edges lie along them. */
void hol_drawing_axes(const HolDrawing *drawing, double axes[3][3]);

#endif
