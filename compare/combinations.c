/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the combinations: a block for each integrator and step, with every formulation, and lagrange for the times if
 * it is not among them. */
#include "study.h"

#include <math.h>
#include <string.h>

static int formulation_count(const HolCompareOptions *o)
{
    return o->formulations ? o->formulation_count : hol_formulation_count();
}

static const char *formulation_name(const HolCompareOptions *o, int index)
{
    return o->formulations ? o->formulations[index] : hol_formulation_info(index).name;
}

static bool has_standard(const HolCompareOptions *o)
{
    for (int i = 0; i < formulation_count(o); ++i)
        if (strcmp(formulation_name(o, i), "lagrange") == 0)
            return true;
    return false;
}

/* Whether the name occurs earlier in the list. */
static bool is_repeated(const char *const *names, int index)
{
    for (int i = 0; names && i < index; ++i)
        if (strcmp(names[i], names[index]) == 0)
            return true;
    return false;
}

static bool is_repeated_step(const double *steps, int index)
{
    for (int i = 0; steps && i < index; ++i)
        if (steps[i] == steps[index])
            return true;
    return false;
}

/* An adaptive integrator uses the first step only. */
static int step_count(const HolCompareOptions *o, const char *integrator)
{
    return o->steps && !hol_compare_is_adaptive(integrator) ? o->step_count : 1;
}

/* The summary of a run that was not made. */
static HolSummary no_summary(void)
{
    return (HolSummary){.reached = NAN,
                        .max_position_violation = NAN,
                        .max_velocity_violation = NAN,
                        .max_acceleration_violation = NAN,
                        .mean_position_violation_sq = NAN,
                        .mean_velocity_violation_sq = NAN,
                        .mean_acceleration_violation_sq = NAN,
                        .energy_initial = NAN,
                        .energy_final = NAN,
                        .max_energy_drift = NAN,
                        .max_off_manifold_energy = NAN};
}

/* A formulation that the model's integrator does not fit takes its own. */
static const char *integrator_for(const HolStudy *s, const char *formulation, const char *integrator)
{
    if (s->options->integrators || hol_pair_supported(formulation, integrator, NULL) != HOL_UNSUPPORTED)
        return integrator;
    for (int i = 0; i < hol_formulation_count(); ++i)
        if (strcmp(hol_formulation_info(i).name, formulation) == 0)
            return hol_formulation_info(i).integrator;
    return integrator;
}

static HolStatus add_entry(HolStudy *s, const char *formulation, const HolCompareRecord *block, bool shown,
                           HolMessage *message)
{
    HolEntry *entry = &s->entries[s->entry_count++];
    HolCompareRecord *r = &entry->record;
    *r = (HolCompareRecord){.formulation = formulation,
                            .integrator = integrator_for(s, formulation, block->integrator),
                            .block_integrator = block->integrator,
                            .step = block->step,
                            .block = block->block,
                            .remark = "",
                            .summary = no_summary(),
                            .position_error = NAN,
                            .reaction_error = NAN,
                            .order = NAN,
                            .time_ratio = NAN,
                            .time_ratio_low = NAN,
                            .time_ratio_high = NAN,
                            .processor_s = NAN,
                            .wall_s = NAN};
    entry->shown = shown;
    s->result.count += shown;
    r->status = hol_pair_supported(formulation, r->integrator, &r->message);
    return r->status == HOL_BAD_INPUT ? hol_fail(message, HOL_BAD_INPUT, "%s", r->message.text) : HOL_OK;
}

static HolStatus combinations_add_block(HolStudy *s, const HolCompareRecord *block, HolMessage *message)
{
    static const double MOST_STEPS = 1e12;
    double steps = (s->result.until - hol_mechanism_initial_state(s->mechanism).t) / block->step;
    if (!hol_compare_is_adaptive(block->integrator) && !(steps <= MOST_STEPS))
        return hol_fail(message, HOL_BAD_INPUT, "step %g s needs %.2g steps until %g s, more than the limit of %g",
                        block->step, steps, s->result.until, MOST_STEPS);
    for (int f = 0; f < formulation_count(s->options); ++f)
        if (!is_repeated(s->options->formulations, f))
            HOL_TRY(add_entry(s, formulation_name(s->options, f), block, true, message));
    return has_standard(s->options) ? HOL_OK : add_entry(s, "lagrange", block, false, message);
}

/* An upper bound: what is named twice is counted twice. */
static int most_entries(const HolCompareOptions *o)
{
    int integrators = o->integrators ? o->integrator_count : 1, steps = o->steps ? o->step_count : 1;
    return integrators * steps * (formulation_count(o) + 1);
}

HolStatus hol_study_list_combinations(HolStudy *s, HolMessage *message)
{
    const HolCompareOptions *o = s->options;
    HolSimulationOptions model = hol_mechanism_options(s->mechanism);
    s->entries = hol_pool_alloc(&s->pool, (size_t)most_entries(o) * sizeof *s->entries);
    if (!s->entries)
        return HOL_NO_MEMORY;
    HolCompareRecord block = {.block = 0};
    for (int i = 0; i < (o->integrators ? o->integrator_count : 1); ++i) {
        block.integrator = o->integrators ? o->integrators[i] : model.integrator;
        for (int k = 0; !is_repeated(o->integrators, i) && k < step_count(o, block.integrator); ++k) {
            block.step = o->steps ? o->steps[k] : model.step;
            if (is_repeated_step(o->steps, k))
                continue;
            HOL_TRY(combinations_add_block(s, &block, message));
            ++block.block;
        }
    }
    return HOL_OK;
}
