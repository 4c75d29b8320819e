/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate/automatic/choice.h"

#include "base/format.h"
#include "base/message.h"
#include "base/tolerances.h"
#include "integrators/integrator.h"
#include "mechanism/run_section.h"

#include <math.h>
#include <string.h>

/* Explicit steps may be shorter than the default by this factor; beyond it the model is stiff. */
static const double MOST_SHORTER = 20;

static const char *const IMPLICIT = "index3-augmented-lagrangian", *const ADAPTIVE = "dopri5";

/* A choice under way, and its reason. */
typedef struct Plan {
    const HolTimeScales *scales;
    const char *formulation, *integrator;
    double step;
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

static double step_for_rotation(const HolTimeScales *s)
{
    return s->rotation > 0 ? HOL_PHASE_ROTATION / s->rotation : HUGE_VAL;
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
    if (rate * p->step > HOL_TOL_EQUAL)
        hol_format(p->why, sizeof p->why, "%sfastest motion %.3g rad/s", before, rate);
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
    hol_format(p->why, sizeof p->why, "stop '%s' is stiff once compressed, %.3g rad/s", s->stop_name, s->stop);
    return true;
}

/* The model gives the step: only the kind of steps is open. */
static bool plan_with_step(Plan *p, bool formulation_is_free)
{
    const HolTimeScales *s = p->scales;
    plan_explain_fastest(p, "step as given, ");
    if (step_for_forces(s) == HUGE_VAL || p->step <= s->explicit_step) {
        plan_for_stop(p);
        return true;
    }
    if (formulation_is_free)
        plan_implicit(p, "stiff");
    return formulation_is_free;
}

static bool plan_freely(Plan *p, bool formulation_is_free)
{
    const HolTimeScales *s = p->scales;
    const double h = p->step, forces = step_for_forces(s), rotation = step_for_rotation(s);
    bool is_stiff = forces * MOST_SHORTER < h;
    if (is_stiff && !formulation_is_free)
        return false;
    p->step = divide_step(h, is_stiff ? rotation : fmin(forces, rotation));
    if (is_stiff) {
        plan_implicit(p, "stiff");
    } else if (p->step < h && rotation < forces) {
        hol_format(p->why, sizeof p->why, "'%s' rotates at %.3g rad/s", s->rotating, s->rotation);
    } else {
        plan_explain_fastest(p, "");
    }
    if (!is_stiff)
        plan_for_stop(p);
    return true;
}

/* Beams are stiff whatever their state is. */
static bool plan_make(Plan *p, const HolMechanism *m)
{
    const HolRunSection *run = m->run;
    if (m->beam_element_count > 0 && run->formulation_is_free) {
        plan_implicit(p, "stiff beams");
        return true;
    }
    return run->step_is_free ? plan_freely(p, run->formulation_is_free) : plan_with_step(p, run->formulation_is_free);
}

static HolStatus plan_apply(const Plan *p, HolMechanism *m)
{
    HolRunSection *run = m->run;
    char text[320], with[80] = "";
    if (strcmp(p->formulation, hol_simulation_options().formulation) != 0 && run->formulation_is_free)
        hol_format(with, sizeof with, " with %s", p->formulation);
    int length = hol_format(text, sizeof text, "%s%s, %s %g s (automatic: %s)", p->integrator, with,
                            strcmp(p->integrator, ADAPTIVE) == 0 ? "first step" : "step", p->step, p->why);
    HolChoice *choice = hol_arena_alloc(m->arena, sizeof *choice);
    const char *kept = hol_arena_text(m->arena, text, (size_t)length);
    HOL_TRY(hol_arena_status(m->arena));
    *choice = (HolChoice){p->formulation, p->integrator, p->step, kept};
    run->choice = choice;
    run->formulation = p->formulation;
    run->integrator = p->integrator;
    run->step = p->step;
    run->load_sharing = hol_load_sharing(hol_formulation_find(p->formulation, NULL));
    return HOL_OK;
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
                 .formulation = kind->name,
                 .integrator = usual.integrator,
                 .step = run->step_is_free ? usual.step : run->step};
    return plan_make(&plan, mechanism) ? plan_apply(&plan, mechanism) : HOL_OK;
}
