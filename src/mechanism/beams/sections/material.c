/* SPDX-License-Identifier: BSD-3-Clause */
/* Sections of one material. */
#include "mechanism/beams/sections/section.h"

#include <string.h>

static bool has(const HolPart *part, const char *key)
{
    return hol_node_find(part->node, key) != NULL;
}

bool hol_material_check(HolBuilder *builder, const HolPart *part, HolMaterial *material)
{
    HolReader *reader = builder->reader;
    if (has(part, "nu") == has(part, "G"))
        return hol_reader_error(reader, has(part, "G") ? hol_node_find(part->node, "G")->key_place : part->node->place,
                                has(part, "G") ? "'nu' and 'G' are both given; one is enough"
                                               : "its shear modulus is missing: give 'nu' or 'G'");
    if (has(part, "nu") && !(material->nu > -1 && material->nu <= 0.5))
        return hol_reader_error(reader, hol_part_place(part, "nu"), "'nu' must lie between -1 and 0.5, not %g",
                                material->nu);
    if (has(part, "nu"))
        material->G = material->E / (2 * (1 + material->nu));
    if (!has(part, "shear"))
        return true;
    if (material->shear.count < 1 || material->shear.count > 2)
        return hol_reader_error(reader, hol_part_place(part, "shear"), "'shear' must be one number or two, not %d",
                                material->shear.count);
    for (int i = 0; i < 2; ++i)
        material->factor[i] = material->shear.x[material->shear.count == 2 ? i : 0];
    return true;
}

void hol_material_measure(const HolMaterial *material, const HolArea *area, HolCrossSection *section)
{
    const double E = material->E, G = material->G;
    memset(section, 0, sizeof *section);
    section->S[0][0] = E * area->A;
    section->S[3][3] = G * area->torsion;
    section->mu[0][0] = material->density * area->A;
    for (int i = 0; i < 2; ++i) {
        double factor = material->factor[i] > 0 ? material->factor[i] : area->shear[i];
        section->S[1 + i][1 + i] = factor * G * area->A;
        section->S[4 + i][4 + i] = E * area->I[i];
        section->mu[1 + i][1 + i] = material->density * area->I[1 - i]; /* I_3 is int X_2^2 */
    }
}
