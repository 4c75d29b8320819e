/* SPDX-License-Identifier: BSD-3-Clause */
#include "solve/reduced_equations.h"

#include "base/message.h"
#include "linalg/block/blocks.h"
#include "linalg/block/spd_block.h"

HolStatus hol_reduced_create(const HolSetup *setup, HolReducedEquations **reduced)
{
    const HolPattern *p = hol_system_pattern(setup->system);
    size_t nv = (size_t)p->nv;
    HolReducedEquations *s = hol_arena_alloc(setup->arena, sizeof *s);
    HOL_TRY(hol_arena_status(setup->arena));
    s->pattern = p;
    HOL_DOUBLES(setup->arena, nv * nv, &s->Z, &s->reduced, &s->root);
    s->column = hol_arena_doubles(setup->arena, 2 * nv);
    HOL_DOUBLES(setup->arena, nv, &s->z, &s->w, &s->force);
    HOL_TRY(hol_arena_status(setup->arena));
    *reduced = s;
    return HOL_OK;
}

/* z = Z^T f */
static void reduced_project(HolReducedEquations *s, const double *f)
{
    int n = s->dof;
    for (int j = 0; j < n; ++j)
        s->z[j] = 0;
    for (int i = 0; i < s->pattern->nv; ++i)
        for (int j = 0; j < n; ++j)
            s->z[j] += s->Z[i * n + j] * f[i];
}

/* Z^T M Z, column by column */
HolStatus hol_reduced_factor(HolReducedEquations *s, const HolTerms *terms, int dof)
{
    int nv = s->pattern->nv;
    double *direction = s->column, *momentum = s->column + nv;
    s->dof = dof;
    for (int j = 0; j < dof; ++j) {
        for (int i = 0; i < nv; ++i)
            direction[i] = s->Z[i * dof + j];
        hol_mass_times(s->pattern, terms->M, direction, momentum);
        reduced_project(s, momentum);
        for (int i = 0; i < dof; ++i)
            s->reduced[i * dof + j] = s->z[i];
    }
    return hol_spd_inverse_root(dof, s->reduced, s->root);
}

/* z <- T T^T z, where T T^T = (Z^T M Z)^-1 */
static void solve_reduced(HolReducedEquations *s)
{
    int n = s->dof;
    const double *T = s->root;
    for (int j = 0; j < n; ++j) {
        s->w[j] = 0;
        for (int i = 0; i <= j; ++i)
            s->w[j] += T[i * n + j] * s->z[i];
    }
    for (int i = 0; i < n; ++i) {
        s->z[i] = 0;
        for (int j = i; j < n; ++j)
            s->z[i] += T[i * n + j] * s->w[j];
    }
}

/* force = sign (M x - Q) */
static void inertia_minus_force(HolReducedEquations *s, const HolTerms *terms, const double *Q, const double *x,
                                double sign)
{
    hol_mass_times(s->pattern, terms->M, x, s->force);
    for (int i = 0; i < s->pattern->nv; ++i)
        s->force[i] = sign * (s->force[i] - (Q ? Q[i] : 0));
}

void hol_reduced_solve(HolReducedEquations *s, const HolTerms *terms, const double *Q, double *vdot)
{
    inertia_minus_force(s, terms, Q, vdot, -1);
    reduced_project(s, s->force);
    solve_reduced(s);
    for (int i = 0; i < s->pattern->nv; ++i)
        for (int j = 0; j < s->dof; ++j)
            vdot[i] += s->Z[i * s->dof + j] * s->z[j];
}

void hol_reduced_force(HolReducedEquations *reduced, const HolTerms *terms, const double *Q, const double *vdot)
{
    inertia_minus_force(reduced, terms, Q, vdot, 1);
}
