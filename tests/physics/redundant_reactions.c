/* SPDX-License-Identifier: BSD-3-Clause */
/* Reactions of redundant constraints: the generalised inverse distributes them, elimination assigns them to the first. */
#include <holon/holon.h>

#include "check.h"
#include "runs.h"
#include "systems/scenes.h"

static const double G = 9.81;

/* A bob of 1 kg on two rods of length 1 and 1 + misfit, the second row written s times as large:
 *
 *     Phi_1 = |r| - 1,   Phi_2 = s (|r| - 1 - misfit)
 *
 * Both together pull with f = lambda_1 + s lambda_2 = -v_t^2 / |r| + g y / |r|, where |r| does not change. */
typedef struct Rods {
    double s, misfit;
} Rods;

static HolStatus evaluate_rods(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const Rods *rods = self;
    (void)want;
    double x = at->q[0], y = at->q[1], u = at->v[0], w = at->v[1], l = sqrt(x * x + y * y),
           across = (x * w - y * u) / l;
    terms->M[0] = terms->M[3] = 1;
    terms->Q[1] = -G;
    for (int i = 0; i < 2; i++) {
        double s = i ? rods->s : 1;
        terms->Phi[i] = s * (l - 1 - (i ? rods->misfit : 0));
        terms->D[2 * i] = s * x / l;
        terms->D[2 * i + 1] = s * y / l;
        terms->gamma[i] = -s * across * across / l;
    }
    terms->kinetic = (u * u + w * w) / 2;
    terms->potential = G * y;
    return HOL_OK;
}

static HolSystem *create_rods(const Rods *rods)
{
    HolSystemOps ops = {.evaluate = evaluate_rods};
    HolSystemSpec spec = hol_system_spec();
    spec.ops = &ops;
    spec.self = rods;
    spec.nq = spec.nv = spec.nh = 2;
    spec.constant_mass = spec.scleronomic = true;
    HolSystem *system = NULL;
    CHECK_OK(hol_system_create(&spec, &system, NULL));
    return system;
}

static double pull_of(const HolState *state)
{
    const double *q = state->q, *v = state->v;
    return -(v[0] * v[0] + v[1] * v[1]) + G * q[1];
}

/* The shares of f at each of 500 steps, from the horizontal. */
static void check_shares(const Rods *rods, const char *formulation, double first, double second)
{
    HolSystem *system = create_rods(rods);
    const double q[2] = {1, 0}, v[2] = {0, 0.1};
    HolInitialState start = {0, q, v};
    HolSimulationOptions options = run_options(formulation, "rk4", 1e-3);
    HolSimulation *simulation = NULL;
    CHECK_CONTEXT("%s, %g times", formulation, rods->s);
    if (CHECK_OK(hol_simulation_create(system, &start, &options, &simulation, NULL)))
        for (int i = 0; i < 500; i++) {
            HolStepReport report = {.rank = -1};
            CHECK_OK(hol_simulation_step(simulation, &report));
            const HolState *state = hol_simulation_state(simulation);
            const double *lambda = state->lambda, f = lambda[0] + rods->s * lambda[1];
            CHECK_EQUAL_INT(report.rank, 1);
            CHECK_NEAR(f, pull_of(state), 1e-8);
            CHECK_NEAR(lambda[0], first * f, 1e-10);
            CHECK_NEAR(lambda[1], second * f, second == 0 ? 0 : 1e-10);
        }
    hol_simulation_destroy(simulation);
    hol_system_destroy(system);
}

/* A row written s times as large pushes with s times the force for the same lambda: it takes the larger share. */
static void rods_share_or_do_not(void)
{
    const Rods equal = {.s = 1}, threefold = {.s = 3}, third = {.s = 1.0 / 3};
    check_shares(&equal, "generalized-inverse", 0.5, 0.5);
    check_shares(&threefold, "generalized-inverse", 0.1, 0.3);
    check_shares(&third, "generalized-inverse", 0.9, 0.3);
    check_shares(&equal, "elimination", 1, 0);
    check_shares(&threefold, "elimination", 1, 0);
    check_shares(&third, "elimination", 1, 0);
}

/* Rods that contradict each other: the bob goes to the middle and swings on. (l - 1) + s^2 (l - 1 - misfit) = 0. */
static void contradicting_rods_meet_in_the_middle(void)
{
    static const double weights[] = {1, 2};
    for (int i = 0; i < 2; i++) {
        const Rods rods = {.s = weights[i], .misfit = 1e-3};
        HolSystem *system = create_rods(&rods);
        const double q[2] = {1, 0}, v[2] = {0, 0};
        HolSimulationOptions options = run_options("generalized-inverse", "rk4", 1e-3);
        options.keep_start = true;
        Result end = run_system(system, &(HolInitialState){0, q, v}, &options, &(HolRun){.until = 3});
        CHECK_CONTEXT("%g times", rods.s);
        if (!CHECK_OK(end.status))
            printf("    %s\n", end.message.text);
        double s2 = rods.s * rods.s, middle = 1 + rods.misfit * s2 / (1 + s2);
        CHECK_NEAR(hypot(end.q[0], end.q[1]), middle, 1e-9);
        double energy = (end.v[0] * end.v[0] + end.v[1] * end.v[1]) / 2 + G * end.q[1];
        CHECK_NEAR(energy, 0, 0.05); /* what the way to the middle did; at the lowest point v^2 / 2 is 9.8 */
        hol_system_destroy(system);
    }
}

/* Six coordinates on a sphere, of which two have a mass: of five directions of motion three have none. */
enum { LACKING = 6 };

static HolStatus evaluate_lacking(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    (void)self, (void)want;
    terms->M[0] = terms->M[LACKING + 1] = 1;
    terms->Phi[0] = -0.5;
    terms->gamma[0] = 0;
    for (int i = 0; i < LACKING; i++) {
        terms->Phi[0] += at->q[i] * at->q[i] / 2;
        terms->D[i] = at->q[i];
        terms->gamma[0] -= at->v[i] * at->v[i];
    }
    terms->kinetic = (at->v[0] * at->v[0] + at->v[1] * at->v[1]) / 2;
    return HOL_OK;
}

static void check_lacking(const HolSystem *system, const char *formulation, double angle)
{
    double q[LACKING], v[LACKING] = {0}, rest = 1;
    HolSimulationOptions options = run_options(formulation, "rk4", 1e-3);
    options.keep_start = true;
    for (int i = 0; i < LACKING; i++) { /* the angles of the sphere */
        q[i] = i < LACKING - 1 ? rest * cos((i + 1) * angle) : rest;
        rest *= sin((i + 1) * angle);
    }
    Result end = run_system(system, &(HolInitialState){0, q, v}, &options, &(HolRun){.until = 0.1});
    CHECK_CONTEXT("%s, %g", formulation, angle);
    CHECK_STATUS(end.status, HOL_SINGULAR);
    CHECK_CONTAINS(end.message.text, "mass");
}

static void a_direction_without_mass_is_singular(void)
{
    HolSystemOps ops = {.evaluate = evaluate_lacking};
    HolSystemSpec spec = hol_system_spec();
    spec.ops = &ops;
    spec.nq = spec.nv = LACKING;
    spec.nh = 1;
    spec.scleronomic = true;
    HolSystem *system = NULL;
    CHECK_OK(hol_system_create(&spec, &system, NULL));
    for (int i = 0; i < 10; i++) {
        check_lacking(system, "generalized-inverse", 0.3 + 0.05 * i);
        check_lacking(system, "null-space", 0.3 + 0.05 * i);
    }
    hol_system_destroy(system);
}

/* The governor on hinges, six of its rows redundant, turning with its engine. Rows that drift apart must not lock it. */
typedef struct Turn {
    HolSummary summary;
    int idle; /* rows with lambda = 0 at the end */
} Turn;

static Turn turn_governor(const char *formulation)
{
    Turn turn = {.idle = 0};
    HolMessage message = {{0}};
    HolMechanism *mechanism;
    HolSimulation *simulation;
    HolModel *model = hol_model_create();
    CHECK_OK(hol_model_load(model, "governor"));
    CHECK_OK(hol_model_choose(model, "hinged"));
    CHECK_OK(hol_model_set(model, "run.formulation", "%s", formulation));
    if (CHECK_OK(hol_mechanism_create(model, &mechanism)) && CHECK_OK(hol_mechanism_assemble(mechanism, &message))) {
        HolInitialState start = hol_mechanism_initial_state(mechanism);
        HolSimulationOptions options = hol_mechanism_options(mechanism);
        const HolSystem *system = hol_mechanism_system(mechanism);
        if (CHECK_OK(hol_simulation_create(system, &start, &options, &simulation, &message))) {
            CHECK_OK(hol_simulation_run(simulation, &(HolRun){.until = 2}));
            turn.summary = hol_simulation_summary(simulation);
            for (int i = 0; i < hol_system_pattern(system)->m; i++)
                turn.idle += hol_simulation_state(simulation)->lambda[i] == 0;
            hol_simulation_destroy(simulation);
        }
        hol_mechanism_destroy(mechanism);
    }
    hol_model_destroy(model);
    return turn;
}

static void a_redundant_mechanism_turns_freely(void)
{
    Turn shared = turn_governor("generalized-inverse"), eliminated = turn_governor("elimination");
    CHECK_EQUAL_INT(shared.summary.redundant_rows, 6);
    CHECK(shared.summary.max_position_violation < 1e-9);
    CHECK(shared.summary.max_energy_drift < 1e-6);
    CHECK(eliminated.idle >= 6);
    CHECK(eliminated.summary.max_position_violation < 1e-4); /* nothing holds the drift, which grows tenfold in 0.2 s */
    CHECK_NEAR(eliminated.summary.energy_final, shared.summary.energy_final, 1e-2);
}

/* Whatever becomes of the branch, a run across singular points ends with numbers, or with a sentence. */
static void singular_points_end_well_or_in_words(void)
{
    static const char *const names[] = {"generalized-inverse", "elimination"};
    Scene *scene = scene_create("slider-crank", 0);
    REQUIRE(scene != NULL);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < hol_integrator_count(); k++) {
            HolSimulationOptions options = run_options(names[i], hol_integrator_info(k).name, 1e-3);
            Result end = run_system(scene->system, &scene->start, &options, &(HolRun){.until = 5});
            CHECK_CONTEXT("%s, %s", names[i], options.integrator);
            CHECK(end.status == HOL_OK ? end.summary.reached == 5 : end.message.text[0] != '\0');
            for (int j = 0; j < end.nq; j++)
                CHECK(isfinite(end.q[j]) && isfinite(end.v[j]));
        }
    scene_destroy(scene);
}

CHECK_MAIN(TEST(rods_share_or_do_not), TEST(contradicting_rods_meet_in_the_middle),
           TEST(a_direction_without_mass_is_singular), TEST(a_redundant_mechanism_turns_freely),
           TEST(singular_points_end_well_or_in_words))
