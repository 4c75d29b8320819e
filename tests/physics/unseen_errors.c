/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors that a few probes and the balance of energy do not show. */
#include <holon/holon.h>

#include "runs.h"
#include "simulated.h"

#include <math.h>
#include <stdio.h>

static const double PI = 3.14159265358979323846;

/* The end of the run of a model from this text, and its verdict. */
static HolVerdict run_to_end(const char *text, HolSimulationOptions options, Simulated *run)
{
    HolFindings findings = {.verdict = HOL_VERDICT_BAD};
    if (!simulated_assemble(run, parsed_model(text)))
        return findings.verdict;
    HolInitialState start = hol_mechanism_initial_state(run->mechanism);
    if (!simulated_start(run, &start, &options))
        return findings.verdict;
    CHECK_OK(hol_simulation_run(run->simulation, &(HolRun){.until = hol_mechanism_until(run->mechanism)}));
    hol_simulation_findings(run->simulation, &findings);
    return findings.verdict;
}

/* A rotor passes 40 teeth, on each of which it is slowed down by 60 rad/s^2 along pi/40, and driven as much on the next.
 * w falls from 4 rad/s to u, so that a pair of teeth takes T = 2 (4 - u)/60; in 20 T it turns by pi. An implicit step
 * that would end next to an edge has no solution, and one across it is wrong though it conserves energy. */
static void implicit_steps_end_at_jumps_of_forces(void)
{
    static const struct {
        const char *formulation, *integrator;
        double step;
    } all[] = {{"ggl", "trapezoidal", 7e-4},
               {"penalty", "trapezoidal", 1e-3},
               {"coordinate-partitioning", "trapezoidal", 1e-3},
               {"index3-augmented-lagrangian", "newmark", 1e-3},
               {"index3-augmented-lagrangian", "trapezoidal", 1e-3},
               {"energy-preserving", "built-in", 1e-3},
               {"rattle", "built-in", 1e-3}};
    const double slow = sqrt(16 - 2 * 60 * PI / 40), until = 20 * 2 * (4 - slow) / 60;
    char text[600];
    snprintf(text, sizeof text,
             "plane: xy\npoints: {O: [0, 0]}\nbodies: {rotor: {rigid: O, mass: 2, inertia: 0.1}}\n"
             "joints: {pin: {revolute: [ground, rotor], at: O}}\n"
             "forces: {cog: {torsion: pin, torque: '6*sign(sin(40*angle))'}}\n"
             "start: {rotor: {angular_velocity: 4}}\nrun: {until: %.17g}\n",
             until);
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        Simulated run;
        CHECK_CONTEXT("%s with %s", all[i].formulation, all[i].integrator);
        run_to_end(text, run_options(all[i].formulation, all[i].integrator, all[i].step), &run);
        CHECK_NEAR(hol_simulation_state(run.simulation)->q[2], PI, 0.02);
        HolSummary summary = hol_simulation_summary(run.simulation);
        CHECK(summary.events >= 38 && summary.skipped_events <= 2);
        simulated_close(&run);
    }
}

/* A body that leaves rotation about its middle axis turns over at times that depend on the first small errors: with this
 * tolerance it is wrong by 0.7 of the motion in natural coordinates, which no probe of a single step shows. */
static void unstable_rotation_is_not_good_because_steps_are(void)
{
    static const char text[] = "points: {C: [0, 0, 0], P: {at: [0, 1, 0], on: body}}\n"
                               "bodies: {body: {rigid: C, mass: 1, inertia: [0.3, 0.2, 0.1]}}\n"
                               "start: {body: {angular_velocity: [0.1, 100, 0]}}\n"
                               "run: {until: 0.4, coordinates: natural}\n";
    HolSetting loose = {"integrator.tolerance", "1.51826e-05"}, tight = {"integrator.tolerance", "1e-11"};
    HolSimulationOptions options = run_options("generalized-inverse", "dop853", 1e-3);
    Simulated run;
    options.setting_count = 1;
    options.settings = &loose;
    CHECK(run_to_end(text, options, &run) != HOL_VERDICT_GOOD);
    simulated_close(&run);
    options.settings = &tight;
    CHECK_EQUAL_INT(run_to_end(text, options, &run), HOL_VERDICT_GOOD);
    simulated_close(&run);
}

/* A block in a V-shaped trough, +-500 N, starts 0.3 m aside: a quarter of its period is q = sqrt(2 * 0.3 / 500), and at 28 q
 * it is where it began. Trial steps of constant acceleration end at the event to the last digit, where sign(0) is 0. */
static void steps_do_not_end_at_the_event_itself(void)
{
    static const struct {
        const char *formulation, *integrator;
    } all[] = {{"direct-correction", "rk4"}, {"rattle", "built-in"}, {"lagrange", "rk4"}};
    char text[500];
    snprintf(text, sizeof text,
             "plane: xy\npoints: {O: [0, 0], C: [1.3, 0]}\nbodies: {block: {rigid: C, mass: 1, inertia: 0.1}}\n"
             "joints: {slide: {prismatic: [ground, block], at: C, axis: x}}\n"
             "forces: {trough: {spring: [ground, block], from: O, to: C, along: x, force: '500*sign(l - 1)'}}\n"
             "run: {until: %.17g}\n",
             28 * sqrt(2 * 0.3 / 500));
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        Simulated run;
        CHECK_CONTEXT("%s with %s", all[i].formulation, all[i].integrator);
        run_to_end(text, run_options(all[i].formulation, all[i].integrator, 1e-3), &run);
        CHECK_NEAR(hol_simulation_state(run.simulation)->q[0], 1.3, 1e-7);
        simulated_close(&run);
    }
}

/* A block runs into a hard core, 1e-4/l^2, and out of its other side in one step of 6 ms, which none of both ends shows;
 * a wheel over a smooth bump of 2 ms, whose flank one end of a step of 10 ms happens to see. */
static const char hard_core[] = "plane: xy\npoints: {O: [0, 0], C: [1, 0]}\n"
                                "bodies: {block: {rigid: C, mass: 1, inertia: 0.1}}\n"
                                "joints: {slide: {prismatic: [ground, block], at: C, axis: x}}\n"
                                "forces: {core: {spring: [ground, block], from: O, to: C, force: -1e-4/l^2}}\n"
                                "start: {block: {velocity: [-3, 0]}}\nrun: {until: 0.6}\n";
static const char smooth_kerb[] =
    "plane: xy\ngravity: [0, -9.81]\npoints: {O: [0, 0.299], C: [0, 0.299]}\n"
    "bodies: {cart: {rigid: O, mass: 1, inertia: 0.1}, wheel: {rigid: C, mass: 20, inertia: 0.5}}\n"
    "joints: {slide: {prismatic: [ground, cart], at: O, axis: x}, leg: {prismatic: [cart, wheel], at: C, axis: y}}\n"
    "drivers: {motion: {displacement: slide, value: 10*t}}\n"
    "forces: {tyre: {tyre: wheel, radius: 0.3, stiffness: 196200, road: '0.02*exp(-((x-1.503)/0.01)^2)'}}\n"
    "start: {wheel: {velocity: [10, 0]}}\nrun: {until: 0.4}\n";

static void functions_of_the_state_are_seen_from_within_steps(void)
{
    Simulated run;
    HolSimulationOptions options = run_options("index3-augmented-lagrangian", "trapezoidal", 6e-3);
    CHECK_EQUAL_INT(run_to_end(hard_core, options, &run), HOL_VERDICT_DOUBTFUL);
    CHECK(hol_simulation_summary(run.simulation).missed_steps > 0);
    simulated_close(&run);
    options = run_options("energy-preserving", "built-in", 1e-2);
    CHECK_EQUAL_INT(run_to_end(smooth_kerb, options, &run), HOL_VERDICT_DOUBTFUL);
    CHECK(hol_simulation_summary(run.simulation).missed_steps > 0);
    simulated_close(&run);
    options = run_options("direct-correction", "rk4", 1e-4);
    CHECK_EQUAL_INT(run_to_end(smooth_kerb, options, &run), HOL_VERDICT_GOOD);
    simulated_close(&run);
}

CHECK_MAIN(TEST(steps_do_not_end_at_the_event_itself), TEST(functions_of_the_state_are_seen_from_within_steps),
           TEST(implicit_steps_end_at_jumps_of_forces), TEST(unstable_rotation_is_not_good_because_steps_are))
