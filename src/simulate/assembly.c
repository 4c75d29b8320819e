/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/float_mode.h"
#include "base/message.h"
#include "formulations/projection.h"
#include "linalg/blocks.h"
#include "simulate/internal.h"

#include <math.h>
#include <string.h>

/* Large gaps take more iterations than the round-off left by a step. */
enum { ITERATIONS = 100, VELOCITY_ITERATIONS = 10 };
static const double REDUNDANT = 1e-9;
static const double LARGEST_ERROR = 1e-9;

static HolStatus project(const HolSetup *setup, double t, double *q, double *v)
{
    HolKkt *kkt;
    HolProjection *projection;
    HolStepReport report = {0};
    hol_workspace_move(setup->work, t, q, v);
    HOL_TRY(hol_workspace_need(setup->work, HOL_WANT_MASS | HOL_WANT_JACOBIAN | HOL_WANT_PHI));
    HOL_TRY(hol_kkt_create(setup, &kkt));
    HOL_TRY(hol_projection_create(setup, kkt, false, &projection));
    projection->max_iterations = ITERATIONS;
    projection->velocity_iterations = VELOCITY_ITERATIONS;
    return hol_projection_apply(projection, setup->work, t, q, v, &report);
}

/* The group with the largest of the first n numbers in x, which has one for each row. */
static int worst_group(const HolPattern *p, int n, const double *x, double *worst)
{
    int group = -1;
    *worst = 0;
    for (int g = 0; g < p->group_count && p->group_start[g] < n; ++g) {
        double largest = hol_max_norm(hol_part_size(p->group_start, g), x + p->group_start[g]);
        if (!(largest <= *worst)) {
            *worst = largest;
            group = g;
        }
    }
    return group;
}

/* The sentence: which group stays open by how much. */
static HolStatus explain(const HolSetup *setup, HolStatus status, HolMessage *message)
{
    const HolPattern *p = hol_system_pattern(setup->system);
    const char *name = hol_system_name(setup->system);
    double worst;
    int group = worst_group(p, p->nh, setup->work->terms->Phi, &worst);
    if (status == HOL_NO_MEMORY)
        return hol_fail(message, status, "not enough memory to assemble '%s'", name);
    if (group < 0 || (status != HOL_NO_CONVERGENCE && status != HOL_SINGULAR))
        return hol_fail(message, status, "'%s' cannot be assembled: %s", name, hol_status_name(status));
    return hol_fail(message, status, "'%s' cannot be assembled from this start: '%s' stays open by %.3g", name,
                    hol_system_group_name(setup->system, group), worst);
}

static bool positions_are_met(const HolSetup *setup)
{
    const HolPattern *p = hol_system_pattern(setup->system);
    return hol_max_norm(p->nh, setup->work->terms->Phi) <= LARGEST_ERROR * (1 + hol_max_norm(p->nq, setup->work->at.q));
}

/* Rows may contradict each other in what they ask of the velocities. */
static HolStatus check_velocities(const HolSetup *setup, HolMessage *message)
{
    const HolPattern *p = hol_system_pattern(setup->system);
    double worst, *residual = hol_arena_doubles(setup->arena, (size_t)p->m);
    if (!residual)
        return HOL_NO_MEMORY;
    HOL_TRY(hol_workspace_need(setup->work, HOL_WANT_JACOBIAN | HOL_WANT_NU));
    double largest = hol_workspace_velocity_residual(setup->work, residual);
    double scale = 1 + hol_max_norm(p->nv, setup->work->at.v) + hol_max_norm(p->m, setup->work->terms->nu);
    if (largest <= LARGEST_ERROR * scale)
        return HOL_OK;
    int group = worst_group(p, p->m, residual, &worst);
    return hol_fail(message, HOL_NO_CONVERGENCE, "'%s' cannot be assembled: the velocities of '%s' stay wrong by %.3g",
                    hol_system_name(setup->system), hol_system_group_name(setup->system, group), worst);
}

static HolStatus assemble(const HolSetup *setup, double t, double *q, double *v, HolMessage *message)
{
    const HolPattern *p = hol_system_pattern(setup->system);
    double *q_new = hol_arena_doubles(setup->arena, (size_t)p->nq);
    double *v_new = hol_arena_doubles(setup->arena, (size_t)p->nv);
    if (!q_new || !v_new)
        return HOL_NO_MEMORY;
    double *zero = hol_arena_doubles(setup->arena, (size_t)p->nv);
    hol_system_retract(setup->system, q, zero, q_new);
    memcpy(v_new, v, (size_t)p->nv * sizeof *v);
    HolStatus status = project(setup, t, q_new, v_new);
    if (status != HOL_OK && !(status == HOL_NO_CONVERGENCE && positions_are_met(setup)))
        return explain(setup, status, message);
    HOL_TRY(check_velocities(setup, message)); /* the last word: nearly redundant rows keep a little open */
    memcpy(q, q_new, (size_t)p->nq * sizeof *q);
    memcpy(v, v_new, (size_t)p->nv * sizeof *v);
    return HOL_OK;
}

HolStatus hol_assemble(const HolSystem *system, double t, double *q, double *v, HolMessage *message)
{
    if (!system || !q || !v)
        return hol_fail(message, HOL_BAD_INPUT, "hol_assemble: system, q and v must not be NULL");
    if (!isfinite(t))
        return hol_fail(message, HOL_BAD_INPUT, "hol_assemble: t = %g must be finite", t);
    hol_fail(message, HOL_OK, "%s", "");
    unsigned mode = hol_float_mode_enter();
    HolArena *arena = hol_arena_create();
    HolWorkspace *work = NULL;
    HolStatus status = arena ? hol_workspace_create(system, arena, &work) : HOL_NO_MEMORY;
    if (status == HOL_OK) {
        HolSetup setup = {.system = system, .arena = arena, .work = work};
        status = assemble(&setup, t, q, v, message);
    }
    if (status == HOL_NO_MEMORY)
        hol_fail(message, status, "not enough memory to assemble '%s'", hol_system_name(system));
    hol_workspace_destroy(work);
    hol_arena_destroy(arena);
    hol_float_mode_leave(mode);
    return status;
}

HolStatus hol_count_rank(HolWorkspace *work, int *rank)
{
    int redundant = 0;
    HolRowChoice *rows;
    HolArena *arena = hol_arena_create();
    HolStatus status = arena ? hol_rows_create(arena, work->pattern, &rows) : HOL_NO_MEMORY;
    unsigned char *left_out = arena ? hol_arena_alloc(arena, (size_t)work->pattern->m) : NULL;
    if (status == HOL_OK)
        status = left_out ? hol_rows_choose(rows, work->terms->D, REDUNDANT, left_out, &redundant) : HOL_NO_MEMORY;
    hol_arena_destroy(arena);
    *rank = work->pattern->m - redundant;
    return status;
}
