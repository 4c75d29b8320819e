/* SPDX-License-Identifier: BSD-3-Clause */
/* What bounds the search for breakpoints and events, and what it finds within these bounds. */
#include <holon/holon.h>

#include "runs.h"
#include "simulated.h"
#include "system_of.h"

#include <math.h>
#include <stdio.h>

static const double PI = 3.14159265358979323846;

static HolSummary run_model(const char *text, const char *integrator, double step, Simulated *run)
{
    HolSummary none = {.steps = -1};
    if (!simulated_assemble(run, parsed_model(text)))
        return none;
    HolInitialState start = hol_mechanism_initial_state(run->mechanism);
    HolSimulationOptions options = run_options("direct-correction", integrator, step);
    if (!simulated_start(run, &start, &options))
        return none;
    CHECK_OK(hol_simulation_run(run->simulation, &(HolRun){.until = hol_mechanism_until(run->mechanism)}));
    return hol_simulation_summary(run->simulation);
}

/* A mass thrown 0.1 nm above the edge of a soft stop is there for 2 sqrt(2 * 1e-10 / g) = 9e-6 s, a two-thousandth of the
 * step: between the points that are looked at, but not beside the least distance of the cubic. */
static void grazes_shorter_than_all_points_are_found(void)
{
    static const char text[] =
        "plane: xy\ngravity: [0, -10]\nbodies: {m: {rigid: [0, 0], mass: 1, inertia: 1}}\n"
        "joints: {slide: {prismatic: [ground, m], at: [0, 0], axis: y}}\n"
        "forces: {end: {bump-stop: [ground, m], from: [0, 0], to: [0, 0], along: y, above: 1, stiffness: 1e-3}}\n"
        "start: {m: {velocity: [0, sqrt(2*10*1.0000000001)]}}\nrun: {until: 0.6}\n";
    const double apex = sqrt(2 * 10 * 1.0000000001) / 10, half = sqrt(2 * 1e-10 / 10);
    Simulated run;
    HolSummary summary = run_model(text, "rk4", 2e-2, &run);
    CHECK_EQUAL_INT(summary.events, 2);
    CHECK_NEAR(hol_simulation_event(run.simulation, 0).t, apex - half, 1e-7);
    CHECK_NEAR(hol_simulation_event(run.simulation, 1).t, apex + half, 1e-7);
    simulated_close(&run);
}

/* A hundred thousand breakpoints within 0.1 ms, 1 ns apart: after a hundred of them those within the next millionth of a
 * step are passed as one. */
static HolStatus crowded_evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    (void)self, (void)want;
    terms->M[0] = 1;
    terms->Q[0] = 1;
    terms->power = at->v[0];
    terms->kinetic = 0.5 * at->v[0] * at->v[0];
    return HOL_OK;
}

static double crowded_breakpoint(const void *self, double t, double until)
{
    (void)self, (void)until;
    return t < 0.5 ? 0.5 : t < 0.5001 ? t + 1e-9 : HUGE_VAL;
}

static void crowded_breakpoints_are_passed_as_one(void)
{
    static const HolSystemOps ops = {.evaluate = crowded_evaluate, .next_breakpoint = crowded_breakpoint};
    static const double q = 0, v = 0;
    HolSystemSpec spec = hol_system_spec();
    spec.ops = &ops;
    spec.nq = spec.nv = 1;
    HolSystem *system = system_of(&spec);
    REQUIRE(system != NULL);
    HolSimulationOptions options = run_options("lagrange", "rk4", 0.01);
    Result r = run_system(system, &(HolInitialState){0, &q, &v}, &options, &(HolRun){.until = 1});
    CHECK_OK(r.status);
    CHECK_NEAR(r.v[0], 1, 1e-9);
    if (!CHECK(r.summary.steps < 30000))
        printf("    %ld steps\n", r.summary.steps);
    hol_system_destroy(system);
}

/* Dry friction holds a mass: one location of its chatter in ten steps, not in each of them. */
static void location_pauses_where_friction_holds(void)
{
    static const char text[] =
        "plane: xy\nbodies: {m: {rigid: [0, 0], mass: 1, inertia: 1}}\n"
        "joints: {slide: {prismatic: [ground, m], at: [0, 0], axis: x}}\n"
        "forces:\n"
        "  friction: {spring: [ground, m], from: [-5, 0], to: [0, 0], along: x, force: 4*sign(ldot)}\n"
        "  pull: {force: m, at: [0, 0], vector: [1, 0]}\n"
        "start: {m: {velocity: [0.01, 0]}}\nrun: {until: 1}\n";
    Simulated run;
    HolSummary summary = run_model(text, "rk4", 1e-3, &run);
    CHECK(summary.skipped_events > 100);
    if (!CHECK(summary.evaluations < 40 * summary.steps))
        printf("    %ld evaluations in %ld steps\n", summary.evaluations, summary.steps);
    simulated_close(&run);
}

/* A half sine of 10 ms between two breakpoints, by a system in C without bounds of its functions of time: equal steps of
 * the trapezoidal rule would see zero at both ends. */
static HolStatus half_sine_evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    (void)self, (void)want;
    const bool is_on = at->t > 0.5 && at->t < 0.51;
    terms->M[0] = 1;
    terms->Q[0] = is_on ? 100 * sin(100 * PI * (at->t - 0.5)) : 0;
    terms->power = terms->Q[0] * at->v[0];
    terms->kinetic = 0.5 * at->v[0] * at->v[0];
    return HOL_OK;
}

static double half_sine_breakpoint(const void *self, double t, double until)
{
    (void)self, (void)until;
    return t < 0.5 ? 0.5 : t < 0.51 ? 0.51 : HUGE_VAL;
}

static void pulses_between_breakpoints_get_steps(void)
{
    static const HolSystemOps ops = {.evaluate = half_sine_evaluate, .next_breakpoint = half_sine_breakpoint};
    static const double q = 0, v = 0;
    HolSystemSpec spec = hol_system_spec();
    spec.ops = &ops;
    spec.nq = spec.nv = 1;
    HolSystem *system = system_of(&spec);
    REQUIRE(system != NULL);
    HolSimulationOptions options = run_options("lagrange", "trapezoidal", 0.04);
    Result r = run_system(system, &(HolInitialState){0, &q, &v}, &options, &(HolRun){.until = 1});
    CHECK_OK(r.status);
    CHECK_NEAR(r.v[0], 2 / PI, 0.02 * 2 / PI);
    hol_system_destroy(system);
}

CHECK_MAIN(TEST(grazes_shorter_than_all_points_are_found), TEST(crowded_breakpoints_are_passed_as_one),
           TEST(location_pauses_where_friction_holds), TEST(pulses_between_breakpoints_get_steps))
