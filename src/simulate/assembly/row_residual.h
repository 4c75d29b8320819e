/* SPDX-License-Identifier: BSD-3-Clause */
/* The violation of all rows at one point, and the sizes that it is measured with in minimum_residual.h.
 *
 *     F = 1/2 sum (Phi_i / s_i)^2                                                                   (1)
 *
 * During a descent s_i^2 = D_i M^-1 D_i^T: F is then measured by the masses, and the units of rows and coordinates do
 * not matter. To minimise what remains, s_i is the largest |D_ij| of the coordinates j in which row i is linear, as
 * revolute and spherical joints are in translations (of all coordinates where there is none): Phi_i / s_i is then a
 * distance in the unit of the row, and masses do not matter. */
#ifndef HOLON_SIMULATE_ASSEMBLY_ROW_RESIDUAL_H
#define HOLON_SIMULATE_ASSEMBLY_ROW_RESIDUAL_H

#include "base/arena.h"
#include "system/workspace.h"

typedef struct HolRowResidual {
    const HolPattern *pattern;
    double reach;      /* the largest distance by which a row can be violated */
    bool equal_masses; /* M is scaled to equal masses of all blocks */
    bool own_units;    /* s_i in the unit of the row */

    /* At the latest point. Massless coordinates have a small mass in M. */
    double *M, *D, *Phi;
    double *size;    /* s_i; never zero */
    double F, open;  /* (1), max |Phi_i| / s_i */
    double distance; /* max |Phi_i| in the units of the rows */
    double score;    /* (1) in them */
    double mobility; /* max D_i M^-1 D_i^T / s_i^2 */

    unsigned char *is_linear; /* for each number of D: it was the same at all points */
    bool is_first;            /* no point has been read yet */
    double *yield, *length, *scratch;
} HolRowResidual;

HolStatus hol_row_residual_create(HolArena *arena, const HolPattern *pattern, HolRowResidual **rows);

/* Begins a series of points. */
void hol_row_residual_reset(HolRowResidual *rows, double reach);

/* Reads M, Phi and D from the terms. Sizes are measured anew, or grow where a row is larger than before, which only
 * lowers F. */
void hol_row_residual_read(HolRowResidual *rows, const HolTerms *terms, bool anew);

/* (1) for other Phi. */
double hol_row_residual_sum(const HolRowResidual *rows, const double *Phi);

/* The i-th mass of a block. */
static inline double *hol_row_residual_mass(const HolRowResidual *rows, int block, int i)
{
    const int *start = rows->pattern->block_start;
    return &rows->M[rows->pattern->mass_start[block] + i * (start[block + 1] - start[block] + 1)];
}

#endif
