/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate/automatic/fastest.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"

#include <complex.h>
#include <math.h>
#include <string.h>

enum { MOST_ITERATIONS = 40, LEAST_ITERATIONS = 6 };

HolStatus hol_probe_create(HolArena *arena, const HolRates *rates, HolProbe **probe)
{
    HolProbe *p = *probe = hol_arena_alloc(arena, sizeof *p);
    if (!p)
        return HOL_NO_MEMORY;
    HOL_DOUBLES(arena, rates->size, &p->y, &p->f, &p->f_near, &p->unit, &p->z[0], &p->z[1], &p->z[2]);
    return hol_arena_status(arena);
}

/* Positions are compared in units of the system, velocities in those of one step: both are balanced where |s| h = 1. */
static void probe_set_units(HolProbe *p, const HolRates *r, double h)
{
    memcpy(p->unit, r->unit, (size_t)r->controlled * sizeof *p->unit);
    for (int i = r->nq; i < r->controlled && !r->kind->state; ++i)
        p->unit[i] *= r->work->time / h;
}

/* Any vector that is in no plane of symmetry; the same in all runs. */
static void probe_begin(const HolProbe *p, int n, double *z)
{
    unsigned long long x = 1;
    for (int i = 0; i < n; ++i) {
        x = x * 6364136223846793005ULL + 1442695040888963407ULL;
        z[i] = p->unit[i] * ((double)(x >> 40) / (1 << 23) - 1);
    }
}

static double probe_dot(const HolProbe *p, int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; ++i)
        sum += x[i] / p->unit[i] * (y[i] / p->unit[i]);
    return sum;
}

/* Divides z by its norm, which it returns. */
static double probe_normalise(const HolProbe *p, int n, double *z)
{
    double norm = sqrt(probe_dot(p, n, z, z));
    for (int i = 0; i < n && norm > 0; ++i)
        z[i] /= norm;
    return norm;
}

/* Jz = (f(y + e z) - f(y)) / e */
static HolStatus probe_multiply(HolProbe *p, HolRates *r, double t, double h, const double *y, const double *z,
                                double *Jz)
{
    double largest = 0;
    for (int i = 0; i < r->controlled; ++i)
        largest = fmax(largest, fabs(y[i]) / p->unit[i]);
    const double e = sqrt(HOL_ROUNDINGS(1)) * fmax(1, largest);
    for (int i = 0; i < r->controlled; ++i)
        p->y[i] = y[i] + e * z[i];
    p->y[r->size - 1] = y[r->size - 1];
    HOL_TRY(hol_rates_evaluate(r, t, h, p->y, p->f_near));
    for (int i = 0; i < r->controlled; ++i)
        Jz[i] = (p->f_near[i] - p->f[i]) / e;
    return HOL_OK;
}

/* (2) with norm = n_1: the larger root. A single real eigenvalue has z_1 parallel to z_0. Of a pair +-s, as of a
 * saddle, rounding would choose one: the motion that grows hides what a step makes of the other. */
static double complex probe_fit(const HolProbe *p, int n, double norm)
{
    const double *z0 = p->z[0], *z1 = p->z[1], *Jz1 = p->z[2];
    double c = probe_dot(p, n, z0, z1), y0 = probe_dot(p, n, z0, Jz1), y1 = probe_dot(p, n, z1, Jz1);
    double determinant = 1 - c * c;
    if (determinant <= HOL_TOL_HALF)
        return y1;
    double a = (y1 - c * y0) / determinant, b = (y0 - c * y1) / determinant * norm;
    double complex root = csqrt(a * a / 4 + b);
    return a < -HOL_PART_SAME_RATE * cabs(root) ? a / 2 - root : a / 2 + root;
}

/* The block of v with the largest part of z. */
static int probe_block(const HolProbe *p, const HolRates *r, const double *z)
{
    const HolPattern *pattern = r->work->pattern;
    int block = -1;
    double most = 0;
    for (int b = 0; b < pattern->block_count && !r->kind->state; ++b) {
        double sum = 0;
        for (int i = r->nq + pattern->block_start[b]; i < r->nq + pattern->block_start[b + 1]; ++i)
            sum += z[i] / p->unit[i] * (z[i] / p->unit[i]);
        if (sum > most) {
            most = sum;
            block = b;
        }
    }
    return block;
}

static HolStatus probe_iterate(HolProbe *p, HolRates *r, double t, double h, const double *y, HolFastest *fastest)
{
    const int n = r->controlled;
    double complex s = 0;
    probe_begin(p, n, p->z[0]);
    probe_normalise(p, n, p->z[0]);
    HOL_TRY(probe_multiply(p, r, t, h, y, p->z[0], p->z[1]));
    for (int i = 0; i < MOST_ITERATIONS; ++i) {
        double norm = probe_normalise(p, n, p->z[1]), before = cabs(s);
        if (!(norm > 0))
            break;
        HOL_TRY(probe_multiply(p, r, t, h, y, p->z[1], p->z[2]));
        s = probe_fit(p, n, norm);
        *fastest = (HolFastest){creal(s), fabs(cimag(s)), probe_block(p, r, p->z[1])};
        if (i + 1 >= LEAST_ITERATIONS && fabs(cabs(s) - before) <= HOL_PART_SAME_RATE * cabs(s))
            break;
        double *oldest = p->z[0];
        p->z[0] = p->z[1], p->z[1] = p->z[2], p->z[2] = oldest;
    }
    return isfinite(hol_fastest_rate(fastest)) ? HOL_OK : HOL_NOT_FINITE;
}

HolStatus hol_probe_fastest(HolProbe *probe, HolRates *rates, double t, double h, const double *y, HolFastest *fastest)
{
    HolStepReport report = rates->report;
    *fastest = (HolFastest){.block = -1};
    probe_set_units(probe, rates, h);
    memcpy(probe->y, y, (size_t)rates->size * sizeof *y);
    HolStatus status = hol_rates_evaluate(rates, t, h, probe->y, probe->f);
    if (status == HOL_OK)
        status = probe_iterate(probe, rates, t, h, y, fastest);
    rates->report = report;
    rates->message.text[0] = '\0';
    return status;
}

double hol_fastest_rate(const HolFastest *fastest)
{
    return hypot(fastest->re, fastest->im);
}
