/* SPDX-License-Identifier: BSD-3-Clause */
/* Saved simulations that cannot be restored: damaged, too short, of another system or with other options. They are refused with a sentence and change nothing. */
#include <holon/holon.h>

#include "check.h"
#include "runs.h"
#include "saved.h"

enum { HEADER = 64 }; /* bytes */

typedef struct Saved {
    Scene *scene;
    HolSimulationOptions options;
    HolSimulation *simulation;
    unsigned char *memory, *now; /* saved earlier, and as it is now */
    size_t size;
} Saved;

static bool saved_open(Saved *saved, const char *scene, const char *formulation, const char *integrator)
{
    *saved = (Saved){.scene = scene_create(scene, 0), .options = run_options(formulation, integrator, 1e-3)};
    if (!CHECK(saved->scene != NULL) || !CHECK_OK(hol_simulation_create(saved->scene->system, &saved->scene->start,
                                                                        &saved->options, &saved->simulation, NULL)))
        return false;
    saved->size = hol_simulation_save_size(saved->simulation);
    saved->memory = malloc(saved->size);
    saved->now = malloc(saved->size);
    CHECK_OK(hol_simulation_run(saved->simulation, &(HolRun){.until = 0.02, .every = 0.003}));
    CHECK_OK(hol_simulation_save(saved->simulation, saved->memory, saved->size));
    CHECK_OK(hol_simulation_run(saved->simulation, &(HolRun){.until = 0.03}));
    return CHECK_OK(hol_simulation_save(saved->simulation, saved->now, saved->size));
}

static void saved_close(Saved *saved)
{
    hol_simulation_destroy(saved->simulation);
    scene_destroy(saved->scene);
    free(saved->memory);
    free(saved->now);
}

/* Restoring is refused for this reason, and the simulation is as it was. */
static void check_refused(const Saved *saved, const void *memory, size_t size, const char *reason)
{
    unsigned char *after = malloc(saved->size);
    CHECK_STATUS(hol_simulation_restore(saved->simulation, memory, size), HOL_BAD_INPUT);
    CHECK_CONTAINS(hol_simulation_message(saved->simulation), reason);
    CHECK_OK(hol_simulation_save(saved->simulation, after, saved->size));
    CHECK(memcmp(after, saved->now, saved->size) == 0);
    free(after);
}

static void every_damaged_byte_is_noticed(void)
{
    Saved saved;
    REQUIRE(saved_open(&saved, "pendulum", "direct-correction", "rk4"));
    for (size_t i = 0; i < saved.size; i++) {
        CHECK_CONTEXT("byte %zu", i);
        saved.memory[i] ^= (unsigned char)(1u << i % 8);
        check_refused(&saved, saved.memory, saved.size, "cannot be restored");
        saved.memory[i] ^= (unsigned char)(1u << i % 8);
    }
    CHECK_OK(hol_simulation_restore(saved.simulation, saved.memory, saved.size));
    saved_close(&saved);
}

static void every_shorter_piece_is_noticed(void)
{
    Saved saved;
    REQUIRE(saved_open(&saved, "pendulum", "lagrange", "dopri5"));
    for (size_t size = 0; size < saved.size; size++) {
        unsigned char *piece = malloc(size > 0 ? size : 1); /* so that reading behind it is seen */
        memcpy(piece, saved.memory, size);
        check_refused(&saved, piece, size, size < HEADER ? "no saved simulation" : "ends before");
        free(piece);
    }
    check_refused(&saved, NULL, saved.size, "no saved simulation");
    saved_close(&saved);
}

static void foreign_ones_are_refused(void)
{
    Saved saved, other;
    REQUIRE(saved_open(&saved, "four-bar", "direct-correction", "rk4"));
    REQUIRE(saved_open(&other, "slider-crank", "direct-correction", "rk4"));
    check_refused(&saved, other.memory, other.size, "another system");
    saved_close(&other);
    REQUIRE(saved_open(&other, "four-bar", "direct-correction", "dopri5"));
    check_refused(&saved, other.memory, other.size, "another formulation, integrator");
    saved_close(&other);
    REQUIRE(saved_open(&other, "four-bar", "lagrange", "rk4"));
    check_refused(&saved, other.memory, other.size, "another formulation, integrator");
    saved_close(&other);
    memset(saved.memory, 'x', saved.size);
    check_refused(&saved, saved.memory, saved.size, "no saved simulation");
    saved_close(&saved);
}

/* A mass that rests on a spring until the force pulls it, of a model in which a path has a value; NULL: as written. */
static HolMechanism *spring_create(const char *path, const char *value, HolSimulation **simulation)
{
    static const char text[] = "plane: xy\nparameters: {k: 100}\ntables: {pull: {points: [[0, 0], [1, 1]]}}\n"
                               "bodies: {a: {rigid: [1, 0], mass: 1, inertia: 1}}\n"
                               "joints: {s: {prismatic: [ground, a], at: [0, 0], axis: x}}\n"
                               "forces: {k: {spring: [ground, a], from: [0, 0], to: [1, 0], stiffness: k},\n"
                               "         f: {force: a, at: [1, 0], vector: [pull(t), 0]}}\nrun: {until: 1}\n";
    HolMechanism *mechanism = NULL;
    HolModel *model = hol_model_create();
    CHECK_OK(hol_model_parse(model, text, "spring.yaml"));
    if (path)
        CHECK_OK(hol_model_set(model, path, "%s", value));
    if (!CHECK_OK(hol_mechanism_create(model, &mechanism)))
        printf("    %s\n", hol_model_error(model, 0));
    hol_model_destroy(model);
    CHECK_OK(hol_mechanism_assemble(mechanism, NULL));
    HolInitialState start = hol_mechanism_initial_state(mechanism);
    HolSimulationOptions options = hol_simulation_options();
    CHECK_OK(hol_simulation_create(hol_mechanism_system(mechanism), &start, &options, simulation, NULL));
    return mechanism;
}

/* Numbers that make no difference at the initial state, and what belongs to a run or is for the eye. */
static void a_model_with_other_numbers_is_another_system(void)
{
    static const struct {
        const char *path, *value;
        bool is_other;
    } cases[] = {{NULL, NULL, false},
                 {"parameters.k", "200", true},
                 {"tables.pull.points", "[[0, 0], [1, 2]]", true},
                 {"forces.k.damping", "3", true},
                 {"run.until", "2", false},
                 {"title", "'Another title'", false}};
    HolSimulation *first = NULL, *second = NULL;
    HolMechanism *mechanism = spring_create(NULL, NULL, &first);
    REQUIRE(first != NULL);
    size_t size = hol_simulation_save_size(first);
    unsigned char *memory = malloc(size);
    CHECK_OK(hol_simulation_run(first, &(HolRun){.until = 0.1}));
    CHECK_OK(hol_simulation_save(first, memory, size));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        CHECK_CONTEXT("%s", cases[i].path ? cases[i].path : "as written");
        HolMechanism *other = spring_create(cases[i].path, cases[i].value, &second);
        REQUIRE(second != NULL);
        CHECK_STATUS(hol_simulation_restore(second, memory, size), cases[i].is_other ? HOL_BAD_INPUT : HOL_OK);
        if (cases[i].is_other)
            CHECK_CONTAINS(hol_simulation_message(second), "other numbers");
        hol_simulation_destroy(second);
        hol_mechanism_destroy(other);
    }
    free(memory);
    hol_simulation_destroy(first);
    hol_mechanism_destroy(mechanism);
}

/* A simulation of the scene of `saved`, with one thing changed, is refused what that one has saved. */
static void check_other(const Saved *saved, const HolSimulationOptions *options, const HolInitialState *start,
                        const char *reason)
{
    HolSimulation *other = NULL;
    REQUIRE_OK(hol_simulation_create(saved->scene->system, start, options, &other, NULL));
    CHECK_STATUS(hol_simulation_restore(other, saved->memory, saved->size), HOL_BAD_INPUT);
    CHECK_CONTAINS(hol_simulation_message(other), reason);
    CHECK(hol_simulation_state(other)->t == start->t);
    CHECK_OK(hol_simulation_step(other, NULL));
    hol_simulation_destroy(other);
}

static void other_options_are_refused(void)
{
    static const HolSetting tolerance = {"formulation.tolerance", "1e-11"};
    Saved saved;
    REQUIRE(saved_open(&saved, "four-bar", "direct-correction", "rk4"));
    const HolInitialState *start = &saved.scene->start;
    HolSimulationOptions options = saved.options;
    options.step = 2e-3;
    check_other(&saved, &options, start, "step");
    options = saved.options;
    options.branch = HOL_BRANCH_STOP;
    check_other(&saved, &options, start, "option");
    options = saved.options;
    options.settings = &tolerance;
    options.setting_count = 1;
    check_other(&saved, &options, start, "option");
    HolInitialState later = *start;
    later.t += 1;
    check_other(&saved, &saved.options, &later, "initial state");
    saved_close(&saved);
}

static HolStatus save_in_record(void *user, const HolState *state, const HolMeasures *measures)
{
    Saved *saved = user;
    (void)state, (void)measures;
    CHECK_STATUS(hol_simulation_save(saved->simulation, saved->now, saved->size), HOL_BAD_INPUT);
    CHECK_CONTAINS(hol_simulation_message(saved->simulation), "progress");
    return HOL_OK;
}

static HolStatus restore_in_progress(void *user, double t)
{
    Saved *saved = user;
    (void)t;
    CHECK_STATUS(hol_simulation_restore(saved->simulation, saved->memory, saved->size), HOL_BAD_INPUT);
    CHECK_CONTAINS(hol_simulation_message(saved->simulation), "running");
    return HOL_OK;
}

static void wrong_moments_are_refused(void)
{
    Saved saved;
    REQUIRE(saved_open(&saved, "four-bar", "direct-correction", "rk4"));
    HolRun run = {.until = 0.033, .record = save_in_record, .progress = restore_in_progress, .user = &saved};
    CHECK_OK(hol_simulation_run(saved.simulation, &run));
    CHECK_STATUS(hol_simulation_save(saved.simulation, saved.now, saved.size - 1), HOL_BAD_INPUT);
    CHECK_CONTAINS(hol_simulation_message(saved.simulation), "bytes");
    CHECK_STATUS(hol_simulation_save(saved.simulation, NULL, saved.size), HOL_BAD_INPUT);
    CHECK_STATUS(hol_simulation_save(NULL, saved.now, saved.size), HOL_BAD_INPUT);
    CHECK_STATUS(hol_simulation_restore(NULL, saved.memory, saved.size), HOL_BAD_INPUT);
    CHECK_EQUAL_INT(hol_simulation_save_size(NULL), 0);
    saved_close(&saved);
}

static void wrong_ways_to_resume_are_refused(void)
{
    Saved saved;
    REQUIRE(saved_open(&saved, "four-bar", "direct-correction", "rk4"));
    HolSimulation *fresh = NULL;
    REQUIRE_OK(hol_simulation_create(saved.scene->system, &saved.scene->start, &saved.options, &fresh, NULL));
    CHECK_STATUS(hol_simulation_run(fresh, &(HolRun){.until = 0.1, .resume = true}), HOL_BAD_INPUT);
    CHECK_CONTAINS(hol_simulation_message(fresh), "no run to resume");
    REQUIRE_OK(hol_simulation_restore(fresh, saved.memory, saved.size));
    CHECK_STATUS(hol_simulation_run(fresh, &(HolRun){.until = 0.1, .every = 0.002, .resume = true}), HOL_BAD_INPUT);
    CHECK_CONTAINS(hol_simulation_message(fresh), "every = 0.002");
    CHECK_OK(hol_simulation_run(fresh, &(HolRun){.until = 0.1, .every = 0.003, .resume = true}));
    hol_simulation_destroy(fresh);
    saved_close(&saved);
}

CHECK_MAIN(TEST(every_damaged_byte_is_noticed), TEST(every_shorter_piece_is_noticed), TEST(foreign_ones_are_refused),
           TEST(a_model_with_other_numbers_is_another_system), TEST(other_options_are_refused),
           TEST(wrong_moments_are_refused), TEST(wrong_ways_to_resume_are_refused))
