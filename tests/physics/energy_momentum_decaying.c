/* SPDX-License-Identifier: BSD-3-Clause */
/* energy-momentum-decaying: against the closed form of one step of an oscillator, orders of convergence, momenta, the
 * energy that only decays, what a steady rotation keeps and what a ringing one loses. */
#include "recorded.h"

#include <complex.h>

static const char *const first = "{kind: energy-momentum-decaying, order: 1}",
                         *const second = "{kind: energy-momentum-decaying, order: 2}",
                         *const half = "{kind: energy-momentum-decaying, alpha: 0.5}",
                         *const first_half = "{kind: energy-momentum-decaying, order: 1, alpha: 0.5}";

static bool open_text(Recorded *r, const char *text, const char *formulation, double step)
{
    HolModel *model = hol_model_create();
    CHECK_OK(hol_model_parse(model, text, "momentum decaying"));
    CHECK_OK(hol_model_set(model, "run.formulation", "%s", formulation));
    CHECK_OK(hol_model_set(model, "run.integrator", "%s",
                           strchr(formulation, ':') ? "built-in" : "{kind: dopri5, tolerance: 1e-11}"));
    CHECK_OK(hol_model_set(model, "run.step", "%.17g", step));
    return recorded_open(r, model, NULL);
}

/* ---- One step of an oscillator ---- */

static const char oscillator[] =
    "plane: xy\n"
    "bodies: {m: {rigid: [1, 0], mass: 2, inertia: 1}}\n"
    "joints: {rail: {prismatic: [ground, m], at: [1, 0], axis: x}}\n"
    "forces: {s: {spring: [ground, m], from: [-9, 0], to: [1, 0], stiffness: 50, free_length: 10}}\n"
    "start: {m: {velocity: [0.03, 0]}}\n"
    "run: {coordinates: natural, record: [m]}\n";

/* x - 1 - i v/w is multiplied by a rational function of z = i w h that approximates exp(z): for alpha = 1 that of
 * degrees 1 and 2. The first order has the factors of (5) of the method's page. */
static void one_step_is_a_rational_function(void)
{
    static const double steps[] = {0.05, 0.6, 40};
    for (int i = 0; i < 3; ++i) {
        Recorded r;
        double h = steps[i], W = 5 * h;
        double complex z = I * W, factor = (1 + z / 3) / (1 - 2 * z / 3 + z * z / 6), end = factor * (-I * 0.03 / 5);
        CHECK_CONTEXT("step %g", h);
        if (open_text(&r, oscillator, second, h) && CHECK_OK(hol_simulation_step(r.simulation, NULL)) &&
            recorded_read(&r)) {
            CHECK_NEAR(recorded_value(&r, "m.x") - 1, creal(end), 1e-12);
            CHECK_NEAR(recorded_value(&r, "m.vx"), -5 * cimag(end), 1e-11);
        }
        recorded_close(&r);
        if (open_text(&r, oscillator, first, h) && CHECK_OK(hol_simulation_step(r.simulation, NULL)) &&
            recorded_read(&r)) {
            double v = 0.03 / (1 + W * W / 2), x = h * v / (1 + W * W / 2);
            CHECK_NEAR(recorded_value(&r, "m.x") - 1, x, 1e-12);
            CHECK_NEAR(recorded_value(&r, "m.vx"), 2 * x / h - v, 1e-11);
        }
        recorded_close(&r);
    }
}

/* ---- A mechanism of all elastic parts, free in space ---- */

static const char floating[] =
    "points: {A: [6, 0, 0], B: [0, 8, 0], C: [3, 1, 2], D: [4, 1, 2]}\n"
    "bodies: {c: {box: [1, 2, 3], at: C, mass: 2}, d: {bar: [C, D], mass: 1, inertia: [0.1, 0.2, 0.2]}}\n"
    "beams: {b: {from: A, to: B, elements: 2, order: 2, section: {EA: 1e3, GA2: 1e3, GA3: 1e3, GJ: 500, EI2: 500,\n"
    "            EI3: 500, mass: 1, J2: 10, J3: 10}}}\n"
    "joints: {pin: {spherical: [c, d], at: C}}\n"
    "forces:\n"
    "  near: {spring: [b.end, c], from: B, to: C, stiffness: 30, damping: 0.5, free_length: 7}\n"
    "  far: {spring: [b.start, d], from: A, to: D, polynomial: [-20, 4, 0, 0.05]}\n"
    "  soft: {bushing: [b.start, c], at: A, stiffness: [50, 60, 70], turning_stiffness: [5, 6, 7]}\n"
    "start: {b: {velocity: [1, 0, 0.3], angular_velocity: [0.2, 0.1, 1]}, c: {velocity: [0, 2, 0],\n"
    "        angular_velocity: [1, 0.3, 0]}, d: {velocity: [0, 2, 0]}}\n"
    "run: {coordinates: natural, record: [b.end, c, d]}\n";

/* Linear and angular momentum in natural coordinates, whose numbers come by three: of those of r, p is the sum. */
static void find_momenta(const Recorded *r, double momenta[6])
{
    const HolSystem *system = hol_mechanism_system(r->mechanism);
    const HolPattern *p = hol_system_pattern(system);
    const HolState *state = hol_simulation_state(r->simulation);
    HolTerms *terms = NULL;
    double Mv[200] = {0};
    memset(momenta, 0, 6 * sizeof *momenta);
    REQUIRE(p->nv <= 200);
    REQUIRE_OK(hol_terms_create(system, &terms));
    CHECK_OK(hol_system_evaluate(system, &(HolPoint){state->t, state->q, state->v}, HOL_WANT_MASS, terms));
    for (int k = 0; k < p->mass_pair_count; ++k) {
        int a = p->block_start[p->mass_pairs[k].row], b = p->block_start[p->mass_pairs[k].column];
        int n = p->block_start[p->mass_pairs[k].row + 1] - a, m = p->block_start[p->mass_pairs[k].column + 1] - b;
        for (int i = 0; i < n * m; ++i) {
            double M = terms->M[p->mass_start[k] + i];
            Mv[a + i / m] += M * state->v[b + i % m];
            if (a != b)
                Mv[b + i % m] += M * state->v[a + i / m];
        }
    }
    for (int i = 0; i < p->nv; i += 3) {
        const double *q = state->q + i, *g = Mv + i;
        for (int x = 0; x < 3; ++x) {
            momenta[x] += i % 12 == 0 ? g[x] : 0;
            momenta[3 + x] += q[(x + 1) % 3] * g[(x + 2) % 3] - q[(x + 2) % 3] * g[(x + 1) % 3];
        }
    }
    hol_terms_destroy(terms);
}

static void momenta_stay_and_energy_decays(void)
{
    const char *const formulations[] = {first, second, half, first_half};
    static const double steps[] = {0.005, 0.02};
    for (int i = 0; i < 8; ++i) {
        Recorded r;
        double before[6], after[6], drift = 0, growth = -HUGE_VAL;
        CHECK_CONTEXT("%s, step %g", formulations[i / 2], steps[i % 2]);
        if (open_text(&r, floating, formulations[i / 2], steps[i % 2])) {
            find_momenta(&r, before);
            for (int k = 0; k < 100; ++k) {
                CHECK_OK(hol_simulation_step(r.simulation, NULL));
                double now = hol_simulation_measures(r.simulation).drift;
                growth = fmax(growth, now - drift);
                drift = now;
            }
            find_momenta(&r, after);
            for (int k = 0; k < 6; ++k)
                CHECK_NEAR(after[k], before[k], 2e-11 * (1 + fabs(before[5])));
            CHECK(fabs(before[5]) > 10 && fabs(before[0]) > 1);
            CHECK(growth < 1e-11 && drift < -1e-6);
            CHECK(hol_simulation_summary(r.simulation).max_position_violation < 1e-12);
        }
        recorded_close(&r);
    }
}

static const char *const ends[] = {"b.end.x", "b.end.y", "b.end.z", "c.x", "c.y", "c.z", "d.x", "d.vy", "d.wz"};
enum { ENDS = sizeof ends / sizeof *ends };

static void find_ends(const char *formulation, double step, double values[ENDS])
{
    Recorded r;
    if (open_text(&r, floating, formulation, step) && recorded_go_to(&r, 0.5))
        for (int i = 0; i < ENDS; ++i)
            values[i] = recorded_value(&r, ends[i]);
    recorded_close(&r);
}

static double error_at(const char *formulation, double step, const double exact[ENDS])
{
    double values[ENDS] = {0}, error = 0;
    find_ends(formulation, step, values);
    for (int i = 0; i < ENDS; ++i)
        error = fmax(error, fabs(values[i] - exact[i]));
    return error;
}

static void orders_are_one_and_two(void)
{
    const char *const formulations[] = {first, second, half};
    double exact[ENDS] = {0};
    find_ends("direct-correction", 1e-3, exact);
    for (int i = 0; i < 3; ++i) {
        double order = i == 0 ? 1 : 2, step = i == 0 ? 5e-4 : 4e-3;
        CHECK_CONTEXT("%s", formulations[i]);
        double coarse = error_at(formulations[i], step, exact), fine = error_at(formulations[i], step / 2, exact);
        CHECK_NEAR(log2(coarse / fine), order, 0.15);
        CHECK(fine < (i == 0 ? 1e-3 : 1e-5));
    }
}

/* ---- A rotor ---- */

/* A mass on a spring of 1e7 N/m at 100 rad/s, drawn without tension: alone, and on a hub with joints. */
static const char rotor[] = "points: {O: [0, 0, 0], P: [1, 0, 0]}\n"
                            "bodies: {m: {particle: P, mass: 1}}\n"
                            "forces: {s: {spring: [ground, m], from: O, to: P, stiffness: 1e7, free_length: 1}}\n"
                            "start: {m: {velocity: [0, 100, 0]}}\n"
                            "run: {coordinates: natural, record: [m]}\n";
static const char on_a_hub[] =
    "points: {O: [0, 0, 0], P: [1, 0, 0]}\n"
    "bodies: {hub: {rigid: O, mass: 1, inertia: [1, 1, 1]}, m: {box: [0.1, 0.1, 0.1], at: P, mass: 1}}\n"
    "joints: {pin: {revolute: [ground, hub], at: O, axis: z}, slide: {prismatic: [hub, m], at: P, axis: x}}\n"
    "forces: {s: {spring: [hub, m], from: O, to: P, stiffness: 1e7, free_length: 1}}\n"
    "start: {hub: {angular_velocity: [0, 0, 100]}, m: {velocity: [0, 100, 0]}}\n"
    "run: {coordinates: natural, record: [m]}\n";

static double tension_of(const Recorded *r)
{
    return 1e7 * (hypot(recorded_value(r, "m.x"), recorded_value(r, "m.y")) - 1);
}

/* m v^2 / l */
static double tension_on_circle(const Recorded *r)
{
    double x = recorded_value(r, "m.x"), y = recorded_value(r, "m.y");
    double vx = recorded_value(r, "m.vx"), vy = recorded_value(r, "m.vy");
    return (vx * vx + vy * vy) / hypot(x, y);
}

/* The mass begins with 1e4 N too little, and rings at 3 and at 16 rad per step. After fifty steps a thousandth of that
 * is left at most, and in a hundred turns a part of 1e-10 of the energy is lost. */
static void a_rotor_rings_down_and_turns_on(void)
{
    static const double steps[] = {1e-3, 5e-3}, turns = 100 * 2 * 3.14159265358979323846 / 100;
    for (int i = 0; i < 8; ++i) {
        Recorded r;
        double h = steps[i % 2];
        CHECK_CONTEXT("%s, %s, step %g", i < 4 ? "alone" : "on a hub", i % 4 < 2 ? first : second, h);
        if (open_text(&r, i < 4 ? rotor : on_a_hub, i % 4 < 2 ? first : second, h) && recorded_go_to(&r, 50 * h)) {
            double tension = tension_of(&r);
            CHECK(recorded_go_to(&r, 100 * h));
            double before = hol_simulation_measures(r.simulation).drift;
            CHECK(recorded_go_to(&r, 100 * h + turns));
            CHECK_NEAR(hol_simulation_measures(r.simulation).drift, before, 1e-10 * 5e3);
            CHECK_NEAR(tension_of(&r), tension_on_circle(&r), 0.1);
            CHECK_NEAR(tension, tension_of(&r), 10);
            CHECK(tension > 9900 && tension < 10000);
        }
        recorded_close(&r);
    }
}

/* A steel rod on a motor: the tension of the half beyond, no load in the plane of rotation, no torque. */
static const char driven[] =
    "points: {A: [0, 0, 0], B: [2, 0, 0]}\n"
    "beams: {b: {from: A, to: B, elements: 4, order: 3, axis2: y, section: {circle: 0.02, E: 2.1e11, nu: 0.3,\n"
    "            density: 7850}}}\n"
    "joints: {pin: {revolute: [ground, b.start], at: A, axis: z}}\n"
    "drivers: {motor: {angle: pin, value: 20*t}}\n"
    "start: {b: {velocity: [0, 0, 0], angular_velocity: [0, 0, 20]}}\n"
    "run: {coordinates: natural, record: [motor, b.end, b@0.5, b@0]}\n";

static void a_driven_rod_has_the_loads_of_its_rotation(void)
{
    static const char *const loads[] = {"b@0.5.N", "b@0.5.V2", "b@0.M3", "motor.tz"};
    const double mu = 7850 * acos(-1) * 4e-4, N = mu * 400 * 1.5;
    for (int i = 0; i < 2; ++i) {
        Recorded r;
        double mean[4] = {0};
        CHECK_CONTEXT("%s", i ? second : first);
        if (open_text(&r, driven, i ? second : first, 2e-3) && recorded_go_to(&r, 1)) {
            double drift = hol_simulation_measures(r.simulation).drift;
            for (int k = 0; k < 500; ++k) {
                CHECK(CHECK_OK(hol_simulation_step(r.simulation, NULL)) && recorded_read(&r));
                for (int c = 0; c < 4; ++c)
                    mean[c] += recorded_value(&r, loads[c]) / 500;
            }
            CHECK_NEAR(mean[0], N, 1e-3 * N);
            for (int c = 1; c < 4; ++c)
                CHECK_NEAR(mean[c], 0, 1e-5 * N);
            CHECK_NEAR(hol_simulation_measures(r.simulation).drift, drift, 1e-8 * mu * 400 * 4 / 3);
        }
        recorded_close(&r);
    }
}

/* ---- What is refused ---- */

static HolStatus stiff_evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    (void)self;
    (void)want;
    terms->M[0] = 1;
    terms->Q[0] = -1e8 * at->q[0];
    terms->kinetic = at->v[0] * at->v[0] / 2;
    terms->potential = 0.5e8 * at->q[0] * at->q[0];
    return HOL_OK;
}

static HolStatus stiff_tangent(const void *self, const HolPoint *at, const double *vdot, const double *lambda,
                               HolTerms *terms)
{
    (void)self, (void)at, (void)vdot, (void)lambda;
    terms->K[0] = 1e8;
    return HOL_OK;
}

static void stiffness_without_strains_is_refused(void)
{
    static const HolSystemOps ops = {.evaluate = stiff_evaluate, .tangent = stiff_tangent};
    const double zero[1] = {0};
    HolSystemSpec spec = hol_system_spec();
    HolSystem *system = NULL;
    HolSimulation *simulation = NULL;
    HolMessage message = {{0}};
    HolSimulationOptions options = hol_simulation_options();
    spec.name = "stiff";
    spec.ops = &ops;
    spec.nq = spec.nv = 1;
    spec.constant_mass = spec.scleronomic = true;
    options.formulation = "energy-momentum-decaying";
    options.integrator = "built-in";
    options.step = 1e-3;
    REQUIRE_OK(hol_system_create(&spec, &system, &message));
    HolInitialState start = {.q = zero, .v = zero};
    CHECK_STATUS(hol_simulation_create(system, &start, &options, &simulation, &message), HOL_UNSUPPORTED);
    CHECK_CONTAINS(message.text, "'stiff', which is stiff but has no strains");
    options.step = 1e-5;
    CHECK_OK(hol_simulation_create(system, &start, &options, &simulation, &message));
    hol_simulation_destroy(simulation);
    hol_system_destroy(system);
}

CHECK_MAIN(TEST(one_step_is_a_rational_function), TEST(momenta_stay_and_energy_decays), TEST(orders_are_one_and_two),
           TEST(a_rotor_rings_down_and_turns_on), TEST(a_driven_rod_has_the_loads_of_its_rotation),
           TEST(stiffness_without_strains_is_refused))
