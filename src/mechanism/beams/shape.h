/* SPDX-License-Identifier: BSD-3-Clause */
/* Lagrange polynomials and Gauss points on [-1, 1]. */
#ifndef HOLON_MECHANISM_BEAMS_SHAPE_H
#define HOLON_MECHANISM_BEAMS_SHAPE_H

#include "mechanism/parts/beam.h"

/* The n Gauss-Lobatto nodes. The interpolation error has zero mean on them: interpolated axes, which are not quite of
 * unit length between nodes, are alternately too short and too long. */
const double *hol_shape_nodes(int n);
/* The polynomials of these nodes: values and derivatives at xi. */
void hol_shape_functions(int n, double xi, double *N, double *dN);

/* The count (1 ... 4) points and weights that integrate polynomials of degree 2 count - 1. */
typedef struct HolGauss {
    double xi, weight;
} HolGauss;
const HolGauss *hol_gauss(int count);

/* The weights by which values at count Gauss points give the value at xi of the polynomial through them. */
void hol_gauss_interpolate(int count, double xi, double *weights);

#endif
