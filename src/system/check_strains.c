/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the functions of strains with each other. With f_a of forces at q_a and f_m of those in between,
 *
 *     f_a(z) = -B^T S B z,   z . B^T S B z >= 0                                              (1)
 *     f_a(change) = -B^T S B delta where delta is small                                      (2)
 *     f_m(z) . delta = f_a(change) . z          both are -(eps_b - eps_a)^T S B z            (3) */
#include "system/check_strains.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"

#include <math.h>
#include <string.h>

static const double FAR = 0.1, NEAR = 0.1 * HOL_DIFFERENCE_STEP;
static const double EQUAL = 10 * HOL_TOL_AMPLIFIED, ALIKE = 1000 * HOL_TOL_HALF;

/* The forces with q_b = q + factor delta, into f. */
static HolStatus strain_force_at(const HolStrainCheck *c, double factor, bool of_z, bool at_a, double *f)
{
    const int nv = hol_system_pattern(c->system)->nv;
    for (int i = 0; i < nv; ++i) {
        c->q_b[i] = c->at->q[i] + factor * c->delta[i];
        c->q_m[i] = c->at->q[i] + factor * c->delta[i] / 2;
    }
    HolStrainPath path = {.t = c->at->t,
                          .q_a = c->at->q,
                          .q_b = c->q_b,
                          .q_m = c->q_m,
                          .z = c->z,
                          .of_change = of_z ? 0 : 1,
                          .of_z = of_z ? 1 : 0,
                          .at_a = at_a};
    memset(c->terms->Q, 0, (size_t)nv * sizeof *f);
    HOL_TRY(hol_system_strain_forces(c->system, &path, c->terms));
    memcpy(f, c->terms->Q, (size_t)nv * sizeof *f);
    return HOL_OK;
}

static HolStatus compare_vectors(const HolStrainCheck *c, const double *given, const double *expected, double tolerance,
                                 const char *of)
{
    const int nv = hol_system_pattern(c->system)->nv;
    double size = 0;
    for (int i = 0; i < nv; ++i)
        size = fmax(size, fabs(expected[i]));
    for (int i = 0; i < nv; ++i)
        if (!(fabs(given[i] - expected[i]) <= tolerance * size))
            return hol_fail(c->message, HOL_BAD_INPUT,
                            "'%s': strain_forces and strain_stiffness do not fit: the force of %s in coordinate %d is "
                            "%.10g and should be %.10g",
                            hol_system_name(c->system), of, i, given[i], expected[i]);
    return HOL_OK;
}

/* -B^T S B x into f */
static void follow_stiffness(const HolStrainCheck *c, const double *x, double *f)
{
    const HolPattern *p = hol_system_pattern(c->system);
    memset(f, 0, (size_t)p->nv * sizeof *f);
    hol_tangent_add_times(p, c->terms->K, -1, x, f);
}

static double strain_work(const HolStrainCheck *c, const double *f, const double *x, double *size)
{
    double work = 0;
    for (int i = 0; i < hol_system_pattern(c->system)->nv; ++i) {
        work += f[i] * x[i];
        *size += fabs(f[i] * x[i]);
    }
    return work;
}

/* (1) */
static HolStatus check_strain_stiffness(const HolStrainCheck *c)
{
    double size = 0;
    HOL_TRY(strain_force_at(c, FAR, true, true, c->f[0]));
    follow_stiffness(c, c->z, c->f[1]);
    HOL_TRY(compare_vectors(c, c->f[0], c->f[1], EQUAL, "z"));
    if (strain_work(c, c->f[1], c->z, &size) <= EQUAL * size)
        return HOL_OK;
    return hol_fail(c->message, HOL_BAD_INPUT, "'%s': strain_stiffness is not positive semidefinite",
                    hol_system_name(c->system));
}

/* (2) */
static HolStatus check_strain_change(const HolStrainCheck *c)
{
    HOL_TRY(strain_force_at(c, NEAR, false, true, c->f[0]));
    HOL_TRY(strain_force_at(c, -NEAR, false, true, c->f[1]));
    for (int i = 0; i < hol_system_pattern(c->system)->nv; ++i)
        c->f[0][i] = (c->f[0][i] - c->f[1][i]) / (2 * NEAR);
    follow_stiffness(c, c->delta, c->f[1]);
    return compare_vectors(c, c->f[0], c->f[1], ALIKE, "the change of strains");
}

/* (3) */
static HolStatus check_strain_work(const HolStrainCheck *c)
{
    double size = 0;
    HOL_TRY(strain_force_at(c, FAR, false, true, c->f[0]));
    HOL_TRY(strain_force_at(c, FAR, true, false, c->f[1]));
    double at_a = strain_work(c, c->f[0], c->z, &size);
    double between = FAR * strain_work(c, c->f[1], c->delta, &size);
    if (fabs(at_a - between) <= EQUAL * size)
        return HOL_OK;
    return hol_fail(c->message, HOL_BAD_INPUT,
                    "'%s': strain_forces between two configurations do the work %.12g, and should do %.12g",
                    hol_system_name(c->system), between, at_a);
}

HolStatus hol_check_strains(const HolStrainCheck *check)
{
    if (!hol_system_has_strains(check->system))
        return HOL_OK;
    HOL_TRY(hol_system_strain_stiffness(check->system, check->at, check->terms));
    HOL_TRY(check_strain_stiffness(check));
    HOL_TRY(check_strain_change(check));
    return check_strain_work(check);
}
