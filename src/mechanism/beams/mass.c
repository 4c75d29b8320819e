/* SPDX-License-Identifier: BSD-3-Clause */
/* Masses of beams, (4) of beam.h: constant, and the same for all three directions of space. */
#include "base/message.h"
#include "mechanism/beams/evaluate.h"

#include <string.h>

/* Where r, a_2 and a_3 begin in a node; nothing moves with a_1 alone. */
static const int places[HOL_MASS_VECTORS] = {0, 6, 9};

static void clear_blocks(const HolBeamElement *e, double *M)
{
    for (int i = 0; i < e->node_count; ++i)
        for (int j = 0; j <= i; ++j)
            memset(M + e->mass[i][j], 0, HOL_NODE_NUMBERS * HOL_NODE_NUMBERS * sizeof *M);
}

static void mass_add_block(double inertia[HOL_MASS_VECTORS][HOL_MASS_VECTORS], double *M)
{
    for (int p = 0; p < HOL_MASS_VECTORS; ++p)
        for (int k = 0; k < HOL_MASS_VECTORS; ++k)
            for (int x = 0; x < 3; ++x)
                M[HOL_NODE_NUMBERS * (places[p] + x) + places[k] + x] += inertia[p][k];
}

static void set_mass(const HolMechanism *mechanism, HolTerms *terms)
{
    for (int k = 0; k < mechanism->beam_element_count; ++k)
        clear_blocks(&mechanism->beam_elements[k], terms->M);
    for (int k = 0; k < mechanism->beam_element_count; ++k) {
        HolBeamElement *e = &mechanism->beam_elements[k];
        for (int i = 0; i < e->node_count; ++i)
            for (int j = 0; j <= i; ++j)
                mass_add_block(e->inertia[i][j], terms->M + e->mass[i][j]);
    }
}

static void mass_weigh(const HolMotion *motion)
{
    const HolMechanism *m = motion->mechanism;
    for (int k = 0; k < m->beam_element_count; ++k) {
        const HolBeamElement *e = &m->beam_elements[k];
        double *Q = motion->terms->Q + hol_beam_at(m, e);
        for (int i = 0; i < e->node_count; ++i, Q += HOL_NODE_NUMBERS)
            for (int p = 0; p < HOL_MASS_VECTORS; ++p)
                for (int x = 0; x < 3; ++x)
                    Q[places[p] + x] += e->moments[i][p] * m->gravity[x];
    }
}

static double kinetic(const HolBeamElement *e, const double *v)
{
    double sum = 0;
    for (int i = 0; i < e->node_count; ++i)
        for (int j = 0; j < e->node_count; ++j)
            for (int p = 0; p < HOL_MASS_VECTORS; ++p)
                for (int k = 0; k < HOL_MASS_VECTORS; ++k)
                    sum += e->inertia[i][j][p][k] *
                           hol_dot3(v + HOL_NODE_NUMBERS * i + places[p], v + HOL_NODE_NUMBERS * j + places[k]);
    return 0.5 * sum;
}

static void mass_add_energy(const HolMechanism *mechanism, const HolPoint *at, HolTerms *terms)
{
    for (int k = 0; k < mechanism->beam_element_count; ++k) {
        const HolBeamElement *e = &mechanism->beam_elements[k];
        const double *q = at->q + hol_beam_at(mechanism, e);
        terms->kinetic += kinetic(e, at->v + hol_beam_at(mechanism, e));
        for (int i = 0; i < e->node_count; ++i, q += HOL_NODE_NUMBERS)
            for (int p = 0; p < HOL_MASS_VECTORS; ++p)
                terms->potential -= e->moments[i][p] * hol_dot3(mechanism->gravity, q + places[p]);
    }
    terms->potential += hol_beams_potential(mechanism, at->q);
}

HolStatus hol_beams_evaluate(const HolMotion *motion, const HolPoint *at, unsigned want)
{
    if (want & HOL_WANT_MASS)
        set_mass(motion->mechanism, motion->terms);
    if (want & HOL_WANT_FORCE) {
        mass_weigh(motion);
        hol_beams_push(motion, at->q);
    }
    if (want & HOL_WANT_GAMMA) /* of motions; a search for rest may pass through folds */
        HOL_TRY(hol_beams_refuse_folds(motion, at->q));
    if (want & HOL_WANT_ENERGY)
        mass_add_energy(motion->mechanism, at, motion->terms);
    return HOL_OK;
}
