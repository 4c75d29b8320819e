/* SPDX-License-Identifier: BSD-3-Clause */
/* The nearest x that satisfies the rows, at a fixed cost:
 *
 *     min |x - M^-1 f|_M  subject to  D x = c,   M x = f + D^T lambda                  (1)
 *
 * for all rows or for the holonomic ones alone, by one of two solvers. Which one is decided once, at creation:
 *
 *     block   the Schur complement (linalg/schur), for rows that are independent at the start
 *     dense   the Moore-Penrose inverse (inverse.h), for any rows: redundant rows are satisfied in the
 *             least-squares sense, and lambda has minimum norm
 *
 * Neither iterates or chooses rows anew: one factorisation for each new M or D and set of rows, so that the cost per
 * step is constant, which explicit-dae promises. Where bodies are far lighter than their neighbours, refinement
 * (refinement.h) adds at most five solutions with these factors. HolKkt (kkt.h) is more robust near singular
 * configurations, at varying cost. */
#ifndef HOLON_SOLVE_ROW_SOLVER_H
#define HOLON_SOLVE_ROW_SOLVER_H

#include "linalg/schur/schur.h"
#include "solve/inverse.h"
#include "solve/refinement.h"

typedef enum HolRowSolverChoice { HOL_SOLVER_AUTOMATIC, HOL_SOLVER_BLOCK, HOL_SOLVER_DENSE } HolRowSolverChoice;

typedef enum HolRowSet { HOL_HOLONOMIC_ROWS, HOL_ALL_ROWS } HolRowSet;

typedef struct HolRowSolver {
    const HolPattern *pattern;
    HolInverse *inverse[2];    /* by HolRowSet, the same where all rows are holonomic; NULL: block */
    HolSchur *schur;           /* NULL: dense */
    HolRefinement *refinement; /* NULL where the Schur complement loses no digits */
    bool constant_mass;
    unsigned char *not_holonomic; /* m flags */
    long stamp;                   /* of the M and D that the Schur complement is of, */
    HolRowSet set;                /* and the rows */
} HolRowSolver;

/* Needs all terms of the initial state in setup->work. HOL_UNSUPPORTED and a message that begins with the name of the
 * formulation if the chosen solver, or every solver, does not apply. */
HolStatus hol_row_solver_create(const HolSetup *setup, const char *name, HolRowSolverChoice choice,
                                HolRowSolver **solver);

/* (1) with the M and D of the workspace; f may be NULL for zero. c and lambda have m numbers; those of rows
 * outside of the set must be zero, and are. */
HolStatus hol_row_solver_solve(HolRowSolver *solver, HolWorkspace *work, HolRowSet set, const double *f,
                               const double *c, double *x, double *lambda);

/* Called at an accepted state, which the workspace is at. */
HolStatus hol_row_solver_prepare(HolRowSolver *solver, HolWorkspace *work);

void hol_row_solver_archive(HolRowSolver *solver, HolArchive *archive);

/* Rank and smallest pivot of the latest solution with all rows. */
void hol_row_solver_report(const HolRowSolver *solver, HolStepReport *report);

#endif
