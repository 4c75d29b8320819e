/* SPDX-License-Identifier: BSD-3-Clause */
/* index3-augmented-lagrangian: the distribution of forces among redundant constraints, preloads, order and damping of its integrators, and
 * that it runs every built-in model. */
#include <holon/mechanism.h>

#include "check.h"
#include "runs.h"
#include "system_of.h"

static const char index3[] = "index3-augmented-lagrangian";

/* ---- A pendulum on two parallel rods ----
 *
 * A mass of 1 kg on two rods of 2 m, let go from the horizontal: Phi_1 = r - l, Phi_2 = s(x) (r - l), s = 1 + c x. With
 * c = 0 the rods are alike and lambda is minus the axial force; else the second row is scaled on the way, and the
 * null vector of D^T moves. Gonzalez and Kovecses, Multibody System Dynamics 29, 2013, Section 4. */

typedef struct Rods {
    double c;
} Rods;

static const double mass = 1, length = 2, gravity = 9.81;

static HolStatus evaluate_rods(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    (void)want;
    const double c = ((const Rods *)self)->c, *q = at->q, *v = at->v;
    double r = hypot(q[0], q[1]), e[2] = {q[0] / r, q[1] / r}, s = 1 + c * q[0], Phi = r - length;
    double rate = e[0] * v[0] + e[1] * v[1], turning = (v[0] * v[0] + v[1] * v[1] - rate * rate) / r;
    terms->M[0] = terms->M[3] = mass;
    terms->Q[1] = -mass * gravity;
    terms->Phi[0] = Phi;
    terms->Phi[1] = s * Phi;
    for (int i = 0; i < 2; i++) {
        terms->D[i] = e[i];
        terms->D[2 + i] = s * e[i] + (i == 0 ? c * Phi : 0);
    }
    terms->gamma[0] = -turning;
    terms->gamma[1] = -s * turning - 2 * c * v[0] * rate;
    terms->kinetic = mass * (v[0] * v[0] + v[1] * v[1]) / 2;
    terms->potential = mass * gravity * q[1];
    return HOL_OK;
}

static HolSystem *rods_create(const Rods *rods)
{
    static const HolSystemOps ops = {.evaluate = evaluate_rods};
    HolSystemSpec spec = hol_system_spec();
    spec.name = "pendulum-two-rods";
    spec.ops = &ops;
    spec.self = rods;
    spec.nq = spec.nv = spec.nh = 2;
    spec.constant_mass = spec.scleronomic = true;
    return system_of(&spec);
}

static const double rods_q[2] = {2, 0}, rods_v[2] = {0, 0};
static const HolInitialState rods_start = {0, rods_q, rods_v};

/* What each step is held to. */
typedef struct Shares {
    double share;      /* of the first rod in the axial force */
    double preload[2]; /* in lambda */
    double worst, force_error;
} Shares;

/* The tension of a rod is -lambda, and -3 m g sin(theta) together. */
static HolStatus watch_shares(void *user, const HolState *state, const HolMeasures *measures)
{
    (void)measures;
    Shares *shares = user;
    double total = state->lambda[0] + state->lambda[1], first = shares->share * total;
    shares->worst = fmax(shares->worst, fabs(state->lambda[0] - shares->preload[0] - first));
    shares->worst = fmax(shares->worst, fabs(state->lambda[1] - shares->preload[1] - (total - first)));
    shares->force_error = fmax(shares->force_error, fabs(-total + 3 * mass * gravity * state->q[1] / length));
    return HOL_OK;
}

static void check_shares(HolSimulationOptions options, const char *alpha, Shares shares)
{
    static const Rods rods = {0};
    HolSystem *system = rods_create(&rods);
    HolSetting setting = {"formulation.alpha", alpha};
    HolRun run = {.until = 10, .record = watch_shares, .user = &shares};
    options.settings = &setting;
    options.setting_count = alpha ? 1 : 0;
    CHECK_CONTEXT("alpha %s", alpha ? alpha : "by itself");
    Result end = run_system(system, &rods_start, &options, &run);
    if (!CHECK_OK(end.status))
        printf("    %s\n", end.message.text);
    CHECK_NEAR(shares.worst, 0, 1e-6);
    CHECK_NEAR(shares.force_error, 0, 1e-3);
    CHECK_NEAR(end.summary.max_position_violation, 0, 1e-9);
    CHECK_EQUAL_INT(end.summary.redundant_rows, 1);
    hol_system_destroy(system);
}

static void only_ratios_of_penalties_matter(void)
{
    static const char *const alphas[] = {"1e6", "1e8", "1e9", "1e10", "1e12", NULL};
    static const double weights[2] = {1, 2}, stiffness[2] = {1e7, 2e7};
    HolSimulationOptions options = run_options(index3, "newmark", 1e-3);
    for (int i = 0; i < 6; i++) {
        options.row_weights = weights;
        check_shares(options, alphas[i], (Shares){.share = 1. / 3});
    }
    options.row_weights = stiffness;
    check_shares(options, NULL, (Shares){.share = 1. / 3});
    options.row_weights = NULL;
    check_shares(options, NULL, (Shares){.share = 0.5});
}

/* W (1, 1)^T = (3, 4)^T */
static void coupled_stiffness_shares_too(void)
{
    static const double coupled[4] = {2, 1, 1, 3};
    HolSimulationOptions options = run_options(index3, "newmark", 1e-3);
    options.row_stiffness = coupled;
    check_shares(options, NULL, (Shares){.share = 3. / 7});
    check_shares(options, "1e9", (Shares){.share = 3. / 7});
}

static void a_preload_is_kept(void)
{
    static const double weights[2] = {1, 2}, preload[2] = {4, -4};
    HolSimulationOptions options = run_options(index3, "newmark", 1e-3);
    options.row_weights = weights;
    options.preload = preload;
    check_shares(options, NULL, (Shares){.share = 1. / 3, .preload = {4, -4}});
    check_shares(options, "1e12", (Shares){.share = 1. / 3, .preload = {4, -4}});
    options.integrator = "generalized-alpha";
    check_shares(options, NULL, (Shares){.share = 1. / 3, .preload = {4, -4}});
}

/* The reference values, with the part of the preload that acts on the mass taken back by the rods. */
static void forces_are_those_of_the_closed_form(void)
{
    static const double t[3] = {0.5, 1, 5}, force[3] = {16.752784448332957, 25.838706221440287, 0.03802011930040928};
    static const double weights[2] = {1, 2}, preload[2] = {3, 0}; /* 3 = 1 + 2 by the weights, and (2, -2) */
    static const Rods rods = {0};
    HolSystem *system = rods_create(&rods);
    HolSimulationOptions options = run_options(index3, "newmark", 1e-3);
    HolSimulation *simulation = NULL;
    options.row_weights = weights;
    options.preload = preload;
    REQUIRE_OK(hol_simulation_create(system, &rods_start, &options, &simulation, NULL));
    const double *lambda = hol_simulation_state(simulation)->lambda;
    for (int i = 0; i < 3; i++) {
        CHECK_OK(hol_simulation_run(simulation, &(HolRun){.until = t[i]}));
        CHECK_NEAR(lambda[0], 2 - force[i] / 3, 1e-3);
        CHECK_NEAR(lambda[1], -2 - force[i] * 2 / 3, 1e-3);
    }
    hol_simulation_destroy(simulation);
    hol_system_destroy(system);
}

/* Shares follow the rows as they are: lambda lies in the range of W D, whatever it was before. */
static HolStatus watch_moving_shares(void *user, const HolState *state, const HolMeasures *measures)
{
    (void)measures;
    double *worst = user, s = 1 + 0.2 * state->q[0];
    *worst = fmax(*worst, fabs(state->lambda[1] - 2 * s * state->lambda[0]));
    return HOL_OK;
}

static void shares_do_not_remember(void)
{
    static const Rods rods = {0.2};
    static const double weights[2] = {1, 2};
    HolSystem *system = rods_create(&rods);
    HolSimulationOptions options = run_options(index3, "newmark", 1e-3);
    double worst = 0;
    HolRun run = {.until = 5, .every = 1.7e-3, .record = watch_moving_shares, .user = &worst};
    options.row_weights = weights;
    CHECK_OK(hol_system_check(system, &(HolPoint){0, rods_q, (const double[2]){0, 1}}, NULL));
    CHECK_OK(run_system(system, &rods_start, &options, &run).status);
    CHECK_NEAR(worst, 0, 1e-6);
    hol_system_destroy(system);
}

static void wrong_stiffness_and_preloads_are_refused(void)
{
    static const double indefinite[4] = {1, 2, 2, 1}, lopsided[4] = {2, 1, 0, 2}, good[4] = {1, 0, 0, 1};
    static const double endless[2] = {0, INFINITY};
    static const Rods rods = {0};
    HolSystem *system = rods_create(&rods);
    HolRun run = {.until = 0.01};
    HolSimulationOptions options = run_options(index3, "newmark", 1e-3);
    for (int i = 0; i < 2; i++) {
        options.row_stiffness = i ? lopsided : indefinite;
        Result refused = run_system(system, &rods_start, &options, &run);
        CHECK_STATUS(refused.status, HOL_BAD_INPUT);
        CHECK_CONTAINS(refused.message.text, "row_stiffness of 'rows 0-1'");
    }
    options.row_stiffness = NULL;
    options.preload = endless;
    Result refused = run_system(system, &rods_start, &options, &run);
    CHECK_STATUS(refused.status, HOL_BAD_INPUT);
    CHECK_CONTAINS(refused.message.text, "preload[1]");
    options = run_options("augmented-lagrangian", "rk4", 1e-3);
    options.row_stiffness = good;
    refused = run_system(system, &rods_start, &options, &run);
    CHECK_STATUS(refused.status, HOL_UNSUPPORTED);
    CHECK_CONTAINS(refused.message.text, "row_stiffness");
    hol_system_destroy(system);
}

/* ---- A stiff spring ---- */

static const double spring_rate = 1e8; /* 1e4 rad/s */

static HolStatus evaluate_spring(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    (void)self, (void)want;
    terms->M[0] = 1;
    terms->Q[0] = -spring_rate * at->q[0];
    terms->kinetic = at->v[0] * at->v[0] / 2;
    terms->potential = spring_rate * at->q[0] * at->q[0] / 2;
    return HOL_OK;
}

static HolStatus spring_tangent(const void *self, const HolPoint *at, const double *vdot, const double *lambda,
                                HolTerms *terms)
{
    (void)self, (void)at, (void)vdot, (void)lambda;
    terms->K[0] = spring_rate;
    terms->C[0] = 0;
    return HOL_OK;
}

/* The energy that 100 steps of 80 periods each leave of 1. Numerical damping lets it grow at first: the roots of the
 * scheme are double. */
static double energy_left(const char *integrator, const char *scheme, const char *rho)
{
    static const HolSystemOps ops = {.evaluate = evaluate_spring, .tangent = spring_tangent};
    const double q[1] = {sqrt(2 / spring_rate)}, v[1] = {0};
    HolSystemSpec spec = hol_system_spec();
    spec.ops = &ops;
    spec.nq = spec.nv = 1;
    HolSystem *system = system_of(&spec);
    HolSetting settings[] = {{"integrator.scheme", scheme}, {"integrator.rho", rho}};
    HolSimulationOptions options = run_options(index3, integrator, 0.05);
    options.settings = settings;
    options.setting_count = scheme ? 2 : 0;
    Result end = run_system(system, &(HolInitialState){0, q, v}, &options, &(HolRun){.until = 5});
    CHECK_OK(end.status);
    hol_system_destroy(system);
    return end.measures.kinetic + end.measures.potential;
}

static void generalized_alpha_damps_what_is_too_fast(void)
{
    CHECK_NEAR(energy_left("newmark", NULL, NULL), 1, 1e-6);
    CHECK_NEAR(energy_left("trapezoidal", NULL, NULL), 1, 1e-6);
    CHECK(energy_left("generalized-alpha", "generalized-alpha", "1") > 0.9);
    CHECK(energy_left("generalized-alpha", "generalized-alpha", "0.8") < 1e-9);
    CHECK(energy_left("generalized-alpha", "generalized-alpha", "0.5") < 1e-12);
    CHECK(energy_left("generalized-alpha", "hht", "0.8") < 1e-6);
    CHECK(energy_left("generalized-alpha", "hht", "0.9") > 1e3 * energy_left("generalized-alpha", "hht", "0.8"));
}

/* ---- The built-in models ---- */

static HolMechanism *mechanism_of(const char *name)
{
    HolModel *model = hol_model_create();
    HolMechanism *mechanism = NULL;
    HolMessage message = {""};
    bool good = CHECK_OK(hol_model_load(model, name)) && CHECK_OK(hol_mechanism_create(model, &mechanism)) &&
                CHECK_OK(hol_mechanism_assemble(mechanism, &message));
    hol_model_destroy(model);
    return good ? mechanism : NULL;
}

static Result run_mechanism(const HolMechanism *mechanism, HolSimulationOptions options, double until)
{
    HolInitialState start = hol_mechanism_initial_state(mechanism);
    HolRun run = {.until = until};
    Result end = run_system(hol_mechanism_system(mechanism), &start, &options, &run);
    if (!CHECK_OK(end.status))
        printf("    %s\n", end.message.text);
    return end;
}

static void check_model_order(const char *name, double step, double until)
{
    static const HolSetting tight[] = {{"integrator.tolerance", "1e-12"}, {"integrator.absolute", "1e-12"}};
    static const HolSetting hht = {"integrator.scheme", "hht"};
    static const char *const integrators[] = {"newmark", "trapezoidal", "generalized-alpha", "generalized-alpha"};
    HolMechanism *mechanism = mechanism_of(name);
    REQUIRE(mechanism != NULL);
    HolSimulationOptions options = run_options("direct-correction", "dopri5", 1e-3);
    options.settings = tight;
    options.setting_count = 2;
    Result exact = run_mechanism(mechanism, options, until);
    for (int i = 0; i < 4; i++) {
        CHECK_CONTEXT("%s with %s%s", name, integrators[i], i == 3 ? ", hht" : "");
        options = run_options(index3, integrators[i], step);
        options.settings = &hht;
        options.setting_count = i == 3;
        Result coarse = run_mechanism(mechanism, options, until);
        options.step /= 2;
        Result fine = run_mechanism(mechanism, options, until);
        CHECK_NEAR(observed_order(result_distance(&coarse, &exact), result_distance(&fine, &exact), 2), 2, 0.2);
        CHECK_NEAR(coarse.summary.max_position_violation, 0, 1e-9);
        CHECK_NEAR(coarse.summary.max_velocity_violation, 0, 1e-9);
    }
    hol_mechanism_destroy(mechanism);
}

static void mechanisms_show_order_two(void)
{
    check_model_order("four-bar", 2e-3, 1);
    check_model_order("spatial-slider-crank", 2.5e-4, 1);
    check_model_order("rolling-disc", 4e-3, 1);
}

static void every_model_runs(void)
{
    for (int i = 0; i < hol_library_count(); i++) {
        HolMechanism *mechanism = mechanism_of(hol_library_model(i).name);
        REQUIRE(mechanism != NULL);
        for (int k = 0; k < 2; k++) {
            const char *integrator = k ? "generalized-alpha" : "newmark";
            CHECK_CONTEXT("%s with %s", hol_library_model(i).name, integrator);
            double step = fmin(1e-3, hol_mechanism_options(mechanism).step); /* those of stiff beams are shorter */
            Result end = run_mechanism(mechanism, run_options(index3, integrator, step), 200 * step);
            CHECK_NEAR(end.summary.max_position_violation, 0, 1e-9);
            CHECK_NEAR(end.summary.max_velocity_violation, 0, 1e-9);
        }
        hol_mechanism_destroy(mechanism);
    }
}

/* ---- Failure ---- */

static void check_failure(const Scene *scene, double step, const HolSetting *setting, int setting_count)
{
    HolSimulationOptions options = run_options(index3, "newmark", step);
    HolSimulation *simulation = NULL;
    options.settings = setting;
    options.setting_count = setting_count;
    REQUIRE_OK(hol_simulation_create(scene->system, &scene->start, &options, &simulation, NULL));
    const HolState *state = hol_simulation_state(simulation);
    const double q = state->q[0], lambda = state->lambda[0];
    CHECK_STATUS(hol_simulation_step(simulation, NULL), HOL_NO_CONVERGENCE);
    CHECK_CONTAINS(hol_simulation_message(simulation), "solving for the positions of the step");
    CHECK_CONTAINS(hol_simulation_message(simulation), "take a smaller step");
    CHECK(state->t == scene->start.t && state->q[0] == q && state->lambda[0] == lambda);
    hol_simulation_destroy(simulation);
}

static void a_step_too_large_is_reported(void)
{
    static const HolSetting few = {"formulation.max_iterations", "1"};
    static const HolSetting weak[] = {{"formulation.alpha", "1"}, {"formulation.max_iterations", "30"}};
    Scene *scene = scene_create("four-bar", 0);
    REQUIRE(scene != NULL);
    check_failure(scene, 1e-3, &few, 1);
    check_failure(scene, 0.05, weak, 2);
    check_failure(scene, 20, NULL, 0);
    scene_destroy(scene);
}

CHECK_MAIN(TEST(only_ratios_of_penalties_matter), TEST(coupled_stiffness_shares_too), TEST(a_preload_is_kept),
           TEST(forces_are_those_of_the_closed_form), TEST(shares_do_not_remember),
           TEST(wrong_stiffness_and_preloads_are_refused), TEST(generalized_alpha_damps_what_is_too_fast),
           TEST(mechanisms_show_order_two), TEST(every_model_runs), TEST(a_step_too_large_is_reported))
