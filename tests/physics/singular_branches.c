/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports on singular configurations: when they will be encountered, their smallest singular value, and the two branches
 * of motion that are possible there, against closed forms. */
#include "simulated.h"

/* Two rods of 1 m that lie on each other, in the coordinates of their points; P3 on the x axis. Rows: the lengths of
 * both rods, and y3. */
static const char *const rods = "plane: xy\n"
                                "gravity: [0, -9.81]\n"
                                "points: {O: [0, 0], A: [0, 1], B: [0, 0]}\n"
                                "bodies: {P2: {particle: A}, P3: {particle: B}}\n"
                                "joints:\n"
                                "  crank: {rod: [ground, P2], from: O, to: A, mass: 1}\n"
                                "  rod: {rod: [P2, P3], from: A, to: B, mass: 1}\n"
                                "  slide: {point-on-line: [ground, P3], at: B, axis: x}\n"
                                "start: {P2: {velocity: [-2, 0]}, P3: {velocity: [-4, 0]}}\n";
/* Of the built-in slider-crank, from minimal coordinates in extended precision. */
static const double FIRST[2] = {0.39173213535751167, 1.277015794724112}, PERIOD = 1.770567318733201;

typedef struct Choice {
    const char *formulation; /* NULL: as the model says */
    double step;
    HolBranchPolicy branch;
    double gap;         /* of rods: x2 too small and x3 too large by this, and left so */
    double other_speed; /* of P2 alone, added */
} Choice;

static bool start_run(HolModel *model, Choice choice, Simulated *run)
{
    double q[4], v[4];
    if (!simulated_assemble(run, model))
        return false;
    HolInitialState start = hol_mechanism_initial_state(run->mechanism);
    HolSimulationOptions options = hol_mechanism_options(run->mechanism);
    options.step = choice.step;
    options.branch = choice.branch;
    if (choice.formulation)
        options.formulation = choice.formulation;
    if (choice.gap != 0 || choice.other_speed != 0) {
        memcpy(q, start.q, sizeof q);
        memcpy(v, start.v, sizeof v);
        q[0] -= choice.gap;
        q[2] += choice.gap;
        v[0] += choice.other_speed;
        start.q = q;
        start.v = v;
        options.keep_start = true;
    }
    return simulated_start(run, &start, &options);
}

static HolModel *load(const char *name, const char *loops)
{
    HolModel *model = hol_model_create();
    CHECK_OK(hol_model_load(model, name));
    if (loops)
        CHECK_OK(hol_model_set(model, "parameters.N", "%s", loops));
    return model;
}

/* ---- When ---- */

static void an_approach_is_reported_in_time(void)
{
    static const double steps[] = {1e-3, 2e-3, 4e-3};
    for (int i = 0; i < 3; ++i) {
        Simulated run;
        HolApproach approach;
        int passage = 0, reported = 0;
        CHECK_CONTEXT("step %g", steps[i]);
        REQUIRE(start_run(load("slider-crank", NULL), (Choice){.step = steps[i]}, &run));
        while (passage < 11 && hol_simulation_step(run.simulation, NULL) == HOL_OK) {
            double t = hol_simulation_state(run.simulation)->t, next = FIRST[passage % 2] + PERIOD * (passage / 2);
            if (t > next) {
                CHECK(reported >= 4); /* each of them, for some steps */
                reported = 0;
                ++passage;
                continue;
            }
            bool is_reported = hol_simulation_approach(run.simulation, &approach);
            reported += is_reported;
            CHECK(is_reported || next - t > 4 * steps[i]);
            if (!is_reported || next - t > 10 * steps[i])
                continue;
            /* The sine is not quite linear in time. */
            CHECK_NEAR(approach.t, next, (next - t < 2 * steps[i] ? 0.05 : 0.1) * (next - t));
            CHECK(approach.sine > 0 && approach.sine < 1);
            CHECK(strcmp(hol_system_group_name(hol_mechanism_system(run.mechanism), approach.group), "P3") == 0);
        }
        CHECK_EQUAL_INT(passage, 11);
        simulated_close(&run);
    }
}

static void nothing_approaches_a_regular_mechanism(void)
{
    Simulated run;
    HolApproach approach;
    REQUIRE(start_run(load("bricard", NULL), (Choice){.step = 1e-2}, &run));
    for (int i = 0; i < 500; ++i) {
        CHECK_OK(hol_simulation_step(run.simulation, NULL));
        CHECK(!hol_simulation_approach(run.simulation, &approach));
    }
    simulated_close(&run);
}

/* ---- How singular ---- */

static HolStatus compare_sigma(void *user, const HolState *state, const HolMeasures *measures)
{
    /* Rows of rods divided by their largest entry: (x2, y2, 0), (x2 - x3, y2, x3 - x2), of rods that point upwards; the
     * third one, y3 alone, is touched by the second. */
    double x2 = state->q[0], y2 = state->q[1], a = x2 / y2, b = (x2 - state->q[2]) / y2;
    double G[3][3] = {{1 + a * a, 1 + a * b, 0}, {1 + a * b, 2 + 2 * b * b, -1}, {0, -1, 1}}, least = 0;
    double trace = G[0][0] + G[1][1] + G[2][2];
    double minors = G[0][0] * G[1][1] - G[0][1] * G[0][1] + G[0][0] * G[2][2] + G[1][1] * G[2][2] - G[1][2] * G[1][2];
    /* det G, without cancellation */
    double determinant = (a - b) * (a - b) + b * b * (1 + a * a);
    for (int i = 0; i < 50; ++i) /* Newton's from below: x^3 - trace x^2 + minors x - determinant */
        least -=
            (((least - trace) * least + minors) * least - determinant) / ((3 * least - 2 * trace) * least + minors);
    CHECK_NEAR(measures->sigma_min, sqrt(least), 1e-6 * sqrt(least) + 1e-12);
    ++*(int *)user;
    return HOL_OK;
}

static void recorded_singular_values_are_true(void)
{
    Simulated run;
    int count = 0;
    REQUIRE(start_run(parsed_model(rods), (Choice){.step = 1e-3}, &run));
    HolRun until = {.until = 0.2, .every = 7e-4, .singular = true, .record = compare_sigma, .user = &count};
    CHECK_OK(hol_simulation_step(run.simulation, NULL)); /* before that it is not known which rows are redundant */
    CHECK_OK(hol_simulation_run(run.simulation, &until));
    CHECK(count > 280);
    CHECK(isnan(hol_simulation_measures(run.simulation).sigma_min)); /* only if asked for */
    simulated_close(&run);
}

/* ---- Which motions ---- */

/* A start in the singular configuration, along the slider-crank's branch: P2 by 1 and P3 by 2; or P3 stays. */
static void a_singular_start_goes_where_its_velocity_points(void)
{
    Simulated run;
    REQUIRE(start_run(parsed_model(rods), (Choice){.step = 1e-3}, &run));
    CHECK_OK(hol_simulation_run(run.simulation, &(HolRun){.until = 0.2}));
    const HolState *state = hol_simulation_state(run.simulation);
    CHECK_NEAR(state->q[2], 2 * state->q[0], 1e-9);
    CHECK(state->q[2] < -0.7);
    HolSummary summary = hol_simulation_summary(run.simulation);
    CHECK(summary.singular_events == 1 && summary.branch_changes == 0 && summary.energy_jumps == 0);
    HolPassage passage = hol_simulation_passage(run.simulation, 0);
    CHECK(passage.is_initial && passage.t == 0 && passage.branch_taken == 0 && !passage.has_many_branches);
    CHECK(passage.sigma_min < 1e-12);
    HolState way;
    CHECK(hol_simulation_passage_branch(run.simulation, 0, 0, &way));
    CHECK_NEAR(way.v[2] / way.v[0], 2, 1e-4);
    CHECK(hol_simulation_passage_branch(run.simulation, 0, 1, &way));
    CHECK_NEAR(way.v[2] / way.v[0], 0, 1e-3);
    CHECK_NEAR(way.v[1] / way.v[0], 0, 1e-3);
    CHECK_NEAR(way.q[1], 1, 1e-4);
    CHECK(!hol_simulation_passage_branch(run.simulation, 0, 2, &way));
    simulated_close(&run);
}

/* The rods gape by 1 cm: the first correction puts P3 on the origin, where it stays. */
static void a_gap_at_the_start_costs_the_branch_and_is_reported(void)
{
    for (int i = 0; i < 3; ++i) {
        Simulated run;
        CHECK_CONTEXT("branch %d", i);
        REQUIRE(start_run(parsed_model(rods), (Choice){.step = 1e-3, .gap = 1e-2, .branch = (HolBranchPolicy)i}, &run));
        CHECK_STATUS(hol_simulation_run(run.simulation, &(HolRun){.until = 0.2}),
                     i == HOL_BRANCH_STOP ? HOL_SINGULAR : HOL_OK);
        CHECK_NEAR(hol_simulation_state(run.simulation)->q[2], 0, 1e-9);
        CHECK(hol_simulation_summary(run.simulation).branch_changes == 1);
        HolPassage passage = hol_simulation_passage(run.simulation, 0);
        CHECK(passage.is_initial && passage.changed_branch && passage.branch_taken == 1);
        CHECK(passage.stopped == (i == HOL_BRANCH_STOP));
        simulated_close(&run);
    }
    Simulated run;
    REQUIRE(start_run(parsed_model(rods), (Choice){.step = 1e-3, .gap = 1e-5}, &run));
    CHECK_OK(hol_simulation_run(run.simulation, &(HolRun){.until = 0.2}));
    CHECK(hol_simulation_state(run.simulation)->q[2] < -0.7);
    CHECK(hol_simulation_summary(run.simulation).branch_changes == 0);
    simulated_close(&run);
}

/* With a velocity between the two motions energy is lost at once. */
static void a_start_between_both_motions_loses_energy_and_is_reported(void)
{
    Simulated run;
    REQUIRE(start_run(parsed_model(rods), (Choice){.step = 1e-3, .other_speed = -6}, &run));
    CHECK_OK(hol_simulation_run(run.simulation, &(HolRun){.until = 0.05}));
    HolPassage passage = hol_simulation_passage(run.simulation, 0);
    CHECK(passage.is_initial && passage.t == 0 && passage.energy_jump);
    HolState way; /* tau is neither of them */
    CHECK(hol_simulation_passage_branch(run.simulation, 0, 0, &way));
    double first = way.v[2] / way.v[0];
    CHECK(hol_simulation_passage_branch(run.simulation, 0, 1, &way));
    double second = way.v[2] / way.v[0];
    CHECK_NEAR(fmax(first, second), 2, 1e-4);
    CHECK_NEAR(fmin(first, second), 0, 1e-4);
    simulated_close(&run);
}

/* Flat, all rods on each other. With B0 on A1 the coupler can turn about it with the second crank, and the first stands
 * still; half a turn later B1 is on A0. This step ends next to the passage at 6.48 s. */
static void a_parallelogram_can_also_fold(void)
{
    Simulated run;
    int reported = 0;
    Choice choice = {.step = 0.013196717388906808};
    REQUIRE(start_run(load("n-four-bar", "1"), choice, &run));
    CHECK_OK(hol_simulation_run(run.simulation, &(HolRun){.until = 10}));
    for (int i = 0; i < hol_simulation_passage_count(run.simulation); ++i) {
        HolState way;
        HolPassage passage = hol_simulation_passage(run.simulation, i);
        CHECK_EQUAL_INT(passage.branch_taken, 0);
        CHECK(!passage.has_many_branches);
        CHECK(passage.sigma_min < 1e-3);
        if (!hol_simulation_passage_branch(run.simulation, i, 0, &way))
            continue;
        ++reported;
        CHECK(passage.recovered);
        CHECK_NEAR(way.v[5] / way.v[2], 1, 1e-4); /* crank1 with crank0, */
        CHECK_NEAR(way.v[8] / way.v[2], 0, 1e-4); /* the coupler not at all */
        bool is_right = way.q[0] > 0;
        CHECK(hol_simulation_passage_branch(run.simulation, i, 1, &way));
        CHECK_NEAR(way.v[is_right ? 2 : 5] / way.v[8], 0, 1e-3);
        CHECK_NEAR(way.v[is_right ? 5 : 2] / way.v[8], 1, 1e-3);
    }
    CHECK(reported > 0);
    simulated_close(&run);
    REQUIRE(start_run(load("n-four-bar", "2"), choice, &run));
    CHECK_OK(hol_simulation_run(run.simulation, &(HolRun){.until = 1}));
    CHECK(hol_simulation_passage_count(run.simulation) == 1);
    CHECK(hol_simulation_passage(run.simulation, 0).has_many_branches); /* each loop by itself */
    simulated_close(&run);
}

CHECK_MAIN(TEST(an_approach_is_reported_in_time), TEST(nothing_approaches_a_regular_mechanism),
           TEST(recorded_singular_values_are_true), TEST(a_singular_start_goes_where_its_velocity_points),
           TEST(a_gap_at_the_start_costs_the_branch_and_is_reported),
           TEST(a_start_between_both_motions_loses_energy_and_is_reported), TEST(a_parallelogram_can_also_fold))
