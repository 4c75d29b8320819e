/* SPDX-License-Identifier: BSD-3-Clause */
/* Direct solution of the equations of motion,
 *
 *     [ M  -D^T ] [ x      ]   [ f ]
 *     [ D    0  ] [ lambda ] = [ c ],                                             (1)
 *
 * by the solver that suits the system: the dual Schur complement, for which blocks may be merged and M shifted
 * (schur_merge.h), or where too many blocks would become one the augmented iteration with strong weights. The choice is
 * made once.
 *
 * Redundant rows. A row that is linearly dependent on the others initially is left out: after drift, or at a
 * Runge-Kutta stage, it is no longer exactly dependent, and an exact solution with it would lock the mechanism. The
 * choice (independent_rows.h) is reviewed at accepted states, when the pivots of the kept rows degrade or a row left
 * out violates its acceleration by more than the drift explains: then it is independent, as after a singular initial
 * configuration. Inside a step, where points are off the manifold by more, this holds for what their violation does not
 * explain; rows that it makes independent stay out.
 *
 * With hol_kkt_create_eliminating() the rows are chosen at every accepted state, the first ones among equals. A row
 * left out then stays out until the next state, and its lambda is zero. */
#ifndef HOLON_SOLVE_KKT_H
#define HOLON_SOLVE_KKT_H

#include "base/archive.h"
#include "linalg/rank/independent_rows.h"
#include "linalg/schur/schur.h"
#include "solve/augmented.h"
#include "solve/inverse.h"
#include "solve/refinement.h"

typedef struct HolKkt {
    const HolPattern *pattern;
    HolSchur *schur;           /* NULL where the augmented iteration is used */
    HolAugmented *augmented;   /* NULL where the Schur complement is used */
    HolInverse *inverse;       /* NULL unless hol_kkt_use_all_rows() was called and rows are redundant */
    double *x, *c;             /* with it: nv, m */
    HolRefinement *refinement; /* NULL where the Schur complement loses no digits */
    bool constant_mass;
    unsigned char *left_out, *left_out_before; /* m flags; scratch */
    int left_out_count;
    bool choose_anew;
    bool eliminates;    /* rows are chosen at every accepted state */
    double tolerance;   /* then: of the rank decision */
    double *weights;    /* then, with the augmented iteration: of the rows while they are kept */
    int growth;         /* how often the weights of the augmented iteration have been raised */
    HolRowChoice *rows; /* NULL where nothing was redundant at the start */
    double pivot;       /* of the rows kept, when they were chosen, */
    double poor;        /* and the part of it below which they are chosen again */
    double missed;      /* residual of the rows left out, in the latest motion, relative to 1 + max |c| */
    double *residual;
    long stamp;
} HolKkt;

/* Needs M, D and Phi of the start in setup->work: a row whose independence is no larger than the violation counts as
 * redundant. */
HolStatus hol_kkt_create(const HolSetup *setup, HolKkt **kkt);

HolStatus hol_kkt_create_eliminating(const HolSetup *setup, double tolerance, HolKkt **kkt);

/* For formulations without projection. Rows that are left out drift with the others, multiplied by how nearly dependent
 * those are, and take that over when they are chosen again: where the choice changes as a mechanism turns, the drift
 * grows by this factor each time. Where rows are redundant and the system is small enough for dense matrices, x then
 * satisfies all rows in the least-squares sense (inverse.h), which no choice disturbs; lambda remains that of the rows
 * kept. hol_kkt_accelerate() then stabilises with hol_gains_of_motion(). */
HolStatus hol_kkt_use_all_rows(const HolSetup *setup, double tolerance, HolKkt *kkt);

/* Solves (1) with the M and D of the workspace; f may be NULL for zero. What has been factored for them already is used
 * again. Rank and pivot go to the report. */
HolStatus hol_kkt_solve(HolKkt *kkt, HolWorkspace *work, const double *f, const double *c, double *x, double *lambda,
                        HolStepReport *report);

/* Whether D and its factors are those of a stage of the step under way, at the time of the workspace: of a point
 * nearby. Then (1) with f = 0 can be solved with them, until M or D are evaluated anew. */
bool hol_kkt_stands_near(const HolKkt *kkt, const HolWorkspace *work);
void hol_kkt_solve_nearby(HolKkt *kkt, const double *c, double *x, double *lambda);

/* The factors of (1) for the M and D of the workspace, unless there are these already; x and lambda are scratch. */
HolStatus hol_kkt_factor(HolKkt *kkt, HolWorkspace *work, double *x, double *lambda);
/* (1) with f = 0 and the present factors, wherever the workspace has moved since. `terms` has their M and D. Rows are
 * not chosen anew: rows left out follow from the others. */
HolStatus hol_kkt_solve_again(HolKkt *kkt, const HolWorkspace *work, const HolTerms *terms, const double *c, double *x,
                              double *lambda);

/* accelerate() and prepare() of formulations whose self begins with a HolKkt *. */
HolStatus hol_kkt_accelerate(void *self, HolWorkspace *work, double h, double *vdot, double *lambda,
                             HolStepReport *report);
HolStatus hol_kkt_prepare(void *self, HolWorkspace *work, HolStepReport *report);

/* archive() of formulations that have nothing else to list, and whose self begins with a HolKkt *. */
void hol_kkt_archive_of(void *self, HolArchive *archive);
void hol_kkt_archive(HolKkt *kkt, HolArchive *archive);

/* At an accepted state: chooses the rows again, or only if they have become a poor choice. */
HolStatus hol_kkt_review(HolKkt *kkt, HolWorkspace *work, const HolStepReport *report);

#endif
