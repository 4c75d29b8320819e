/* SPDX-License-Identifier: BSD-3-Clause */
/* sin and cos of one angle at half the price of libm: for |x| < 1e5 both are within 2.5e-16 of the truth.
 *
 * x = n pi/2 + r with |r| <= pi/4. pi/2 stands in three parts of which the first two have 36 digits, so that their
 * products with n are exact. The polynomials are the best of their degree on [0, (pi/4)^2] for
 *
 *     sin r = r + r^3 P(r^2)   (relative error 2^-58),   cos r = 1 - r^2/2 + r^4 Q(r^2)   (2^-64). */
#ifndef HOLON_MATH_SINCOS_H
#define HOLON_MATH_SINCOS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef double HolSincosPair __attribute__((vector_size(16)));

/* P(z) and Q(z) side by side */
static inline HolSincosPair hol_sincos_PQ(double z)
{
    static const HolSincosPair c[6] = {
        {-0x1.5555555555549p-3, 0x1.555555555554cp-5},   {0x1.111111110f87ap-7, -0x1.6c16c16c1517ep-10},
        {-0x1.a01a019c11996p-13, 0x1.a01a019cb1bdap-16}, {0x1.71de3577b6ac2p-19, -0x1.27e4f809f09efp-22},
        {-0x1.ae5e663a9d3b1p-26, 0x1.1ee9ebe931b32p-29}, {0x1.5d9300ffafae1p-33, -0x1.8fae9c7b1e002p-37},
    };
    return c[0] + z * (c[1] + z * (c[2] + z * (c[3] + z * (c[4] + z * c[5]))));
}

static inline void hol_sincos(double x, double *sine, double *cosine)
{
    static const double sign[5] = {1, 1, -1, -1, 1}; /* of sin in the quadrants, and of cos one further */
    const double round = 0x1.8p52;                   /* added and taken away: the nearest integer */
    if (!(fabs(x) < 1e5)) {
        *sine = sin(x);
        *cosine = cos(x);
        return;
    }
    double shifted = x * 0x1.45f306dc9c883p-1 + round, n = shifted - round;
    uint64_t bits; /* whose last ones are those of n */
    memcpy(&bits, &shifted, sizeof bits);
    double r = x - n * 0x1.921fb5444p+0 - n * 0x1.68c234c4cp-39 - n * 0x1.98a2e03707345p-77, z = r * r;
    HolSincosPair pq = hol_sincos_PQ(z);
    double s = r + r * z * pq[0], c = 1 - (0.5 * z - z * z * pq[1]);
    const double *quadrant = sign + (bits & 3);
    *sine = quadrant[0] * (bits & 1 ? c : s);
    *cosine = quadrant[1] * (bits & 1 ? s : c);
}

#endif
