/* SPDX-License-Identifier: BSD-3-Clause */
/* augmented-hamiltonian: the energy drifts of a benchmark through singular configurations, with its own parameters; the
 * order of three integrators; the same motion as by other formulations; and systems with a variable M
 * or rheonomic constraints. */
#include <holon/holon.h>

#include "check.h"
#include "runs.h"
#include "system_of.h"
#include "systems/scenes.h"
#include "wrapped.h"

static const char hamiltonian[] = "augmented-hamiltonian";
static const double G = 9.81;

/* The defaults of the formulation unless settings say otherwise, not those of the contract tests. */
static HolSimulationOptions options_of(const char *integrator, double step, const HolSetting *settings, int count)
{
    HolSimulationOptions options = run_options(hamiltonian, integrator, step);
    options.settings = settings;
    options.setting_count = count;
    return options;
}

static bool has_run(const Result *result)
{
    if (CHECK_OK(result->status))
        return true;
    printf("    %s\n", result->message.text);
    return false;
}

/* The slider-crank of two equal rods passes 12 singular configurations in 10 s. */

/* Where it must not go: the other branch, on which the slider stays at the origin. */
static HolStatus watch_branch(void *user, const HolState *state, const HolMeasures *measures)
{
    (void)measures;
    double *farthest = user;
    *farthest = fmax(*farthest, fabs(state->q[2] - 2 * state->q[0]));
    return HOL_OK;
}

static Result run_slider_crank(const HolSimulationOptions *options, double until, double *branch)
{
    HolRun run = {.until = until, .record = watch_branch, .user = branch};
    *branch = 0;
    return run_alone("slider-crank", 0, NULL, options, &run);
}

static void check_drift(HolSimulationOptions options, double drift, double branch)
{
    double farthest;
    Result result = run_slider_crank(&options, 10, &farthest);
    if (!has_run(&result))
        return;
    CHECK_NEAR(result.summary.max_energy_drift, drift, 0.01 * drift);
    CHECK_NEAR(farthest, 0, branch);
}

/* González, Dopico, Pastorino, Cuadrado: no more than 0.1 J, their Table 1, and a tenth of it with a tenth of h. */
static void forward_euler_drifts_as_reported(void)
{
    check_drift(options_of("euler", 2e-3, NULL, 0), 0.0765, 1e-3);
    check_drift(options_of("euler", 2e-4, NULL, 0), 0.00751, 1e-4);
}

/* No more than 0.001 J, their Table 2. The iteration of the step diverges beside the singular configurations, and goes
 * on; the Newton iteration does so, too. */
static void the_trapezoidal_rule_drifts_as_reported(void)
{
    HolSetting settings[] = {
        {"formulation.xi", "2000"}, {"integrator.divergence", "continue"}, {"integrator.iteration", "newton"}};
    check_drift(options_of("trapezoidal", 2e-3, settings, 2), 8.03e-4, 1e-4);
    check_drift(options_of("trapezoidal", 2e-3, settings, 3), 8.03e-4, 1e-4);
}

/* ---- One update of the multipliers per evaluation, Eqs. (13) to (15) with i = 0, by forward Euler ----
 *
 *     (M + alpha D^T D) v = p + D^T (sigma + alpha c),  sigma <- sigma + alpha (c - D v),  pdot = Q - D(v)^T sigma
 *
 * with c = -2 xi omega Phi - omega^2 J and the signs of the library. D is linear in q, so that Ddot = D(v). */

static void slider_crank_rows(const double *q, double D[2][3])
{
    double d = q[2] - q[0];
    D[0][0] = q[0], D[0][1] = q[1], D[0][2] = 0;
    D[1][0] = -d, D[1][1] = q[1], D[1][2] = d;
}

/* x <- A^-1 x by Cramer's rule */
static void divide(double A[3][3], double *x)
{
    double c[3][3], det = 0, y[3] = {x[0], x[1], x[2]};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int a = (i + 1) % 3, b = (i + 2) % 3, k = (j + 1) % 3, l = (j + 2) % 3;
            c[i][j] = A[a][k] * A[b][l] - A[a][l] * A[b][k];
        }
    for (int j = 0; j < 3; j++)
        det += A[0][j] * c[0][j];
    for (int j = 0; j < 3; j++)
        x[j] = (c[0][j] * y[0] + c[1][j] * y[1] + c[2][j] * y[2]) / det;
}

typedef struct Momenta {
    double q[3], p[3], J[2], sigma[2], v[3];
} Momenta;

static void solve_once(Momenta *s, double alpha, double omega, double xi)
{
    static const double M[3][3] = {{2. / 3, 0, 1. / 6}, {0, 2. / 3, 0}, {1. / 6, 0, 1. / 3}};
    const double *q = s->q, d = q[2] - q[0],
                 Phi[2] = {(q[0] * q[0] + q[1] * q[1] - 1) / 2, (d * d + q[1] * q[1] - 1) / 2};
    double D[2][3], A[3][3], c[2];
    slider_crank_rows(q, D);
    for (int k = 0; k < 2; k++)
        c[k] = -2 * xi * omega * Phi[k] - omega * omega * s->J[k];
    for (int i = 0; i < 3; i++) {
        s->v[i] = s->p[i];
        for (int k = 0; k < 2; k++)
            s->v[i] += D[k][i] * (s->sigma[k] + alpha * c[k]);
        for (int j = 0; j < 3; j++)
            A[i][j] = M[i][j] + alpha * (D[0][i] * D[0][j] + D[1][i] * D[1][j]);
    }
    divide(A, s->v);
    for (int k = 0; k < 2; k++)
        s->sigma[k] += alpha * (c[k] - D[k][0] * s->v[0] - D[k][1] * s->v[1] - D[k][2] * s->v[2]);
}

static void literal_step(Momenta *s, double h)
{
    double Ddot[2][3];
    const double *q = s->q, d = q[2] - q[0],
                 Phi[2] = {(q[0] * q[0] + q[1] * q[1] - 1) / 2, (d * d + q[1] * q[1] - 1) / 2};
    slider_crank_rows(s->v, Ddot);
    for (int k = 0; k < 2; k++)
        s->J[k] += h * Phi[k];
    for (int i = 0; i < 3; i++) {
        s->p[i] += h * ((i == 1 ? -G : 0) - Ddot[0][i] * s->sigma[0] - Ddot[1][i] * s->sigma[1]);
        s->q[i] += h * s->v[i];
    }
}

/* The largest difference of a velocity from the literal form in 0.2 s. */
static double apart_from_one_update(const char *max_iterations)
{
    const double alpha = 100, omega = 0.1, xi = 100, h = 1e-3;
    const HolSetting settings[] = {
        {"formulation.alpha", "100"}, {"formulation.xi", "100"}, {"formulation.max_iterations", max_iterations}};
    HolSimulationOptions options = options_of("euler", h, settings, 3);
    HolSimulation *simulation = NULL;
    Scene *scene = scene_create("slider-crank", 0);
    double corner = sqrt(0.5), worst = 0;
    CHECK_OK(hol_simulation_create(scene->system, &scene->start, &options, &simulation, NULL));
    Momenta literal = {.q = {corner, corner, 2 * corner}, .p = {-4. / 3 - 4. / 6, 4. / 3, -2. / 6 - 4. / 3}};
    solve_once(&literal, alpha, omega, xi);
    for (int i = 0; i < 200 && CHECK_OK(hol_simulation_step(simulation, NULL)); i++) {
        literal_step(&literal, h);
        solve_once(&literal, alpha, omega, xi);
        for (int k = 0; k < 3; k++)
            worst = fmax(worst, fabs(hol_simulation_state(simulation)->v[k] - literal.v[k]));
    }
    hol_simulation_destroy(simulation);
    scene_destroy(scene);
    return worst;
}

static void one_update_is_that_of_the_paper(void)
{
    CHECK_NEAR(apart_from_one_update("1"), 0, 1e-9);
    CHECK(apart_from_one_update("50") > 1e-5);
}

/* After five turns, and ten singular configurations, it is back where it was. */
static void runge_kutta_keeps_the_period(void)
{
    const double period = 1.770567318733201, corner = sqrt(0.5), start[] = {corner, corner, 2 * corner, -2, 2, -4};
    HolSimulationOptions options = options_of("rk4", 1e-3, NULL, 0);
    double farthest;
    Result result = run_slider_crank(&options, 5 * period, &farthest);
    REQUIRE(has_run(&result));
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(result.q[i], start[i], 1e-5);
        CHECK_NEAR(result.v[i], start[3 + i], 1e-4);
    }
    CHECK_NEAR(farthest, 0, 1e-6);
    CHECK(result.summary.max_energy_drift < 5e-6);
}

/* The double four-bar in natural coordinates: no more than 0.1 J, their Table 3. */

static HolMechanism *natural_four_bars(void)
{
    HolModel *model = hol_model_create();
    HolMechanism *mechanism = NULL;
    HolMessage message = {""};
    bool good =
        CHECK_OK(hol_model_load(model, "n-four-bar")) && CHECK_OK(hol_model_set(model, "run.coordinates", "natural")) &&
        CHECK_OK(hol_mechanism_create(model, &mechanism)) && CHECK_OK(hol_mechanism_assemble(mechanism, &message));
    hol_model_destroy(model);
    return good ? mechanism : NULL;
}

static void the_double_four_bar_drifts_as_reported(void)
{
    static const struct {
        const char *integrator;
        double step, drift;
    } cases[] = {{"euler", 1e-3, 0.1}, {"trapezoidal", 5e-3, 0.1}, {"rk4", 1e-3, 1e-5}};
    const HolSetting settings[] = {{"integrator.divergence", "continue"}, {"integrator.tolerance", "1e-7"}};
    HolMechanism *mechanism = natural_four_bars();
    REQUIRE(mechanism != NULL);
    HolInitialState start = hol_mechanism_initial_state(mechanism);
    HolRun run = {.until = 10};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK_CONTEXT("%s", cases[i].integrator);
        HolSimulationOptions options = options_of(cases[i].integrator, cases[i].step, settings, i == 1 ? 2 : 0);
        Result result = run_system(hol_mechanism_system(mechanism), &start, &options, &run);
        if (has_run(&result))
            CHECK(result.summary.max_energy_drift < cases[i].drift);
    }
    hol_mechanism_destroy(mechanism);
}

/* Order and agreement, away from singular configurations */

static void orders_are_those_of_the_integrators(void)
{
    static const char *const integrators[] = {"euler", "trapezoidal", "rk4"};
    const HolSetting gentle[] = {{"formulation.xi", "10"}, {"formulation.alpha", "1e6"}};
    Scene *scene = scene_create("four-bar", 0);
    REQUIRE(scene != NULL);
    Result reference = run_reference(scene, 0.4);
    for (int i = 0; i < 3; i++) {
        CHECK_CONTEXT("%s", integrators[i]);
        HolSimulationOptions options = options_of(integrators[i], 4e-3, gentle, 2);
        Result coarse = run_scene(scene, &options, 0.4);
        options.step /= 2;
        Result fine = run_scene(scene, &options, 0.4);
        CHECK_NEAR(observed_order(result_distance(&coarse, &reference), result_distance(&fine, &reference), 2),
                   pair_order("augmented-hamiltonian", integrators[i]), 0.1);
    }
    scene_destroy(scene);
}

/* With its defaults, and twice the step that lagrange has. */
static void the_motion_is_that_of_lagrange(void)
{
    static const char *const scenes[] = {"pendulum", "double-pendulum", "four-bar", "spatial-chain", "rheonomic-crank"};
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        Scene *scene = scene_create(scenes[i], scenes[i][0] == 's' ? 3 : 0);
        REQUIRE(scene != NULL);
        CHECK_CONTEXT("%s", scenes[i]);
        HolSimulationOptions options = options_of("rk4", 5e-4, NULL, 0),
                             lagrange = run_options("lagrange", "rk4", 2.5e-4);
        Result result = run_scene(scene, &options, 0.5), expected = run_scene(scene, &lagrange, 0.5);
        if (has_run(&result))
            CHECK_NEAR(result_distance(&result, &expected), 0, 1e-7);
        scene_destroy(scene);
    }
}

/* Systems without a tangent, of which nothing is known to be constant, are differentiated by differences. */
static void differences_serve_as_well_as_tangents(void)
{
    static const HolSystemOps ops = {.evaluate = wrapped_evaluate, .qdot = wrapped_qdot, .retract = wrapped_retract};
    static const char *const scenes[] = {"double-pendulum", "four-bar"};
    const HolSetting exact = {"formulation.alpha", "1e6"};
    for (int i = 0; i < 2; i++) {
        Scene *scene = scene_create(scenes[i], 0);
        REQUIRE(scene != NULL);
        CHECK_CONTEXT("%s", scenes[i]);
        Wrapped wrapped = {NULL, NULL};
        HolSystem *system = NULL;
        HolSimulationOptions options = options_of("rk4", 1e-3, &exact, 1);
        HolRun run = {.until = 0.3};
        if (CHECK_OK(wrapped_open(scene->system, &wrapped)) && CHECK_OK(wrapped_create(&wrapped, &ops, &system))) {
            Result expected = run_scene(scene, &options, 0.3),
                   result = run_system(system, &scene->start, &options, &run);
            CHECK_NEAR(result_distance(&result, &expected), 0, 1e-10);
        }
        hol_system_destroy(system);
        wrapped_close(&wrapped);
        scene_destroy(scene);
    }
}

/* A particle in polar coordinates q = (r, phi) that falls along the line r cos phi = 1: M depends on q. */
static HolStatus falling_evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    (void)self, (void)want;
    double r = at->q[0], s = sin(at->q[1]), c = cos(at->q[1]), u = at->v[0], w = at->v[1];
    terms->M[0] = 1;
    terms->M[3] = r * r;
    terms->Q[0] = r * w * w - G * s;
    terms->Q[1] = -2 * r * u * w - G * r * c;
    terms->Phi[0] = r * c - 1;
    terms->D[0] = c;
    terms->D[1] = -r * s;
    terms->gamma[0] = 2 * s * u * w + r * c * w * w;
    terms->kinetic = (u * u + r * r * w * w) / 2;
    terms->potential = G * r * s;
    return HOL_OK;
}

static void a_mass_that_depends_on_q_is_served(void)
{
    static const HolSystemOps ops = {.evaluate = falling_evaluate};
    const double q[] = {1, 0}, v[] = {0, 1}, until = 0.5, y = until - G / 2 * until * until;
    HolSystemSpec spec = hol_system_spec();
    spec.ops = &ops;
    spec.nq = spec.nv = 2;
    spec.nh = 1;
    HolSystem *system = system_of(&spec);
    REQUIRE(system != NULL);
    HolSimulationOptions options = options_of("rk4", 5e-4, NULL, 0);
    Result result = run_system(system, &(HolInitialState){0, q, v}, &options, &(HolRun){.until = until});
    if (has_run(&result)) {
        CHECK_NEAR(result.q[0] * sin(result.q[1]), y, 1e-7);
        CHECK_NEAR(result.q[0] * cos(result.q[1]), 1, 1e-7);
        CHECK_NEAR(result.summary.max_energy_drift, 0, 1e-6);
    }
    hol_system_destroy(system);
}

/* A particle on a line that turns about the origin with the rate OMEGA: D depends on time, and r = cosh(OMEGA t). */
static const double OMEGA = 2;

static HolStatus turning_evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    (void)self, (void)want;
    double s = sin(OMEGA * at->t), c = cos(OMEGA * at->t);
    const double *q = at->q, *v = at->v;
    terms->M[0] = terms->M[3] = 1;
    terms->D[0] = -s;
    terms->D[1] = c;
    terms->Phi[0] = -s * q[0] + c * q[1];
    terms->nu[0] = OMEGA * (c * q[0] + s * q[1]);
    terms->gamma[0] = 2 * OMEGA * (c * v[0] + s * v[1]) + OMEGA * OMEGA * terms->Phi[0];
    terms->kinetic = (v[0] * v[0] + v[1] * v[1]) / 2;
    return HOL_OK;
}

static void rows_that_turn_with_time_are_served(void)
{
    static const HolSystemOps ops = {.evaluate = turning_evaluate};
    const double q[] = {1, 0}, v[] = {0, OMEGA}, until = 1, r = cosh(OMEGA * until);
    HolSystemSpec spec = hol_system_spec();
    spec.ops = &ops;
    spec.nq = spec.nv = 2;
    spec.nh = 1;
    spec.constant_mass = true;
    HolSystem *system = system_of(&spec);
    REQUIRE(system != NULL);
    HolSimulationOptions options = options_of("rk4", 5e-4, NULL, 0);
    Result result = run_system(system, &(HolInitialState){0, q, v}, &options, &(HolRun){.until = until});
    if (has_run(&result)) {
        CHECK_NEAR(result.q[0], r * cos(OMEGA * until), 1e-6);
        CHECK_NEAR(result.q[1], r * sin(OMEGA * until), 1e-6);
        CHECK_NEAR(result.summary.max_energy_drift, 0, 1e-5);
    }
    hol_system_destroy(system);
}

static void nonholonomic_rows_are_refused_with_a_sentence(void)
{
    HolSimulationOptions options = options_of("rk4", 1e-3, NULL, 0);
    Result result = run_alone("rolling-disc", 0, NULL, &options, &(HolRun){.until = 1});
    CHECK_STATUS(result.status, HOL_UNSUPPORTED);
    CHECK_CONTAINS(result.message.text, "holonomic");
    CHECK_CONTAINS(result.message.text, hamiltonian);
}

CHECK_MAIN(TEST(forward_euler_drifts_as_reported), TEST(the_trapezoidal_rule_drifts_as_reported),
           TEST(one_update_is_that_of_the_paper), TEST(runge_kutta_keeps_the_period),
           TEST(the_double_four_bar_drifts_as_reported), TEST(orders_are_those_of_the_integrators),
           TEST(the_motion_is_that_of_lagrange), TEST(differences_serve_as_well_as_tangents),
           TEST(a_mass_that_depends_on_q_is_served), TEST(rows_that_turn_with_time_are_served),
           TEST(nonholonomic_rows_are_refused_with_a_sentence))
