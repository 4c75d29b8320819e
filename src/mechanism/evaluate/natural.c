/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies and coinciding points in natural coordinates, (6) of frame.h.
 *
 *     M = diag(m I, P x I),   P_ij = int s_i s_j dm = tr(J)/2 - J       constant; no gyroscopic moments     (1)
 *     Phi = (a_i . a_i - 1)/2 and a_i . a_j, i < j                      the body stays rigid                (2)
 *     D   = +-(I, s_1 I, s_2 I, s_3 I),   gamma = 0                     two points coincide                 (3)
 *
 * In the plane q = (x, y, c, s): frames, masses and tangents of both are here, the rest of the plane in mixed.c. */
#include "math/kernels.h"
#include "mechanism/evaluate/evaluate.h"

#include <stddef.h>

/* The rows of (2): a_i with a_j. */
static const int pairs[HOL_RIGID_ROWS][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

static int start_of(const HolTerms *terms, int body)
{
    return terms->pattern->block_start[body];
}

static void rest(HolFrame *ground)
{
    *ground = (HolFrame){.R = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
}

/* The planar body as a spatial one that rotates about z. */
HOL_KERNEL void set_planar(const double *q, const double *v, HolFrame *f)
{
    double *numbers = (double *)f;
    for (size_t i = 0; i < sizeof *f / sizeof *numbers; i += 4)
        hol_put_four((HolFour){0}, numbers + i);
    f->r[0] = q[0];
    f->r[1] = q[1];
    f->R[0][0] = f->R[1][1] = q[2];
    f->R[1][0] = q[3];
    f->R[0][1] = -q[3];
    f->R[2][2] = 1;
    f->is_natural = true;
    if (!v)
        return;
    f->v[0] = v[0];
    f->v[1] = v[1];
    f->Rdot[0][0] = f->Rdot[1][1] = v[2];
    f->Rdot[1][0] = v[3];
    f->Rdot[0][1] = -v[3];
    f->w[2] = q[2] * v[3] - q[3] * v[2];
}

_Static_assert(sizeof(HolFrame) % (4 * sizeof(double)) == 0, "the zeros of set_planar() fill it");

static inline void natural_set_spatial(const double *q, const double *v, HolFrame *f)
{
    const double *a = q + 3, *adot = v ? v + 3 : NULL;
    f->is_natural = true;
    f->is_mean = false;
    for (int i = 0; i < 3; ++i) {
        f->r[i] = q[i];
        for (int j = 0; j < 3; ++j)
            f->R[i][j] = a[3 * j + i];
    }
    for (int i = 0; i < 3 && v; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        f->v[i] = v[i];
        f->w[i] = 0.5 * (hol_dot3(a + 3 * k, adot + 3 * j) - hol_dot3(a + 3 * j, adot + 3 * k));
        for (j = 0; j < 3; ++j)
            f->Rdot[i][j] = adot[3 * j + i];
    }
}

HOL_CLONES void hol_natural_frames(const HolMechanism *mechanism, const double *q, const double *v, HolFrame *frames)
{
    rest(frames++);
    for (int b = 0; b < mechanism->body_count; ++b) {
        int n = mechanism->bodies[b].layout->nv;
        if (mechanism->bodies[b].form != HOL_RIGID)
            hol_particle_frame(mechanism, &mechanism->bodies[b], q, v, &frames[b]);
        else if (mechanism->planar)
            set_planar(q, v, &frames[b]);
        else
            natural_set_spatial(q, v, &frames[b]);
        q += n;
        v = v ? v + n : NULL;
    }
}

/* P of a body. */
static void second_moments(const HolBody *body, double P[3][3])
{
    double half = (body->J[0][0] + body->J[1][1] + body->J[2][2]) / 2;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            P[i][j] = (i == j ? half : 0) - body->J[i][j];
}

void hol_natural_mass(const HolMechanism *mechanism, int b, double *M)
{
    const HolBody *body = &mechanism->bodies[b];
    int n = body->layout->nv;
    double P[3][3];
    if (mechanism->planar) {
        M[0] = M[5] = body->mass;
        M[10] = M[15] = body->J[2][2];
        return;
    }
    second_moments(body, P);
    for (int i = 0; i < 3; ++i)
        M[(n + 1) * i] = body->mass;
    for (int k = 0; k < 27; ++k) {
        int i = k / 9, j = k / 3 % 3, x = k % 3;
        M[n * (3 + 3 * i + x) + 3 + 3 * j + x] = P[i][j];
    }
}

static double spatial_kinetic(const HolBody *body, const double *v)
{
    double P[3][3], sum = body->mass * hol_dot3(v, v);
    second_moments(body, P);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            sum += P[i][j] * hol_dot3(v + 3 + 3 * i, v + 3 + 3 * j);
    return 0.5 * sum;
}

double hol_natural_kinetic(const HolMechanism *mechanism, const HolBody *body, const double *v)
{
    if (!mechanism->planar)
        return spatial_kinetic(body, v);
    return 0.5 * (body->mass * (v[0] * v[0] + v[1] * v[1]) + body->J[2][2] * (v[2] * v[2] + v[3] * v[3]));
}

static void set_spatial_energies(const HolMechanism *mechanism, const HolPoint *at, HolTerms *terms)
{
    terms->kinetic = terms->potential = 0;
    for (int b = 0; b < mechanism->body_count; ++b) {
        const HolBody *body = &mechanism->bodies[b];
        terms->kinetic += spatial_kinetic(body, at->v + start_of(terms, b));
        terms->potential -= body->mass * hol_dot3(mechanism->gravity, at->q + start_of(terms, b));
    }
}

/* If only gravity acts, Q is constant. It is zero at first: the last body shows whether it has been written. */
static bool natural_weights_stand(const HolMechanism *mechanism, const double *Q)
{
    const double *last = Q + (ptrdiff_t)HOL_WIDE * (mechanism->body_count - 1);
    int others = mechanism->force_count + mechanism->rod_count + mechanism->beam_element_count;
    return others == 0 && (last[0] != 0 || last[1] != 0 || last[2] != 0);
}

static void natural_weigh(const HolMechanism *mechanism, double *Q)
{
    const HolBody *body = mechanism->bodies, *end = body + mechanism->body_count;
    if (body == end || natural_weights_stand(mechanism, Q))
        return;
    for (; body < end; ++body, Q += HOL_WIDE)
        for (int i = 0; i < HOL_WIDE; ++i)
            Q[i] = i < 3 ? body->mass * mechanism->gravity[i] : 0;
}

void hol_natural_bodies(const HolMechanism *mechanism, const HolPoint *at, unsigned want, HolTerms *terms)
{
    for (int b = 0; b < mechanism->body_count && (want & HOL_WANT_MASS); ++b)
        hol_natural_mass(mechanism, b, terms->M + terms->pattern->mass_start[b]);
    if (want & HOL_WANT_FORCE)
        natural_weigh(mechanism, terms->Q);
    if (want & HOL_WANT_ENERGY)
        set_spatial_energies(mechanism, at, terms);
}

void hol_natural_keep_rigid(const HolBody *body, const double *a, const double *adot, unsigned want, HolTerms *terms)
{
    for (int k = 0; k < HOL_RIGID_ROWS; ++k) {
        int i = pairs[k][0], j = pairs[k][1];
        double *D = terms->D + body->rigid_D + HOL_WIDE * k + 3;
        double c = i == j ? 0.5 : 1;
        if (want & HOL_WANT_PHI)
            terms->Phi[body->rigid_row + k] = c * (hol_dot3(a + 3 * i, a + 3 * j) - (i == j));
        for (int x = 0; x < 3 && (want & HOL_WANT_JACOBIAN); ++x) {
            D[3 * i + x] = a[3 * j + x];
            D[3 * j + x] = a[3 * i + x];
        }
        if (want & HOL_WANT_GAMMA)
            terms->gamma[body->rigid_row + k] = -2 * c * hol_dot3(adot + 3 * i, adot + 3 * j);
    }
}

void hol_natural_rigidity(const HolMechanism *mechanism, const HolPoint *at, unsigned want, HolTerms *terms)
{
    for (int b = 0; b < mechanism->body_count; ++b)
        hol_natural_keep_rigid(&mechanism->bodies[b], at->q + start_of(terms, b) + 3, at->v + start_of(terms, b) + 3,
                               want, terms);
}

/* The geometric stiffness of (2) is constant. */
void hol_natural_add_rigid_tangent(const HolMotion *motion, const double *lambda)
{
    const HolMechanism *mechanism = motion->mechanism;
    for (int b = 0; b < mechanism->body_count; ++b) {
        const HolBody *body = &mechanism->bodies[b];
        double *K = motion->terms->K + body->rigid_tangent;
        if (body->form != HOL_RIGID) {
            hol_particle_add_rigid_tangent(mechanism, body, lambda, K);
            continue;
        }
        if (mechanism->planar) {
            K[10] -= lambda[body->rigid_row];
            K[15] -= lambda[body->rigid_row];
        }
        for (int k = 0; k < HOL_RIGID_ROWS && !mechanism->planar; ++k)
            for (int x = 0; x < 3; ++x) {
                int i = 3 + 3 * pairs[k][0] + x, j = 3 + 3 * pairs[k][1] + x;
                K[HOL_WIDE * i + j] -= lambda[body->rigid_row + k];
                K[HOL_WIDE * j + i] -= i == j ? 0 : lambda[body->rigid_row + k];
            }
    }
}

static inline void spatial_jacobian(const double *s, double unit, double *D)
{
    for (int i = 0; i < 3; ++i, D += HOL_WIDE) {
        D[i] = unit;
        for (int j = 0; j < 3; ++j)
            D[3 + 3 * j + i] = unit * s[j];
    }
}

/* D of (3) is constant and all zeros at first: its last block shows whether it has been written. */
bool hol_natural_jacobians_stand(const HolMechanism *mechanism, const HolTerms *terms)
{
    const HolCoincidence *last = &mechanism->coincidences[mechanism->coincidence_count - 1];
    int side = last->D[1] >= 0;
    return last->D[side] >= 0 && terms->D[last->D[side]] != 0;
}

static void natural_write_jacobians(const HolMechanism *mechanism, HolTerms *terms)
{
    for (int k = 0; k < 2 * mechanism->coincidence_count; ++k) {
        const HolCoincidence *c = &mechanism->coincidences[k / 2];
        int side = k % 2;
        if (c->D[side] >= 0)
            spatial_jacobian(c->s[side], side ? 1 : -1, terms->D + c->D[side]);
    }
}

/* x of a point of a body; of the ground (q NULL) it is s. */
static inline void spatial_point(const double *q, const double *s, double *x)
{
    for (int i = 0; i < 3; ++i)
        x[i] = q ? q[i] + q[3 + i] * s[0] + q[6 + i] * s[1] + q[9 + i] * s[2] : s[i];
}

static inline const double *natural_place_of(int body, int n, const double *q)
{
    return body ? q + n * (body - 1) : NULL;
}

HOL_CLONES static void spatial_gaps(const HolMechanism *mechanism, const double *q, double *Phi)
{
    const HolCoincidence *c = mechanism->coincidences, *end = c + mechanism->coincidence_count;
    double x[2][3];
    for (; c < end; ++c) {
        spatial_point(natural_place_of(c->body[0], HOL_WIDE, q), c->s[0], x[0]);
        spatial_point(natural_place_of(c->body[1], HOL_WIDE, q), c->s[1], x[1]);
        for (int i = 0; i < 3; ++i)
            Phi[c->row + i] = x[1][i] - x[0][i];
    }
}

/* gamma is zero, as it was allocated. */
void hol_natural_coincidences(const HolMechanism *mechanism, const HolPoint *at, unsigned want, HolTerms *terms)
{
    if (mechanism->coincidence_count == 0)
        return;
    if ((want & HOL_WANT_JACOBIAN) && !hol_natural_jacobians_stand(mechanism, terms))
        natural_write_jacobians(mechanism, terms);
    if (want & HOL_WANT_PHI)
        spatial_gaps(mechanism, at->q, terms->Phi);
}
