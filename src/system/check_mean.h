/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of hol_system_check() for displace() and evaluate_mean(), from the point along numbers of order 1/50:
 *
 *     d displace(q, w)/dw = N(q) w at w = 0,   displace(displace(q, delta), -delta) = q                      (1)
 *     evaluate_mean(q, q) = evaluate(q)                                                                     (2)
 *     D delta - (Phi_b - Phi_a) and Q . delta - power - (V_a - V_b) vanish to third order in delta          (3)
 *
 * The potential is compared with the discrete gradient, if there is one, exactly. */
#ifndef HOLON_SYSTEM_CHECK_MEAN_H
#define HOLON_SYSTEM_CHECK_MEAN_H

#include <holon/system.h>

#include "base/arena.h"

/* HOL_OK at once without these functions. `terms` are overwritten; their inputs stay. */
HolStatus hol_system_check_mean(const HolSystem *system, const HolPoint *at, HolTerms *terms, HolArena *arena,
                                HolMessage *message);

#endif
