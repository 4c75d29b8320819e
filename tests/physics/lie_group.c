/* SPDX-License-Identifier: BSD-3-Clause */
/* Implicit steps on Euler parameters: positions, velocities and forces of order two, with equal and with unequal steps,
 * against reference values that other programs have made. */
#include "check.h"
#include "reference_errors.h"
#include "runs.h"

static const char *const integrators[] = {"newmark", "{kind: generalized-alpha, rho: 0.8}",
                                          "{kind: generalized-alpha, rho: 0}"};
static const char *const formulations[] = {"index3-augmented-lagrangian", "ggl"};

typedef struct Case {
    const char *model;
    double t, step;
    bool has_speed, has_force; /* the reference */
} Case;

/* Closed loops, driven and free motion, speed constraints. */
static const Case cases[] = {
    {"universal-joint", 0.314, 0.00785, true, true},
    {"spatial-slider-crank", 0.5, 2.5e-4, true, false},
    {"bricard", 1, 4e-3, false, false},
    {"free-rigid-body", 1, 0.0125, true, false},
    {"rolling-disc", 0.5, 4e-3, true, true},
};
enum { CASES = sizeof cases / sizeof *cases, METHODS = 6 };

/* ---- Steps of a given pattern ---- */

typedef struct Stepper {
    const char *formulation, *integrator;
    double step;
    HolSimulation *simulation;
} Stepper;

/* The sum of a pattern is that of as many equal steps. */
static const HolState *take_unequal_steps(void *user, const HolMechanism *mechanism, double t)
{
    static const double pattern[] = {1, 0.5, 1.5, 1.25, 0.75, 1.4, 0.6};
    enum { LENGTH = sizeof pattern / sizeof *pattern };
    Stepper *s = user;
    HolMessage message = {""};
    HolInitialState start = hol_mechanism_initial_state(mechanism);
    HolSimulationOptions options = hol_mechanism_options(mechanism);
    options.step = 2 * s->step; /* longer than any: each run is one step */
    HolStatus status =
        hol_simulation_create(hol_mechanism_system(mechanism), &start, &options, &s->simulation, &message);
    double now = 0;
    for (int i = 0; now < t && status == HOL_OK; ++i) {
        now += pattern[i % LENGTH] * s->step;
        now = now < t - 0.25 * s->step ? now : t;
        status = hol_simulation_run(s->simulation, &(HolRun){.until = now});
    }
    if (!CHECK_OK(status))
        printf("    %s%s\n", message.text, s->simulation ? hol_simulation_message(s->simulation) : "");
    return status == HOL_OK ? hol_simulation_state(s->simulation) : NULL;
}

static ReferenceErrors unequal_errors(const ReferenceRun *run)
{
    Stepper stepper = {.step = run->step};
    ReferenceErrors errors = reference_errors_of(run, take_unequal_steps, &stepper);
    hol_simulation_destroy(stepper.simulation);
    return errors;
}

/* ---- Orders ---- */

enum { FINER = 8 };

static void check_order(const char *what, double coarse, double fine)
{
    CHECK_CONTEXT("%s: %.3g, then %.3g", what, coarse, fine);
    CHECK_NEAR(log(coarse / fine) / log(FINER), 2, 0.2);
}

static void check_orders(ReferenceErrors (*errors_of)(const ReferenceRun *run))
{
    for (int i = 0; i < CASES * METHODS; ++i) {
        const Case *c = &cases[i / METHODS];
        ReferenceRun run = {.model = c->model,
                            .coordinates = "reference-point",
                            .formulation = formulations[i % 2],
                            .integrator = integrators[i / 2 % 3],
                            .step = c->step,
                            .t = c->t};
        ReferenceErrors coarse = errors_of(&run);
        run.step /= FINER;
        ReferenceErrors fine = errors_of(&run);
        char what[120];
        snprintf(what, sizeof what, "%s, %s, %s", c->model, run.formulation, run.integrator);
        CHECK_CONTEXT("%s", what);
        CHECK((coarse.largest_force > 0) == c->has_force);
        check_order(what, coarse.place, fine.place);
        if (c->has_speed)
            check_order(what, coarse.speed, fine.speed);
        if (c->has_force)
            check_order(what, coarse.force, fine.force);
    }
}

static void equal_steps_have_order_two(void)
{
    check_orders(reference_errors);
}

static void unequal_steps_have_order_two(void)
{
    check_orders(unequal_errors);
}

CHECK_MAIN(TEST(equal_steps_have_order_two), TEST(unequal_steps_have_order_two))
