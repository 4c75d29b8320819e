/* SPDX-License-Identifier: BSD-3-Clause */
/* explicit-dae: its orders with both corrections, its invariants, initial states at rest and inconsistent ones,
 * redundant constraints, the energy balance with forces and drivers, and constant work per step. */
#include <holon/holon.h>

#include "check.h"
#include "random.h"
#include "runs.h"
#include "systems/scenes.h"
#include "wrapped.h"

#include <stdlib.h>

typedef struct Setup {
    const char *correction, *energy; /* NULL: the default */
    const char *solver;
    const char *integrator; /* NULL: rk4 */
    double step;
} Setup;

typedef struct Chosen {
    HolSetting settings[3];
    HolSimulationOptions options;
} Chosen;

/* The options point into *chosen. */
static const HolSimulationOptions *choose(Setup setup, Chosen *chosen)
{
    const char *const names[] = {"formulation.correction", "formulation.energy", "formulation.solver"};
    const char *const values[] = {setup.correction, setup.energy, setup.solver};
    int count = 0;
    for (int i = 0; i < 3; i++)
        if (values[i])
            chosen->settings[count++] = (HolSetting){names[i], values[i]};
    chosen->options = run_options("explicit-dae", setup.integrator ? setup.integrator : "rk4", setup.step);
    chosen->options.settings = chosen->settings;
    chosen->options.setting_count = count;
    return &chosen->options;
}

static Result run(const Scene *scene, Setup setup, double length)
{
    Chosen chosen;
    return run_scene(scene, choose(setup, &chosen), length);
}

static Scene *open_scene(const char *name)
{
    Scene *scene = scene_create(name, 0);
    if (!CHECK(scene != NULL))
        exit(EXIT_FAILURE); /* no memory, nothing to test */
    return scene;
}

/* Orders */

/* Errors at h, h/2, h/4 show the order twice. */
static void check_order(const char *name, Setup setup, double order)
{
    Scene *scene = open_scene(name);
    Result reference = run_reference(scene, 0.5);
    double before = 0;
    for (int k = 0; k < 3; k++, setup.step /= 2) {
        CHECK_CONTEXT("%s, %s, energy %s, h = %g", name, setup.correction, setup.energy, setup.step);
        Result result = run(scene, setup, 0.5);
        double error = result_distance(&result, &reference);
        if (k > 0)
            CHECK_NEAR(observed_order(before, error, 2), order, 0.25);
        before = error;
    }
    scene_destroy(scene);
}

static const char *const order_scenes[] = {"pendulum",     "four-bar",        "rolling-disc",
                                           "ball-in-bowl", "rheonomic-crank", "constant-speed"};
enum { ORDER_SCENES = sizeof order_scenes / sizeof *order_scenes };

static void a_correction_of_the_step_keeps_order_four(void)
{
    for (int i = 0; i < ORDER_SCENES; i++)
        check_order(order_scenes[i], (Setup){"step", "off", NULL, "rk4", 5e-3}, 4);
}

/* Stage points lie O(h^2) beside the rows, and the correction takes them for errors. */
static void a_correction_of_the_stages_falls_to_order_two(void)
{
    static const double steps[ORDER_SCENES] = {2.5e-3, 3e-4, 5e-3, 5e-3, 5e-3, 5e-3};
    for (int i = 0; i < ORDER_SCENES; i++)
        check_order(order_scenes[i], (Setup){"stages", "off", NULL, "rk4", steps[i]}, 2);
}

static void a_correction_of_energy_keeps_the_orders(void)
{
    static const char *const moving[] = {"rolling-disc", "ball-in-bowl"};
    check_order("pendulum", (Setup){"step", "smooth", NULL, "rk4", 5e-3}, 4);
    check_order("four-bar", (Setup){"step", "smooth", NULL, "rk4", 5e-3}, 4);
    for (int i = 0; i < 2; i++) {
        check_order(moving[i], (Setup){"step", "smooth", NULL, "rk4", 5e-3}, 4);
        check_order(moving[i], (Setup){"stages", "smooth", NULL, "rk4", 5e-3}, 2);
    }
}

static void methods_of_order_one_have_it_with_either_correction(void)
{
    static const char *const integrators[] = {"euler", "symplectic-euler"}, *const corrections[] = {"step", "stages"};
    for (int i = 0; i < 4; i++) {
        CHECK_CONTEXT("%s", integrators[i / 2]);
        check_order("four-bar", (Setup){corrections[i % 2], "off", NULL, integrators[i / 2], 1e-3}, 1);
        check_order("rolling-disc", (Setup){corrections[i % 2], "off", NULL, integrators[i / 2], 1e-3}, 1);
    }
}

/* The divisor would change from step to step, and the first stage has that of the step before. */
static void stages_need_steps_of_equal_size(void)
{
    Scene *scene = open_scene("four-bar");
    Result refused = run(scene, (Setup){"stages", NULL, NULL, "dopri5", 1e-3}, 0.1);
    CHECK_STATUS(refused.status, HOL_UNSUPPORTED);
    CHECK_CONTAINS(refused.message.text, "'dopri5'");
    CHECK_CONTAINS(refused.message.text, "take correction 'step'");
    CHECK_OK(run(scene, (Setup){"step", NULL, NULL, "dopri5", 1e-3}, 0.1).status);
    CHECK_OK(run(scene, (Setup){"stages", NULL, NULL, "trapezoidal", 1e-3}, 0.1).status);
    scene_destroy(scene);
}

/* Energy */

/* Slow motion cannot carry an error of energy. From rest, and at each turning point, a correction by e / k with k near
 * zero would throw the pendulum off; the paper's threshold of 1e-6 J lets that happen. */
static void a_start_at_rest_stays_accurate(void)
{
    Scene *scene = open_scene("pendulum");
    Result reference = run_reference(scene, 20);
    Result off = run(scene, (Setup){"step", "off", NULL, NULL, 1e-2}, 20),
           smooth = run(scene, (Setup){"step", "smooth", NULL, NULL, 1e-2}, 20),
           stages_off = run(scene, (Setup){"stages", "off", NULL, NULL, 1e-2}, 20),
           stages_smooth = run(scene, (Setup){"stages", "smooth", NULL, NULL, 1e-2}, 20),
           stages_threshold = run(scene, (Setup){"stages", "threshold", NULL, NULL, 1e-2}, 20);
    CHECK(off.summary.max_energy_drift > 1e-6);
    CHECK_NEAR(smooth.summary.max_energy_drift, 0, 1e-8);
    CHECK_NEAR(result_distance(&smooth, &reference), 0, 5e-6);
    CHECK(result_distance(&stages_smooth, &reference) < result_distance(&stages_off, &reference) / 5);
    CHECK(result_distance(&stages_threshold, &reference) > 0.1);
    scene_destroy(scene);
}

/* W holds what the damper takes, so its loss is not corrected away. */
static void work_of_a_damper_stays_lost(void)
{
    Scene *scene = open_scene("damped-pendulum");
    Result reference = run_reference(scene, 1), result = run(scene, (Setup){"step", "smooth", NULL, NULL, 1e-2}, 1),
           stages = run(scene, (Setup){"stages", "smooth", NULL, NULL, 1e-2}, 1);
    CHECK(result.summary.energy_final < result.summary.energy_initial - 0.1);
    CHECK_NEAR(result_distance(&result, &reference), 0, 1e-7);
    CHECK_NEAR(result_distance(&stages, &reference), 0, 1e-4);
    CHECK_NEAR(result.summary.max_energy_drift, 0, 3e-9);
    scene_destroy(scene);
}

static void work_of_a_drive_is_balanced(void)
{
    Scene *scene = open_scene("rheonomic-crank");
    Result reference = run_reference(scene, 0.5), off = run(scene, (Setup){"step", "off", NULL, NULL, 1e-2}, 0.5),
           result = run(scene, (Setup){"step", "smooth", NULL, NULL, 1e-2}, 0.5),
           stages = run(scene, (Setup){"stages", "smooth", NULL, NULL, 1e-2}, 0.5);
    CHECK(fabs(result.summary.energy_final - result.summary.energy_initial) > 1e-2);
    CHECK_NEAR(result_distance(&result, &reference), 0, 1e-7);
    CHECK_NEAR(result_distance(&stages, &reference), 0, 1e-4);
    CHECK(result.summary.max_energy_drift < off.summary.max_energy_drift);
    scene_destroy(scene);
}

static HolStatus record_nothing(void *user, const HolState *s, const HolMeasures *m)
{
    (void)user, (void)s, (void)m;
    return HOL_OK;
}

/* With euler the end of a step needs what is kept from its start, not what a record has left behind. */
static void records_change_nothing(void)
{
    static const char *const integrators[] = {"euler", "rk4"}, *const corrections[] = {"step", "stages"};
    for (int i = 0; i < 4; i++) {
        Chosen chosen;
        const HolSimulationOptions *options =
            choose((Setup){corrections[i / 2], "smooth", NULL, integrators[i % 2], 1e-2}, &chosen);
        HolRun silent = {.until = 0.5}, watched = {.until = 0.5, .every = 3e-3, .record = record_nothing};
        Result a = run_alone("ball-in-bowl", 0, NULL, options, &silent),
               b = run_alone("ball-in-bowl", 0, NULL, options, &watched);
        CHECK_OK(a.status);
        CHECK_NEAR(result_distance(&a, &b), 0, 0);
    }
}

/* Starts that violate the rows */

typedef struct Trace {
    int count;
    double position[64], velocity[64], drift[64];
} Trace;

static HolStatus record_trace(void *user, const HolState *s, const HolMeasures *m)
{
    Trace *trace = user;
    (void)s;
    if (trace->count < 64) {
        trace->position[trace->count] = m->position;
        trace->drift[trace->count] = m->drift;
        trace->velocity[trace->count++] = m->velocity;
    }
    return HOL_OK;
}

/* Where random numbers of the size of q_push and v_push have moved the start of a scene. */
typedef struct Pushed {
    double q[64], v[64];
} Pushed;

static Pushed push(const Scene *scene, double q_push, double v_push)
{
    Pushed pushed;
    const HolPattern *p = hol_system_pattern(scene->system);
    double w[64];
    random_seed(3);
    for (int i = 0; i < p->nv && CHECK(p->nq <= 64); i++) {
        w[i] = q_push * random_number();
        pushed.v[i] = scene->start.v[i] + v_push * random_number();
    }
    hol_system_retract(scene->system, scene->start.q, w, pushed.q);
    return pushed;
}

static Trace run_pushed(const char *name, Setup setup, double q_push, double v_push, double until)
{
    Trace trace = {0};
    Chosen chosen;
    HolSimulationOptions options = *choose(setup, &chosen);
    Scene *scene = open_scene(name);
    Pushed pushed = push(scene, q_push, v_push);
    HolInitialState start = {0, pushed.q, pushed.v};
    HolRun request = {.until = until, .record = record_trace, .user = &trace};
    options.keep_start = true;
    CHECK_OK(run_system(scene->system, &start, &options, &request).status);
    scene_destroy(scene);
    return trace;
}

static const char *const pushed_scenes[] = {"four-bar", "rolling-disc", "ball-in-bowl", "rheonomic-crank"};

/* Each step is a Newton step. */
static void a_violated_start_is_met_after_a_few_steps(void)
{
    for (int i = 0; i < 4; i++) {
        CHECK_CONTEXT("%s", pushed_scenes[i]);
        Trace t = run_pushed(pushed_scenes[i], (Setup){"step", "off", NULL, NULL, 1e-3}, 1e-2, 1e-2, 0.05);
        CHECK(t.position[0] > 1e-4 && t.velocity[0] > 1e-4);
        CHECK(t.position[1] < 2 * t.position[0] * t.position[0] + 1e-4 * t.position[0]);
        CHECK_NEAR(t.position[4], 0, 1e-13);
        CHECK_NEAR(t.velocity[4], 0, 1e-12);
        CHECK_NEAR(t.position[50], 0, 1e-13);
    }
}

/* Phi' = -Phi / h: rk4 multiplies by 1 - 1 + 1/2 - 1/6 + 1/24 in a step, euler by 0. */
static void a_violated_start_decays_with_corrections_of_stages(void)
{
    for (int i = 0; i < 4; i++) {
        CHECK_CONTEXT("%s", pushed_scenes[i]);
        Trace t = run_pushed(pushed_scenes[i], (Setup){"stages", "off", NULL, "rk4", 1e-4}, 1e-4, 1e-4, 5e-3);
        CHECK_NEAR(t.position[1] / t.position[0], 0.375, 0.01);
        CHECK_NEAR(t.position[2] / t.position[1], 0.375, 0.01);
        CHECK(t.position[30] < 1e-3 * t.position[0] && t.velocity[30] < 1e-2 * t.velocity[0]);
        t = run_pushed(pushed_scenes[i], (Setup){"stages", "off", NULL, "rk4", 1e-4}, 0, 1e-2, 5e-3);
        CHECK_NEAR(t.velocity[1] / t.velocity[0], 0.375, 0.01); /* positions move it too, while they are violated */
        CHECK_NEAR(t.velocity[2] / t.velocity[1], 0.375, 0.01);
        t = run_pushed(pushed_scenes[i], (Setup){"stages", "off", NULL, "euler", 1e-4}, 1e-4, 1e-4, 5e-3);
        CHECK(t.position[1] < 1e-2 * t.position[0]);
    }
}

/* Nor do positions follow velocities that would lead them off. */
static void velocities_that_violate_rows_do_not_move_positions_off(void)
{
    for (int i = 0; i < 4; i++) {
        const double h = 1e-6; /* small beside the curvature of the rows */
        CHECK_CONTEXT("%s", pushed_scenes[i]);
        Trace t = run_pushed(pushed_scenes[i], (Setup){"stages", "off", NULL, "euler", h}, 0, 1e-2, 10 * h);
        CHECK(t.velocity[0] > 1e-3);
        CHECK(t.position[1] < 0.05 * h * t.velocity[0]);
    }
}

/* While velocities are pulled onto the rows, by x = P(0, -r), the constraint forces take -r^T S r in power times h, and
 * the correction puts that back along the free motion. What is left of the first step, x^T M x / 2, is of second order
 * in x and positive; if nothing were put back, it would be negative. */
static void the_power_of_violated_rows_is_put_back(void)
{
    static const char *const names[] = {"rolling-disc", "ball-in-bowl"};
    for (int i = 0; i < 2; i++) {
        const double h = 1e-6;
        CHECK_CONTEXT("%s", names[i]);
        Trace t = run_pushed(names[i], (Setup){"stages", "threshold", NULL, "euler", h}, 0, 1e-2, 10 * h);
        CHECK(t.drift[1] > 1e-7 && t.drift[1] < 1e-2);
        CHECK(fabs(t.drift[3]) < 1e-3 * t.drift[1]);
    }
}

/* Redundant rows */

typedef struct Place {
    const char *quantity;
    double value;
} Place;

/* A built-in model with h = 1e-3 at t = 1, where it should be. */
static void check_model(const char *name, const char *correction, const Place *places, int count)
{
    HolModel *model = hol_model_create();
    HolMechanism *mechanism = NULL;
    HolSimulation *simulation = NULL;
    HolRecorder *recorder = NULL;
    HolRun request = {.until = 1};
    double values[512];
    CHECK_CONTEXT("%s, %s", name, correction);
    REQUIRE_OK(hol_model_load(model, name));
    CHECK_OK(hol_model_set(model, "run.formulation", "{kind: explicit-dae, correction: %s}", correction));
    REQUIRE_OK(hol_mechanism_create(model, &mechanism));
    REQUIRE_OK(hol_mechanism_assemble(mechanism, NULL));
    HolSimulationOptions options = hol_mechanism_options(mechanism);
    HolInitialState start = hol_mechanism_initial_state(mechanism);
    REQUIRE_OK(hol_simulation_create(hol_mechanism_system(mechanism), &start, &options, &simulation, NULL));
    REQUIRE_OK(hol_recorder_create(mechanism, (const char *[]){"all"}, 1, &recorder, NULL));
    REQUIRE(hol_recorder_column_count(recorder) <= 512);
    CHECK_OK(hol_simulation_run(simulation, &request));
    HolMeasures measures = hol_simulation_measures(simulation);
    CHECK_OK(hol_recorder_read(recorder, hol_simulation_state(simulation), &measures, values));
    for (int i = 0; i < count; i++)
        CHECK_NEAR(values[hol_recorder_find(recorder, places[i].quantity)], places[i].value, 1e-5);
    hol_recorder_destroy(recorder);
    hol_simulation_destroy(simulation);
    hol_mechanism_destroy(mechanism);
    hol_model_destroy(model);
}

static void models_are_where_they_should_be(void)
{
    /* minimal coordinates in extended precision, and the closed form of a loop with one row too many */
    static const Place five[] = {
        {"bar5.x", -0.36257007470898246}, {"bar5.y", -0.34583874192101447}, {"bar5.z", -3.0188195843636573}};
    static const Place bricard[] = {
        {"P3.x", 0.274481319264623}, {"P3.y", -0.886707938734672}, {"P3.z", -0.462330002687376}};
    check_model("five-bar-pendulum", "step", five, 3);
    check_model("bricard", "step", bricard, 3);
    check_model("bricard", "stages", bricard, 3);
}

static void dense_and_block_agree(void)
{
    static const char *const names[] = {"four-bar", "ball-in-bowl", "rolling-disc", "rheonomic-crank"};
    for (int i = 0; i < 8; i++) {
        Scene *scene = open_scene(names[i / 2]);
        const char *correction = i % 2 ? "stages" : "step";
        CHECK_CONTEXT("%s, %s", names[i / 2], correction);
        Result block = run(scene, (Setup){correction, "smooth", "block", NULL, 1e-2}, 0.2),
               dense = run(scene, (Setup){correction, "smooth", "dense", NULL, 1e-2}, 0.2);
        double distance = result_distance(&block, &dense);
        CHECK(distance > 0); /* by rounding: they are not the same solver */
        CHECK_NEAR(distance, 0, 1e-12);
        scene_destroy(scene);
    }
}

static void the_block_solver_refuses_dependent_rows(void)
{
    Chosen chosen;
    HolModel *model = hol_model_create();
    HolMechanism *mechanism = NULL;
    HolSimulation *simulation = NULL;
    HolMessage message = {""};
    REQUIRE_OK(hol_model_load(model, "bricard"));
    REQUIRE_OK(hol_mechanism_create(model, &mechanism));
    HolInitialState start = hol_mechanism_initial_state(mechanism);
    const HolSimulationOptions *options = choose((Setup){.solver = "block", .step = 1e-3}, &chosen);
    CHECK_STATUS(hol_simulation_create(hol_mechanism_system(mechanism), &start, options, &simulation, &message),
                 HOL_UNSUPPORTED);
    CHECK_STRING(message.text,
                 "'explicit-dae': solver 'block' requires independent constraint equations, but 1 of 30 are redundant; "
                 "leave the choice to 'automatic'");
    hol_mechanism_destroy(mechanism);
    hol_model_destroy(model);
}

/* The same work in every step */

/* What a system is asked, term by term. */
typedef struct Counting {
    Wrapped wrapped;
    long *asked; /* 7 terms, then calls */
} Counting;

static HolStatus count_evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const Counting *counting = self;
    for (int bit = 0; bit < 7; bit++)
        counting->asked[bit] += want >> bit & 1;
    ++counting->asked[7];
    return wrapped_evaluate(self, at, want, terms);
}

static void check_step_work(HolSimulation *simulation, long *asked)
{
    enum { STEPS = 200 };
    HolStepReport first = {0}, report;
    long first_asked[8], met = 0, searches = 0;
    for (int step = 0; step < STEPS; step++) {
        memset(asked, 0, 8 * sizeof *asked);
        CHECK_OK(hol_simulation_step(simulation, &report));
        if (step == 0) {
            first = report;
            memcpy(first_asked, asked, sizeof first_asked);
        }
        long events = hol_simulation_summary(simulation).singular_events;
        if (events == met) /* and so does looking at one that has been passed, */
            searches += memcmp(asked, first_asked, sizeof first_asked) != 0;
        met = events;
        CHECK_EQUAL_INT(report.evaluations, first.evaluations);
        CHECK_EQUAL_INT(report.iterations, 0);
        CHECK_EQUAL_INT(report.position_iterations, first.position_iterations);
        CHECK(report.max_position_iterations <= 1);
        CHECK_EQUAL_INT(report.rank, first.rank);
    }
    CHECK(searches <= 1); /* or searching one that may lie ahead */
    CHECK_EQUAL_INT(first.evaluations, 4);
}

static void check_work(const Scene *scene, Setup setup)
{
    static const HolSystemOps ops = {.evaluate = count_evaluate, .qdot = wrapped_qdot, .retract = wrapped_retract};
    long asked[8];
    Counting counting = {.asked = asked};
    Chosen chosen;
    HolSystem *system = NULL;
    HolSimulation *simulation = NULL;
    HolSimulationOptions options = *choose(setup, &chosen);
    Pushed pushed = push(scene, 1e-3, 1e-3);
    HolInitialState start = {0, pushed.q, pushed.v};
    CHECK_CONTEXT("%s, %s, energy %s, %s", hol_system_name(scene->system), setup.correction, setup.energy,
                  setup.solver);
    options.keep_start = true;
    options.branch = HOL_BRANCH_REPORT; /* leading a step across a singular configuration takes more work, */
    REQUIRE_OK(wrapped_open(scene->system, &counting.wrapped));
    REQUIRE_OK(wrapped_create(&counting.wrapped, &ops, &system));
    REQUIRE_OK(hol_simulation_create(system, &start, &options, &simulation, NULL));
    check_step_work(simulation, asked);
    hol_simulation_destroy(simulation);
    hol_system_destroy(system);
    wrapped_close(&counting.wrapped);
}

/* From a start that violates the rows, so that the first steps have more to correct than the later ones: a method that
 * iterates until it is content would take more there. */
static void every_step_takes_the_same_work(void)
{
    static const char *const corrections[] = {"step", "stages"}, *const energies[] = {"off", "smooth", "threshold"},
                             *const solvers[] = {"automatic", "dense"};
    for (int k = 0; k < scene_kind_count; k++) {
        Scene *scene = scene_create(scene_kinds[k]->name, 2);
        REQUIRE(scene != NULL);
        for (int i = 0; i < 12; i++)
            check_work(scene, (Setup){corrections[i % 2], energies[i % 6 / 2], solvers[i / 6], NULL, 2e-3});
        scene_destroy(scene);
    }
}

CHECK_MAIN(TEST(a_correction_of_the_step_keeps_order_four), TEST(a_correction_of_the_stages_falls_to_order_two),
           TEST(a_correction_of_energy_keeps_the_orders), TEST(methods_of_order_one_have_it_with_either_correction),
           TEST(stages_need_steps_of_equal_size), TEST(a_start_at_rest_stays_accurate),
           TEST(work_of_a_damper_stays_lost), TEST(work_of_a_drive_is_balanced), TEST(records_change_nothing),
           TEST(a_violated_start_is_met_after_a_few_steps), TEST(a_violated_start_decays_with_corrections_of_stages),
           TEST(velocities_that_violate_rows_do_not_move_positions_off), TEST(the_power_of_violated_rows_is_put_back),
           TEST(models_are_where_they_should_be), TEST(dense_and_block_agree),
           TEST(the_block_solver_refuses_dependent_rows), TEST(every_step_takes_the_same_work))
