/* SPDX-License-Identifier: BSD-3-Clause */
/* Dormand-Prince 5(4), adaptive (docs/methods/dopri5.md), by embedded.h: seven stages, the last of them at the result
 * itself, with a difference to an embedded result of order 4.
 *
 * Dense output: the cubic of y_0, k_1, y_1, k_7 misses only the last condition of order 4, on theta^4, by
 * theta^2 (1 - theta)^2. That bubble carries the correction, so the ends stay as they are:
 *
 *     b_i(theta) = theta^2 (3 - 2 theta) b_i + [i=1] theta (1-theta)^2 - [i=7] theta^2 (1-theta)
 *                  + theta^2 (1-theta)^2 d_i                                                             (1)
 *
 * with sum d_i Phi_i(tree) gamma(tree) = 1 for the trees of order 4 and 0 for the smaller ones. */
#include "base/message.h"
#include "integrators/embedded.h"

enum { STAGES = 7 };

static const double c[STAGES] = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};

static const double a[STAGES][STAGES] = {
    {0},
    {1. / 5},
    {3. / 40, 9. / 40},
    {44. / 45, -56. / 15, 32. / 9},
    {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
    {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
    {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84},
};
static const double *const b = a[STAGES - 1];

static const double e[STAGES] = {
    71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40,
};

static const double d[STAGES] = {
    -12715105075. / 11282082432,  0,
    87487479700. / 32700410799,   -10690763975. / 1880347072,
    701980252875. / 199316789632, -1453857185. / 822651844,
    69997945. / 29380423,
};

/* (1) */
static void dopri5_weights(double theta, double *w)
{
    const double rest = 1 - theta;
    const double end = theta * theta * (3 - 2 * theta), bubble = theta * theta * rest * rest;
    for (int i = 0; i < STAGES; ++i)
        w[i] = end * b[i] + bubble * d[i];
    w[0] += theta * rest * rest;
    w[STAGES - 1] -= theta * theta * rest;
}

const HolEmbeddedScheme hol_dopri5_scheme = {
    .stages = STAGES,
    .dense_stages = STAGES,
    .result = STAGES - 1,
    .power = 0.2,
    .c = c,
    .a = a[0],
    .e = e,
    .weights = dopri5_weights,
};

static HolStatus dopri5_create(HolArena *arena, const HolRates *rates, const void *options, void **self)
{
    return hol_embedded_create(arena, rates, &hol_dopri5_scheme, options, self);
}

const HolIntegratorKind hol_dopri5 = {
    .name = "dopri5",
    .title = "Dormand-Prince 5(4), adaptive step, dense output",
    .page = "docs/methods/dopri5.md",
    .order = 5,
    HOL_EMBEDDED_KIND,
    .create = dopri5_create,
};
