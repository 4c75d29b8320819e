/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate/run/impulses.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"
#include "simulate/diagnosis/conflict.h"
#include "simulate/run/events.h"
#include "simulate/run/internal.h"
#include "solve/kkt.h"

#include <math.h>
#include <string.h>

static bool has_impulses(const HolSystem *system)
{
    for (int g = 0; g < hol_system_pattern(system)->group_count; ++g)
        if (hol_system_group_is_impulsive(system, g))
            return true;
    return false;
}

HolStatus hol_impulses_create(HolSimulation *s, const HolSetup *setup)
{
    const HolPattern *p = s->work->pattern;
    if (!has_impulses(s->system) || !s->breakpoints.nu)
        return HOL_OK;
    s->impulses = hol_arena_alloc(s->arena, sizeof *s->impulses);
    HOL_TRY(hol_arena_status(s->arena));
    HOL_DOUBLES(s->arena, p->m, &s->impulses->dnu, &s->impulses->Lambda, &s->impulses->Ddv);
    HOL_DOUBLES(s->arena, p->nv, &s->impulses->dv, &s->impulses->Mdv);
    HOL_TRY(hol_arena_status(s->arena));
    HOL_TRY(hol_workspace_need(s->work, HOL_WANT_MASS | HOL_WANT_PHI | HOL_WANT_JACOBIAN));
    return hol_kkt_create(setup, &s->impulses->kkt);
}

/* Of the velocities of one group; smaller jumps are left to projections. */
static bool group_jumps(const HolSimulation *s, int group, const double *dnu)
{
    const HolPattern *p = s->work->pattern;
    const int first = p->group_start[group];
    double jump = hol_max_norm(hol_part_size(p->group_start, group), dnu + first);
    double size = hol_max_norm(hol_part_size(p->group_start, group), s->breakpoints.nu + first);
    return hol_system_group_is_impulsive(s->system, group) && jump > HOL_TOL_AMPLIFIED * (size + s->work->slow);
}

bool hol_impulses_find(HolSimulation *s)
{
    const HolPattern *p = s->work->pattern;
    bool is_found = false;
    if (!s->impulses)
        return false;
    for (int i = 0; i < p->m; ++i)
        s->impulses->dnu[i] = s->work->terms->nu[i] - s->breakpoints.nu[i];
    for (int g = 0; g < p->group_count; ++g)
        is_found = is_found || group_jumps(s, g, s->impulses->dnu);
    return is_found;
}

/* (2) of a group, with Lambda of the row that jumps most. */
static HolImpulse group_impulse(const HolSimulation *s, int group)
{
    const HolPattern *p = s->work->pattern;
    const HolImpulses *w = s->impulses;
    HolImpulse impulse = {.t = s->state.t, .group = group};
    double largest = -1;
    for (int i = p->group_start[group]; i < p->group_start[group + 1]; ++i) {
        impulse.work += w->Lambda[i] * (s->breakpoints.nu[i] + w->dnu[i] / 2);
        if (fabs(w->dnu[i]) > largest) {
            largest = fabs(w->dnu[i]);
            impulse.impulse = w->Lambda[i];
        }
    }
    return impulse;
}

static void impulses_keep(HolSimulation *s)
{
    HolImpulses *w = s->impulses;
    for (int g = 0; g < s->work->pattern->group_count; ++g) {
        if (!group_jumps(s, g, w->dnu))
            continue;
        ++s->summary.impulses;
        if (w->kept_count < HOL_MAX_IMPULSES)
            w->kept[w->kept_count++] = group_impulse(s, g);
    }
}

static HolStatus impulses_fail(HolSimulation *s, HolStatus status)
{
    int group = 0;
    while (!group_jumps(s, group, s->impulses->dnu))
        ++group;
    return hol_fail(&s->message, status,
                    "'%s': no impulse gives its bodies the velocity that it prescribes from t = %.9g s on (%s); the "
                    "other constraints do not allow it",
                    hol_system_group_name(s->system, group), s->state.t, hol_status_cause(status));
}

/* (1). Redundant rows are chosen anew: the latest impulse may be long ago. */
static HolStatus impulses_solve(HolSimulation *s)
{
    HolImpulses *w = s->impulses;
    const HolPattern *p = s->work->pattern;
    HolStepReport report = {.pivot = 1};
    w->kkt->choose_anew = true;
    HOL_TRY(hol_workspace_need(s->work, HOL_WANT_MASS | HOL_WANT_PHI | HOL_WANT_JACOBIAN | HOL_WANT_NU));
    HOL_TRY(hol_kkt_review(w->kkt, s->work, &report));
    HOL_TRY(hol_kkt_solve(w->kkt, s->work, NULL, w->dnu, w->dv, w->Lambda, &report));
    hol_jacobian_times(p, s->work->terms->D, w->dv, w->Ddv);
    hol_add_scaled(p->m, -1, w->dnu, w->Ddv);
    if (!isfinite(hol_max_norm(p->nv, w->dv)))
        return HOL_NOT_FINITE;
    return hol_max_norm(p->m, w->Ddv) <= HOL_TOL_SAME * hol_max_norm(p->m, w->dnu) ? HOL_OK : HOL_SINGULAR;
}

HolStatus hol_impulses_apply(HolSimulation *s)
{
    HolImpulses *w = s->impulses;
    hol_workspace_move(s->work, s->state.t, s->state.q, s->state.v);
    HOL_TRY(hol_workspace_need(s->work, HOL_WANT_JACOBIAN | HOL_WANT_NU));
    HOL_TRY(hol_conflict_check(s->conflict, s->work, &s->message));
    HolStatus status = impulses_solve(s);
    if (status != HOL_OK)
        return impulses_fail(s, status);
    hol_rates_kick(s->rates, s->state.v, w->dv, w->Mdv, s->y);
    hol_add_scaled(s->rates->nv, 1, w->dv, s->state.v);
    hol_detector_kick(s->detector, w->dv);
    impulses_keep(s);
    return HOL_OK;
}

HolStatus hol_jump_refuse(HolSimulation *s, const HolJump *jump)
{
    HolMessage message;
    hol_jump_describe(jump, &message);
    return hol_fail(&s->message, HOL_BAD_INPUT, "%s%s'%s': %s", jump->place ? jump->place : "", jump->place ? ": " : "",
                    jump->name, message.text);
}

HolStatus hol_jumps_check(HolSimulation *s, double until)
{
    HolJump jump;
    double from = fmax(s->state.t + hol_breakpoint_side(s, s->state.t), s->breakpoints.looked);
    if (hol_system_next_jump(s->system, from, until, &jump))
        return hol_jump_refuse(s, &jump);
    s->breakpoints.looked = fmax(s->breakpoints.looked, until);
    return HOL_OK;
}

int hol_simulation_impulse_count(const HolSimulation *simulation)
{
    return simulation && simulation->impulses ? simulation->impulses->kept_count : 0;
}

HolImpulse hol_simulation_impulse(const HolSimulation *simulation, int index)
{
    bool is_there = index >= 0 && index < hol_simulation_impulse_count(simulation);
    return is_there ? simulation->impulses->kept[index] : (HolImpulse){NAN, -1, NAN, NAN};
}
