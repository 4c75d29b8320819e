/* SPDX-License-Identifier: BSD-3-Clause */
/* Degrees of freedom, redundant constraints and reactions that are not unique, in one configuration. */
#include <holon/argument.h>

#include "base/float_mode.h"
#include "base/message.h"
#include "mechanism/evaluate/evaluate.h"
#include "simulate/diagnosis/neighbour.h"
#include "simulate/diagnosis/redundancy.h"
#include "simulate/diagnosis/self_stress.h"

/* The diagnosis that users see, followed by its memory. */
typedef struct Diagnosis {
    HolDiagnosis shown;
    HolArena *arena;
} Diagnosis;

/* States of self-stress can be added without a change of the motion: a component that all of them lack is unique. */
static void clear_unique(const HolDiagnosis *d, HolJointDiagnosis *joints)
{
    for (int k = 0; k < d->self_stress_count; ++k)
        for (int i = 0; i < 6 * d->self_stresses[k].force_count; ++i) {
            const HolSelfForce *force = &d->self_stresses[k].forces[i / 6];
            joints[force->joint].involved = true;
            joints[force->joint].unique[i % 6] = joints[force->joint].unique[i % 6] && force->f[i % 6] == 0;
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

/* The same in a configuration nearby. The initial one remains that of everything else, with its frames in the terms. */
static HolStatus examine_neighbour(const HolMechanism *m, HolArena *scratch, HolWorkspace *work,
                                   HolJointDiagnosis *joints)
{
    HolRedundancy *redundancy;
    HolDiagnosis nearby = {0};
    double *q = hol_arena_doubles(scratch, (size_t)m->pattern->nq),
           *v = hol_arena_doubles(scratch, (size_t)m->pattern->nv);
    HOL_TRY(hol_arena_status(scratch));
    if (!hol_find_neighbour(scratch, work, q, v))
        return HOL_OK;
    HOL_TRY(hol_redundancy_create(scratch, work, &redundancy));
    HolMotion motion = hol_mechanism_motion(m, &work->at, true, work->terms);
    if (redundancy->null_vectors)
        HOL_TRY(hol_find_self_stresses(m, &motion, redundancy, scratch, &nearby));
    clear_unique(&nearby, joints);
    return HOL_OK;
}

static HolStatus find_unique(const HolMechanism *m, bool is_initial, HolWorkspace *work, const HolDiagnosis *d,
                             HolJointDiagnosis *joints)
{
    for (int j = 0; j < d->joint_count; ++j)
        for (int i = 0; i < 6; ++i)
            joints[j].unique[i] = true;
    clear_unique(d, joints);
    if (!is_initial || d->redundant_rows == 0)
        return HOL_OK;
    HolArena *scratch = hol_arena_create();
    HolStatus status = scratch ? examine_neighbour(m, scratch, work, joints) : HOL_NO_MEMORY;
    hol_arena_destroy(scratch);
    return status;
}

static HolStatus mechanism_examine(const HolMechanism *m, const double *q, HolWorkspace *work, Diagnosis *d)
{
    HolRedundancy *redundancy;
    const HolPattern *p = m->pattern;
    HolJointDiagnosis *joints = hol_arena_alloc(d->arena, (size_t)m->joint_count * sizeof *joints);
    if (!joints)
        return HOL_NO_MEMORY;
    HolInitialState start = hol_mechanism_initial_state(m);
    HolPoint at = {.t = 0, .q = q ? q : start.q, .v = start.v};
    hol_workspace_move(work, 0, at.q, at.v);
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
    return d->shown.reactions_examined ? find_unique(m, !q, work, &d->shown, joints) : HOL_OK;
}

HolStatus hol_mechanism_diagnose(const HolMechanism *mechanism, const double *q, HolDiagnosis **diagnosis,
                                 HolMessage *message)
{
    HOL_TRY(HOL_CHECK_POINTER(message, diagnosis));
    *diagnosis = NULL;
    HOL_TRY(HOL_CHECK_POINTER(message, mechanism));
    if (q)
        HOL_TRY(hol_argument_numbers(message, __func__, "q", q, mechanism->pattern->nq));
    HolWorkspace *work = NULL;
    HolArena *arena = hol_arena_create();
    Diagnosis *made = arena ? hol_arena_alloc(arena, sizeof *made) : NULL;
    HolStatus status = made ? hol_workspace_create(mechanism->system, arena, &work) : HOL_NO_MEMORY;
    if (status == HOL_OK) {
        unsigned mode = hol_float_mode_enter();
        made->arena = arena;
        status = mechanism_examine(mechanism, q, work, made);
        hol_float_mode_leave(mode);
    }
    hol_workspace_destroy(work);
    if (status != HOL_OK) {
        hol_arena_destroy(arena);
        return hol_fail(message, status, "'%s' cannot be examined: %s", mechanism->name, hol_status_cause(status));
    }
    *diagnosis = &made->shown;
    return HOL_OK;
}

void hol_diagnosis_destroy(HolDiagnosis *diagnosis)
{
    if (diagnosis)
        hol_arena_destroy(((Diagnosis *)diagnosis)->arena);
}
