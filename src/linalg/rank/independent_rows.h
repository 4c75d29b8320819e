/* SPDX-License-Identifier: BSD-3-Clause */
/* Which rows of D depend on the others.
 *
 * Pivots of D D^T are squared sines, in which rounding hides sines below 1e-8; long chains of bodies come close to
 * that without any redundancy. So a small pivot only selects a row d for a test without squares, against the rows K
 * that are kept:
 *
 *     x = d - (its part in the span of K),   d is redundant if |x| <= tolerance |d|        (1)
 *
 * The part is subtracted twice, which leaves x accurate to rounding. The work per tested row is linear in the size of
 * the system.
 *
 * Which of several dependent rows is left out matters: as the mechanism moves, rows that are kept may become dependent
 * on each other. With d = sum k_i d_i over the rows kept, a row i with |k_i d_i| > |d| is left out instead of d. This
 * enlarges the volume spanned by the rows kept by that ratio, and is repeated until there is no such row.      (2)
 *
 * A caller may prefer to keep the first rows. Then an earlier row that is left out replaces the last row for which the
 * ratio in (2) is at least 0.99, until there is none.                                                          (3) */
#ifndef HOLON_LINALG_RANK_INDEPENDENT_ROWS_H
#define HOLON_LINALG_RANK_INDEPENDENT_ROWS_H

#include "linalg/schur/schur.h"

typedef struct HolRowChoice HolRowChoice;

HolStatus hol_rows_create(HolArena *arena, const HolPattern *pattern, HolRowChoice **rows);

/* Flags the redundant rows in left_out (m flags) and counts them. */
HolStatus hol_rows_choose(HolRowChoice *rows, const double *D, double tolerance, unsigned char *left_out, int *count);

/* The same in memory of its own, which is freed; left_out may be NULL. */
HolStatus hol_rows_choose_once(const HolPattern *pattern, const double *D, double tolerance, unsigned char *left_out,
                               int *count);

/* Its solver of D D^T, which others may use between two choices. */
HolSchur *hol_rows_solver(HolRowChoice *rows);

/* The smallest sine (1) of a row that hol_rows_choose() tested and kept, and its index. If no pivot was small enough
 * for a test, 1 and -1. */
double hol_rows_smallest_sine(const HolRowChoice *rows, int *row);

/* (3), right after hol_rows_choose() has left out some. */
HolStatus hol_rows_prefer_first(HolRowChoice *rows, const double *D, unsigned char *left_out);

#endif
