/* SPDX-License-Identifier: BSD-3-Clause */
#include <holon/argument.h>

#include "base/float_mode.h"
#include "base/message.h"
#include "base/options.h"
#include "base/tolerances.h"
#include "mechanism/run_section.h"
#include "simulate/automatic/choice.h"
#include "simulate/automatic/time_scales.h"
#include "simulate/diagnosis/conflict.h"
#include "simulate/diagnosis/redundancy.h"
#include "simulate/run/estimate.h"
#include "simulate/run/events.h"
#include "simulate/run/impulses.h"
#include "simulate/run/internal.h"
#include "simulate/run/path.h"
#include "simulate/run/resolution.h"
#include "simulate/run/sensitivity.h"
#include "simulate/run/swept.h"
#include "simulate/singular/branches.h"

#include <math.h>
#include <string.h>

/* The kinds that the options name, with the options of each filled in. */
typedef struct Choice {
    const HolFormulationKind *formulation;
    const HolIntegratorKind *integrator;
    void *formulation_options, *integrator_options;
} Choice;

static HolStatus apply_setting(const HolSetting *setting, const Choice *choice, HolMessage *message)
{
    const char *name = setting->name;
    if (name && strncmp(name, "formulation.", 12) == 0)
        return hol_options_set(choice->formulation->options, choice->formulation->option_count,
                               choice->formulation->name, name + 12, setting->value, choice->formulation_options,
                               message);
    if (name && strncmp(name, "integrator.", 11) == 0)
        return hol_options_set(choice->integrator->options, choice->integrator->option_count, choice->integrator->name,
                               name + 11, setting->value, choice->integrator_options, message);
    return hol_fail(message, HOL_BAD_INPUT, "setting '%s' must begin with 'formulation.' or 'integrator.'",
                    name ? name : "(no name)");
}

static HolStatus simulation_choose(const HolSimulationOptions *options, HolArena *arena, Choice *choice,
                                   HolMessage *message)
{
    if (!options->formulation || !options->integrator)
        return hol_fail(message, HOL_BAD_INPUT, "the options name no formulation or no integrator");
    choice->formulation = hol_formulation_find(options->formulation, message);
    choice->integrator = choice->formulation ? hol_integrator_find(options->integrator, message) : NULL;
    if (!choice->integrator)
        return HOL_BAD_INPUT;
    HOL_TRY(hol_pair_check(choice->formulation, choice->integrator, message));
    choice->formulation_options = hol_arena_alloc(arena, choice->formulation->options_size);
    choice->integrator_options = hol_arena_alloc(arena, choice->integrator->options_size);
    HOL_TRY(hol_arena_status(arena));
    hol_options_defaults(choice->formulation->options, choice->formulation->option_count, choice->formulation_options);
    hol_options_defaults(choice->integrator->options, choice->integrator->option_count, choice->integrator_options);
    if (options->setting_count < 0 || (options->setting_count > 0 && !options->settings))
        return hol_fail(message, HOL_BAD_INPUT, "setting_count is %d, but the settings are %s", options->setting_count,
                        options->settings ? "given" : "missing");
    if (options->row_weights && !choice->formulation->uses_row_weights)
        return hol_fail(message, HOL_UNSUPPORTED, "'%s' has no penalty and cannot use row_weights",
                        choice->formulation->name);
    if ((options->row_omega || options->row_xi) && !choice->formulation->uses_row_gains)
        return hol_fail(message, HOL_UNSUPPORTED,
                        "'%s' has no frequency and damping of penalties and cannot use row_omega and row_xi",
                        choice->formulation->name);
    if ((options->row_stiffness || options->preload) && !choice->formulation->uses_row_stiffness)
        return hol_fail(message, HOL_UNSUPPORTED, "'%s' cannot use row_stiffness and preload",
                        choice->formulation->name);
    for (int i = 0; i < options->setting_count; ++i)
        HOL_TRY(apply_setting(&options->settings[i], choice, message));
    return choice->integrator->check ? choice->integrator->check(choice->integrator_options, message) : HOL_OK;
}

static HolStatus check_numbers(const double *x, int n, const char *what, HolMessage *message)
{
    for (int i = 0; i < n; ++i)
        if (!isfinite(x[i]))
            return hol_fail(message, HOL_BAD_INPUT, "%s[%d] of the initial state is %g: it must be finite", what, i,
                            x[i]);
    return HOL_OK;
}

HolStatus hol_check_advance(const char *what, double t, double step, HolMessage *message)
{
    if (step >= HOL_TOL_ADVANCE * fabs(t))
        return HOL_OK;
    return hol_fail(message, HOL_BAD_INPUT,
                    "the %s %.9g s is too far from zero for a step of %.3g s, which rounding would swallow; begin at "
                    "time zero, or take steps above %.1e s",
                    what, t, step, HOL_TOL_ADVANCE * fabs(t));
}

static HolStatus check_row_gains(const char *what, const double *x, int m, HolMessage *message)
{
    for (int i = 0; x && i < m; ++i)
        if (x[i] < 0 || isinf(x[i]))
            return hol_fail(message, HOL_BAD_INPUT, "%s[%d] = %g must be finite and not negative", what, i, x[i]);
    return HOL_OK;
}

static HolStatus check_arguments(const HolSystem *system, const HolInitialState *start,
                                 const HolSimulationOptions *options, HolMessage *message)
{
    const HolPattern *p = hol_system_pattern(system);
    if (!(options->step > 0) || !isfinite(options->step))
        return hol_fail(message, HOL_BAD_INPUT, "step = %g must be positive and finite", options->step);
    if ((unsigned)options->branch > HOL_BRANCH_STOP)
        return hol_fail(message, HOL_BAD_INPUT, "branch = %d is none of continue, report and stop", options->branch);
    if (!start->q || !start->v)
        return hol_fail(message, HOL_BAD_INPUT, "the initial state has no q or no v");
    HOL_TRY(check_numbers(&start->t, 1, "t", message));
    HOL_TRY(hol_check_advance("start time", start->t, options->step, message));
    HOL_TRY(check_numbers(start->q, p->nq, "q", message));
    HOL_TRY(check_numbers(start->v, p->nv, "v", message));
    for (int i = 0; options->row_weights && i < p->m; ++i)
        if (!(options->row_weights[i] > 0) || !isfinite(options->row_weights[i]))
            return hol_fail(message, HOL_BAD_INPUT, "row_weights[%d] = %g must be positive and finite", i,
                            options->row_weights[i]);
    HOL_TRY(check_row_gains("row_omega", options->row_omega, p->m, message));
    HOL_TRY(check_row_gains("row_xi", options->row_xi, p->m, message));
    for (int i = 0; options->preload && i < p->m; ++i)
        if (!isfinite(options->preload[i]))
            return hol_fail(message, HOL_BAD_INPUT, "preload[%d] = %g must be finite", i, options->preload[i]);
    return HOL_OK;
}

static HolState new_state(HolArena *arena, const HolPattern *p, const HolFormulationKind *formulation)
{
    return (HolState){.formulation = formulation->name,
                      .load_sharing = hol_load_sharing(formulation),
                      .q = hol_arena_doubles(arena, (size_t)p->nq),
                      .v = hol_arena_doubles(arena, (size_t)p->nv),
                      .vdot = hol_arena_doubles(arena, (size_t)p->nv),
                      .lambda = hol_arena_doubles(arena, (size_t)p->m)};
}

static HolStatus simulation_allocate(HolSimulation *s, const HolFormulationKind *formulation)
{
    const HolPattern *p = hol_system_pattern(s->system);
    s->state = new_state(s->arena, p, formulation);
    s->recorded = new_state(s->arena, p, formulation);
    s->residual = hol_arena_doubles(s->arena, (size_t)p->m);
    return hol_arena_failed(s->arena) ? HOL_NO_MEMORY : hol_workspace_create(s->system, s->arena, &s->work);
}

/* Puts the consistent initial state into s->state and moves the workspace there. */
static HolStatus simulation_set_initial(HolSimulation *s, const HolInitialState *start, bool keep, HolMessage *message)
{
    const HolPattern *p = hol_system_pattern(s->system);
    double *q = s->state.q, *v = s->state.v;
    memcpy(q, start->q, (size_t)p->nq * sizeof *q);
    memcpy(v, start->v, (size_t)p->nv * sizeof *v);
    if (!keep)
        HOL_TRY(hol_assemble(s->system, hol_workspace_time(s->work, start->t), q, v, message));
    hol_workspace_move(s->work, start->t, q, v);
    HolStatus status = hol_workspace_need(s->work, HOL_WANT_ALL);
    if (status != HOL_OK)
        return hol_fail(message, status, "'%s' cannot be evaluated at the initial state: %s",
                        hol_system_name(s->system), hol_status_cause(status));
    return HOL_OK;
}

static HolStatus simulation_measure_initial(HolSimulation *s, double t, HolMessage *message)
{
    int rank = 0;
    const HolPattern *p = s->work->pattern;
    HOL_TRY(hol_count_rank(s->work, &rank));
    HOL_TRY(hol_conflict_create(s->arena, s->work, p->m - rank, &s->conflict));
    s->rates->report.pivot = 1;
    s->singular_sine = 1;
    s->singular_time = HUGE_VAL;
    HolStatus status = hol_rates_accept(s->rates, t, s->step, s->y, s->ydot);
    if (status == HOL_OK) {
        s->energy_initial = s->rates->kinetic + s->work->terms->potential;
        s->measures = hol_measure(s, s->y);
        status = hol_check_measures(s, t, &s->measures, s->ydot);
    }
    if (status != HOL_OK)
        hol_find_conflict(s, &status);
    if (status != HOL_OK)
        return hol_fail(message, status, "%s: %s", s->rates->kind->name, s->rates->message.text);
    HOL_TRY(hol_detector_create(s->arena, s->work, s->state.v, &s->detector));
    hol_state_fill(s->rates, t, s->y, &s->state);
    hol_detector_sample(s->detector, s->work, -1, &s->state, &s->measures);
    hol_detector_accept(s->detector, s->work);
    s->summary.dof = p->nv - rank;
    s->summary.redundant_rows = p->m - rank;
    HOL_TRY(hol_sensitivity_create(s));
    s->summary.evaluations = 1;
    s->summary.max_position_violation = s->measures.position;
    s->summary.max_velocity_violation = s->measures.velocity;
    s->summary.max_displacement = s->measures.displacement;
    s->summary.max_displacement_rate = s->measures.displacement_rate;
    s->summary.max_acceleration_violation = s->measures.acceleration;
    s->summary.max_kinetic_energy = s->measures.kinetic;
    s->summary.potential_low = s->summary.potential_high = s->measures.potential;
    HOL_TRY(hol_estimate_create(s));
    HOL_TRY(hol_resolution_create(s));
    HOL_TRY(hol_swept_create(s));
    HOL_TRY(hol_path_create(s));
    return hol_rates_prepare(s->rates);
}

/* A method that conserves energy, where the chosen one dissipates it on purpose; else NULL. */
static const char *undamped_of(const Choice *c)
{
    const char *name = c->formulation->undamped ? c->formulation->undamped(c->formulation_options) : NULL;
    return !name && c->integrator->undamped ? c->integrator->undamped(c->integrator_options) : name;
}

/* Whether these options are still those that the automatic choice has examined. */
static bool options_follow_choice(const HolSimulationOptions *options)
{
    const HolChoice *c = options->choice;
    return c && c->formulation && c->integrator && strcmp(c->formulation, options->formulation) == 0 &&
           strcmp(c->integrator, options->integrator) == 0 && c->step == options->step;
}

/* The options with the choice that `automatic` leaves open. */
static HolStatus simulation_resolve(HolSimulation *s, const HolInitialState *start, HolSimulationOptions *options,
                                    HolMessage *message)
{
    const char *formulation = options->formulation;
    const HolMechanism *mechanism = hol_mechanism_of(s->system);
    if (!formulation || !options->integrator || strcmp(options->integrator, HOL_AUTOMATIC_INTEGRATOR) != 0)
        return HOL_OK;
    HOL_TRY(check_arguments(s->system, start, options, message));
    HOL_TRY(hol_automatic_resolve(s->system, start, s->arena, options, message));
    if (mechanism && strcmp(options->formulation, formulation) != 0)
        hol_mechanism_choose_formulation(mechanism, options->formulation, options);
    return HOL_OK;
}

static HolStatus simulation_watch(HolSimulation *s, const HolSimulationOptions *options)
{
    bool is_chosen = options_follow_choice(options);
    if (is_chosen)
        s->summary.choice = options->choice->text;
    return hol_watch_create(s, !is_chosen);
}

/* What the formulation is created from. */
static HolSetup simulation_setup(const HolSimulation *s, const Choice *choice, const HolSimulationOptions *options,
                                 HolMessage *message)
{
    return (HolSetup){.system = s->system,
                      .arena = s->arena,
                      .work = s->work,
                      .h = options->step,
                      .adaptive = choice->integrator->adapt ? choice->integrator->name : NULL,
                      .row_weights = options->row_weights,
                      .row_omega = options->row_omega,
                      .row_xi = options->row_xi,
                      .row_stiffness = options->row_stiffness,
                      .preload = options->preload,
                      .message = message};
}

static HolStatus simulation_build(HolSimulation *s, const HolInitialState *start, const HolSimulationOptions *options,
                                  HolMessage *message)
{
    Choice choice = {0};
    HOL_TRY(simulation_choose(options, s->arena, &choice, message));
    HOL_TRY(check_arguments(s->system, start, options, message));
    HOL_TRY(simulation_allocate(s, choice.formulation));
    s->integrator = choice.integrator;
    s->step = s->next = options->step;
    hol_workspace_set_step(s->work, options->step);
    s->origin = start->t;
    s->branch = options->branch;
    s->summary = (HolSummary){.system = hol_system_name(s->system),
                              .formulation = choice.formulation->name,
                              .integrator = choice.integrator->name,
                              .undamped = undamped_of(&choice),
                              .step = options->step,
                              .start = start->t,
                              .length = hol_system_pattern(s->system)->length,
                              .constraint_equations = hol_system_pattern(s->system)->m};
    HOL_TRY(hol_breakpoints_open(s, start->t));
    HOL_TRY(simulation_set_initial(s, start, options->keep_start, message));
    HolSetup setup = simulation_setup(s, &choice, options, message);
    HOL_TRY(hol_impulses_create(s, &setup));
    HOL_TRY(hol_rates_create(&setup, choice.formulation, choice.formulation_options, &s->rates));
    HOL_DOUBLES(s->arena, s->rates->size, &s->y, &s->ydot, &s->y_old, &s->ydot_old, &s->y_new, &s->ydot_new,
                &s->y_middle, &s->ydot_middle);
    HOL_TRY(hol_arena_status(s->arena));
    hol_rates_open(s->rates, s->state.q, s->state.v, s->y);
    HOL_TRY(choice.integrator->create(s->arena, s->rates, choice.integrator_options, &s->integrator_self));
    HOL_TRY(hol_events_create(s));
    HOL_TRY(simulation_watch(s, options));
    HOL_TRY(simulation_measure_initial(s, start->t, message));
    hol_identity_set(s, start, options, choice.formulation_options, choice.integrator_options);
    return HOL_OK;
}

HolStatus hol_simulation_create(const HolSystem *system, const HolInitialState *start,
                                const HolSimulationOptions *options, HolSimulation **simulation, HolMessage *message)
{
    HOL_TRY(HOL_CHECK_POINTER(message, simulation));
    *simulation = NULL;
    HOL_TRY(HOL_CHECK_POINTER(message, system));
    HOL_TRY(HOL_CHECK_POINTER(message, start));
    HOL_TRY(HOL_CHECK_POINTER(message, options));
    hol_fail(message, HOL_OK, "%s", "");
    HolArena *arena = hol_arena_create_within(hol_system_pattern(system)->memory);
    HolSimulation *s = arena ? hol_arena_alloc(arena, sizeof *s) : NULL;
    if (!s) {
        hol_arena_destroy(arena);
        return hol_fail(message, HOL_NO_MEMORY, "not enough memory for a simulation");
    }
    s->system = system;
    s->arena = arena;
    unsigned mode = hol_float_mode_enter();
    HolSimulationOptions resolved = *options;
    HolStatus status = simulation_resolve(s, start, &resolved, message);
    if (status == HOL_OK)
        status = simulation_build(s, start, &resolved, message);
    hol_float_mode_leave(mode);
    if (status != HOL_OK) {
        if (status == HOL_NO_MEMORY)
            hol_arena_fail(arena, "the simulation", message);
        if (message && !message->text[0])
            hol_fail(message, status, "the simulation cannot be set up: %s", hol_status_cause(status));
        hol_simulation_destroy(s);
        return status;
    }
    hol_arena_freeze(arena);
    *simulation = s;
    return HOL_OK;
}

void hol_simulation_destroy(HolSimulation *simulation)
{
    if (!simulation)
        return;
    hol_workspace_destroy(simulation->work);
    hol_arena_destroy(simulation->arena);
}

const HolState *hol_simulation_state(const HolSimulation *simulation)
{
    if (!simulation)
        return NULL;
    hol_renew_state((HolSimulation *)simulation); /* const to users: no number of theirs changes */
    return &simulation->state;
}

HolMeasures hol_simulation_measures(const HolSimulation *simulation)
{
    if (!simulation)
        return (HolMeasures){.sigma_min = NAN};
    hol_renew_state((HolSimulation *)simulation);
    return simulation->measures;
}

const double *hol_simulation_midpoint_multipliers(const HolSimulation *simulation)
{
    return simulation ? hol_rates_midpoint_multipliers(simulation->rates) : NULL;
}

HolSummary hol_simulation_summary(const HolSimulation *s)
{
    if (!s)
        return (HolSummary){.system = "", .formulation = "", .integrator = "", .status = HOL_BAD_INPUT};
    HolSummary summary = s->summary;
    double length = s->state.t - summary.start;
    summary.reached = s->state.t;
    summary.singular_events = s->detector->events;
    summary.branch_changes = s->detector->changes;
    summary.energy_jumps = s->detector->jumps;
    summary.recoveries = s->detector->recoveries;
    summary.ambiguous_branches = s->detector->ambiguous;
    summary.energy_initial = s->energy_initial;
    summary.energy_final = s->measures.kinetic + s->measures.potential;
    hol_estimate_summarise(s, &summary);
    hol_resolution_summarise(s, &summary);
    hol_swept_summarise(s, &summary);
    summary.mean_position_violation_sq = length > 0 ? s->sum_position_sq / length : s->measures.position_sq;
    summary.mean_velocity_violation_sq = length > 0 ? s->sum_velocity_sq / length : s->measures.velocity_sq;
    summary.mean_acceleration_violation_sq = length > 0 ? s->sum_acceleration_sq / length : s->measures.acceleration_sq;
    return summary;
}

int hol_simulation_passage_count(const HolSimulation *simulation)
{
    return simulation ? simulation->detector->count : 0;
}

HolPassage hol_simulation_passage(const HolSimulation *simulation, int index)
{
    bool is_there = index >= 0 && index < hol_simulation_passage_count(simulation);
    return is_there ? simulation->detector->passages[index] : (HolPassage){.t = NAN, .group = -1, .blocks = {-1, -1}};
}

bool hol_simulation_passage_branch(const HolSimulation *simulation, int index, int which, HolState *branch)
{
    if (!branch || index < 0 || index >= hol_simulation_passage_count(simulation))
        return false;
    const HolDetector *w = simulation->detector;
    int kept = w->branches_index[index];
    if (kept < 0 || which < 0 || which > 1)
        return false;
    const HolBranches *branches = &w->kept_branches[kept];
    *branch = (HolState){.t = branches->t, .q = branches->q, .v = branches->v[which]};
    return true;
}

int hol_simulation_event_count(const HolSimulation *simulation)
{
    return simulation ? simulation->events.kept_count : 0;
}

HolEvent hol_simulation_event(const HolSimulation *simulation, int index)
{
    bool is_there = index >= 0 && index < hol_simulation_event_count(simulation);
    return is_there ? simulation->events.kept[index] : (HolEvent){.t = NAN, .event = -1};
}

int hol_dependent_group(HolSimulation *s)
{
    hol_workspace_move(s->work, s->state.t, s->state.q, s->state.v);
    return hol_workspace_need(s->work, HOL_WANT_JACOBIAN) == HOL_OK ? hol_branches_group(s->detector, s->work->terms)
                                                                    : -1;
}

bool hol_simulation_approach(HolSimulation *simulation, HolApproach *approach)
{
    double t = simulation && approach ? hol_detector_singular_time(simulation->detector) : NAN;
    if (isnan(t))
        return false;
    unsigned mode = hol_float_mode_enter();
    *approach = (HolApproach){t, simulation->detector->samples[0].sine, hol_dependent_group(simulation)};
    hol_float_mode_leave(mode);
    return true;
}

bool hol_simulation_may_reach(const HolSimulation *s, double until)
{
    static const double SAME = HOL_TOL_STEP > HOL_TOL_TIME ? HOL_TOL_STEP : HOL_TOL_TIME;
    return s && !(s->state.t + s->next * (1 + 2 * SAME) < until);
}

bool hol_simulation_was_cut(const HolSimulation *s)
{
    return s && s->was_cut;
}

const char *hol_simulation_message(const HolSimulation *simulation)
{
    return simulation ? simulation->message.text : "";
}

HolStatus hol_simulation_accelerate(HolSimulation *s)
{
    if (!s)
        return HOL_BAD_INPUT;
    HOL_TRY(hol_run_check_ended(s, "hol_simulation_accelerate"));
    s->message.text[0] = '\0';
    unsigned mode = hol_float_mode_enter();
    HolStatus status = hol_rates_accelerate(s->rates, s->state.t, s->step, s->state.q, s->state.v, s->measures.work);
    hol_float_mode_leave(mode);
    if (status != HOL_OK)
        return hol_fail(&s->message, status, "%s", s->rates->message.text);
    memcpy(s->state.vdot, s->rates->vdot, (size_t)s->rates->nv * sizeof *s->state.vdot);
    memcpy(s->state.lambda, s->rates->lambda, (size_t)s->rates->m * sizeof *s->state.lambda);
    return HOL_OK;
}
