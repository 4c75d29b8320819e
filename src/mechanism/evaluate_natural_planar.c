/* SPDX-License-Identifier: BSD-3-Clause */
/* Rigid bodies of the plane in natural coordinates, and points of them that coincide: evaluate_natural.c with
 * q = (x, y, c, s), so that
 *
 *     M = diag(m, m, J, J)                Phi = (c^2 + s^2 - 1)/2      the body stays rigid                (1)
 *     D = +-(I, (s_1, -s_2; s_2, s_1))    gamma = 0                    two points coincide                 (2)
 *
 * The rows (1) follow each other in the order of the bodies, in Phi and in D. */
#include "math/kernels.h"
#include "mechanism/evaluate.h"

#include <stddef.h>

enum { N = 4 };

/* ---- Bodies ---- */

static void set_energies(const HolMechanism *mechanism, const HolPoint *at, HolTerms *terms)
{
    const HolBody *body = mechanism->bodies, *end = body + mechanism->body_count;
    const double *q = at->q, *v = at->v, *g = mechanism->gravity;
    double kinetic = 0, potential = 0;
    for (; body < end; ++body, q += N, v += N) {
        kinetic += body->mass * (v[0] * v[0] + v[1] * v[1]) + body->J[2][2] * (v[2] * v[2] + v[3] * v[3]);
        potential -= body->mass * (g[0] * q[0] + g[1] * q[1]);
    }
    terms->kinetic = 0.5 * kinetic;
    terms->potential = potential;
}

static void weigh(const HolMechanism *mechanism, double *Q)
{
    const HolBody *body = mechanism->bodies, *end = body + mechanism->body_count;
    for (; body < end; ++body, Q += N) {
        Q[0] = body->mass * mechanism->gravity[0];
        Q[1] = body->mass * mechanism->gravity[1];
        Q[2] = Q[3] = 0;
    }
}

/* Gravity alone is constant, and Q begins as zeros: the last body tells whether it has been written. */
static inline bool weights_stand(const HolMechanism *mechanism, const double *Q)
{
    const double *last = Q + (ptrdiff_t)N * (mechanism->body_count - 1);
    return mechanism->force_count + mechanism->rod_count == 0 && (last[0] != 0 || last[1] != 0);
}

void hol_natural_planar_bodies(const HolMechanism *mechanism, const HolPoint *at, unsigned want, HolTerms *terms)
{
    if (mechanism->body_count == 0)
        return;
    for (int b = 0; b < mechanism->body_count && (want & HOL_WANT_MASS); ++b)
        hol_natural_mass(mechanism, b, terms->M + terms->pattern->mass_start[b]);
    if ((want & HOL_WANT_FORCE) && !weights_stand(mechanism, terms->Q))
        weigh(mechanism, terms->Q);
    if (want & HOL_WANT_ENERGY)
        set_energies(mechanism, at, terms);
}

/* ---- (1) ---- */

HOL_KERNEL double square_of(const double *a)
{
    HolTwo two = hol_two_at(a);
    two *= two;
    return two[0] + two[1];
}

HOL_KERNEL void keep_rigid(int count, const HolPoint *at, unsigned want, int row, double *D, const HolTerms *terms)
{
    const double *a = at->q + 2, *adot = at->v + 2;
    double *gamma = terms->gamma + row, *Phi = terms->Phi + row;
    for (int b = 0; b < count && (want & HOL_WANT_JACOBIAN); ++b)
        hol_put_two(hol_two_at(a + N * b), D + N * b + 2);
    for (int b = 0; b < count && (want & HOL_WANT_GAMMA); ++b)
        gamma[b] = -square_of(adot + N * b);
    for (int b = 0; b < count && (want & HOL_WANT_PHI); ++b)
        Phi[b] = 0.5 * (square_of(a + N * b) - 1);
}

/* ---- (2) ---- */

static inline void point_jacobian(const double *s, double unit, double *D)
{
    D[0] = D[5] = unit;
    D[2] = D[7] = unit * s[0];
    D[3] = -unit * s[1];
    D[6] = unit * s[1];
}

static void write_jacobians(const HolMechanism *mechanism, HolTerms *terms)
{
    for (int k = 0; k < 2 * mechanism->coincidence_count; ++k) {
        const HolCoincidence *c = &mechanism->coincidences[k / 2];
        int side = k % 2;
        if (c->D[side] >= 0)
            point_jacobian(c->s[side], side ? 1 : -1, terms->D + c->D[side]);
    }
}

/* x of a point of a body, which is s where q is NULL: on the ground. */
HOL_KERNEL HolTwo place(const double *q, const double *s)
{
    HolTwo at = hol_two_at(s);
    if (!q)
        return at;
    HolTwo a = hol_two_at(q + 2), across = {-a[1], a[0]};
    return hol_two_at(q) + a * at[0] + across * at[1];
}

HOL_KERNEL void measure_gaps(const HolMechanism *mechanism, const double *q, double *Phi)
{
    const HolCoincidence *c = mechanism->coincidences, *end = c + mechanism->coincidence_count;
    for (; c < end; ++c) {
        HolTwo x0 = place(c->body[0] ? q + N * (c->body[0] - 1) : NULL, c->s[0]);
        HolTwo x1 = place(c->body[1] ? q + N * (c->body[1] - 1) : NULL, c->s[1]);
        hol_put_two(x1 - x0, Phi + c->row);
    }
}

/* D of (2) is constant and all zeros at first: its last block tells whether it has been written. gamma begins as the
 * zero that it is. */
HOL_CLONES void hol_natural_planar_geometry(const HolMechanism *mechanism, const HolPoint *at, unsigned want,
                                            HolTerms *terms)
{
    const HolBody *first = mechanism->bodies;
    if (mechanism->coincidence_count > 0) {
        const HolCoincidence *last = &mechanism->coincidences[mechanism->coincidence_count - 1];
        int side = last->D[1] >= 0;
        if ((want & HOL_WANT_JACOBIAN) && !(last->D[side] >= 0 && terms->D[last->D[side]] != 0))
            write_jacobians(mechanism, terms);
        if (want & HOL_WANT_PHI)
            measure_gaps(mechanism, at->q, terms->Phi);
    }
    if (mechanism->body_count > 0)
        keep_rigid(mechanism->body_count, at, want, first->rigid_row, terms->D + first->rigid_D, terms);
}
