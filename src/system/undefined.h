/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a system is not defined, evaluate() returns HOL_SINGULAR, and may tell here whose rows those are: the edge that
 * stands upright, the disc that lies flat. */
#ifndef HOLON_SYSTEM_UNDEFINED_H
#define HOLON_SYSTEM_UNDEFINED_H

#include <holon/system.h>

/* Returns the status, after noting the group unless it is HOL_OK. */
HolStatus hol_terms_note(HolTerms *terms, int group, HolStatus status);

/* What was noted in the latest evaluation; -1: nothing. */
int hol_terms_undefined(const HolTerms *terms);

#endif
