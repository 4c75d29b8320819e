/* SPDX-License-Identifier: BSD-3-Clause */
/* The mechanisms of F. Gonzalez, D. Dopico, R. Pastorino and J. Cuadrado (2015): singular configurations are passed at
 * any step, and begun in, and Bricard's loop moves as its closed form says, though its rows are redundant everywhere. */
#include <holon/mechanism.h>

#include "check.h"

typedef struct Run {
    HolMechanism *mechanism;
    HolSimulation *simulation;
    HolRecorder *recorder;
} Run;

static HolStatus begin(double step, Run *run, HolMessage *message)
{
    HolInitialState start = hol_mechanism_initial_state(run->mechanism);
    HolSimulationOptions options = hol_mechanism_options(run->mechanism);
    options.step = step;
    const HolSystem *system = hol_mechanism_system(run->mechanism);
    HolStatus status = hol_simulation_create(system, &start, &options, &run->simulation, message);
    if (status == HOL_OK)
        status = hol_recorder_create(run->mechanism, (const char *[]){"all"}, 1, &run->recorder, message);
    return status;
}

static bool start_run(const char *name, int loops, double step, Run *run)
{
    HolMessage message = {{0}};
    HolModel *model = hol_model_create();
    *run = (Run){0};
    CHECK_OK(hol_model_load(model, name));
    if (loops > 0)
        CHECK_OK(hol_model_set(model, "parameters.N", "%d", loops));
    HolStatus status = hol_mechanism_create(model, &run->mechanism);
    hol_model_destroy(model);
    if (status == HOL_OK)
        status = hol_mechanism_assemble(run->mechanism, &message);
    if (status == HOL_OK)
        status = begin(step, run, &message);
    if (!CHECK_OK(status))
        printf("    %s\n", message.text);
    return status == HOL_OK;
}

static void stop_run(Run *run)
{
    hol_recorder_destroy(run->recorder);
    hol_simulation_destroy(run->simulation);
    hol_mechanism_destroy(run->mechanism);
}

/* ---- Steps from 4 to 16 ms, with the settings of the models ---- */

static void check_sweep(const char *name, int loops, int passages, int count)
{
    for (int i = 0; i < count; ++i) {
        Run run;
        double step = 4e-3 * pow(4, (double)i / (count - 1));
        CHECK_CONTEXT("%s, N = %d, step %g", name, loops, step);
        REQUIRE(start_run(name, loops, step, &run));
        CHECK_OK(hol_simulation_run(run.simulation, &(HolRun){.until = 10}));
        HolSummary summary = hol_simulation_summary(run.simulation);
        CHECK_EQUAL_INT((int)summary.singular_events, passages);
        CHECK_EQUAL_INT((int)summary.branch_changes, 0);
        CHECK(fabs(summary.max_energy_drift) < 1e-3);
        stop_run(&run);
    }
}

static void no_step_changes_the_branch(void)
{
    check_sweep("slider-crank", 0, 11, 20);
    check_sweep("double-four-bar", 0, 10, 20);
    check_sweep("n-four-bar", 1, 10, 20);
    check_sweep("n-four-bar", 10, 10, 20);
}

/* ---- From the singular configuration itself ---- */

typedef struct Setting {
    const char *path, *value;
} Setting;

static bool start_upright(const Setting *settings, int count, double step, Run *run)
{
    HolModel *model = hol_model_create();
    HolMessage message = {{0}};
    *run = (Run){0};
    CHECK_OK(hol_model_load(model, "slider-crank"));
    CHECK_OK(hol_model_choose(model, "from-singularity"));
    for (int i = 0; i < count && settings[i].path; ++i)
        CHECK_OK(hol_model_set(model, settings[i].path, "%s", settings[i].value));
    HolStatus status = hol_mechanism_create(model, &run->mechanism);
    hol_model_destroy(model);
    if (status == HOL_OK)
        status = hol_mechanism_assemble(run->mechanism, &message);
    if (status == HOL_OK)
        status = begin(step, run, &message);
    if (!CHECK_OK(status))
        printf("    %s\n", message.text);
    return status == HOL_OK;
}

static double value_of(Run *run, const char *column)
{
    static double values[100];
    HolMeasures measures = hol_simulation_measures(run->simulation);
    if (!CHECK(hol_recorder_column_count(run->recorder) <= 100))
        return NAN;
    CHECK_OK(hol_recorder_read(run->recorder, hol_simulation_state(run->simulation), &measures, values));
    return values[hol_recorder_find(run->recorder, column)];
}

/* x2 and x3 at 0.3 s by the one equation of the slider-crank, from models/slider-crank/reference.csv. */
static void check_slider_crank(Run *run, double tolerance)
{
    CHECK_OK(hol_simulation_run(run->simulation, &(HolRun){.until = 0.3}));
    CHECK_NEAR(value_of(run, "P2.x"), -0.6220662271029517, tolerance);
    CHECK_NEAR(value_of(run, "P3.x"), -1.244132454205903, 2 * tolerance);
}

static void a_slider_crank_can_begin_where_it_is_singular(void)
{
    static const struct {
        Setting settings[4];
        double tolerance;
    } cases[] = {
        {{{"run.formulation", "{kind: penalty, alpha: 4e7, omega: 10, xi: 1}"},
          {"run.integrator", "{kind: trapezoidal, tolerance: 1e-7, divergence: continue}"}},
         2e-5}, /* as in the paper; a penalty leaves a gap, and the rule an error of 1e-6 */
        {{{"run.formulation", "augmented-lagrangian"}, {"run.integrator", "rk4"}}, 1e-7},
        {{{"run.formulation", "augmented-hamiltonian"}, {"run.integrator", "rk4"}}, 1e-7},
        {{{"run.formulation", "index3-augmented-lagrangian"}, {"run.integrator", "trapezoidal"}}, 2e-5},
        {{{"run.formulation", "direct-correction"}, {"run.integrator", "rk4"}}, 1e-9},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        Run run;
        CHECK_CONTEXT("%s", cases[i].settings[0].value);
        REQUIRE(start_upright(cases[i].settings, 4, 1e-3, &run));
        check_slider_crank(&run, cases[i].tolerance);
        CHECK_EQUAL_INT((int)hol_simulation_summary(run.simulation).branch_changes, 0);
        stop_run(&run);
    }
}

/* Positions that are wrong by 1 cm, which some methods only survive as a pendulum: P3 stays at P1. */
typedef struct Wrong {
    Setting settings[4];
    bool turns;
} Wrong;

static const Wrong wrongs[] = {
    {{{"run.formulation", "direct-correction"}, {"run.integrator", "rk4"}}, true},
    {{{"run.formulation", "index3-augmented-lagrangian"}, {"run.integrator", "trapezoidal"}}, true},
    {{{"run.formulation", "augmented-hamiltonian"}, {"run.integrator", "rk4"}}, true}, /* within ten steps */
    {{{"run.formulation", "augmented-lagrangian-projected"}, {"run.integrator", "rk4"}}, true},
    {{{"run.formulation", "augmented-lagrangian"}, {"run.integrator", "rk4"}}, false}, /* half the energy is lost */
    {{{"run.formulation", "penalty"}, {"run.integrator", "rk4"}}, false},
};

static bool start_wrong(const Wrong *wrong, const char *branch, Run *run)
{
    Setting settings[4] = {
        wrong->settings[0], wrong->settings[1], {"run.branch", branch}, {"parameters.epsilon", "1 cm"}};
    if (!start_upright(settings, 4, 1e-3, run))
        return false;
    CHECK_NEAR(hol_mechanism_gap(run->mechanism).position, 2e-4, 1e-6); /* ((2 epsilon)^2 + 1 - 1) / 2 of the rod */
    return true;
}

/* The branches that are reported are those of the mechanism. */
static void check_reported_branches(Run *run, bool turns)
{
    HolSummary summary = hol_simulation_summary(run->simulation);
    CHECK_EQUAL_INT((int)summary.branch_changes, turns);
    CHECK_EQUAL_INT((int)summary.energy_jumps, 1);
    REQUIRE(hol_simulation_passage_count(run->simulation) == 1);
    HolPassage passage = hol_simulation_passage(run->simulation, 0);
    CHECK(passage.is_initial && passage.energy_jump && passage.changed_branch == turns && !passage.has_many_branches);
    CHECK_EQUAL_INT(passage.branch_taken, turns);
}

static void wrong_positions_turn_it_into_a_pendulum(void)
{
    static const char *const branches[] = {"continue", "report"};
    for (size_t i = 0; i < 2 * sizeof wrongs / sizeof *wrongs; ++i) {
        const Wrong *wrong = &wrongs[i / 2];
        Run run;
        CHECK_CONTEXT("%s, %s", wrong->settings[0].value, branches[i % 2]);
        REQUIRE(start_wrong(wrong, branches[i % 2], &run));
        CHECK_OK(hol_simulation_run(run.simulation, &(HolRun){.until = 0.1}));
        double x2 = value_of(&run, "P2.x"), x3 = value_of(&run, "P3.x");
        CHECK(wrong->turns ? fabs(x3) < 1e-6 && fabs(x2) > 0.2 : fabs(x3 / x2 - 2) < 0.3);
        check_reported_branches(&run, wrong->turns);
        stop_run(&run);
    }
}

/* As soon as it shows, before s has grown to five times its size: 2 epsilon at the start. */
static void a_start_that_loses_its_way_stops_the_run(void)
{
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; ++i) {
        Run run;
        CHECK_CONTEXT("%s", wrongs[i].settings[0].value);
        REQUIRE(start_wrong(&wrongs[i], "stop", &run));
        CHECK_STATUS(hol_simulation_run(run.simulation, &(HolRun){.until = 0.1}), HOL_SINGULAR);
        CHECK_CONTAINS(hol_simulation_message(run.simulation),
                       "the initial state is next to a singular configuration of 'slide'");
        CHECK(hol_simulation_state(run.simulation)->t > 0.002 && hol_simulation_state(run.simulation)->t < 0.06);
        HolPassage passage = hol_simulation_passage(run.simulation, 0);
        CHECK(passage.is_initial && passage.stopped && passage.changed_branch == wrongs[i].turns);
        stop_run(&run);
    }
}

/* The paper's penalty with eta2 = -0.5 m/s is led across behind its start; that is no other start. */
static void a_recovery_behind_the_start_is_no_start(void)
{
    static const Setting settings[] = {
        {"run.formulation", "{kind: penalty, alpha: 4e7, omega: 10, xi: 1}"},
        {"run.integrator", "{kind: trapezoidal, tolerance: 1e-7, divergence: continue}"},
        {"parameters.eta2", "-0.5 m/s"},
    };
    Run run;
    REQUIRE(start_upright(settings, 3, 1e-3, &run));
    CHECK_OK(hol_simulation_run(run.simulation, &(HolRun){.until = 0.1}));
    CHECK(hol_simulation_summary(run.simulation).recoveries > 0);
    int count = hol_simulation_passage_count(run.simulation);
    CHECK(count > 1 && hol_simulation_passage(run.simulation, 0).is_initial);
    for (int i = 1; i < count; ++i)
        CHECK(!hol_simulation_passage(run.simulation, i).is_initial);
    stop_run(&run);
}

/* ---- Bricard's loop ---- */

typedef struct Loop {
    HolRecorder *recorder;
    double values[400];
    double largest; /* distance of P3 from its curve */
} Loop;

/* P3 = (cos q (1 + sin p), -cos p, -sin q (1 + sin p)) with sin p = -sin q / (1 + sin q), so that q, the
 * angle of rod1, follows from x and z. physics.models compares the motion with reference.csv. */
static HolStatus look(void *user, const HolState *state, const HolMeasures *measures)
{
    Loop *loop = user;
    HolStatus status = hol_recorder_read(loop->recorder, state, measures, loop->values);
    if (status != HOL_OK)
        return status;
    const double *P2 = loop->values + hol_recorder_find(loop->recorder, "P2.x");
    const double *P3 = loop->values + hol_recorder_find(loop->recorder, "P3.x");
    double q = atan2(-P2[2], P2[0]), sine = -sin(q) / (1 + sin(q));
    double at[3] = {cos(q) * (1 + sine), -sqrt(1 - sine * sine), -sin(q) * (1 + sine)};
    for (int i = 0; i < 3; ++i)
        loop->largest = fmax(loop->largest, fabs(P3[i] - at[i]));
    return HOL_OK;
}

static void bricards_loop_follows_its_closed_form(void)
{
    static Loop loop;
    Run run;
    REQUIRE(start_run("bricard", 0, 1e-3, &run));
    loop = (Loop){.recorder = run.recorder};
    REQUIRE(hol_recorder_column_count(run.recorder) <= 400);
    CHECK_OK(hol_simulation_run(run.simulation, &(HolRun){.until = 5, .record = look, .user = &loop}));
    CHECK_NEAR(loop.largest, 0, 1e-6);
    /* 5 s, just beyond one period of 4.9917 s: q = 6.725996e-5 */
    CHECK_NEAR(loop.values[hol_recorder_find(run.recorder, "P3.x")], 0.9999327423021139, 1e-6);
    CHECK_NEAR(loop.values[hol_recorder_find(run.recorder, "P3.z")], -6.725543608708501e-05, 1e-6);
    CHECK_EQUAL_INT((int)hol_simulation_summary(run.simulation).singular_events, 0);
    stop_run(&run);
}

static void bricards_loop_has_one_row_too_many(void)
{
    HolDiagnosis *diagnosis = NULL;
    HolMessage message = {{0}};
    Run run;
    REQUIRE(start_run("bricard", 0, 1e-3, &run));
    if (CHECK_OK(hol_mechanism_diagnose(run.mechanism, NULL, &diagnosis, &message))) {
        CHECK_EQUAL_INT(diagnosis->m, 30);
        CHECK_EQUAL_INT(diagnosis->rank, 29);
        CHECK_EQUAL_INT(diagnosis->dof, 1);
    }
    hol_diagnosis_destroy(diagnosis);
    stop_run(&run);
}

CHECK_MAIN(TEST(no_step_changes_the_branch), TEST(a_slider_crank_can_begin_where_it_is_singular),
           TEST(wrong_positions_turn_it_into_a_pendulum), TEST(a_start_that_loses_its_way_stops_the_run),
           TEST(a_recovery_behind_the_start_is_no_start), TEST(bricards_loop_follows_its_closed_form),
           TEST(bricards_loop_has_one_row_too_many))
