/* SPDX-License-Identifier: BSD-3-Clause */
/* Saved simulations of models: all built-in ones with their own methods, and those with a past that their state does
 * not show: turns of an angle, breakpoints, events, inputs, singular configurations, beams, redundant constraints. */
#include <holon/holon.h>

#include "check.h"
#include "runs.h"
#include "saved.h"
#include "simulated.h"
#include "system_of.h"

#include <math.h>

enum { MOST_STEPS = 45, MOST_NUMBERS = 400 };

static const int at[] = {1, 23, 41, 0};

/* Steps and runs of a mechanism with these options. */
static void check_mechanism(const HolMechanism *mechanism, const HolSimulationOptions *options, int steps)
{
    HolInitialState start = hol_mechanism_initial_state(mechanism);
    Subject subject = {.system = hol_mechanism_system(mechanism), .start = &start, .options = options};
    check_saved_steps(&subject, steps / 3, steps / 3);
    check_saved_run(&subject, (steps + 0.5) * options->step, 2.7 * options->step, at);
}

static void check_built_in(const char *name)
{
    Simulated run;
    HolModel *model = hol_model_create();
    CHECK_CONTEXT("%s", name);
    REQUIRE_OK(hol_model_load(model, name));
    REQUIRE(simulated_assemble(&run, model));
    HolSimulationOptions options = hol_mechanism_options(run.mechanism);
    const HolPattern *p = hol_system_pattern(hol_mechanism_system(run.mechanism));
    check_mechanism(run.mechanism, &options, p->nv < MOST_NUMBERS ? MOST_STEPS : MOST_STEPS / 4);
    simulated_close(&run);
}

static void built_in_models_continue(void)
{
    for (int i = 0; i < hol_library_count(); i++)
        check_built_in(hol_library_model(i).name);
}

/* A model by other methods than its own. */
typedef struct Case {
    const char *model, *formulation, *integrator;
    double step;
    int steps;
} Case;

static void check_case(const Case *c, HolModel *model)
{
    Simulated run;
    CHECK_CONTEXT("%.40s with %s, %s, step %g", c->model, c->formulation, c->integrator, c->step);
    REQUIRE(simulated_assemble(&run, model));
    HolSimulationOptions options = hol_mechanism_options(run.mechanism);
    options.formulation = c->formulation;
    options.integrator = c->integrator;
    options.step = c->step;
    check_mechanism(run.mechanism, &options, c->steps);
    simulated_close(&run);
}

static void check_loaded(const Case *c, const char *coordinates)
{
    HolModel *model = hol_model_create();
    REQUIRE_OK(hol_model_load(model, c->model));
    if (coordinates)
        REQUIRE_OK(hol_model_set(model, "run.coordinates", "%s", coordinates));
    check_case(c, model);
}

static void beams_continue(void)
{
    static const Case cases[] = {
        {"flying-spaghetti", "index3-augmented-lagrangian", "newmark", 0.02, 60},
        {"flying-spaghetti", "index3-augmented-lagrangian", "generalized-alpha", 0.02, 60},
        {"flying-spaghetti", "index3-augmented-lagrangian", "trapezoidal", 0.02, 60},
        {"flying-spaghetti", "energy-decaying", "built-in", 0.02, 60},
        {"flying-spaghetti", "energy-preserving", "built-in", 0.02, 60},
        {"slider-crank-flexible", "energy-decaying", "built-in", 1e-3, 60},
    };
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++)
        check_loaded(&cases[i], NULL);
}

/* Through singular configurations, where the run changes its steps, or is carried across. */
static void singular_configurations_continue(void)
{
    static const char *const formulations[] = {"lagrange",     "direct-correction",    "null-space",
                                               "explicit-dae", "augmented-lagrangian", "elimination"};
    for (int i = 0; i < 6; i++) {
        Case rk4 = {"double-four-bar", formulations[i], "rk4", 0.01, 200};
        Case dopri5 = {"double-four-bar", formulations[i], "dopri5", 0.01, 60};
        Case slider_crank = {"slider-crank", formulations[i], "rk4", 0.01, 200};
        Case bricard = {"bricard", formulations[i], "rk4", 0.01, 30};
        check_loaded(&rk4, NULL);
        check_loaded(&dopri5, NULL);
        check_loaded(&slider_crank, NULL);
        check_loaded(&bricard, NULL);
    }
    Case index3 = {"bricard", "index3-augmented-lagrangian", "trapezoidal", 0.01, 60};
    Case decaying = {"bricard", "energy-decaying", "built-in", 0.01, 60};
    check_loaded(&index3, NULL);
    check_loaded(&decaying, "natural");
}

/* The past of these is in the turns of an angle, in the side of a jump, in an event. */
static const char *const turns = "plane: xy\n"
                                 "bodies: {bar: {rigid: [0, 0], mass: 1, inertia: 1}}\n"
                                 "joints: {O: {revolute: [ground, bar], at: [0, 0]}}\n"
                                 "forces: {k: {torsion: O, stiffness: 0.1, damping: 0.01}}\n"
                                 "start: {bar: {angular_velocity: 30}}\n"
                                 "run: {coordinates: natural}\n";
static const char *const stops =
    "plane: xy\n"
    "gravity: [0, -10]\n"
    "bodies: {m: {rigid: [0, 0.05], mass: 10, inertia: 1}}\n"
    "joints: {slide: {prismatic: [ground, m], at: [0, 0], axis: y}}\n"
    "forces: {end: {bump-stop: [ground, m], from: [0, 0], to: [0, 0.05], along: y, below: 0, stiffness: 1e5}}\n";
static const char *const driven =
    "plane: xy\n"
    "gravity: [0, -9.81]\n"
    "bodies: {arm: {bar: [[0, 0], [1, 0]], mass: 1}, tip: {bar: [[1, 0], [2, 0]], mass: 1}}\n"
    "joints: {O: {revolute: [ground, arm], at: [0, 0]}, A: {revolute: [arm, tip], at: [1, 0]}}\n"
    "tables: {path: {points: [[0, 0], [0.1, 0.2], [0.3, 0.1], [1, 0]], between: cubic}}\n"
    "drivers: {d: {angle: O, value: 'path(t)'}}\n"
    "forces: {push: {torque: tip, vector: 'table(t, 0, 0, 0.05, 3, 0.11, -2, 0.4, 1)'}}\n";

static void check_parsed(const char *text, const char *formulation, const char *integrator, double step, int steps)
{
    Case c = {text, formulation, integrator, step, steps};
    HolModel *model = hol_model_create();
    REQUIRE_OK(hol_model_parse(model, text, "case"));
    check_case(&c, model);
}

static void hidden_pasts_continue(void)
{
    static const char *const texts[] = {turns, stops, driven};
    for (int i = 0; i < 3; i++) {
        check_parsed(texts[i], "direct-correction", "rk4", 7e-3, 150);
        check_parsed(texts[i], "direct-correction", "dopri5", 7e-3, 60);
        check_parsed(texts[i], "augmented-hamiltonian", "rk4", 7e-3, 60);
        check_parsed(texts[i], "index3-augmented-lagrangian", "trapezoidal", 7e-3, 60);
        check_parsed(texts[i], "coordinate-partitioning", "rk4", 7e-3, 60);
        check_parsed(texts[i], "elimination", "symplectic-euler", 2e-3, 60);
    }
}

/* Breakpoints that follow each other closely from the start, a hundred until they are skipped; friction that holds a
 * mass. */
static const char *const crowded =
    "plane: xy\n"
    "bodies: {m: {particle: [0, 0], mass: 1}}\n"
    "forces: {f: {force: m, at: [0, 0], vector: ['if(sin(1/(t+1e-7)) > 0, 1, 0)', 0]}}\n";
static const char *const held =
    "plane: xy\n"
    "bodies: {m: {rigid: [0, 0], mass: 1, inertia: 1}}\n"
    "joints: {slide: {prismatic: [ground, m], at: [0, 0], axis: x}}\n"
    "forces: {friction: {spring: [ground, m], from: [-5, 0], to: [0, 0], along: x, force: 4*sign(ldot)}}\n"
    "start: {m: {velocity: [0.04, 0]}}\n";
static void crowded_pasts_continue(void)
{
    Simulated run;
    check_parsed(held, "direct-correction", "rk4", 7e-3, 18);
    REQUIRE(simulated_assemble(&run, parsed_model(crowded)));
    HolInitialState start = hol_mechanism_initial_state(run.mechanism);
    HolSimulationOptions options = hol_mechanism_options(run.mechanism);
    options.integrator = "rk4";
    options.step = 7e-3;
    Subject subject = {.system = hol_mechanism_system(run.mechanism), .start = &start, .options = &options};
    check_saved_steps(&subject, 70, 70);
    simulated_close(&run);
}

static void check_every_moment(const Subject *subject, int moments)
{
    for (int before = 1; before < moments; before++) {
        CHECK_CONTEXT("%s after %d steps", hol_system_name(subject->system), before);
        check_saved_steps(subject, before, 40);
    }
}

/* Events that are so many that they are skipped for some steps. */
static const char *const rough =
    "plane: xy\n"
    "bodies: {m: {rigid: [0, 0], mass: 1, inertia: 1}}\n"
    "joints: {slide: {prismatic: [ground, m], at: [0, 0], axis: x}}\n"
    "forces: {f: {spring: [ground, m], from: [-5, 0], to: [0, 0], along: x, force: sign(sin(1e5*l))}}\n"
    "start: {m: {velocity: [1, 0]}}\n";

static void skipped_events_continue(void)
{
    Simulated run;
    REQUIRE(simulated_assemble(&run, parsed_model(rough)));
    HolInitialState start = hol_mechanism_initial_state(run.mechanism);
    HolSimulationOptions options = hol_mechanism_options(run.mechanism);
    options.integrator = "rk4";
    options.step = 7e-3;
    check_every_moment(&(Subject){hol_mechanism_system(run.mechanism), &start, &options}, 50);
    simulated_close(&run);
}

/* A half sine from t = 0.02 to 0.022, in a system that has no bounds of its functions of time: that it is short is known
 * where it begins, and nowhere else. */
static HolStatus pulse_evaluate(const void *self, const HolPoint *point, unsigned want, HolTerms *terms)
{
    (void)self, (void)want;
    terms->M[0] = 1;
    terms->Q[0] = point->t > 0.02 && point->t < 0.022 ? sin(500 * acos(-1) * (point->t - 0.02)) : 0;
    terms->power = terms->Q[0] * point->v[0];
    terms->kinetic = 0.5 * point->v[0] * point->v[0];
    return HOL_OK;
}

static double pulse_breakpoint(const void *self, double t, double until)
{
    (void)self, (void)until;
    return t < 0.02 ? 0.02 : t < 0.022 ? 0.022 : HUGE_VAL;
}

static void pulses_continue(void)
{
    static const HolSystemOps ops = {.evaluate = pulse_evaluate, .next_breakpoint = pulse_breakpoint};
    static const double q = 0, v = 0;
    HolSystemSpec spec = hol_system_spec();
    spec.ops = &ops;
    spec.nq = spec.nv = 1;
    HolSystem *system = system_of(&spec);
    REQUIRE(system != NULL);
    HolSimulationOptions options = run_options("lagrange", "rk4", 7e-3);
    check_every_moment(&(Subject){system, &(HolInitialState){0, &q, &v}, &options}, 16);
    hol_system_destroy(system);
}

static const char *const pushed = "plane: xy\n"
                                  "inputs: {push: 1}\n"
                                  "bodies: {m: {rigid: [0, 0], mass: 10, inertia: 1}}\n"
                                  "joints: {slide: {prismatic: [ground, m], at: [0, 0], axis: y}}\n"
                                  "forces: {f: {force: m, vector: [0, push], at: [0, 0]}}\n";

/* An input that has just been set is saved with what it has yet to do. */
static void inputs_continue(void)
{
    Simulated one, other;
    REQUIRE(simulated_assemble(&one, parsed_model(pushed)) && simulated_assemble(&other, parsed_model(pushed)));
    HolInitialState start = hol_mechanism_initial_state(one.mechanism);
    HolSimulationOptions options = hol_mechanism_options(one.mechanism);
    REQUIRE(simulated_start(&one, &start, &options) && simulated_start(&other, &start, &options));
    CHECK_OK(hol_simulation_step(one.simulation, NULL));
    CHECK_OK(hol_simulation_set_input(one.simulation, 0, 7));
    Image image = image_of(one.simulation);
    image_restore(&image, other.simulation);
    CHECK(hol_simulation_input(other.simulation, 0) == 7);
    for (int i = 0; i < 3; i++) {
        const double *a = hol_simulation_state(one.simulation)->vdot, *b = hol_simulation_state(other.simulation)->vdot;
        CHECK_NEAR(a[1], 0.7, 1e-14);
        CHECK(a[1] == b[1]);
        CHECK_OK(hol_simulation_step(one.simulation, NULL));
        CHECK_OK(hol_simulation_step(other.simulation, NULL));
    }
    CHECK(hol_simulation_state(one.simulation)->v[1] == hol_simulation_state(other.simulation)->v[1]);
    free(image.memory);
    simulated_close(&one);
    simulated_close(&other);
}

CHECK_MAIN(TEST(built_in_models_continue), TEST(beams_continue), TEST(singular_configurations_continue),
           TEST(hidden_pasts_continue), TEST(crowded_pasts_continue), TEST(skipped_events_continue),
           TEST(pulses_continue), TEST(inputs_continue))
