/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps that preserve the energy in reference-point coordinates in space: energy, angular momentum, closed forms, and
 * orders of convergence against another formulation with a tight integrator. */
#include <holon/mechanism.h>

#include "check.h"

static const double PI = 3.14159265358979323846;

/* A body without forces that spins near its unstable middle axis. */
static const char *const spinner = "bodies: {a: {rigid: [0, 0, 0], mass: 2, inertia: [1, 2, 3]}}\n"
                                   "start: {a: {velocity: [0.3, -0.1, 0.2], angular_velocity: [0.1, 4, 0.1]}}\n";

/* The same with two equal moments of inertia. */
static const char *const symmetric = "bodies: {a: {rigid: [0, 0, 0], mass: 2, inertia: [2, 2, 3]}}\n"
                                     "start: {a: {angular_velocity: [1, 0, 4]}}\n";

/* Three bodies that fly, joined by a ball and a hinge and by springs between their ends. */
static const char *const flock =
    "bodies:\n"
    "  a: {rigid: [0, 0, 0], mass: 2, inertia: [0.1, 0.2, 0.25]}\n"
    "  b: {rigid: [1, 0, 0], mass: 1, inertia: [0.2, 0.1, 0.15]}\n"
    "  c: {rigid: [2, 0, 0.5], mass: 1.5, inertia: [0.1, 0.15, 0.1]}\n"
    "joints:\n"
    "  ball: {spherical: [a, b], at: [0.5, 0, 0]}\n"
    "  pin: {revolute: [b, c], at: [1.5, 0, 0], axis: [0, 1, 0]}\n"
    "forces:\n"
    "  first: {spring: [a, c], from: [0, 0.3, 0], to: [2, 0.2, 0.5], stiffness: 200}\n"
    "  second: {spring: [a, b], from: [0, 0, 0.3], to: [1, 0.1, 0.2], polynomial: [0, 0, 0, 20]}\n"
    "start: {a: {velocity: [0.3, -0.1, 0.2], angular_velocity: [1, 2, -1]}, c: {angular_velocity: [0, 0, 3]}}\n";

/* A heavy top on a ball joint at the origin, drawn to its side by a spring from the vertical through it, and a body that
 * hangs from the top by another ball: only the vertical is an axis of symmetry. */
static const char *const top = "gravity: [0, 0, -9.81]\n"
                               "bodies:\n"
                               "  a: {rigid: [0.4, 0, 0.5], mass: 2, inertia: [0.1, 0.1, 0.05]}\n"
                               "  b: {rigid: [1, 0, 0.4], mass: 1, inertia: [0.02, 0.03, 0.04]}\n"
                               "joints:\n"
                               "  foot: {spherical: [ground, a], at: [0, 0, 0]}\n"
                               "  ball: {spherical: [a, b], at: [0.8, 0, 1]}\n"
                               "forces:\n"
                               "  string: {spring: [ground, a], from: [0, 0, 2], to: [0.8, 0, 1], stiffness: 60}\n"
                               "start: {a: {angular_velocity: [8, 0, 10]}}\n";

/* A crank that a motor turns, with a damped pendulum hinged across. */
static const char *const driven = "gravity: [0, 0, -9.81]\n"
                                  "bodies:\n"
                                  "  a: {rigid: [0.5, 0, 0], mass: 2, inertia: [0.1, 0.2, 0.3]}\n"
                                  "  b: {rigid: [1, 0, -0.5], mass: 1, inertia: [0.2, 0.1, 0.15]}\n"
                                  "joints:\n"
                                  "  shaft: {revolute: [ground, a], at: [0, 0, 0], axis: z}\n"
                                  "  pin: {revolute: [a, b], at: [1, 0, 0], axis: x}\n"
                                  "drivers: {motor: {angle: shaft, value: 2*t + 0.3*sin(3*t)}}\n"
                                  "forces: {damper: {torsion: pin, stiffness: 2, damping: 0.1}}\n";

/* A plate that swings on three parallel cranks in space: their hinges are redundant. It passes no singular
 * configuration, where velocities are known up to amplified rounding. */
static const char *const parallel = "gravity: [0, 0, -9.81]\n"
                                    "points: {A: [0, 0, 0], B: [1, 0, 0], C: [0, 1, 0]}\n"
                                    "bodies:\n"
                                    "  a: {bar: [[0, 0, 0], [0, 0.3, -1]], mass: 1, section: [0.1, 0.1]}\n"
                                    "  b: {bar: [[1, 0, 0], [1, 0.3, -1]], mass: 1, section: [0.1, 0.1]}\n"
                                    "  c: {bar: [[0, 1, 0], [0, 1.3, -1]], mass: 1, section: [0.1, 0.1]}\n"
                                    "  p: {rigid: [0.5, 0.8, -1], mass: 3, inertia: [0.3, 0.3, 0.5]}\n"
                                    "joints:\n"
                                    "  a0: {revolute: [ground, a], at: [0, 0, 0], axis: x}\n"
                                    "  b0: {revolute: [ground, b], at: [1, 0, 0], axis: x}\n"
                                    "  c0: {revolute: [ground, c], at: [0, 1, 0], axis: x}\n"
                                    "  a1: {revolute: [a, p], at: [0, 0.3, -1], axis: x}\n"
                                    "  b1: {revolute: [b, p], at: [1, 0.3, -1], axis: x}\n"
                                    "  c1: {revolute: [c, p], at: [0, 1.3, -1], axis: x}\n";

typedef struct Run {
    HolMechanism *mechanism;
    HolSimulation *simulation;
    HolMessage message;
} Run;

/* A text has several lines, the name of a built-in model has one. */
static HolStatus make_run(Run *run, const char *model_name, const char *formulation, const char *integrator,
                          double step)
{
    HolModel *model = hol_model_create();
    *run = (Run){0};
    CHECK_OK(strchr(model_name, '\n') ? hol_model_parse(model, model_name, "text") : hol_model_load(model, model_name));
    CHECK_OK(hol_model_set(model, "run.coordinates", "reference-point"));
    CHECK_OK(hol_model_set(model, "run.formulation", "{kind: %s}", formulation));
    CHECK_OK(hol_model_set(model, "run.integrator", "{kind: %s%s}", integrator,
                           strcmp(integrator, "dopri5") == 0 ? ", tolerance: 1e-12, absolute: 1e-12" : ""));
    HolStatus status = hol_mechanism_create(model, &run->mechanism);
    hol_model_destroy(model);
    if (status == HOL_OK)
        status = hol_mechanism_assemble(run->mechanism, &run->message);
    if (status != HOL_OK)
        return status;
    HolInitialState start = hol_mechanism_initial_state(run->mechanism);
    HolSimulationOptions options = hol_mechanism_options(run->mechanism);
    options.step = step;
    return hol_simulation_create(hol_mechanism_system(run->mechanism), &start, &options, &run->simulation,
                                 &run->message);
}

/* The two forms of the velocity at the end of a step. */
static const char enforced[] = "energy-preserving", carried[] = "energy-preserving, constraint_velocity: carried";

static bool start_run(Run *run, const char *model, const char *form, double step)
{
    HolStatus status = make_run(run, model, form, "built-in", step);
    if (!CHECK_OK(status))
        printf("    %s\n", run->message.text);
    return status == HOL_OK;
}

static void stop_run(Run *run)
{
    hol_simulation_destroy(run->simulation);
    hol_mechanism_destroy(run->mechanism);
}

static void go_until(Run *run, double until)
{
    if (!CHECK_OK(hol_simulation_run(run->simulation, &(HolRun){.until = until})))
        printf("    %s\n", hol_simulation_message(run->simulation));
}

/* ---- Energy ---- */

static HolStatus keep_most(void *user, const HolState *state, const HolMeasures *measures)
{
    (void)state;
    double *kinetic = user;
    *kinetic = fmax(*kinetic, measures->kinetic);
    return HOL_OK;
}

static void check_form(const char *model, const char *form, double step, double until, double tolerance)
{
    Run run;
    double kinetic = 0;
    CHECK_CONTEXT("%s, %.20s, step %g", form, model, step);
    if (start_run(&run, model, form, step)) {
        HolRun all = {.until = until, .record = keep_most, .user = &kinetic};
        CHECK_OK(hol_simulation_run(run.simulation, &all));
        HolSummary sum = hol_simulation_summary(run.simulation);
        CHECK_NEAR(sum.max_energy_drift / (kinetic + fabs(sum.energy_initial)), 0, tolerance);
        CHECK_NEAR(sum.max_position_violation, 0, 1e-12);
        CHECK_NEAR(sum.max_velocity_violation, 0, 1e-11);
        CHECK(kinetic > 0 && sum.unconverged == 0);
        if (form == enforced)
            CHECK_NEAR(sum.max_off_manifold_energy / kinetic, 0, 1e-20);
    }
    stop_run(&run);
}

static void check_kept(const char *model, double step, double until, double tolerance)
{
    check_form(model, enforced, step, until, tolerance);
    check_form(model, carried, step, until, tolerance);
}

static void energy_and_work_balance(void)
{
    check_kept("free-rigid-body", 0.1, 100, 1e-13);
    check_kept("universal-joint", 0.02, 6.28, 1e-12);
    check_kept("five-bar-pendulum", 0.01, 20, 1e-12);
    check_kept("five-bar-pendulum", 0.05, 20, 1e-12);
    check_kept("bricard", 0.01, 10, 1e-12);
    check_kept("bricard", 0.1, 20, 1e-12);
    check_kept("rolling-disc", 0.01, 4, 1e-12);
    check_kept("stewart-platform", 0.01, 1, 1e-12);
    check_kept(flock, 0.02, 20, 1e-12);
    check_kept(top, 0.02, 10, 1e-12);
    check_kept(driven, 0.02, 10, 1e-12);
    check_kept(parallel, 0.02, 10, 1e-12);
}

/* ---- Angular momentum ---- */

typedef struct Inertia {
    double mass, J[3];
} Inertia;

/* Linear and angular momentum about the origin; the axes of the bodies are those of their inertia. */
static void find_momentum(const HolState *state, int count, const Inertia *bodies, double momentum[6])
{
    memset(momentum, 0, 6 * sizeof *momentum);
    for (int b = 0; b < count; b++) {
        const double *r = state->q + 7 * b, *e = r + 3, *v = state->v + 6 * b, *w = v + 3;
        double m = bodies[b].mass, l[4] = {0, bodies[b].J[0] * w[0], bodies[b].J[1] * w[1], bodies[b].J[2] * w[2]};
        double t[3], u[3]; /* R l = l + 2 e0 (e x l) + 2 e x (e x l) */
        for (int i = 0; i < 3; i++)
            t[i] = e[1 + (i + 1) % 3] * l[1 + (i + 2) % 3] - e[1 + (i + 2) % 3] * l[1 + (i + 1) % 3];
        for (int i = 0; i < 3; i++)
            u[i] = e[1 + (i + 1) % 3] * t[(i + 2) % 3] - e[1 + (i + 2) % 3] * t[(i + 1) % 3];
        for (int i = 0; i < 3; i++) {
            momentum[i] += m * v[i];
            momentum[3 + i] += l[1 + i] + 2 * e[0] * t[i] + 2 * u[i] +
                               m * (r[(i + 1) % 3] * v[(i + 2) % 3] - r[(i + 2) % 3] * v[(i + 1) % 3]);
        }
    }
}

/* The largest change of the components `first` to 5, relative to the largest of them. */
static double momentum_error(const char *model, const char *form, int count, const Inertia *bodies, int first,
                             double step)
{
    const double until = 10;
    Run run;
    double before[6], now[6], most = 0, size = 0;
    CHECK_CONTEXT("%s, %.20s, step %g", form, model, step);
    if (start_run(&run, model, form, step)) {
        find_momentum(hol_simulation_state(run.simulation), count, bodies, before);
        while (hol_simulation_state(run.simulation)->t < until) {
            if (!CHECK_OK(hol_simulation_step(run.simulation, NULL)))
                break;
            find_momentum(hol_simulation_state(run.simulation), count, bodies, now);
            for (int i = first; i < 6; i++) {
                most = fmax(most, fabs(now[i] - before[i]));
                size = fmax(size, fabs(now[i]));
            }
        }
    }
    stop_run(&run);
    return size > 0 ? most / size : NAN;
}

static const Inertia spinning[] = {{2, {1, 2, 3}}};
static const Inertia flying[] = {{2, {0.1, 0.2, 0.25}}, {1, {0.2, 0.1, 0.15}}, {1.5, {0.1, 0.15, 0.1}}};
static const Inertia hanging[] = {{2, {0.1, 0.1, 0.05}}, {1, {0.02, 0.03, 0.04}}};

/* In reference-point coordinates the projection of the reported velocities takes no momentum either: it is made of
 * forces of joints. */
static void carried_velocities_keep_the_momentum(void)
{
    static const double steps[] = {0.01, 0.05};
    CHECK_NEAR(momentum_error(spinner, carried, 1, spinning, 0, 0.4), 0, 1e-12);
    CHECK_NEAR(momentum_error(spinner, enforced, 1, spinning, 0, 0.1), 0, 1e-12);
    for (int i = 0; i < 2; i++) {
        CHECK_NEAR(momentum_error(flock, carried, 3, flying, 0, steps[i]), 0, 1e-12);
        CHECK_NEAR(momentum_error(top, carried, 2, hanging, 5, steps[i]), 0, 1e-12);
    }
}

/* The force of the second multipliers has a moment of order 4. */
static void enforced_velocities_keep_it_to_order_four(void)
{
    double coarse = momentum_error(flock, enforced, 3, flying, 0, 0.005);
    double fine = momentum_error(flock, enforced, 3, flying, 0, 0.0025);
    CHECK_NEAR(coarse, 0, 1e-7);
    CHECK_NEAR(log2(coarse / fine), 4, 0.3);
    coarse = momentum_error(top, enforced, 2, hanging, 5, 0.01);
    fine = momentum_error(top, enforced, 2, hanging, 5, 0.005);
    CHECK_NEAR(coarse, 0, 2e-5);
    CHECK_NEAR(log2(coarse / fine), 4, 0.3);
}

/* ---- Closed forms ---- */

/* The transverse part of w turns in body axes with the rate k w_3, k = (J_3 - J_1)/J_1 = 1/2; in a step by
 * 2 atan(h k w_3/2), because the equation for it is linear. The axis of the angular momentum stays. */
static void a_symmetric_body_precesses(void)
{
    static const double steps[] = {0.01, 0.1, 0.3};
    for (int k = 0; k < 3; k++) {
        Run run;
        CHECK_CONTEXT("step %g", steps[k]);
        if (start_run(&run, symmetric, enforced, steps[k])) {
            for (int i = 1; i <= 100; i++) {
                CHECK_OK(hol_simulation_step(run.simulation, NULL));
                const double *w = hol_simulation_state(run.simulation)->v + 3;
                double angle = i * 2 * atan(steps[k] * 0.5 * 4 / 2);
                CHECK_NEAR(w[0], cos(angle), 1e-12);
                CHECK_NEAR(w[1], sin(angle), 1e-12);
                CHECK_NEAR(w[2], 4, 1e-12);
            }
        }
        stop_run(&run);
    }
}

/* About a principal axis a step turns the body by 2 atan(w h/2). */
static void a_steady_rotation_stays(void)
{
    static const char *const wheel = "bodies: {a: {rigid: [0, 0, 0], mass: 2, inertia: [1, 2, 3]}}\n"
                                     "start: {a: {angular_velocity: [0, 0, 5]}}\n";
    Run run;
    if (start_run(&run, wheel, enforced, 0.1)) {
        for (int i = 1; i <= 1000; i++) {
            CHECK_OK(hol_simulation_step(run.simulation, NULL));
            const HolState *state = hol_simulation_state(run.simulation);
            double half = i * atan(5 * 0.1 / 2);
            CHECK_NEAR(fabs(state->q[3] * cos(half) + state->q[6] * sin(half)), 1, 1e-12);
            CHECK_NEAR(state->v[5], 5, 1e-12);
        }
    }
    stop_run(&run);
}

/* ---- Orders ---- */

typedef struct End {
    double q[128], v[128], lambda[128];
    int nq, nv, m;
} End;

static End end_of(const char *model, const char *formulation, const char *integrator, double step, double until)
{
    Run run;
    End end = {.nq = 0};
    if (CHECK_OK(make_run(&run, model, formulation, integrator, step))) {
        const HolPattern *p = hol_system_pattern(hol_mechanism_system(run.mechanism));
        go_until(&run, until);
        const HolState *state = hol_simulation_state(run.simulation);
        end.nq = p->nq, end.nv = p->nv, end.m = p->m;
        CHECK(p->nq <= 128 && p->m <= 128);
        memcpy(end.q, state->q, (size_t)p->nq * sizeof *end.q);
        memcpy(end.v, state->v, (size_t)p->nv * sizeof *end.v);
        if (p->m > 0)
            memcpy(end.lambda, state->lambda, (size_t)p->m * sizeof *end.lambda);
    } else {
        printf("    %s\n", run.message.text);
    }
    stop_run(&run);
    return end;
}

static double distance(int n, const double *x, const double *y)
{
    double square = 0;
    for (int i = 0; i < n; i++)
        square += (x[i] - y[i]) * (x[i] - y[i]);
    return sqrt(square);
}

static void check_order(const char *model, const char *form, double step, double until)
{
    CHECK_CONTEXT("%s, %.20s, step %g", form, model, step);
    End exact = end_of(model, "direct-correction", "dopri5", 1e-3, until);
    End coarse = end_of(model, form, "built-in", step, until);
    End fine = end_of(model, form, "built-in", step / 2, until);
    CHECK_NEAR(log2(distance(exact.nq, coarse.q, exact.q) / distance(exact.nq, fine.q, exact.q)), 2, 0.15);
    CHECK_NEAR(log2(distance(exact.nv, coarse.v, exact.v) / distance(exact.nv, fine.v, exact.v)), 2, 0.15);
    if (exact.m > 0)
        CHECK_NEAR(log2(distance(exact.m, coarse.lambda, exact.lambda) / distance(exact.m, fine.lambda, exact.lambda)),
                   2, 0.15);
}

static void the_order_is_two(void)
{
    static const char *const forms[] = {enforced, carried};
    for (int i = 0; i < 2; i++) {
        check_order("free-rigid-body", forms[i], 0.0125, 2);
        check_order("universal-joint", forms[i], PI / 400, PI);
        check_order("five-bar-pendulum", forms[i], 0.004, 1);
        check_order("bricard", forms[i], 0.01, 1);
        check_order("rolling-disc", forms[i], 0.005, 1);
        check_order(flock, forms[i], 0.004, 1);
        check_order(top, forms[i], 0.004, 1);
        check_order(driven, forms[i], 0.005, 1);
        check_order(parallel, forms[i], 0.01, 0.5);
    }
}

/* ---- Limits ---- */

/* 100 rad/s turn the body by 5 rad in 50 ms, of which a step represents 2 atan(2.5), more than a third of a turn. */
static void a_fast_rotation_divides_the_step(void)
{
    static const char *const fast = "bodies: {a: {rigid: [0, 0, 0], mass: 2, inertia: [1, 2, 3]}}\n"
                                    "start: {a: {angular_velocity: [0, 1, 100]}}\n";
    Run run;
    if (start_run(&run, fast, enforced, 0.05)) {
        go_until(&run, 1);
        HolSummary sum = hol_simulation_summary(run.simulation);
        CHECK(sum.divisions > 0);
        CHECK_NEAR(sum.max_energy_drift / sum.energy_initial, 0, 1e-13);
    }
    stop_run(&run);
    if (start_run(&run, fast, enforced, 0.02)) {
        go_until(&run, 1);
        CHECK_EQUAL_INT(hol_simulation_summary(run.simulation).divisions, 0);
    }
    stop_run(&run);
}

CHECK_MAIN(TEST(energy_and_work_balance), TEST(carried_velocities_keep_the_momentum),
           TEST(enforced_velocities_keep_it_to_order_four), TEST(a_symmetric_body_precesses),
           TEST(a_steady_rotation_stays), TEST(the_order_is_two), TEST(a_fast_rotation_divides_the_step))
