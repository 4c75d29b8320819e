/* SPDX-License-Identifier: BSD-3-Clause */
/* Position and motion of a body, and of its material points and directions.
 *
 * Spatial bodies have q = (r, e) with Euler parameters e = (e0, e1, e2, e3) and v = (rdot in global axes, w in body
 * axes). R is written with the squares of all four parameters, so that it is |e|^2 times a rotation and Rdot = R w~
 * holds exactly for every e. Planar bodies have q = (x, y, phi); as frames they are spatial ones that turn about z.
 *
 *     x     = [r] + R s                                     (1)  a mark: point (with r) or direction (without)
 *     xdot  = [rdot] + R (w x s)                            (2)
 *     xddot = [rddot] + R (wdot x s) + R (w x (w x s))      (3)  the last term is the bias
 *
 * A function of marks with the gradient G at a mark has, in v, the gradient
 *
 *     ([G], s x (R^T G))                                    (4)
 *
 * and where the body turns by d (in body axes) under a G that stays, the second part changes by
 *
 *     s x ((R^T G) x d) = ((R^T G) s^T - s.(R^T G) I) d     (5)
 *
 * In natural coordinates q = (r, a_1, a_2, a_3), where a_j = R e_j are three vectors that rows of their own keep
 * orthonormal, and v = qdot. Marks are linear in q: (1) stays, and
 *
 *     xdot = [rdot] + Rdot s      bias = 0      gradient ([G], s_1 G, s_2 G, s_3 G)      (5) is zero      (6)
 *
 * The angular velocity follows by w_1 = (a_3 . adot_2 - a_2 . adot_3)/2 and cyclically, so that a
 * torque T has the gradient (0, T x a_j / 2).                                                              (7)
 *
 * A frame may also be the mean of two poses of reference-point coordinates (evaluate/mean.c): then R is the mean of two
 * rotations and no rotation itself. (1) and (2) stay, and (4) is
 *
 *     ([G], R^-1 ((R s) x G))                                                                              (8) */
#ifndef HOLON_MECHANISM_KINEMATICS_FRAME_H
#define HOLON_MECHANISM_KINEMATICS_FRAME_H

#include <stdbool.h>

typedef struct HolFrame {
    double r[3];
    double R[3][3]; /* R[i][j]: component i of body axis j */
    double v[3];
    double w[3]; /* body axes */
    bool is_natural, is_mean;
    union {
        double Rdot[3][3];    /* of natural coordinates */
        double inverse[3][3]; /* of the R of a mean */
    };
} HolFrame;

/* Gradients in v: six numbers of reference-point coordinates, twelve of natural ones. Blocks of K and C have rows of
 * twelve numbers for both. */
enum { HOL_POSE = 6, HOL_WIDE = 12 };

/* A material point or direction, s in body axes; body 0 is the ground, body i + 1 the i-th of the model. */
typedef struct HolMark {
    int body;
    bool is_point;
    double s[3];
} HolMark;

static inline double hol_dot3(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void hol_cross3(const double *a, const double *b, double *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/* R s, and R^T g */
static inline void hol_turn(const HolFrame *f, const double *s, double *x)
{
    for (int i = 0; i < 3; ++i)
        x[i] = f->R[i][0] * s[0] + f->R[i][1] * s[1] + f->R[i][2] * s[2];
}

static inline void hol_turn_back(const HolFrame *f, const double *g, double *s)
{
    for (int j = 0; j < 3; ++j)
        s[j] = f->R[0][j] * g[0] + f->R[1][j] * g[1] + f->R[2][j] * g[2];
}

/* The moment N about r in the axes of the gradient: R^T N, of a mean R^-1 N. */
static inline void hol_moment_back(const HolFrame *f, const double *N, double *n)
{
    if (!f->is_mean) {
        hol_turn_back(f, N, n);
        return;
    }
    for (int i = 0; i < 3; ++i)
        n[i] = hol_dot3(f->inverse[i], N);
}

/* (1) */
static inline void hol_mark_value(const HolFrame *frames, const HolMark *mark, double *x)
{
    const HolFrame *f = &frames[mark->body];
    hol_turn(f, mark->s, x);
    for (int i = 0; i < 3 && mark->is_point; ++i)
        x[i] += f->r[i];
}

/* (2), (6) */
static inline void hol_mark_velocity(const HolFrame *frames, const HolMark *mark, double *xdot)
{
    const HolFrame *f = &frames[mark->body];
    double turning[3];
    hol_cross3(f->w, mark->s, turning);
    hol_turn(f, turning, xdot);
    for (int i = 0; i < 3 && f->is_natural; ++i)
        xdot[i] = hol_dot3(f->Rdot[i], mark->s);
    for (int i = 0; i < 3 && mark->is_point; ++i)
        xdot[i] += f->v[i];
}

/* The last term of (3) */
static inline void hol_mark_bias(const HolFrame *frames, const HolMark *mark, double *bias)
{
    const HolFrame *f = &frames[mark->body];
    double turning[3], inward[3];
    if (f->is_natural) {
        bias[0] = bias[1] = bias[2] = 0;
        return;
    }
    hol_cross3(f->w, mark->s, turning);
    hol_cross3(f->w, turning, inward);
    hol_turn(f, inward, bias);
}

/* (6): adds factor times the gradient in v to g, twelve numbers. */
static inline void hol_mark_spread_natural(const HolMark *mark, double factor, const double *G, double *g)
{
    for (int i = 0; i < 3; ++i) {
        g[i] += mark->is_point ? factor * G[i] : 0;
        for (int j = 0; j < 3; ++j)
            g[3 + 3 * j + i] += factor * mark->s[j] * G[i];
    }
}

/* The rotational part of (4), (8). */
static inline void hol_mark_moment(const HolFrame *f, const HolMark *mark, const double *G, double *n)
{
    double local[3], arm[3], N[3];
    if (f->is_mean) {
        hol_turn(f, mark->s, arm);
        hol_cross3(arm, G, N);
        hol_moment_back(f, N, n);
        return;
    }
    hol_turn_back(f, G, local);
    hol_cross3(mark->s, local, n);
}

/* (4), (6), (8): adds factor times the gradient in v to g. */
static inline void hol_mark_spread(const HolFrame *frames, const HolMark *mark, double factor, const double *G,
                                   double *g)
{
    double turning[3];
    if (frames[mark->body].is_natural) {
        hol_mark_spread_natural(mark, factor, G, g);
        return;
    }
    hol_mark_moment(&frames[mark->body], mark, G, turning);
    for (int i = 0; i < 3; ++i) {
        g[i] += mark->is_point ? factor * G[i] : 0;
        g[3 + i] += factor * turning[i];
    }
}

/* (4), (6), (8): the gradient in v. */
static inline void hol_mark_gradient(const HolFrame *frames, const HolMark *mark, const double *G, double *g)
{
    if (frames[mark->body].is_natural) {
        for (int i = 0; i < HOL_WIDE; ++i)
            g[i] = 0;
        hol_mark_spread_natural(mark, 1, G, g);
        return;
    }
    hol_mark_moment(&frames[mark->body], mark, G, g + 3);
    for (int i = 0; i < 3; ++i)
        g[i] = mark->is_point ? G[i] : 0;
}

/* (5): adds factor times that matrix to the rotational part of K (rows of twelve). */
static inline void hol_mark_add_turning(const HolFrame *frames, const HolMark *mark, double factor, const double *G,
                                        double *K)
{
    double g[3];
    if (frames[mark->body].is_natural)
        return;
    hol_turn_back(&frames[mark->body], G, g);
    double along = hol_dot3(mark->s, g);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            K[HOL_WIDE * (3 + i) + 3 + j] += factor * (g[i] * mark->s[j] - (i == j ? along : 0));
}

/* Copies the velocities of a body that gradients refer to, and returns their number, six or twelve. */
static inline int hol_frame_velocity(const HolFrame *f, double *v)
{
    for (int i = 0; i < 3; ++i) {
        v[i] = f->v[i];
        v[3 + i] = f->w[i];
        for (int j = 0; j < 3 && f->is_natural; ++j)
            v[3 + 3 * j + i] = f->Rdot[i][j];
    }
    return f->is_natural ? HOL_WIDE : HOL_POSE;
}

/* (7): the gradient in v of a force and a torque about r, both in global axes. */
static inline void hol_frame_wrench(const HolFrame *f, double factor, const double *force, const double *torque,
                                    double *g)
{
    for (int i = 0; i < 3; ++i)
        g[i] = factor * force[i];
    if (!f->is_natural) {
        hol_moment_back(f, torque, g + 3);
        for (int i = 3; i < HOL_POSE; ++i)
            g[i] *= factor;
        return;
    }
    for (int j = 0; j < 3; ++j) {
        const double a[3] = {f->R[0][j], f->R[1][j], f->R[2][j]};
        hol_cross3(torque, a, g + 3 + 3 * j);
        for (int i = 0; i < 3; ++i)
            g[3 + 3 * j + i] *= 0.5 * factor;
    }
}

#endif
