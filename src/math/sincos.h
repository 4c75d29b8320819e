/* SPDX-License-Identifier: BSD-3-Clause */
/* sin and cos of four angles at a sixth of libm's price: for |x| < 1e5 both are within 2.5e-16 of the truth.
 *
 * x = n pi/2 + r with |r| <= pi/4. pi/2 is split into three parts, of which the first two have 36 digits, so that their
 * products with n are exact. The polynomials are the best of their degree on [0, (pi/4)^2] for
 *
 *     sin r = r + r^3 P(r^2)   (relative error 2^-58),   cos r = 1 - r^2/2 + r^4 Q(r^2)   (2^-64). */
#ifndef HOLON_MATH_SINCOS_H
#define HOLON_MATH_SINCOS_H

#include "math/kernels.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef int64_t HolFourBits __attribute__((vector_size(32), aligned(8)));

/* The coefficients of P and Q, the highest first */
static const double hol_sincos_P[6] = {0x1.5d9300ffafae1p-33,  -0x1.ae5e663a9d3b1p-26, 0x1.71de3577b6ac2p-19,
                                       -0x1.a01a019c11996p-13, 0x1.111111110f87ap-7,   -0x1.5555555555549p-3};
static const double hol_sincos_Q[6] = {-0x1.8fae9c7b1e002p-37, 0x1.1ee9ebe931b32p-29,  -0x1.27e4f809f09efp-22,
                                       0x1.a01a019cb1bdap-16,  -0x1.6c16c16c1517ep-10, 0x1.555555555554cp-5};

/* Four numbers at x. Both functions of r are turned into those of x by exchanging them in odd quadrants n, and by the
 * sign: bit 1 of n for the sine, of n + 1 for the cosine. */
HOL_KERNEL void hol_sincos_reduced(const HolFour *x, HolFour *sine, HolFour *cosine)
{
    const double round = 0x1.8p52; /* added and taken away: the nearest integer, whose last bits are those of n */
    HolFour shifted = *x * 0x1.45f306dc9c883p-1 + round, n = shifted - round;
    HolFour r = *x - n * 0x1.921fb5444p+0 - n * 0x1.68c234c4cp-39 - n * 0x1.98a2e03707345p-77, z = r * r;
    HolFour P = z * hol_sincos_P[0] + hol_sincos_P[1], Q = z * hol_sincos_Q[0] + hol_sincos_Q[1];
    HOL_UNROLL
    for (int k = 2; k < 6; ++k) {
        P = P * z + hol_sincos_P[k];
        Q = Q * z + hol_sincos_Q[k];
    }
    HolFourBits s = (HolFourBits)(r + r * z * P), c = (HolFourBits)(1 - (0.5 * z - z * z * Q));
    HolFourBits bits = (HolFourBits)shifted, odd = -(bits & 1);
    *sine = (HolFour)(((s & ~odd) | (c & odd)) ^ (bits & 2) << 62);
    *cosine = (HolFour)(((c & ~odd) | (s & odd)) ^ ((bits + 1) & 2) << 62);
}

/* Of four angles; where one of them is large or not finite, libm does it. */
HOL_KERNEL void hol_sincos_four(const double *x, double *sine, double *cosine)
{
    if (!(fabs(x[0]) < 1e5 && fabs(x[1]) < 1e5 && fabs(x[2]) < 1e5 && fabs(x[3]) < 1e5)) {
        for (int i = 0; i < 4; ++i) {
            sine[i] = sin(x[i]);
            cosine[i] = cos(x[i]);
        }
        return;
    }
    HolFour angles = {x[0], x[1], x[2], x[3]};
    hol_sincos_reduced(&angles, (HolFour *)(void *)sine, (HolFour *)(void *)cosine);
}

#endif
