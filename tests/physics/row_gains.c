/* SPDX-License-Identifier: BSD-3-Clause */
/* Frequencies and damping ratios of the penalties of single rows: each violation is a damped oscillator of its own, by
 * its closed form. */
#include <holon/holon.h>

#include "check.h"
#include "runs.h"
#include "system_of.h"

/* A particle of mass 1 on the planes x = 0 and y = 0, which it violates initially; nothing couples them. */
static HolStatus evaluate_planes(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    (void)self, (void)want;
    for (int i = 0; i < 2; i++) {
        terms->M[3 * i] = 1;
        terms->D[3 * i] = 1;
        terms->Phi[i] = at->q[i];
        terms->gamma[i] = 0;
    }
    terms->kinetic = (at->v[0] * at->v[0] + at->v[1] * at->v[1]) / 2;
    return HOL_OK;
}

static const double start_q[2] = {0.3, -0.2}, start_v[2] = {0, 0};
static const HolInitialState start = {0, start_q, start_v};

static HolSystem *planes_create(void)
{
    static const HolSystemOps ops = {.evaluate = evaluate_planes};
    HolSystemSpec spec = hol_system_spec();
    spec.name = "planes";
    spec.ops = &ops;
    spec.nq = spec.nv = spec.nh = 2;
    spec.constant_mass = spec.scleronomic = true;
    return system_of(&spec);
}

/* Of x'' + 2 xi omega x' + omega^2 x = 0 with x(0) = 1, x'(0) = 0, with xi below or at 1. */
static double decay(double omega, double xi, double t)
{
    double own = omega * sqrt(1 - xi * xi), fall = exp(-xi * omega * t);
    return own > 0 ? fall * (cos(own * t) + xi * omega / own * sin(own * t)) : fall * (1 + omega * t);
}

static Result run_planes(const char *formulation, const char *gains, const double *omega, const double *xi)
{
    const HolSetting settings[] = {{"formulation.omega", "3"}, {"formulation.xi", "0.5"}, {"formulation.gains", gains}};
    HolSystem *system = planes_create();
    HolSimulationOptions options = run_options(formulation, "rk4", 1e-3);
    options.settings = settings;
    options.setting_count = 3;
    options.row_omega = omega;
    options.row_xi = xi;
    options.keep_start = true;
    Result end = run_system(system, &start, &options, &(HolRun){.until = 0.25});
    hol_system_destroy(system);
    return end;
}

/* omega and xi of both rows. */
static void check_decay(const char *formulation, Result end, const double *omega, const double *xi)
{
    CHECK_CONTEXT("%s", formulation);
    if (!CHECK_OK(end.status))
        printf("    %s\n", end.message.text);
    for (int i = 0; i < 2; i++)
        CHECK_NEAR(end.q[i], start_q[i] * decay(omega[i], xi[i], 0.25), 1e-6); /* 1/alpha of it is missing */
}

static void each_row_has_its_own(void)
{
    static const char *const formulations[] = {"penalty", "augmented-lagrangian"};
    static const double omega[2] = {10, 4}, xi[2] = {1, 0.25}, usual_omega[2] = {3, 3}, usual_xi[2] = {0.5, 0.5};
    for (int i = 0; i < 2; i++) {
        const char *name = formulations[i];
        check_decay(name, run_planes(name, "fixed", omega, xi), omega, xi);
        check_decay(name, run_planes(name, "fixed", omega, NULL), omega, usual_xi);
        check_decay(name, run_planes(name, "fixed", NULL, xi), usual_omega, xi);
        check_decay(name, run_planes(name, "fixed", NULL, NULL), usual_omega, usual_xi);
    }
}

static void automatic_gains_fill_in_what_is_missing(void)
{
    static const double omega[2] = {10, 4}, automatic_xi[2] = {0.70710678118654752, 0.70710678118654752};
    check_decay("penalty", run_planes("penalty", "automatic", omega, NULL), omega, automatic_xi);
}

static void check_refused(const char *formulation, const double *omega, HolStatus status, const char *words)
{
    HolSystem *system = planes_create();
    HolSimulationOptions options = run_options(formulation, "rk4", 1e-3);
    options.row_omega = omega;
    options.setting_count = 0;
    options.keep_start = true;
    Result end = run_system(system, &start, &options, &(HolRun){.until = 0.01});
    CHECK_STATUS(end.status, status);
    CHECK_CONTAINS(end.message.text, words);
    hol_system_destroy(system);
}

static void not_a_number_leaves_the_option(void)
{
    static const double omega[2] = {10, NAN}, xi[2] = {NAN, 0.25}, both_omega[2] = {10, 3}, both_xi[2] = {0.5, 0.25};
    check_decay("penalty", run_planes("penalty", "fixed", omega, xi), both_omega, both_xi);
}

/* A plate on a weld that it violates initially. Its three constraint equations move its centre and its angle, which no
 * inertia couples. Gravity is along z. */
static const char *const plate = "plane: xy\n"
                                 "bodies: {plate: {rigid: [0, 0], mass: 2, inertia: 0.5}}\n"
                                 "joints: {weld: {fixed: [ground, plate], at: [0, 0]}}\n"
                                 "start: {plate: {position: [0.3, -0.2], angle: 0.1}}\n"
                                 "run: {start: as-given, until: 0.25, step: 1 ms,\n"
                                 "  formulation: {kind: penalty, omega: 3, xi: 0.5}, integrator: rk4}\n";

typedef struct Change {
    const char *path, *text;
} Change;

static HolMechanism *plate_compile(const Change *changes, HolModel *model)
{
    HolMechanism *mechanism = NULL;
    CHECK_OK(hol_model_parse(model, plate, "test"));
    for (; changes->path; changes++)
        CHECK_OK(hol_model_set(model, changes->path, "%s", changes->text));
    hol_mechanism_create(model, &mechanism);
    return mechanism;
}

/* The gains that are expected of the three constraint equations. */
static void check_plate(const Change *changes, const double *omega, const double *xi)
{
    static const double begin[3] = {0.3, -0.2, 0.1};
    HolModel *model = hol_model_create();
    HolMechanism *mechanism = plate_compile(changes, model);
    HolMessage message = {{0}};
    if (CHECK(mechanism) && CHECK_OK(hol_mechanism_assemble(mechanism, &message))) {
        HolInitialState initial = hol_mechanism_initial_state(mechanism);
        HolSimulationOptions options = hol_mechanism_options(mechanism);
        Result end = run_system(hol_mechanism_system(mechanism), &initial, &options, &(HolRun){.until = 0.25});
        CHECK_OK(end.status);
        for (int i = 0; i < 3; i++)
            CHECK_NEAR(end.q[i], begin[i] * decay(omega[i], xi[i], 0.25), 1e-6); /* 1/alpha of it is missing */
    }
    hol_mechanism_destroy(mechanism);
    hol_model_destroy(model);
}

static void joints_of_models_give_them(void)
{
    const Change omegas = {"joints.weld.penalty_omega", "[10, 4, 6]"}, xis = {"joints.weld.penalty_xi", "[1, 0.25, 0]"};
    check_plate((Change[]){omegas, xis, {0}}, (double[]){10, 4, 6}, (double[]){1, 0.25, 0});
    check_plate((Change[]){omegas, {0}}, (double[]){10, 4, 6}, (double[]){0.5, 0.5, 0.5});
    check_plate((Change[]){{"joints.weld.penalty_xi", "0.1"}, {0}}, (double[]){3, 3, 3}, (double[]){0.1, 0.1, 0.1});
}

/* What is said of these changes: an error, or a warning where the model can be used. */
static void check_said(const Change *changes, bool is_error, const char *words)
{
    HolModel *model = hol_model_create();
    HolMechanism *mechanism = plate_compile(changes, model);
    CHECK_EQUAL_INT(!mechanism, is_error);
    const char *said = is_error ? hol_model_error(model, 0) : hol_model_warning(model, 0);
    if (CHECK(said))
        CHECK_CONTAINS(said, words);
    hol_mechanism_destroy(mechanism);
    hol_model_destroy(model);
}

static void mistakes_in_joints_are_explained(void)
{
    const char *omega = "joints.weld.penalty_omega", *xi = "joints.weld.penalty_xi";
    check_said((Change[]){{omega, "[1, 2]"}, {0}}, true,
               "'penalty_omega' must be one number, or a list of 3 numbers, one for each constraint equation (x of the "
               "point, y of the point, rotation)");
    check_said((Change[]){{xi, "-1"}, {0}}, true, "'penalty_xi' must be zero or positive, not -1");
    check_said((Change[]){{omega, "2 m"}, {0}}, true, "a value in rad/s is expected, not in m");
    check_said((Change[]){{omega, "2"}, {"run.formulation", "lagrange"}, {0}}, false,
               "joint 'weld': 'penalty_omega' and 'penalty_xi' have no effect with 'lagrange'");
}

static void wrong_ones_are_refused(void)
{
    static const double negative[2] = {1, -1}, good[2] = {1, 1};
    check_refused("penalty", negative, HOL_BAD_INPUT, "row_omega[1] = -1");
    check_refused("baumgarte", good, HOL_UNSUPPORTED, "'baumgarte'");
}

CHECK_MAIN(TEST(each_row_has_its_own), TEST(automatic_gains_fill_in_what_is_missing),
           TEST(not_a_number_leaves_the_option), TEST(joints_of_models_give_them),
           TEST(mistakes_in_joints_are_explained), TEST(wrong_ones_are_refused))
