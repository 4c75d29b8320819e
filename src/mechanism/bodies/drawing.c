/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanism/bodies/drawing.h"

#include <string.h>

static void to_body(const HolDrawing *d, const double *x, double *s)
{
    const double away[3] = {x[0] - d->frame.r[0], x[1] - d->frame.r[1], x[2] - d->frame.r[2]};
    hol_turn_back(&d->frame, away, s);
}

static void drawing_draw(const HolDrawing *d, HolSceneShape shape, const double (*places)[3])
{
    HolSceneShape *made = hol_arena_alloc(d->builder->arena, sizeof *made);
    double(*points)[3] = hol_arena_alloc(d->builder->arena, (size_t)shape.point_count * sizeof *points);
    if (!made || !points) {
        d->builder->failed = true;
        return;
    }
    for (int i = 0; i < shape.point_count; ++i)
        to_body(d, places[i], points[i]);
    shape.points = (const double(*)[3])points;
    *made = shape;
    d->body->drawn = made;
}

void hol_draw_bar(const HolDrawing *drawing, const double ends[2][3], double radius)
{
    drawing_draw(drawing, (HolSceneShape){.type = HOL_SHAPE_BAR, .point_count = 2, .radius = radius}, ends);
}

void hol_draw_box(const HolDrawing *drawing, const double *middle, const double *edges, const double *axes)
{
    HolSceneShape shape = {.type = HOL_SHAPE_BOX, .point_count = 1};
    memcpy(shape.edges, edges, sizeof shape.edges);
    for (int i = 0; i < 3; ++i)
        hol_turn_back(&drawing->frame, axes + 3 * i, shape.axes[i]);
    drawing_draw(drawing, shape, (const double(*)[3])middle);
}

void hol_draw_sphere(const HolDrawing *drawing, const double *middle, double radius)
{
    HolSceneShape shape = {.type = HOL_SHAPE_SPHERE, .point_count = 1, .radius = radius};
    drawing_draw(drawing, shape, (const double(*)[3])middle);
}

void hol_draw_plate(const HolDrawing *drawing, const double (*outline)[3], int count)
{
    drawing_draw(drawing, (HolSceneShape){.type = HOL_SHAPE_PLATE, .point_count = count}, outline);
}

void hol_draw_cylinder(const HolDrawing *drawing, const double *middle, double radius, double length)
{
    double axes[3][3], ends[2][3];
    hol_drawing_axes(drawing, axes);
    for (int i = 0; i < 3; ++i) {
        ends[0][i] = middle[i] - length / 2 * axes[2][i];
        ends[1][i] = middle[i] + length / 2 * axes[2][i];
    }
    HolSceneShape shape = {.type = HOL_SHAPE_CYLINDER, .point_count = 2, .radius = radius};
    drawing_draw(drawing, shape, (const double(*)[3])ends);
}

void hol_drawing_axes(const HolDrawing *drawing, double axes[3][3])
{
    for (int k = 0; k < 9; ++k)
        axes[k / 3][k % 3] = drawing->frame.R[k % 3][k / 3];
}
