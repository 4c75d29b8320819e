/* SPDX-License-Identifier: BSD-3-Clause */
/* The cubic through the values and rates at both ends of a step h: what a test reads between two recorded states. */
#ifndef HOLON_TESTS_HERMITE_H
#define HOLON_TESTS_HERMITE_H

typedef struct HermiteEnd {
    double value, rate;
} HermiteEnd;

/* At the fraction x of the step from a to b. */
double hermite(double x, double h, HermiteEnd a, HermiteEnd b);

/* The fraction at which it leaves the sign that it has at a, by bisection. */
double hermite_sign_change(double h, HermiteEnd a, HermiteEnd b);

#endif
