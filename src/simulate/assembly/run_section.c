/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate/assembly/run_section.h"

#include "base/message.h"
#include "base/options.h"
#include "integrators/integrator.h"
#include "model/model.h"
#include "simulate/automatic/choice.h"

#include <string.h>

/* Memory for options while they are checked. */
typedef struct Scratch {
    void *formulation, *integrator;
} Scratch;

/* Checks an option together with those before it; a combination that does not fit is reported at its last option. */
static HolStatus set_integrator_option(const HolIntegratorKind *kind, const char *name, const char *value,
                                       void *options, HolMessage *message)
{
    HOL_TRY(hol_options_set(kind->options, kind->option_count, kind->name, name, value, options, message));
    return kind->check ? kind->check(options, message) : HOL_OK;
}

static void check_setting(HolModel *model, const HolRunSection *run, int index, const HolFormulationKind *formulation,
                          const HolIntegratorKind *integrator, const Scratch *scratch)
{
    const HolSetting *setting = &run->settings[index];
    const char *name = strchr(setting->name, '.') + 1;
    bool is_of_integrator = setting->name[0] == 'i';
    HolMessage message = {{0}};
    HolStatus status = HOL_OK;
    if (!is_of_integrator && formulation)
        status = hol_options_set(formulation->options, formulation->option_count, formulation->name, name,
                                 setting->value, scratch->formulation, &message);
    else if (is_of_integrator && integrator)
        status = set_integrator_option(integrator, name, setting->value, scratch->integrator, &message);
    if (status != HOL_OK)
        hol_error(model, run->setting_places[index], "run: %s", message.text);
    else if (is_of_integrator && integrator && formulation && integrator->options_need &&
             !(integrator->options_need & hol_formulation_offers(formulation)))
        hol_warning(model, run->setting_places[index],
                    "run: option '%s' of '%s' has no effect with '%s', which iterates by options of its own", name,
                    integrator->name, formulation->name);
}

static void check_settings(HolModel *model, const HolMechanism *m, const HolFormulationKind *formulation,
                           const HolIntegratorKind *integrator)
{
    Scratch scratch = {hol_arena_alloc(m->arena, formulation ? formulation->options_size : 0),
                       hol_arena_alloc(m->arena, integrator ? integrator->options_size : 0)};
    if (hol_arena_failed(m->arena))
        return;
    if (integrator)
        hol_options_defaults(integrator->options, integrator->option_count, scratch.integrator);
    for (int i = 0; i < m->run->setting_count; ++i)
        check_setting(model, m->run, i, formulation, integrator, &scratch);
}

HolSimulationOptions hol_simulation_options(void)
{
    return (HolSimulationOptions){.formulation = "direct-correction", .integrator = "rk4", .step = 1e-3};
}

static void report_unknown(HolModel *model, HolPlace place, const HolMessage *message)
{
    const char *advice = "; see 'holon list formulations' and 'holon list integrators'";
    hol_error(model, place, "run: %s%s", message->text, strchr(message->text, '?') ? "" : advice);
}

static bool is_missing(const char *name)
{
    return name && !name[0];
}

/* Whether the section names no kind of what is called `prefix`, nor options of one. */
static bool run_is_free(const HolRunSection *run, const char *name, const char *prefix)
{
    for (int i = 0; i < run->setting_count; ++i)
        if (strncmp(run->settings[i].name, prefix, strlen(prefix)) == 0)
            return false;
    return is_missing(name);
}

void hol_run_section_complete(HolModel *model, HolMechanism *mechanism)
{
    HolRunSection *run = mechanism->run;
    HolMessage message = {{0}};
    if (run->integrator && strcmp(run->integrator, HOL_AUTOMATIC_INTEGRATOR) == 0)
        run->integrator = "";
    run->formulation_is_free = run_is_free(run, run->formulation, "formulation.");
    run->integrator_is_free = run_is_free(run, run->integrator, "integrator.");
    if (is_missing(run->formulation)) /* beams are too stiff for explicit steps of a usual size */
        run->formulation =
            mechanism->beam_element_count > 0 ? "index3-augmented-lagrangian" : hol_simulation_options().formulation;
    const HolFormulationKind *formulation = run->formulation ? hol_formulation_find(run->formulation, &message) : NULL;
    if (run->formulation && !formulation)
        report_unknown(model, run->formulation_place, &message);
    if (is_missing(run->integrator))
        run->integrator = hol_default_integrator(formulation);
    const HolIntegratorKind *integrator = run->integrator ? hol_integrator_find(run->integrator, &message) : NULL;
    if (run->integrator && !integrator)
        report_unknown(model, run->integrator_place, &message);
    if (formulation && integrator && hol_pair_check(formulation, integrator, &message) != HOL_OK)
        hol_error(model, run->integrator_place, "run: %s", message.text);
    if (formulation)
        run->load_sharing = hol_load_sharing(formulation);
    check_settings(model, mechanism, formulation, integrator);
}
