/* SPDX-License-Identifier: BSD-3-Clause */
#include "modes/steady.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"
#include "linalg/rank/independent_rows.h"
#include "linalg/sparse/saddle.h"

#include <math.h>
#include <string.h>

enum { MOST_PASSES = 200 };
static const double MAX_RESIDUAL = HOL_TOL_EQUAL;       /* D v - nu, relative to v */
static const double CONVERGED = 10 * HOL_TOL_AMPLIFIED; /* w, relative to size + |q| */

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

static HolStatus steady_create(Steady *s, const HolState *at, HolArena *arena)
{
    const HolPattern *p = s->pattern;
    *s->state = (HolState){.t = at->t, .formulation = at->formulation, .load_sharing = at->load_sharing};
    s->state->q = hol_arena_doubles(arena, (size_t)p->nq);
    HOL_DOUBLES(arena, p->nv, &s->state->v, &s->state->vdot, &s->w, &s->f, &s->scratch);
    HOL_DOUBLES(arena, p->m, &s->state->lambda, &s->c);
    s->left_out = hol_arena_alloc(arena, (size_t)p->m);
    HOL_TRY(hol_arena_status(arena));
    memcpy(s->state->q, at->q, (size_t)p->nq * sizeof *at->q);
    memcpy(s->state->lambda, at->lambda, (size_t)p->m * sizeof *at->lambda);
    HOL_TRY(hol_terms_create(s->system, &s->terms));
    if (p->m > 0)
        HOL_TRY(hol_rows_create(arena, p, &s->rows));
    return hol_saddle_create(arena, p, &s->saddle);
}

/* v = P q, vdot = P v, and all terms there. */
static HolStatus steady_evaluate(Steady *s)
{
    const HolState *x = s->state;
    int nv = s->pattern->nv, wanted = HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_PHI | HOL_WANT_JACOBIAN | HOL_WANT_NU;
    s->turning->turn(s->turning->self, x->q, x->v, s->scratch);
    s->turning->turn(s->turning->self, x->v, x->vdot, s->scratch);
    HOL_TRY(hol_system_evaluate(s->system, &(HolPoint){x->t, x->q, x->v}, (unsigned)wanted, s->terms));
    return isfinite(hol_max_norm(nv, s->terms->Q)) ? HOL_OK : HOL_NOT_FINITE;
}

/* Whether v is P q, to within what a step leaves open, and P q satisfies the rows. */
static bool steady_rotates_with_frame(const Steady *s, const double *v)
{
    const HolPattern *p = s->pattern;
    const double *Pq = s->state->v;
    double size = hol_motion_norm(p, Pq);
    for (int j = 0; j < p->nv; ++j)
        s->w[j] = v[j] - Pq[j];
    double off = hol_motion_norm(p, s->w);
    hol_mass_times(p, s->terms->M, Pq, s->f);
    double along = hol_inner_product(p->nv, v, s->f) / hol_inner_product(p->nv, Pq, s->f);
    hol_jacobian_times(p, s->terms->D, Pq, s->c);
    hol_add_scaled(p->m, -1, s->terms->nu, s->c);
    double missed = hol_max_displacement(p, p->m, s->terms->D, s->c);
    double most = MAX_RESIDUAL * size * hol_position_size(p, s->state->q) / p->length;
    return off <= HOL_PART_DEVIATION * size && fabs(along - 1) <= HOL_PART_SPEED && missed <= most;
}

/* (2) */
static HolStatus steady_pass(Steady *s)
{
    const HolPattern *p = s->pattern;
    const HolState *x = s->state;
    HolTerms *terms = s->terms;
    int count = 0;
    if (p->m > 0)
        HOL_TRY(hol_rows_choose(s->rows, terms->D, HOL_TOL_RANK, s->left_out, &count));
    HOL_TRY(hol_system_tangent(s->system, &(HolPoint){x->t, x->q, x->v}, x->vdot, x->lambda, terms));
    HOL_TRY(hol_saddle_factor(s->saddle, terms->K, s->tau, terms->M, terms->D, s->left_out));
    hol_mass_times(p, terms->M, x->vdot, s->f);
    for (int j = 0; j < p->nv; ++j)
        s->f[j] = terms->Q[j] - s->f[j];
    hol_position_residual(p, terms->Phi, s->c);
    hol_saddle_solve(s->saddle, s->f, s->c, s->w, x->lambda);
    hol_add_scaled(p->nv, 1, s->w, x->q);
    return steady_evaluate(s);
}

/* tau = Omega^2, from the largest velocity and acceleration. */
static HolStatus steady_iterate(Steady *s, const double *v)
{
    const HolPattern *p = s->pattern;
    HOL_TRY(steady_evaluate(s));
    double size = hol_motion_norm(p, s->state->v);
    if (size == 0 || !steady_rotates_with_frame(s, v))
        return HOL_NO_CONVERGENCE;
    double omega = hol_motion_norm(p, s->state->vdot) / size;
    s->tau = omega * omega;
    for (int i = 0; i < MOST_PASSES; ++i) {
        HOL_TRY(steady_pass(s));
        if (hol_motion_norm(p, s->w) <= CONVERGED * hol_position_size(p, s->state->q))
            return steady_rotates_with_frame(s, v) ? HOL_OK : HOL_NO_CONVERGENCE;
    }
    return HOL_NO_CONVERGENCE;
}

HolStatus hol_steady_find(const HolSystem *system, const HolTurning *turning, const HolState *at, HolArena *arena,
                          HolState *steady)
{
    Steady s = {.system = system, .pattern = hol_system_pattern(system), .turning = turning, .state = steady};
    HolStatus status = steady_create(&s, at, arena);
    if (status == HOL_OK)
        status = steady_iterate(&s, at->v);
    hol_saddle_destroy(s.saddle);
    hol_terms_destroy(s.terms);
    return status;
}
