/* SPDX-License-Identifier: BSD-3-Clause */
#include "formulations/admissible.h"

#include "base/message.h"
#include "linalg/blocks.h"
#include "linalg/spd_block.h"

HolStatus hol_admissible_create(const HolSetup *setup, HolAdmissible **admissible)
{
    const HolPattern *p = hol_system_pattern(setup->system);
    size_t nv = (size_t)p->nv;
    HolAdmissible *s = hol_arena_alloc(setup->arena, sizeof *s);
    if (!s)
        return HOL_NO_MEMORY;
    s->pattern = p;
    s->Z = hol_arena_doubles(setup->arena, nv * nv);
    s->reduced = hol_arena_doubles(setup->arena, nv * nv);
    s->column = hol_arena_doubles(setup->arena, 2 * nv);
    s->root = hol_arena_doubles(setup->arena, nv * nv);
    s->z = hol_arena_doubles(setup->arena, nv);
    s->w = hol_arena_doubles(setup->arena, nv);
    s->force = hol_arena_doubles(setup->arena, nv);
    if (hol_arena_failed(setup->arena))
        return HOL_NO_MEMORY;
    *admissible = s;
    return HOL_OK;
}

/* z = Z^T f */
static void reduce(HolAdmissible *s, const double *f)
{
    int n = s->freedoms;
    for (int j = 0; j < n; ++j)
        s->z[j] = 0;
    for (int i = 0; i < s->pattern->nv; ++i)
        for (int j = 0; j < n; ++j)
            s->z[j] += s->Z[i * n + j] * f[i];
}

/* Z^T M Z, column by column */
HolStatus hol_admissible_factor(HolAdmissible *admissible, const HolTerms *terms, int freedoms)
{
    HolAdmissible *s = admissible;
    int nv = s->pattern->nv;
    double *direction = s->column, *momentum = s->column + nv;
    s->freedoms = freedoms;
    for (int j = 0; j < freedoms; ++j) {
        for (int i = 0; i < nv; ++i)
            direction[i] = s->Z[i * freedoms + j];
        hol_mass_times(s->pattern, terms->M, direction, momentum);
        reduce(s, momentum);
        for (int i = 0; i < freedoms; ++i)
            s->reduced[i * freedoms + j] = s->z[i];
    }
    return hol_spd_inverse_root(freedoms, s->reduced, s->root);
}

/* z <- T T^T z, where T T^T = (Z^T M Z)^-1 */
static void solve_reduced(HolAdmissible *s)
{
    int n = s->freedoms;
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
static void inertia_minus_force(HolAdmissible *s, const HolTerms *terms, const double *Q, const double *x, double sign)
{
    hol_mass_times(s->pattern, terms->M, x, s->force);
    for (int i = 0; i < s->pattern->nv; ++i)
        s->force[i] = sign * (s->force[i] - (Q ? Q[i] : 0));
}

void hol_admissible_move(HolAdmissible *admissible, const HolTerms *terms, const double *Q, double *vdot)
{
    HolAdmissible *s = admissible;
    inertia_minus_force(s, terms, Q, vdot, -1);
    reduce(s, s->force);
    solve_reduced(s);
    for (int i = 0; i < s->pattern->nv; ++i)
        for (int j = 0; j < s->freedoms; ++j)
            vdot[i] += s->Z[i * s->freedoms + j] * s->z[j];
}

void hol_admissible_force(HolAdmissible *admissible, const HolTerms *terms, const double *Q, const double *vdot)
{
    inertia_minus_force(admissible, terms, Q, vdot, 1);
}
