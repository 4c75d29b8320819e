/* SPDX-License-Identifier: BSD-3-Clause */
/* Two points that coincide, the most frequent rows of all:
 *
 *     Phi   = (r_1 + R_1 s_1) - (r_0 + R_0 s_0)
 *     D_b   = +-(I, -R_b s_b~)                        row i of the second part is s_b x (row i of R_b)
 *     gamma = -R_1 (w_1 x (w_1 x s_1)) + R_0 (w_0 x (w_0 x s_0))
 *
 * In the plane, with S = R s: D_b = +-(I, perp(S_b)), gamma = w_1^2 S_1 - w_0^2 S_0.
 *
 * lambda acts at the point of the second body and -lambda at that of the first. Their geometric
 * stiffness couples no two bodies: only the arms rotate, (5) of frame.h. */
#include "math/kernels.h"
#include "mechanism/evaluate/evaluate.h"

/* D of one body; unit is -1 or 1. */
static inline void coincidences_point_jacobian(const HolFrame *f, const double *s, double unit, double *D)
{
    const double u[3] = {unit * s[0], unit * s[1], unit * s[2]};
    for (int i = 0; i < 3; ++i) {
        D[7 * i] = unit;
        hol_cross3(u, f->R[i], D + 6 * i + 3);
    }
}

/* w x (w x s) */
static inline void inward(const double *w, const double *s, double *a)
{
    double turning[3];
    hol_cross3(w, s, turning);
    hol_cross3(w, turning, a);
}

static inline void spatial_position(const HolCoincidence *c, const HolFrame *f0, const HolFrame *f1, double *Phi)
{
    double S0[3], S1[3];
    hol_turn(f0, c->s[0], S0);
    hol_turn(f1, c->s[1], S1);
    for (int i = 0; i < 3; ++i)
        Phi[i] = (f1->r[i] + S1[i]) - (f0->r[i] + S0[i]);
}

static inline void spatial_bias(const HolCoincidence *c, const HolFrame *f0, const HolFrame *f1, double *gamma)
{
    double a0[3], a1[3], A0[3], A1[3];
    inward(f0->w, c->s[0], a0);
    inward(f1->w, c->s[1], a1);
    hol_turn(f0, a0, A0);
    hol_turn(f1, a1, A1);
    for (int i = 0; i < 3; ++i)
        gamma[i] = A0[i] - A1[i];
}

HOL_CLONES void hol_spatial_coincidences(const HolMechanism *mechanism, const HolFrame *frames, unsigned want,
                                         HolTerms *terms)
{
    for (int k = 0; k < mechanism->coincidence_count; ++k) {
        const HolCoincidence *c = &mechanism->coincidences[k];
        const HolFrame *f0 = &frames[c->body[0]], *f1 = &frames[c->body[1]];
        if (want & HOL_WANT_PHI)
            spatial_position(c, f0, f1, terms->Phi + c->row);
        if ((want & HOL_WANT_JACOBIAN) && c->D[0] >= 0)
            coincidences_point_jacobian(f0, c->s[0], -1, terms->D + c->D[0]);
        if ((want & HOL_WANT_JACOBIAN) && c->D[1] >= 0)
            coincidences_point_jacobian(f1, c->s[1], 1, terms->D + c->D[1]);
        if (want & HOL_WANT_GAMMA)
            spatial_bias(c, f0, f1, terms->gamma + c->row);
    }
}

typedef struct Arm {
    double x, y;
} Arm;

static inline Arm arm(const HolPose *pose, const double *s)
{
    return (Arm){pose->c * s[0] - pose->s * s[1], pose->s * s[0] + pose->c * s[1]};
}

static inline void pin_jacobian(Arm S, double unit, double *D)
{
    D[0] = D[4] = unit;
    D[2] = -unit * S.y;
    D[5] = unit * S.x;
}

HOL_CLONES void hol_planar_coincidences(const HolMechanism *mechanism, const HolPose *poses, unsigned want,
                                        HolTerms *terms)
{
    for (int k = 0; k < mechanism->coincidence_count; ++k) {
        const HolCoincidence *c = &mechanism->coincidences[k];
        const HolPose *p0 = &poses[c->body[0]], *p1 = &poses[c->body[1]];
        Arm S0 = arm(p0, c->s[0]), S1 = arm(p1, c->s[1]);
        if (want & HOL_WANT_PHI) {
            terms->Phi[c->row] = (p1->x + S1.x) - (p0->x + S0.x);
            terms->Phi[c->row + 1] = (p1->y + S1.y) - (p0->y + S0.y);
        }
        if ((want & HOL_WANT_JACOBIAN) && c->D[0] >= 0)
            pin_jacobian(S0, -1, terms->D + c->D[0]);
        if ((want & HOL_WANT_JACOBIAN) && c->D[1] >= 0)
            pin_jacobian(S1, 1, terms->D + c->D[1]);
        if (want & HOL_WANT_GAMMA) {
            terms->gamma[c->row] = p1->ww * S1.x - p0->ww * S0.x;
            terms->gamma[c->row + 1] = p1->ww * S1.y - p0->ww * S0.y;
        }
    }
}

/* Adds the tangent of one body, on which `force` acts. */
static void add_arm(const HolMotion *motion, const HolCoincidence *c, int side, const double *force)
{
    const HolFrame *f = &motion->frames[c->body[side]];
    const double *s = c->s[side];
    double *K = motion->terms->K + c->tangent[side];
    if (motion->mechanism->natural)
        return;
    if (motion->mechanism->planar) {
        K[8] += force[0] * (f->R[0][0] * s[0] + f->R[0][1] * s[1]) + force[1] * (f->R[1][0] * s[0] + f->R[1][1] * s[1]);
        return;
    }
    HolMark mark = {.body = c->body[side], .is_point = true, .s = {s[0], s[1], s[2]}};
    double block[HOL_WIDE * HOL_WIDE] = {0};
    hol_mark_add_turning(motion->frames, &mark, -1, force, block);
    hol_layout_add_block(&hol_spatial_layout, &hol_spatial_layout, block, K);
}

void hol_coincidences_add_tangent(const HolMotion *motion, const double *lambda)
{
    const HolMechanism *mechanism = motion->mechanism;
    for (int k = 0; k < mechanism->coincidence_count; ++k) {
        const HolCoincidence *c = &mechanism->coincidences[k];
        const double *l = lambda + c->row, z = mechanism->planar ? 0 : l[2];
        const double second[3] = {l[0], l[1], z}, first[3] = {-l[0], -l[1], -z};
        if (c->tangent[0] >= 0)
            add_arm(motion, c, 0, first);
        if (c->tangent[1] >= 0)
            add_arm(motion, c, 1, second);
    }
}
