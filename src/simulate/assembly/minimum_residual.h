/* SPDX-License-Identifier: BSD-3-Clause */
/* Searches the configuration of minimum constraint violation, from any distance.
 *
 *     (M + D^T diag(w) D) dq = -D^T diag(w) Phi,   w_i = 1 / (mu s_i^2)                             (1)
 *
 * is the Levenberg-Marquardt step for F = 1/2 sum (Phi_i / s_i)^2 (row_residual.h). It equals
 *
 *     dq = -M^-1 D^T (D M^-1 D^T + mu diag(s)^2)^-1 Phi,                                            (2)
 *
 * for small mu the step of least mass norm that satisfies all rows to first order, for large mu a short descent step; D
 * may have any rank. mu falls while F falls as D predicts, and rises where it does not, so that steps stay within the
 * validity of D. Nonholonomic rows require D dq = 0, with the smallest mu.
 *
 * Where F stagnates although constraints are violated, the point may be a saddle (collinear links act along their line
 * only) or a local minimum. Further descents then begin near it, and if they find nothing better, near the initial
 * configuration and with equal masses. Their random numbers are always the same. Any remaining violation is minimised
 * in the units of the rows.
 *
 * Each iteration costs time in proportion to the system. */
#ifndef HOLON_SIMULATE_ASSEMBLY_MINIMUM_RESIDUAL_H
#define HOLON_SIMULATE_ASSEMBLY_MINIMUM_RESIDUAL_H

#include "base/arena.h"
#include "system/workspace.h"

typedef struct HolMinimumResidual HolMinimumResidual;

HolStatus hol_minimum_residual_create(HolArena *arena, HolWorkspace *work, HolMinimumResidual **search);

/* Searches from (t, q, v) until the largest violation, as a distance, is at most `small`. HOL_NO_CONVERGENCE if no such
 * point was found: q then has the minimum violation. Other failures are the system's own. The workspace is left at q
 * with M, Phi and D evaluated. */
HolStatus hol_minimum_residual_find(HolMinimumResidual *search, double small, double t, double *q, const double *v);

#endif
