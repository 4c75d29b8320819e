/* SPDX-License-Identifier: BSD-3-Clause */
/* hol_system_check() on strains: a point on an elastic band with eps = |q|^2 / 2, whose functions contradict each other
 * in one way at a time. */
#include <holon/system.h>

#include "check.h"
#include "system_of.h"

typedef struct Band {
    double k;
    double stiffness, of_z, of_change, between; /* factors on what is right */
} Band;

static HolStatus evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const Band *s = self;
    const double *q = at->q, eps = (q[0] * q[0] + q[1] * q[1]) / 2;
    (void)want;
    for (int i = 0; i < 2; i++) {
        terms->M[3 * i] = 1;
        terms->Q[i] = -s->k * eps * q[i];
    }
    terms->kinetic = (at->v[0] * at->v[0] + at->v[1] * at->v[1]) / 2;
    terms->potential = s->k * eps * eps / 2;
    return HOL_OK;
}

static HolStatus tangent(const void *self, const HolPoint *at, const double *vdot, const double *lambda,
                         HolTerms *terms)
{
    const Band *s = self;
    const double *q = at->q, eps = (q[0] * q[0] + q[1] * q[1]) / 2;
    (void)vdot, (void)lambda;
    for (int i = 0; i < 4; i++) {
        terms->K[i] = s->k * (q[i / 2] * q[i % 2] + (i % 3 == 0 ? eps : 0));
        terms->C[i] = 0;
    }
    return HOL_OK;
}

static HolStatus discrete_gradient(const void *self, const HolPoint *middle, const double *q_a, const double *q_b,
                                   HolTerms *terms)
{
    const Band *s = self;
    double x = q_b[0] - q_a[0], y = q_b[1] - q_a[1];
    for (int i = 0; i < 2; i++)
        terms->Q[i] -= s->k * (x * x + y * y) / 8 * middle->q[i];
    return HOL_OK;
}

static HolStatus strain_stiffness(const void *self, const HolPoint *at, HolTerms *terms)
{
    const Band *s = self;
    for (int i = 0; i < 4; i++)
        terms->K[i] = s->stiffness * s->k * at->q[i / 2] * at->q[i % 2];
    return HOL_OK;
}

static HolStatus strain_forces(const void *self, const HolStrainPath *path, HolTerms *terms)
{
    const Band *s = self;
    const double *a = path->q_a, *b = path->q_b;
    double change = (b[0] * b[0] + b[1] * b[1] - a[0] * a[0] - a[1] * a[1]) / 2;
    double along = a[0] * path->z[0] + a[1] * path->z[1];
    double sigma = s->k * (s->of_change * path->of_change * change + s->of_z * path->of_z * along);
    for (int i = 0; i < 2; i++)
        terms->Q[i] -= path->at_a ? sigma * a[i] : s->between * sigma * path->q_m[i];
    return HOL_OK;
}

static HolStatus check(const Band *band, HolMessage *message)
{
    static const HolSystemOps ops = {.evaluate = evaluate,
                                     .tangent = tangent,
                                     .discrete_gradient = discrete_gradient,
                                     .strain_stiffness = strain_stiffness,
                                     .strain_forces = strain_forces};
    const double q[2] = {0.6, -1.1}, v[2] = {1, 2};
    HolSystemSpec spec = hol_system_spec();
    spec.ops = &ops;
    spec.self = band;
    spec.nq = spec.nv = 2;
    spec.constant_mass = spec.scleronomic = true;
    HolSystem *system = system_of(&spec);
    HolStatus status = hol_system_check(system, &(HolPoint){0, q, v}, message);
    hol_system_destroy(system);
    return status;
}

static void strains_that_fit_pass(void)
{
    HolMessage message = {{0}};
    CHECK_OK(check(&(Band){3, 1, 1, 1, 1}, &message));
    CHECK_STRING(message.text, "");
}

static void strains_that_contradict_are_named(void)
{
    static const struct {
        Band band;
        const char *words;
    } cases[] = {{{3, 1.01, 1, 1, 1}, "the force of z"},
                 {{3, 1, -1, 1, 1}, "the force of z"},
                 {{3, -1, -1, -1, 1}, "not positive semidefinite"},
                 {{3, 1, 1, 1.01, 1}, "the change of strains"},
                 {{3, 1, 1, 1, 1.01}, "between two configurations"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        HolMessage message = {{0}};
        CHECK_CONTEXT("%s", cases[i].words);
        CHECK_STATUS(check(&cases[i].band, &message), HOL_BAD_INPUT);
        CHECK_CONTAINS(message.text, cases[i].words);
    }
}

static void half_of_the_functions_is_refused(void)
{
    static const HolSystemOps lone = {.evaluate = evaluate,
                                      .tangent = tangent,
                                      .discrete_gradient = discrete_gradient,
                                      .strain_forces = strain_forces},
                              bare = {.evaluate = evaluate,
                                      .tangent = tangent,
                                      .strain_forces = strain_forces,
                                      .strain_stiffness = strain_stiffness};
    const HolSystemOps *const ops[] = {&lone, &bare};
    static const char *const words[] = {"must be given together", "requires discrete_gradient and tangent"};
    for (int i = 0; i < 2; i++) {
        HolSystemSpec spec = hol_system_spec();
        HolSystem *system = NULL;
        HolMessage message = {{0}};
        spec.ops = ops[i];
        spec.nq = spec.nv = 2;
        CHECK_STATUS(hol_system_create(&spec, &system, &message), HOL_BAD_INPUT);
        CHECK_CONTAINS(message.text, words[i]);
    }
}

CHECK_MAIN(TEST(strains_that_fit_pass), TEST(strains_that_contradict_are_named), TEST(half_of_the_functions_is_refused))
