/* SPDX-License-Identifier: BSD-3-Clause */
#include "study/steady.h"

#include "base/message.h"
#include "linalg/blocks.h"
#include "linalg/independent_rows.h"
#include "study/linear.h"

#include <math.h>
#include <string.h>

enum { MOST_PASSES = 200 };
static const double DEPENDENT = 1e-9; /* rows, as in linear.c */
/* How far v may be from P q, in parts of it: steps leave it so by Omega h / 2, but across the motion. Along it, its
 * speed may differ by less. */
static const double TURNS = 0.1, SPEED = 0.01;
static const double MET = 1e-9;     /* D v - nu, in parts of v */
static const double STANDS = 1e-11; /* w, in parts of 1 + |q| */

typedef struct Steady {
    const HolSystem *system;
    const HolPattern *pattern;
    const HolTurning *turning;
    HolState *state;
    HolTerms *terms;
    HolSaddle *saddle;
    HolRowChoice *rows;
    unsigned char *left_out;
    double tau;
    double *w, *f, *scratch; /* nv */
    double *c;               /* m */
} Steady;

static HolStatus create(Steady *s, const HolState *at, HolArena *arena)
{
    const HolPattern *p = s->pattern;
    *s->state = (HolState){.t = at->t,
                           .q = hol_arena_doubles(arena, (size_t)p->nq),
                           .v = hol_arena_doubles(arena, (size_t)p->nv),
                           .vdot = hol_arena_doubles(arena, (size_t)p->nv),
                           .lambda = hol_arena_doubles(arena, (size_t)p->m),
                           .formulation = at->formulation};
    s->w = hol_arena_doubles(arena, (size_t)p->nv);
    s->f = hol_arena_doubles(arena, (size_t)p->nv);
    s->scratch = hol_arena_doubles(arena, (size_t)p->nv);
    s->c = hol_arena_doubles(arena, (size_t)p->m);
    s->left_out = hol_arena_alloc(arena, (size_t)p->m);
    if (hol_arena_failed(arena))
        return HOL_NO_MEMORY;
    memcpy(s->state->q, at->q, (size_t)p->nq * sizeof *at->q);
    memcpy(s->state->lambda, at->lambda, (size_t)p->m * sizeof *at->lambda);
    HOL_TRY(hol_terms_create(s->system, &s->terms));
    if (p->m > 0)
        HOL_TRY(hol_rows_create(arena, p, &s->rows));
    return hol_saddle_create(arena, p, &s->saddle);
}

/* v = P q, vdot = P v, and all terms there. */
static HolStatus look(Steady *s)
{
    const HolState *x = s->state;
    int nv = s->pattern->nv, wanted = HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_PHI | HOL_WANT_JACOBIAN | HOL_WANT_NU;
    s->turning->turn(s->turning->self, x->q, x->v, s->scratch);
    s->turning->turn(s->turning->self, x->v, x->vdot, s->scratch);
    HOL_TRY(hol_system_evaluate(s->system, &(HolPoint){x->t, x->q, x->v}, (unsigned)wanted, s->terms));
    return isfinite(hol_max_norm(nv, s->terms->Q)) ? HOL_OK : HOL_NOT_FINITE;
}

/* The state moves with the frame but for what a step leaves open, and rows let it. */
static bool turns(const Steady *s, const double *v)
{
    const HolPattern *p = s->pattern;
    const double *Pq = s->state->v;
    double size = hol_max_norm(p->nv, Pq), off = 0, missed = 0;
    for (int j = 0; j < p->nv; ++j)
        off = fmax(off, fabs(v[j] - Pq[j]));
    hol_mass_times(p, s->terms->M, Pq, s->f);
    double along = hol_inner(p->nv, v, s->f) / hol_inner(p->nv, Pq, s->f);
    hol_jacobian_times(p, s->terms->D, Pq, s->c);
    for (int i = 0; i < p->m; ++i)
        missed = fmax(missed, fabs(s->c[i] - s->terms->nu[i]));
    return off <= TURNS * size && fabs(along - 1) <= SPEED &&
           missed <= MET * size * (1 + hol_max_norm(p->nq, s->state->q));
}

/* (2) */
static HolStatus pass(Steady *s)
{
    const HolPattern *p = s->pattern;
    const HolState *x = s->state;
    HolTerms *terms = s->terms;
    int count = 0;
    if (p->m > 0)
        HOL_TRY(hol_rows_choose(s->rows, terms->D, DEPENDENT, s->left_out, &count));
    HOL_TRY(hol_system_tangent(s->system, &(HolPoint){x->t, x->q, x->v}, x->vdot, x->lambda, terms));
    HOL_TRY(hol_saddle_factor(s->saddle, terms->K, s->tau, terms->M, terms->D, s->left_out));
    hol_mass_times(p, terms->M, x->vdot, s->f);
    for (int j = 0; j < p->nv; ++j)
        s->f[j] = terms->Q[j] - s->f[j];
    for (int i = 0; i < p->m; ++i)
        s->c[i] = i < p->nh ? -terms->Phi[i] : 0;
    hol_saddle_solve(s->saddle, s->f, s->c, s->w, x->lambda);
    for (int j = 0; j < p->nv; ++j)
        x->q[j] += s->w[j];
    return look(s);
}

/* tau: the largest square of how fast a velocity turns. */
static HolStatus iterate(Steady *s, const double *v)
{
    int nv = s->pattern->nv;
    HOL_TRY(look(s));
    double size = hol_max_norm(nv, s->state->v);
    if (size == 0 || !turns(s, v))
        return HOL_NO_CONVERGENCE;
    double omega = hol_max_norm(nv, s->state->vdot) / size;
    s->tau = omega * omega;
    for (int i = 0; i < MOST_PASSES; ++i) {
        HOL_TRY(pass(s));
        if (hol_max_norm(nv, s->w) <= STANDS * (1 + hol_max_norm(nv, s->state->q)))
            return turns(s, v) ? HOL_OK : HOL_NO_CONVERGENCE;
    }
    return HOL_NO_CONVERGENCE;
}

HolStatus hol_steady_find(const HolSystem *system, const HolTurning *turning, const HolState *at, HolArena *arena,
                          HolState *steady)
{
    Steady s = {.system = system, .pattern = hol_system_pattern(system), .turning = turning, .state = steady};
    HolStatus status = create(&s, at, arena);
    if (status == HOL_OK)
        status = iterate(&s, at->v);
    hol_saddle_destroy(s.saddle);
    hol_terms_destroy(s.terms);
    return status;
}
