/* SPDX-License-Identifier: BSD-3-Clause */
/* What kinds of bodies, beams, joints, drivers and forces there are, for lists and manuals. */
#include "mechanism/beams/build.h"
#include "mechanism/beams/section.h"
#include "mechanism/body.h"
#include "mechanism/force.h"
#include "mechanism/joint.h"

/* NULL behind the last. */
static const HolKind *kind_at(HolSection section, int index)
{
    switch (section) {
    case HOL_BODIES: return hol_body_kinds[index] ? &hol_body_kinds[index]->kind : NULL;
    case HOL_JOINTS: return hol_joint_kinds[index] ? &hol_joint_kinds[index]->kind : NULL;
    case HOL_DRIVERS: return hol_driver_kinds[index] ? &hol_driver_kinds[index]->kind : NULL;
    case HOL_BEAMS: return index == 0 ? &hol_beam_kind : NULL;
    case HOL_BEAM_SECTIONS: return hol_section_kinds[index] ? &hol_section_kinds[index]->kind : NULL;
    default: return hol_force_kinds[index] ? &hol_force_kinds[index]->kind : NULL;
    }
}

int hol_part_kind_count(HolSection section)
{
    int count = 0;
    while (kind_at(section, count))
        ++count;
    return count;
}

HolPartKind hol_part_kind(HolSection section, int index)
{
    const HolKind *kind = kind_at(section, index);
    return (HolPartKind){
        .name = kind->name,
        .title = kind->title,
        .connects = kind->connects,
        .planar = kind->space != HOL_IN_SPACE,
        .spatial = kind->space != HOL_IN_PLANE,
        .field_count = kind->field_count,
    };
}

HolFieldInfo hol_part_field(HolSection section, int kind, int index)
{
    const HolField *field = &kind_at(section, kind)->fields[index];
    return (HolFieldInfo){
        .name = field->name,
        .type = hol_field_type_name(field),
        .unit = field->unit ? field->unit : "",
        .fallback = field->needed     ? NULL
                    : field->fallback ? field->fallback
                                      : "none",
        .choices = field->names,
        .where = field->space == HOL_IN_SPACE   ? "in space"
                 : field->space == HOL_IN_PLANE ? "in the plane"
                                                : "",
        .help = field->help,
    };
}
