/* SPDX-License-Identifier: BSD-3-Clause */
/* The nearest x that meets the rows, with bounded work:
 *
 *     min |x - M^-1 f|_M  subject to  D x = c,   M x = f + D^T lambda                  (1)
 *
 * for all rows or for the holonomic ones alone, by one of two solvers. Which one is decided once, at creation:
 *
 *     block   the Schur complement (linalg/schur.h), for rows that are independent at the start
 *     dense   the Moore-Penrose inverse (inverse.h), for any rows: those that depend on others are met in the
 *             least-squares sense, and lambda is the shortest
 *
 * Neither iterates, reviews its choice of rows or repeats itself: one factorisation for each new M or D and set of
 * rows. HolKkt (kkt.h), which does all of that, is more careful near singular configurations, at varying cost. */
#ifndef HOLON_FORMULATIONS_ROW_SOLVER_H
#define HOLON_FORMULATIONS_ROW_SOLVER_H

#include "formulations/inverse.h"
#include "linalg/schur.h"

typedef enum HolRowSolverChoice { HOL_SOLVER_AUTOMATIC, HOL_SOLVER_BLOCK, HOL_SOLVER_DENSE } HolRowSolverChoice;

typedef enum HolRowSet { HOL_HOLONOMIC_ROWS, HOL_ALL_ROWS } HolRowSet;

typedef struct HolRowSolver {
    const HolPattern *pattern;
    HolInverse *inverse[2]; /* by HolRowSet, the same where all rows are holonomic; NULL: block */
    HolSchur *schur;        /* NULL: dense */
    bool constant_mass;
    unsigned char *not_holonomic; /* m flags */
    long stamp;                   /* of the M and D that the Schur complement is of, */
    HolRowSet set;                /* and the rows */
} HolRowSolver;

/* Needs all terms at the start in setup->work. HOL_UNSUPPORTED and a sentence, beginning with the name of who asks, if
 * the solver asked for cannot do it, or none can. */
HolStatus hol_row_solver_create(const HolSetup *setup, const char *name, HolRowSolverChoice choice,
                                HolRowSolver **solver);

/* (1) with the M and D of the workspace; f may be NULL for zero. c and lambda have m numbers; those of rows
 * outside of the set must be zero, and are. */
HolStatus hol_row_solver_solve(HolRowSolver *solver, HolWorkspace *work, HolRowSet set, const double *f,
                               const double *c, double *x, double *lambda);

/* At an accepted state, where the workspace stands. */
HolStatus hol_row_solver_prepare(HolRowSolver *solver, HolWorkspace *work);

/* Rank and smallest pivot of the latest solution with all rows. */
void hol_row_solver_report(const HolRowSolver *solver, HolStepReport *report);

#endif
