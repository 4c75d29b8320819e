/* SPDX-License-Identifier: BSD-3-Clause */
/* Anderson acceleration (1965) of a linearly converging iteration x <- x + f(x).
 *
 * With the differences of the latest f and x side by side in F and X,
 *
 *     gamma = argmin |f - F gamma|,     x <- x + f - (X + F) gamma                       (1)
 *
 * A few directions in which f shrinks slowly, or even grows, are eliminated after as many iterations. */
#ifndef HOLON_SOLVE_STEPS_ANDERSON_H
#define HOLON_SOLVE_STEPS_ANDERSON_H

#include <holon/status.h>

#include "base/arena.h"

enum { HOL_ANDERSON_DEPTH = 5, HOL_ANDERSON_DEEP = 12 };

typedef struct HolAnderson {
    int n, count; /* size of x; number of stored differences */
    int depth;    /* the most */
    double *F[HOL_ANDERSON_DEEP],
        *X[HOL_ANDERSON_DEEP]; /* latest first; F made orthonormal in place, X along with it */
    double *f, *step;          /* of the previous iteration */
    int passes;                /* since the beginning */
} HolAnderson;

HolStatus hol_anderson_create(HolArena *arena, int n, HolAnderson **anderson);

/* Stores HOL_ANDERSON_DEEP differences instead of HOL_ANDERSON_DEPTH, for iterations with more bad directions. */
HolStatus hol_anderson_deepen(HolArena *arena, HolAnderson *anderson);

/* Discards the history: a new iteration begins, or f has changed. */
void hol_anderson_begin(HolAnderson *anderson);

/* f (n numbers) becomes the step to take, by (1). */
void hol_anderson_accelerate(HolAnderson *anderson, double *f);

/* Convergence of an iteration. */
typedef struct HolProgress {
    double change; /* size of the latest step */
    double best;   /* the smallest */
    int since;     /* iterations since the best was last halved */
} HolProgress;

HolProgress hol_progress_begin(void);
void hol_progress_note(HolProgress *progress, double change);

#endif
