/* SPDX-License-Identifier: BSD-3-Clause */
/* Creates a mechanism from a model, destroys it, and turns its run section into options of a simulation. */
#include "base/message.h"
#include "formulations/formulation.h"
#include "mechanism/compile/compile.h"
#include "mechanism/reactions/elastic.h"
#include "mechanism/reactions/row_gains.h"
#include "model/model.h"
#include "simulate/assembly/run_section.h"

/* Gains of joints do nothing with a formulation that has no such penalties. */
static void warn_of_idle_gains(HolModel *model, const HolMechanism *mechanism)
{
    const HolFormulationKind *kind = hol_formulation_find(mechanism->run->formulation, NULL);
    for (int j = 0; kind && !kind->uses_row_gains && j < mechanism->joint_count; ++j) {
        const HolJoint *joint = &mechanism->joints[j];
        if (joint->gains)
            hol_warning(model, joint->gains->place,
                        "%s '%s': 'penalty_omega' and 'penalty_xi' have no effect with '%s'; they act with 'penalty', "
                        "'augmented-lagrangian' and 'augmented-lagrangian-projected'",
                        joint->part, joint->name, kind->name);
    }
}

static HolStatus mechanism_complete(HolModel *model, HolMechanism *mechanism)
{
    hol_run_section_complete(model, mechanism);
    if (hol_model_error_count(model) > 0)
        return HOL_BAD_INPUT;
    HOL_TRY(hol_mechanism_build(model, mechanism));
    warn_of_idle_gains(model, mechanism);
    HOL_TRY(hol_mechanism_set_row_gains(mechanism));
    return hol_mechanism_set_row_stiffness(mechanism);
}

HolStatus hol_mechanism_create(HolModel *model, HolMechanism **mechanism)
{
    if (mechanism)
        *mechanism = NULL;
    HOL_TRY(HOL_CHECK_FOR_MODEL(model, mechanism));
    HOL_TRY(hol_mechanism_read(model, mechanism));
    HolStatus status = mechanism_complete(model, *mechanism);
    if (status != HOL_OK) {
        hol_mechanism_destroy(*mechanism);
        *mechanism = NULL;
    }
    return status;
}

void hol_mechanism_destroy(HolMechanism *mechanism)
{
    hol_mechanism_free(mechanism);
}

HolSimulationOptions hol_mechanism_options(const HolMechanism *mechanism)
{
    if (!mechanism)
        return hol_simulation_options();
    const HolRunSection *run = mechanism->run;
    HolSimulationOptions options = {
        .integrator = run->integrator,
        .step = run->step,
        .branch = run->branch,
        .settings = run->settings,
        .setting_count = run->setting_count,
        .keep_start = run->keeps_start,
        .choice = run->choice,
    };
    hol_mechanism_choose_formulation(mechanism, run->formulation, &options);
    return options;
}

void hol_mechanism_choose_formulation(const HolMechanism *mechanism, const char *formulation,
                                      HolSimulationOptions *options)
{
    if (!mechanism || !formulation || !options)
        return;
    const HolFormulationKind *kind = hol_formulation_find(formulation, NULL);
    unsigned sharing = kind ? hol_load_sharing(kind) : 0;
    bool couples = sharing & HOL_SHARING_BY_STIFFNESS, weighs = (sharing & HOL_SHARING_BY_WEIGHTS) && !couples;
    options->formulation = formulation;
    options->row_stiffness = couples ? mechanism->row_stiffness : NULL;
    options->row_weights = weighs ? mechanism->row_weights : NULL;
    options->row_omega = kind && kind->uses_row_gains ? mechanism->row_omega : NULL;
    options->row_xi = kind && kind->uses_row_gains ? mechanism->row_xi : NULL;
    options->preload = couples && mechanism->has_preload ? mechanism->preload : NULL;
}
