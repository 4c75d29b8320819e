/* SPDX-License-Identifier: BSD-3-Clause */
/* A kind of body is one file in bodies/ ending in one const table, plus one line in registry.c. Its shape gives
 * volume, inertia, centre and axes unless the model specifies them. */
#ifndef HOLON_MECHANISM_BODIES_BODY_H
#define HOLON_MECHANISM_BODIES_BODY_H

#include "mechanism/builder/builder.h"

/* The values that every body has; first member of the values of each kind. */
typedef struct HolBodyValues {
    double mass, density;
    HolNumbers inertia;
    double centre[3];
    const HolNode *orientation;
    double at[3];
} HolBodyValues;

/* The properties of a shape, in body axes. */
typedef struct HolShape {
    double volume;     /* 0: unknown */
    double square[3];  /* principal moments of inertia for a unit mass; all 0: unknown */
    double centre[3];  /* in global axes */
    double axes[3][3]; /* body axes in global axes, axes[j] = axis j */
    double phi;        /* the same in the plane */
    double compliance; /* axial, of a bar; 0: rigid */
    double ends[2][3]; /* in global axes */
} HolShape;

typedef struct HolDrawing HolDrawing; /* drawing.h */

typedef struct HolBodyKind {
    HolKind kind;
    HolBodyForm form;

    /* False after an error. */
    bool (*measure)(HolBuilder *builder, const HolPart *part, const void *values, HolShape *shape);
    /* Draws its shape by the functions of drawing.h; it has no effect on a simulation. NULL: nothing is drawn. */
    void (*draw)(const HolDrawing *drawing, const void *values);
} HolBodyKind;

extern const HolKind *const hol_body_kinds[]; /* each the first member of a HolBodyKind; NULL-terminated */

/* The keys that all kinds have, to be placed after the kind's own. */
#define HOL_BODY_FIELDS                                                                                                \
    HOL_FIELD("mass", NUMBER, HolBodyValues, mass, .unit = "kg", .rule = HOL_POSITIVE,                                 \
              .fallback = "density times volume", .help = "mass"),                                                     \
        HOL_FIELD("density", NUMBER, HolBodyValues, density, .unit = "kg/m^3", .rule = HOL_POSITIVE,                   \
                  .fallback = "none", .help = "instead of mass"),                                                      \
        HOL_FIELD("inertia", NUMBERS, HolBodyValues, inertia, .unit = "kg*m^2", .fallback = "from the shape",          \
                  .help = "about the centre of mass in body axes: Jz, [Jx, Jy, Jz] or 6 entries"),                     \
        HOL_FIELD("centre", POINT, HolBodyValues, centre, .unit = "m", .fallback = "the middle",                       \
                  .help = "the centre of mass"),                                                                       \
        HOL_FIELD("orientation", NODE, HolBodyValues, orientation, .fallback = "from the shape",                       \
                  .help = "angle in the plane; [e0, e1, e2, e3], {axis: , angle: } or {x: , y: } in space")
#define HOL_BODY_AT                                                                                                    \
    HOL_FIELD("at", POINT, HolBodyValues, at, .unit = "m", .fallback = "the origin", .help = "the centre of its shape")

/* Reads a body's entry into numbers; errors go to the builder's reader. */
void hol_body_build(HolBuilder *builder, const HolNode *node, HolBody *body);

/* Whether a body in space can have this inertia: no principal moment is larger than the sum of the others, that is,
 * tr(J)/2 - J has no negative eigenvalue. */
bool hol_body_is_real(const HolBody *body);

#endif
