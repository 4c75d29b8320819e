/* SPDX-License-Identifier: BSD-3-Clause */
#include "hermite.h"

double hermite(double x, double h, HermiteEnd a, HermiteEnd b)
{
    double rest = 1 - x;
    return rest * rest * ((1 + 2 * x) * a.value + h * x * a.rate) + x * x * ((3 - 2 * x) * b.value - h * rest * b.rate);
}

double hermite_sign_change(double h, HermiteEnd a, HermiteEnd b)
{
    double low = 0, high = 1;
    for (int i = 0; i < 60; i++) {
        double x = (low + high) / 2;
        *(hermite(x, h, a, b) * a.value > 0 ? &low : &high) = x;
    }
    return low;
}
