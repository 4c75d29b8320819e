/* SPDX-License-Identifier: BSD-3-Clause */
/* Stops a run whose explicit steps are too long for the model, before its numbers overflow. A probe (automatic/) costs
 * as much as a dozen steps, so it follows only evidence: a step that fails, or that changes the energy by much. */
#include "base/message.h"
#include "base/tolerances.h"
#include "simulate/automatic/stability.h"
#include "simulate/run/internal.h"

#include <math.h>

enum { STEPS_BETWEEN_PROBES = 100 };

/* A correction of positions in each stage, divided by the step, is no oscillation: split steps take it well. */
static bool watch_applies(const HolSimulation *s)
{
    return s->integrator->amplification && !(s->rates->u && (s->integrator->needs & HOL_SPLIT));
}

HolStatus hol_watch_create(HolSimulation *s, bool examine)
{
    if (!watch_applies(s))
        return HOL_OK;
    HOL_TRY(hol_probe_create(s->arena, s->rates, &s->probe));
    s->fastest = hol_arena_alloc(s->arena, sizeof *s->fastest);
    HOL_TRY(hol_arena_status(s->arena));
    HolStepFrom from = {.t = s->origin, .h = s->step, .y = s->y};
    s->is_too_stiff = examine && hol_probe_is_unstable(s->probe, s->rates, s->integrator, &from, s->y_new, s->fastest);
    hol_workspace_move(s->work, s->origin, s->state.q, s->state.v);
    return hol_workspace_need(s->work, HOL_WANT_ALL);
}

/* Whether half of the largest kinetic energy so far is an error: a coarse step alone does not come to that. */
static bool watch_sees_error(const HolSimulation *s)
{
    return fabs(s->measures.drift) > s->summary.max_kinetic_energy / 2;
}

/* Whether much of that is of the step just taken. Near singular configurations other things than stiffness make energy
 * jump. First steps from rest have little kinetic energy: the potential counts too. */
static bool watch_sees_jump(const HolSimulation *s, double drift)
{
    const HolMeasures *m = &s->measures;
    double size = fabs(m->kinetic) + fabs(m->potential) + fabs(m->work), kinetic = s->summary.max_kinetic_energy;
    return watch_sees_error(s) && s->singular_sine > HOL_SINE_SMALL &&
           fabs(m->drift - drift) > fmax(HOL_PART_ENERGY_JUMP * kinetic, HOL_TOL_SAME * size);
}

static bool watch_is_unstable(HolSimulation *s, double t, const double *y)
{
    return hol_probe_fastest(s->probe, s->rates, t, s->step, y, s->fastest) == HOL_OK &&
           hol_step_is_unstable(s->integrator, s->step, s->fastest);
}

/* Probes the state, the one before it, and where the stages of the step between them were: a stop may have been
 * compressed at any of these alone. */
static bool watch_probe(HolSimulation *s)
{
    s->next_probe = s->summary.steps + STEPS_BETWEEN_PROBES;
    if (watch_is_unstable(s, s->state.t, s->y))
        return true;
    if (s->summary.steps < 2) /* set-up has examined the initial state */
        return false;
    if (watch_is_unstable(s, s->t_old, s->y_old))
        return true;
    for (int i = 0; i < s->rates->size; ++i)
        s->y_new[i] = s->y_old[i] + s->step * s->ydot_old[i];
    return watch_is_unstable(s, s->state.t, s->y_new);
}

/* Whether the run is a single step, and stable because it ends before the step that set-up has examined. */
static bool watch_spares_only_step(const HolSimulation *s, double end)
{
    const double h = end - s->state.t;
    return s->summary.steps == 0 && h < s->step && !hol_step_is_unstable(s->integrator, h, s->fastest);
}

HolStatus hol_take_watched_step(HolSimulation *s, double end)
{
    const double drift = s->measures.drift;
    if (s->is_too_stiff && !watch_spares_only_step(s, end))
        return hol_too_stiff(s->integrator, s->state.t, s->step, s->fastest, &s->message);
    HolStatus status = hol_take_step(s, s->next, end);
    if (!s->probe || s->rates->u) /* formulations with rates of positions take the same work in every step */
        return status;
    bool has_failed = status == HOL_NOT_FINITE || (status == HOL_NO_CONVERGENCE && watch_sees_error(s));
    bool has_jumped = status == HOL_OK && s->summary.steps >= s->next_probe && watch_sees_jump(s, drift);
    s->is_too_stiff = has_jumped && watch_probe(s);
    if (has_failed && watch_probe(s))
        return hol_too_stiff(s->integrator, s->state.t, s->step, s->fastest, &s->message);
    return status;
}
