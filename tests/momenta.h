/* SPDX-License-Identifier: BSD-3-Clause */
/* Momentum and angular momentum of spatial bodies and nodes of beams in natural coordinates, from the terms. */
#ifndef TESTS_MOMENTA_H
#define TESTS_MOMENTA_H

#include <holon/simulation.h>

#include "check.h"

#include <stdlib.h>
#include <string.h>

/* Sums over the nodes of M v and r x M v + a x M adot. */
static inline void find_momenta(const HolSystem *system, const HolState *state, double P[3], double L[3])
{
    const HolPattern *p = hol_system_pattern(system);
    HolTerms *terms;
    memset(P, 0, 3 * sizeof *P);
    memset(L, 0, 3 * sizeof *L);
    double *Mv = calloc((size_t)p->nv, sizeof *Mv);
    CHECK_OK(hol_terms_create(system, &terms));
    CHECK_OK(hol_system_evaluate(system, &(HolPoint){state->t, state->q, state->v}, HOL_WANT_MASS, terms));
    for (int k = 0; k < p->mass_pair_count; ++k)
        for (int i = 0; i < 144; ++i) {
            int row = p->block_start[p->mass_pairs[k].row] + i / 12,
                column = p->block_start[p->mass_pairs[k].column] + i % 12;
            Mv[row] += terms->M[p->mass_start[k] + i] * state->v[column];
            if (p->mass_pairs[k].row != p->mass_pairs[k].column)
                Mv[column] += terms->M[p->mass_start[k] + i] * state->v[row];
        }
    for (int k = 0; k < p->nv; k += 3)
        for (int i = 0; i < 3; ++i) {
            int j = (i + 1) % 3, l = (i + 2) % 3;
            P[i] += k % 12 == 0 ? Mv[k + i] : 0;
            L[i] += state->q[k + j] * Mv[k + l] - state->q[k + l] * Mv[k + j];
        }
    hol_terms_destroy(terms);
    free(Mv);
}

#endif
