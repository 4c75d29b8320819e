/* SPDX-License-Identifier: BSD-3-Clause */
/* A system linearised about a state, and how its modes are kept (docs/methods/modes.md). Vectors of a basis are stored
 * one after the other: Z[k * nv + j]. */
#ifndef HOLON_MODES_LINEAR_H
#define HOLON_MODES_LINEAR_H

#include <holon/modes.h>

#include "base/arena.h"
#include "base/tolerances.h"
#include "linalg/sparse/saddle.h"

/* The equations of small motions, (1) of the page. */
typedef struct HolLinear {
    const HolSystem *system;
    const HolPattern *pattern;
    HolArena *arena;
    HolTerms *terms; /* M, Q, D, K, C at the state */
    double t;
    const double *q, *v, *vdot, *lambda; /* copies; zeros where the state has none */
    HolTurning turning;
    bool is_at_rest; /* v is zero */
    bool turns;      /* the frame does */
    bool is_steady;
    unsigned char *left_out; /* m flags: rows that depend on others */
    int left_out_count;
    double *K_symmetric; /* (K + K^T) / 2 */
    double uncertainty;  /* uncertainty of stiffnesses: rounding, and unbalanced forces that rotate */
} HolLinear;

HolStatus hol_linear_create(const HolSystem *system, const HolState *at, const HolModesOptions *options,
                            HolArena *arena, HolLinear *linear, HolMessage *message);
void hol_linear_destroy(HolLinear *linear);

/* The modes as the caller sees them come first. */
typedef struct HolModesBox {
    HolModes shown;
    HolArena *arena;
    HolMode *modes;
    int capacity;
} HolModesBox;

/* An eigenvalue and its vector in coordinates p of a basis of `count` vectors; p_im NULL: zeros. */
typedef struct HolEigen {
    double re, im;
    bool is_zero;
    const double *p_re, *p_im;
} HolEigen;

/* Adds the mode y = sum p_k Z_k. */
HolStatus hol_modes_add(HolModesBox *box, const HolPattern *pattern, int count, const double *Z, const HolEigen *eigen);
/* The same with the shape given in coordinates of the system; p_re and p_im are not used. */
HolStatus hol_modes_add_shape(HolModesBox *box, const HolPattern *pattern, const double *y_re, const double *y_im,
                              const HolEigen *eigen);
/* The same for (K - omega2 M) y = 0: none, one or two modes, s^2 = -omega2. */
HolStatus hol_modes_add_undamped(HolModesBox *box, const HolPattern *pattern, int count, const double *Z,
                                 const double *p, double omega2, double zero);

/* (3) of docs/methods/modes.md: F x = s E x with x = (p, r), of a and b numbers; mode shapes follow from p. F and E are
 * overwritten. Numbers of F below `tolerance` times its largest, or below `measured` times the largest in its upper
 * left a x a part, which may come from finite differences, count as zero. Its columns are scaled to one size. */
typedef struct HolFirstOrder {
    int a, b;
    double *F, *E; /* (a + b) x (a + b), row-major */
    double tolerance, measured;
} HolFirstOrder;

HolStatus hol_modes_first_order(HolModesBox *box, const HolLinear *linear, const double *Z, HolFirstOrder *problem);

/* All modes by dense matrices, and the `count` lowest by sparse ones. */
HolStatus hol_modes_complete(HolLinear *linear, HolModesBox *box, HolMessage *message);
HolStatus hol_modes_lowest(HolLinear *linear, int count, HolModesBox *box, HolMessage *message);

/* What the slowest modes without damping leave to those with it. */
typedef struct HolSpan {
    HolLinear *linear;
    HolSaddle *saddle; /* to be factored anew */
    int count;
    const double *X, *K; /* count vectors with X^T M X = 1; X^T K X */
    double shift;        /* K + shift M is positive definite */
} HolSpan;

HolStatus hol_modes_lowest_damped(const HolSpan *span, int wanted, HolModesBox *box);

/* Detects convergence of an iteration: its change is tiny, or small and no longer falling. Initially all zero. */
typedef struct HolStall {
    double least;
    int count; /* iterations since it was halved */
} HolStall;

static inline bool hol_modes_converged(HolStall *stall, double left)
{
    static const double done = HOL_TOL_ITERATION,
                        little = HOL_TOL_SAME; /* of a vector; errors of frequencies are squares of it */
    bool is_less = stall->least == 0 || left < stall->least / 2;
    stall->count = is_less ? 0 : stall->count + 1;
    stall->least = is_less ? left : stall->least;
    return left <= done || (left <= little && stall->count >= 2);
}

#endif
