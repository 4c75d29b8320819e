/* SPDX-License-Identifier: BSD-3-Clause */
/* ggl: order two against references that it did not make, exact positions and velocities, redundant reactions, damping of
 * fast motion; and the start of generalized-alpha, of index3-augmented-lagrangian too. */
#include "check.h"
#include "reference_errors.h"
#include "runs.h"

#include <stdlib.h>

static const char gentle[] = "{kind: generalized-alpha, rho: 0.8}", harsh[] = "{kind: generalized-alpha, rho: 0}";

/* ---- Order ---- */

static void check_ratio(const char *what, double coarse, double fine, double order)
{
    CHECK_CONTEXT("%s: %.3g, then %.3g", what, coarse, fine);
    if (coarse > 0)
        CHECK_NEAR(log2(coarse / fine), order, 0.25);
}

typedef struct OrderCase {
    const char *model, *coordinates;
    double t, step;
    double most; /* error of the positions at the finer step */
} OrderCase;

static void check_orders(const OrderCase *c, const char *integrator)
{
    ReferenceRun run = {c->model, c->coordinates, "ggl", integrator, NULL, NULL, c->step, c->t};
    ReferenceErrors coarse = reference_errors(&run);
    run.step /= 2;
    ReferenceErrors fine = reference_errors(&run);
    CHECK_CONTEXT("%s %s %s", c->model, c->coordinates, integrator);
    check_ratio("positions", coarse.place, fine.place, 2);
    check_ratio("velocities", coarse.speed, fine.speed, 2);
    check_ratio("forces", coarse.force, fine.force, 2);
    CHECK(fine.place < c->most);
    CHECK_NEAR(fine.summary.max_position_violation, 0, 1e-13);
    CHECK_NEAR(fine.summary.max_velocity_violation, 0, 1e-13);
}

/* Redundant, nonholonomic and moving rows; in both kinds of coordinates. */
static void orders_are_two(void)
{
    static const OrderCase cases[] = {
        {"four-bar", "reference-point", 0.5, 2e-3, 1e-5},
        {"five-bar-pendulum", "reference-point", 0.5, 1e-3, 1e-5},
        {"free-rigid-body", "reference-point", 1, 0.0125, 2e-3},
        {"free-rigid-body", "natural", 1, 0.0125, 2e-3},
        {"universal-joint", "reference-point", 0.314, 0.00785, 1e-3},
        {"universal-joint", "natural", 0.314, 0.00785, 1e-3},
        {"bricard", "reference-point", 1, 4e-3, 1e-4},
        {"spatial-parallelogram", "reference-point", 0.5, 1e-3, 1e-3},
        {"chaplygin-sleigh", "reference-point", 1, 4e-3, 1e-3},
    };
    static const char *const integrators[] = {"newmark", gentle, harsh};
    for (size_t i = 0; i < 3 * sizeof cases / sizeof *cases; ++i)
        check_orders(&cases[i / 3], integrators[i % 3]);
}

/* Redundant rods share their forces by their stiffness. */
static void redundant_reactions_are_right(void)
{
    static const char *const integrators[] = {"newmark", gentle, "trapezoidal"};
    for (int i = 0; i < 3; ++i) {
        ReferenceRun run = {"spatial-parallelogram", NULL, "ggl", integrators[i], NULL, NULL, 1e-3, 0.5};
        ReferenceErrors errors = reference_errors(&run);
        CHECK_CONTEXT("%s: %g N of %g N", integrators[i], errors.force * errors.largest_force, errors.largest_force);
        CHECK(errors.largest_force > 100);
        CHECK_NEAR(errors.force * errors.largest_force, 0, 1);
    }
}

/* The double four-bar is singular at every half turn. */
static void singular_configurations_are_passed(void)
{
    static const double steps[] = {1e-3, 4e-3};
    for (int i = 0; i < 2; ++i) {
        ReferenceRun run = {"double-four-bar", NULL, "ggl", "newmark", NULL, NULL, steps[i], 5};
        ReferenceErrors errors = reference_errors(&run);
        CHECK_CONTEXT("step %g", steps[i]);
        CHECK_NEAR(errors.summary.max_energy_drift, 0, 1e3 * steps[i] * steps[i]);
        CHECK_EQUAL_INT(errors.summary.branch_changes, 0);
        CHECK(errors.summary.singular_events > 0);
    }
}

/* ---- First steps ---- */

enum { MOST = 64 };

typedef struct End {
    double q[MOST], v[MOST], lambda[MOST];
} End;

static HolStatus run_to(const HolMechanism *mechanism, HolSimulationOptions options, double t, End *end)
{
    const HolPattern *p = hol_system_pattern(hol_mechanism_system(mechanism));
    HolInitialState start = hol_mechanism_initial_state(mechanism);
    HolSimulation *simulation = NULL;
    HolMessage message = {""};
    HolStatus status = hol_simulation_create(hol_mechanism_system(mechanism), &start, &options, &simulation, &message);
    if (status == HOL_OK)
        status = hol_simulation_run(simulation, &(HolRun){.until = t});
    if (CHECK_OK(status) && CHECK(p->nq <= MOST && p->m <= MOST)) {
        const HolState *state = hol_simulation_state(simulation);
        memcpy(end->q, state->q, (size_t)p->nq * sizeof *end->q);
        memcpy(end->v, state->v, (size_t)p->nv * sizeof *end->v);
        memcpy(end->lambda, state->lambda, (size_t)p->m * sizeof *end->lambda);
    } else {
        printf("    %s\n", message.text);
    }
    hol_simulation_destroy(simulation);
    return status;
}

static double most_off(int n, const double *x, const double *y)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(x[i] - y[i]));
    return most;
}

/* Errors of v and lambda after a number of steps, which may be broken: the last is shorter. */
static void find_errors(const HolMechanism *mechanism, const char *formulation, const char *rho, double step,
                        double steps, double *errors)
{
    static const HolSetting tight[] = {{"integrator.tolerance", "1e-13"}, {"integrator.absolute", "1e-13"}};
    const HolPattern *p = hol_system_pattern(hol_mechanism_system(mechanism));
    const HolSetting setting = {"integrator.rho", rho};
    End exact = {{0}, {0}, {0}}, end = {{0}, {0}, {0}};
    HolSimulationOptions options = run_options("direct-correction", "dopri5", step / 10);
    options.settings = tight;
    options.setting_count = 2;
    run_to(mechanism, options, steps * step, &exact);
    options = run_options(formulation, "generalized-alpha", step);
    options.settings = &setting;
    options.setting_count = 1;
    run_to(mechanism, options, steps * step, &end);
    errors[0] = most_off(p->nv, end.v, exact.v);
    errors[1] = most_off(p->m, end.lambda, exact.lambda);
}

static HolMechanism *open_model(const char *name, const char *coordinates)
{
    HolMechanism *mechanism = NULL;
    HolModel *model = hol_model_create();
    CHECK_OK(hol_model_load(model, name));
    CHECK_OK(hol_model_set(model, "run.coordinates", "%s", coordinates));
    CHECK_OK(hol_mechanism_create(model, &mechanism));
    CHECK_OK(hol_mechanism_assemble(mechanism, NULL));
    hol_model_destroy(model);
    return mechanism;
}

/* Few steps have the error of single steps, of order three, in velocities and multipliers. A sequence a that began with
 * vdot of the initial state would have order two, and so would a shorter last step that continued it. */
static void first_steps_have_order_three(void)
{
    static const char *const formulations[] = {"ggl", "index3-augmented-lagrangian"}, *const rhos[] = {"0", "0.8"};
    static const double steps[] = {1, 2, 3.5};
    static const char *const models[][2] = {{"universal-joint", "reference-point"}, {"free-rigid-body", "natural"}};
    for (int i = 0; i < 24; ++i) {
        HolMechanism *mechanism = open_model(models[i / 12][0], models[i / 12][1]);
        const char *formulation = formulations[i % 2], *rho = rhos[i / 2 % 2];
        double coarse[2], fine[2], number = steps[i / 4 % 3];
        find_errors(mechanism, formulation, rho, 8e-3, number, coarse);
        find_errors(mechanism, formulation, rho, 4e-3, number, fine);
        CHECK_CONTEXT("%s, %s, rho %s, %g steps", models[i / 12][0], formulation, rho, number);
        check_ratio("velocities", coarse[0], fine[0], 3);
        check_ratio("multipliers", coarse[1], fine[1], 3);
        hol_mechanism_destroy(mechanism);
    }
}

/* ---- Damping ---- */

/* A particle on a stiff spring along x, which oscillates far faster than the step, and falls along y. */
static const char stiff[] = "plane: xy\n"
                            "gravity: [0, -9.81]\n"
                            "bodies: {m: {rigid: [1.0000001, 0], mass: 1, inertia: 1}}\n"
                            "joints: {p: {prismatic: [ground, m], at: [0, 0], axis: x}}\n"
                            "forces: {s: {spring: [ground, m], from: [0, 0], to: [1.0000001, 0], stiffness: 1e10, "
                            "free_length: 1}}\n";

static double displacement_after(const char *rho, int steps)
{
    HolMechanism *mechanism = NULL;
    HolModel *model = hol_model_create();
    const HolSetting setting = {"integrator.rho", rho};
    End end = {{NAN}, {0}, {0}};
    CHECK_OK(hol_model_parse(model, stiff, "text"));
    CHECK_OK(hol_mechanism_create(model, &mechanism));
    CHECK_OK(hol_mechanism_assemble(mechanism, NULL));
    HolSimulationOptions options = run_options("ggl", "generalized-alpha", 0.01);
    options.settings = &setting;
    options.setting_count = 1;
    run_to(mechanism, options, steps * 0.01, &end);
    hol_mechanism_destroy(mechanism);
    hol_model_destroy(model);
    return end.q[0] - 1;
}

/* h omega = 1000, and the spring is stretched by 1e-7 m at first. */
static void fast_motion_is_damped(void)
{
    CHECK_NEAR(displacement_after("0.5", 50), 0, 1e-12);
    CHECK_NEAR(displacement_after("0.8", 100), 0, 1e-10);
    CHECK(fabs(displacement_after("1", 50)) > 5e-8);
}

CHECK_MAIN(TEST(orders_are_two), TEST(redundant_reactions_are_right), TEST(singular_configurations_are_passed),
           TEST(first_steps_have_order_three), TEST(fast_motion_is_damped))
