/* SPDX-License-Identifier: BSD-3-Clause */
/* What the operations of one value (range.c) and of two (range_pairs.c) share. */
#ifndef HOLON_BASE_EXPRESSION_RANGE_PARTS_H
#define HOLON_BASE_EXPRESSION_RANGE_PARTS_H

#include "base/expression/bounds.h"
#include "base/expression/range.h"

#define PI 3.14159265358979323846

static const double everything[2] = {-HUGE_VAL, HUGE_VAL};

/* Pieces */

uint64_t hol_piece_mix(uint64_t a, uint64_t b);
uint64_t hol_piece_of(double value);

static inline int count_switches(int a, int b)
{
    return a + b > 1 ? 2 : a + b;
}

/* How often x may pass a threshold that lies in its range. What is rounding cannot be resolved further: the two ends
 * of the interval decide. */
int hol_range_crossings(const HolRange *x);

/* Ranges */

HolRange hol_range_constant(double x);
/* What depends on other variables than time. */
HolRange hol_range_unknown(uint64_t piece, int switches);
/* A function that is constant in pieces is described by its value. */
HolRange hol_range_jump(double low, double high, double middle, int switches);
static inline bool range_is_clear(const HolRange *r)
{
    return r->known && r->switches == 0;
}

/* (1) and (2) */
void hol_range_narrow(HolRange *r, double radius);
/* g(x) with the bounds of g and of its derivatives. */
void hol_range_chain(HolRange *r, const double value[2], const double slope[2], const double curvature[2]);
/* g(x) of a function that is extreme at the ends, or at 0. */
void hol_range_hull(const HolOperation *operation, HolRange *r);

HolRange hol_range_binary(const HolOperation *operation, const HolRange *a, const HolRange *b, double radius);

#endif
