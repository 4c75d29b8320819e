/* SPDX-License-Identifier: BSD-3-Clause */
/* Particles, directions (unit vectors) and rods, in natural coordinates only: marks are linear in q. */
#include "mechanism/evaluate/evaluate.h"

#include <string.h>

static int dimension_of(const HolMechanism *mechanism)
{
    return mechanism->planar ? 2 : 3;
}

/* Only the position of a particle and only the first axis of a direction are defined. */
void hol_particle_frame(const HolMechanism *mechanism, const HolBody *body, const double *q, const double *v,
                        HolFrame *frame)
{
    *frame = (HolFrame){.R = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .is_natural = true};
    for (int i = 0; i < dimension_of(mechanism); ++i) {
        if (body->form == HOL_PARTICLE)
            frame->r[i] = q[i];
        else
            frame->R[i][0] = q[i];
        if (v && body->form == HOL_PARTICLE)
            frame->v[i] = v[i];
        else if (v)
            frame->Rdot[i][0] = v[i];
    }
}

static double elements_inertia_of(const HolBody *body)
{
    return body->form == HOL_PARTICLE ? body->mass : body->J[0][0];
}

void hol_particle_mass(const HolMechanism *mechanism, const HolBody *body, double *M)
{
    int n = dimension_of(mechanism);
    for (int i = 0; i < n; ++i)
        M[(n + 1) * i] = elements_inertia_of(body);
}

void hol_particle_force(const HolMechanism *mechanism, const HolBody *body, double *Q)
{
    for (int i = 0; i < dimension_of(mechanism); ++i)
        Q[i] = body->form == HOL_PARTICLE ? body->mass * mechanism->gravity[i] : 0;
}

void hol_particle_energy(const HolMechanism *mechanism, const HolBody *body, const double *q, const double *v,
                         HolTerms *terms)
{
    for (int i = 0; i < dimension_of(mechanism); ++i) {
        terms->kinetic += 0.5 * elements_inertia_of(body) * v[i] * v[i];
        terms->potential -= body->form == HOL_PARTICLE ? body->mass * mechanism->gravity[i] * q[i] : 0;
    }
}

/* (u.u - 1)/2 = 0 */
void hol_particle_rigidity(const HolMechanism *mechanism, const HolBody *body, const double *q, const double *v,
                           unsigned want, HolTerms *terms)
{
    double length = -1, speed = 0;
    if (body->form == HOL_PARTICLE)
        return;
    for (int i = 0; i < dimension_of(mechanism); ++i) {
        length += q[i] * q[i];
        speed += v[i] * v[i];
        if (want & HOL_WANT_JACOBIAN)
            terms->D[body->rigid_D + i] = q[i];
    }
    if (want & HOL_WANT_PHI)
        terms->Phi[body->rigid_row] = 0.5 * length;
    if (want & HOL_WANT_GAMMA)
        terms->gamma[body->rigid_row] = -speed;
}

void hol_particle_add_rigid_tangent(const HolMechanism *mechanism, const HolBody *body, const double *lambda, double *K)
{
    int n = dimension_of(mechanism);
    for (int i = 0; i < n && body->form == HOL_DIRECTION; ++i)
        K[(n + 1) * i] -= lambda[body->rigid_row];
}

/* D of one side, with unit -1 or 1. */
static void write_side(const HolMechanism *mechanism, const HolFrame *frames, const HolMark *mark, double unit,
                       double *D)
{
    const HolLayout *layout = mechanism->bodies[mark->body - 1].layout;
    int n = dimension_of(mechanism);
    memset(D, 0, (size_t)(n * layout->nv) * sizeof *D);
    for (int i = 0; i < n; ++i) {
        double G[3] = {i == 0, i == 1, i == 2}, g[HOL_WIDE];
        hol_mark_gradient(frames, mark, G, g);
        hol_layout_add(layout, unit, g, D + i * layout->nv);
    }
}

void hol_particle_coincide(const HolMechanism *mechanism, const HolCoincidence *c, const HolFrame *frames,
                           unsigned want, HolTerms *terms)
{
    double x[2][3];
    for (int side = 0; side < 2; ++side) {
        HolMark mark = {.body = c->body[side], .is_point = true};
        memcpy(mark.s, c->s[side], sizeof mark.s);
        hol_mark_value(frames, &mark, x[side]);
        if (mark.body > 0 && (want & HOL_WANT_JACOBIAN))
            write_side(mechanism, frames, &mark, side ? 1 : -1, terms->D + c->D[side]);
    }
    for (int i = 0; i < dimension_of(mechanism); ++i) {
        if (want & HOL_WANT_PHI)
            terms->Phi[c->row + i] = x[1][i] - x[0][i];
        if (want & HOL_WANT_GAMMA)
            terms->gamma[c->row + i] = 0;
    }
}

/* Particles and the ground do not rotate: their marks are r + s. */
static bool is_still(const HolMechanism *mechanism, int body)
{
    return body == 0 || mechanism->bodies[body - 1].form == HOL_PARTICLE;
}

static void particles_write_row(const HolMechanism *mechanism, const HolRow *row, unsigned want, double value,
                                const double *G, double bias, HolTerms *terms)
{
    int n = dimension_of(mechanism);
    double factor = row->factor * row->k[0];
    if (want & HOL_WANT_PHI)
        terms->Phi[row->at] = row->factor * value;
    if (want & HOL_WANT_NU)
        terms->nu[row->at] = 0;
    if (want & HOL_WANT_GAMMA)
        terms->gamma[row->at] = -factor * bias;
    if (!(want & HOL_WANT_JACOBIAN))
        return;
    for (int i = 0; i < n && row->D[0][0] >= 0; ++i)
        terms->D[row->D[0][0] + i] = -factor * G[i];
    for (int i = 0; i < n && row->D[0][1] >= 0; ++i)
        terms->D[row->D[0][1] + i] = factor * G[i];
}

/* x_1 - x_0 of two marks, and its rate */
static void read_arm(const HolMotion *motion, const HolMark *from, const HolMark *to, double *d, double *rate)
{
    const HolFrame *a = &motion->frames[from->body], *b = &motion->frames[to->body];
    for (int i = 0; i < 3; ++i) {
        d[i] = (b->r[i] + to->s[i]) - (a->r[i] + from->s[i]);
        rate[i] = (to->body > 0 ? b->v[i] : 0) - (from->body > 0 ? a->v[i] : 0);
    }
}

bool hol_particle_row(const HolMotion *motion, const HolRow *row, unsigned want)
{
    const HolMechanism *mechanism = motion->mechanism;
    const HolMeasure *m = &mechanism->measures[row->measure[0]];
    double d[3], rate[3], f = row->f.constant;
    if (row->measure_count > 1 || row->f.expression || row->wraps || !is_still(mechanism, m->body[0]) ||
        !is_still(mechanism, m->body[1]))
        return false;
    if (m->kind == &hol_measure_square && row->squares) {
        read_arm(motion, &m->mark[0], &m->mark[1], d, rate);
        double value = (row->k[0] * hol_dot3(d, d) - f * f) / (2 * m->scale), bias = hol_dot3(rate, rate) / m->scale;
        for (int i = 0; i < 3; ++i)
            d[i] /= m->scale;
        particles_write_row(mechanism, row, want, value, d, bias, motion->terms);
        return true;
    }
    if (m->kind != &hol_measure_offset || row->squares)
        return false;
    read_arm(motion, &m->mark[1], &m->mark[2], d, rate);
    particles_write_row(mechanism, row, want, row->k[0] * hol_dot3(m->mark[0].s, d) - f, m->mark[0].s, 0,
                        motion->terms);
    return true;
}

/* |x_1 - x_0|^2 / (2 scale) has constant second derivatives, x . (x_1 - x_0) none; those of a length are left to the
 * general row. */
bool hol_particle_add_tangent(const HolMotion *motion, const HolRow *row, double factor)
{
    const HolMechanism *mechanism = motion->mechanism;
    const HolMeasure *m = &mechanism->measures[row->measure[0]];
    int n = dimension_of(mechanism);
    if (row->measure_count > 1 || !is_still(mechanism, m->body[0]) || !is_still(mechanism, m->body[1]))
        return false;
    for (int k = 0; k < 4 && m->kind == &hol_measure_square; ++k) {
        int side = k / 2, other = k % 2;
        double *K = motion->terms->K + row->tangent[0][side][other];
        for (int i = 0; i < n && row->tangent[0][side][other] >= 0; ++i)
            K[(n + 1) * i] += (side == other ? factor : -factor) * row->k[0] / m->scale;
    }
    return m->kind == &hol_measure_square || m->kind == &hol_measure_offset;
}

/* dx of an end along the coordinates of its body: rows i = 0, 1, 2 of nv numbers; 0 rows for the ground. */
static int gradients_of(const HolMechanism *mechanism, const HolFrame *frames, const HolMark *mark,
                        double P[3][HOL_WIDE])
{
    if (mark->body == 0)
        return 0;
    const HolLayout *layout = mechanism->bodies[mark->body - 1].layout;
    memset(P, 0, 3 * sizeof P[0]);
    for (int i = 0; i < 3; ++i) {
        double G[3] = {i == 0, i == 1, i == 2}, g[HOL_WIDE];
        hol_mark_gradient(frames, mark, G, g);
        hol_layout_add(layout, 1, g, P[i]);
    }
    return layout->nv;
}

/* M += w A^T B */
static void particles_add_product(double w, double A[3][HOL_WIDE], int rows, double B[3][HOL_WIDE], int columns,
                                  double *M)
{
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j)
            M[columns * i + j] += w * (A[0][i] * B[0][j] + A[1][i] * B[1][j] + A[2][i] * B[2][j]);
}

static void particles_add_mass(const HolMechanism *mechanism, const HolFrame *frames, const HolRod *rod,
                               HolTerms *terms)
{
    const HolMark *mark = mechanism->measures[rod->measure].mark;
    double P[2][3][HOL_WIDE];
    int n[2];
    for (int side = 0; side < 2; ++side) {
        n[side] = gradients_of(mechanism, frames, &mark[side], P[side]);
        if (n[side] > 0)
            particles_add_product(rod->mass / 3, P[side], n[side], P[side], n[side],
                                  terms->M + terms->pattern->mass_start[mark[side].body - 1]);
    }
    if (rod->pair < 0)
        return;
    int later = mark[0].body > mark[1].body ? 0 : 1;
    particles_add_product(rod->mass / 6, P[later], n[later], P[!later], n[!later],
                          terms->M + terms->pattern->mass_start[rod->pair]);
}

static void particles_add_energy(const HolMechanism *mechanism, const HolFrame *frames, const HolRod *rod,
                                 HolTerms *terms)
{
    const HolMark *mark = mechanism->measures[rod->measure].mark;
    double x[2][3], v[2][3];
    for (int side = 0; side < 2; ++side) {
        if (is_still(mechanism, mark[side].body)) {
            const HolFrame *frame = &frames[mark[side].body];
            for (int i = 0; i < 3; ++i) {
                x[side][i] = frame->r[i] + mark[side].s[i];
                v[side][i] = frame->v[i];
            }
        } else {
            hol_mark_value(frames, &mark[side], x[side]);
            hol_mark_velocity(frames, &mark[side], v[side]);
        }
        terms->potential -= 0.5 * rod->mass * hol_dot3(mechanism->gravity, x[side]);
    }
    terms->kinetic += rod->mass * (hol_dot3(v[0], v[0]) + hol_dot3(v[0], v[1]) + hol_dot3(v[1], v[1])) / 6;
}

static void push_half(const HolMotion *motion, const HolMark *mark, double mass)
{
    const HolMechanism *mechanism = motion->mechanism;
    double g[HOL_WIDE];
    if (mark->body == 0)
        return;
    if (is_still(mechanism, mark->body)) {
        double *Q = motion->terms->Q + motion->terms->pattern->block_start[mark->body - 1];
        for (int i = 0; i < dimension_of(mechanism); ++i)
            Q[i] += 0.5 * mass * mechanism->gravity[i];
        return;
    }
    hol_mark_gradient(motion->frames, mark, mechanism->gravity, g);
    hol_motion_push(motion, mark->body, 0.5 * mass, g);
}

void hol_rods_evaluate(const HolMotion *motion, unsigned want)
{
    const HolMechanism *mechanism = motion->mechanism;
    for (int k = 0; k < mechanism->rod_count; ++k) {
        const HolRod *rod = &mechanism->rods[k];
        const HolMark *mark = mechanism->measures[rod->measure].mark;
        if (want & HOL_WANT_MASS)
            particles_add_mass(mechanism, motion->frames, rod, motion->terms);
        for (int side = 0; side < 2 && (want & HOL_WANT_FORCE); ++side)
            push_half(motion, &mark[side], rod->mass);
        if (want & HOL_WANT_ENERGY)
            particles_add_energy(mechanism, motion->frames, rod, motion->terms);
    }
}
