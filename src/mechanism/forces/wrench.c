/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanism/forces/wrench.h"

#include "mechanism/forces/ends.h"

#include <math.h>
#include <string.h>

const char *const hol_axes_names[] = {"global", "body", NULL};
const char *const hol_time_names[] = {"t", NULL};

/* Everything in global axes at one moment. */
typedef struct Moment {
    double F[3], T[3];
    double d[2][3];
    double Q[2][6];
} Moment;

static const double sign[2] = {1, -1};

static void add_cross(const double *a, const double *b, double *sum)
{
    double c[3];
    hol_cross3(a, b, c);
    for (int i = 0; i < 3; ++i)
        sum[i] += c[i];
}

/* In the axes in which they are given. */
static void evaluate(const HolFunction *f, double t, double *x)
{
    for (int i = 0; i < 3; ++i)
        x[i] = hol_function_value(&f[i], &t);
}

/* (2) out of F_i and N_i */
static void spread(const HolFrame *frame, const double *F, const double *N, double factor, double *Q)
{
    hol_turn_back(frame, N, Q + 3);
    for (int i = 0; i < 3; ++i) {
        Q[i] = factor * F[i];
        Q[3 + i] *= factor;
    }
}

/* (1), (2) */
static void read_moment(const HolForce *force, const HolMotion *motion, Moment *m)
{
    const HolWrench *s = force->self;
    const HolFrame *first = &motion->frames[force->body[0]];
    double x[3], F[3], T[3];
    evaluate(s->force, motion->t, F);
    evaluate(s->torque, motion->t, T);
    memcpy(m->F, F, sizeof F);
    memcpy(m->T, T, sizeof T);
    if (s->turns) {
        hol_turn(first, F, m->F);
        hol_turn(first, T, m->T);
    }
    hol_mark_value(motion->frames, &s->place, x);
    for (int i = 0; i < 2; ++i) {
        const HolFrame *frame = &motion->frames[force->body[i]];
        double N[3] = {m->T[0], m->T[1], m->T[2]};
        for (int k = 0; k < 3; ++k)
            m->d[i][k] = x[k] - frame->r[k];
        add_cross(m->d[i], m->F, N);
        spread(frame, m->F, N, sign[i], m->Q[i]);
    }
}

void hol_wrench_apply(const HolForce *force, const HolMotion *motion)
{
    const HolWrench *s = force->self;
    Moment m;
    read_moment(force, motion, &m);
    for (int i = 0; i < 2; ++i) {
        const HolFrame *frame = &motion->frames[force->body[i]];
        hol_motion_push(motion, force->body[i], 1, m.Q[i]);
        if (!s->has_potential && force->body[i] > 0)
            motion->terms->power += hol_dot3(m.Q[i], frame->v) + hol_dot3(m.Q[i] + 3, frame->w);
    }
}

double hol_wrench_potential(const HolForce *force, const HolMotion *motion)
{
    const HolWrench *s = force->self;
    double F[3], x[3];
    if (!s->has_potential)
        return 0;
    evaluate(s->force, motion->t, F);
    hol_mark_value(motion->frames, &s->place, x);
    return -hol_dot3(F, x);
}

/* Column `column` of dQ_i / d(body j). */
static void vary(const HolForce *force, const HolMotion *motion, const Moment *m, int i, int j, int column, double *dQ)
{
    const HolWrench *s = force->self;
    double c[3] = {0}, a[3] = {0}, A[3], dF[3] = {0}, dd[3] = {0}, dN[3] = {0};
    (column < 3 ? c : a)[column % 3] = 1;
    hol_turn(&motion->frames[force->body[j]], a, A);
    if (s->turns && j == 0) { /* (3) */
        hol_cross3(A, m->F, dF);
        hol_cross3(A, m->T, dN);
    }
    if (j == 0)
        hol_cross3(A, m->d[0], dd); /* (4) */
    for (int k = 0; k < 3 && i == 1; ++k)
        dd[k] += sign[j] * c[k];
    add_cross(dd, m->F, dN);
    add_cross(m->d[i], dF, dN);
    spread(&motion->frames[force->body[i]], dF, dN, sign[i], dQ); /* (5) */
    if (i == j)
        add_cross(m->Q[i] + 3, a, dQ + 3);
}

static void add_tangent(const HolForce *force, const HolMotion *motion, const Moment *m, int i, int j)
{
    double K[36], dQ[6];
    for (int column = 0; column < 6; ++column) {
        vary(force, motion, m, i, j, column, dQ);
        for (int row = 0; row < 6; ++row)
            K[6 * row + column] = -dQ[row];
    }
    hol_motion_add_block(motion, motion->terms->K, force->tangent[i][j], K);
}

void hol_wrench_tangent(const HolForce *force, const HolMotion *motion)
{
    Moment m;
    read_moment(force, motion, &m);
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
            if (force->tangent[i][j] >= 0)
                add_tangent(force, motion, &m, i, j);
}

bool hol_wrench_starts(HolBuilder *builder, const HolPart *part, const HolFunction *vector)
{
    double x[3];
    evaluate(vector, 0, x);
    bool is_finite = isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
    if (!is_finite)
        hol_reader_error(builder->reader, hol_part_place(part, "vector"),
                         "'vector' is not finite at the start (t = 0)");
    return is_finite;
}

bool hol_wrench_bodies(HolBuilder *builder, const HolPart *part, const char *key, const int *body)
{
    const char *name = body[0] > 0 ? builder->mechanism->bodies[body[0] - 1].name : "ground";
    if (body[0] == 0 && body[1] == 0)
        hol_reader_error(builder->reader, hol_part_place(part, key), "it acts on the ground alone; name a body");
    else if (body[0] == body[1])
        hol_reader_error(builder->reader, hol_part_place(part, "from"), "it acts on '%s' and comes from it too", name);
    return body[0] != body[1];
}
