/* SPDX-License-Identifier: BSD-3-Clause */
/* Forces and rows between two configurations: their work is that of the ends, with and without a discrete gradient of the system's
 * own, and forces without potential do what they do in the middle. */
#include "solve/steps/discrete_gradient.h"

#include "check.h"
#include "system_of.h"

/* Two masses with V = k x^4 + y^2 + exp(x y), a drag c v, and the row s (sin(x) y - 1/2). */
typedef struct Quartic {
    double k, c, wrong;
} Quartic;

static double potential(const Quartic *s, const double *q)
{
    return s->k * pow(q[0], 4) + q[1] * q[1] + exp(q[0] * q[1]);
}

static HolStatus evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const Quartic *s = self;
    const double *q = at->q, *v = at->v, e = exp(q[0] * q[1]), M[4] = {2, 0, 0, 3};
    (void)want;
    memcpy(terms->M, M, sizeof M);
    terms->Q[0] = -4 * s->k * pow(q[0], 3) - q[1] * e - s->c * v[0];
    terms->Q[1] = -2 * q[1] - q[0] * e - s->c * v[1];
    terms->power = -s->c * (v[0] * v[0] + v[1] * v[1]);
    terms->Phi[0] = sin(q[0]) * q[1] - 0.5;
    terms->D[0] = cos(q[0]) * q[1];
    terms->D[1] = sin(q[0]);
    terms->gamma[0] = sin(q[0]) * q[1] * v[0] * v[0] - 2 * cos(q[0]) * v[0] * v[1];
    terms->kinetic = v[0] * v[0] + 1.5 * v[1] * v[1];
    terms->potential = potential(s, q);
    return HOL_OK;
}

/* All of it along x, or a little more. */
static HolStatus own_gradient(const void *self, const HolPoint *middle, const double *q_a, const double *q_b,
                              HolTerms *terms)
{
    const Quartic *s = self;
    const double *q = middle->q, e = exp(q[0] * q[1]);
    double dx = q_b[0] - q_a[0], dy = q_b[1] - q_a[1];
    double slope = (4 * s->k * pow(q[0], 3) + q[1] * e) * dx + (2 * q[1] + q[0] * e) * dy;
    terms->Q[0] -= (potential(s, q_b) - potential(s, q_a) - slope) / dx + s->wrong;
    return HOL_OK;
}

static HolSystem *system_with(const Quartic *s, bool has_gradient)
{
    static const HolSystemOps plain = {.evaluate = evaluate},
                              own = {.evaluate = evaluate, .discrete_gradient = own_gradient};
    HolSystemSpec spec = hol_system_spec();
    spec.ops = has_gradient ? &own : &plain;
    spec.self = s;
    spec.nq = spec.nv = 2;
    spec.nh = 1;
    spec.constant_mass = spec.scleronomic = true;
    return system_of(&spec);
}

static void check_work(const Quartic *s, const HolSystem *system)
{
    const double q_a[2] = {0.4, 0.9}, q_b[2] = {0.7, 1.3}, delta[2] = {q_b[0] - q_a[0], q_b[1] - q_a[1]},
                 v[2] = {2, -1};
    const double lambda[1] = {5};
    HolArena *arena = hol_arena_create();
    HolWorkspace *work = NULL;
    HolDiscreteGradient *gradient = NULL;
    REQUIRE_OK(hol_workspace_create(system, arena, &work));
    REQUIRE_OK(hol_discrete_gradient_create(&(HolSetup){.system = system, .arena = arena, .work = work}, &gradient));
    CHECK_OK(hol_discrete_gradient_begin(gradient, work, 0, q_a));
    CHECK_OK(hol_discrete_gradient_end(gradient, work, q_b, delta, v));
    double gap = sin(q_b[0]) * q_b[1] - sin(q_a[0]) * q_a[1], drag = -s->c * (v[0] * delta[0] + v[1] * delta[1]), done;
    CHECK_NEAR(gradient->B[0] * delta[0] + gradient->B[1] * delta[1], gap, 1e-15);
    CHECK_NEAR(gradient->Q[0] * delta[0] + gradient->Q[1] * delta[1], potential(s, q_a) - potential(s, q_b) + drag,
               1e-14);
    CHECK_OK(hol_discrete_gradient_work(gradient, work, lambda, &done)); /* the row is at rest */
    CHECK_NEAR(done, drag, 1e-14);
    hol_workspace_destroy(work);
    hol_arena_destroy(arena);
}

static void work_is_that_of_the_ends(void)
{
    const Quartic s = {.k = 3, .c = 0.7};
    for (int own = 0; own < 2; own++) {
        HolSystem *system = system_with(&s, own == 1);
        CHECK_CONTEXT("%s", own ? "discrete gradient of its own" : "completed along M delta");
        check_work(&s, system);
        hol_system_destroy(system);
    }
}

static void a_wrong_discrete_gradient_is_found(void)
{
    const double q[2] = {0.4, 0.9}, v[2] = {1, 2};
    const Quartic wrong = {.k = 3, .c = 0.7, .wrong = 1e-6}, right = {.k = 3, .c = 0.7};
    HolMessage message = {{0}};
    HolSystem *system = system_with(&wrong, true);
    CHECK_STATUS(hol_system_check(system, &(HolPoint){0, q, v}, &message), HOL_BAD_INPUT);
    CHECK_CONTAINS(message.text, "discrete gradient");
    hol_system_destroy(system);
    system = system_with(&right, true);
    CHECK_OK(hol_system_check(system, &(HolPoint){0, q, v}, &message));
    hol_system_destroy(system);
}

static void qdot(const void *self, const double *q, const double *v, double *rate)
{
    (void)self, (void)q;
    memcpy(rate, v, 2 * sizeof *v);
}

static void retract(const void *self, const double *q, const double *w, double *q_new)
{
    (void)self;
    for (int i = 0; i < 2; i++)
        q_new[i] = q[i] + w[i];
}

static void a_discrete_gradient_on_a_manifold_is_refused(void)
{
    static const HolSystemOps ops = {
        .evaluate = evaluate, .qdot = qdot, .retract = retract, .discrete_gradient = own_gradient};
    HolSystemSpec spec = hol_system_spec();
    HolSystem *system = NULL;
    HolMessage message = {{0}};
    spec.ops = &ops;
    spec.nq = spec.nv = 2;
    spec.nh = 1;
    CHECK_STATUS(hol_system_create(&spec, &system, &message), HOL_BAD_INPUT);
    CHECK_CONTAINS(message.text, "discrete_gradient");
}

CHECK_MAIN(TEST(work_is_that_of_the_ends), TEST(a_wrong_discrete_gradient_is_found),
           TEST(a_discrete_gradient_on_a_manifold_is_refused))
