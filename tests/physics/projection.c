/* SPDX-License-Identifier: BSD-3-Clause */
/* Projections: the smallest change in the norm of the masses, along nonholonomic constraints, with repeated constraints
 * and from singular initial states. */
#include <holon/holon.h>

#include "check.h"
#include "runs.h"
#include "system_of.h"
#include "systems/reference_values.h"
#include "wrapped.h"

/* Masses in three coordinates with constant rows: A q = b, the last nn of them only A v = 0. */
typedef struct Linear {
    int nh, nn;
    double mass[3], A[3][3], b[3];
} Linear;

static HolStatus evaluate_linear(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const Linear *l = self;
    const double *q = at->q, *v = at->v;
    (void)want;
    terms->kinetic = 0;
    for (int i = 0; i < 3; i++) {
        terms->M[4 * i] = l->mass[i];
        terms->kinetic += l->mass[i] * v[i] * v[i] / 2;
    }
    for (int i = 0; i < l->nh + l->nn; i++) {
        memcpy(terms->D + 3 * i, l->A[i], sizeof l->A[i]);
        if (i < l->nh)
            terms->Phi[i] = l->A[i][0] * q[0] + l->A[i][1] * q[1] + l->A[i][2] * q[2] - l->b[i];
    }
    return HOL_OK;
}

static HolSystem *linear_system(const Linear *linear)
{
    static const HolSystemOps ops = {.evaluate = evaluate_linear};
    HolSystemSpec spec = hol_system_spec();
    spec.ops = &ops;
    spec.self = linear;
    spec.nq = spec.nv = 3;
    spec.nh = linear->nh;
    spec.nn = linear->nn;
    spec.constant_mass = spec.scleronomic = true;
    return system_of(&spec);
}

/* One step of a formulation from a start that is kept. */
static Result one_step(const HolSystem *system, const double *q, const double *v, const char *formulation,
                       const HolSetting *setting)
{
    HolSimulationOptions options = run_options(formulation, "rk4", 1e-3);
    HolInitialState start = {0, q, v};
    options.keep_start = true;
    options.settings = setting;
    options.setting_count = setting ? 1 : 0;
    Result result = run_system(system, &start, &options, &(HolRun){.until = 1e-3});
    if (!CHECK_OK(result.status))
        printf("    %s\n", result.message.text);
    return result;
}

static const HolSetting by_identity = {"formulation.weight", "identity"};

/* z is to be lifted by 0.1, and only obliquely: vx + vz = 0. So x must give way. */
static void nonholonomic_rows_are_heeded_on_the_way(void)
{
    static const Linear skate = {.nh = 1, .nn = 1, .mass = {1, 2, 3}, .A = {{0, 0, 1}, {1, 0, 1}}, .b = {0.1}};
    static const double zero[3] = {0, 0, 0};
    HolSystem *system = linear_system(&skate);
    double q[3] = {0, 0, 0}, v[3] = {0, 0, 0};
    CHECK_CONTEXT("assembly");
    CHECK_OK(hol_assemble(system, 0, q, v, NULL));
    CHECK_NEAR(q[0], -0.1, 1e-12);
    CHECK_NEAR(q[2], 0.1, 1e-12);
    for (int i = 0; i <= hol_formulation_count(); i++) {
        bool identity = i == hol_formulation_count();
        const char *formulation = identity ? "direct-correction" : hol_formulation_info(i).name;
        if (!formulation_traits(formulation).projects || !is_supported(formulation, "rk4"))
            continue;
        CHECK_CONTEXT("%s%s", formulation, identity ? ", identity" : "");
        Result end = one_step(system, zero, zero, formulation, identity ? &by_identity : NULL);
        CHECK_NEAR(end.q[0], -0.1, 1e-8);
        CHECK_NEAR(end.q[1], 0, 1e-8);
        CHECK_NEAR(end.q[2], 0.1, 1e-12);
    }
    hol_system_destroy(system);
}

/* r2 - r1 and r3 - r1 are small, so that both rows are suspected; but one of them is needed. */
static void of_two_suspected_rows_one_is_needed(void)
{
    static const Linear rows = {.nh = 3, .mass = {1, 1, 1}, .A = {{1, 0, 0}, {1, 1e-5, 0}, {1, 2e-5, 0}}};
    const double q[3] = {0, 0, 0}, v[3] = {0, 0, 1};
    HolSystem *system = linear_system(&rows);
    for (int i = 0; i < hol_formulation_count(); i++) {
        HolSimulationOptions options = fitting_options(hol_formulation_info(i).name, "rk4", 1e-3);
        CHECK_CONTEXT("%s", options.formulation);
        Result end = run_system(system, &(HolInitialState){0, q, v}, &options, &(HolRun){.until = 0.01});
        CHECK_OK(end.status);
        CHECK_EQUAL_INT(end.summary.redundant_rows, 1);
        CHECK_EQUAL_INT(end.summary.dof, 1);
        CHECK_NEAR(end.q[2], 0.01, 1e-12);
    }
    hol_system_destroy(system);
}

/* Here any choice of two dependent coordinates moves one faster than the third. It is looked at after every step, but
 * stays what it is. */
static void a_choice_that_stays_is_no_change(void)
{
    static const Linear rows = {.nh = 2, .mass = {1, 1, 1}, .A = {{-0.8, 0.2, -1}, {1, -1, 0.6}}};
    const double q[3] = {0, 0, 0}, v[3] = {0, 0, 0};
    HolSystem *system = linear_system(&rows);
    HolSimulationOptions options = run_options("coordinate-partitioning", "rk4", 1e-3);
    Result end = run_system(system, &(HolInitialState){0, q, v}, &options, &(HolRun){.until = 0.02});
    CHECK_OK(end.status);
    CHECK_EQUAL_INT(end.summary.steps, 20);
    CHECK_EQUAL_INT(end.summary.repartitions, 0);
    hol_system_destroy(system);
}

/* A bead of different masses along x and y on the unit circle; with a second row s Phi, s = 1 + r x, that is a copy of
 * the first on the circle, but not beside it. */
typedef struct Bead {
    double mass[2], r, g;
    int rows;
} Bead;

static HolStatus evaluate_bead(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const Bead *bead = self;
    double x = at->q[0], y = at->q[1], u = at->v[0], w = at->v[1], s = 1 + bead->r * x;
    double Phi = (x * x + y * y - 1) / 2;
    (void)want;
    terms->M[0] = bead->mass[0];
    terms->M[3] = bead->mass[1];
    terms->Q[1] = -bead->mass[1] * bead->g;
    terms->Phi[0] = Phi;
    terms->D[0] = x;
    terms->D[1] = y;
    terms->gamma[0] = -(u * u + w * w);
    if (bead->rows > 1) {
        terms->Phi[1] = s * Phi;
        terms->D[2] = s * x + bead->r * Phi;
        terms->D[3] = s * y;
        terms->gamma[1] = -s * (u * u + w * w) - 2 * bead->r * u * (x * u + y * w);
    }
    terms->kinetic = (bead->mass[0] * u * u + bead->mass[1] * w * w) / 2;
    terms->potential = bead->mass[1] * bead->g * y;
    return HOL_OK;
}

static HolSystem *bead_system(const Bead *bead)
{
    static const HolSystemOps ops = {.evaluate = evaluate_bead};
    HolSystemSpec spec = hol_system_spec();
    spec.ops = &ops;
    spec.self = bead;
    spec.nq = spec.nv = 2;
    spec.nh = bead->rows;
    spec.constant_mass = spec.scleronomic = true;
    return system_of(&spec);
}

/* Long Euler steps leave the circle so far that the copy asks for something else there. */
static void copies_do_not_bend_the_correction(void)
{
    const Bead plain = {{1, 1}, 0.3, 9.81, 1}, twice = {{1, 1}, 0.3, 9.81, 2};
    const double q[2] = {0.6, -0.8}, v[2] = {1.6, 1.2};
    HolSystem *one = bead_system(&plain), *two = bead_system(&twice);
    for (int i = 0; i < 2; i++) {
        HolSimulationOptions options = run_options("direct-correction", "euler", 0.05);
        options.settings = &by_identity;
        options.setting_count = i;
        CHECK_CONTEXT("%s", i ? "identity" : "mass");
        Result expected = run_system(one, &(HolInitialState){0, q, v}, &options, &(HolRun){.until = 0.1});
        Result end = run_system(two, &(HolInitialState){0, q, v}, &options, &(HolRun){.until = 0.1});
        CHECK_EQUAL_INT(end.summary.redundant_rows, 1);
        CHECK_NEAR(result_distance(&end, &expected), 0, 1e-5);
    }
    hol_system_destroy(one);
    hol_system_destroy(two);
}

/* From beside the circle by about e: M (q1 - q0) is orthogonal to the circle at q1. What direct-correction does is the
 * same but for e^2. Returns how far the two are apart. */
static double check_orthogonal(const HolSystem *system, const Bead *bead, double e)
{
    const double q[2] = {0.6 + e, 0.8 + 0.5 * e}, v[2] = {0, 0};
    Result end = one_step(system, q, v, "augmented-lagrangian-projected", NULL);
    Result other = one_step(system, q, v, "direct-correction", NULL);
    double dx = end.q[0] - q[0], dy = end.q[1] - q[1];
    CHECK(end.summary.max_position_iterations >= 2);
    CHECK_NEAR(end.q[0] * end.q[0] + end.q[1] * end.q[1], 1, 1e-12);
    CHECK_NEAR(end.q[0] * bead->mass[1] * dy - end.q[1] * bead->mass[0] * dx, 0, 3e-3 * e * e);
    return hypot(end.q[0] - other.q[0], end.q[1] - other.q[1]);
}

static void projections_go_orthogonally_to_the_masses(void)
{
    const Bead bead = {{1, 4}, 0, 0, 1};
    HolSystem *system = bead_system(&bead);
    double coarse = check_orthogonal(system, &bead, 0.1), fine = check_orthogonal(system, &bead, 0.025);
    CHECK(coarse > 0 && coarse < 0.1 * 0.1);
    CHECK_NEAR(observed_order(coarse, fine, 4), 2, 0.3);
    hol_system_destroy(system);
}

/* Rows that are not linear in v take more than one correction. */
static void speeds_are_corrected_to_round_off(void)
{
    Scene *scene = scene_create("constant-speed", 0);
    REQUIRE(scene != NULL);
    for (int i = 0; i < hol_formulation_count(); i++) {
        HolSimulationOptions options = run_options(hol_formulation_info(i).name, "euler", 0.05);
        if (!formulation_traits(options.formulation).projects || !is_supported(options.formulation, "euler"))
            continue;
        CHECK_CONTEXT("%s", options.formulation);
        Result end = run_scene(scene, &options, 0.5);
        if (!CHECK_OK(end.status))
            printf("    %s\n", end.message.text);
        CHECK_NEAR(end.summary.max_velocity_violation, 0, 1e-13);
    }
    scene_destroy(scene);
}

/* The slider-crank with a third row (1 + r x2) Phi_1, a copy of its first. */
static HolStatus evaluate_with_copy(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    static const double r = 0.3;
    HolStatus status = wrapped_evaluate(self, at, want | HOL_WANT_PHI | HOL_WANT_JACOBIAN, terms);
    const double *D = terms->D, *v = at->v;
    double s = 1 + r * at->q[0], rate = D[0] * v[0] + D[1] * v[1] + D[2] * v[2];
    terms->Phi[2] = s * terms->Phi[0];
    for (int j = 0; j < 3; j++)
        terms->D[6 + j] = s * D[j] + (j == 0 ? r * terms->Phi[0] : 0);
    terms->gamma[2] = s * terms->gamma[0] - 2 * r * v[0] * rate;
    return status;
}

static HolSystem *system_with_copy(const Wrapped *wrapped)
{
    static const HolSystemOps ops = {.evaluate = evaluate_with_copy};
    HolSystemSpec spec = hol_system_spec();
    spec.ops = &ops;
    spec.self = wrapped;
    spec.nq = spec.nv = 3;
    spec.nh = 3;
    spec.scleronomic = true;
    return system_of(&spec);
}

/* Started where it is singular: there two rows look dependent. Soon one of them is needed, the other one still not. */
static void a_singular_start_with_a_copy_recovers(void)
{
    static const char *const names[] = {"direct-correction", "lagrange", "baumgarte", "null-space",
                                        "generalized-inverse"};
    const SliderCrankPassage *first = &slider_crank_passages[0];
    const SliderCrankValue *later = &slider_crank_values[3];
    const double rate = first->phi_rate, q[3] = {0, 1, 0}, v[3] = {-rate, 0, -2 * rate};
    Scene *scene = scene_create("slider-crank", 0);
    Wrapped wrapped;
    REQUIRE(scene != NULL && wrapped_open(scene->system, &wrapped) == HOL_OK);
    HolSystem *system = system_with_copy(&wrapped);
    for (int i = 0; i < 5; i++) {
        HolSimulationOptions options = run_options(names[i], "rk4", 1e-3);
        CHECK_CONTEXT("%s", names[i]);
        Result end = run_system(system, &(HolInitialState){first->t, q, v}, &options, &(HolRun){.until = later->t});
        if (!CHECK_OK(end.status))
            printf("    %s\n", end.message.text);
        CHECK_EQUAL_INT(end.summary.redundant_rows, 2);
        CHECK_NEAR(end.q[0], later->x2, 1e-6);
        CHECK_NEAR(end.q[1], later->y2, 1e-6);
        CHECK_NEAR(end.v[2], later->x3_rate, 1e-5);
    }
    hol_system_destroy(system);
    wrapped_close(&wrapped);
    scene_destroy(scene);
}

/* Which rows are needed is seen within the first step: those that were left out at the start are not missed. */
static void a_singular_start_loses_no_row(void)
{
    static const char *const names[] = {"lagrange", "null-space"};
    const double rate = slider_crank_passages[0].phi_rate, q[3] = {0, 1, 0}, v[3] = {-rate, 0, -2 * rate};
    Scene *scene = scene_create("slider-crank", 0);
    REQUIRE(scene != NULL);
    for (int i = 0; i < 2; i++) {
        HolSimulationOptions options = run_options(names[i], "rk4", 1e-2);
        CHECK_CONTEXT("%s", names[i]);
        Result end = run_system(scene->system, &(HolInitialState){0, q, v}, &options, &(HolRun){.until = 1e-2});
        CHECK_OK(end.status);
        /* lagrange takes them a stage later; the feedback of null-space on redundant rows has an error of its own */
        CHECK_NEAR(end.measures.position, 0, i ? 1e-9 : 1e-7);
        CHECK_NEAR(end.measures.velocity, 0, i ? 1e-8 : 2e-5);
    }
    scene_destroy(scene);
}

/* Even where no row asks for anything. */
static void assembly_puts_q_on_its_manifold(void)
{
    static const char *const names[] = {"free-body", "spatial-chain"};
    for (int i = 0; i < 2; i++) {
        Scene *scene = scene_create(names[i], 3);
        REQUIRE(scene != NULL);
        const HolPattern *p = hol_system_pattern(scene->system);
        double q[64], v[64];
        REQUIRE(p->nq <= 64);
        CHECK_CONTEXT("%s", names[i]);
        memcpy(q, scene->start.q, (size_t)p->nq * sizeof *q);
        memcpy(v, scene->start.v, (size_t)p->nv * sizeof *v);
        for (int k = 3; k < 7; k++)
            q[k] *= 1.1;
        CHECK_OK(hol_assemble(scene->system, scene->start.t, q, v, NULL));
        CHECK_NEAR(hypot(hypot(q[3], q[4]), hypot(q[5], q[6])), 1, 1e-15);
        for (int k = 0; k < p->nq; k++)
            CHECK_NEAR(q[k], scene->start.q[k], 1e-14);
        scene_destroy(scene);
    }
}

CHECK_MAIN(TEST(nonholonomic_rows_are_heeded_on_the_way), TEST(of_two_suspected_rows_one_is_needed),
           TEST(a_choice_that_stays_is_no_change), TEST(copies_do_not_bend_the_correction),
           TEST(projections_go_orthogonally_to_the_masses), TEST(speeds_are_corrected_to_round_off),
           TEST(a_singular_start_with_a_copy_recovers), TEST(a_singular_start_loses_no_row),
           TEST(assembly_puts_q_on_its_manifold))
