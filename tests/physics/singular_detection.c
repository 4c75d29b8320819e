/* SPDX-License-Identifier: BSD-3-Clause */
/* Detection of singular configurations: at the right times, none in regular motions, and a report where the motion
 * changes its branch. Times of passages from minimal coordinates in extended precision. */
#include "simulated.h"

/* Two rods of 1 m; P3 on the x axis. The angle of the crank grows for ever, and D loses rank where it is vertical. */
static const char *const slider_crank = "plane: xy\n"
                                        "gravity: [0, -9.81]\n"
                                        "parameters: {phi: 45 deg}\n"
                                        "points: {P1: [0, 0], P2: [cos(phi), sin(phi)], P3: [2*cos(phi), 0]}\n"
                                        "bodies:\n"
                                        "  crank: {bar: [P1, P2], mass: 1}\n"
                                        "  rod: {bar: [P2, P3], mass: 1}\n"
                                        "joints:\n"
                                        "  P1: {revolute: [ground, crank], at: P1}\n"
                                        "  P2: {revolute: [crank, rod], at: P2}\n"
                                        "  P3: {point-on-line: [ground, rod], at: P3, axis: x}\n"
                                        "start: {crank: {angular_velocity: 2*sqrt(2)}}\n";
static const double FIRST[2] = {0.39173213535751167, 1.277015794724112}, PERIOD = 1.770567318733201;

static bool start_run(HolModel *model, const char *formulation, const char *integrator, double step, Simulated *run)
{
    HolSimulationOptions options = hol_simulation_options();
    options.formulation = formulation;
    options.integrator = integrator;
    options.branch = HOL_BRANCH_REPORT;
    options.step = step;
    if (!simulated_assemble(run, model))
        return false;
    HolInitialState start = hol_mechanism_initial_state(run->mechanism);
    return simulated_start(run, &start, &options);
}

static void check_passages(const char *formulation, const char *integrator, double step, double tolerance)
{
    Simulated run;
    CHECK_CONTEXT("%s, %s, step %g", formulation, integrator, step);
    REQUIRE(start_run(parsed_model(slider_crank), formulation, integrator, step, &run));
    CHECK_OK(hol_simulation_run(run.simulation, &(HolRun){.until = 10}));
    HolSummary summary = hol_simulation_summary(run.simulation);
    CHECK_EQUAL_INT((int)summary.singular_events, 11);
    CHECK_EQUAL_INT((int)summary.branch_changes, 0);
    CHECK_EQUAL_INT((int)summary.energy_jumps, 0);
    for (int i = 0; i < hol_simulation_passage_count(run.simulation); ++i) {
        HolPassage passage = hol_simulation_passage(run.simulation, i);
        CHECK_NEAR(passage.t, FIRST[i % 2] + PERIOD * (i / 2), tolerance);
        CHECK(passage.group >= 0);
        CHECK(passage.blocks[0] >= 0 && passage.blocks[1] >= 0);
    }
    simulated_close(&run);
}

static void passages_are_detected_in_time(void)
{
    check_passages("direct-correction", "rk4", 1e-3, 2e-6);
    check_passages("direct-correction", "rk4", 16e-3, 1e-3);
    check_passages("direct-correction", "dopri5", 1e-3, 3e-3);
    check_passages("augmented-hamiltonian", "rk4", 1e-3, 2e-6); /* its solver does not look at D by itself */
}

static bool is_singular(const char *name)
{
    static const char *const names[] = {"n-four-bar", "double-four-bar", "slider-crank"};
    bool found = false;
    for (int i = 0; i < 3; ++i)
        found = found || strcmp(name, names[i]) == 0;
    return found;
}

static bool has_beams(HolModel *model)
{
    HolMechanism *mechanism;
    if (!CHECK_OK(hol_mechanism_create(model, &mechanism)))
        return false;
    bool has = hol_mechanism_beam_count(mechanism) > 0;
    hol_mechanism_destroy(mechanism);
    return has;
}

static void check_models(const char *formulation, double until)
{
    for (int i = 0; i < hol_library_count(); ++i) {
        Simulated run;
        HolModel *model = hol_model_create();
        const char *name = hol_library_model(i).name;
        CHECK_CONTEXT("%s with %s", name, formulation);
        CHECK_OK(hol_model_load(model, name));
        if (has_beams(model)) { /* too stiff for these steps */
            hol_model_destroy(model);
            continue;
        }
        REQUIRE(start_run(model, formulation, "rk4", 1e-3, &run));
        CHECK_OK(hol_simulation_run(run.simulation, &(HolRun){.until = until}));
        bool passes = until > 1 && is_singular(name);
        CHECK((hol_simulation_summary(run.simulation).singular_events > 0) == passes);
        simulated_close(&run);
    }
}

static void regular_models_have_no_passages(void)
{
    check_models("direct-correction", 1.2);
    check_models("penalty", 0.05);
    check_models("baumgarte", 0.05);
}

/* Bars that rotate by large angles in a step, but form no closed loop. */
static void chains_have_no_passages_at_any_step(void)
{
    Simulated run;
    HolModel *model = hol_model_create();
    CHECK_OK(hol_model_load(model, "five-bar-pendulum"));
    CHECK_OK(hol_model_set(model, "run.coordinates", "%s", "natural"));
    REQUIRE(start_run(model, "energy-preserving", "built-in", 0.01, &run));
    CHECK(hol_system_has_no_loops(hol_mechanism_system(run.mechanism)));
    CHECK_OK(hol_simulation_run(run.simulation, &(HolRun){.until = 20}));
    CHECK_EQUAL_INT((int)hol_simulation_summary(run.simulation).singular_events, 0);
    simulated_close(&run);
    REQUIRE(start_run(parsed_model(slider_crank), "lagrange", "rk4", 0.01, &run));
    CHECK(!hol_system_has_no_loops(hol_mechanism_system(run.mechanism)));
    simulated_close(&run);
}

/* Methods that drift leave their branch at some passage, which one depends on rounding; each change is reported. */
static void a_change_of_branch_is_reported(void)
{
    static const char *const formulations[] = {"lagrange", "null-space", "penalty"};
    int wrong = 0;
    long changes = 0, jumps = 0;
    for (int i = 0; i < 12; ++i) {
        Simulated run;
        double step = 3e-3 + 1e-3 * (i / 3);
        CHECK_CONTEXT("%s, step %g", formulations[i % 3], step);
        REQUIRE(start_run(parsed_model(slider_crank), formulations[i % 3], "rk4", step, &run));
        HolStatus status =
            hol_simulation_run(run.simulation, &(HolRun){.until = 10}); /* may fail, which reports it too */
        HolSummary summary = hol_simulation_summary(run.simulation);
        bool is_wrong = !(summary.max_energy_drift < 1);
        wrong += is_wrong;
        changes += summary.branch_changes;
        jumps += summary.energy_jumps;
        CHECK(!is_wrong || status != HOL_OK || summary.branch_changes + summary.energy_jumps > 0);
        CHECK(summary.max_energy_drift > 1e-2 || summary.branch_changes + summary.energy_jumps == 0);
        simulated_close(&run);
    }
    CHECK(wrong > 4);
    CHECK(changes > 0); /* either is seen by itself */
    CHECK(jumps > 0);
}

/* Exactly vertical, the rods on each other. */
static void a_singular_initial_state_is_a_passage(void)
{
    Simulated run;
    HolModel *model = parsed_model(slider_crank);
    CHECK_OK(hol_model_set(model, "parameters.phi", "%s", "90 deg"));
    CHECK_OK(hol_model_set(model, "start", "%s", "{crank: {angular_velocity: 2}, rod: {angular_velocity: -2}}"));
    REQUIRE(start_run(model, "direct-correction", "rk4", 1e-3, &run));
    CHECK_OK(hol_simulation_run(run.simulation, &(HolRun){.until = 0.1}));
    CHECK_EQUAL_INT((int)hol_simulation_summary(run.simulation).singular_events, 1);
    CHECK_EQUAL_INT((int)hol_simulation_summary(run.simulation).branch_changes, 0);
    CHECK_NEAR(hol_simulation_passage(run.simulation, 0).t, 0, 0);
    simulated_close(&run);
}

CHECK_MAIN(TEST(passages_are_detected_in_time), TEST(regular_models_have_no_passages),
           TEST(chains_have_no_passages_at_any_step), TEST(a_change_of_branch_is_reported),
           TEST(a_singular_initial_state_is_a_passage))
