/* SPDX-License-Identifier: BSD-3-Clause */
/* Energy-preserving steps with velocities on the constraints at their ends, and with carried ones: orders of
 * convergence, the multipliers at the midpoints of steps, and angular momentum. */
#include <holon/mechanism.h>

#include "check.h"
#include "recorded.h"

enum { NV = 9, ROWS = 6 }; /* of the free body: the centre of mass and two axes, and what keeps three unit vectors */

typedef enum Start { GIVEN, ON_THE_SCHEME } Start;

static const char carried[] = "{kind: energy-preserving, constraint_velocity: carried}";

static HolMechanism *open_model(const char *name, const char *formulation)
{
    HolMechanism *mechanism = NULL;
    HolMessage message = {{0}};
    HolModel *model = hol_model_create();
    CHECK_OK(hol_model_load(model, name));
    CHECK_OK(hol_model_set(model, "run.coordinates", "natural"));
    CHECK_OK(hol_model_set(model, "run.formulation", "%s", formulation));
    CHECK_OK(hol_mechanism_create(model, &mechanism));
    hol_model_destroy(model);
    CHECK_OK(hol_mechanism_assemble(mechanism, &message));
    return mechanism;
}

/* With the formulation of the model if none is given. */
static HolSimulation *simulate(HolMechanism *mechanism, const char *formulation, const char *integrator, double step,
                               const HolInitialState *start)
{
    HolSimulation *simulation = NULL;
    HolMessage message = {{0}};
    HolSimulationOptions options = hol_mechanism_options(mechanism);
    if (formulation) {
        options.formulation = formulation;
        options.setting_count = 0;
    }
    options.integrator = integrator;
    options.step = step;
    options.keep_start = true;
    if (!CHECK_OK(hol_simulation_create(hol_mechanism_system(mechanism), start, &options, &simulation, &message)))
        printf("    %s\n", message.text);
    return simulation;
}

static void take_steps(HolSimulation *simulation, int count)
{
    for (int i = 0; i < count; ++i)
        if (!CHECK_OK(hol_simulation_step(simulation, NULL)))
            printf("    %s\n", hol_simulation_message(simulation));
}

/* ---- Multipliers at midpoints ---- */

/* The free body at t = 2, integrated elsewhere in other coordinates with extended precision; with the sign of there. */
static const double free_rows[6] = {2.7682380032190075,  3.5427390819785773,  0.40902291480241654,
                                    -1.3067793560040502, -0.1705777044763267, -0.10795087060402478};

/* The third derivative of q at the start, by a one-sided difference of the accelerations of a method of order 4. */
static void find_third_derivative(HolMechanism *mechanism, int nv, double *qdddot)
{
    static const double e = 1e-3, weights[4] = {-11. / 6, 3, -3. / 2, 1. / 3};
    HolInitialState start = hol_mechanism_initial_state(mechanism);
    HolSimulation *simulation = simulate(mechanism, "direct-correction", "rk4", e, &start);
    memset(qdddot, 0, (size_t)nv * sizeof *qdddot);
    for (int k = 0; k < 4; ++k) {
        for (int i = 0; i < nv; ++i)
            qdddot[i] += weights[k] / e * hol_simulation_state(simulation)->vdot[i];
        take_steps(simulation, 1);
    }
    hol_simulation_destroy(simulation);
}

typedef struct Multipliers {
    double error;  /* at the midpoint at 2 s */
    double zigzag; /* the largest fourth difference from step to step, over 16 */
} Multipliers;

static double zigzag_of(double x[5][6])
{
    double largest = 0;
    for (int i = 0; i < 6; ++i)
        largest = fmax(largest, fabs(x[0][i] - 4 * x[1][i] + 6 * x[2][i] - 4 * x[3][i] + x[4][i]) / 16);
    return largest;
}

/* `count` steps, of which the last has its midpoint at 2 s. */
static Multipliers find_multipliers(const char *formulation, Start from, int count)
{
    double h = 2 / (count - 0.5), qdddot[12], v[12], latest[5][6];
    HolMechanism *mechanism = open_model("free-rigid-body", formulation);
    HolInitialState start = hol_mechanism_initial_state(mechanism);
    const int nv = hol_system_pattern(hol_mechanism_system(mechanism))->nv;
    Multipliers found = {0, 0};
    if (!CHECK(nv <= 12))
        return found;
    find_third_derivative(mechanism, nv, qdddot);
    for (int i = 0; i < nv; ++i)
        v[i] = start.v[i] - (from == ON_THE_SCHEME ? h * h / 12 * qdddot[i] : 0);
    start.v = v;
    HolSimulation *simulation = simulate(mechanism, NULL, "built-in", h, &start);
    CHECK(hol_simulation_midpoint_multipliers(simulation) == NULL);
    for (int k = 0; k < count; ++k) {
        take_steps(simulation, 1);
        memmove(latest[0], latest[1], 4 * sizeof latest[0]);
        memcpy(latest[4], hol_simulation_midpoint_multipliers(simulation), sizeof latest[4]);
        found.zigzag = k < 4 ? 0 : fmax(found.zigzag, zigzag_of(latest));
    }
    for (int i = 0; i < 6; ++i)
        found.error = fmax(found.error, fabs(latest[4][i] + free_rows[i]));
    hol_simulation_destroy(simulation);
    hol_mechanism_destroy(mechanism);
    return found;
}

/* Carried velocities of a smooth motion are qdot - h^2/12 qdddot at the ends of steps. Others begin a zigzag of order
 * h, which is not damped. */
static void midpoint_multipliers_have_order_two(void)
{
    static const struct {
        const char *formulation;
        Start start;
        double order, least, most; /* of the zigzag */
    } cases[] = {{"energy-preserving", GIVEN, 2, 0, 2e-5},
                 {carried, ON_THE_SCHEME, 2, 0, 1e-4},
                 {carried, GIVEN, 1, 5e-3, 0.05}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        CHECK_CONTEXT("%s, start %d", cases[k].formulation, cases[k].start);
        Multipliers coarse = find_multipliers(cases[k].formulation, cases[k].start, 160),
                    fine = find_multipliers(cases[k].formulation, cases[k].start, 320);
        CHECK_NEAR(log2(coarse.error / fine.error), cases[k].order, 0.2);
        CHECK(coarse.zigzag >= cases[k].least && coarse.zigzag <= cases[k].most);
    }
}

/* ---- Orders ---- */

static double largest_error(int n, const double *x, const double *expected)
{
    double largest = 0;
    for (int i = 0; i < n; ++i)
        largest = fmax(largest, fabs(x[i] - expected[i]));
    return largest;
}

/* Of q, v and lambda, from an explicit method of order 8. */
static void find_errors(const char *model, double step, int count, double error[3])
{
    HolMechanism *mechanism = open_model(model, "energy-preserving");
    HolInitialState start = hol_mechanism_initial_state(mechanism);
    const HolPattern *p = hol_system_pattern(hol_mechanism_system(mechanism));
    HolSimulation *simulation = simulate(mechanism, NULL, "built-in", step, &start);
    HolSimulation *exact = simulate(mechanism, "direct-correction", "dop853", 1e-3, &start);
    take_steps(simulation, count);
    CHECK_OK(hol_simulation_run(exact, &(HolRun){.until = step * count}));
    const HolState *found = hol_simulation_state(simulation), *expected = hol_simulation_state(exact);
    error[0] = largest_error(p->nq, found->q, expected->q);
    error[1] = largest_error(p->nv, found->v, expected->v);
    error[2] = largest_error(p->m, found->lambda, expected->lambda);
    hol_simulation_destroy(simulation);
    hol_simulation_destroy(exact);
    hol_mechanism_destroy(mechanism);
}

/* Five bars, a driver, a wheel that rolls. */
static void orders_are_two(void)
{
    static const struct {
        const char *model;
        double step;
    } cases[] = {{"five-bar-pendulum", 2e-3}, {"universal-joint", 4e-3}, {"rolling-disc", 4e-3}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        double coarse[3], fine[3];
        CHECK_CONTEXT("%s", cases[k].model);
        find_errors(cases[k].model, cases[k].step, 200, coarse);
        find_errors(cases[k].model, cases[k].step / 2, 400, fine);
        for (int i = 0; i < 3; ++i)
            CHECK_NEAR(log2(coarse[i] / fine[i]), 2, 0.05);
    }
}

/* ---- Momentum ---- */

/* Two bars on a pin with a spring between them, in free flight. */
static const char flying[] =
    "plane: xy\n"
    "bodies:\n"
    "  a: {bar: [[0, 0], [1, 0]], mass: 2}\n"
    "  b: {bar: [[1, 0], [2, 0]], mass: 1}\n"
    "joints: {pin: {revolute: [a, b], at: [1, 0]}}\n"
    "forces: {s: {spring: [a, b], from: [0.2, 0], to: [1.5, 0.2], stiffness: 300, free_length: 0.8}}\n"
    "start: {a: {angular_velocity: 3, velocity: [1, 2]}, b: {angular_velocity: -4}}\n"
    "run: {coordinates: natural, step: 0.02, integrator: built-in, record: [a, b]}\n";

static double angular_momentum(Recorded *run)
{
    static const char *const names[2][5] = {{"a.x", "a.y", "a.vx", "a.vy", "a.w"},
                                            {"b.x", "b.y", "b.vx", "b.vy", "b.w"}};
    double sum = 0;
    recorded_read(run);
    for (int k = 0; k < 2; ++k) {
        double x[5], mass = 2 - k;
        for (int i = 0; i < 5; ++i)
            x[i] = recorded_value(run, names[k][i]);
        sum += mass * (x[0] * x[3] - x[1] * x[2] + x[4] / 12);
    }
    return sum;
}

static void angular_momentum_is_preserved(void)
{
    static const char *const velocities[] = {"enforced", "carried"};
    for (int k = 0; k < 2; ++k) {
        Recorded run;
        HolModel *model = hol_model_create();
        CHECK_CONTEXT("%s", velocities[k]);
        CHECK_OK(hol_model_parse(model, flying, "flying"));
        CHECK_OK(hol_model_set(model, "run.formulation", "{kind: energy-preserving, constraint_velocity: %s}",
                               velocities[k]));
        if (!recorded_open(&run, model, NULL))
            return;
        double before = angular_momentum(&run);
        take_steps(run.simulation, 500);
        CHECK_NEAR(angular_momentum(&run), before, 1e-11);
        CHECK_NEAR(hol_simulation_summary(run.simulation).max_energy_drift, 0, 1e-11);
        recorded_close(&run);
    }
}

CHECK_MAIN(TEST(midpoint_multipliers_have_order_two), TEST(orders_are_two), TEST(angular_momentum_is_preserved))
