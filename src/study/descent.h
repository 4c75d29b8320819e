/* SPDX-License-Identifier: BSD-3-Clause */
/* The way downhill to an equilibrium under given loads: Newton's steps on
 *
 *     f(q) + D^T lambda = 0,   Phi = 0,   f = Q(t, q, 0; load) - (1 - load) f_0                         (1)
 *
 * whose stiffness is raised by a multiple of the mass,
 *
 *     [ K + tau M   -D^T ] [   w    ]   [   f  ]
 *     [     D         0  ] [ lambda ] = [ -Phi ]      q <- q (+) w                                      (2)
 *
 * as long as a step would lead uphill or beyond where (2) holds. For large tau they are small steps along M^-1 f, those
 * of a body in syrup; for tau = 0 they are Newton's.
 *
 * Stiff parts that turn are strained by their straight way w, so that steps would have to be short. Where the end is
 * not near after some of them, a step that is not as expected goes on by Newton's passes on
 *
 *     f(q (+) x) + D^T lambda = tau M x,   Phi(q (+) x) = 0                                             (3)
 *
 * which is the step in syrup itself, stiffness and turning included. */
#ifndef HOLON_STUDY_DESCENT_H
#define HOLON_STUDY_DESCENT_H

#include <holon/static.h>

#include "base/arena.h"
#include "linalg/independent_rows.h"
#include "linalg/saddle.h"

typedef struct HolDescentWay {
    const HolSystem *system;
    const HolPattern *pattern;
    HolArena *arena;
    HolTerms *terms;
    HolSaddle *saddle;
    HolRowChoice *rows;
    unsigned char *left_out; /* rows that depend on others, as of the latest look */
    int left_out_count;
    double t, load;
    double *q, *q_new, *v; /* v stays zero */
    double *lambda, *lambda_new;
    double *f, *f_0;  /* nv: forces of (1), and those that act at the start */
    double *w, *more; /* nv: the step, and what then closes the rows */
    double *r, *y;    /* nv: what is left of (1); scratch */
    double *x;        /* nv: from q to q_new, of (3) */
    double *c, *mu;   /* m: scratch */
    double tau, tau_least, tau_unit;
    double syrup;  /* tau w^T M w of the latest step, in parts of w^T (K + tau M) w */
    bool corrects; /* (3) */
    double reach;  /* how far q may go before something is lost */
    bool is_lost;
    double imbalance, violation;
    double little;          /* imbalance that may be left to rounding where nothing resists */
    int redundant_at_start; /* rows that depend on others there, -1: not yet known */
    bool is_redundant;      /* rows depend on each other at the start: they are met by hol_assemble_positions() then */
    int runaway;            /* the block that moves most where nothing is found, -1 */
    int iterations;
} HolDescentWay;

HolStatus hol_descent_create(const HolSystem *system, double t, const double *q, HolArena *arena, HolDescentWay *way);
void hol_descent_destroy(HolDescentWay *way);

/* (1) from where it stands, for way->load. HOL_NO_CONVERGENCE: q is then somewhere on the way. */
HolStatus hol_descent_go(HolDescentWay *way, double tolerance, int most_iterations);

/* From an equilibrium under a smaller load to the one that continues it, by Newton's steps alone: few of them, of which
 * the first leads downhill and farther than all others together. Anything but HOL_OK: q and lambda are of no use. */
HolStatus hol_descent_follow(HolDescentWay *way, double tolerance);

#endif
