/* SPDX-License-Identifier: BSD-3-Clause */
/* A linearly converging iteration x <- x + f(x) made faster by what its latest passes have taught (Anderson, 1965).
 *
 * With the differences of the latest f and x side by side in F and X,
 *
 *     gamma = argmin |f - F gamma|,     x <- x + f - (X + F) gamma                       (1)
 *
 * A few directions in which f shrinks slowly, or even grows, are found and solved for after as many passes. */
#ifndef HOLON_FORMULATIONS_SECANT_H
#define HOLON_FORMULATIONS_SECANT_H

#include <holon/status.h>

#include "base/arena.h"

enum { HOL_SECANT_DEPTH = 5 };

typedef struct HolSecant {
    int n, count;                                      /* numbers of x; differences there are */
    double *F[HOL_SECANT_DEPTH], *X[HOL_SECANT_DEPTH]; /* latest first; F made orthonormal in place, X along with it */
    double *f, *step;                                  /* of the pass before */
    int passes;                                        /* since the beginning */
} HolSecant;

HolStatus hol_secant_create(HolArena *arena, int n, HolSecant **secant);

/* Forgets all passes: another iteration begins, or another f. */
void hol_secant_begin(HolSecant *secant);

/* f (n numbers) becomes the step to take, by (1). */
void hol_secant_improve(HolSecant *secant, double *f);

/* How passes go on. */
typedef struct HolProgress {
    double change; /* size of the latest step */
    double best;   /* the smallest */
    int since;     /* passes without one half as large as that */
} HolProgress;

HolProgress hol_progress_begin(void);
void hol_progress_note(HolProgress *progress, double change);

#endif
