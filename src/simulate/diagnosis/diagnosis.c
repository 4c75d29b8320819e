/* SPDX-License-Identifier: BSD-3-Clause */
/* Degrees of freedom, redundant constraints and reactions that are not unique, of one configuration or a motion. */
#include <holon/argument.h>

#include "base/float_mode.h"
#include "base/message.h"
#include "mechanism/evaluate/evaluate.h"
#include "simulate/diagnosis/redundancy.h"
#include "simulate/diagnosis/self_stress.h"
#include "simulate/diagnosis/uniqueness.h"
#include "simulate/simulation.h"

/* The diagnosis that users see, followed by its memory. */
typedef struct Diagnosis {
    HolDiagnosis shown;
    HolArena *arena;
} Diagnosis;

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

/* Where to examine: the initial configuration and others near it if there is no list, else those of the list. */
typedef struct Places {
    const HolConfiguration *list;
    int count;
} Places;

static HolStatus find_unique(const HolMechanism *m, const Places *places, HolWorkspace *work, const HolPoint *at,
                             Diagnosis *d, HolJointDiagnosis *joints)
{
    if (!d->shown.reactions_examined)
        return HOL_OK;
    hol_uniqueness_begin(&d->shown, at->t, joints);
    if (places->count == 0)
        return d->shown.redundant_rows > 0 ? hol_uniqueness_near(m, work, &d->shown, joints) : HOL_OK;
    if (places->count == 1)
        return HOL_OK;
    return hol_uniqueness_along(m, work, places->list + 1, places->count - 1, &d->shown, joints);
}

static HolStatus mechanism_examine(const HolMechanism *m, const Places *places, HolWorkspace *work, Diagnosis *d)
{
    HolRedundancy *redundancy;
    const HolPattern *p = m->pattern;
    HolJointDiagnosis *joints = hol_arena_alloc(d->arena, (size_t)m->joint_count * sizeof *joints);
    if (!joints)
        return HOL_NO_MEMORY;
    HolInitialState start = hol_mechanism_initial_state(m);
    HolPoint at = {.t = start.t, .q = start.q, .v = start.v};
    if (places->count > 0)
        at = (HolPoint){.t = places->list[0].t, .q = places->list[0].q, .v = start.v};
    hol_workspace_move(work, at.t, at.q, at.v);
    HOL_TRY(hol_workspace_need(work, HOL_WANT_MASS | HOL_WANT_JACOBIAN));
    HOL_TRY(hol_redundancy_create(d->arena, work, &redundancy));
    int rank = redundancy->rank;
    int singular = redundancy->redundant_count > 0 ? hol_count_neighbour_rank(work, rank) - rank : 0;
    HolMotion motion = hol_mechanism_motion(m, &at, true, work->terms);
    d->shown = (HolDiagnosis){
        .nq = p->nq,
        .nv = p->nv,
        .m = p->m,
        .rank = redundancy->rank,
        .dof = p->nv - redundancy->rank,
        .redundant_rows = redundancy->redundant_count,
        .singular_rows = singular,
        .smallest_sine = redundancy->smallest_sine,
        .nearly_redundant = owner_of(m, redundancy->smallest_row),
        .reactions_examined = redundancy->null_vectors || redundancy->redundant_count == 0,
        .joint_count = m->joint_count,
        .joints = joints,
    };
    for (int i = 0; i < m->joint_count; ++i)
        HOL_TRY(list_redundant(&m->joints[i], redundancy, d->arena, &joints[i]));
    if (redundancy->null_vectors)
        HOL_TRY(hol_find_self_stresses(m, &motion, redundancy, d->arena, &d->shown));
    return find_unique(m, places, work, &at, d, joints);
}

static HolStatus diagnosis_create(const HolMechanism *mechanism, const Places *places, HolDiagnosis **diagnosis,
                                  HolMessage *message)
{
    HolWorkspace *work = NULL;
    HolArena *arena = hol_arena_create_within(mechanism->pattern->memory);
    Diagnosis *made = arena ? hol_arena_alloc(arena, sizeof *made) : NULL;
    HolStatus status = made ? hol_workspace_create(mechanism->system, arena, &work) : HOL_NO_MEMORY;
    if (status == HOL_OK) {
        unsigned mode = hol_float_mode_enter();
        made->arena = arena;
        status = mechanism_examine(mechanism, places, work, made);
        hol_float_mode_leave(mode);
    }
    hol_workspace_destroy(work);
    if (status == HOL_NO_MEMORY)
        hol_arena_fail(arena, "the diagnosis", message);
    if (status != HOL_OK)
        hol_arena_destroy(arena);
    if (status == HOL_NO_MEMORY)
        return status;
    if (status != HOL_OK)
        return hol_fail(message, status, "'%s' cannot be examined: %s", mechanism->name, hol_status_cause(status));
    *diagnosis = &made->shown;
    return HOL_OK;
}

HolStatus hol_mechanism_diagnose(const HolMechanism *mechanism, const double *q, HolDiagnosis **diagnosis,
                                 HolMessage *message)
{
    HolConfiguration there = {.t = 0, .q = q};
    HOL_TRY(HOL_CHECK_POINTER(message, diagnosis));
    *diagnosis = NULL;
    HOL_TRY(HOL_CHECK_POINTER(message, mechanism));
    if (q)
        HOL_TRY(hol_argument_numbers(message, __func__, "q", q, mechanism->pattern->nq));
    return diagnosis_create(mechanism, &(Places){&there, q ? 1 : 0}, diagnosis, message);
}

HolStatus hol_mechanism_diagnose_motion(const HolMechanism *mechanism, const HolConfiguration *configurations,
                                        int count, HolDiagnosis **diagnosis, HolMessage *message)
{
    HOL_TRY(HOL_CHECK_POINTER(message, diagnosis));
    *diagnosis = NULL;
    HOL_TRY(HOL_CHECK_POINTER(message, mechanism));
    HOL_TRY(HOL_CHECK_POINTER(message, configurations));
    if (count < 1)
        return hol_fail(message, HOL_BAD_INPUT, "%s: count = %d must be positive", __func__, count);
    for (int i = 0; i < count; ++i) {
        HOL_TRY(hol_argument_finite(message, __func__, "t", configurations[i].t));
        HOL_TRY(hol_argument_numbers(message, __func__, "q", configurations[i].q, mechanism->pattern->nq));
    }
    return diagnosis_create(mechanism, &(Places){configurations, count}, diagnosis, message);
}

void hol_diagnosis_destroy(HolDiagnosis *diagnosis)
{
    if (diagnosis)
        hol_arena_destroy(((Diagnosis *)diagnosis)->arena);
}
