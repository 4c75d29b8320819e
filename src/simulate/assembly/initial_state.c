/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves the initial state of a mechanism onto its constraints. */
#include <holon/argument.h>

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"
#include "mechanism/compile/compile.h"
#include "mechanism/reactions/elastic.h"
#include "mechanism/run_section.h"
#include "simulate/assembly/massless.h"
#include "simulate/automatic/choice.h"
#include "system/workspace.h"

#include <string.h>

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

/* Names the constraint that is undefined in the initial state, such as that of a rolling disc that lies flat. */
static HolStatus mechanism_explain_undefined(const HolMechanism *m, const HolTerms *terms, HolStatus status,
                                             HolMessage *message)
{
    int group = terms->undefined_group;
    if (group < 0)
        return status;
    return hol_fail(message, status,
                    "'%s' cannot be assembled: the constraints of '%s' are undefined in this initial state", m->name,
                    hol_system_group_name(m->system, group));
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
        return mechanism_explain_undefined(m, work->terms, status, message);
    m->gap = (HolGap){0};
    hol_workspace_velocity_residual(work, residual);
    find_worst(m->system, m->pattern->nh, work->terms->Phi, &m->gap.position, &m->gap.where);
    find_worst(m->system, m->pattern->m, residual, &m->gap.velocity, &faster);
    if (!(m->gap.position > HOL_TOL_EQUAL * m->pattern->length))
        m->gap.where = faster;
    return HOL_OK;
}

/* Assembles positions, then velocities, and keeps the values of the start section. */
static HolStatus assemble_held(const HolMechanism *m, double *q, double *v, HolMessage *message)
{
    HolMechanism *held;
    HOL_TRY(hol_mechanism_copy_for_assembly(m, HOL_HOLD_POSITIONS, q, &held, message));
    HolStatus status = hol_assemble_positions(held->system, 0, q, message);
    hol_mechanism_free(held);
    HOL_TRY(status);
    HOL_TRY(hol_mechanism_copy_for_assembly(m, HOL_HOLD_VELOCITIES, q, &held, message));
    status = hol_assemble_velocities(held->system, 0, q, v, message);
    hol_mechanism_free(held);
    return status;
}

/* Assembles in reference-point coordinates. */
static HolStatus mechanism_assemble(HolMechanism *m, HolArena *arena, HolMessage *message)
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
    if (m->run->keeps_start)
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

static HolStatus assemble_natural(HolMechanism *m, HolArena *arena, HolMessage *message)
{
    HolMechanism *twin;
    HOL_TRY(hol_mechanism_copy_for_assembly(m, HOL_HOLD_NOTHING, m->q, &twin, message));
    HolStatus status = mechanism_assemble(twin, arena, message);
    m->gap = twin->gap;
    if (m->gap.where) /* a name that is freed with the twin */
        m->gap.where = hol_arena_text(m->arena, m->gap.where, strlen(m->gap.where));
    hol_mechanism_free(twin);
    HOL_TRY(status);
    hol_natural_set_initial_state(m);
    return hol_massless_check(m, message);
}

HolStatus hol_mechanism_assemble(HolMechanism *mechanism, HolMessage *message)
{
    HOL_TRY(HOL_CHECK_POINTER(message, mechanism));
    hol_fail(message, HOL_OK, "%s", "");
    HolArena *arena = hol_arena_create_within(mechanism->pattern->memory);
    HolStatus status = HOL_NO_MEMORY;
    if (arena)
        status = mechanism->natural ? assemble_natural(mechanism, arena, message)
                                    : mechanism_assemble(mechanism, arena, message);
    hol_arena_destroy(arena);
    if (status == HOL_OK)
        status = hol_mechanism_set_row_stiffness(mechanism);
    if (status == HOL_OK)
        status = hol_automatic_choose(mechanism);
    if (status == HOL_NO_MEMORY && message && !message->text[0])
        hol_arena_fail(NULL, "assembly", message);
    else if (status != HOL_OK && message && !message->text[0])
        hol_fail(message, status, "'%s' cannot be assembled: %s", mechanism->name, hol_status_cause(status));
    return status;
}
