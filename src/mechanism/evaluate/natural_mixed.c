/* SPDX-License-Identifier: BSD-3-Clause */
/* Mechanisms in natural coordinates that are planar or have particles or directions: as natural.c, but body by body,
 * because their sizes differ. */
#include "mechanism/evaluate/evaluate.h"

static void set_weight(const HolMechanism *mechanism, const HolBody *body, double *Q)
{
    int dimension = mechanism->planar ? 2 : 3;
    if (body->form != HOL_RIGID) {
        hol_particle_force(mechanism, body, Q);
        return;
    }
    for (int i = 0; i < body->layout->nv; ++i)
        Q[i] = i < dimension ? body->mass * mechanism->gravity[i] : 0;
}

static void mixed_add_energy(const HolMechanism *mechanism, const HolBody *body, const double *q, const double *v,
                             HolTerms *terms)
{
    if (body->form != HOL_RIGID) {
        hol_particle_energy(mechanism, body, q, v, terms);
        return;
    }
    terms->kinetic += hol_natural_kinetic(mechanism, body, v);
    for (int i = 0; i < (mechanism->planar ? 2 : 3); ++i)
        terms->potential -= body->mass * mechanism->gravity[i] * q[i];
}

void hol_mixed_bodies(const HolMechanism *mechanism, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const HolPattern *p = terms->pattern;
    if (want & HOL_WANT_ENERGY)
        terms->kinetic = terms->potential = 0;
    for (int b = 0; b < mechanism->body_count; ++b) {
        const HolBody *body = &mechanism->bodies[b];
        int start = p->block_start[b];
        if ((want & HOL_WANT_MASS) && body->form != HOL_RIGID)
            hol_particle_mass(mechanism, body, terms->M + p->mass_start[b]);
        else if (want & HOL_WANT_MASS)
            hol_natural_mass(mechanism, b, terms->M + p->mass_start[b]);
        if (want & HOL_WANT_FORCE)
            set_weight(mechanism, body, terms->Q + start);
        if (want & HOL_WANT_ENERGY)
            mixed_add_energy(mechanism, body, at->q + start, at->v + start, terms);
    }
}

static void keep_planar(const HolBody *body, const double *q, const double *v, unsigned want, HolTerms *terms)
{
    if (want & HOL_WANT_PHI)
        terms->Phi[body->rigid_row] = 0.5 * (q[2] * q[2] + q[3] * q[3] - 1);
    if (want & HOL_WANT_JACOBIAN) {
        terms->D[body->rigid_D + 2] = q[2];
        terms->D[body->rigid_D + 3] = q[3];
    }
    if (want & HOL_WANT_GAMMA)
        terms->gamma[body->rigid_row] = -(v[2] * v[2] + v[3] * v[3]);
}

void hol_mixed_rigidity(const HolMechanism *mechanism, const HolPoint *at, unsigned want, HolTerms *terms)
{
    for (int b = 0; b < mechanism->body_count; ++b) {
        const HolBody *body = &mechanism->bodies[b];
        const double *q = at->q + terms->pattern->block_start[b], *v = at->v + terms->pattern->block_start[b];
        if (body->form != HOL_RIGID)
            hol_particle_rigidity(mechanism, body, q, v, want, terms);
        else if (mechanism->planar)
            keep_planar(body, q, v, want, terms);
        else
            hol_natural_keep_rigid(body, q + 3, v + 3, want, terms);
    }
}

void hol_mixed_coincidences(const HolMechanism *mechanism, const HolFrame *frames, unsigned want, HolTerms *terms)
{
    if (mechanism->coincidence_count > 0 && hol_natural_jacobians_stand(mechanism, terms))
        want &= ~(unsigned)HOL_WANT_JACOBIAN;
    for (int k = 0; k < mechanism->coincidence_count && (want & HOL_WANT_GEOMETRY); ++k)
        hol_particle_coincide(mechanism, &mechanism->coincidences[k], frames, want, terms);
}
