/* SPDX-License-Identifier: BSD-3-Clause */
/* The point where the rows are violated least, from however far away.
 *
 *     (M + D^T diag(w) D) dq = -D^T diag(w) Phi,   w_i = 1 / (mu s_i^2)                             (1)
 *
 * is the step of Levenberg and Marquardt for F = 1/2 sum (Phi_i / s_i)^2 (open_rows.h). It is the same as
 *
 *     dq = -M^-1 D^T (D M^-1 D^T + mu diag(s)^2)^-1 Phi,                                            (2)
 *
 * for small mu the shortest step in the norm of the masses that closes all rows to first order, for large mu a short
 * one downhill; D may have any rank. mu falls while F falls as D foretells, and rises where it does not, so that steps
 * are no longer than D can be trusted. Nonholonomic rows ask D dq = 0, with the smallest mu there is.
 *
 * Where F no longer falls although rows are open, the point may be a saddle (links drawn in one line push and pull
 * along it only), or a minimum that another way would have avoided. A descent then begins beside it, and if that leads
 * to nothing better, beside the start and with bodies that are all equally heavy, a few times. The random numbers for
 * it are always the same. Of what still stays open the least gap is settled in the rows' own units.
 *
 * Each iteration costs time in proportion to the system. */
#ifndef HOLON_SIMULATE_LEAST_GAP_H
#define HOLON_SIMULATE_LEAST_GAP_H

#include "base/arena.h"
#include "system/workspace.h"

typedef struct HolLeastGap HolLeastGap;

HolStatus hol_least_gap_create(HolArena *arena, HolWorkspace *work, HolLeastGap **search);

/* From (t, q, v) until no row is open by more than the distance `small`. HOL_NO_CONVERGENCE if no such point was found:
 * q is then the one of the least gap. Other failures are the system's own. The workspace is left standing at q with M,
 * Phi and D evaluated. */
HolStatus hol_least_gap_find(HolLeastGap *search, double small, double t, double *q, const double *v);

/* Iterations of (1) since the search was created. */
long hol_least_gap_iterations(const HolLeastGap *search);

#endif
