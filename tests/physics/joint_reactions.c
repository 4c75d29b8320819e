/* SPDX-License-Identifier: BSD-3-Clause */
/* Joint reactions against elementary statics, the same by every formulation and in both kinds of coordinates. */
#include <holon/mechanism.h>

#include "check.h"

typedef struct Change {
    const char *path, *text;
} Change;

/* A model at a state of its run. */
typedef struct Scene {
    HolModel *model;
    HolMechanism *mechanism;
    HolSimulation *simulation;
    HolRecorder *recorder;
    double values[200];
} Scene;

static bool create(Scene *s, const char *text, const Change *changes)
{
    HolMessage message = {{0}};
    *s = (Scene){.model = hol_model_create()};
    CHECK_OK(hol_model_parse(s->model, text, "test"));
    for (; changes && changes->path; changes++)
        CHECK_OK(hol_model_set(s->model, changes->path, "%s", changes->text));
    HolStatus status = hol_mechanism_create(s->model, &s->mechanism);
    for (int i = 0; i < hol_model_error_count(s->model); ++i)
        printf("    %s\n", hol_model_error(s->model, i));
    return CHECK_OK(status) && CHECK_OK(hol_mechanism_assemble(s->mechanism, &message)) &&
           CHECK_OK(hol_recorder_create(s->mechanism, NULL, 0, &s->recorder, &message)) &&
           CHECK(hol_recorder_column_count(s->recorder) <= 200);
}

static bool run(Scene *s, const HolSimulationOptions *options, double until)
{
    HolMessage message = {{0}};
    HolInitialState start = hol_mechanism_initial_state(s->mechanism);
    if (!CHECK_OK(
            hol_simulation_create(hol_mechanism_system(s->mechanism), &start, options, &s->simulation, &message)) ||
        !CHECK_OK(hol_simulation_run(s->simulation, &(HolRun){.until = until})))
        return false;
    HolMeasures measures = hol_simulation_measures(s->simulation);
    return CHECK_OK(hol_recorder_read(s->recorder, hol_simulation_state(s->simulation), &measures, s->values));
}

static bool open_scene(Scene *s, const char *text, const Change *changes, double until)
{
    if (!create(s, text, changes))
        return false;
    HolSimulationOptions options = hol_mechanism_options(s->mechanism);
    return run(s, &options, until);
}

static void close_scene(Scene *s)
{
    hol_recorder_destroy(s->recorder);
    hol_simulation_destroy(s->simulation);
    hol_mechanism_destroy(s->mechanism);
    hol_model_destroy(s->model);
}

static double value(const Scene *s, const char *column)
{
    int index = hol_recorder_find(s->recorder, column);
    return CHECK(index >= 0) ? s->values[index] : NAN;
}

static const char *const coordinates[] = {"reference-point", "natural"};

/* ---- Formulations that share by a rule of their own ---- */

static const char *const sharing[] = {"generalized-inverse",
                                      "elimination",
                                      "penalty",
                                      "augmented-lagrangian",
                                      "augmented-lagrangian-projected",
                                      "index3-augmented-lagrangian",
                                      "direct-correction",
                                      NULL};

/* A column, what it is, and what it is by elimination. */
typedef struct Load {
    const char *column;
    double expected, eliminated;
} Load;

static void check_shared(const char *text, const Load *loads, int count, double tolerance)
{
    for (int f = 0; sharing[f]; f++)
        for (int c = 0; c < 2; c++) {
            Scene s;
            CHECK_CONTEXT("%s, %s", sharing[f], coordinates[c]);
            const Change changes[] = {{"run.formulation", sharing[f]}, {"run.coordinates", coordinates[c]}, {0}};
            bool eliminates = strcmp(sharing[f], "elimination") == 0;
            if (open_scene(&s, text, changes, 0.01))
                for (int i = 0; i < count; i++)
                    CHECK_NEAR(value(&s, loads[i].column), eliminates ? loads[i].eliminated : loads[i].expected,
                               tolerance);
            close_scene(&s);
        }
}

/* The first hinge holds 70 N of the weight, the second 30 N; against 100 N along the beam nothing is known of them. */
static const char *const beam = "plane: xy\n"
                                "gravity: [0, -10]\n"
                                "points: {A: [0, 0], B: [1, 0], P: [0.3, 0]}\n"
                                "bodies: {b: {rigid: P, mass: 10, inertia: 1}}\n"
                                "joints:\n"
                                "  a: {revolute: [ground, b], at: A}\n"
                                "  c: {revolute: [ground, b], at: B}\n"
                                "forces: {f: {force: b, vector: [100, 0]}}\n"
                                "run: {step: 1 ms, record: [reactions]}\n";

static void bodies_have_no_part_in_what_joints_share(void)
{
    static const Load loads[] = {{"a.fx", -50, -100}, {"c.fx", -50, 0}, {"a.fy", 70, 70}, {"c.fy", 30, 30}};
    check_shared(beam, loads, 4, 1e-3);
}

/* 200 N hang on two hinges as 1 to 3. */
static const char *const door = "gravity: [0, 0, -10]\n"
                                "bodies: {door: {box: [1, 0.05, 2], mass: 20, at: [0.5, 0, 1]}}\n"
                                "joints:\n"
                                "  low: {revolute: [ground, door], at: [0, 0, 0.3], axis: z, stiffness: 1e6,"
                                " turning_stiffness: 1e6}\n"
                                "  high: {revolute: [ground, door], at: [0, 0, 1.7], axis: z, stiffness: 3e6,"
                                " turning_stiffness: 1e6}\n"
                                "run: {step: 1 ms, record: [reactions]}\n";

/* A shaft along x on two ball bearings that yield as 3 to 1, pushed along itself. */
static const char *const shaft = "gravity: [0, 0, 0]\n"
                                 "bodies: {shaft: {box: [2, 0.1, 0.1], mass: 2, at: [0, 0, 0]}}\n"
                                 "joints:\n"
                                 "  a: {spherical: [ground, shaft], at: [-1, 0, 0], stiffness: 1e6}\n"
                                 "  b: {spherical: [ground, shaft], at: [1, 0, 0], stiffness: 3e6}\n"
                                 "forces: {f: {force: shaft, vector: [100, 0, 0]}}\n"
                                 "run: {step: 1 ms, record: [reactions]}\n";

static void stiffness_is_shared_alike_by_all(void)
{
    static const Load on_door[] = {{"low.fz", 50, 50}, {"high.fz", 150, 150}};
    static const Load on_shaft[] = {{"a.fx", -25, -25}, {"b.fx", -75, -75}};
    check_shared(door, on_door, 2, 1e-3);
    check_shared(shaft, on_shaft, 2, 1e-3);
}

/* 100 N push the shaft; the formulation is another one than that of the model. */
static void another_formulation_is_reported_as_its_own(void)
{
    Scene s;
    if (create(&s, shaft, (Change[]){{"run.formulation", "index3-augmented-lagrangian"}, {0}})) {
        HolSimulationOptions options = hol_mechanism_options(s.mechanism);
        CHECK_STRING(hol_mechanism_reaction_rule(s.mechanism), "as-computed");
        CHECK(hol_mechanism_formulation_shares(s.mechanism));
        hol_mechanism_choose_formulation(s.mechanism, "elimination", &options);
        options.integrator = "rk4";
        if (run(&s, &options, 0.01)) {
            CHECK_NEAR(value(&s, "a.fx"), -25, 1e-9);
            CHECK_NEAR(value(&s, "b.fx"), -75, 1e-9);
        }
    }
    close_scene(&s);
}

/* Stiffness changes no motion, whatever its ratios, and they are kept. Hinges
 * that hardly resist turning hold the moment of 100 N m by forces, 1.4 m from each other. */
static void hinges_may_be_soft_by_far(void)
{
    for (int c = 0; c < 2; c++) {
        Scene s;
        CHECK_CONTEXT("%s", coordinates[c]);
        const Change method = {"run.formulation", "index3-augmented-lagrangian"};
        const Change kind = {"run.coordinates", coordinates[c]};
        if (open_scene(&s, door,
                       (Change[]){method,
                                  kind,
                                  {"joints.low.stiffness", "2e8"},
                                  {"joints.high.stiffness", "6e8"},
                                  {"joints.low.turning_stiffness", "1e2"},
                                  {"joints.high.turning_stiffness", "1e2"},
                                  {0}},
                       0.1)) {
            CHECK_NEAR(value(&s, "low.fz"), 50, 1e-6);
            CHECK_NEAR(value(&s, "high.fz"), 150, 1e-6);
            CHECK_NEAR(value(&s, "low.fx"), 100 / 1.4, 1e-3);
        }
        close_scene(&s);
        if (open_scene(&s, shaft,
                       (Change[]){method, kind, {"joints.a.stiffness", "1e5"}, {"joints.b.stiffness", "1e12"}, {0}},
                       0.1))
            CHECK_NEAR(value(&s, "a.fx"), -1e-5, 1e-9);
        close_scene(&s);
    }
}

static void without_stiffness_the_minimum_norm_solution_is_shown(void)
{
    Scene s;
    if (open_scene(&s, beam, (Change[]){{"run.reactions", "stiffness"}, {0}}, 0.01)) {
        CHECK_STRING(hol_mechanism_reaction_rule(s.mechanism), "minimum-norm");
        CHECK(!hol_mechanism_formulation_shares(s.mechanism));
        CHECK_NEAR(value(&s, "a.fx"), -50, 1e-9);
    }
    close_scene(&s);
}

/* ---- Joints that have come apart a little ---- */

static const char *const cranks =
    "plane: xy\n"
    "gravity: [0, -10]\n"
    "points: {A1: [0, 0], A2: [1, 0], A3: [2, 0], B1: [0.6, 0.8], B2: [1.6, 0.8], B3: [2.6, 0.8]}\n"
    "bodies:\n"
    "  c1: {bar: [A1, B1], mass: 1}\n"
    "  c2: {bar: [A2, B2], mass: 1}\n"
    "  c3: {bar: [A3, B3], mass: 1}\n"
    "  coupler: {bar: [B1, B3], mass: 2}\n"
    "joints:\n"
    "  a1: {revolute: [ground, c1], at: A1, stiffness: 1e6}\n"
    "  a2: {revolute: [ground, c2], at: A2, stiffness: 2e6}\n"
    "  a3: {revolute: [ground, c3], at: A3, stiffness: 3e6}\n"
    "  b1: {revolute: [c1, coupler], at: B1, stiffness: 1e6}\n"
    "  b2: {revolute: [c2, coupler], at: B2, stiffness: 2e6}\n"
    "  b3: {revolute: [c3, coupler], at: B3, stiffness: 3e6}\n"
    "start: {coupler: {velocity: [-2, free]}}\n"
    "run: {step: 1 ms, record: [a1.reaction, a2.reaction, a3.reaction]}\n";

/* Without correction the cranks drift by 1e-7 m, and their rows are no longer redundant to rounding. By symmetry the
 * outer ones carry alike; the values are those of formulations without drift. */
static void drift_does_not_change_what_is_shared(void)
{
    static const char *const formulations[] = {"direct-correction", "baumgarte", "lagrange", "elimination"};
    for (int f = 0; f < 4; f++) {
        Scene s;
        CHECK_CONTEXT("%s", formulations[f]);
        if (open_scene(&s, cranks, (Change[]){{"run.formulation", formulations[f]}, {0}}, 2)) {
            CHECK_NEAR(value(&s, "a1.fy"), 12.41855, 1e-4);
            CHECK_NEAR(value(&s, "a2.fy"), 15.11203, 1e-4);
            CHECK_NEAR(value(&s, "a3.fy"), 12.41855, 1e-4);
            CHECK(hol_recorder_unresolved_since(s.recorder) > 2);
        }
        close_scene(&s);
    }
}

/* ---- Rods with mass ---- */

/* 1 kg hangs below a vertical rod of 4 kg: 10 N, and 50 N where the rod hangs. The other way round it is the ground
 * that is pulled. */
static const char *const hanging = "plane: xy\n"
                                   "gravity: [0, -10]\n"
                                   "points: {O: [0, 0], P: [0, -1]}\n"
                                   "bodies: {bob: {particle: P, mass: 1}}\n"
                                   "joints: {r: {rod: [ground, bob], from: O, to: P, mass: 4}}\n"
                                   "run: {coordinates: natural, step: 1 ms, record: [all, r.local]}\n";

/* Swinging about O from the horizontal, with a particle without mass at its free end, which takes no force: at theta
 * below the horizontal w^2 = 3 g sin(theta) / L, and the pivot is pulled by 5/2 m g sin(theta) along the rod and
 * m g cos(theta) / 4 across it. */
static void a_rod_with_mass_pulls_as_its_end_does(void)
{
    Scene s;
    if (open_scene(&s, hanging, NULL, 0.01)) {
        CHECK_NEAR(value(&s, "r.fy"), 10, 1e-9);
        CHECK_NEAR(value(&s, "r.lfx"), -10, 1e-9);
    }
    close_scene(&s);
    if (open_scene(&s, hanging,
                   (Change[]){{"joints.r.rod", "[bob, ground]"}, {"joints.r.from", "P"}, {"joints.r.to", "O"}, {0}},
                   0.01))
        CHECK_NEAR(value(&s, "r.fy"), -50, 1e-9);
    close_scene(&s);
    if (open_scene(&s, hanging, (Change[]){{"points.P", "[1, 0]"}, {"bodies.bob.mass", "0"}, {0}}, 0.5)) {
        CHECK_NEAR(value(&s, "r.fx"), 0, 1e-9);
        CHECK_NEAR(value(&s, "r.fy"), 0, 1e-9);
    }
    close_scene(&s);
    if (open_scene(&s, hanging,
                   (Change[]){{"points.P", "[1, 0]"},
                              {"bodies.bob.mass", "0"},
                              {"joints.r.rod", "[bob, ground]"},
                              {"joints.r.from", "P"},
                              {"joints.r.to", "O"},
                              {0}},
                   0.3)) {
        double c = value(&s, "bob.x"), sine = -value(&s, "bob.y"), along = 100 * sine, across = 10 * c;
        CHECK(sine > 0.5);
        CHECK_NEAR(value(&s, "r.fx"), along * c - across * sine, 1e-6);
        CHECK_NEAR(value(&s, "r.fy"), -along * sine - across * c, 1e-6);
    }
    close_scene(&s);
}

CHECK_MAIN(TEST(hinges_may_be_soft_by_far), TEST(without_stiffness_the_minimum_norm_solution_is_shown),
           TEST(a_rod_with_mass_pulls_as_its_end_does), TEST(drift_does_not_change_what_is_shared),
           TEST(another_formulation_is_reported_as_its_own), TEST(bodies_have_no_part_in_what_joints_share),
           TEST(stiffness_is_shared_alike_by_all))
