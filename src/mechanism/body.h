/* SPDX-License-Identifier: BSD-3-Clause */
/* What a body is: one kind of shape is one file in bodies/ ending in one const table, plus one line in its registry.c.
 * A shape gives volume, inertia, centre and axes as far as the model does not say otherwise. */
#ifndef HOLON_MECHANISM_BODY_H
#define HOLON_MECHANISM_BODY_H

#include "mechanism/builder.h"

/* What can be said of every body; first member of the values of each kind. */
typedef struct HolBodyValues {
    double mass, density;
    HolNumbers inertia;
    double centre[3];
    const HolNode *orientation;
    double at[3];
} HolBodyValues;

/* What a shape knows. Everything in body axes. */
typedef struct HolShape {
    double volume;     /* 0: unknown */
    double square[3];  /* principal moments of inertia for a unit mass; all 0: unknown */
    double centre[3];  /* in global axes */
    double axes[3][3]; /* body axes in global axes, axes[j] = axis j */
    double phi;        /* the same in the plane */
    double compliance; /* of a bar between its ends, 0: rigid */
    double ends[2][3]; /* in global axes */
} HolShape;

typedef struct HolDrawing HolDrawing; /* drawing.h */

typedef struct HolBodyKind {
    HolKind kind;
    HolBodyForm form;

    /* False after an error. */
    bool (*measure)(HolBuilder *builder, const HolPart *part, const void *values, HolShape *shape);
    /* What it looks like, by a function of drawing.h; nothing takes part in a simulation. NULL: nothing to be seen. */
    void (*draw)(const HolDrawing *drawing, const void *values);
} HolBodyKind;

extern const HolBodyKind *const hol_body_kinds[]; /* NULL-terminated */

/* The keys that all kinds have, to be put after a kind's own. */
#define HOL_BODY_FIELDS                                                                                                \
    {"mass",        HOL_FIELD_NUMBER,     offsetof(HolBodyValues, mass),                                               \
     .unit = "kg",  .rule = HOL_POSITIVE, .fallback = "density times volume",                                          \
     .help = "mass"},                                                                                                  \
        {"density",                                                                                                    \
         HOL_FIELD_NUMBER,                                                                                             \
         offsetof(HolBodyValues, density),                                                                             \
         .unit = "kg/m^3",                                                                                             \
         .rule = HOL_POSITIVE,                                                                                         \
         .fallback = "none",                                                                                           \
         .help = "instead of mass"},                                                                                   \
        {"inertia",                                                                                                    \
         HOL_FIELD_NUMBERS,                                                                                            \
         offsetof(HolBodyValues, inertia),                                                                             \
         .unit = "kg*m^2",                                                                                             \
         .fallback = "from the shape",                                                                                 \
         .help = "about the centre of mass in body axes: Jz, [Jx, Jy, Jz] or 6 entries"},                              \
        {"centre",    HOL_FIELD_POINT,          offsetof(HolBodyValues, centre),                                       \
         .unit = "m", .fallback = "the middle", .help = "the centre of mass"},                                         \
    {                                                                                                                  \
        "orientation", HOL_FIELD_NODE, offsetof(HolBodyValues, orientation),                                           \
            .fallback = "from the shape",                                                                              \
            .help = "angle in the plane; [e0, e1, e2, e3], {axis: , angle: } or {x: , y: } in space"                   \
    }
#define HOL_BODY_AT                                                                                                    \
    {                                                                                                                  \
        "at", HOL_FIELD_POINT, offsetof(HolBodyValues, at), .unit = "m", .fallback = "the origin",                     \
                                                            .help = "where its middle is"                              \
    }

/* Reads a body's entry into numbers; errors go to the builder's reader. */
void hol_body_build(HolBuilder *builder, const HolNode *node, HolBody *body);

#endif
