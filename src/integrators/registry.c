/* SPDX-License-Identifier: BSD-3-Clause */
/* All integrators, one line each, and which of them run which formulation. */
#include <holon/argument.h>

#include "base/format.h"
#include "base/message.h"
#include "integrators/integrator.h"

#include <string.h>

/* In the order of lists and manuals. */
#define KINDS(KIND)                                                                                                    \
    KIND(hol_euler)                                                                                                    \
    KIND(hol_symplectic_euler)                                                                                         \
    KIND(hol_rk4)                                                                                                      \
    KIND(hol_dopri5)                                                                                                   \
    KIND(hol_dop853)                                                                                                   \
    KIND(hol_trapezoidal)                                                                                              \
    KIND(hol_newmark)                                                                                                  \
    KIND(hol_generalized_alpha)                                                                                        \
    KIND(hol_built_in)

#define DECLARE(kind) extern const HolIntegratorKind kind;
#define LIST(kind) &kind,

KINDS(DECLARE)
const HolIntegratorKind *const hol_integrator_kinds[] = {KINDS(LIST) NULL};

enum { COUNT = sizeof hol_integrator_kinds / sizeof *hol_integrator_kinds - 1 };

const HolIntegratorKind *hol_integrator_find(const char *name, HolMessage *message)
{
    int index = hol_kind_find(hol_integrator_info, "integrator", "rk4", name, message);
    return index < 0 ? NULL : hol_integrator_kinds[index];
}

int hol_integrator_count(void)
{
    return COUNT;
}

HolKindInfo hol_integrator_info(int index)
{
    if (index < 0 || index >= COUNT)
        return (HolKindInfo){.name = NULL};
    const HolIntegratorKind *kind = hol_integrator_kinds[index];
    return (HolKindInfo){.name = kind->name,
                         .title = kind->title,
                         .page = kind->page,
                         .options = kind->options,
                         .option_count = kind->option_count,
                         .adaptive = kind->adapt != NULL,
                         .order = kind->order,
                         .is_explicit =
                             (kind->needs & (HOL_RATES | HOL_SPLIT)) && !(kind->needs & (HOL_NEWMARK | HOL_OWN_STEP))};
}

/* Describes what an integrator needs of a formulation. */
static const char *offer_words(unsigned needs)
{
    if (needs & HOL_RATES)
        return "a first-order state and its rate";
    if (needs & HOL_SPLIT)
        return "a state of positions and velocities";
    return needs & HOL_NEWMARK ? "a formulation with Newmark-type steps" : "a formulation with own steps";
}

/* Appends a name to a list in a buffer of fixed size; what does not fit is left out. */
static void registry_append(char *list, size_t size, const char *name)
{
    size_t length = strlen(list);
    hol_format(list + length, size - length, "%s%s", length > 0 ? ", " : "", name);
}

HolStatus hol_pair_check(const HolFormulationKind *formulation, const HolIntegratorKind *integrator,
                         HolMessage *message)
{
    const unsigned offers = hol_formulation_offers(formulation);
    if (integrator->needs & offers)
        return HOL_OK;
    char integrators[128] = "", formulations[160] = "";
    for (int i = 0; i < COUNT; ++i)
        if (hol_integrator_kinds[i]->needs & offers)
            registry_append(integrators, sizeof integrators, hol_integrator_kinds[i]->name);
    for (int i = 0; hol_formulation_kinds[i] && !(integrator->needs & (HOL_RATES | HOL_SPLIT)); ++i)
        if (hol_formulation_offers(hol_formulation_kinds[i]) & integrator->needs)
            registry_append(formulations, sizeof formulations, hol_formulation_kinds[i]->name);
    return hol_fail(message, HOL_UNSUPPORTED,
                    "integrator '%s' cannot run formulation '%s': it needs %s%s%s; integrators that can are %s",
                    integrator->name, formulation->name, offer_words(integrator->needs), formulations[0] ? ": " : "",
                    formulations, integrators);
}

HolStatus hol_pair_supported(const char *formulation, const char *integrator, HolMessage *message)
{
    HOL_TRY(HOL_CHECK_POINTER(message, formulation));
    HOL_TRY(HOL_CHECK_POINTER(message, integrator));
    const HolFormulationKind *of_formulation = hol_formulation_find(formulation, message);
    const HolIntegratorKind *of_integrator = of_formulation ? hol_integrator_find(integrator, message) : NULL;
    return of_integrator ? hol_pair_check(of_formulation, of_integrator, message) : HOL_BAD_INPUT;
}
