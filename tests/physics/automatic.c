/* SPDX-License-Identifier: BSD-3-Clause */
/* The automatic choice of the integrator, and runs that are too stiff for explicit steps, by models whose fastest motion
 * is known in closed form. */
#include "recorded.h"
#include "simulated.h"
#include "system_of.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A mass of 1 kg on a vertical guide; forces and run follow. */
#define GUIDED                                                                                                         \
    "plane: xy\n"                                                                                                      \
    "gravity: [0, -9.81]\n"                                                                                            \
    "points: {A: [0, 0], C: [0, 1]}\n"                                                                                 \
    "bodies: {m: {rigid: C, mass: 1, inertia: 0.001}}\n"                                                               \
    "joints: {guide: {prismatic: [ground, m], at: C, axis: [0, 1]}}\n"

#define SPRING(k) GUIDED "forces: {s: {spring: [ground, m], from: A, to: C, stiffness: " k ", free_length: 1}}\n"
#define DAMPER GUIDED "forces: {d: {spring: [ground, m], from: A, to: C, damping: 1e6}}\n"
#define STOP GUIDED "forces: {stop: {bump-stop: [ground, m], from: A, to: C, below: 0.5, stiffness: 1e9}}\n"
/* Steep at rest, but 10 N overcome its 5 N at once. */
#define FRICTION GUIDED "forces: {f: {spring: [ground, m], from: A, to: C, force: 5*tanh(ldot/0.0001)}}\n"

/* Rotation at w, for the time T: a bar on a pin in the plane, the same in space, and a disc that only spins. */
#define TURNING(w, T) "start: {b: {angular_velocity: " w "}}\nrun: {until: " T "}\n"
#define BAR                                                                                                            \
    "plane: xy\nbodies: {b: {bar: [[0, 0], [1, 0]], mass: 1}}\njoints: {o: {revolute: [ground, b], at: [0, 0]}}\n"
#define TOP                                                                                                            \
    "bodies: {b: {rigid: [0, 0, 0], mass: 1, inertia: [1, 1, 1]}}\n"                                                   \
    "joints: {o: {spherical: [ground, b], at: [0, 0, 0]}}\n"
#define DISC                                                                                                           \
    "plane: xy\nbodies: {b: {rigid: [0, 0], mass: 1, inertia: 1}}\njoints: {o: {revolute: [ground, b], at: [0, 0]}}\n"
/* Nothing acts before the table becomes steep at 0.1 m. */
#define TABLE GUIDED "forces: {w: {spring: [ground, m], from: A, to: C, table: [[0, -1e8], [0.1, 0], [10, 0]]}}\n"

/* Walls at 0.5 m: an exponential, a stiff branch, a high power; and one that the body cannot reach: 9.81 J end before. */
#define WALL(f) GUIDED "forces: {w: {spring: [ground, m], from: A, to: C, along: [0, 1], " f "}}\n"
#define EXPONENTIAL WALL("force: -exp(-400*(l - 0.5))")
#define BRANCH WALL("force: 'if(l < 0.5, 1e7*(l - 0.5), 0)'")
#define GUARDED WALL("force: 'if(l < 0.3, 1e7*(l - 0.3), 0) - if(l < 0.9, 1e3, 0)'")
/* A bar that falls on a stop across which it cannot move as drawn. */
#define SWING                                                                                                          \
    "plane: xy\ngravity: [0, -9.81]\npoints: {O: [0, 0], P: [1, 0]}\nbodies: {b: {bar: [O, P], mass: 1}}\n"            \
    "joints: {O: {revolute: [ground, b], at: O}}\n"                                                                    \
    "forces: {s: {bump-stop: [ground, b], from: O, to: P, along: x, below: -0.3, stiffness: 1e6}}\n"

static bool open_text(Simulated *run, const char *text, const char *more)
{
    char all[2000];
    HolModel *model = hol_model_create();
    snprintf(all, sizeof all, "%s%s", text, more);
    CHECK_OK(hol_model_parse(model, all, "test"));
    return simulated_assemble(run, model);
}

static HolStatus run_until(Simulated *run, double until)
{
    HolInitialState start = hol_mechanism_initial_state(run->mechanism);
    HolSimulationOptions options = hol_mechanism_options(run->mechanism);
    HolRun plan = {.until = until};
    return simulated_start(run, &start, &options) ? hol_simulation_run(run->simulation, &plan) : HOL_BAD_INPUT;
}

static void check_choice(const char *text, const char *more, const char *formulation, const char *integrator,
                         double step)
{
    Simulated run;
    if (!open_text(&run, text, more))
        return;
    HolSimulationOptions options = hol_mechanism_options(run.mechanism);
    CHECK_STRING(options.formulation, formulation);
    CHECK_STRING(options.integrator, integrator);
    CHECK_NEAR(options.step, step, 1e-15);
    CHECK(options.choice && strstr(options.choice->text, integrator));
    CHECK_OK(run_until(&run, 0.01));
    CHECK_STRING(hol_simulation_summary(run.simulation).choice, options.choice->text);
    simulated_close(&run);
}

static void choices_follow_the_time_scales(void)
{
    const char *usual = "direct-correction", *implicit = "index3-augmented-lagrangian";
    check_choice(SPRING("100"), "", usual, "rk4", 1e-3);
    check_choice(SPRING("-100"), "", usual, "rk4", 1e-3);
    check_choice(SPRING("-1e6"), "", usual, "rk4", 1e-3); /* growth by exp(1000 t) is no stiffness */
    check_choice(FRICTION, "", usual, "rk4", 1e-3);
    check_choice(SPRING("1e6"), "", usual, "rk4", 2.5e-4); /* 1000 rad/s, 0.3 per step */
    check_choice(SPRING("1e9"), "", implicit, "newmark", 1e-3);
    check_choice(SPRING("1e9"), "run: {integrator: automatic}", implicit, "newmark", 1e-3);
    check_choice(DAMPER, "", implicit, "newmark", 1e-3);
    check_choice(STOP, "", usual, "dopri5", 1e-3);
    check_choice(TABLE, "", usual, "dopri5", 1e-3);
    check_choice(EXPONENTIAL, "", usual, "dopri5", 1e-3);
    check_choice(BRANCH, "", usual, "dopri5", 1e-3);
    check_choice(GUARDED, "", usual, "rk4", 1e-3);
    check_choice(SWING, "", usual, "dopri5", 1e-3);
    /* 1e5 rad/s: 3333 steps in 10 ms. */
    check_choice(SPRING("1e10"), "run: {until: 10 ms}", usual, "rk4", 2.5e-6);
    check_choice(SPRING("1e10"), "run: {until: 1 s}", implicit, "newmark", 1e-3);
    /* A step that is given stays. */
    check_choice(SPRING("1e6"), "run: {step: 1 ms}", usual, "rk4", 1e-3);
    check_choice(SPRING("1e9"), "run: {step: 2 ms}", implicit, "newmark", 2e-3);
    check_choice(STOP, "run: {step: 2 ms}", usual, "dopri5", 2e-3);
    /* 2e7 steps of 1 ms. A fall by 0.05 mm, about 400 rad/s, of which 0.3 rad are 0.75 ms. */
    check_choice(SPRING("100"), "run: {until: 2e4 s}", usual, "dopri5", 1e-3);
    check_choice("plane: xy\ngravity: [0, -9.81]\npoints: {O: [0, 0], P: [0.05 mm, 0]}\n"
                 "bodies: {b: {bar: [O, P], mass: 1}}\njoints: {O: {revolute: [ground, b], at: O}}\n",
                 "run: {until: 10 ms}", usual, "rk4", 5e-4);
}

/* At most 0.1 rad per step, and in 1e5 rad less: 0.72e-10 to the power of 0.2 is below 0.01. */
static void rotations_are_resolved(void)
{
    const char *usual = "direct-correction";
    check_choice(BAR, TURNING("90", "0.1 s"), usual, "rk4", 1e-3);
    check_choice(BAR, TURNING("110", "0.1 s"), usual, "rk4", 5e-4);
    check_choice(BAR, TURNING("110", "10 s"), usual, "rk4", 5e-4);   /* 0.057 */
    check_choice(BAR, TURNING("500", "10 s"), usual, "rk4", 5e-5);   /* 0.031 */
    check_choice(BAR, TURNING("10000", "10 s"), usual, "rk4", 1e-6); /* 0.01 */
    check_choice(TOP, TURNING("[0, 0, 90]", "0.1 s"), usual, "rk4", 1e-3);
    check_choice(TOP, TURNING("[0, 0, 110]", "0.1 s"), usual, "rk4", 5e-4);
    check_choice(DISC, TURNING("500", "10 s"), usual, "rk4", 1e-3);
}

/* x = cos(w T) / 2 of the middle, in both coordinates. */
static void rotations_keep_their_phase(void)
{
    static const char *const coordinates[] = {"natural", "reference-point"};
    for (int i = 0; i < 2; ++i) {
        Recorded run;
        char text[400];
        snprintf(text, sizeof text, "%sstart: {b: {angular_velocity: 500}}\nrun: {until: 3 s, coordinates: %s}\n", BAR,
                 coordinates[i]);
        HolModel *model = hol_model_create();
        CHECK_CONTEXT("%s", coordinates[i]);
        CHECK_OK(hol_model_parse(model, text, "test"));
        if (recorded_open(&run, model, "all") && recorded_go_to(&run, 3))
            CHECK_NEAR(recorded_value(&run, "b.x"), cos(1500) / 2, 2.5e-3);
        recorded_close(&run);
    }
}

/* The same choice where the model names an integrator and the options of the simulation leave it open. */
static void check_options(const char *text, const char *formulation, const char *integrator, double step)
{
    Simulated run, plain;
    if (!open_text(&run, text, "run: {integrator: euler}") || !open_text(&plain, text, ""))
        return;
    HolInitialState start = hol_mechanism_initial_state(run.mechanism);
    HolSimulationOptions options = hol_mechanism_options(run.mechanism),
                         chosen = hol_mechanism_options(plain.mechanism);
    options.integrator = hol_automatic_info().name;
    CHECK_CONTEXT("%s", text + strlen(GUIDED));
    if (simulated_start(&run, &start, &options)) {
        HolSummary summary = hol_simulation_summary(run.simulation);
        CHECK_STRING(summary.formulation, formulation);
        CHECK_STRING(summary.integrator, integrator);
        CHECK_NEAR(summary.step, step, 1e-15);
        CHECK_STRING(summary.choice, chosen.choice->text);
        CHECK_OK(hol_simulation_run(run.simulation, &(HolRun){.until = 0.01}));
    }
    simulated_close(&run);
    simulated_close(&plain);
}

static void options_leave_the_choice_open(void)
{
    const char *usual = "direct-correction", *implicit = "index3-augmented-lagrangian";
    check_options(SPRING("100"), usual, "rk4", 1e-3);
    check_options(SPRING("1e6"), usual, "rk4", 2.5e-4);
    check_options(SPRING("1e9"), implicit, "newmark", 1e-3);
    check_options(STOP, usual, "dopri5", 1e-3);
}

/* A system in C: a mass of 1 kg on a spring. */
static HolStatus own_evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const double *k = self;
    (void)want;
    terms->M[0] = 1;
    terms->Q[0] = -*k * at->q[0];
    terms->kinetic = at->v[0] * at->v[0] / 2;
    terms->potential = *k * at->q[0] * at->q[0] / 2;
    return HOL_OK;
}

static void check_own(double k, HolSimulationOptions options, const char *formulation, const char *integrator,
                      double step)
{
    static const HolSystemOps ops = {.evaluate = own_evaluate};
    HolSystemSpec spec = hol_system_spec();
    HolSimulation *simulation = NULL;
    HolMessage message;
    spec.ops = &ops;
    spec.self = &k;
    spec.nq = spec.nv = 1;
    HolSystem *system = system_of(&spec);
    HolInitialState start = {0, (double[]){0.1}, (double[]){0}};
    options.integrator = "automatic";
    CHECK_CONTEXT("%g N/m", k);
    if (CHECK_OK(hol_simulation_create(system, &start, &options, &simulation, &message))) {
        HolSummary summary = hol_simulation_summary(simulation);
        CHECK_STRING(summary.formulation, formulation);
        CHECK_STRING(summary.integrator, integrator);
        CHECK_NEAR(summary.step, step, 1e-15);
        CHECK(!summary.choice || strstr(summary.choice, integrator));
    }
    hol_simulation_destroy(simulation);
    hol_system_destroy(system);
}

static void systems_in_c_have_the_choice(void)
{
    const char *usual = "direct-correction", *implicit = "index3-augmented-lagrangian";
    const HolSetting tolerance = {"integrator.tolerance", "1e-9"};
    HolSimulationOptions options = hol_simulation_options(), named = options;
    check_own(100, options, usual, "rk4", 1e-3);
    check_own(1e6, options, usual, "rk4", 2.5e-4);
    check_own(1e9, options, implicit, "newmark", 1e-3);
    named.step = 2e-3; /* stays */
    check_own(1e4, named, usual, "rk4", 2e-3);
    check_own(1e9, named, implicit, "newmark", 2e-3);
    named = options;
    named.formulation = "lagrange"; /* never replaced */
    check_own(1e9, named, "lagrange", "rk4", 1e-3);
    named.formulation = implicit; /* has its own */
    check_own(100, named, implicit, "newmark", 1e-3);
    HolSimulation *simulation = NULL;
    HolMessage message;
    Simulated run;
    named = options;
    named.integrator = "automatic";
    named.settings = &tolerance;
    named.setting_count = 1;
    REQUIRE(open_text(&run, SPRING("100"), ""));
    HolInitialState start = hol_mechanism_initial_state(run.mechanism);
    CHECK_STATUS(hol_simulation_create(hol_mechanism_system(run.mechanism), &start, &named, &simulation, &message),
                 HOL_BAD_INPUT);
    CHECK(strstr(message.text, "'integrator.tolerance'"));
    simulated_close(&run);
}

static void names_in_the_model_are_kept(void)
{
    Simulated run;
    if (!open_text(&run, SPRING("1e9"), "run: {formulation: energy-preserving, coordinates: natural}"))
        return;
    HolSimulationOptions options = hol_mechanism_options(run.mechanism);
    CHECK_STRING(options.integrator, "built-in");
    CHECK(options.choice == NULL);
    simulated_close(&run);
}

static void check_fastest(const char *text, double rate, const char *body)
{
    Simulated run;
    HolTimeScales scales;
    if (!open_text(&run, text, ""))
        return;
    CHECK_OK(hol_mechanism_time_scales(run.mechanism, &scales));
    CHECK_NEAR(scales.fastest, rate, 1e-3 * rate);
    CHECK_STRING(scales.body, body);
    simulated_close(&run);
}

/* sqrt(k/m), c/m, sqrt(2 k/m) of a light link between two springs, and of a stop sqrt(k/m). */
static void time_scales_agree_with_closed_forms(void)
{
    Simulated run;
    HolTimeScales scales;
    check_fastest(SPRING("1e4"), 100, "m");
    check_fastest(SPRING("1e9"), sqrt(1e9), "m");
    check_fastest(DAMPER, 1e6, "m");
    check_fastest("plane: xy\n"
                  "points: {A: [0, 0], B: [1, 0], C: [1.5, 0], D: [2, 0], E: [3, 0], M: [3.5, 0]}\n"
                  "bodies: {link: {rigid: C, mass: 0.001, inertia: 0.0001}, big: {rigid: M, mass: 1e6, inertia: 1e6}}\n"
                  "forces:\n"
                  "  a: {spring: [ground, link], from: A, to: B, stiffness: 1e7}\n"
                  "  b: {spring: [link, big], from: D, to: E, stiffness: 1e7}\n",
                  sqrt(2e7 / 1e-3), "link");
    if (!open_text(&run, STOP, ""))
        return;
    CHECK_OK(hol_mechanism_time_scales(run.mechanism, &scales));
    CHECK_NEAR(scales.stop, sqrt(1e9), 1e-6 * sqrt(1e9));
    CHECK_STRING(scales.stop_name, "stop");
    simulated_close(&run);
    /* The wall takes 9.81 J: f/400 = 9.81, k = 400 f. */
    if (!open_text(&run, EXPONENTIAL, ""))
        return;
    CHECK_OK(hol_mechanism_time_scales(run.mechanism, &scales));
    CHECK_NEAR(scales.stop, 400 * sqrt(9.81), 0.02 * 400 * sqrt(9.81));
    simulated_close(&run);
}

/* rk4 is stable on the imaginary axis up to 2.83 and on the real one up to 2.79, symplectic Euler up to 2. */
static void check_stiff(const char *text, const char *integrator, bool is_too_stiff)
{
    Simulated run;
    char more[80];
    snprintf(more, sizeof more, "run: {integrator: %s, step: 1 ms}", integrator);
    if (!open_text(&run, text, more))
        return;
    CHECK_CONTEXT("%s", text + strlen(GUIDED));
    CHECK_STATUS(run_until(&run, 0.2), is_too_stiff ? HOL_TOO_STIFF : HOL_OK);
    if (is_too_stiff) {
        CHECK_NEAR(hol_simulation_state(run.simulation)->t, 0, 0);
        CHECK(strstr(hol_simulation_message(run.simulation), "too stiff for explicit steps of 0.001 s"));
    }
    CHECK(fabs(hol_simulation_state(run.simulation)->q[1]) < 2);
    simulated_close(&run);
}

/* The step that the message names, or NAN. */
static double named_step(const Simulated *run)
{
    const char *message = hol_simulation_message(run->simulation), *step = strstr(message, "needs steps of about ");
    return step ? strtod(step + strlen("needs steps of about "), NULL) : NAN;
}

/* Steps as named keep the energy of a vibration: 1e-3 of the phase is growth of the amplitude. */
static void check_named_step(const char *text, const char *integrator, double until, double most_drift)
{
    Simulated run;
    char more[120];
    snprintf(more, sizeof more, "run: {integrator: %s, step: 1 ms}", integrator);
    if (!open_text(&run, text, more))
        return;
    CHECK_CONTEXT("%s %s", integrator, text + strlen(GUIDED));
    CHECK_STATUS(run_until(&run, until), HOL_TOO_STIFF);
    double step = named_step(&run);
    CHECK(step > 0 && step < 1e-3);
    simulated_close(&run);
    snprintf(more, sizeof more, "run: {integrator: %s, step: %g}", integrator, step);
    if (!open_text(&run, text, more))
        return;
    CHECK_OK(run_until(&run, until));
    HolSummary summary = hol_simulation_summary(run.simulation);
    CHECK(summary.max_energy_drift < most_drift * (summary.potential_high - summary.potential_low));
    simulated_close(&run);
}

static void messages_name_steps_that_do(void)
{
    check_named_step(SPRING("1e9"), "rk4", 0.1, 0.11); /* 0.3^6 / 72 in each 0.3 of 3162 rad: 0.107 */
    check_named_step(SPRING("1e9"), "symplectic-euler", 0.1, 0.5);
    check_named_step(SPRING("1e7"), "euler", 0.01, 0.1); /* 32 rad */
    check_named_step(DAMPER, "rk4", 0.01, 1e-2);
    check_named_step(DAMPER, "euler", 0.01, 1e-2);
}

/* The motions exp(s t) and exp(-s t) of a saddle, s = 2.7 to 3.1 per step: the growing one is its own. */
static void saddles_are_not_stiff(void)
{
    for (int i = 0; i < 40; ++i) {
        Simulated run;
        char more[160];
        double k = -7.3e6 - 6e4 * i;
        snprintf(more, sizeof more,
                 "forces: {s: {spring: [ground, m], from: A, to: C, stiffness: %g, free_length: 1}}\n"
                 "run: {integrator: rk4, step: 1 ms}",
                 k);
        if (!open_text(&run, GUIDED, more))
            return;
        CHECK_CONTEXT("stiffness %g", k);
        CHECK_OK(run_until(&run, 1e-3));
        simulated_close(&run);
    }
}

/* Half of a step of 2.95 is stable: rk4 comes within the next term of its series, 1.475^6 / 720 = 0.014, of cos. */
static void runs_shorter_than_a_step_are_judged_by_their_length(void)
{
    Simulated run;
    if (!open_text(&run, SPRING("8.7e6"), "run: {integrator: rk4, step: 1 ms}"))
        return;
    const double sag = 9.81 / 8.7e6, phase = sqrt(8.7e6) * 5e-4;
    CHECK_OK(run_until(&run, 5e-4));
    CHECK_NEAR(hol_simulation_state(run.simulation)->q[1], 1 - sag * (1 - cos(phase)), 0.02 * sag);
    simulated_close(&run);
}

static void explicit_runs_stop_beyond_their_stability_limit_only(void)
{
    check_stiff(SPRING("7.8e6"), "rk4", false); /* 2.79 */
    check_stiff(SPRING("8.7e6"), "rk4", true);  /* 2.95 */
    check_stiff(SPRING("3.9e6"), "symplectic-euler", false);
    check_stiff(SPRING("4.4e6"), "symplectic-euler", true);
    check_stiff(GUIDED "forces: {d: {spring: [ground, m], from: A, to: C, damping: 2700}}\n", "rk4", false);
    check_stiff(GUIDED "forces: {d: {spring: [ground, m], from: A, to: C, damping: 3000}}\n", "rk4", true);
    check_stiff(DAMPER, "euler", true);
    check_stiff(DAMPER, "{kind: trapezoidal, iteration: newton}", false);
    check_stiff(SPRING("-100"), "rk4", false);
    check_stiff(FRICTION, "rk4", false);
}

/* The stop is hit after sqrt(2 * 0.5 / g), and again after the bounce, which has lost energy: at one of both. */
static void a_stop_that_closes_later_is_found_there(void)
{
    Simulated run;
    if (!open_text(&run, STOP, "run: {integrator: rk4, step: 1 ms}"))
        return;
    CHECK_STATUS(run_until(&run, 1), HOL_TOO_STIFF);
    CHECK(hol_simulation_state(run.simulation)->t > sqrt(1 / 9.81) - 3e-3); /* not before */
    simulated_close(&run);
}

/* v = -m g/c soon; a bounce without damping comes back up to where it began, after twice the time to the stop. */
static void chosen_methods_are_right(void)
{
    Simulated run;
    if (!open_text(&run, DAMPER, ""))
        return;
    CHECK_OK(run_until(&run, 1));
    CHECK_NEAR(hol_simulation_state(run.simulation)->q[1] - 1, -9.81e-6, 1e-8);
    simulated_close(&run);
    if (!open_text(&run, STOP, ""))
        return;
    CHECK_OK(run_until(&run, 2 * sqrt(1 / 9.81)));
    CHECK_NEAR(hol_simulation_state(run.simulation)->q[1], 1, 1e-3);
    CHECK(hol_simulation_summary(run.simulation).max_energy_drift < 1e-2);
    simulated_close(&run);
}

CHECK_MAIN(TEST(choices_follow_the_time_scales), TEST(rotations_are_resolved), TEST(rotations_keep_their_phase),
           TEST(options_leave_the_choice_open), TEST(systems_in_c_have_the_choice), TEST(names_in_the_model_are_kept),
           TEST(time_scales_agree_with_closed_forms), TEST(explicit_runs_stop_beyond_their_stability_limit_only),
           TEST(messages_name_steps_that_do), TEST(saddles_are_not_stiff),
           TEST(runs_shorter_than_a_step_are_judged_by_their_length), TEST(a_stop_that_closes_later_is_found_there),
           TEST(chosen_methods_are_right))
