/* SPDX-License-Identifier: BSD-3-Clause */
/* A kind of beam section is one file in sections/ ending in one const table, plus one line in registry.c. Section
 * axes are those of the nodes: 1 along the beam, 2 and 3 in the section. */
#ifndef HOLON_MECHANISM_BEAMS_SECTIONS_SECTION_H
#define HOLON_MECHANISM_BEAMS_SECTIONS_SECTION_H

#include "mechanism/builder/builder.h"

typedef struct HolSectionKind {
    HolKind kind;
    /* False after an error: the values contradict each other. NULL: they never do. */
    bool (*check)(HolBuilder *builder, const HolPart *part, void *values);
    /* Stiffness and mass per length at s metres from the first end. */
    void (*measure)(const void *values, double s, HolCrossSection *section);
    /* Its widths along axes 2 and 3; true if it is round. For pictures. NULL: it has no shape. */
    bool (*draw)(const void *values, double size[2]);
} HolSectionKind;

extern const HolKind *const hol_section_kinds[]; /* each the first member of a HolSectionKind; NULL-terminated */

/* A section with the values that were read. */
typedef struct HolSectionRead {
    const HolSectionKind *kind;
    void *values;
} HolSectionRead;

/* kind NULL after an error. */
HolSectionRead hol_section_read(HolBuilder *builder, const char *beam, const HolNode *node);

/* First member of the values of each shape. */
typedef struct HolMaterial {
    double E, G, nu, density;
    HolNumbers shear;
    double factor[2]; /* shear factors along axes 2 and 3; 0: those of the shape */
} HolMaterial;

#define HOL_MATERIAL_FIELDS                                                                                            \
    HOL_FIELD("E", NUMBER, HolMaterial, E, .needed = true, .unit = "Pa", .rule = HOL_POSITIVE,                         \
              .help = "Young's modulus"),                                                                              \
        HOL_FIELD("nu", NUMBER, HolMaterial, nu, .fallback = "none", .help = "Poisson's ratio"),                       \
        HOL_FIELD("G", NUMBER, HolMaterial, G, .unit = "Pa", .rule = HOL_POSITIVE, .fallback = "E/2/(1 + nu)",         \
                  .help = "shear modulus, instead of nu"),                                                             \
        HOL_FIELD("density", NUMBER, HolMaterial, density, .needed = true, .unit = "kg/m^3", .rule = HOL_POSITIVE,     \
                  .help = "density of the material"),                                                                  \
        HOL_FIELD("shear", NUMBERS, HolMaterial, shear, .rule = HOL_POSITIVE, .fallback = "from the shape",            \
                  .help = "shear factor, or [along axis 2, along 3]")

/* Completes G and the shear factors; for HolSectionKind.check. */
bool hol_material_check(HolBuilder *builder, const HolPart *part, HolMaterial *material);

/* The properties of a cross-section. */
typedef struct HolArea {
    double A, I[2];  /* area, and second moments about axes 2 and 3 */
    double torsion;  /* GJ = G torsion */
    double shear[2]; /* factors along axes 2 and 3 */
} HolArea;

void hol_material_measure(const HolMaterial *material, const HolArea *area, HolCrossSection *section);

#endif
