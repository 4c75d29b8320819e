/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps resolve smooth functions of time: a pulse without a breakpoint gives a mass its impulse at every step, however
 * short it is, and a prescribed velocity that changes quickly gives a pendulum its swing. */
#include <holon/verdict.h>

#include "runs.h"
#include "simulated.h"
#include "system_of.h"

#define PI 3.14159265358979323846

typedef struct Outcome {
    HolStatus status;
    double q[6], v[6]; /* the first coordinates */
    HolSummary summary;
    HolVerdict verdict;
    char unresolved[100];
} Outcome;

static void outcome_read(const HolSimulation *simulation, const HolPattern *p, Outcome *outcome)
{
    const HolState *state = hol_simulation_state(simulation);
    for (int i = 0; i < 6 && i < p->nv; ++i) {
        outcome->q[i] = state->q[i];
        outcome->v[i] = state->v[i];
    }
    outcome->summary = hol_simulation_summary(simulation);
    outcome->verdict = hol_simulation_verdict(simulation);
    if (outcome->summary.unresolved_function)
        snprintf(outcome->unresolved, sizeof outcome->unresolved, "%s", outcome->summary.unresolved_function);
}

static Outcome outcome_of(const char *text, const HolSimulationOptions *options, double until)
{
    Outcome outcome = {.status = HOL_BAD_INPUT};
    Simulated run;
    if (!simulated_assemble(&run, parsed_model(text)))
        return outcome;
    HolInitialState start = hol_mechanism_initial_state(run.mechanism);
    if (simulated_start(&run, &start, options)) {
        outcome.status = hol_simulation_run(run.simulation, &(HolRun){.until = until});
        outcome_read(run.simulation, hol_system_pattern(hol_mechanism_system(run.mechanism)), &outcome);
    }
    simulated_close(&run);
    return outcome;
}

/* A mass of 1 kg on a slide along x, under a force that depends on the width w and begins or acts at t0 = 0.3337. */
static void write_slide(const char *force, double w, char text[800])
{
    snprintf(text, 800,
             "plane: xy\nparameters: {w: %.17g, t0: 0.3337}\n"
             "bodies: {m: {rigid: [0, 0], mass: 1, inertia: 1}}\n"
             "joints: {slide: {prismatic: [ground, m], at: [0, 0], axis: x}}\n"
             "forces: {f: {force: m, at: [0, 0], vector: ['%s', 0]}}\n",
             w, force);
}

/* Pulses of the impulse 1 N s. */
static const char *const pulses[] = {
    "exp(-((t - t0)/w)^2)/(w*sqrt(pi))",
    "2/w/(exp((t - t0)/w) + exp(-(t - t0)/w))^2",
    "if(abs(t - t0) < w, cos(pi*(t - t0)/(2*w))^2/w, 0)",
    "exp(-((t - t0)/w)^2)/(w*sqrt(pi))*(1 + 0.01*sin(3*t))/(1 + 0.01*sin(3*t0))",
};

static void check_pulse(const char *force, double w, const char *formulation, const char *integrator)
{
    static const double steps[] = {1e-3, 7e-3, 5e-2};
    char text[800];
    write_slide(force, w, text);
    for (int i = 0; i < 3; ++i) {
        HolSimulationOptions options = run_options(formulation, integrator, steps[i]);
        CHECK_CONTEXT("%s, w = %g, %s with %s, step %g", force, w, formulation, integrator, steps[i]);
        Outcome m = outcome_of(text, &options, 1);
        bool is_first_order = pair_order(formulation, integrator) == 1;
        CHECK_OK(m.status);
        CHECK_NEAR(m.v[0], 1, is_first_order ? 0.05 : 0.02);
        CHECK_NEAR(m.q[0], 1 - 0.3337, is_first_order ? 0.05 : 0.02);
        CHECK(m.verdict != HOL_VERDICT_BAD || fabs(m.v[0] - 1) > 0.001);
        CHECK(m.verdict != HOL_VERDICT_GOOD || fabs(m.v[0] - 1) < 0.01);
        CHECK((double)m.summary.steps < 1 / steps[i] + 600);
    }
}

static void smooth_pulses_give_their_impulse(void)
{
    static const double widths[] = {1e-7, 1e-5, 3e-4, 5e-3};
    static const char *const pairs[][2] = {{"direct-correction", "rk4"},
                                           {"direct-correction", "dopri5"},
                                           {"direct-correction", "dop853"},
                                           {"lagrange", "euler"},
                                           {"baumgarte", "symplectic-euler"},
                                           {"direct-correction", "trapezoidal"},
                                           {"augmented-hamiltonian", "rk4"},
                                           {"index3-augmented-lagrangian", "newmark"},
                                           {"index3-augmented-lagrangian", "generalized-alpha"},
                                           {"energy-preserving", "built-in"},
                                           {"energy-decaying", "built-in"}};
    for (size_t k = 0; k < sizeof pulses / sizeof *pulses; ++k)
        for (size_t w = 0; w < sizeof widths / sizeof *widths; ++w)
            for (size_t p = 0; p < sizeof pairs / sizeof *pairs; ++p)
                check_pulse(pulses[k], widths[w], pairs[p][0], pairs[p][1]);
}

/* A force without impulse moves the mass by the integral of (t0 - t) f(t): here by -sqrt(pi)/2 for f = x/w^2 exp(-x^2),
 * x = (t - t0)/w. The speed in between is 1/(2 w), so that the smallest error of it leads far away, and the verdict must
 * say so. */
static void pulses_that_cancel_are_right_or_doubtful(void)
{
    static const char *const pairs[][2] = {{"direct-correction", "rk4"},
                                           {"direct-correction", "trapezoidal"},
                                           {"index3-augmented-lagrangian", "newmark"},
                                           {"energy-preserving", "built-in"},
                                           {"energy-decaying", "built-in"}};
    char text[800];
    for (double w = 1e-6; w < 1e-2; w *= 3)
        for (size_t p = 0; p < sizeof pairs / sizeof *pairs; ++p)
            for (double step = 7e-4; step < 5e-2; step *= 3) {
                HolSimulationOptions options = run_options(pairs[p][0], pairs[p][1], step);
                CHECK_CONTEXT("w = %g, %s with %s, step %g", w, pairs[p][0], pairs[p][1], step);
                write_slide("(t - t0)/w^3*exp(-((t - t0)/w)^2)", w, text);
                Outcome m = outcome_of(text, &options, 1);
                CHECK_OK(m.status);
                CHECK(m.verdict != HOL_VERDICT_GOOD || fabs(m.q[0] + sqrt(PI) / 2) < 0.02);
            }
}

/* Vibrations whose period is a fraction of the step vanish at its ends, in its middle and at its quarters. */
static void vibrations_are_resolved_however_they_fit_the_step(void)
{
    char text[800];
    for (int n = 1; n <= 4; n *= 2) {
        HolSimulationOptions options = run_options("direct-correction", "rk4", 1e-2);
        double f = 100 * n, w = 2 * PI * f;
        CHECK_CONTEXT("%g Hz", f);
        write_slide("sin(2*pi*w*t)", f, text);
        Outcome m = outcome_of(text, &options, 1.0033);
        CHECK_OK(m.status);
        CHECK_NEAR(m.q[0] * w, 1.0033 - sin(w * 1.0033) / w, 2e-3);
    }
}

/* A pendulum, at rest and without gravity, on a cart that is moved within a very short time: its angle changes by m l dx/
 * (I + m l^2), and so does its angular velocity with that of the cart. */
typedef struct Drive {
    const char *kind, *value;
    double dx, dv; /* of the cart */
} Drive;

static Outcome drive_cart(const Drive *drive, double w, const HolSimulationOptions *options)
{
    static const char form[] = "plane: xy\nparameters: {w: %.17g, t0: 0.3337}\npoints: {P: [0, 0]}\n"
                               "bodies:\n  cart: {rigid: P, mass: 1, inertia: 1}\n"
                               "  bar: {rigid: [0, -1], mass: 2, inertia: 0.1}\n"
                               "joints:\n  rail: {prismatic: [ground, cart], at: P, axis: x}\n"
                               "  pin: {revolute: [cart, bar], at: P}\n"
                               "drivers:\n  motor: {%s: rail, value: '%s'}\n";
    char text[1200];
    snprintf(text, sizeof text, form, w, drive->kind, drive->value);
    return outcome_of(text, options, 1);
}

static void check_drive(const Drive *drive, double w, const char *formulation, const char *integrator)
{
    const double turn = 2.0 / (0.1 + 2.0);
    for (double step = 1e-3; step < 5e-2; step *= 7) {
        HolSimulationOptions options = run_options(formulation, integrator, step);
        CHECK_CONTEXT("%s, w = %g, %s with %s, step %g", drive->value, w, formulation, integrator, step);
        Outcome m = drive_cart(drive, w, &options);
        double error = drive->dv > 0 ? m.v[5] / (-turn * drive->dv) - 1 : m.q[5] / (-turn * drive->dx) - 1;
        CHECK_OK(m.status);
        CHECK(fabs(error) < 0.05);
        CHECK(m.verdict != HOL_VERDICT_GOOD || fabs(error) < 0.015);
    }
}

static void pendulums_follow_carts_that_move_suddenly(void)
{
    static const Drive drives[] = {{"displacement", "5e-6*(1 + tanh((t - t0)/w))", 1e-5, 0},
                                   {"displacement-rate", "0.5*(1 + tanh((t - t0)/w))", 0, 1}};
    static const char *const pairs[][2] = {{"direct-correction", "rk4"},
                                           {"direct-correction", "dopri5"},
                                           {"direct-correction", "dop853"},
                                           {"direct-correction", "trapezoidal"},
                                           {"index3-augmented-lagrangian", "newmark"}};
    for (int d = 0; d < 2; ++d)
        for (double w = 1e-6; w < 2e-3; w *= 10)
            for (int p = 0; p < 5; ++p)
                check_drive(&drives[d], w, pairs[p][0], pairs[p][1]);
}

/* The bounds of this rate, a fraction of exponential functions, are far wider than it: values show where it changes. */
static void functions_with_wide_bounds_are_resolved(void)
{
    static const Drive drive = {"displacement",
                                "0.5*(t - t0 + w*log(2*cosh(min(abs((t - t0)/w), 300)))) + "
                                "0.5*max(abs(t - t0) - 300*w, 0)",
                                0, 1};
    check_drive(&drive, 1e-5, "direct-correction", "rk4");
    check_drive(&drive, 1e-3, "index3-augmented-lagrangian", "newmark");
}

/* Functions that are slow beside the step cost no steps; those beyond resolution end in doubt, not in an endless run. */
static void slow_functions_cost_nothing_and_wild_ones_end(void)
{
    static const char *const slow[] = {"3", "5*t", "10*sin(5*t)", "exp(-t)*t^3", "if(t > 0.5, sin(t), t)", "sqrt(t)"};
    static const char *const wild[] = {"sin(1e9*t)", "exp(20*sin(1e6*t))"};
    HolSimulationOptions options = run_options("direct-correction", "rk4", 1e-3);
    char text[800];
    for (size_t i = 0; i < sizeof slow / sizeof *slow; ++i) {
        CHECK_CONTEXT("%s", slow[i]);
        write_slide(slow[i], 1, text);
        Outcome m = outcome_of(text, &options, 1);
        CHECK_OK(m.status);
        CHECK(m.summary.shortened_steps <= 10);
        CHECK_EQUAL_INT(m.summary.unresolved_steps, 0);
        CHECK_EQUAL_INT(m.verdict, HOL_VERDICT_GOOD);
    }
    for (size_t i = 0; i < sizeof wild / sizeof *wild; ++i) {
        CHECK_CONTEXT("%s", wild[i]);
        write_slide(wild[i], 1, text);
        Outcome m = outcome_of(text, &options, 1);
        CHECK_OK(m.status);
        CHECK(m.summary.steps < 100000);
        CHECK(m.summary.unresolved_steps > 0);
        CHECK_STRING(m.unresolved, "force 'f'");
        CHECK(m.verdict != HOL_VERDICT_GOOD);
    }
}

/* A system in C: 1 kg under max(0, 1 - |t - 0.5|/w)/w, with bounds of that. */
static const double WIDTH = 2e-5;

static double own_force(double t)
{
    return fmax(0, 1 - fabs(t - 0.5) / WIDTH) / WIDTH;
}

static HolStatus own_evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    (void)self, (void)want;
    terms->M[0] = 1;
    terms->Q[0] = own_force(at->t);
    terms->power = terms->Q[0] * at->v[0];
    terms->kinetic = at->v[0] * at->v[0] / 2;
    terms->potential = 0;
    return HOL_OK;
}

static HolTimeBounds own_bounds(const void *self, int function, double a, double b)
{
    (void)self, (void)function;
    double steepest = 1 / (WIDTH * WIDTH), ends[2] = {own_force(a), own_force(b)};
    double high = a < 0.5 && b > 0.5 ? 1 / WIDTH : fmax(ends[0], ends[1]);
    return (HolTimeBounds){{fmin(ends[0], ends[1]), high}, {-steepest, steepest}, own_force((a + b) / 2)};
}

static void systems_in_c_give_bounds(void)
{
    static const HolSystemOps ops = {.evaluate = own_evaluate, .time_bounds = own_bounds};
    static const double q = 0, v = 0;
    HolSystemSpec spec = hol_system_spec();
    spec.ops = &ops;
    spec.nq = spec.nv = 1;
    spec.time_function_count = 1;
    HolSystem *system = system_of(&spec);
    REQUIRE(system != NULL);
    CHECK_STRING(hol_system_time_function_name(system, 0), "function 0");
    HolSimulationOptions options = run_options("lagrange", "rk4", 0.03);
    Result r = run_system(system, &(HolInitialState){0, &q, &v}, &options, &(HolRun){.until = 1});
    CHECK_OK(r.status);
    CHECK_NEAR(r.v[0], 1, 2e-3);
    CHECK(r.summary.shortened_steps > 10);
    hol_system_destroy(system);
    HolMessage message;
    spec.ops = &(HolSystemOps){.evaluate = own_evaluate};
    CHECK_EQUAL_INT(hol_system_create(&spec, &system, &message), HOL_BAD_INPUT);
}

/* A wheel that a brake of 300 N m slows down in 0.0632 rad of each turn. Its free turns take adaptive steps of any
 * length. The angle at 5 s by a sum over the turns. */
static void switches_are_found_in_steps_of_many_turns(void)
{
    static const char text[] = "plane: xy\npoints: {O: [0, 0]}\nbodies: {r: {rigid: O, mass: 1, inertia: 1}}\n"
                               "joints: {pin: {revolute: [ground, r], at: O}}\n"
                               "forces: {brake: {torsion: pin, torque: 'if(cos(angle) < -0.9995, 300, 0)'}}\n"
                               "start: {r: {angular_velocity: 20}}\n";
    const double width = 2 * acos(0.9995), torque = 300, until = 5;
    double t = 0, angle = 0, speed = 20;
    for (double edge = PI - width / 2;; edge += 2 * PI) {
        double next = t + (edge - angle) / speed, after = sqrt(speed * speed - 2 * torque * width);
        if (next > until)
            break;
        t = next + (speed - after) / torque;
        angle = edge + width;
        speed = after;
    }
    HolSimulationOptions options = run_options("direct-correction", "dopri5", 1e-3);
    Outcome m = outcome_of(text, &options, until);
    CHECK_OK(m.status);
    CHECK_NEAR(m.q[2], angle + speed * (until - t), 1e-6);
    CHECK(m.summary.steps < 1000);
}

CHECK_MAIN(TEST(switches_are_found_in_steps_of_many_turns), TEST(smooth_pulses_give_their_impulse),
           TEST(pulses_that_cancel_are_right_or_doubtful), TEST(vibrations_are_resolved_however_they_fit_the_step),
           TEST(pendulums_follow_carts_that_move_suddenly), TEST(functions_with_wide_bounds_are_resolved),
           TEST(slow_functions_cost_nothing_and_wild_ones_end), TEST(systems_in_c_give_bounds))
