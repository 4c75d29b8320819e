/* SPDX-License-Identifier: BSD-3-Clause */
/* The equations of motion solved as they stand,
 *
 *     [ M  -D^T ] [ x      ]   [ f ]
 *     [ D    0  ] [ lambda ] = [ c ],                                             (1)
 *
 * by whichever solver fits the system: the dual Schur complement, for which blocks may be merged and M shifted
 * (schur_merge.h), or where too many blocks would become one the augmented iteration with strong weights. The choice is
 * made once.
 *
 * Redundant rows. A row that depends on the others at the start is left out for good: once the state has drifted, or
 * inside a Runge-Kutta stage, it is no longer exactly dependent, and an exact solve with it would lock the mechanism.
 * The choice (independent_rows.h) is reviewed at accepted states, when the pivots of the kept rows degrade or a row
 * left out misses its acceleration by more than the drift explains: then it is independent after all, as after a
 * singular start. If it misses badly inside a step, all rows are taken at once, until the next accepted state.
 *
 * Or the caller has them chosen at every accepted state (hol_kkt_create_eliminating), the first ones where that is as
 * good. Then a row left out stays out until the next one, whatever it misses, and its lambda is zero. */
#ifndef HOLON_FORMULATIONS_KKT_H
#define HOLON_FORMULATIONS_KKT_H

#include "formulations/augmented.h"
#include "linalg/independent_rows.h"
#include "linalg/schur.h"

typedef struct HolKkt {
    const HolPattern *pattern;
    HolSchur *schur;         /* NULL where the augmented iteration is used */
    HolAugmented *augmented; /* NULL where the Schur complement is used */
    bool constant_mass;
    unsigned char *left_out; /* m flags */
    int left_out_count;
    bool choose_anew;
    bool eliminates;    /* chooses at every accepted state */
    double tolerance;   /* then: how little of a row is nothing */
    double *weights;    /* then, with the augmented iteration: those of the rows while they are kept */
    int growth;         /* how often the weights of the augmented iteration have been raised */
    HolRowChoice *rows; /* NULL where nothing was redundant at the start */
    double pivot;       /* of the rows kept, when they were chosen */
    double missed;      /* by the rows left out, in the latest motion, relative to 1 + max |c| */
    double *residual;
    long stamp;
} HolKkt;

/* Needs M, D and Phi of the start in setup->work: a row whose independence is no larger than the violation counts as
 * redundant. */
HolStatus hol_kkt_create(const HolSetup *setup, HolKkt **kkt);

HolStatus hol_kkt_create_eliminating(const HolSetup *setup, double tolerance, HolKkt **kkt);

/* Solves (1) with the M and D of the workspace; f may be NULL for zero. What has been factored for them already is used
 * again. Rank and pivot go to the report. */
HolStatus hol_kkt_solve(HolKkt *kkt, HolWorkspace *work, const double *f, const double *c, double *x, double *lambda,
                        HolStepReport *report);

/* Whether D and its factors are those of a stage of the step under way, at the time of the workspace: of a point
 * nearby. Then (1) with f = 0 can be solved with them, until M or D are evaluated anew. */
bool hol_kkt_stands_near(const HolKkt *kkt, const HolWorkspace *work);
void hol_kkt_solve_nearby(HolKkt *kkt, const double *c, double *x, double *lambda);

/* accelerate() and prepare() of formulations whose self begins with a HolKkt *. */
HolStatus hol_kkt_accelerate(void *self, HolWorkspace *work, double h, double *vdot, double *lambda,
                             HolStepReport *report);
HolStatus hol_kkt_prepare(void *self, HolWorkspace *work, HolStepReport *report);

/* At an accepted state: chooses the rows again, or only if they have become a poor choice. */
HolStatus hol_kkt_review(HolKkt *kkt, HolWorkspace *work, const HolStepReport *report);

#endif
