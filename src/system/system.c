/* SPDX-License-Identifier: BSD-3-Clause */
#include <holon/argument.h>
#include <holon/system.h>

#include "base/arena.h"
#include "base/format.h"
#include "base/message.h"
#include "system/pattern.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct HolSystem {
    HolArena *arena;
    HolPattern pattern;
    HolSystemOps ops;
    const void *self;
    bool constant_mass, constant_force, scleronomic, no_loops;
    int scratch_size;
    const char *name;
    const char **group_names;
    bool *impulsive_groups; /* NULL: none */
    int input_count, angle_count;
    const char **input_names;
    double *inputs;
    int event_count;
    HolEventName *event_names;
    int time_function_count;
    const char **time_function_names;
    bool *velocity_functions;
};

/* What hol_terms_create() hands out: the public part first. */
typedef struct Terms {
    HolTerms terms;
    HolArena *arena;
    unsigned constant; /* the bits that need no evaluation, or no more */
} Terms;

HolSystemSpec hol_system_spec(void)
{
    return (HolSystemSpec){.name = "system"};
}

static HolStatus check_spec(const HolSystemSpec *spec, HolMessage *message)
{
    if (!spec->ops || !spec->ops->evaluate)
        return hol_fail(message, HOL_BAD_INPUT, "the system has no evaluate function");
    if (spec->nq < 1 || spec->nv < 1 || spec->nq < spec->nv)
        return hol_fail(message, HOL_BAD_INPUT, "nq = %d and nv = %d: both must be positive and nq at least nv",
                        spec->nq, spec->nv);
    if (spec->nh < 0 || spec->nn < 0 || spec->nn > INT_MAX - spec->nh)
        return hol_fail(message, HOL_BAD_INPUT, "nh = %d and nn = %d must not be negative nor so large", spec->nh,
                        spec->nn);
    if ((spec->ops->qdot == NULL) != (spec->ops->retract == NULL))
        return hol_fail(message, HOL_BAD_INPUT, "qdot and retract must be given together or both left out");
    if (!spec->ops->qdot && spec->nq != spec->nv)
        return hol_fail(message, HOL_BAD_INPUT, "nq = %d differs from nv = %d, so qdot and retract are needed",
                        spec->nq, spec->nv);
    if (spec->ops->discrete_gradient && spec->ops->qdot)
        return hol_fail(
            message, HOL_BAD_INPUT,
            "discrete_gradient requires qdot = v, but the system has a qdot of its own: leave one of them out");
    if (spec->block_count < 0 || spec->group_count < 0 || spec->pair_count < 0 || spec->mass_pair_count < 0 ||
        spec->coupling_count < 0)
        return hol_fail(message, HOL_BAD_INPUT, "a count of blocks, groups or pairs is negative");
    if ((spec->mass_pair_count > 0 && !spec->mass_pairs) || (spec->coupling_count > 0 && !spec->couplings))
        return hol_fail(message, HOL_BAD_INPUT, "mass pairs or couplings are counted but not given");
    if (spec->scratch_size < 0)
        return hol_fail(message, HOL_BAD_INPUT, "scratch_size = %d must not be negative", spec->scratch_size);
    if (spec->input_count < 0)
        return hol_fail(message, HOL_BAD_INPUT, "input_count = %d must not be negative", spec->input_count);
    if (spec->event_count < 0 || (spec->event_count > 0 && !spec->ops->events))
        return hol_fail(message, HOL_BAD_INPUT, "event_count = %d, but there is no function 'events' for them",
                        spec->event_count);
    if (spec->angle_count < 0 || (spec->angle_count > 0 && !spec->ops->follow))
        return hol_fail(message, HOL_BAD_INPUT, "angle_count = %d must not be negative, and needs follow()",
                        spec->angle_count);
    if (spec->time_function_count < 0 || (spec->time_function_count > 0 && !spec->ops->time_bounds))
        return hol_fail(message, HOL_BAD_INPUT,
                        "time_function_count = %d must not be negative, and needs the function 'time_bounds'",
                        spec->time_function_count);
    for (int i = 0; spec->inputs && i < spec->input_count; ++i)
        if (!isfinite(spec->inputs[i]))
            return hol_fail(message, HOL_BAD_INPUT, "inputs[%d] = %g must be finite", i, spec->inputs[i]);
    return HOL_OK;
}

/* Names are cut so that a sentence has room for what it says of them. */
static char *system_copy_text(HolArena *arena, const char *text)
{
    enum { LONGEST = 80 };
    size_t length = strlen(text) < LONGEST ? strlen(text) : LONGEST;
    char *copy = hol_arena_alloc(arena, length + 1); /* zeroed */
    return copy ? memcpy(copy, text, length) : NULL;
}

/* names[i], or "input 3" where there is none. */
static char *system_copy_name(HolArena *arena, const char *const *names, int i, const char *what)
{
    char text[64] = "";
    hol_format(text, sizeof text, "%s %d", what, i);
    return system_copy_text(arena, names && names[i] ? names[i] : text);
}

static void name_groups(HolSystem *system, const HolSystemSpec *spec)
{
    const HolPattern *p = &system->pattern;
    system->group_names = hol_arena_alloc(system->arena, (size_t)p->group_count * sizeof(char *));
    for (int g = 0; system->group_names && g < p->group_count; ++g) {
        char text[64];
        hol_format(text, sizeof text, "rows %d-%d", p->group_start[g], p->group_start[g + 1] - 1);
        bool named = spec->group_names && spec->group_names[g];
        system->group_names[g] = system_copy_text(system->arena, named ? spec->group_names[g] : text);
    }
}

static void mark_impulsive_groups(HolSystem *system, const HolSystemSpec *spec)
{
    size_t size = (size_t)system->pattern.group_count * sizeof *system->impulsive_groups;
    if (!spec->impulsive_groups)
        return;
    system->impulsive_groups = hol_arena_alloc(system->arena, size);
    if (system->impulsive_groups)
        memcpy(system->impulsive_groups, spec->impulsive_groups, size);
}

static void system_copy_inputs(HolSystem *system, const HolSystemSpec *spec)
{
    size_t count = (size_t)spec->input_count;
    system->input_count = spec->input_count;
    system->angle_count = spec->angle_count;
    system->inputs = hol_arena_doubles(system->arena, count);
    system->input_names = hol_arena_alloc(system->arena, count * sizeof *system->input_names);
    for (int i = 0; !hol_arena_failed(system->arena) && i < spec->input_count; ++i) {
        system->input_names[i] = system_copy_name(system->arena, spec->input_names, i, "input");
        system->inputs[i] = spec->inputs ? spec->inputs[i] : 0;
    }
}

static void system_copy_events(HolSystem *system, const HolSystemSpec *spec)
{
    size_t size = (size_t)spec->event_count * sizeof *system->event_names;
    system->event_count = spec->event_count;
    system->event_names = hol_arena_alloc(system->arena, size);
    for (int i = 0; system->event_names && i < spec->event_count; ++i)
        system->event_names[i] =
            spec->event_names ? spec->event_names[i] : (HolEventName){"an event", "begins", "ends"};
}

static void system_copy_time_functions(HolSystem *system, const HolSystemSpec *spec)
{
    size_t size = (size_t)spec->time_function_count * sizeof *system->time_function_names;
    system->time_function_count = spec->time_function_count;
    system->time_function_names = hol_arena_alloc(system->arena, size);
    system->velocity_functions = hol_arena_alloc(system->arena, (size_t)spec->time_function_count);
    for (int i = 0; !hol_arena_failed(system->arena) && i < spec->time_function_count; ++i) {
        system->time_function_names[i] = system_copy_name(system->arena, spec->time_function_names, i, "function");
        system->velocity_functions[i] = spec->velocity_functions && spec->velocity_functions[i];
    }
}

static HolStatus system_fill(HolSystem *system, const HolSystemSpec *spec, HolMessage *message)
{
    system->ops = *spec->ops;
    system->self = spec->self;
    system->constant_mass = spec->constant_mass;
    system->constant_force = spec->constant_force;
    system->scleronomic = spec->scleronomic;
    system->no_loops = spec->no_loops;
    system->scratch_size = spec->scratch_size;
    HOL_TRY(hol_pattern_build(spec, system->arena, &system->pattern, message));
    system->name = system_copy_text(system->arena, spec->name ? spec->name : "system");
    name_groups(system, spec);
    mark_impulsive_groups(system, spec);
    system_copy_inputs(system, spec);
    system_copy_events(system, spec);
    system_copy_time_functions(system, spec);
    return hol_arena_failed(system->arena) ? HOL_NO_MEMORY : HOL_OK;
}

HolStatus hol_system_create(const HolSystemSpec *spec, HolSystem **system, HolMessage *message)
{
    HOL_TRY(HOL_CHECK_POINTER(message, system));
    *system = NULL;
    HOL_TRY(HOL_CHECK_POINTER(message, spec));
    hol_fail(message, HOL_OK, "%s", "");
    HOL_TRY(check_spec(spec, message));
    HolArena *arena = hol_arena_create_within(spec->memory);
    HolSystem *made = arena ? hol_arena_alloc(arena, sizeof *made) : NULL;
    HolStatus status = HOL_NO_MEMORY;
    if (made) {
        made->arena = arena;
        status = system_fill(made, spec, message);
    }
    const char *name = spec->name ? spec->name : "system";
    if (status == HOL_NO_MEMORY)
        hol_fail(message, status, "not enough memory for the system '%s'", name);
    if (status == HOL_BAD_INPUT && message && !message->text[0])
        hol_fail(message, status, "the matrices of '%s' are too large to be stored: divide it into smaller blocks",
                 name);
    if (status != HOL_OK) {
        hol_arena_destroy(arena);
        return status;
    }
    *system = made;
    return HOL_OK;
}

void hol_system_destroy(HolSystem *system)
{
    if (system)
        hol_arena_destroy(system->arena);
}

bool hol_system_is_scleronomic(const HolSystem *system)
{
    return system && system->scleronomic;
}

bool hol_system_is_flat(const HolSystem *system)
{
    return system && !system->ops.qdot;
}

bool hol_system_has_no_loops(const HolSystem *system)
{
    return system && system->no_loops;
}

bool hol_system_has_constant_mass(const HolSystem *system)
{
    return system && system->constant_mass;
}

bool hol_system_has_discrete_gradient(const HolSystem *system)
{
    return system && system->ops.discrete_gradient != NULL;
}

bool hol_system_has_constant_force(const HolSystem *system)
{
    return system && system->constant_force;
}

bool hol_system_has_tangent(const HolSystem *system)
{
    return system && system->ops.tangent != NULL;
}

bool hol_system_has_retraction(const HolSystem *system)
{
    return system && system->ops.retract != NULL;
}

const HolPattern *hol_system_pattern(const HolSystem *system)
{
    return system ? &system->pattern : NULL;
}

const char *hol_system_name(const HolSystem *system)
{
    return system ? system->name : "";
}

const char *hol_system_group_name(const HolSystem *system, int group)
{
    return system && group >= 0 && group < system->pattern.group_count ? system->group_names[group] : "no such group";
}

bool hol_system_group_is_impulsive(const HolSystem *system, int group)
{
    return system && system->impulsive_groups && group >= 0 && group < system->pattern.group_count &&
           system->impulsive_groups[group];
}

int hol_system_input_count(const HolSystem *system)
{
    return system ? system->input_count : 0;
}

const char *hol_system_input_name(const HolSystem *system, int input)
{
    return system && input >= 0 && input < system->input_count ? system->input_names[input] : "no such input";
}

int hol_system_find_input(const HolSystem *system, const char *name)
{
    for (int i = 0; system && name && i < system->input_count; ++i)
        if (strcmp(system->input_names[i], name) == 0)
            return i;
    return -1;
}

/* The bits that are zero all the time. */
static unsigned always_zero(const HolSystem *system)
{
    if (system->pattern.m == 0)
        return HOL_WANT_PHI | HOL_WANT_JACOBIAN | HOL_WANT_NU | HOL_WANT_GAMMA;
    return system->scleronomic ? HOL_WANT_NU : 0;
}

HolStatus hol_terms_create(const HolSystem *system, HolTerms **terms)
{
    if (terms)
        *terms = NULL;
    if (!system || !terms)
        return HOL_BAD_INPUT;
    HolArena *arena = hol_arena_create_within(system->pattern.memory);
    Terms *box = arena ? hol_arena_alloc(arena, sizeof *box) : NULL;
    if (!box) {
        hol_arena_destroy(arena);
        return HOL_NO_MEMORY;
    }
    const HolPattern *p = &system->pattern;
    size_t tangent = system->ops.tangent ? (size_t)p->tangent_start[p->tangent_count] : 0;
    box->arena = arena;
    box->constant = always_zero(system);
    box->terms = (HolTerms){
        .pattern = p,
        .M = hol_arena_doubles(arena, (size_t)p->mass_start[p->mass_pair_count]),
        .Q = hol_arena_doubles(arena, (size_t)p->nv),
        .Phi = hol_arena_doubles(arena, (size_t)p->nh),
        .D = hol_arena_doubles(arena, (size_t)p->pair_start[p->pair_count]),
        .nu = hol_arena_doubles(arena, (size_t)p->m),
        .gamma = hol_arena_doubles(arena, (size_t)p->m),
        .K = system->ops.tangent ? hol_arena_doubles(arena, tangent) : NULL,
        .C = system->ops.tangent ? hol_arena_doubles(arena, tangent) : NULL,
        .scratch = hol_arena_alloc(arena, (size_t)system->scratch_size),
        .u = hol_arena_doubles(arena, (size_t)system->input_count),
        .angles = hol_arena_doubles(arena, (size_t)system->angle_count),
        .load = 1,
    };
    if (hol_arena_failed(arena)) {
        hol_arena_destroy(arena);
        return HOL_NO_MEMORY;
    }
    hol_arena_freeze(arena);
    memcpy(box->terms.u, system->inputs, (size_t)system->input_count * sizeof *system->inputs);
    *terms = &box->terms;
    return HOL_OK;
}

void hol_terms_destroy(HolTerms *terms)
{
    if (terms)
        hol_arena_destroy(((Terms *)terms)->arena);
}

static bool system_accepts(const HolSystem *system, const HolPoint *at, const HolTerms *terms)
{
    return system && at && at->q && at->v && terms && terms->pattern == &system->pattern;
}

HolStatus hol_system_evaluate(const HolSystem *system, const HolPoint *at, unsigned want, HolTerms *terms)
{
    if (!system_accepts(system, at, terms) || (want & ~(unsigned)HOL_WANT_ALL))
        return HOL_BAD_INPUT;
    Terms *box = (Terms *)terms;
    unsigned needed = want & ~box->constant;
    if (!needed)
        return HOL_OK;
    terms->undefined_group = -1;
    HOL_TRY(system->ops.evaluate(system->self, at, needed, terms));
    if (system->constant_mass)
        box->constant |= needed & HOL_WANT_MASS;
    return HOL_OK;
}

void hol_system_qdot(const HolSystem *system, const double *q, const double *v, double *qdot)
{
    if (!system || !q || !v || !qdot)
        return;
    if (system->ops.qdot)
        system->ops.qdot(system->self, q, v, qdot);
    else
        memcpy(qdot, v, (size_t)system->pattern.nv * sizeof *v);
}

void hol_system_retract(const HolSystem *system, const double *q, const double *w, double *q_new)
{
    if (!system || !q || !w || !q_new)
        return;
    if (system->ops.retract) {
        system->ops.retract(system->self, q, w, q_new);
        return;
    }
    for (int i = 0; i < system->pattern.nq; ++i)
        q_new[i] = q[i] + w[i];
}

HolStatus hol_system_tangent(const HolSystem *system, const HolPoint *at, const double *vdot, const double *lambda,
                             HolTerms *terms)
{
    if (!system_accepts(system, at, terms) || !vdot || (!lambda && system->pattern.m > 0))
        return HOL_BAD_INPUT;
    if (!system->ops.tangent)
        return HOL_UNSUPPORTED;
    return system->ops.tangent(system->self, at, vdot, lambda, terms);
}

int hol_system_angle_count(const HolSystem *system)
{
    return system ? system->angle_count : 0;
}

int hol_system_event_count(const HolSystem *system)
{
    return system ? system->event_count : 0;
}

HolEventName hol_system_event_name(const HolSystem *system, int event)
{
    if (!system || event < 0 || event >= system->event_count)
        return (HolEventName){"no such event", "", ""};
    return system->event_names[event];
}

void hol_system_events(const HolSystem *system, const HolPoint *at, HolTerms *terms, HolCrossing *crossings)
{
    if (system_accepts(system, at, terms) && crossings && system->event_count > 0)
        system->ops.events(system->self, at, terms, crossings);
}

const HolSystemOps *hol_system_ops(const HolSystem *system)
{
    return &system->ops;
}

const void *hol_system_self(const HolSystem *system)
{
    return system->self;
}

double hol_system_next_breakpoint(const HolSystem *system, double t, double until)
{
    return system && system->ops.next_breakpoint && !isnan(t) && !isnan(until)
               ? system->ops.next_breakpoint(system->self, t, until)
               : HUGE_VAL;
}

int hol_system_time_function_count(const HolSystem *system)
{
    return system ? system->time_function_count : 0;
}

const char *hol_system_time_function_name(const HolSystem *system, int function)
{
    if (!system || function < 0 || function >= system->time_function_count)
        return "no such function";
    return system->time_function_names[function];
}

bool hol_system_function_is_velocity(const HolSystem *system, int function)
{
    return system && function >= 0 && function < system->time_function_count && system->velocity_functions[function];
}

HolTimeBounds hol_system_time_bounds(const HolSystem *system, int function, double a, double b)
{
    if (!system || function < 0 || function >= system->time_function_count || !(a <= b))
        return (HolTimeBounds){{-HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, HUGE_VAL}, NAN};
    return system->ops.time_bounds(system->self, function, a, b);
}

bool hol_system_next_jump(const HolSystem *system, double t, double until, HolJump *jump)
{
    return system && jump && system->ops.next_jump && !isnan(t) && !isnan(until) &&
           system->ops.next_jump(system->self, t, until, jump);
}

HolStatus hol_system_discrete_gradient(const HolSystem *system, const HolPoint *middle, const double *q_a,
                                       const double *q_b, HolTerms *terms)
{
    if (!system_accepts(system, middle, terms) || !q_a || !q_b)
        return HOL_BAD_INPUT;
    return system->ops.discrete_gradient ? system->ops.discrete_gradient(system->self, middle, q_a, q_b, terms)
                                         : HOL_UNSUPPORTED;
}

HolStatus hol_system_discrete_gradient_tangent(const HolSystem *system, const HolPoint *middle, const double *q_a,
                                               const double *q_b, HolTerms *terms)
{
    if (!system_accepts(system, middle, terms) || !q_a || !q_b)
        return HOL_BAD_INPUT;
    return system->ops.discrete_gradient_tangent
               ? system->ops.discrete_gradient_tangent(system->self, middle, q_a, q_b, terms)
               : HOL_OK;
}

void hol_system_follow(const HolSystem *system, const HolPoint *at, HolTerms *terms)
{
    if (system_accepts(system, at, terms) && system->angle_count > 0)
        system->ops.follow(system->self, at, terms);
}
