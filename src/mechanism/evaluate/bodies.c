/* SPDX-License-Identifier: BSD-3-Clause */
/* Mass, forces and energies of the bodies alone.
 *
 *     M = diag(m I, J)        Q = (m g, -w x J w)        T = (m rdot^2 + w.J w)/2        V = -m g.r        (1)
 *     edot = e * (0, w)/2     e_new = e * exp(w/2), normalised                                             (2)
 *
 * In the plane J is one number and there are no gyroscopic moments. */
#include "base/tolerances.h"
#include "math/kernels.h"
#include "math/sincos.h"
#include "mechanism/evaluate/evaluate.h"

#include <stddef.h>

static inline void bodies_set_axes(const double *e, double R[3][3])
{
    double e00 = e[0] * e[0], e11 = e[1] * e[1], e22 = e[2] * e[2], e33 = e[3] * e[3];
    double e01 = e[0] * e[1], e02 = e[0] * e[2], e03 = e[0] * e[3];
    double e12 = e[1] * e[2], e13 = e[1] * e[3], e23 = e[2] * e[3];
    R[0][0] = e00 + e11 - e22 - e33;
    R[0][1] = 2 * (e12 - e03);
    R[0][2] = 2 * (e13 + e02);
    R[1][0] = 2 * (e12 + e03);
    R[1][1] = e00 - e11 + e22 - e33;
    R[1][2] = 2 * (e23 - e01);
    R[2][0] = 2 * (e13 - e02);
    R[2][1] = 2 * (e23 + e01);
    R[2][2] = e00 - e11 - e22 + e33;
}

HOL_KERNEL void set_frame(const double *q, const double *v, HolFrame *f)
{
    for (int i = 0; i < 3; ++i)
        f->r[i] = q[i];
    bodies_set_axes(q + 3, f->R);
    f->is_natural = f->is_mean = false;
    for (int i = 0; i < 3 && v; ++i) {
        f->v[i] = v[i];
        f->w[i] = v[3 + i];
    }
}

HOL_CLONES void hol_spatial_frames(const HolMechanism *mechanism, const double *q, const double *v, HolFrame *frames)
{
    static const double origin[7] = {0, 0, 0, 1, 0, 0, 0}, rest[6] = {0};
    set_frame(origin, rest, frames++);
    for (int b = 0; b < mechanism->body_count; ++b)
        set_frame(q + 7 * b, v ? v + 6 * b : NULL, &frames[b]);
}

/* Sines and cosines of up to four bodies. */
HOL_KERNEL void turn_poses(int count, const double *q, HolPose *poses)
{
    double phi[4] = {0}, sine[4], cosine[4];
    for (int i = 0; i < count; ++i)
        phi[i] = q[3 * i + 2];
    hol_sincos_four(phi, sine, cosine);
    for (int i = 0; i < count; ++i) {
        poses[i].x = q[3 * i];
        poses[i].y = q[3 * i + 1];
        poses[i].c = cosine[i];
        poses[i].s = sine[i];
    }
}

HOL_CLONES void hol_planar_poses(const HolMechanism *mechanism, const double *q, const double *v, HolPose *poses)
{
    int count = mechanism->body_count, fours = count & ~3;
    *poses++ = (HolPose){.c = 1};
    for (int b = 0; b < fours; b += 4)
        turn_poses(4, q + 3 * b, poses + b);
    turn_poses(count - fours, q + 3 * fours, poses + fours);
    for (int b = 0; b < count && v; ++b)
        poses[b].ww = v[3 * b + 2] * v[3 * b + 2];
}

/* Assigned one by one: clearing the struct would become a slow string instruction. */
static inline void set_planar_frame(const HolPose *p, const double *v, HolFrame *f)
{
    f->r[0] = p->x;
    f->r[1] = p->y;
    f->R[0][0] = f->R[1][1] = p->c;
    f->R[0][1] = -p->s;
    f->R[1][0] = p->s;
    f->R[2][2] = 1;
    f->is_natural = f->is_mean = false;
    f->r[2] = f->R[0][2] = f->R[1][2] = f->R[2][0] = f->R[2][1] = f->v[2] = f->w[0] = f->w[1] = 0;
    if (v) {
        f->v[0] = v[0];
        f->v[1] = v[1];
        f->w[2] = v[2];
    }
}

void hol_planar_frames(const HolMechanism *mechanism, const HolPose *poses, const double *q, const double *v,
                       HolFrame *frames, double *phi)
{
    static const double rest[3] = {0};
    set_planar_frame(&poses[0], rest, &frames[0]);
    phi[0] = 0;
    for (int b = 1; b <= mechanism->body_count; ++b) {
        set_planar_frame(&poses[b], v ? v + 3 * b - 3 : NULL, &frames[b]);
        phi[b] = q[3 * b - 1];
    }
}

static inline void inertia_times(const HolBody *body, const double *w, double *Jw)
{
    for (int i = 0; i < 3; ++i)
        Jw[i] = hol_dot3(body->J[i], w);
}

static void spatial_mass(const HolBody *body, double *M)
{
    for (int i = 0; i < 3; ++i) {
        M[7 * i] = body->mass;
        for (int j = 0; j < 3; ++j)
            M[6 * (3 + i) + 3 + j] = body->J[i][j];
    }
}

static void spatial_energy(const HolMechanism *mechanism, const HolPoint *at, HolTerms *terms)
{
    terms->kinetic = terms->potential = 0;
    for (int b = 0; b < mechanism->body_count; ++b) {
        const HolBody *body = &mechanism->bodies[b];
        const double *r = at->q + 7 * b, *v = at->v + 6 * b;
        double Jw[3];
        inertia_times(body, v + 3, Jw);
        terms->kinetic += 0.5 * (body->mass * hol_dot3(v, v) + hol_dot3(v + 3, Jw));
        terms->potential -= body->mass * hol_dot3(mechanism->gravity, r);
    }
}

HOL_CLONES static void spatial_force(const HolMechanism *mechanism, const double *v, double *Q)
{
    for (int b = 0; b < mechanism->body_count; ++b, v += 6, Q += 6) {
        const HolBody *body = &mechanism->bodies[b];
        double Jw[3];
        inertia_times(body, v + 3, Jw);
        for (int i = 0; i < 3; ++i)
            Q[i] = body->mass * mechanism->gravity[i];
        hol_cross3(Jw, v + 3, Q + 3);
    }
}

void hol_spatial_bodies(const HolMechanism *mechanism, const HolPoint *at, unsigned want, HolTerms *terms)
{
    for (int b = 0; b < mechanism->body_count && (want & HOL_WANT_MASS); ++b)
        spatial_mass(&mechanism->bodies[b], terms->M + terms->pattern->mass_start[b]);
    if (want & HOL_WANT_FORCE)
        spatial_force(mechanism, at->v, terms->Q);
    if (want & HOL_WANT_ENERGY)
        spatial_energy(mechanism, at, terms);
}

static void planar_energy(const HolMechanism *mechanism, const HolPoint *at, HolTerms *terms)
{
    const double *g = mechanism->gravity;
    terms->kinetic = terms->potential = 0;
    for (int b = 0; b < mechanism->body_count; ++b) {
        const HolBody *body = &mechanism->bodies[b];
        const double *r = at->q + 3 * b, *v = at->v + 3 * b;
        terms->kinetic += 0.5 * (body->mass * (v[0] * v[0] + v[1] * v[1]) + body->J[2][2] * v[2] * v[2]);
        terms->potential -= body->mass * (g[0] * r[0] + g[1] * r[1]);
    }
}

void hol_planar_bodies(const HolMechanism *mechanism, const HolPoint *at, unsigned want, HolTerms *terms)
{
    for (int b = 0; b < mechanism->body_count && (want & HOL_WANT_MASS); ++b) {
        double *M = terms->M + terms->pattern->mass_start[b];
        M[0] = M[4] = mechanism->bodies[b].mass;
        M[8] = mechanism->bodies[b].J[2][2];
    }
    for (int b = 0; b < mechanism->body_count && (want & HOL_WANT_FORCE); ++b) {
        double *Q = terms->Q + 3 * b;
        Q[0] = mechanism->bodies[b].mass * mechanism->gravity[0];
        Q[1] = mechanism->bodies[b].mass * mechanism->gravity[1];
        Q[2] = 0;
    }
    if (want & HOL_WANT_ENERGY)
        planar_energy(mechanism, at, terms);
}

/* -d(-w x J w)/dw = w~ J - (J w)~, so its column j is w x J_j + e_j x (J w), J being symmetric. */
static void add_gyroscopic(const HolBody *body, const double *w, double C[36])
{
    double Jw[3], turning[3], column[3];
    inertia_times(body, w, Jw);
    for (int j = 0; j < 3; ++j) {
        const double unit[3] = {j == 0, j == 1, j == 2};
        hol_cross3(w, body->J[j], turning);
        hol_cross3(unit, Jw, column);
        for (int i = 0; i < 3; ++i)
            C[6 * (3 + i) + 3 + j] += turning[i] + column[i];
    }
}

void hol_spatial_add_gyroscopic(const HolMechanism *mechanism, const HolPoint *at, HolTerms *terms)
{
    const HolPattern *pattern = terms->pattern;
    for (int k = 0; k < pattern->tangent_count; ++k) {
        int b = pattern->tangents[k].row;
        if (b == pattern->tangents[k].column)
            add_gyroscopic(&mechanism->bodies[b], at->v + 6 * b + 3, terms->C + pattern->tangent_start[k]);
    }
}

/* c = a * b */
static inline void quaternion_product(const double *a, const double *b, double *c)
{
    c[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    c[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    c[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    c[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

HOL_CLONES void hol_spatial_qdot(const void *self, const double *q, const double *v, double *qdot)
{
    const HolMechanism *mechanism = self;
    for (int b = 0; b < mechanism->body_count; ++b, q += 7, v += 6, qdot += 7) {
        const double half[4] = {0, 0.5 * v[3], 0.5 * v[4], 0.5 * v[5]};
        for (int i = 0; i < 3; ++i)
            qdot[i] = v[i];
        quaternion_product(q + 3, half, qdot + 3);
    }
}

/* angle is |w|/2; the series is exact where its fourth power is below rounding. */
HOL_KERNEL void retract_one(const double *q, const double *w, double angle, double sine, double cosine, double *q_new)
{
    double half = angle > 0.1 * HOL_TOL_SMALL ? 0.5 * sine / angle : 0.5 - angle * angle / 12, e[4];
    const double turn[4] = {cosine, half * w[3], half * w[4], half * w[5]};
    quaternion_product(q + 3, turn, e);
    double scale = 1 / sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
    for (int i = 0; i < 3; ++i)
        q_new[i] = q[i] + w[i];
    for (int i = 0; i < 4; ++i)
        q_new[3 + i] = scale * e[i];
}

/* Up to four bodies. */
HOL_KERNEL void retract_some(int count, const double *q, const double *w, double *q_new)
{
    double angle[4] = {0}, sine[4], cosine[4];
    for (int i = 0; i < count; ++i)
        angle[i] = 0.5 * sqrt(hol_dot3(w + 6 * i + 3, w + 6 * i + 3));
    hol_sincos_four(angle, sine, cosine);
    for (int i = 0; i < count; ++i)
        retract_one(q + 7 * i, w + 6 * i, angle[i], sine[i], cosine[i], q_new + 7 * i);
}

HOL_CLONES void hol_spatial_retract(const void *self, const double *q, const double *w, double *q_new)
{
    const HolMechanism *mechanism = self;
    int count = mechanism->body_count, fours = count & ~3;
    for (int b = 0; b < fours; b += 4)
        retract_some(4, q + 7 * b, w + 6 * b, q_new + 7 * b);
    retract_some(count - fours, q + 7 * fours, w + 6 * fours, q_new + 7 * fours);
}
