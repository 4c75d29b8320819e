/* SPDX-License-Identifier: BSD-3-Clause */
/* A step of a rigid body between two poses, for steps that preserve energy and angular momentum.
 *
 * With the Rodrigues vector Theta of the rotation from a to b, in body axes (it is the same in those of a and of b),
 *
 *     R_b = R_a (I - Theta~/2)^-1 (I + Theta~/2),    R = (R_a + R_b)/2 = R_a (I - Theta~/2)^-1              (1)
 *
 * and the mean R of the two rotations, which is no rotation itself, gives the exact change of a mark,
 *
 *     x_b - x_a = dr + (R_b - R_a) s = dr + R (Theta x s)                                                   (2)
 *
 * So a function of marks that is at most quadratic changes by its gradient at the mean marks x = r + R s times (2).
 * With Theta = h w, w the mean of the angular velocities w_a and w_b, the balance of the angular momentum about the
 * centre under a moment N, in global axes, and (I - Theta~/2) R_a^T = R^-1 times it, are
 *
 *     R_b J w_b - R_a J w_a = h N                                                                           (3)
 *     J (w_b - w_a) = h (-w x J w + R^-1 N)                                                                 (4)
 *
 * which is M (v_b - v_a) = h Q with Q at the mean velocity and with R^-1 N for R^T N, (8) of frame.h. R^-1 leaves
 * Theta . R^-1 N = theta . N, theta = R_a Theta, so that a gradient does the work of (2). */
#include "base/tolerances.h"
#include "mechanism/evaluate/evaluate.h"
#include "mechanism/kinematics/rotation.h"

#include <string.h>

void hol_spatial_displace(const void *self, const double *q_a, const double *delta, double *q_b)
{
    const HolMechanism *mechanism = self;
    for (int b = 0; b < mechanism->body_count; ++b, q_a += HOL_SPATIAL_NQ, q_b += HOL_SPATIAL_NQ) {
        for (int i = 0; i < 3; ++i)
            q_b[i] = q_a[i] + delta[i];
        hol_rotation_along(q_a + 3, delta + 3, q_b + 3);
        delta += HOL_SPATIAL_NV;
    }
}

/* Row i of R^-1 is row i of R_a^T minus that of Theta~/2 R_a^T. */
static void set_inverse(const HolFrame *a, const double *theta, HolFrame *f)
{
    for (int k = 0; k < 3; ++k) {
        double turned[3];
        hol_cross3(theta, a->R[k], turned); /* Theta~ times column k of R_a^T */
        for (int i = 0; i < 3; ++i)
            f->inverse[i][k] = a->R[k][i] - turned[i] / 2;
    }
}

/* False beyond a third of a turn, where the mean is no longer close to a rotation. */
static bool set_mean(const double *q_a, const double *q_b, const double *v, HolFrame *f)
{
    static const double FARTHEST = 12; /* |Theta|^2 there */
    HolFrame a, b;
    double theta[3];
    hol_frame_place(&a, q_a, q_a + 3);
    hol_frame_place(&b, q_b, q_b + 3);
    hol_rotation_between(q_a + 3, q_b + 3, theta);
    *f = (HolFrame){.is_mean = true};
    for (int i = 0; i < 3; ++i) {
        f->r[i] = (a.r[i] + b.r[i]) / 2;
        for (int j = 0; j < 3; ++j)
            f->R[i][j] = (a.R[i][j] + b.R[i][j]) / 2;
        f->v[i] = v ? v[i] : 0;
        f->w[i] = v ? v[3 + i] : 0;
    }
    set_inverse(&a, theta, f);
    return hol_dot3(theta, theta) <= FARTHEST;
}

bool hol_mean_frames(const HolMechanism *mechanism, const double *q_a, const double *q_b, const double *v,
                     HolFrame *frames)
{
    bool is_near = true;
    frames[0] = (HolFrame){.R = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    for (int b = 0; b < mechanism->body_count; ++b)
        is_near = set_mean(q_a + HOL_SPATIAL_NQ * b, q_b + HOL_SPATIAL_NQ * b, v ? v + HOL_SPATIAL_NV * b : NULL,
                           &frames[1 + b]) &&
                  is_near;
    return is_near;
}

/* D of two points that coincide. */
void hol_mean_coincidences(const HolMechanism *mechanism, const HolFrame *frames, HolTerms *terms)
{
    for (int k = 0; k < 2 * mechanism->coincidence_count; ++k) {
        const HolCoincidence *c = &mechanism->coincidences[k / 2];
        int side = k % 2;
        HolMark mark = {.body = c->body[side], .is_point = true};
        memcpy(mark.s, c->s[side], sizeof mark.s);
        for (int i = 0; i < 3 && c->D[side] >= 0; ++i) {
            const double G[3] = {i == 0, i == 1, i == 2};
            double g[HOL_WIDE];
            hol_mark_gradient(frames, &mark, G, g);
            for (int j = 0; j < HOL_SPATIAL_NV; ++j)
                terms->D[c->D[side] + HOL_SPATIAL_NV * i + j] = (side ? 1 : -1) * g[j];
        }
    }
}
