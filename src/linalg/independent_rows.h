/* SPDX-License-Identifier: BSD-3-Clause */
/* Which rows of D depend on the others.
 *
 * Pivots of D D^T are squares, so rounding hides everything below 1e-8 of a row in them, and a long chain of bodies
 * comes that close without any redundancy. They only raise the suspicion. A suspected row d is then compared with the
 * rows K that are kept, without squaring:
 *
 *     x = d - (its part in the span of K),   d is redundant if |x| <= tolerance |d|        (1)
 *
 * The part is taken away twice, which leaves x accurate to rounding. The work grows linearly with the system for each
 * suspected row.
 *
 * Which of several dependent rows is left out matters: as the mechanism turns, rows that are kept may come to depend on
 * each other. d = sum k_i d_i over the rows kept; where some |k_i d_i| is larger than |d|, row i is left out instead,
 * which makes the volume spanned by the rows kept larger by that factor, until there is none.                  (2)
 *
 * A caller may want the first rows kept where that is as good: then the last row that (2) would make as large a part of
 * an earlier one left out, but for 1 percent, is left out instead, until there is none.                        (3) */
#ifndef HOLON_LINALG_INDEPENDENT_ROWS_H
#define HOLON_LINALG_INDEPENDENT_ROWS_H

#include "linalg/schur.h"

typedef struct HolRowChoice HolRowChoice;

HolStatus hol_rows_create(HolArena *arena, const HolPattern *pattern, HolRowChoice **rows);

/* Flags the redundant rows in left_out (m flags) and counts them. */
HolStatus hol_rows_choose(HolRowChoice *rows, const double *D, double tolerance, unsigned char *left_out, int *count);

/* Its solver of D D^T, which others may use between two choices. */
HolSchur *hol_rows_solver(HolRowChoice *rows);

/* The smallest sine (1) of a row that hol_rows_choose() kept, and which row that is. Where it suspected none, sines are
 * large: then 1 and -1. */
double hol_rows_smallest_sine(const HolRowChoice *rows, int *row);

/* (3), right after hol_rows_choose() has left out some. */
HolStatus hol_rows_prefer_first(HolRowChoice *rows, const double *D, unsigned char *left_out);

#endif
