/* SPDX-License-Identifier: BSD-3-Clause */
#include "study/unheld.h"

#include "base/message.h"
#include "linalg/blocks.h"
#include "linalg/eigenvalues.h"
#include "mechanism/force.h"
#include "mechanism/mechanism.h"
#include "study/linear.h"

#include <math.h>
#include <string.h>

enum { AXES = 3 };
static const double FREE = 1e-18;                   /* |D n|^2, rows being of size 1 */
static const double SAME = 1e-3;                    /* n^T Q, in parts of itself */
static const double OPENED = 1e-9;                  /* Phi, in parts of L */
static const double BALANCE = 1e-9;                 /* n^T Q, in parts of the forces */
static const double farthest[] = {0.1, 1, 10, 100}; /* L, in parts of 1 + |q| */

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
    int *part;          /* of each block: the first block of those that act on each other */
    bool *is_watched;   /* of each part: it may come to be held, if it is not now */
} Search;

static HolStatus create(Search *s, const HolMechanism *m, double t, const double *q, HolArena *arena)
{
    const HolPattern *p = m->pattern;
    *s = (Search){.mechanism = m, .pattern = p, .t = t, .reach = 1 + hol_max_norm(p->nq, q), .q = q};
    s->v = hol_arena_doubles(arena, (size_t)p->nv);
    s->q_new = hol_arena_doubles(arena, (size_t)p->nq);
    s->Q = hol_arena_doubles(arena, (size_t)p->nv);
    s->Phi = hol_arena_doubles(arena, (size_t)p->nh);
    s->n = hol_arena_doubles(arena, (size_t)p->nv);
    s->moved = hol_arena_doubles(arena, (size_t)p->nv);
    for (int k = 0; k < AXES; ++k)
        s->rows[k] = hol_arena_doubles(arena, (size_t)p->m);
    s->part = hol_arena_alloc(arena, (size_t)p->block_count * sizeof *s->part);
    s->is_watched = hol_arena_alloc(arena, (size_t)p->block_count * sizeof *s->is_watched);
    return hol_arena_failed(arena) ? HOL_NO_MEMORY : hol_terms_create(m->system, &s->terms);
}

static HolStatus evaluate(Search *s, const double *q, unsigned want)
{
    return hol_system_evaluate(s->mechanism->system, &(HolPoint){s->t, q, s->v}, want, s->terms);
}

/* Bodies that share a block of the tangent act on each other. */
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

/* By springs, stops, tyres: anything but loads. Of those, forces that turn with bodies may come to balance; torques
 * have no resultant, however they turn. */
static void find_watched(Search *s)
{
    const HolMechanism *m = s->mechanism;
    for (int i = 0; i < m->force_count; ++i) {
        const HolForce *force = &m->forces[i];
        int a = force->body[0], b = force->body[1];
        if (!force->kind->is_load && (a == 0) != (b == 0))
            s->is_watched[s->part[a + b - 1]] = true;
        if (force->follows > 0)
            s->is_watched[s->part[force->follows - 1]] = true;
    }
}

/* n <- n + factor times the translation of a part along an axis */
static void add_translation(const Search *s, int part, int axis, double factor, double *n)
{
    const HolMechanism *m = s->mechanism;
    for (int b = 0; b < s->pattern->block_count; ++b)
        if (s->part[b] == part && m->bodies[b].form != HOL_DIRECTION)
            n[s->pattern->block_start[b] + axis] += factor;
}

/* n: the force on a part, in directions that rows leave free; of length 1, unless there is none. */
static HolStatus find_direction(Search *s, int part, bool *found)
{
    int axes = s->mechanism->planar ? 2 : AXES, nv = s->pattern->nv;
    double force[AXES], G[AXES * AXES], size[AXES], c[AXES] = {0}, length = 0;
    for (int k = 0; k < axes; ++k) {
        memset(s->n, 0, (size_t)nv * sizeof *s->n);
        add_translation(s, part, k, 1, s->n);
        force[k] = hol_inner(nv, s->n, s->Q);
        hol_jacobian_times(s->pattern, s->terms->D, s->n, s->rows[k]);
    }
    for (int i = 0; i < axes * axes; ++i)
        G[i] = hol_inner(s->pattern->m, s->rows[i / axes], s->rows[i % axes]);
    HOL_TRY(hol_eigen_symmetric(axes, G, size));
    for (int i = 0; i < axes && size[i] <= FREE; ++i)
        for (int k = 0; k < axes; ++k)
            c[k] += G[i * axes + k] * hol_inner(axes, G + i * axes, force);
    for (int k = 0; k < axes; ++k)
        length = hypot(length, c[k]);
    *found = length > BALANCE * hol_max_norm(nv, s->Q);
    memset(s->n, 0, (size_t)nv * sizeof *s->n);
    for (int k = 0; k < axes && *found; ++k)
        add_translation(s, part, k, c[k] / length, s->n);
    return HOL_OK;
}

/* (1) at distances up to the farthest; *is_held if one of them shows a difference. */
static HolStatus move_along(Search *s, bool *is_held)
{
    const HolPattern *p = s->pattern;
    double force = hol_inner(p->nv, s->n, s->Q);
    *is_held = false;
    for (size_t i = 0; i < sizeof farthest / sizeof *farthest && !*is_held; ++i) {
        double L = farthest[i] * s->reach, opened = 0;
        for (int j = 0; j < p->nv; ++j)
            s->moved[j] = L * s->n[j];
        hol_system_retract(s->mechanism->system, s->q, s->moved, s->q_new);
        HolStatus status = evaluate(s, s->q_new, HOL_WANT_FORCE | HOL_WANT_PHI);
        if (status == HOL_NO_MEMORY)
            return status;
        for (int k = 0; k < p->nh; ++k)
            opened = fmax(opened, fabs(s->terms->Phi[k] - s->Phi[k]));
        double change = fabs(hol_inner(p->nv, s->n, s->terms->Q) - force);
        *is_held = status != HOL_OK || !(opened <= OPENED * L) || !(change <= SAME * force);
    }
    return HOL_OK;
}

/* Of a node its beam. */
static const char *name_of(const HolMechanism *m, int body)
{
    for (int i = 0; i < hol_mechanism_beam_count(m); ++i) {
        HolBeamInfo beam = hol_mechanism_beam(m, i);
        if (body >= beam.first_node && body < beam.first_node + beam.node_count)
            return beam.name;
    }
    return hol_mechanism_body(m, body);
}

static HolStatus find(Search *s, const char **name)
{
    const HolPattern *p = s->pattern;
    HOL_TRY(evaluate(s, s->q, HOL_WANT_FORCE | HOL_WANT_PHI | HOL_WANT_JACOBIAN));
    memcpy(s->Q, s->terms->Q, (size_t)p->nv * sizeof *s->Q);
    memcpy(s->Phi, s->terms->Phi, (size_t)p->nh * sizeof *s->Phi);
    find_parts(s);
    find_watched(s);
    for (int b = 0; b < p->block_count && !*name; ++b) {
        bool found = false, is_held = true;
        if (s->part[b] == b && !s->is_watched[b])
            HOL_TRY(find_direction(s, b, &found));
        if (found)
            HOL_TRY(move_along(s, &is_held));
        if (!is_held)
            *name = name_of(s->mechanism, b);
    }
    return HOL_OK;
}

HolStatus hol_unheld_find(const HolMechanism *mechanism, double t, const double *q, const char **name)
{
    Search s = {.terms = NULL};
    HolArena *arena = hol_arena_create();
    HolStatus status = arena ? create(&s, mechanism, t, q, arena) : HOL_NO_MEMORY;
    *name = NULL;
    if (status == HOL_OK)
        status = find(&s, name);
    hol_terms_destroy(s.terms);
    hol_arena_destroy(arena);
    return status;
}
