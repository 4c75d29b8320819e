/* SPDX-License-Identifier: BSD-3-Clause */
/* A jump b of the velocity at a fixed configuration, along the constraints:
 *
 *     (M + c K) b = f + D^T mu,   D b = 0                                                  (1)
 *
 * with a positive semidefinite K. The matrix is factored once for each configuration, with penalties w in place of the
 * rows, and (1) iterated,
 *
 *     (M + c K + D^T w D) b = f + D^T mu,   mu <- mu - w D b,                              (2)
 *
 * from the mu of the solution before. Redundant rows leave mu undetermined, but neither b nor D^T mu. */
#ifndef HOLON_SOLVE_STEPS_VELOCITY_JUMP_H
#define HOLON_SOLVE_STEPS_VELOCITY_JUMP_H

#include "linalg/schur/penalty_matrix.h"
#include "solve/setup.h"

typedef struct HolVelocityJump {
    const HolPattern *pattern;
    HolPenaltyMatrix *matrix; /* of (2) */
    double *D;
    const double *w;    /* m */
    double *b;          /* nv: the solution */
    double *mu;         /* m: its multipliers */
    double *before, *y; /* scratch: nv, m */
} HolVelocityJump;

HolStatus hol_velocity_jump_create(const HolSetup *setup, HolVelocityJump **jump);

/* Factors (2) with the M, D and K of the terms. The penalties w must stay. b and mu become zero. */
HolStatus hol_velocity_jump_begin(HolVelocityJump *jump, const HolTerms *terms, double c, const double *w);

/* b for a force f of nv numbers. */
void hol_velocity_jump_solve(HolVelocityJump *jump, const double *f);

#endif
