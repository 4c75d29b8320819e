/* SPDX-License-Identifier: BSD-3-Clause */
/* How far the rows are open at one point, and how large a row is: the yardsticks of least_gap.h.
 *
 *     F = 1/2 sum (Phi_i / s_i)^2                                                                   (1)
 *
 * While gaps are closed, s_i^2 = D_i M^-1 D_i^T: then F is measured by the masses, and neither the unit of a row nor
 * those of the coordinates matter. To tell which gap is the least, s_i is the largest |D_ij| of the coordinates j that
 * row i is linear in, as pins and balls are in translations (of all coordinates where there is none): then Phi_i / s_i
 * is a distance in the row's own unit, and masses do not matter. */
#ifndef HOLON_SIMULATE_OPEN_ROWS_H
#define HOLON_SIMULATE_OPEN_ROWS_H

#include "base/arena.h"
#include "system/workspace.h"

typedef struct HolOpenRows {
    const HolPattern *pattern;
    double reach;      /* no row is farther from being closed than this distance */
    bool equal_masses; /* M is scaled until all blocks are equally heavy */
    bool own_units;    /* s_i in the row's own unit */

    /* At the latest point. M has a little mass everywhere. */
    double *M, *D, *Phi;
    double *size;    /* s_i; never zero */
    double F, open;  /* (1), max |Phi_i| / s_i */
    double distance; /* max |Phi_i| in the rows' own units */
    double score;    /* (1) in them */
    double mobility; /* max D_i M^-1 D_i^T / s_i^2 */

    unsigned char *is_linear; /* for each number of D: it has been the same everywhere */
    bool is_first;            /* nothing has been read yet */
    double *yield, *length, *scratch;
} HolOpenRows;

HolStatus hol_open_rows_create(HolArena *arena, const HolPattern *pattern, HolOpenRows **rows);

/* Before the first of a series of points. */
void hol_open_rows_reset(HolOpenRows *rows, double reach);

/* Reads M, Phi and D from the terms. Sizes are measured anew, or grow where a row is larger than before, which can only
 * lower F. */
void hol_open_rows_read(HolOpenRows *rows, const HolTerms *terms, bool anew);

/* (1) for other Phi. */
double hol_open_rows_sum(const HolOpenRows *rows, const double *Phi);

/* The i-th mass of a block. */
static inline double *hol_open_rows_mass(const HolOpenRows *rows, int block, int i)
{
    const int *start = rows->pattern->block_start;
    return &rows->M[rows->pattern->mass_start[block] + i * (start[block + 1] - start[block] + 1)];
}

#endif
