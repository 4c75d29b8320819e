/* SPDX-License-Identifier: BSD-3-Clause */
#include "solve/refinement.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"

#include <math.h>
#include <string.h>

/* A solution is accurate if its first correction is at most this part of it. */
static const double ACCURATE = HOL_TOL_AMPLIFIED;
/* Corrections end when they are at rounding or no longer shrink, or after this number. */
static const double ROUNDING = HOL_ROUNDINGS(4);
enum { MOST_CORRECTIONS = 5 };

/* The correction x of the given solution, from the residuals of (1); the solver ignores the rows that it left out. */
static double refinement_correct(HolRefinement *r, HolSchur *schur, const HolTerms *terms, const double *f,
                                 const double *c, const double *x, const double *lambda)
{
    const HolPattern *p = r->pattern;
    hol_mass_times(p, terms->M, x, r->f);
    for (int i = 0; i < p->nv; ++i)
        r->f[i] = (f ? f[i] : 0) - r->f[i];
    hol_jacobian_add_transposed(p, terms->D, lambda, r->f);
    hol_jacobian_times(p, terms->D, x, r->c);
    for (int i = 0; i < p->m; ++i)
        r->c[i] = c[i] - r->c[i];
    hol_schur_solve(schur, r->f, r->c, r->x, r->lambda);
    return hol_motion_norm(p, r->x);
}

void hol_refinement_apply(HolRefinement *r, HolSchur *schur, const HolTerms *terms, const double *f, const double *c,
                          double *x, double *lambda)
{
    double before = HUGE_VAL;
    for (int k = 0; k < MOST_CORRECTIONS; ++k) {
        double change = refinement_correct(r, schur, terms, f, c, x, lambda);
        if (!(change < HOL_PART_STALLED * before))
            return;
        hol_add_scaled(r->pattern->nv, 1, r->x, x);
        hol_add_scaled(r->pattern->m, 1, r->lambda, lambda);
        if (change <= ROUNDING * hol_motion_norm(r->pattern, x))
            return;
        before = change;
    }
}

/* Forces that would give each coordinate alone the acceleration x, numbers of size 1 without a pattern. */
static void refinement_load(const HolPattern *p, const double *M, double *x, double *f)
{
    uint64_t seed = 1;
    for (int b = 0; b < p->block_count; ++b)
        for (int i = p->block_start[b], n = hol_part_size(p->block_start, b); i < p->block_start[b + 1]; ++i) {
            x[i] = hol_scattered(&seed);
            f[i] = x[i] * M[p->mass_start[b] + (i - p->block_start[b]) * (n + 1)];
        }
}

/* The size of the reactions D^T lambda; f is overwritten. */
static double reaction_size(const HolPattern *p, const HolTerms *terms, const double *lambda, double *f)
{
    memset(f, 0, (size_t)p->nv * sizeof *f);
    hol_jacobian_add_transposed(p, terms->D, lambda, f);
    return hol_force_norm(p, f);
}

/* The first correction relative to accelerations and reactions; f, x, c = 0 and lambda are memory. */
static double refinement_measure_loss(HolRefinement *r, HolSchur *schur, const HolTerms *terms, double *f, double *x,
                                      const double *c, double *lambda)
{
    const HolPattern *p = r->pattern;
    refinement_load(p, terms->M, x, f);
    double size = hol_motion_norm(p, x);
    hol_schur_solve(schur, f, c, x, lambda);
    double change = refinement_correct(r, schur, terms, f, c, x, lambda);
    double reaction = reaction_size(p, terms, lambda, f), lost = reaction_size(p, terms, r->lambda, f);
    return fmax(change / (size + hol_motion_norm(p, x)), reaction > 0 ? lost / reaction : 0);
}

static HolStatus refinement_allocate(HolArena *arena, const HolPattern *p, HolRefinement **refinement)
{
    HolRefinement *r = hol_arena_alloc(arena, sizeof *r);
    HOL_TRY(hol_arena_status(arena));
    *refinement = r;
    r->pattern = p;
    HOL_DOUBLES(arena, p->nv, &r->f, &r->x);
    HOL_DOUBLES(arena, p->m, &r->c, &r->lambda);
    return hol_arena_status(arena);
}

static HolStatus refinement_try(HolArena *scratch, HolSchur *schur, const HolTerms *terms, const HolPattern *p,
                                double *loss)
{
    HolRefinement *r;
    double *f, *x, *c, *lambda;
    HOL_TRY(refinement_allocate(scratch, p, &r));
    HOL_DOUBLES(scratch, p->nv, &f, &x);
    HOL_DOUBLES(scratch, p->m, &c, &lambda);
    HOL_TRY(hol_arena_status(scratch));
    *loss = refinement_measure_loss(r, schur, terms, f, x, c, lambda);
    return HOL_OK;
}

HolStatus hol_refinement_create(const HolSetup *setup, HolSchur *schur, HolRefinement **refinement)
{
    double loss = 0;
    const HolPattern *p = hol_system_pattern(setup->system);
    HolArena *scratch = hol_arena_create_within(p->memory);
    HolStatus status = scratch ? refinement_try(scratch, schur, setup->work->terms, p, &loss) : HOL_NO_MEMORY;
    hol_arena_destroy(scratch);
    *refinement = NULL;
    return status == HOL_OK && !(loss <= ACCURATE) ? refinement_allocate(setup->arena, p, refinement) : status;
}
