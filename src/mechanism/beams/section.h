/* SPDX-License-Identifier: BSD-3-Clause */
/* What the section of a beam is: one kind is one file in sections/ ending in one const table, plus one line in its
 * registry.c. Section axes are those of the nodes: 1 along the beam, 2 and 3 in the section. */
#ifndef HOLON_MECHANISM_BEAMS_SECTION_H
#define HOLON_MECHANISM_BEAMS_SECTION_H

#include "mechanism/builder.h"

typedef struct HolSectionKind {
    HolKind kind;
    /* Whether the values make sense together; false after an error. NULL: always. */
    bool (*check)(HolBuilder *builder, const HolPart *part, void *values);
    /* At s metres from the first end. */
    void (*measure)(const void *values, double s, HolCrossSection *section);
    /* How wide it is along axes 2 and 3, and whether it is round, for pictures. NULL: it has no shape. */
    bool (*draw)(const void *values, double size[2]);
} HolSectionKind;

extern const HolSectionKind *const hol_section_kinds[]; /* NULL-terminated */

/* A section that has been read. */
typedef struct HolSectionRead {
    const HolSectionKind *kind;
    void *values;
} HolSectionRead;

/* kind NULL after an error. */
HolSectionRead hol_section_read(HolBuilder *builder, const char *beam, const HolNode *node);

/* ---- Shapes of one material ---- */

/* First member of the values of each shape. */
typedef struct HolMaterial {
    double E, G, nu, density;
    HolNumbers shear;
    double factor[2]; /* of shear along axes 2 and 3; 0: the shape's own */
} HolMaterial;

#define HOL_MATERIAL_FIELDS                                                                                            \
    {"E",          HOL_FIELD_NUMBER,     offsetof(HolMaterial, E), .needed = true,                                     \
     .unit = "Pa", .rule = HOL_POSITIVE, .help = "Young's modulus"},                                                   \
        {"nu", HOL_FIELD_NUMBER, offsetof(HolMaterial, nu), .fallback = "none", .help = "Poisson's ratio"},            \
        {"G",                                                                                                          \
         HOL_FIELD_NUMBER,                                                                                             \
         offsetof(HolMaterial, G),                                                                                     \
         .unit = "Pa",                                                                                                 \
         .rule = HOL_POSITIVE,                                                                                         \
         .fallback = "E/2/(1 + nu)",                                                                                   \
         .help = "shear modulus, instead of nu"},                                                                      \
        {"density",        HOL_FIELD_NUMBER,     offsetof(HolMaterial, density), .needed = true,                       \
         .unit = "kg/m^3", .rule = HOL_POSITIVE, .help = "of the material"},                                           \
    {                                                                                                                  \
        "shear", HOL_FIELD_NUMBERS, offsetof(HolMaterial, shear), .rule = HOL_POSITIVE, .fallback = "from the shape",  \
                                                                  .help = "shear factor, or [along axis 2, along 3]"   \
    }

/* nu or G, and the shear factors; for HolSectionKind.check. */
bool hol_material_check(HolBuilder *builder, const HolPart *part, HolMaterial *material);

/* What a shape is. */
typedef struct HolArea {
    double A, I[2];  /* area, and second moments about axes 2 and 3 */
    double torsion;  /* GJ = G torsion */
    double shear[2]; /* factors along axes 2 and 3 */
} HolArea;

void hol_material_measure(const HolMaterial *material, const HolArea *area, HolCrossSection *section);

#endif
