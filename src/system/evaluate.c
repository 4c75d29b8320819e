/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/arena.h"
#include "base/message.h"
#include "system/internal.h"
#include "system/workspace.h"

#include <string.h>

/* What hol_terms_create() hands out: the public part first. */
typedef struct Terms {
    HolTerms terms;
    HolArena *arena;
    unsigned constant; /* the bits that need no evaluation, or no more */
} Terms;

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
    return hol_system_update(system, at, want, terms);
}

HolStatus hol_system_update(const HolSystem *system, const HolPoint *at, unsigned want, HolTerms *terms)
{
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

void hol_system_displace(const HolSystem *system, const double *q_a, const double *delta, double *q_b)
{
    if (!system || !q_a || !delta || !q_b)
        return;
    if (system->ops.displace)
        system->ops.displace(system->self, q_a, delta, q_b);
    else if (!system->ops.qdot)
        hol_system_retract(system, q_a, delta, q_b);
}

HolStatus hol_system_evaluate_mean(const HolSystem *system, const HolPoint *middle, const double *q_a,
                                   const double *q_b, unsigned want, HolTerms *terms)
{
    static const unsigned MEAN = HOL_WANT_FORCE | HOL_WANT_JACOBIAN | HOL_WANT_NU;
    if (!system_accepts(system, middle, terms) || !q_a || !q_b || (want & ~MEAN))
        return HOL_BAD_INPUT;
    if (!system->ops.evaluate_mean)
        return HOL_UNSUPPORTED;
    unsigned needed = want & ~((Terms *)terms)->constant;
    terms->undefined_group = -1;
    return needed ? system->ops.evaluate_mean(system->self, middle, q_a, q_b, needed, terms) : HOL_OK;
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

void hol_system_events(const HolSystem *system, const HolPoint *at, HolTerms *terms, HolCrossing *crossings)
{
    if (system_accepts(system, at, terms) && crossings && system->event_count > 0)
        system->ops.events(system->self, at, terms, crossings);
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

HolStatus hol_system_strain_stiffness(const HolSystem *system, const HolPoint *at, HolTerms *terms)
{
    if (!system_accepts(system, at, terms))
        return HOL_BAD_INPUT;
    return system->ops.strain_stiffness ? system->ops.strain_stiffness(system->self, at, terms) : HOL_UNSUPPORTED;
}

HolStatus hol_system_strain_forces(const HolSystem *system, const HolStrainPath *path, HolTerms *terms)
{
    if (!path || !path->q_a || !path->q_b || !path->q_m || !path->z)
        return HOL_BAD_INPUT;
    if (!system_accepts(system, &(HolPoint){path->t, path->q_a, path->z}, terms))
        return HOL_BAD_INPUT;
    return system->ops.strain_forces ? system->ops.strain_forces(system->self, path, terms) : HOL_UNSUPPORTED;
}

void hol_system_follow(const HolSystem *system, const HolPoint *at, HolTerms *terms)
{
    if (system_accepts(system, at, terms) && system->angle_count > 0)
        system->ops.follow(system->self, at, terms);
}
