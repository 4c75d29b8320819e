/* SPDX-License-Identifier: BSD-3-Clause */
/* Redundant constraints, nearly redundant ones, and masses that do not suit the fast solver: the motion must be that of
 * the plain system.
 *
 * Most systems here are the pendulum of length 1 from the horizontal in disguise. It is back at rest on the other side,
 * at (-1, 0), after half a period 2 K(sin 45 deg) sqrt(l/g). */
#include <holon/holon.h>

#include "check.h"
#include "runs.h"
#include "systems/reference_values.h"
#include "systems/scenes.h"
#include "wrapped.h"

static const double G = 9.81, K = 1.8540746773013719;

static Result run(const HolSystem *system, HolInitialState start, const char *formulation, double h, double until)
{
    HolSimulationOptions options = run_options(formulation, "rk4", h);
    HolRun request = {.until = until};
    return run_system(system, &start, &options, &request);
}

/* A pendulum with a second row; copies of the first, more or less.
 *
 *     Phi_1 = (x^2 + y^2 - 1) / 2      Phi_2 = s Phi_1 + e y^2,   s = 1 + r x
 *
 * With r alone the second row has the same zeros, and depends on the first there, but not next to them, where the
 * stages of a step are. With e it is a copy that fits at the start and no longer when the bob has left it: together the
 * two would not let it move at all. */
typedef struct Copy {
    double r, e;
} Copy;

static HolStatus evaluate_copy(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const Copy *copy = self;
    double x = at->q[0], y = at->q[1], u = at->v[0], w = at->v[1];
    double s = 1 + copy->r * x, Phi = (x * x + y * y - 1) / 2, rate = x * u + y * w, bias = -(u * u + w * w);
    if (want & HOL_WANT_MASS)
        terms->M[0] = terms->M[3] = 1;
    if (want & HOL_WANT_FORCE)
        terms->Q[1] = -G;
    if (want & HOL_WANT_PHI) {
        terms->Phi[0] = Phi;
        terms->Phi[1] = s * Phi + copy->e * y * y;
    }
    if (want & HOL_WANT_JACOBIAN) {
        double *D = terms->D;
        D[0] = x;
        D[1] = y;
        D[2] = s * x + copy->r * Phi;
        D[3] = s * y + 2 * copy->e * y;
    }
    if (want & HOL_WANT_GAMMA) {
        terms->gamma[0] = bias;
        terms->gamma[1] = s * bias - 2 * copy->r * u * rate - 2 * copy->e * w * w;
    }
    terms->kinetic = (u * u + w * w) / 2;
    terms->potential = G * y;
    return HOL_OK;
}

static HolSystem *create(HolStatus (*evaluate)(const void *, const HolPoint *, unsigned, HolTerms *), const void *self,
                         int n, int m)
{
    HolSystemOps ops = {.evaluate = evaluate};
    HolSystemSpec spec = hol_system_spec();
    spec.ops = &ops;
    spec.self = self;
    spec.nq = spec.nv = n;
    spec.nh = m;
    spec.constant_mass = spec.scleronomic = true;
    HolSystem *system = NULL;
    CHECK_OK(hol_system_create(&spec, &system, NULL));
    return system;
}

static double half_period(void)
{
    return 2 * K / sqrt(G);
}

static Result swing(const HolSystem *system, const char *formulation, int steps)
{
    static const double q[3] = {1, 0, 1}, v[3] = {0, 0, 0};
    return run(system, (HolInitialState){0, q, v}, formulation, half_period() / steps, half_period());
}

static void check_swung(const Result *end, double tolerance)
{
    CHECK_NEAR(end->summary.reached, half_period(), 1e-12);
    CHECK_NEAR(end->q[0], -1, tolerance);
    CHECK_NEAR(end->q[1], 0, tolerance);
    CHECK_NEAR(end->v[0], 0, 10 * tolerance);
    CHECK_NEAR(end->v[1], 0, 10 * tolerance);
}

static bool is_penalty_type(const char *formulation)
{
    return strcmp(formulation, "penalty") == 0 || strncmp(formulation, "augmented", 9) == 0;
}

static void a_true_copy_does_not_lock(void)
{
    const Copy copy = {.r = 0.3};
    HolSystem *system = create(evaluate_copy, &copy, 2, 2);
    for (int i = 0; i < hol_formulation_count(); i++) {
        const char *name = hol_formulation_info(i).name;
        if (hol_pair_supported(name, "rk4", NULL) != HOL_OK || is_penalty_type(name))
            continue;
        CHECK_CONTEXT("%s", name);
        Result end = swing(system, name, 1000);
        if (!CHECK_OK(end.status))
            printf("    %s\n", end.message.text);
        CHECK_EQUAL_INT(end.summary.redundant_rows, 1);
        CHECK_EQUAL_INT(end.summary.dof, 1);
        check_swung(&end, 1e-7);
    }
    hol_system_destroy(system);
}

/* Penalties keep both rows, which contradict each other a little inside a step. That costs accuracy, but no order. */
static void a_true_copy_does_not_lock_penalties(void)
{
    static const char *const names[] = {"penalty", "augmented-lagrangian", "augmented-lagrangian-projected"};
    const Copy copy = {.r = 0.3};
    HolSystem *system = create(evaluate_copy, &copy, 2, 2);
    for (int i = 0; i < 3; i++) {
        CHECK_CONTEXT("%s", names[i]);
        Result coarse = swing(system, names[i], 1000), fine = swing(system, names[i], 2000);
        if (!CHECK_OK(coarse.status) || !CHECK_OK(fine.status))
            printf("    %s%s\n", coarse.message.text, fine.message.text);
        CHECK_EQUAL_INT(coarse.summary.redundant_rows, 1);
        check_swung(&coarse, 1e-3);
        CHECK(log2(fabs(coarse.q[1] / fine.q[1])) >= 3.8);
    }
    hol_system_destroy(system);
}

/* The row that is left out carries no force; the other one carries all of it: lambda = 3 m g y at the end, but for the
 * factor of the copy. */
static void one_of_two_rows_is_chosen(void)
{
    static const char *const names[] = {"lagrange", "baumgarte", "direct-correction", "coordinate-partitioning"};
    const Copy copy = {.r = 0.3};
    HolSystem *system = create(evaluate_copy, &copy, 2, 2);
    for (int i = 0; i < 4; i++) {
        const double q[2] = {0, -1}, v[2] = {1, 0}; /* below, where the rod carries m g + m v^2 / l */
        CHECK_CONTEXT("%s", names[i]);
        HolSimulationOptions options = run_options(names[i], "rk4", 1e-9);
        HolInitialState start = {0, q, v};
        HolStepReport report = {.rank = -1};
        HolSimulation *simulation = NULL;
        if (CHECK_OK(hol_simulation_create(system, &start, &options, &simulation, NULL))) {
            CHECK_OK(hol_simulation_step(simulation, &report));
            const double *lambda = hol_simulation_state(simulation)->lambda;
            CHECK_EQUAL_INT(report.rank, 1);
            CHECK((lambda[0] == 0) != (lambda[1] == 0));
            CHECK_NEAR(lambda[0] + lambda[1], -(G + 1), 1e-6);
        }
        hol_simulation_destroy(simulation);
    }
    hol_system_destroy(system);
}

/* Formulations that do not insist on every row go on; the bob moves by what one row says. */
static void a_copy_that_does_not_fit_does_not_lock(void)
{
    static const char *const names[] = {"lagrange", "baumgarte"};
    const Copy copy = {.e = 1e-5};
    HolSystem *system = create(evaluate_copy, &copy, 2, 2);
    for (int i = 0; i < 2; i++) {
        CHECK_CONTEXT("%s", names[i]);
        Result end = swing(system, names[i], 1000);
        CHECK_OK(end.status);
        CHECK_EQUAL_INT(end.summary.redundant_rows, 1);
        check_swung(&end, 1e-4); /* whichever row it is */
    }
    hol_system_destroy(system);
}

/* One that insists must say that it cannot, and not stand still. */
static void a_copy_that_does_not_fit_is_reported(void)
{
    const Copy copy = {.e = 1e-5};
    HolSystem *system = create(evaluate_copy, &copy, 2, 2);
    Result end = swing(system, "direct-correction", 1000);
    CHECK_STATUS(end.status, HOL_NO_CONVERGENCE);
    CHECK(end.message.text[0] != '\0');
    hol_system_destroy(system);
}

/* The slider-crank started in a singular configuration: one row looks dependent there, but both are needed at once. */
static void a_singular_start_recovers(void)
{
    static const char *const names[] = {"direct-correction",
                                        "lagrange",
                                        "baumgarte",
                                        "augmented-lagrangian",
                                        "augmented-lagrangian-projected",
                                        "null-space",
                                        "generalized-inverse"};
    const SliderCrankPassage *start = &slider_crank_passages[0];
    const SliderCrankValue *later = &slider_crank_values[3];
    const double rate = start->phi_rate, q[3] = {0, 1, 0}, v[3] = {-rate, 0, -2 * rate};
    Scene *scene = scene_create("slider-crank", 0);
    REQUIRE(scene != NULL);
    for (int i = 0; i < 7; i++) {
        CHECK_CONTEXT("%s", names[i]);
        Result end = run(scene->system, (HolInitialState){start->t, q, v}, names[i], 1e-3, later->t);
        if (!CHECK_OK(end.status))
            printf("    %s\n", end.message.text);
        CHECK_EQUAL_INT(end.summary.redundant_rows, 1); /* at the start */
        CHECK_NEAR(end.q[0], later->x2, 1e-6);
        CHECK_NEAR(end.q[1], later->y2, 1e-6);
        CHECK_NEAR(end.q[2], later->x3, 1e-6);
        /* null-space has no projection to undo what the first step misses, and keeps 3e-6; it shrinks with the step */
        CHECK_NEAR(end.v[2], later->x3_rate, strcmp(names[i], "null-space") == 0 ? 1e-5 : 1e-6);
        CHECK_NEAR(end.summary.max_energy_drift, 0, 1e-6);
    }
    scene_destroy(scene);
}

/* The slider-crank in two blocks, (x2, y2) and (x3), which its mass couples. */
static HolStatus evaluate_divided(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    HolStatus status = wrapped_evaluate(self, at, want, terms);
    const double *M = ((const Wrapped *)self)->terms->M, *D = ((const Wrapped *)self)->terms->D;
    const double masses[7] = {M[0], M[1], M[3], M[4], M[8], M[6], M[7]}, rows[6] = {D[0], D[1], D[3], D[4], D[2], D[5]};
    memcpy(terms->M, masses, sizeof masses);
    memcpy(terms->D, rows, sizeof rows);
    return status;
}

static HolSystem *create_divided(const Wrapped *whole)
{
    static const HolSystemOps ops = {.evaluate = evaluate_divided};
    static const int sizes[] = {2, 1};
    static const HolPair coupled[] = {{1, 0}};
    HolSystemSpec spec = hol_system_spec();
    spec.ops = &ops;
    spec.self = whole;
    spec.nq = spec.nv = 3;
    spec.nh = 2;
    spec.constant_mass = spec.scleronomic = true;
    spec.block_count = 2;
    spec.block_sizes = sizes;
    spec.mass_pair_count = 1;
    spec.mass_pairs = coupled;
    HolSystem *system = NULL;
    CHECK_OK(hol_system_create(&spec, &system, NULL));
    return system;
}

static void check_same_motion(const Scene *scene, const HolSystem *system, const char *name)
{
    const SliderCrankValue *later = &slider_crank_values[2]; /* before the first singular point */
    Result whole = run(scene->system, scene->start, name, 1e-3, later->t);
    Result divided = run(system, scene->start, name, 1e-3, later->t);
    CHECK_OK(whole.status);
    if (!CHECK_OK(divided.status))
        printf("    %s\n", divided.message.text);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(divided.q[i], whole.q[i], 1e-10);
        CHECK_NEAR(divided.v[i], whole.v[i], 1e-9);
    }
    double tolerance = strcmp(name, "penalty") == 0 ? 1e-4 : 1e-8;
    CHECK_NEAR(atan2(divided.q[1], divided.q[0]), later->phi, tolerance);
    CHECK_NEAR(divided.v[2], later->x3_rate, 10 * tolerance);
}

static void masses_that_couple_blocks_change_nothing(void)
{
    Scene *scene = scene_create("slider-crank", 0);
    REQUIRE(scene != NULL);
    Wrapped whole;
    CHECK_OK(wrapped_open(scene->system, &whole));
    HolSystem *system = create_divided(&whole);
    CHECK_OK(hol_system_check(system, &(HolPoint){0, scene->start.q, scene->start.v}, NULL));
    for (int i = 0; i < hol_formulation_count(); i++) {
        const char *name = hol_formulation_info(i).name;
        CHECK_CONTEXT("%s", name);
        if (hol_pair_supported(name, "rk4", NULL) == HOL_OK)
            check_same_motion(scene, system, name);
    }
    hol_system_destroy(system);
    wrapped_close(&whole);
    scene_destroy(scene);
}

/* The pendulum with a third, massless coordinate z that a row ties to x: M has no inverse, the motion is the same. */
static HolStatus evaluate_massless(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    (void)self, (void)want;
    const double *q = at->q, *v = at->v;
    const double D[6] = {q[0], q[1], 0, -1, 0, 1};
    terms->M[0] = terms->M[4] = 1;
    terms->Q[1] = -G;
    terms->Phi[0] = (q[0] * q[0] + q[1] * q[1] - 1) / 2;
    terms->Phi[1] = q[2] - q[0];
    memcpy(terms->D, D, sizeof D);
    terms->gamma[0] = -(v[0] * v[0] + v[1] * v[1]);
    terms->kinetic = (v[0] * v[0] + v[1] * v[1]) / 2;
    terms->potential = G * q[1];
    return HOL_OK;
}

static void massless_coordinates_follow_their_rows(void)
{
    HolSystem *system = create(evaluate_massless, NULL, 3, 2);
    for (int i = 0; i < hol_formulation_count(); i++) {
        const char *name = hol_formulation_info(i).name;
        if (hol_pair_supported(name, "rk4", NULL) != HOL_OK)
            continue;
        CHECK_CONTEXT("%s", name);
        Result end = swing(system, name, 1000);
        if (!CHECK_OK(end.status))
            printf("    %s\n", end.message.text);
        check_swung(&end, strcmp(name, "penalty") == 0 ? 1e-4 : 1e-7);
        CHECK_NEAR(end.q[2], end.q[0], strcmp(name, "penalty") == 0 ? 1e-5 : 1e-9);
    }
    hol_system_destroy(system);
}

/* Two rows whose directions differ by d. One is taken for redundant, and what it keeps open must not be held against the
 * start. */
static HolStatus evaluate_near(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const double d = *(const double *)self;
    (void)want;
    terms->M[0] = terms->M[3] = terms->D[0] = terms->D[2] = 1;
    terms->D[3] = d;
    terms->Phi[0] = at->q[0];
    terms->Phi[1] = at->q[0] + d * at->q[1];
    terms->kinetic = (at->v[0] * at->v[0] + at->v[1] * at->v[1]) / 2;
    return HOL_OK;
}

static void nearly_redundant_rows_can_be_assembled(void)
{
    static const double distances[] = {1e-9, 1e-10, 1e-11, 1e-13};
    for (int i = 0; i < 4; i++) {
        double q[2] = {0, 0}, v[2] = {0.1, 0.3};
        HolMessage message = {""};
        HolSystem *system = create(evaluate_near, &distances[i], 2, 2);
        CHECK_CONTEXT("%g apart", distances[i]);
        if (!CHECK_OK(hol_assemble(system, 0, q, v, &message)))
            printf("    %s\n", message.text);
        CHECK_NEAR(v[0], 0, 1e-9);
        CHECK_NEAR(v[1], 0.3, 1e-6);
        hol_system_destroy(system);
    }
}

CHECK_MAIN(TEST(nearly_redundant_rows_can_be_assembled), TEST(a_true_copy_does_not_lock),
           TEST(a_true_copy_does_not_lock_penalties), TEST(one_of_two_rows_is_chosen),
           TEST(a_copy_that_does_not_fit_does_not_lock), TEST(a_copy_that_does_not_fit_is_reported),
           TEST(a_singular_start_recovers), TEST(masses_that_couple_blocks_change_nothing),
           TEST(massless_coordinates_follow_their_rows))
