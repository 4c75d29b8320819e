/* SPDX-License-Identifier: BSD-3-Clause */
#include "unresolved.h"

#include <math.h>
#include <string.h>

HolStatus hol_unresolved_create(HolPool *pool, const HolSystem *system, HolUnresolved *u)
{
    const HolPattern *pattern = hol_system_pattern(system);
    *u = (HolUnresolved){.system = system};
    u->q = hol_pool_doubles(pool, (size_t)pattern->nq);
    u->v = hol_pool_doubles(pool, (size_t)pattern->nv);
    u->slip = hol_pool_doubles(pool, (size_t)pattern->nv);
    return u->q && u->v && u->slip ? hol_terms_create(system, &u->terms) : HOL_NO_MEMORY;
}

void hol_unresolved_clear(HolUnresolved *u)
{
    hol_terms_destroy(u->terms);
    u->terms = NULL;
}

static void unresolved_store(HolUnresolved *u, const HolState *state)
{
    const HolPattern *pattern = hol_system_pattern(u->system);
    u->t = state->t;
    memcpy(u->q, state->q, (size_t)pattern->nq * sizeof *u->q);
    memcpy(u->v, state->v, (size_t)pattern->nv * sizeof *u->v);
}

void hol_unresolved_begin(HolUnresolved *u, const HolState *state)
{
    u->energy = 0;
    unresolved_store(u, state);
}

HolStatus hol_unresolved_add(HolUnresolved *u, const HolState *state)
{
    double h = state->t - u->t;
    if (!(h > 0))
        return HOL_OK;
    bool is_flat = hol_system_is_flat(u->system);
    for (int i = 0; i < hol_system_pattern(u->system)->nv; ++i) /* (1) */
        u->slip[i] = is_flat ? state->v[i] - (state->q[i] - u->q[i]) / h : (state->v[i] - u->v[i]) / 2;
    HolPoint at = {state->t, state->q, u->slip};
    HOL_TRY(hol_system_evaluate(u->system, &at, HOL_WANT_MASS | HOL_WANT_ENERGY, u->terms));
    u->energy += h * u->terms->kinetic;
    unresolved_store(u, state);
    return HOL_OK;
}

double hol_unresolved_fraction(double twice, double once, double kinetic)
{
    double left = fmax(0, (4 * once - twice) / 3);
    return left > 0 ? left / kinetic : 0;
}
