/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies and coinciding points in natural coordinates, (6) of frame.h.
 *
 *     M = diag(m I, P x I),   P_ij = int s_i s_j dm = tr(J)/2 - J       constant; nothing is gyroscopic     (1)
 *     Phi = (a_i . a_i - 1)/2 and a_i . a_j, i < j                      the body stays rigid                (2)
 *     D   = +-(I, s_1 I, s_2 I, s_3 I),   gamma = 0                     two points coincide                 (3)
 *
 * In the plane q = (x, y, c, s), M = diag(m, m, J, J), and (2) is (c^2 + s^2 - 1)/2. */
#include "math/kernels.h"
#include "mechanism/evaluate.h"

#include <stddef.h>

/* The rows of (2): a_i with a_j. */
static const int pairs[HOL_RIGID_ROWS][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

static int start_of(const HolTerms *terms, int body)
{
    return terms->pattern->block_start[body];
}

/* ---- Frames ---- */

static void rest(HolFrame *ground)
{
    *ground = (HolFrame){.R = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
}

static inline void set_planar(const double *q, const double *v, HolFrame *f)
{
    f->r[0] = q[0];
    f->r[1] = q[1];
    f->R[0][0] = f->R[1][1] = q[2];
    f->R[1][0] = q[3];
    f->R[0][1] = -q[3];
    f->R[2][2] = 1;
    f->r[2] = f->R[0][2] = f->R[1][2] = f->R[2][0] = f->R[2][1] = 0;
    f->is_natural = true;
    if (!v)
        return;
    f->v[0] = v[0];
    f->v[1] = v[1];
    f->Rdot[0][0] = f->Rdot[1][1] = v[2];
    f->Rdot[1][0] = v[3];
    f->Rdot[0][1] = -v[3];
    f->w[2] = q[2] * v[3] - q[3] * v[2];
    f->v[2] = f->w[0] = f->w[1] = f->Rdot[0][2] = f->Rdot[1][2] = f->Rdot[2][0] = f->Rdot[2][1] = f->Rdot[2][2] = 0;
}

static inline void set_spatial(const double *q, const double *v, HolFrame *f)
{
    const double *a = q + 3, *adot = v ? v + 3 : NULL;
    f->is_natural = true;
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

void hol_natural_frames(const HolMechanism *mechanism, const double *q, const double *v, HolFrame *frames)
{
    rest(frames++);
    for (int b = 0; b < mechanism->body_count; ++b) {
        int n = mechanism->bodies[b].layout->nv;
        if (mechanism->bodies[b].form != HOL_RIGID)
            hol_element_frame(mechanism, &mechanism->bodies[b], q, v, &frames[b]);
        else if (mechanism->planar)
            set_planar(q, v, &frames[b]);
        else
            set_spatial(q, v, &frames[b]);
        q += n;
        v = v ? v + n : NULL;
    }
}

/* ---- (1) ---- */

/* P of a body. */
static void second_moments(const HolBody *body, double P[3][3])
{
    double half = (body->J[0][0] + body->J[1][1] + body->J[2][2]) / 2;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            P[i][j] = (i == j ? half : 0) - body->J[i][j];
}

static void set_mass(const HolMechanism *mechanism, int b, double *M)
{
    const HolBody *body = &mechanism->bodies[b];
    int n = body->layout->nv;
    double P[3][3];
    if (body->form != HOL_RIGID) {
        hol_element_mass(mechanism, body, M);
        return;
    }
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

static double kinetic(const HolMechanism *mechanism, const HolBody *body, const double *v)
{
    double P[3][3], sum = body->mass * (v[0] * v[0] + v[1] * v[1]);
    if (mechanism->planar)
        return 0.5 * (sum + body->J[2][2] * (v[2] * v[2] + v[3] * v[3]));
    second_moments(body, P);
    sum += body->mass * v[2] * v[2];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            sum += P[i][j] * hol_dot3(v + 3 + 3 * i, v + 3 + 3 * j);
    return 0.5 * sum;
}

static void set_energies(const HolMechanism *mechanism, const HolPoint *at, HolTerms *terms)
{
    int dimension = mechanism->planar ? 2 : 3;
    terms->kinetic = terms->potential = 0;
    for (int b = 0; b < mechanism->body_count; ++b) {
        const HolBody *body = &mechanism->bodies[b];
        if (body->form != HOL_RIGID) {
            hol_element_energy(mechanism, body, at->q + start_of(terms, b), at->v + start_of(terms, b), terms);
            continue;
        }
        terms->kinetic += kinetic(mechanism, body, at->v + start_of(terms, b));
        for (int i = 0; i < dimension; ++i)
            terms->potential -= body->mass * mechanism->gravity[i] * at->q[start_of(terms, b) + i];
    }
}

void hol_natural_bodies(const HolMechanism *mechanism, const HolPoint *at, unsigned want, HolTerms *terms)
{
    int dimension = mechanism->planar ? 2 : 3;
    for (int b = 0; b < mechanism->body_count && (want & HOL_WANT_MASS); ++b)
        set_mass(mechanism, b, terms->M + terms->pattern->mass_start[b]);
    for (int b = 0; b < mechanism->body_count && (want & HOL_WANT_FORCE); ++b) {
        double *Q = terms->Q + start_of(terms, b);
        if (mechanism->bodies[b].form != HOL_RIGID) {
            hol_element_force(mechanism, &mechanism->bodies[b], Q);
            continue;
        }
        for (int i = 0; i < mechanism->bodies[b].layout->nv; ++i)
            Q[i] = i < dimension ? mechanism->bodies[b].mass * mechanism->gravity[i] : 0;
    }
    if (want & HOL_WANT_ENERGY)
        set_energies(mechanism, at, terms);
}

/* ---- (2) ---- */

static void keep_rigid(const HolBody *body, const double *a, const double *adot, unsigned want, HolTerms *terms)
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

static inline void keep_rigid_planar(const HolBody *body, const double *q, const double *v, unsigned want,
                                     HolTerms *terms)
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

void hol_natural_rigidity(const HolMechanism *mechanism, const HolPoint *at, unsigned want, HolTerms *terms)
{
    for (int b = 0; b < mechanism->body_count; ++b) {
        const HolBody *body = &mechanism->bodies[b];
        const double *q = at->q + start_of(terms, b), *v = at->v + start_of(terms, b);
        if (body->form != HOL_RIGID)
            hol_element_rigidity(mechanism, body, q, v, want, terms);
        else if (mechanism->planar)
            keep_rigid_planar(body, q, v, want, terms);
        else
            keep_rigid(body, q + 3, v + 3, want, terms);
    }
}

/* Their stiffness is constant. */
void hol_natural_add_rigid_tangent(const HolMotion *motion, const double *lambda)
{
    const HolMechanism *mechanism = motion->mechanism;
    for (int b = 0; b < mechanism->body_count; ++b) {
        const HolBody *body = &mechanism->bodies[b];
        double *K = motion->terms->K + body->rigid_tangent;
        if (body->form != HOL_RIGID) {
            hol_element_add_rigid_tangent(mechanism, body, lambda, K);
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

/* ---- (3) ---- */

/* x of a point of a body, NULL for the ground. */
static inline void planar_point(const double *q, const double *s, double *x)
{
    x[0] = q ? q[0] + q[2] * s[0] - q[3] * s[1] : s[0];
    x[1] = q ? q[1] + q[3] * s[0] + q[2] * s[1] : s[1];
}

static inline void spatial_point(const double *q, const double *s, double *x)
{
    for (int i = 0; i < 3; ++i)
        x[i] = q ? q[i] + q[3 + i] * s[0] + q[6 + i] * s[1] + q[9 + i] * s[2] : s[i];
}

static inline void planar_jacobian(const double *s, double unit, double *D)
{
    D[0] = D[5] = unit;
    D[2] = D[7] = unit * s[0];
    D[3] = -unit * s[1];
    D[6] = unit * s[1];
}

static inline void spatial_jacobian(const double *s, double unit, double *D)
{
    for (int i = 0; i < 3; ++i, D += HOL_WIDE) {
        D[i] = unit;
        for (int j = 0; j < 3; ++j)
            D[3 + 3 * j + i] = unit * s[j];
    }
}

static void coincide(const HolMechanism *mechanism, const HolCoincidence *c, const double *q, unsigned want,
                     HolTerms *terms)
{
    double x[2][3];
    for (int side = 0; side < 2; ++side) {
        const double *at = c->body[side] ? q + start_of(terms, c->body[side] - 1) : NULL;
        double unit = side ? 1 : -1;
        if (mechanism->planar)
            planar_point(at, c->s[side], x[side]);
        else
            spatial_point(at, c->s[side], x[side]);
        if (!at || !(want & HOL_WANT_JACOBIAN))
            continue;
        if (mechanism->planar)
            planar_jacobian(c->s[side], unit, terms->D + c->D[side]);
        else
            spatial_jacobian(c->s[side], unit, terms->D + c->D[side]);
    }
    for (int i = 0; i < (mechanism->planar ? 2 : 3); ++i) {
        if (want & HOL_WANT_PHI)
            terms->Phi[c->row + i] = x[1][i] - x[0][i];
        if (want & HOL_WANT_GAMMA)
            terms->gamma[c->row + i] = 0;
    }
}

static bool is_rigid(const HolMechanism *mechanism, int body)
{
    return body == 0 || mechanism->bodies[body - 1].form == HOL_RIGID;
}

void hol_natural_coincidences(const HolMechanism *mechanism, const HolPoint *at, const HolFrame *frames, unsigned want,
                              HolTerms *terms)
{
    for (int k = 0; k < mechanism->coincidence_count; ++k) {
        const HolCoincidence *c = &mechanism->coincidences[k];
        if (is_rigid(mechanism, c->body[0]) && is_rigid(mechanism, c->body[1]))
            coincide(mechanism, c, at->q, want, terms);
        else
            hol_element_coincide(mechanism, c, frames, want, terms);
    }
}
