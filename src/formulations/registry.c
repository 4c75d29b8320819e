/* SPDX-License-Identifier: BSD-3-Clause */
/* All formulations: one line each. */
#include "base/message.h"
#include "formulations/formulation.h"

#include <string.h>

#define KINDS(KIND)                                                                                                    \
    KIND(hol_lagrange)                                                                                                 \
    KIND(hol_baumgarte)                                                                                                \
    KIND(hol_penalty)                                                                                                  \
    KIND(hol_augmented_lagrangian)                                                                                     \
    KIND(hol_augmented_lagrangian_projected)                                                                           \
    KIND(hol_coordinate_partitioning)                                                                                  \
    KIND(hol_direct_correction)                                                                                        \
    KIND(hol_null_space)                                                                                               \
    KIND(hol_generalized_inverse)                                                                                      \
    KIND(hol_explicit_dae)                                                                                             \
    KIND(hol_elimination)                                                                                              \
    KIND(hol_index3_augmented_lagrangian)                                                                              \
    KIND(hol_augmented_hamiltonian)                                                                                    \
    KIND(hol_energy_preserving)                                                                                        \
    KIND(hol_energy_decaying)

#define DECLARE(kind) extern const HolFormulationKind kind;
#define LIST(kind) &kind,

KINDS(DECLARE)
const HolFormulationKind *const hol_formulation_kinds[] = {KINDS(LIST) NULL};

enum { COUNT = sizeof hol_formulation_kinds / sizeof *hol_formulation_kinds - 1 };

const HolFormulationKind *hol_formulation_find(const char *name, HolMessage *message)
{
    const char *names[COUNT + 1] = {NULL};
    name = name ? name : "";
    for (int i = 0; i < COUNT; ++i) {
        names[i] = hol_formulation_kinds[i]->name;
        if (strcmp(names[i], name) == 0)
            return hol_formulation_kinds[i];
    }
    const char *nearest = hol_nearest_name(name, names);
    if (nearest)
        hol_fail(message, HOL_BAD_INPUT, "formulation '%s' is unknown (did you mean '%s'?)", name, nearest);
    else
        hol_fail(message, HOL_BAD_INPUT, "formulation '%s' is unknown (the default is 'direct-correction')", name);
    return NULL;
}

HolStatus hol_formulation_check_dense(const HolSetup *setup, const char *name)
{
    static const double MOST_NUMBERS = 3e6; /* a step then takes seconds, not minutes */
    const HolPattern *p = hol_system_pattern(setup->system);
    if ((double)p->nv * (p->nv + (double)p->m) <= MOST_NUMBERS)
        return HOL_OK;
    return hol_fail(setup->message, HOL_UNSUPPORTED,
                    "'%s' works with dense matrices: %d velocities and %d rows are too many for it", name, p->nv, p->m);
}

int hol_formulation_count(void)
{
    return COUNT;
}

HolKindInfo hol_formulation_info(int index)
{
    if (index < 0 || index >= COUNT)
        return (HolKindInfo){.name = NULL};
    const HolFormulationKind *kind = hol_formulation_kinds[index];
    return (HolKindInfo){kind->name,
                         kind->title,
                         kind->page,
                         kind->options,
                         kind->option_count,
                         false,
                         kind->integrator ? kind->integrator : "rk4"};
}
