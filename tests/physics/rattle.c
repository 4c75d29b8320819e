/* SPDX-License-Identifier: BSD-3-Clause */
/* rattle: order two against references that it did not make, bounded energy over a long time, reversibility,
 * symplecticity, and what it refuses. */
#include "check.h"
#include "reference_errors.h"
#include "runs.h"
#include "systems/scenes.h"

#include <stdlib.h>

/* ---- Order ---- */

typedef struct OrderCase {
    const char *model;
    double t, step;
    double most; /* error of the positions at the finer step */
} OrderCase;

static void check_ratio(const char *what, double coarse, double fine)
{
    CHECK_CONTEXT("%s: %.3g, then %.3g", what, coarse, fine);
    if (coarse > 0)
        CHECK_NEAR(log2(coarse / fine), 2, 0.15);
}

static void orders_are_two(void)
{
    static const OrderCase cases[] = {
        {"four-bar", 0.5, 2e-3, 1e-5},        {"five-bar-pendulum", 0.5, 1e-3, 1e-5},
        {"free-rigid-body", 1, 0.0125, 2e-3}, {"universal-joint", 0.314, 0.00785, 1e-3},
        {"bricard", 1, 4e-3, 1e-4},           {"spatial-parallelogram", 0.5, 1e-3, 1e-3},
        {"double-four-bar", 0.5, 1e-3, 1e-4}, {"governor", 1, 1e-3, 1e-3},
        {"chaplygin-sleigh", 1, 4e-3, 1e-3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        ReferenceRun run = {cases[i].model, "natural", "rattle", NULL, NULL, NULL, cases[i].step, cases[i].t};
        ReferenceErrors coarse = reference_errors(&run);
        run.step /= 2;
        ReferenceErrors fine = reference_errors(&run);
        CHECK_CONTEXT("%s", cases[i].model);
        check_ratio("positions", coarse.place, fine.place);
        check_ratio("velocities", coarse.speed, fine.speed);
        check_ratio("forces", coarse.force, fine.force);
        CHECK(fine.place < cases[i].most);
    }
}

/* Redundant rods share their forces by their stiffness, and the motion is right: 1 N of 1300 N. */
static void redundant_reactions_are_right(void)
{
    ReferenceRun run = {"spatial-parallelogram", "natural", "rattle", NULL, NULL, NULL, 1e-3, 0.5};
    ReferenceErrors errors = reference_errors(&run);
    CHECK(errors.largest_force > 100);
    CHECK_NEAR(errors.force * errors.largest_force, 0, 0.2);
}

/* ---- Long times ---- */

typedef struct Energy {
    double until, first, last; /* largest drift in the first tenth of the time and in the last */
} Energy;

static HolStatus watch_energy(void *user, const HolState *state, const HolMeasures *measures)
{
    Energy *energy = user;
    if (state->t < 0.1 * energy->until)
        energy->first = fmax(energy->first, fabs(measures->drift));
    if (state->t > 0.9 * energy->until)
        energy->last = fmax(energy->last, fabs(measures->drift));
    return HOL_OK;
}

typedef struct Run {
    HolMechanism *mechanism;
    HolSimulation *simulation;
} Run;

static bool start_run(Run *run, const char *name, const char *coordinates, double step)
{
    HolMessage message = {""};
    HolModel *model = hol_model_create();
    *run = (Run){NULL, NULL};
    CHECK_OK(hol_model_load(model, name));
    CHECK_OK(hol_model_set(model, "run.coordinates", "%s", coordinates));
    HolStatus status = hol_mechanism_create(model, &run->mechanism);
    hol_model_destroy(model);
    if (status == HOL_OK)
        status = hol_mechanism_assemble(run->mechanism, &message);
    if (!CHECK_OK(status))
        return false;
    HolInitialState start = hol_mechanism_initial_state(run->mechanism);
    HolSimulationOptions options = hol_mechanism_options(run->mechanism);
    options.formulation = "rattle";
    options.integrator = "built-in";
    options.setting_count = 0;
    options.step = step;
    status = hol_simulation_create(hol_mechanism_system(run->mechanism), &start, &options, &run->simulation, &message);
    if (!CHECK_OK(status))
        printf("    %s\n", message.text);
    return status == HOL_OK;
}

static void stop_run(Run *run)
{
    hol_simulation_destroy(run->simulation);
    hol_mechanism_destroy(run->mechanism);
}

/* The energy oscillates by h^2 and does not drift. The double four-bar is singular at every half turn, and the joints
 * of the bricard are redundant. */
static void energy_does_not_drift(void)
{
    static const struct {
        const char *model;
        double step, until;
    } cases[] = {
        {"four-bar", 0.01, 400}, {"double-four-bar", 0.01, 400}, {"bricard", 0.02, 400}, {"pendulum", 0.02, 400}};
    for (int i = 0; i < 4; i++) {
        Run run;
        Energy energy = {cases[i].until, 0, 0};
        CHECK_CONTEXT("%s", cases[i].model);
        if (start_run(&run, cases[i].model, "natural", cases[i].step)) {
            HolRun all = {.until = energy.until, .record = watch_energy, .user = &energy};
            CHECK_OK(hol_simulation_run(run.simulation, &all));
            HolSummary sum = hol_simulation_summary(run.simulation);
            CHECK(energy.first > 1e-5); /* else there is nothing to see */
            CHECK_NEAR(energy.last / energy.first, 1, 0.05);
            CHECK_NEAR(sum.max_position_violation, 0, 1e-13);
            CHECK_NEAR(sum.max_velocity_violation, 0, 1e-13);
        }
        stop_run(&run);
    }
}

/* ---- Reversibility ---- */

enum { MOST = 256 };

static double most_off(int n, const double *x, const double *y, double sign)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(x[i] - sign * y[i]));
    return most;
}

/* The run back from the end, with the opposite velocities. */
static double run_back(const Run *run, double step, int steps, const HolInitialState *first)
{
    const HolSystem *system = hol_mechanism_system(run->mechanism);
    const HolPattern *p = hol_system_pattern(system);
    const HolState *end = hol_simulation_state(run->simulation);
    double v[MOST], missed = NAN;
    HolSimulation *back = NULL;
    for (int i = 0; i < p->nv; i++)
        v[i] = -end->v[i];
    HolSimulationOptions options = run_options("rattle", "built-in", step);
    HolInitialState turned = {0, end->q, v};
    if (CHECK_OK(hol_simulation_create(system, &turned, &options, &back, NULL)) &&
        CHECK_OK(hol_simulation_run(back, &(HolRun){.until = steps * step}))) {
        const HolState *state = hol_simulation_state(back);
        missed = fmax(most_off(p->nq, state->q, first->q, 1), most_off(p->nv, state->v, first->v, -1));
    }
    hol_simulation_destroy(back);
    return missed;
}

/* Redundant and nonholonomic rows included. The forces must not dissipate and not depend on time. */
static void steps_are_reversible(void)
{
    static const struct {
        const char *model;
        double step;
        int steps;
    } cases[] = {{"four-bar", 0.01, 500},          {"double-four-bar", 0.01, 130},
                 {"bricard", 0.02, 200},           {"five-bar-pendulum", 0.005, 200},
                 {"free-rigid-body", 0.0125, 200}, {"spatial-parallelogram", 0.002, 200},
                 {"rolling-disc", 0.01, 75},       {"chaplygin-sleigh", 0.01, 200}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Run run;
        CHECK_CONTEXT("%s", cases[i].model);
        if (start_run(&run, cases[i].model, "natural", cases[i].step)) {
            HolInitialState first = hol_mechanism_initial_state(run.mechanism);
            CHECK_OK(hol_simulation_run(run.simulation, &(HolRun){.until = cases[i].steps * cases[i].step}));
            CHECK(most_off(hol_system_pattern(hol_mechanism_system(run.mechanism))->nq,
                           hol_simulation_state(run.simulation)->q, first.q, 1) > 0.1);
            CHECK_NEAR(run_back(&run, cases[i].step, cases[i].steps, &first), 0, 1e-10);
        }
        stop_run(&run);
    }
}

/* ---- Symplecticity ----
 *
 * A mass on a sphere of radius 1, with two degrees of freedom: the sum of dq ^ dp over its coordinates, of two
 * differences between neighbouring motions, does not change. */

static HolStatus evaluate_sphere(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    (void)self, (void)want;
    const double *q = at->q, *v = at->v;
    terms->M[0] = terms->M[4] = terms->M[8] = 1;
    terms->Q[0] = -2 * q[0]; /* a spring along x, so that no momentum is kept */
    terms->Q[2] = -9.81;
    terms->Phi[0] = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - 1) / 2;
    terms->gamma[0] = -(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    memcpy(terms->D, q, 3 * sizeof *q);
    terms->kinetic = -terms->gamma[0] / 2;
    terms->potential = 9.81 * q[2] + q[0] * q[0];
    return HOL_OK;
}

static HolSystem *sphere_create(void)
{
    static const HolSystemOps ops = {.evaluate = evaluate_sphere};
    HolSystemSpec spec = hol_system_spec();
    spec.name = "sphere";
    spec.ops = &ops;
    spec.nq = spec.nv = 3;
    spec.nh = 1;
    spec.constant_mass = spec.scleronomic = true;
    HolSystem *system = NULL;
    CHECK_OK(hol_system_create(&spec, &system, NULL));
    return system;
}

typedef struct State {
    double q[3], v[3];
} State;

/* The motion from two angles and their rates. */
static State sphere_flow(const HolSystem *system, const char *formulation, const char *integrator, double step,
                         const double *x)
{
    double s = sin(x[0]), c = cos(x[0]), S = sin(x[1]), C = cos(x[1]);
    double q[3] = {s * C, s * S, -c};
    double v[3] = {x[2] * c * C - x[3] * s * S, x[2] * c * S + x[3] * s * C, x[2] * s};
    State end = {{NAN}, {NAN}};
    Result result =
        run_system(system, &(HolInitialState){0, q, v},
                   &(HolSimulationOptions){.formulation = formulation, .integrator = integrator, .step = step},
                   &(HolRun){.until = 5});
    if (CHECK_OK(result.status)) {
        memcpy(end.q, result.q, sizeof end.q);
        memcpy(end.v, result.v, sizeof end.v);
    }
    return end;
}

/* The derivative of the motion by its i-th initial value, by differences of fourth order. */
static State sphere_derivative(const HolSystem *system, const char *formulation, const char *integrator, double step,
                               int i)
{
    static const double weights[4] = {1. / 12, -2. / 3, 2. / 3, -1. / 12}, places[4] = {-2, -1, 1, 2}, delta = 1e-3;
    State sum = {{0}, {0}};
    for (int k = 0; k < 4; k++) {
        double x[4] = {1, 0.3, 0.5, 2};
        x[i] += places[k] * delta;
        State end = sphere_flow(system, formulation, integrator, step, x);
        for (int j = 0; j < 3; j++) {
            sum.q[j] += weights[k] / delta * end.q[j];
            sum.v[j] += weights[k] / delta * end.v[j];
        }
    }
    return sum;
}

/* By how much the form of two pairs of differences changes: at first it is the determinant of the metric, q_i with its
 * rate. */
static double form_changes(const HolSystem *system, const char *formulation, const char *integrator, double step)
{
    static const int pairs[2][2] = {{0, 2}, {1, 3}};
    double worst = 0;
    for (int k = 0; k < 2; k++) {
        State a = sphere_derivative(system, formulation, integrator, step, pairs[k][0]),
              b = sphere_derivative(system, formulation, integrator, step, pairs[k][1]);
        double form = 0, first = k == 0 ? 1 : sin(1) * sin(1);
        for (int j = 0; j < 3; j++)
            form += a.q[j] * b.v[j] - b.q[j] * a.v[j];
        worst = fmax(worst, fabs(form - first));
    }
    return worst;
}

static void steps_are_symplectic(void)
{
    HolSystem *system = sphere_create();
    CHECK_NEAR(form_changes(system, "rattle", "built-in", 0.05), 0, 1e-7);
    CHECK(form_changes(system, "direct-correction", "rk4", 0.05) > 1e-4); /* else the test sees nothing */
    hol_system_destroy(system);
}

/* ---- Forces that depend on velocities ---- */

/* A mass with a damper and a magnetic field, m = 1: v' = -c v + B x v, whose flow is known. */
typedef struct Damped {
    double c, B;
} Damped;

static HolStatus evaluate_damped(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const Damped *d = self;
    (void)want;
    terms->M[0] = terms->M[3] = 1;
    terms->Q[0] = -d->c * at->v[0] - d->B * at->v[1];
    terms->Q[1] = -d->c * at->v[1] + d->B * at->v[0];
    terms->kinetic = (at->v[0] * at->v[0] + at->v[1] * at->v[1]) / 2;
    terms->power = -2 * d->c * terms->kinetic;
    return HOL_OK;
}

static double damped_error(const Damped *d, double step, double *drift)
{
    static const HolSystemOps ops = {.evaluate = evaluate_damped};
    HolSystemSpec spec = hol_system_spec();
    spec.name = "damped";
    spec.ops = &ops;
    spec.self = d;
    spec.nq = spec.nv = 2;
    spec.constant_mass = spec.scleronomic = true;
    HolSystem *system = NULL;
    CHECK_OK(hol_system_create(&spec, &system, NULL));
    HolSimulationOptions options = run_options("rattle", "built-in", step);
    Result end = run_system(system, &(HolInitialState){0, (const double[]){0, 0}, (const double[]){1, 0}}, &options,
                            &(HolRun){.until = 1});
    CHECK_OK(end.status);
    hol_system_destroy(system);
    *drift = fabs(end.measures.drift);
    return hypot(end.v[0] - exp(-d->c) * cos(d->B), end.v[1] - exp(-d->c) * sin(d->B));
}

static void forces_may_depend_on_velocities(void)
{
    static const Damped weak = {0.5, 3}, strong = {100, 0}; /* h/2 c = 5: no contraction */
    double coarse, fine, drift_coarse, drift_fine;
    coarse = damped_error(&weak, 0.02, &drift_coarse);
    fine = damped_error(&weak, 0.01, &drift_fine);
    check_ratio("velocity", coarse, fine);
    check_ratio("energy balance", drift_coarse, drift_fine);
    CHECK_NEAR(damped_error(&strong, 0.1, &drift_fine), 0, 0.05);
}

/* ---- What is refused ---- */

static void other_coordinates_are_refused(void)
{
    HolMessage message = {""};
    HolModel *model = hol_model_create();
    HolMechanism *mechanism = NULL;
    HolSimulation *simulation = NULL;
    CHECK_OK(hol_model_load(model, "five-bar-pendulum"));
    CHECK_OK(hol_model_set(model, "run.coordinates", "reference-point"));
    CHECK_OK(hol_mechanism_create(model, &mechanism));
    HolSimulationOptions options = run_options("rattle", "built-in", 1e-3);
    HolInitialState start = hol_mechanism_initial_state(mechanism);
    CHECK_STATUS(hol_simulation_create(hol_mechanism_system(mechanism), &start, &options, &simulation, &message),
                 HOL_UNSUPPORTED);
    CHECK_CONTAINS(message.text, "natural coordinates");
    hol_mechanism_destroy(mechanism);
    hol_model_destroy(model);
}

CHECK_MAIN(TEST(orders_are_two), TEST(redundant_reactions_are_right), TEST(energy_does_not_drift),
           TEST(steps_are_reversible), TEST(steps_are_symplectic), TEST(forces_may_depend_on_velocities),
           TEST(other_coordinates_are_refused))
