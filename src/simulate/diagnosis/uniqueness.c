/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate/diagnosis/uniqueness.h"

#include "base/message.h"
#include "mechanism/evaluate/evaluate.h"
#include "simulate/diagnosis/excursion.h"
#include "simulate/diagnosis/redundancy.h"
#include "simulate/diagnosis/self_stress.h"

#include <math.h>

/* Times at which the motion of the drivers is examined. */
enum { DRIVER_TIMES = 8 };
/* Numbers of all null vectors, in all configurations together; those of a larger model are fewer. */
static const double MOST_NUMBERS = 5e6;

/* What the examinations of one diagnosis share. */
typedef struct Examination {
    const HolMechanism *m;
    HolArena *arena;
    HolWorkspace *work;
    HolExcursion *excursion;
    HolDiagnosis *diagnosis;
    HolJointDiagnosis *joints;
} Examination;

/* The component of a joint is not unique in the configuration examined last. */
static void uniqueness_mark(HolDiagnosis *d, double t, HolJointDiagnosis *joint, int component)
{
    if (joint->last[component] == d->configuration_count)
        return; /* by another self-stress */
    joint->last[component] = d->configuration_count;
    joint->until[component] = t;
    if (joint->unique[component]) {
        joint->first[component] = d->configuration_count;
        joint->from[component] = t;
    }
    joint->unique[component] = false;
    ++joint->not_unique[component];
}

static void uniqueness_count(const HolDiagnosis *stresses, double t, HolDiagnosis *d, HolJointDiagnosis *joints)
{
    ++d->configuration_count;
    d->examined_until = fmax(d->examined_until, t);
    for (int k = 0; k < stresses->self_stress_count; ++k)
        for (int i = 0; i < 6 * stresses->self_stresses[k].force_count; ++i) {
            const HolSelfForce *force = &stresses->self_stresses[k].forces[i / 6];
            joints[force->joint].involved = true;
            if (force->f[i % 6] != 0)
                uniqueness_mark(d, t, &joints[force->joint], i % 6);
        }
}

void hol_uniqueness_begin(HolDiagnosis *d, double t, HolJointDiagnosis *joints)
{
    d->examined_from = d->examined_until = t;
    for (int j = 0; j < d->joint_count; ++j)
        for (int i = 0; i < 6; ++i) {
            joints[j].unique[i] = true;
            joints[j].from[i] = joints[j].until[i] = NAN;
        }
    uniqueness_count(d, t, d, joints);
}

/* At the point of the workspace. */
static HolStatus examine_here(const Examination *e, HolArena *scratch)
{
    HolRedundancy *redundancy;
    HolDiagnosis stresses = {0};
    HOL_TRY(hol_redundancy_create(scratch, e->work, &redundancy));
    HolMotion motion = hol_mechanism_motion(e->m, &e->work->at, true, e->work->terms);
    if (redundancy->redundant_count > 0 && !redundancy->null_vectors)
        return HOL_OK;
    HOL_TRY(hol_find_self_stresses(e->m, &motion, redundancy, scratch, &stresses));
    uniqueness_count(&stresses, e->work->at.t, e->diagnosis, e->joints);
    return HOL_OK;
}

/* After the workspace was moved, with a status: a configuration that does not exist is left out. */
static HolStatus examine_moved(const Examination *e, HolStatus moved)
{
    if (moved != HOL_OK)
        return moved == HOL_NO_MEMORY ? moved : HOL_OK;
    HolArena *scratch = hol_arena_create_within(e->m->pattern->memory);
    HolStatus status = scratch ? examine_here(e, scratch) : HOL_NO_MEMORY;
    hol_arena_destroy(scratch);
    return status;
}

/* How many of `count` configurations are worth their cost. */
static int examination_count(const HolDiagnosis *d, int count)
{
    double numbers = fmax(1, (double)d->redundant_rows * d->m);
    return (int)fmax(1, fmin(count, MOST_NUMBERS / numbers));
}

static HolStatus examine_displaced(const Examination *e)
{
    int count = examination_count(e->diagnosis, HOL_EXCURSIONS);
    for (int i = 0; i < count; ++i) {
        HolStatus moved = hol_excursion_displace(e->excursion, i);
        e->diagnosis->excursion = moved == HOL_OK ? hol_excursion_distance : e->diagnosis->excursion;
        HOL_TRY(examine_moved(e, moved));
    }
    return HOL_OK;
}

static HolStatus examine_driven(const Examination *e)
{
    double start = e->work->at.t, until = hol_mechanism_until(e->m);
    int count = examination_count(e->diagnosis, DRIVER_TIMES);
    HolStatus moved = hol_excursion_start(e->excursion);
    for (int i = 1; i <= count && moved == HOL_OK; ++i) {
        moved = hol_excursion_follow(e->excursion, start + (until - start) * i / count);
        HOL_TRY(examine_moved(e, moved));
    }
    return moved == HOL_NO_MEMORY ? moved : HOL_OK;
}

static HolStatus examine_near(const Examination *e)
{
    HOL_TRY(examine_displaced(e));
    return hol_system_is_scleronomic(e->work->system) ? HOL_OK : examine_driven(e);
}

/* Spread over the list, with its last one. */
static HolStatus examine_along(const Examination *e, const HolConfiguration *list, int count)
{
    int examined = examination_count(e->diagnosis, count);
    for (int i = 1; i <= examined; ++i) {
        const HolConfiguration *at = &list[(long)i * count / examined - 1];
        HOL_TRY(examine_moved(e, hol_excursion_project(e->excursion, at->t, at->q)));
    }
    return HOL_OK;
}

static HolStatus examination_begin(Examination *e)
{
    e->arena = hol_arena_create_within(e->m->pattern->memory);
    return e->arena ? hol_excursion_create(e->arena, e->work, e->m->length, &e->excursion) : HOL_NO_MEMORY;
}

/* Without an excursion, as in an inconsistent configuration, the diagnosis keeps what it has. */
static HolStatus examination_end(Examination *e, HolStatus status)
{
    bool was_impossible = !e->excursion && status != HOL_NO_MEMORY;
    hol_arena_destroy(e->arena);
    return was_impossible ? HOL_OK : status;
}

HolStatus hol_uniqueness_near(const HolMechanism *m, HolWorkspace *work, HolDiagnosis *d, HolJointDiagnosis *joints)
{
    Examination e = {.m = m, .work = work, .diagnosis = d, .joints = joints};
    HolStatus status = examination_begin(&e);
    return examination_end(&e, status == HOL_OK ? examine_near(&e) : status);
}

HolStatus hol_uniqueness_along(const HolMechanism *m, HolWorkspace *work, const HolConfiguration *list, int count,
                               HolDiagnosis *d, HolJointDiagnosis *joints)
{
    Examination e = {.m = m, .work = work, .diagnosis = d, .joints = joints};
    HolStatus status = examination_begin(&e);
    return examination_end(&e, status == HOL_OK ? examine_along(&e, list, count) : status);
}
