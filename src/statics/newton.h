/* SPDX-License-Identifier: BSD-3-Clause */
/* Descent to a static equilibrium under given loads, by Newton steps on
 *
 *     f(q) + D^T lambda = 0,   Phi = 0,   f = Q(t, q, 0; load) - (1 - load) f_0                         (1)
 *
 * regularised by a multiple of the mass matrix,
 *
 *     [ K + tau M   -D^T ] [   w    ]   [   f  ]
 *     [     D         0  ] [ lambda ] = [ -Phi ]      q <- q (+) w                                      (2)
 *
 * wherever a step would lead uphill or beyond the validity of (2). Large tau gives short steps along M^-1 f, the motion
 * under strong viscous damping; tau = 0 gives Newton's method.
 *
 * A straight step w strains stiff bodies that rotate, so that steps would have to be short. Where the search has not
 * converged after some steps, a step that misses its prediction is corrected by Newton iterations on
 *
 *     f(q (+) x) + D^T lambda = tau M x,   Phi(q (+) x) = 0                                             (3)
 *
 * which is the damped step itself with its stiffness and rotation taken at the end. */
#ifndef HOLON_STATICS_NEWTON_H
#define HOLON_STATICS_NEWTON_H

#include <holon/static.h>

#include "base/arena.h"
#include "linalg/rank/independent_rows.h"
#include "linalg/sparse/saddle.h"

typedef struct HolNewton {
    const HolSystem *system;
    const HolPattern *pattern;
    HolArena *arena;
    HolTerms *terms;
    HolSaddle *saddle;
    HolRowChoice *rows;
    unsigned char *left_out; /* m flags: rows that were redundant when last examined */
    int left_out_count;
    double t, load;
    double *q, *q_new, *v; /* v stays zero */
    double *lambda, *lambda_new;
    double *f, *f_0; /* nv: forces of (1), and those of the initial configuration */
    double *w, *dw;  /* nv: the step, and its correction */
    double *r, *y;   /* nv: the residual of (1); scratch */
    double *x;       /* nv: from q to q_new, in (3) */
    double *c, *mu;  /* m: scratch */
    double tau, tau_least, tau_unit;
    double damping_share; /* of the latest step: tau w^T M w / w^T (K + tau M) w */
    bool uses_corrector;  /* (3) */
    double max_size;      /* |q| beyond which the search has diverged */
    bool has_diverged;
    double imbalance, violation;
    double small_imbalance;      /* that rounding may leave where no stiffness resists the motion */
    int initial_redundant_count; /* rows that are redundant initially, -1: not yet known */
    bool is_redundant;           /* some are: positions are then assembled by hol_assemble_positions() */
    int fastest_block;           /* the block that moves most where no equilibrium is found, -1: none */
    int iterations;
} HolNewton;

HolStatus hol_newton_create(const HolSystem *system, double t, const double *q, HolArena *arena, HolNewton *newton);
void hol_newton_destroy(HolNewton *newton);

/* Solves (1) for newton->load from the present q. After HOL_NO_CONVERGENCE q is an intermediate configuration. */
HolStatus hol_newton_descend(HolNewton *newton, double tolerance, int max_iterations);

/* Continuation: from an equilibrium under a smaller load to the one on the same branch, by few Newton steps without
 * regularisation. The first must be a descent, and longer than all others together. Unless HOL_OK, q and lambda are
 * invalid. */
HolStatus hol_newton_continue(HolNewton *newton, double tolerance);

#endif
