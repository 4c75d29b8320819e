/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the kinds of bodies, beams, joints, drivers and forces, for `holon list` and manuals. */
#include "mechanism/beams/build.h"
#include "mechanism/beams/sections/section.h"
#include "mechanism/bodies/body.h"
#include "mechanism/forces/force_kind.h"
#include "mechanism/joints/joint.h"

static const HolKind *const beam_kinds[] = {&hol_beam_kind, NULL};

static const HolKind *const *const kinds_of[] = {
    [HOL_BODIES] = hol_body_kinds,  [HOL_JOINTS] = hol_joint_kinds, [HOL_DRIVERS] = hol_driver_kinds,
    [HOL_FORCES] = hol_force_kinds, [HOL_BEAMS] = beam_kinds,       [HOL_BEAM_SECTIONS] = hol_section_kinds,
};

int hol_part_kind_count(HolSection section)
{
    int count = 0;
    while ((size_t)section < sizeof kinds_of / sizeof *kinds_of && kinds_of[section][count])
        ++count;
    return count;
}

/* NULL: there is no such section or kind. */
static const HolKind *part_kind_at(HolSection section, int index)
{
    return index >= 0 && index < hol_part_kind_count(section) ? kinds_of[section][index] : NULL;
}

HolPartKind hol_part_kind(HolSection section, int index)
{
    const HolKind *kind = part_kind_at(section, index);
    if (!kind)
        return (HolPartKind){.name = NULL};
    return (HolPartKind){
        .name = kind->name,
        .title = kind->title,
        .connects = kind->connects,
        .planar = kind->space != HOL_IN_SPACE,
        .spatial = kind->space != HOL_IN_PLANE,
        .natural = kind->natural,
        .field_count = kind->field_count,
        .sample_count = kind->sample_count,
    };
}

HolPartSample hol_part_sample(HolSection section, int kind, int index)
{
    const HolKind *of = part_kind_at(section, kind);
    if (!of || index < 0 || index >= of->sample_count)
        return (HolPartSample){.text = NULL};
    const HolSample *sample = &of->samples[index];
    return (HolPartSample){
        .text = sample->text,
        .planar = sample->space != HOL_IN_SPACE,
        .spatial = sample->space != HOL_IN_PLANE,
        .row_count = sample->row_count,
        .nonholonomic_count = sample->nonholonomic_count,
    };
}

HolFieldInfo hol_part_field(HolSection section, int kind, int index)
{
    const HolKind *of = part_kind_at(section, kind);
    if (!of || index < 0 || index >= of->field_count)
        return (HolFieldInfo){.name = NULL};
    const HolField *field = &of->fields[index];
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
