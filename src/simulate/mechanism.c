/* SPDX-License-Identifier: BSD-3-Clause */
/* The start of a mechanism, made consistent, and what can be said about it there. */
#include "base/float_mode.h"
#include "base/message.h"
#include "base/options.h"
#include "linalg/blocks.h"
#include "mechanism/compile.h"
#include "mechanism/elastic.h"
#include "mechanism/evaluate.h"
#include "mechanism/reaction.h"
#include "simulate/internal.h"
#include "simulate/massless.h"
#include "simulate/redundancy.h"
#include "simulate/self_stress.h"
#include "system/undefined.h"

#include <math.h>
#include <string.h>

/* ---- The run section ---- */

static const char *const advice = "; 'holon list formulations' and 'holon list integrators' tell what there is";

/* What the options would be set in. */
typedef struct Scratch {
    void *formulation, *integrator;
} Scratch;

/* Those before it are set, the others have their defaults: options that do not fit are told where the last stands. */
static HolStatus set_of_integrator(const HolIntegratorKind *kind, const char *name, const char *value, void *options,
                                   HolMessage *message)
{
    HOL_TRY(hol_options_set(kind->options, kind->option_count, kind->name, name, value, options, message));
    return kind->check ? kind->check(options, message) : HOL_OK;
}

static void check_setting(HolModel *model, const HolMechanism *m, int index, const HolFormulationKind *formulation,
                          const HolIntegratorKind *integrator, const Scratch *scratch)
{
    const HolSetting *setting = &m->settings[index];
    const char *name = strchr(setting->name, '.') + 1;
    bool is_of_integrator = setting->name[0] == 'i';
    HolMessage message = {{0}};
    HolStatus status = HOL_OK;
    if (!is_of_integrator && formulation)
        status = hol_options_set(formulation->options, formulation->option_count, formulation->name, name,
                                 setting->value, scratch->formulation, &message);
    else if (is_of_integrator && integrator)
        status = set_of_integrator(integrator, name, setting->value, scratch->integrator, &message);
    if (status != HOL_OK)
        hol_error(model, m->setting_places[index], "run: %s", message.text);
    else if (is_of_integrator && integrator && formulation && integrator->options_need &&
             !(integrator->options_need & formulation->offers))
        hol_warning(model, m->setting_places[index],
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
    for (int i = 0; i < m->setting_count; ++i)
        check_setting(model, m, i, formulation, integrator, &scratch);
}

/* The usual one, or the formulation's own where that does not fit. */
static void choose_integrator(const HolFormulationKind *formulation, HolMechanism *m)
{
    const HolIntegratorKind *usual = hol_integrator_find(m->integrator, NULL);
    if (usual && hol_pair_check(formulation, usual, NULL) != HOL_OK)
        m->integrator = formulation->integrator;
}

/* Whether a formulation shares by all that the joints say. */
static bool hears(const HolFormulationKind *formulation, const HolMechanism *m)
{
    bool can = formulation->couples_rows || (formulation->weighs_rows && !m->has_preload);
    return can && m->weights_are_exact;
}

/* What a formulation has computed is told where it shares as the joints say, or where they say nothing and it shares by
 * a rule of its own. Where rows of bodies would have a part in that, the rule is applied to the joints alone. */
static HolResolution choose_resolution(const HolMechanism *m, const char *name)
{
    const HolFormulationKind *formulation = hol_formulation_find(name, NULL);
    if (m->resolution == HOL_BY_STIFFNESS && !m->is_elastic) /* between rigid joints the smallest count */
        return HOL_MINIMUM_NORM;
    if (!formulation || m->resolution_is_chosen)
        return m->resolution;
    bool says = m->is_elastic || m->has_preload, joints_alone = !hol_mechanism_has_rows_of_bodies(m);
    if (says ? hears(formulation, m) : formulation->shares_rows && joints_alone)
        return HOL_AS_COMPUTED;
    if (!says && formulation->leaves_rows_out)
        return HOL_BY_ELIMINATION;
    return m->is_elastic ? HOL_BY_STIFFNESS : HOL_MINIMUM_NORM;
}

/* At the start as it is now. */
static HolStatus weigh(HolMechanism *m)
{
    HOL_TRY(hol_mechanism_weigh(m));
    m->resolution_of = choose_resolution;
    m->resolution = choose_resolution(m, m->formulation);
    return HOL_OK;
}

static void check_run(HolModel *model, HolMechanism *m)
{
    HolMessage message = {{0}};
    const HolFormulationKind *formulation = m->formulation ? hol_formulation_find(m->formulation, &message) : NULL;
    if (m->formulation && !formulation)
        hol_error(model, m->formulation_place, "run: %s%s", message.text, strchr(message.text, '?') ? "" : advice);
    if (formulation && !m->integrator_is_chosen)
        choose_integrator(formulation, m);
    const HolIntegratorKind *integrator = m->integrator ? hol_integrator_find(m->integrator, &message) : NULL;
    if (m->integrator && !integrator)
        hol_error(model, m->integrator_place, "run: %s%s", message.text, strchr(message.text, '?') ? "" : advice);
    if (formulation && integrator && hol_pair_check(formulation, integrator, &message) != HOL_OK)
        hol_error(model, m->integrator_place, "run: %s", message.text);
    check_settings(model, m, formulation, integrator);
}

HolStatus hol_mechanism_create(HolModel *model, HolMechanism **mechanism)
{
    if (!model || !mechanism)
        return HOL_BAD_INPUT;
    HOL_TRY(hol_mechanism_compile(model, check_run, mechanism));
    HolStatus status = weigh(*mechanism);
    if (status != HOL_OK) {
        hol_mechanism_destroy(*mechanism);
        *mechanism = NULL;
    }
    return status;
}

HolSimulationOptions hol_mechanism_options(const HolMechanism *mechanism)
{
    HolSimulationOptions options = {
        .integrator = mechanism->integrator,
        .step = mechanism->step,
        .branch = mechanism->branch,
        .settings = mechanism->settings,
        .setting_count = mechanism->setting_count,
        .keep_start = mechanism->keeps_start,
    };
    hol_mechanism_choose(mechanism, mechanism->formulation, &options);
    return options;
}

void hol_mechanism_choose(const HolMechanism *mechanism, const char *formulation, HolSimulationOptions *options)
{
    const HolFormulationKind *kind = hol_formulation_find(formulation, NULL);
    bool couples = kind && kind->couples_rows, weighs = kind && kind->weighs_rows && !couples;
    options->formulation = formulation;
    options->row_stiffness = couples ? mechanism->row_stiffness : NULL;
    options->row_weights = weighs ? mechanism->row_weights : NULL;
    options->preload = couples && mechanism->has_preload ? mechanism->preload : NULL;
}

bool hol_mechanism_formulation_shares(const HolMechanism *mechanism)
{
    const HolFormulationKind *formulation = hol_formulation_find(mechanism->formulation, NULL);
    return mechanism->is_elastic && formulation && hears(formulation, mechanism);
}

/* ---- Assembly ---- */

/* The largest |x_i| and the group it belongs to, if it is larger than *worst. */
static void find_worst(const HolSystem *system, int n, const double *x, double *worst, const char **where)
{
    const HolPattern *p = hol_system_pattern(system);
    for (int g = 0; g < p->group_count && p->group_start[g] < n; ++g) {
        double largest = hol_max_norm(hol_part_size(p->group_start, g), x + p->group_start[g]);
        if (largest > *worst) {
            *worst = largest;
            *where = hol_system_group_name(system, g);
        }
    }
}

/* A disc that the start lays flat, say. */
static HolStatus explain_undefined(const HolMechanism *m, const HolTerms *terms, HolStatus status, HolMessage *message)
{
    int group = hol_terms_undefined(terms);
    if (group < 0)
        return status;
    return hol_fail(message, status, "'%s' cannot be assembled: what '%s' asks for is not defined in this start",
                    m->name, hol_system_group_name(m->system, group));
}

static HolStatus measure_gap(HolMechanism *m, HolWorkspace *work, HolArena *arena, HolMessage *message)
{
    double *residual = hol_arena_doubles(arena, (size_t)m->pattern->m);
    const char *faster = NULL;
    if (!residual)
        return HOL_NO_MEMORY;
    hol_workspace_move(work, 0, m->q, m->v);
    HolStatus status = hol_workspace_need(work, HOL_WANT_PHI | HOL_WANT_JACOBIAN | HOL_WANT_NU);
    if (status != HOL_OK)
        return explain_undefined(m, work->terms, status, message);
    m->gap = (HolGap){0};
    hol_workspace_velocity_residual(work, residual);
    find_worst(m->system, m->pattern->nh, work->terms->Phi, &m->gap.position, &m->gap.where);
    find_worst(m->system, m->pattern->m, residual, &m->gap.velocity, &faster);
    if (!(m->gap.position > 1e-9))
        m->gap.where = faster;
    return HOL_OK;
}

/* Positions, then velocities, each with the values that are held. */
static HolStatus assemble_held(const HolMechanism *m, double *q, double *v, HolMessage *message)
{
    HolMechanism *held;
    HOL_TRY(hol_mechanism_hold(m, HOL_HOLD_POSITIONS, q, &held, message));
    HolStatus status = hol_assemble_positions(held->system, 0, q, message);
    hol_mechanism_destroy(held);
    HOL_TRY(status);
    HOL_TRY(hol_mechanism_hold(m, HOL_HOLD_VELOCITIES, q, &held, message));
    status = hol_assemble_velocities(held->system, 0, q, v, message);
    hol_mechanism_destroy(held);
    return status;
}

/* In reference-point coordinates. */
static HolStatus assemble(HolMechanism *m, HolArena *arena, HolMessage *message)
{
    HolWorkspace *work;
    size_t nq = (size_t)m->pattern->nq, nv = (size_t)m->pattern->nv;
    double *q = hol_arena_doubles(arena, nq), *v = hol_arena_doubles(arena, nv);
    if (!q || !v)
        return HOL_NO_MEMORY;
    HOL_TRY(hol_workspace_create(m->system, arena, &work));
    HolStatus status = measure_gap(m, work, arena, message);
    hol_workspace_destroy(work);
    HOL_TRY(status);
    if (m->keeps_start)
        return HOL_OK;
    memcpy(q, m->q, nq * sizeof *q);
    memcpy(v, m->v, nv * sizeof *v);
    if (m->hold_count > 0)
        HOL_TRY(assemble_held(m, q, v, message));
    else
        HOL_TRY(hol_assemble(m->system, 0, q, v, message));
    memcpy(m->q, q, nq * sizeof *q);
    memcpy(m->v, v, nv * sizeof *v);
    return HOL_OK;
}

/* The name of a joint, body or start value that outlives the copy it comes from. */
static const char *own_name(HolMechanism *m, const char *name)
{
    return name ? hol_arena_text(m->arena, name, strlen(name)) : NULL;
}

static HolStatus assemble_natural(HolMechanism *m, HolArena *arena, HolMessage *message)
{
    HolMechanism *twin;
    HOL_TRY(hol_mechanism_hold(m, HOL_HOLD_NOTHING, m->q, &twin, message));
    HolStatus status = assemble(twin, arena, message);
    m->gap = twin->gap;
    m->gap.where = own_name(m, twin->gap.where);
    hol_mechanism_destroy(twin);
    HOL_TRY(status);
    hol_natural_set_start(m);
    return hol_massless_check(m, message);
}

HolStatus hol_mechanism_assemble(HolMechanism *mechanism, HolMessage *message)
{
    if (!mechanism)
        return hol_fail(message, HOL_BAD_INPUT, "hol_mechanism_assemble: mechanism must not be NULL");
    hol_fail(message, HOL_OK, "%s", "");
    HolArena *arena = hol_arena_create();
    HolStatus status = HOL_NO_MEMORY;
    if (arena)
        status = mechanism->natural ? assemble_natural(mechanism, arena, message) : assemble(mechanism, arena, message);
    hol_arena_destroy(arena);
    if (status == HOL_OK)
        status = weigh(mechanism);
    if (status == HOL_NO_MEMORY)
        hol_fail(message, status, "not enough memory to assemble '%s'", mechanism->name);
    else if (status != HOL_OK && message && !message->text[0])
        hol_fail(message, status, "'%s' cannot be assembled: %s", mechanism->name, hol_status_name(status));
    return status;
}

/* ---- Diagnosis ---- */

/* What is handed out: the public part first. */
typedef struct Diagnosis {
    HolDiagnosis shown;
    HolArena *arena;
} Diagnosis;

/* A component counts as unique if the null vectors change it by no more than this, relative to their largest effect. */
static const double UNIQUE = 1e-9;

/* The reaction that a null vector gives is what may be added to it freely. */
static void examine_joint(const HolMechanism *m, const HolMotion *motion, const HolRedundancy *redundancy, int index,
                          HolJointDiagnosis *joint)
{
    for (int i = 0; i < 6; ++i)
        joint->unique[i] = true;
    for (int k = 0; k < redundancy->redundant_count; ++k) {
        const double *n = redundancy->null_vectors[k];
        double reaction[6];
        for (int i = 0; i < m->joints[index].row_count; ++i)
            joint->involved = joint->involved || fabs(n[m->joints[index].rows[i]]) > UNIQUE;
        hol_joint_reaction(m, &m->joints[index], motion->frames, motion->terms->D, n, reaction);
        for (int i = 0; i < 6; ++i)
            joint->unique[i] = joint->unique[i] && fabs(reaction[i]) <= UNIQUE;
    }
}

static bool is_redundant(const HolRedundancy *redundancy, int row)
{
    for (int k = 0; k < redundancy->redundant_count; ++k)
        if (redundancy->redundant[k] == row)
            return true;
    return false;
}

static HolStatus list_redundant(const HolJoint *joint, const HolRedundancy *redundancy, HolArena *arena,
                                HolJointDiagnosis *diagnosis)
{
    int *list = hol_arena_small(arena, (size_t)joint->row_count * sizeof *list);
    if (!list)
        return HOL_NO_MEMORY;
    for (int i = 0; i < joint->row_count; ++i)
        if (is_redundant(redundancy, joint->rows[i]))
            list[diagnosis->redundant_count++] = i;
    diagnosis->redundant = list;
    return HOL_OK;
}

/* The joint, driver or body that a row belongs to. */
static const char *owner_of(const HolMechanism *m, int row)
{
    for (int g = 0; row >= 0 && g < m->pattern->group_count; ++g)
        if (row < m->pattern->group_start[g + 1])
            return hol_system_group_name(m->system, g);
    return NULL;
}

static HolStatus examine(const HolMechanism *m, HolWorkspace *work, Diagnosis *d)
{
    HolRedundancy *redundancy;
    const HolPattern *p = m->pattern;
    HolJointDiagnosis *joints = hol_arena_alloc(d->arena, (size_t)m->joint_count * sizeof *joints);
    if (!joints)
        return HOL_NO_MEMORY;
    HolStart start = hol_mechanism_start(m);
    HolPoint at = {.t = 0, .q = start.q, .v = start.v};
    hol_workspace_move(work, 0, at.q, at.v);
    HOL_TRY(hol_workspace_need(work, HOL_WANT_MASS | HOL_WANT_JACOBIAN));
    HOL_TRY(hol_redundancy_create(d->arena, work, &redundancy));
    HolMotion motion = hol_mechanism_motion(m, &at, true, work->terms);
    d->shown = (HolDiagnosis){
        .nq = p->nq,
        .nv = p->nv,
        .m = p->m,
        .rank = redundancy->rank,
        .dof = p->nv - redundancy->rank,
        .redundant_rows = redundancy->redundant_count,
        .smallest_sine = redundancy->smallest_sine,
        .nearly_redundant = owner_of(m, redundancy->smallest_row),
        .looked_at_reactions = redundancy->null_vectors || redundancy->redundant_count == 0,
        .joint_count = m->joint_count,
        .joints = joints,
    };
    for (int i = 0; i < m->joint_count; ++i) {
        HOL_TRY(list_redundant(&m->joints[i], redundancy, d->arena, &joints[i]));
        if (d->shown.looked_at_reactions)
            examine_joint(m, &motion, redundancy, i, &joints[i]);
    }
    return redundancy->null_vectors ? hol_find_self_stresses(m, &motion, redundancy, d->arena, &d->shown) : HOL_OK;
}

HolStatus hol_mechanism_diagnose(const HolMechanism *mechanism, HolDiagnosis **diagnosis, HolMessage *message)
{
    *diagnosis = NULL;
    HolWorkspace *work = NULL;
    HolArena *arena = hol_arena_create();
    Diagnosis *made = arena ? hol_arena_alloc(arena, sizeof *made) : NULL;
    HolStatus status = made ? hol_workspace_create(mechanism->system, arena, &work) : HOL_NO_MEMORY;
    if (status == HOL_OK) {
        unsigned mode = hol_float_mode_enter();
        made->arena = arena;
        status = examine(mechanism, work, made);
        hol_float_mode_leave(mode);
    }
    hol_workspace_destroy(work);
    if (status != HOL_OK) {
        hol_arena_destroy(arena);
        return hol_fail(message, status, "'%s' cannot be examined: %s", mechanism->name, hol_status_name(status));
    }
    *diagnosis = &made->shown;
    return HOL_OK;
}

void hol_diagnosis_destroy(HolDiagnosis *diagnosis)
{
    if (diagnosis)
        hol_arena_destroy(((Diagnosis *)diagnosis)->arena);
}
