/* SPDX-License-Identifier: BSD-3-Clause */
#include "statics/unconstrained.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"
#include "linalg/dense/eigenvalues.h"
#include "mechanism/forces/force_kind.h"
#include "mechanism/mechanism.h"

#include <math.h>
#include <string.h>

enum { AXES = 3 };
static const double FREE = HOL_TOL_RANK * HOL_TOL_RANK; /* |D n|^2, rows being of size 1 */
static const double SAME = HOL_TOL_SMALL;               /* n^T Q, relative to itself */
static const double OPENED = HOL_TOL_EQUAL;             /* Phi, relative to L */
static const double BALANCE = HOL_TOL_EQUAL;            /* n^T Q, relative to the forces */
static const double farthest[] = {0.1, 1, 10, 100};     /* L, relative to size + |q| */

typedef struct Search {
    const HolMechanism *mechanism;
    const HolPattern *pattern;
    HolTerms *terms;
    double t, reach;
    const double *q;
    double *v, *q_new;  /* v stays zero */
    double *Q, *Phi;    /* at q */
    double *n, *moved;  /* nv */
    double *rows[AXES]; /* m: D times a translation along each axis */
    int *part;          /* of each block: the first block of its part */
    bool *is_skipped;   /* of each part: (1) at a few distances would prove nothing */
} Search;

static HolStatus unconstrained_create(Search *s, const HolMechanism *m, double t, const double *q, HolArena *arena)
{
    const HolPattern *p = m->pattern;
    *s = (Search){.mechanism = m, .pattern = p, .t = t, .reach = hol_position_size(p, q), .q = q};
    HOL_DOUBLES(arena, p->nv, &s->v, &s->Q, &s->n, &s->moved);
    s->q_new = hol_arena_doubles(arena, (size_t)p->nq);
    s->Phi = hol_arena_doubles(arena, (size_t)p->nh);
    for (int k = 0; k < AXES; ++k)
        s->rows[k] = hol_arena_doubles(arena, (size_t)p->m);
    s->part = hol_arena_alloc(arena, (size_t)p->block_count * sizeof *s->part);
    s->is_skipped = hol_arena_alloc(arena, (size_t)p->block_count * sizeof *s->is_skipped);
    return hol_arena_failed(arena) ? HOL_NO_MEMORY : hol_terms_create(m->system, &s->terms);
}

static HolStatus unconstrained_evaluate(Search *s, const double *q, unsigned want)
{
    return hol_system_evaluate(s->mechanism->system, &(HolPoint){s->t, q, s->v}, want, s->terms);
}

/* Bodies that share a block of the tangent are coupled and belong to one part. */
static void find_parts(Search *s)
{
    const HolPattern *p = s->pattern;
    bool changed = true;
    for (int b = 0; b < p->block_count; ++b)
        s->part[b] = b;
    while (changed) {
        changed = false;
        for (int k = 0; k < p->tangent_count; ++k) {
            int *row = &s->part[p->tangents[k].row], *column = &s->part[p->tangents[k].column];
            changed = changed || *row != *column;
            *row = *column = *row < *column ? *row : *column;
        }
    }
}

/* Skips parts with a force to the ground that is no load (springs, stops, tyres) and parts with follower forces.
 * Torques have no resultant, whatever they follow. */
static void find_skipped(Search *s)
{
    const HolMechanism *m = s->mechanism;
    for (int i = 0; i < m->force_count; ++i) {
        const HolForce *force = &m->forces[i];
        int a = force->body[0], b = force->body[1];
        if (!force->kind->is_load && (a == 0) != (b == 0))
            s->is_skipped[s->part[a + b - 1]] = true;
        if (force->follows > 0)
            s->is_skipped[s->part[force->follows - 1]] = true;
    }
}

/* n <- n + factor times the translation of a part along an axis. */
static void part_add_translation(const Search *s, int part, int axis, double factor, double *n)
{
    const HolMechanism *m = s->mechanism;
    for (int b = 0; b < s->pattern->block_count; ++b)
        if (s->part[b] == part && m->bodies[b].form != HOL_DIRECTION)
            n[s->pattern->block_start[b] + axis] += factor;
}

/* n: the unit direction of the resultant force on a part, projected on the null space of D; *found unless it is 0. */
static HolStatus unconstrained_find_direction(Search *s, int part, bool *found)
{
    int axes = s->mechanism->planar ? 2 : AXES, nv = s->pattern->nv;
    double force[AXES], G[AXES * AXES], size[AXES], c[AXES] = {0}, length = 0;
    for (int k = 0; k < axes; ++k) {
        memset(s->n, 0, (size_t)nv * sizeof *s->n);
        part_add_translation(s, part, k, 1, s->n);
        force[k] = hol_inner_product(nv, s->n, s->Q);
        hol_jacobian_times(s->pattern, s->terms->D, s->n, s->rows[k]);
    }
    for (int i = 0; i < axes * axes; ++i)
        G[i] = hol_inner_product(s->pattern->m, s->rows[i / axes], s->rows[i % axes]);
    HOL_TRY(hol_eigen_symmetric(axes, G, size));
    for (int i = 0; i < axes && size[i] <= FREE; ++i)
        for (int k = 0; k < axes; ++k)
            c[k] += G[i * axes + k] * hol_inner_product(axes, G + i * axes, force);
    for (int k = 0; k < axes; ++k)
        length = hypot(length, c[k]);
    *found = length > BALANCE * hol_force_norm(s->pattern, s->Q);
    memset(s->n, 0, (size_t)nv * sizeof *s->n);
    for (int k = 0; k < axes && *found; ++k)
        part_add_translation(s, part, k, c[k] / length, s->n);
    return HOL_OK;
}

/* Tests (1) at several distances; *is_constrained if constraints or forces change at one of them. */
static HolStatus unconstrained_move_along(Search *s, bool *is_constrained)
{
    const HolPattern *p = s->pattern;
    double force = hol_inner_product(p->nv, s->n, s->Q);
    *is_constrained = false;
    for (size_t i = 0; i < sizeof farthest / sizeof *farthest && !*is_constrained; ++i) {
        double L = farthest[i] * s->reach, opened = 0;
        for (int j = 0; j < p->nv; ++j)
            s->moved[j] = L * s->n[j];
        hol_system_retract(s->mechanism->system, s->q, s->moved, s->q_new);
        HolStatus status = unconstrained_evaluate(s, s->q_new, HOL_WANT_FORCE | HOL_WANT_PHI);
        if (status == HOL_NO_MEMORY)
            return status;
        for (int k = 0; k < p->nh; ++k)
            opened = fmax(opened, fabs(s->terms->Phi[k] - s->Phi[k]));
        double change = fabs(hol_inner_product(p->nv, s->n, s->terms->Q) - force);
        *is_constrained = status != HOL_OK || !(opened <= OPENED * L) || !(change <= SAME * force);
    }
    return HOL_OK;
}

/* The name of a body, or of the beam whose node it is. */
static const char *body_or_beam_name(const HolMechanism *m, int body)
{
    for (int i = 0; i < hol_mechanism_beam_count(m); ++i) {
        HolBeamInfo beam = hol_mechanism_beam(m, i);
        if (body >= beam.first_node && body < beam.first_node + beam.node_count)
            return beam.name;
    }
    return hol_mechanism_body(m, body);
}

static HolStatus unconstrained_find(Search *s, const char **name)
{
    const HolPattern *p = s->pattern;
    HOL_TRY(unconstrained_evaluate(s, s->q, HOL_WANT_FORCE | HOL_WANT_PHI | HOL_WANT_JACOBIAN));
    memcpy(s->Q, s->terms->Q, (size_t)p->nv * sizeof *s->Q);
    memcpy(s->Phi, s->terms->Phi, (size_t)p->nh * sizeof *s->Phi);
    find_parts(s);
    find_skipped(s);
    for (int b = 0; b < p->block_count && !*name; ++b) {
        bool found = false, is_constrained = true;
        if (s->part[b] == b && !s->is_skipped[b])
            HOL_TRY(unconstrained_find_direction(s, b, &found));
        if (found)
            HOL_TRY(unconstrained_move_along(s, &is_constrained));
        if (!is_constrained)
            *name = body_or_beam_name(s->mechanism, b);
    }
    return HOL_OK;
}

HolStatus hol_unconstrained_find(const HolMechanism *mechanism, double t, const double *q, const char **name)
{
    Search s = {.terms = NULL};
    HolArena *arena = hol_arena_create_within(hol_system_pattern(hol_mechanism_system(mechanism))->memory);
    HolStatus status = arena ? unconstrained_create(&s, mechanism, t, q, arena) : HOL_NO_MEMORY;
    *name = NULL;
    if (status == HOL_OK)
        status = unconstrained_find(&s, name);
    hol_terms_destroy(s.terms);
    hol_arena_destroy(arena);
    return status;
}
