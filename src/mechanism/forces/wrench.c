/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanism/forces/wrench.h"

#include <math.h>
#include <string.h>

const char *const hol_axes_names[] = {"global", "body", NULL};
const char *const hol_time_names[] = {"t", NULL};

/* The wrench at one time, in global axes. */
typedef struct Moment {
    double F[3], T[3];
    double d[2][3];
    double N[2][3];
    double Q[2][HOL_WIDE];
} Moment;

static const double sign[2] = {1, -1};

static void add_cross(const double *a, const double *b, double *sum)
{
    double c[3];
    hol_cross3(a, b, c);
    for (int i = 0; i < 3; ++i)
        sum[i] += c[i];
}

/* Functions of t and the inputs, in the axes in which they are given. */
static void wrench_evaluate(const HolFunction *f, double t, const HolMechanism *mechanism, const double *u, double *x)
{
    double variables[1 + HOL_MAX_INPUTS] = {t};
    memcpy(variables + 1, u, (size_t)mechanism->input_count * sizeof *u);
    for (int i = 0; i < 3; ++i)
        x[i] = hol_function_value(&f[i], variables);
}

void hol_wrench_evaluate(const HolFunction *f, const HolMotion *motion, double *x)
{
    wrench_evaluate(f, motion->t, motion->mechanism, motion->terms->u, x);
    for (int i = 0; i < 3; ++i)
        x[i] *= motion->terms->load;
}

/* (1), (2) */
static void read_moment(const HolForce *force, const HolMotion *motion, Moment *m)
{
    const HolWrench *s = force->self;
    const HolFrame *first = &motion->frames[force->body[0]];
    double x[3], F[3], T[3];
    hol_wrench_evaluate(s->force, motion, F);
    hol_wrench_evaluate(s->torque, motion, T);
    memcpy(m->F, F, sizeof F);
    memcpy(m->T, T, sizeof T);
    if (s->turns) {
        hol_turn(first, F, m->F);
        hol_turn(first, T, m->T);
    }
    hol_mark_value(motion->frames, &s->place, x);
    for (int i = 0; i < 2; ++i) {
        const HolFrame *frame = &motion->frames[force->body[i]];
        for (int k = 0; k < 3; ++k) {
            m->d[i][k] = x[k] - frame->r[k];
            m->N[i][k] = m->T[k];
        }
        add_cross(m->d[i], m->F, m->N[i]);
        hol_frame_wrench(frame, sign[i], m->F, m->N[i], m->Q[i]);
    }
    if (first->is_natural) { /* the gradient of the point itself */
        static const double nothing[3] = {0};
        hol_frame_wrench(first, 1, nothing, m->T, m->Q[0]);
        hol_mark_spread(motion->frames, &s->place, 1, m->F, m->Q[0]);
    }
}

void hol_wrench_apply(const HolForce *force, const HolMotion *motion)
{
    const HolWrench *s = force->self;
    Moment m;
    read_moment(force, motion, &m);
    for (int i = 0; i < 2; ++i) {
        double v[HOL_WIDE];
        int n = hol_frame_velocity(&motion->frames[force->body[i]], v);
        hol_motion_push(motion, force->body[i], 1, m.Q[i]);
        for (int k = 0; k < n && !s->has_potential && force->body[i] > 0; ++k)
            motion->terms->power += m.Q[i][k] * v[k];
    }
}

double hol_wrench_potential(const HolForce *force, const HolMotion *motion)
{
    const HolWrench *s = force->self;
    double F[3], x[3];
    if (!s->has_potential)
        return 0;
    hol_wrench_evaluate(s->force, motion, F);
    hol_mark_value(motion->frames, &s->place, x);
    return -hol_dot3(F, x);
}

/* As a law of the length l = -F . x with V = l. */
void hol_wrench_discrete_gradient(const HolForce *force, const HolDiscreteGradientMotion *motion)
{
    const HolWrench *s = force->self;
    Moment m;
    HolGauge middle = {0};
    if (!s->has_potential)
        return;
    read_moment(force, &motion->middle, &m);
    for (int i = 0; i < HOL_WIDE; ++i)
        middle.g[0][i] = -m.Q[0][i];
    double V_a = hol_wrench_potential(force, &motion->a), V_b = hol_wrench_potential(force, &motion->b);
    hol_discrete_gradient_push(
        motion, &(HolDiscreteGradientLaw){
                    .body = {force->body[0], 0}, .l_a = V_a, .l_b = V_b, .mean = 1, .applied = 1, .middle = &middle});
}

/* How body j moves: its r by c, its axes by dR; in reference-point coordinates by turning about a, dR = R a~. */
typedef struct Move {
    double c[3], a[3], dR[3][3];
} Move;

static Move wrench_move_along(const HolFrame *frame, int column)
{
    Move move = {{0}, {0}, {{0}}};
    if (column < 3) {
        move.c[column] = 1;
    } else if (frame->is_natural) {
        move.dR[column % 3][column / 3 - 1] = 1;
    } else {
        move.a[column - 3] = 1;
        for (int i = 0; i < 3; ++i)
            hol_cross3(frame->R[i], move.a, move.dR[i]);
    }
    return move;
}

static void times(const double A[3][3], const double *s, double *x)
{
    for (int i = 0; i < 3; ++i)
        x[i] = hol_dot3(A[i], s);
}

/* dF, dT of (3), and dx of the point. */
static void vary_first(const HolForce *force, const HolMotion *motion, const Move *move, double *dF, double *dT,
                       double *dx)
{
    const HolWrench *s = force->self;
    double F[3], T[3];
    times(move->dR, s->place.s, dx);
    for (int k = 0; k < 3; ++k)
        dx[k] += move->c[k];
    if (!s->turns)
        return;
    hol_wrench_evaluate(s->force, motion, F);
    hol_wrench_evaluate(s->torque, motion, T);
    times(move->dR, F, dF);
    times(move->dR, T, dT);
}

/* The change of Q_i by the rotation of the axes of body i = j itself. */
static void vary_axes(const HolFrame *frame, const Move *move, double factor, const double *N, const double *Q,
                      double *dQ)
{
    if (!frame->is_natural) {
        add_cross(Q + 3, move->a, dQ + 3); /* (5) */
        return;
    }
    for (int k = 0; k < 3; ++k) {
        const double da[3] = {move->dR[0][k], move->dR[1][k], move->dR[2][k]};
        double turned[3];
        hol_cross3(N, da, turned);
        for (int x = 0; x < 3; ++x)
            dQ[3 + 3 * k + x] += 0.5 * factor * turned[x];
    }
}

/* Column `column` of dQ_i / d(body j), (3)-(5). */
static void vary(const HolForce *force, const HolMotion *motion, const Moment *m, int i, int j, int column, double *dQ)
{
    const HolWrench *s = force->self;
    const HolFrame *own = &motion->frames[force->body[i]];
    Move move = wrench_move_along(&motion->frames[force->body[j]], column);
    double dF[3] = {0}, dT[3] = {0}, dd[3] = {0}, dN[3];
    if (j == 0)
        vary_first(force, motion, &move, dF, dT, dd);
    for (int k = 0; k < 3 && i == j; ++k)
        dd[k] -= move.c[k];
    memcpy(dN, dT, sizeof dN);
    if (i == 0 && own->is_natural) {
        static const double nothing[3] = {0};
        hol_frame_wrench(own, 1, nothing, dT, dQ);
        hol_mark_spread(motion->frames, &s->place, 1, dF, dQ);
    } else {
        add_cross(dd, m->F, dN);
        add_cross(m->d[i], dF, dN);
        hol_frame_wrench(own, sign[i], dF, dN, dQ);
    }
    if (i == j)
        vary_axes(own, &move, sign[i], i == 0 ? m->T : m->N[i], m->Q[i], dQ);
}

static void wrench_add_tangent(const HolForce *force, const HolMotion *motion, const Moment *m, int i, int j)
{
    double K[HOL_WIDE * HOL_WIDE] = {0}, dQ[HOL_WIDE];
    int n = motion->mechanism->natural ? HOL_WIDE : HOL_POSE;
    for (int column = 0; column < n; ++column) {
        vary(force, motion, m, i, j, column, dQ);
        for (int row = 0; row < n; ++row)
            K[HOL_WIDE * row + column] = -dQ[row];
    }
    hol_motion_add_block(motion, motion->terms->K, force->tangent[i][j], force->body[i], force->body[j], K);
}

void hol_wrench_tangent(const HolForce *force, const HolMotion *motion)
{
    Moment m;
    read_moment(force, motion, &m);
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
            if (force->tangent[i][j] >= 0)
                wrench_add_tangent(force, motion, &m, i, j);
}

bool hol_wrench_starts(HolBuilder *builder, const HolPart *part, const HolFunction *vector)
{
    double x[3];
    wrench_evaluate(vector, 0, builder->mechanism, builder->mechanism->inputs, x);
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
    else if (body[1] > 0 && builder->mechanism->bodies[body[1] - 1].form != HOL_RIGID)
        hol_reader_error(builder->reader, hol_part_place(part, "from"),
                         "'%s' is not a rigid body and cannot take the reaction; name a rigid body",
                         builder->mechanism->bodies[body[1] - 1].name);
    else if (body[0] == body[1])
        hol_reader_error(builder->reader, hol_part_place(part, "from"),
                         "'from' names the body '%s' on which it acts; name another", name);
    return body[0] != body[1];
}

int hol_wrench_ends(const HolForce *force, const HolMechanism *mechanism, HolMark ends[2])
{
    (void)mechanism;
    ends[0] = ((const HolWrench *)force->self)->place;
    return 1;
}
