/* SPDX-License-Identifier: BSD-3-Clause */
/* A largest set of linearly independent rows of D at one point. */
#ifndef HOLON_COMPARE_INDEPENDENT_ROWS_H
#define HOLON_COMPARE_INDEPENDENT_ROWS_H

#include <holon/system.h>

#include "support.h"

/* chosen: m flags. As many holonomic rows as possible, then nonholonomic ones. terms hold D. Scratch is taken from the
 * pool. */
HolStatus hol_independent_rows(HolPool *pool, const HolTerms *terms, bool *chosen);

#endif
