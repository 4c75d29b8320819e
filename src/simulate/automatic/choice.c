/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate/automatic/choice.h"

#include "base/format.h"
#include "base/message.h"
#include "base/tolerances.h"
#include "integrators/integrator.h"
#include "linalg/block/blocks.h"
#include "mechanism/run_section.h"
#include "simulate/automatic/time_scales.h"

#include <math.h>
#include <string.h>

/* Explicit steps may be shorter than the default by this factor; beyond it the model is stiff. */
static const double MOST_SHORTER = 20;
/* Steps of a run that are no reason to call it stiff, times MOST_SHORTER. */
static const double USUAL_STEPS = 1000;

static const char *const IMPLICIT = "index3-augmented-lagrangian", *const ADAPTIVE = "dopri5";

/* A choice under way, and its reason. */
typedef struct Plan {
    const HolTimeScales *scales;
    bool formulation_is_free, step_is_free, has_beams;
    const char *formulation, *integrator;
    double step;
    double duration; /* of the run; HUGE_VAL: not known */
    char why[200];
} Plan;

/* The step that an explicit integrator needs for vibrations (resolved) and damping (stable). A motion that grows needs
 * none: it is no stiffness. */
static double step_for_forces(const HolTimeScales *s)
{
    double frequency = sqrt(fmax(0, s->fastest * s->fastest - s->growth * s->growth));
    if (s->growth > frequency || s->fastest == 0)
        return HUGE_VAL;
    return frequency >= -s->growth ? HOL_PHASE_VIBRATION / s->fastest : s->explicit_step;
}

/* A step of rk4 turns by too little, (w h)^5 / 120, and slows down by the part (w h)^6 / 144. Over the time T the phase
 * is wrong by
 *
 *     w T (w h)^4 / 120 + (w T)^2 (w h)^5 / 288                                                            (1)
 *
 * of which each term may be half of the error of a good run. */
static double step_for_rotation(const Plan *p)
{
    const double w = p->scales->rotation, turned = w * p->duration, good = HOL_GOOD_ERROR / 2;
    double phase = HOL_PHASE_ROTATION;
    if (isfinite(turned) && turned > 0)
        phase = fmin(phase, fmin(pow(120 * good / turned, 0.25), pow(288 * good / (turned * turned), 0.2)));
    return w > 0 ? fmax(phase, HOL_PHASE_ROTATION_LEAST) / w : HUGE_VAL;
}

/* h divided by 1, 2, 4, 5, 10, 20, 40, 50, ... so that it is at most `needed`. */
static double divide_step(double h, double needed)
{
    static const double divisors[] = {1, 2, 4, 5};
    double power = 1;
    for (; h / (10 * power) > needed; power *= 10)
        ;
    for (int i = 0; i < 4; ++i)
        if (h / (divisors[i] * power) <= needed)
            return h / (divisors[i] * power);
    return h / (10 * power);
}

static void plan_implicit(Plan *p, const char *why)
{
    p->formulation = IMPLICIT;
    p->integrator = hol_formulation_find(IMPLICIT, NULL)->integrator;
    hol_format(p->why, sizeof p->why, "%s%s%s%s, explicit steps would need %.1g s", why, p->scales->body ? " at '" : "",
               p->scales->body ? p->scales->body : "", p->scales->body ? "'" : "", p->scales->explicit_step);
}

static void plan_explain_fastest(Plan *p, const char *before)
{
    double rate = fmax(p->scales->rotation, step_for_forces(p->scales) < HUGE_VAL ? p->scales->fastest : 0);
    if (p->scales->passage * p->step > HOL_PART_REDUCED)
        rate = fmax(rate, p->scales->passage);
    if (rate * p->step > HOL_TOL_EQUAL)
        hol_format(p->why, sizeof p->why, "%sfastest motion %.3g rad/s", before, rate);
    else if (p->scales->rotating)
        hol_format(p->why, sizeof p->why, "%snothing is stiff, and bodies rotate about centres at rest", before);
    else
        hol_format(p->why, sizeof p->why, "%snothing is stiff or rotates", before);
}

/* The contact with a stop is brief: error control shortens the steps there alone. */
static bool plan_for_stop(Plan *p)
{
    const HolTimeScales *s = p->scales;
    if (!(s->stop * p->step > HOL_PHASE_STOP))
        return false;
    p->integrator = ADAPTIVE;
    hol_format(p->why, sizeof p->why, "'%s' is stiff in a part of its range, %.3g rad/s", s->stop_name, s->stop);
    return true;
}

/* More steps than a run can have in reasonable time are left to error control, which needs few where little happens. */
static void plan_for_length(Plan *p)
{
    static const double MOST_STEPS = 1e7;
    const double steps = p->duration / p->step;
    if (!isfinite(steps) || steps <= MOST_STEPS)
        return;
    p->integrator = ADAPTIVE;
    hol_format(p->why, sizeof p->why, "%.1g equal steps would be too many", steps);
}

/* The model gives the step: only the kind of steps is open. */
static bool plan_with_step(Plan *p)
{
    const HolTimeScales *s = p->scales;
    plan_explain_fastest(p, "step as given, ");
    if (step_for_forces(s) == HUGE_VAL || p->step <= s->explicit_step) {
        plan_for_stop(p);
        return true;
    }
    if (p->formulation_is_free)
        plan_implicit(p, "stiff");
    return p->formulation_is_free;
}

static bool plan_freely(Plan *p)
{
    const HolTimeScales *s = p->scales;
    const double passage = s->passage > 0 ? HOL_PHASE_VIBRATION / s->passage : HUGE_VAL;
    const double h = p->step, forces = step_for_forces(s), rotation = step_for_rotation(p);
    bool is_stiff = forces * MOST_SHORTER < fmin(h, p->duration / USUAL_STEPS);
    if (is_stiff && !p->formulation_is_free)
        return false;
    p->step = divide_step(h, fmin(rotation, is_stiff ? HUGE_VAL : fmin(forces, passage)));
    if (is_stiff) {
        plan_implicit(p, "stiff");
    } else if (p->step < h && rotation < forces) {
        hol_format(p->why, sizeof p->why, "'%s' rotates at %.3g rad/s", s->rotating, s->rotation);
    } else {
        plan_explain_fastest(p, "");
    }
    if (!is_stiff && !plan_for_stop(p))
        plan_for_length(p);
    return true;
}

/* Beams are stiff whatever their state is. */
static bool plan_make(Plan *p)
{
    if (p->has_beams && p->formulation_is_free) {
        plan_implicit(p, "stiff beams");
        return true;
    }
    return p->step_is_free ? plan_freely(p) : plan_with_step(p);
}

static HolStatus plan_keep(const Plan *p, HolArena *arena, const HolChoice **kept)
{
    char text[320], with[80] = "";
    if (strcmp(p->formulation, hol_simulation_options().formulation) != 0 && p->formulation_is_free)
        hol_format(with, sizeof with, " with %s", p->formulation);
    int length = hol_format(text, sizeof text, "%s%s, %s %g s (automatic: %s)", p->integrator, with,
                            strcmp(p->integrator, ADAPTIVE) == 0 ? "first step" : "step", p->step, p->why);
    HolChoice *choice = hol_arena_alloc(arena, sizeof *choice);
    const char *copy = hol_arena_text(arena, text, (size_t)length);
    HOL_TRY(hol_arena_status(arena));
    *choice = (HolChoice){p->formulation, p->integrator, p->step, copy};
    *kept = choice;
    return HOL_OK;
}

static HolStatus plan_apply(const Plan *p, HolMechanism *m)
{
    HolRunSection *run = m->run;
    HOL_TRY(plan_keep(p, m->arena, &run->choice));
    run->formulation = p->formulation;
    run->integrator = p->integrator;
    run->step = p->step;
    run->load_sharing = hol_load_sharing(hol_formulation_find(p->formulation, NULL));
    return HOL_OK;
}

static double run_duration(const HolMechanism *mechanism, double start)
{
    double duration = mechanism ? mechanism->run->until - start : HUGE_VAL;
    return duration > 0 ? duration : HUGE_VAL;
}

HolStatus hol_automatic_choose(HolMechanism *mechanism)
{
    const HolRunSection *run = mechanism->run;
    const HolSimulationOptions usual = hol_simulation_options();
    bool has_beams = mechanism->beam_element_count > 0;
    const HolFormulationKind *kind = run->formulation_is_free && !has_beams
                                         ? hol_formulation_find(usual.formulation, NULL)
                                         : hol_formulation_find(run->formulation, NULL);
    HolTimeScales scales;
    if (!run->integrator_is_free || (kind->integrator && !(has_beams && run->formulation_is_free)))
        return HOL_OK;
    HolStatus status = hol_mechanism_time_scales(mechanism, &scales);
    if (status != HOL_OK)
        return status == HOL_NO_MEMORY ? status : HOL_OK;
    Plan plan = {.scales = &scales,
                 .formulation_is_free = run->formulation_is_free,
                 .step_is_free = run->step_is_free,
                 .has_beams = has_beams,
                 .formulation = kind->name,
                 .integrator = usual.integrator,
                 .step = run->step_is_free ? usual.step : run->step,
                 .duration = run_duration(mechanism, hol_mechanism_initial_state(mechanism).t)};
    return plan_make(&plan) ? plan_apply(&plan, mechanism) : HOL_OK;
}

HolKindInfo hol_automatic_info(void)
{
    return (HolKindInfo){.name = HOL_AUTOMATIC_INTEGRATOR,
                         .title =
                             "chooses one of the others, the step and the formulation by the time scales of the model",
                         .page = "docs/methods/automatic.md"};
}

const char *hol_default_integrator(const HolFormulationKind *formulation)
{
    const char *usual = hol_simulation_options().integrator;
    if (!formulation || hol_pair_check(formulation, hol_integrator_find(usual, NULL), NULL) == HOL_OK)
        return usual;
    return formulation->integrator;
}

/* The first setting whose name begins with `prefix`, or NULL. */
static const char *find_setting(const HolSimulationOptions *options, const char *prefix)
{
    for (int i = 0; options->settings && i < options->setting_count; ++i)
        if (options->settings[i].name && strncmp(options->settings[i].name, prefix, strlen(prefix)) == 0)
            return options->settings[i].name;
    return NULL;
}

/* Weights of rows belong to the formulation that they are given for; those of a mechanism can be given again. */
static bool formulation_is_open(const HolSystem *system, const HolSimulationOptions *options)
{
    bool has_weights =
        options->row_weights || options->row_omega || options->row_xi || options->row_stiffness || options->preload;
    return strcmp(options->formulation, hol_simulation_options().formulation) == 0 &&
           !find_setting(options, "formulation.") && (hol_mechanism_of(system) || !has_weights);
}

/* The time scales at the consistent state. */
static HolStatus find_scales(const HolSystem *system, const HolInitialState *start, HolArena *arena,
                             const HolSimulationOptions *options, HolTimeScales *scales)
{
    const HolPattern *p = hol_system_pattern(system);
    double *q = hol_arena_doubles(arena, (size_t)p->nq), *v = hol_arena_doubles(arena, (size_t)p->nv);
    HOL_TRY(hol_arena_status(arena));
    memcpy(q, start->q, (size_t)p->nq * sizeof *q);
    memcpy(v, start->v, (size_t)p->nv * sizeof *v);
    if (!options->keep_start)
        HOL_TRY(hol_assemble(system, start->t, q, v, NULL));
    return hol_time_scales(system, &(HolInitialState){start->t, q, v}, options->step, scales);
}

HolStatus hol_automatic_resolve(const HolSystem *system, const HolInitialState *start, HolArena *arena,
                                HolSimulationOptions *options, HolMessage *message)
{
    const HolFormulationKind *kind = hol_formulation_find(options->formulation, message);
    const HolMechanism *mechanism = hol_mechanism_of(system);
    const char *setting = find_setting(options, "integrator.");
    HolTimeScales scales;
    if (!kind)
        return HOL_BAD_INPUT;
    if (setting)
        return hol_fail(message, HOL_BAD_INPUT, "setting '%s': '%s' has no options; name the integrator it is for",
                        setting, HOL_AUTOMATIC_INTEGRATOR);
    options->integrator = hol_default_integrator(kind);
    options->choice = NULL;
    if (kind->integrator)
        return HOL_OK;
    HolStatus status = find_scales(system, start, arena, options, &scales);
    if (status != HOL_OK) /* the simulation reports why */
        return status == HOL_NO_MEMORY ? status : HOL_OK;
    Plan plan = {.scales = &scales,
                 .formulation_is_free = formulation_is_open(system, options),
                 .step_is_free = options->step == hol_simulation_options().step,
                 .has_beams = mechanism && mechanism->beam_element_count > 0,
                 .formulation = kind->name,
                 .integrator = options->integrator,
                 .step = options->step,
                 .duration = run_duration(mechanism, start->t)};
    if (!plan_make(&plan))
        return HOL_OK;
    options->formulation = plan.formulation;
    options->integrator = plan.integrator;
    options->step = plan.step;
    return plan_keep(&plan, arena, &options->choice);
}
