/* SPDX-License-Identifier: BSD-3-Clause */
#include <holon/argument.h>
#include <holon/system.h>

#include "base/arena.h"
#include "base/format.h"
#include "base/message.h"
#include "system/internal.h"
#include "system/pattern.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

HolSystemSpec hol_system_spec(void)
{
    return (HolSystemSpec){.name = "system"};
}

static HolStatus check_state_functions(const HolSystemSpec *spec, HolMessage *message)
{
    if (spec->state_function_count < 0 ||
        (spec->state_function_count > 0 && !(spec->ops->arguments && spec->ops->state_bounds)))
        return hol_fail(message, HOL_BAD_INPUT,
                        "state_function_count = %d must not be negative, and needs 'arguments' and 'state_bounds'",
                        spec->state_function_count);
    return HOL_OK;
}

static HolStatus check_mean(const HolSystemSpec *spec, HolMessage *message)
{
    const HolSystemOps *ops = spec->ops;
    if ((ops->displace == NULL) != (ops->evaluate_mean == NULL))
        return hol_fail(message, HOL_BAD_INPUT, "displace and evaluate_mean must be given together or both left out");
    if (ops->displace && !(ops->qdot && spec->constant_mass))
        return hol_fail(message, HOL_BAD_INPUT,
                        "displace and evaluate_mean require a qdot and a constant mass: leave them out");
    if (ops->discrete_gradient && ops->qdot && !ops->evaluate_mean)
        return hol_fail(message, HOL_BAD_INPUT,
                        "discrete_gradient requires qdot = v, but the system has a qdot of its own: leave one of them "
                        "out, or add displace and evaluate_mean");
    return HOL_OK;
}

static HolStatus check_strains(const HolSystemOps *ops, HolMessage *message)
{
    if ((ops->strain_stiffness == NULL) != (ops->strain_forces == NULL))
        return hol_fail(message, HOL_BAD_INPUT,
                        "strain_stiffness and strain_forces must be given together or both left out");
    if (ops->strain_forces && !(ops->discrete_gradient && ops->tangent))
        return hol_fail(message, HOL_BAD_INPUT, "strain_forces requires discrete_gradient and tangent: give them too");
    if (ops->strain_forces && ops->qdot)
        return hol_fail(message, HOL_BAD_INPUT,
                        "strain_forces requires qdot = v, but the system has a qdot of its own: leave one of them out");
    return HOL_OK;
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
    HOL_TRY(check_mean(spec, message));
    HOL_TRY(check_strains(spec->ops, message));
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
    HOL_TRY(check_state_functions(spec, message));
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
    system->fingerprint = spec->fingerprint;
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

static void system_copy_state_functions(HolSystem *system, const HolSystemSpec *spec)
{
    int count = spec->state_function_count;
    system->state_function_count = count;
    system->state_functions = hol_arena_alloc(system->arena, (size_t)count * sizeof *system->state_functions);
    for (int i = 0; system->state_functions && i < count; ++i)
        system->state_functions[i] =
            spec->state_functions ? spec->state_functions[i] : (HolStateFunction){"a function", true};
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
    system_copy_state_functions(system, spec);
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

bool hol_system_has_mean(const HolSystem *system)
{
    return system && system->ops.evaluate_mean != NULL;
}

bool hol_system_has_strains(const HolSystem *system)
{
    return system && system->ops.strain_forces != NULL;
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

int hol_system_angle_count(const HolSystem *system)
{
    return system ? system->angle_count : 0;
}

unsigned long long hol_system_fingerprint(const HolSystem *system)
{
    return system ? system->fingerprint : 0;
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
