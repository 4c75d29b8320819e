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
    KIND(hol_energy_decaying)                                                                                          \
    KIND(hol_energy_momentum_decaying)                                                                                 \
    KIND(hol_rattle)                                                                                                   \
    KIND(hol_ggl)

#define DECLARE(kind) extern const HolFormulationKind kind;
#define LIST(kind) &kind,

KINDS(DECLARE)
const HolFormulationKind *const hol_formulation_kinds[] = {KINDS(LIST) NULL};

enum { COUNT = sizeof hol_formulation_kinds / sizeof *hol_formulation_kinds - 1, MOST_KINDS = 32 };

const HolRatesOps hol_plain_rates = {.complete = NULL};

unsigned hol_formulation_offers(const HolFormulationKind *kind)
{
    unsigned rates = kind->state ? HOL_RATES : HOL_RATES | HOL_SPLIT;
    return (kind->rates ? rates : 0) | (kind->newmark ? HOL_NEWMARK : 0) | (kind->own_step ? HOL_OWN_STEP : 0);
}

int hol_kind_find(HolKindInfo (*info)(int), const char *what, const char *usual, const char *name, HolMessage *message)
{
    const char *names[MOST_KINDS + 1] = {NULL};
    name = name ? name : "";
    for (int i = 0; i < MOST_KINDS && (names[i] = info(i).name); ++i)
        if (strcmp(names[i], name) == 0)
            return i;
    const char *nearest = hol_nearest_name(name, names);
    if (nearest)
        hol_fail(message, HOL_BAD_INPUT, "%s '%s' is unknown (did you mean '%s'?)", what, name, nearest);
    else
        hol_fail(message, HOL_BAD_INPUT, "%s '%s' is unknown (the default is '%s')", what, name, usual);
    return -1;
}

const HolFormulationKind *hol_formulation_find(const char *name, HolMessage *message)
{
    int index = hol_kind_find(hol_formulation_info, "formulation", "direct-correction", name, message);
    return index < 0 ? NULL : hol_formulation_kinds[index];
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
    return (HolKindInfo){.name = kind->name,
                         .title = kind->title,
                         .page = kind->page,
                         .options = kind->options,
                         .option_count = kind->option_count,
                         .integrator = kind->integrator ? kind->integrator : "rk4"};
}

unsigned hol_load_sharing(const HolFormulationKind *kind)
{
    return HOL_SHARING_KNOWN | (kind->has_redundancy_rule ? HOL_SHARING_BY_RULE : 0U) |
           (kind->omits_redundant_rows ? HOL_SHARING_BY_ELIMINATION : 0U) |
           (kind->uses_row_weights ? HOL_SHARING_BY_WEIGHTS : 0U) |
           (kind->uses_row_stiffness ? HOL_SHARING_BY_STIFFNESS : 0U);
}
