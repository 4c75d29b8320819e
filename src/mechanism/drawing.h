/* SPDX-License-Identifier: BSD-3-Clause */
/* What a body looks like: its kind draws it, once it is known where its centre and axes are. */
#ifndef HOLON_MECHANISM_DRAWING_H
#define HOLON_MECHANISM_DRAWING_H

#include "mechanism/body.h"

struct HolDrawing {
    HolBuilder *builder;
    const HolPart *part;
    const HolShape *shape; /* as measured */
    HolBody *body;
    HolFrame frame; /* of the body as drawn */
};

/* Everything in global axes, as the model gives it. A radius of 0 is not known; axes of a box are three vectors. */
void hol_draw_bar(const HolDrawing *drawing, const double ends[2][3], double radius);
void hol_draw_box(const HolDrawing *drawing, const double *middle, const double *edges, const double *axes);
void hol_draw_sphere(const HolDrawing *drawing, const double *middle, double radius);
void hol_draw_plate(const HolDrawing *drawing, const double (*outline)[3], int count);
/* Along the body z axis. */
void hol_draw_cylinder(const HolDrawing *drawing, const double *middle, double radius, double length);

/* The body's own axes, for boxes whose edges lie along them. */
void hol_drawing_axes(const HolDrawing *drawing, double axes[3][3]);

#endif
