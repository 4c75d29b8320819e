/* SPDX-License-Identifier: BSD-3-Clause */
/* The sections of `holon list`, read from the library's tables. */
#include "list/list.h"

static int model_count(void)
{
    return hol_library_count();
}

static CliItem model_item(int index)
{
    HolLibraryModel model = hol_library_model(index);
    return (CliItem){.name = model.name, .title = model.title, .text = model.text};
}

static CliItem kind_item(HolKindInfo kind)
{
    return (CliItem){.name = kind.name,
                     .title = kind.title,
                     .page = kind.page,
                     .options = kind.options,
                     .option_count = kind.option_count};
}

static CliItem formulation_item(int index)
{
    return kind_item(hol_formulation_info(index));
}

/* `automatic`, then those it chooses from. */
static int integrator_count(void)
{
    return 1 + hol_integrator_count();
}

static CliItem integrator_item(int index)
{
    return kind_item(index == 0 ? hol_automatic_info() : hol_integrator_info(index - 1));
}

static CliItem part_item(HolSection section, int index)
{
    HolPartKind kind = hol_part_kind(section, index);
    return (CliItem){.name = kind.name,
                     .title = kind.title,
                     .connects = kind.connects,
                     .where = kind.planar && kind.spatial ? "plane, space"
                              : kind.planar               ? "plane"
                                                          : "space",
                     .section = section,
                     .index = index,
                     .field_count = kind.field_count,
                     .sample_count = kind.sample_count};
}

/* The functions of a section of parts. */
#define PART_SECTION(word, section)                                                                                    \
    static int word##_count(void)                                                                                      \
    {                                                                                                                  \
        return hol_part_kind_count(section);                                                                           \
    }                                                                                                                  \
    static CliItem word##_item(int index)                                                                              \
    {                                                                                                                  \
        return part_item(section, index);                                                                              \
    }

PART_SECTION(body, HOL_BODIES)
PART_SECTION(beam, HOL_BEAMS)
PART_SECTION(section, HOL_BEAM_SECTIONS)
PART_SECTION(joint, HOL_JOINTS)
PART_SECTION(driver, HOL_DRIVERS)
PART_SECTION(force, HOL_FORCES)

const CliSection cli_sections[] = {
    {"models", "built-in models", model_count, model_item},
    {"formulations", "constraint formulations", hol_formulation_count, formulation_item},
    {"integrators", "time integration schemes", integrator_count, integrator_item},
    {"bodies", "kinds of bodies", body_count, body_item},
    {"beams", "kinds of beams", beam_count, beam_item},
    {"sections", "kinds of beam cross-sections", section_count, section_item},
    {"joints", "kinds of joints", joint_count, joint_item},
    {"drivers", "motions prescribed as functions of time", driver_count, driver_item},
    {"forces", "kinds of forces", force_count, force_item},
    {NULL, NULL, NULL, NULL},
};
