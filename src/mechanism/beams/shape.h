/* SPDX-License-Identifier: BSD-3-Clause */
/* Lagrange polynomials on [-1, 1], and Gauss's points there. */
#ifndef HOLON_MECHANISM_BEAMS_SHAPE_H
#define HOLON_MECHANISM_BEAMS_SHAPE_H

#include "mechanism/beams/beam.h"

/* The places of n nodes, Lobatto's: -1, 1, and in between where the error of interpolation has the mean zero, so that
 * axes, which between nodes are not quite of unit length, are too short and too long by turns. */
const double *hol_shape_nodes(int n);
/* Of these nodes: values and derivatives at xi. */
void hol_shape_functions(int n, double xi, double *N, double *dN);

/* The count (1 ... 4) points and weights that integrate polynomials of degree 2 count - 1. */
typedef struct HolGauss {
    double xi, weight;
} HolGauss;
const HolGauss *hol_gauss(int count);

/* The weights by which values at count Gauss points give the value at xi of the polynomial through them. */
void hol_gauss_interpolate(int count, double xi, double *weights);

#endif
