/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanism/beams/shape.h"

/* N_i = prod_k (xi - x_k) / (x_i - x_k); dN_i is the sum over the factors, each replaced by its derivative. */
static void shape_interpolate(int n, const double *x, double xi, double *N, double *dN)
{
    for (int i = 0; i < n; ++i) {
        N[i] = 1;
        dN[i] = 0;
        for (int k = 0; k < n; ++k) {
            if (k == i)
                continue;
            dN[i] = (dN[i] * (xi - x[k]) + N[i]) / (x[i] - x[k]);
            N[i] *= (xi - x[k]) / (x[i] - x[k]);
        }
    }
}

const double *hol_shape_nodes(int n)
{
    static const double tables[3][4] = {{-1, 1}, {-1, 0, 1}, {-1, -0.44721359549995793928, 0.44721359549995793928, 1}};
    return tables[n - 2];
}

void hol_shape_functions(int n, double xi, double *N, double *dN)
{
    shape_interpolate(n, hol_shape_nodes(n), xi, N, dN);
}

const HolGauss *hol_gauss(int count)
{
    static const HolGauss tables[4][4] = {
        {{0, 2}},
        {{-0.57735026918962576451, 1}, {0.57735026918962576451, 1}},
        {{-0.77459666924148337704, 5.0 / 9}, {0, 8.0 / 9}, {0.77459666924148337704, 5.0 / 9}},
        {{-0.86113631159405257522, 0.34785484513745385737},
         {-0.33998104358485626480, 0.65214515486254614263},
         {0.33998104358485626480, 0.65214515486254614263},
         {0.86113631159405257522, 0.34785484513745385737}},
    };
    return tables[count - 1];
}

void hol_gauss_interpolate(int count, double xi, double *weights)
{
    double x[4], slopes[4];
    for (int i = 0; i < count; ++i)
        x[i] = hol_gauss(count)[i].xi;
    shape_interpolate(count, x, xi, weights, slopes);
}
