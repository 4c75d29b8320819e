/* SPDX-License-Identifier: BSD-3-Clause */
/* Units of measurement: names, factors to SI, and how dimensions are combined (types in expression.h).
 *
 * An angle is a dimension of its own, but a length times an angle is an arc, again a length: where metres or kilograms
 * take part, additional radians are overlooked. */
#ifndef HOLON_BASE_UNITS_H
#define HOLON_BASE_UNITS_H

#include "base/expression/expression.h"

enum { HOL_UNIT_HIGHEST_POWER = 9 }; /* of one unit, m^9 */

/* A number in this unit times `times`, over `over`, is SI. Two factors, so that 3 mm is 3 / 1000, correctly rounded. */
typedef struct HolScale {
    double times, over;
    HolDimension dimension;
} HolScale;

HolScale hol_scale_one(void);
bool hol_unit_exists(const char *name, size_t length);
HolScale hol_scale_of(const char *name, size_t length); /* of a unit that exists */
/* Multiplies by factor^power; false if the powers or factors leave all bounds. */
bool hol_scale_multiply(HolScale *scale, const HolScale *factor, int power);
/* The unit that was probably meant by one that does not exist, or NULL. */
const char *hol_unit_nearest(const char *name);

/* False if the powers leave all bounds. */
bool hol_dimension_multiply(HolDimension a, HolDimension b, int power_of_b, HolDimension *product);
bool hol_dimension_power(HolDimension a, double power, HolDimension *result); /* free if powers are not whole */
/* The dimension of a sum; false if there is none. */
bool hol_dimension_merge(HolDimension a, HolDimension b, HolDimension *common);
bool hol_dimension_is_number(HolDimension a); /* or may be one: m/m, pure, free */
bool hol_dimension_is_angle(HolDimension a);  /* or a number */

#endif
