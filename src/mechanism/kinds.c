/* SPDX-License-Identifier: BSD-3-Clause */
/* What kinds of bodies, joints, drivers and forces there are, for lists and manuals. */
#include "mechanism/body.h"
#include "mechanism/force.h"
#include "mechanism/joint.h"

HolFieldInfo hol_part_field(HolSection section, int kind, int index)
{
    const HolField *field = section == HOL_BODIES    ? &hol_body_kinds[kind]->fields[index]
                            : section == HOL_JOINTS  ? &hol_joint_kinds[kind]->fields[index]
                            : section == HOL_DRIVERS ? &hol_driver_kinds[kind]->fields[index]
                                                     : &hol_force_kinds[kind]->fields[index];
    return (HolFieldInfo){
        .name = field->name,
        .type = hol_field_type_name(field),
        .unit = field->unit ? field->unit : "",
        .fallback = field->needed     ? NULL
                    : field->fallback ? field->fallback
                                      : "none",
        .choices = field->names,
        .help = field->help,
    };
}

int hol_part_kind_count(HolSection section)
{
    int count = 0;
    while (section == HOL_BODIES    ? hol_body_kinds[count] != NULL
           : section == HOL_JOINTS  ? hol_joint_kinds[count] != NULL
           : section == HOL_DRIVERS ? hol_driver_kinds[count] != NULL
                                    : hol_force_kinds[count] != NULL)
        ++count;
    return count;
}

#define INFO(kind)                                                                                                     \
    (HolPartKind)                                                                                                      \
    {                                                                                                                  \
        .name = (kind)->name, .title = (kind)->title, .connects = (kind)->connects, .planar = (kind)->planar,          \
        .spatial = (kind)->spatial, .field_count = (kind)->field_count                                                 \
    }

HolPartKind hol_part_kind(HolSection section, int index)
{
    switch (section) {
    case HOL_BODIES: return INFO(hol_body_kinds[index]);
    case HOL_JOINTS: return INFO(hol_joint_kinds[index]);
    case HOL_DRIVERS: return INFO(hol_driver_kinds[index]);
    default: return INFO(hol_force_kinds[index]);
    }
}
