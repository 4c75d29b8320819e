/* SPDX-License-Identifier: BSD-3-Clause */
/* Every built-in model moves alike in reference-point and in natural coordinates, with the same reactions; and elements
 * of natural coordinates move like the bodies they stand for. */
#include <holon/mechanism.h>

#include "assembled.h"

#include <stdlib.h>

typedef struct Run {
    HolMechanism *mechanism;
    HolSimulation *simulation;
    HolRecorder *recorder;
    double *values;
} Run;

static void stop_run(Run *run)
{
    free(run->values);
    hol_recorder_destroy(run->recorder);
    hol_simulation_destroy(run->simulation);
    hol_mechanism_destroy(run->mechanism);
}

/* What the model says, with error control so tight that the coordinates should not matter. */
static bool start_run(HolModel *model, Run *run)
{
    HolMessage message = {{0}};
    *run = (Run){0};
    HolStatus status = hol_mechanism_create(model, &run->mechanism);
    for (int i = 0; i < hol_model_error_count(model); ++i)
        printf("    %s\n", hol_model_error(model, i));
    hol_model_destroy(model);
    if (status == HOL_OK)
        status = hol_mechanism_assemble(run->mechanism, &message);
    if (status == HOL_OK) {
        HolInitialState start = hol_mechanism_initial_state(run->mechanism);
        HolSetting settings[] = {{"integrator.tolerance", "1e-11"}, {"integrator.absolute", "1e-11"}};
        HolSimulationOptions options = hol_simulation_options();
        options.integrator = "dopri5";
        options.settings = settings;
        options.setting_count = 2;
        const HolSystem *system = hol_mechanism_system(run->mechanism);
        status = hol_simulation_create(system, &start, &options, &run->simulation, &message);
    }
    if (status == HOL_OK)
        status = hol_recorder_create(run->mechanism, (const char *[]){"all"}, 1, &run->recorder, &message);
    if (!CHECK_OK(status))
        printf("    %s\n", message.text);
    if (status == HOL_OK)
        run->values = calloc((size_t)hol_recorder_column_count(run->recorder), sizeof *run->values);
    return status == HOL_OK;
}

static void read_at(Run *run, double t)
{
    HolMeasures measures;
    CHECK_OK(hol_simulation_run(run->simulation, &(HolRun){.until = t}));
    measures = hol_simulation_measures(run->simulation);
    CHECK_OK(hol_recorder_read(run->recorder, hol_simulation_state(run->simulation), &measures, run->values));
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), size = strlen(end);
    return length >= size && strcmp(text + length - size, end) == 0;
}

/* Whether a column says something that coordinates do not change: no violations, and of the joints only those whose
 * reactions are unique. */
static bool is_comparable(const char *column, const HolMechanism *m, const HolDiagnosis *d)
{
    size_t length = strcspn(column, ".");
    for (int i = 0; i < hol_mechanism_joint_count(m); ++i) {
        const char *name = hol_mechanism_joint(m, i).name;
        if (d->joints[i].involved && strlen(name) == length && strncmp(name, column, length) == 0)
            return false;
    }
    return strncmp(column, "violation.", 10) != 0 && !ends_with(column, ".drift");
}

static void compare_columns(const Run *a, const Run *b)
{
    HolDiagnosis *diagnosis;
    HolMessage message;
    REQUIRE_OK(hol_mechanism_diagnose(a->mechanism, NULL, &diagnosis, &message));
    for (int i = 0; i < hol_recorder_column_count(a->recorder); ++i) {
        const char *column = hol_recorder_column(a->recorder, i);
        CHECK_CONTEXT("%s", column ? column : "no name");
        CHECK_STRING(hol_recorder_column(b->recorder, i), column);
        if (!column)
            break;
        bool has_sign = !strstr(column, ".e0") && !strstr(column, ".e1") && !strstr(column, ".e2") &&
                        !strstr(column, ".e3"); /* Euler parameters e and -e are the same orientation */
        double x = a->values[i], y = b->values[i];
        if (is_comparable(column, a->mechanism, diagnosis))
            CHECK_NEAR(has_sign ? y : fabs(y), has_sign ? x : fabs(x), 1e-6 * (1 + fabs(x)));
    }
    hol_diagnosis_destroy(diagnosis);
}

static HolModel *library_model(int index, const char *coordinates)
{
    HolModel *model = hol_model_create();
    CHECK_OK(hol_model_load(model, hol_library_model(index).name));
    CHECK_OK(hol_model_set(model, "run.coordinates", "%s", coordinates));
    return model;
}

static void every_model_moves_alike(void)
{
    static const double times[] = {0, 0.05, 0.2};
    for (int i = 0; i < hol_library_count(); ++i) {
        Run plain, natural;
        HolModel *as_it_is = hol_model_create();
        HolMechanism *itself;
        CHECK_OK(hol_model_load(as_it_is, hol_library_model(i).name));
        REQUIRE_OK(hol_mechanism_create(as_it_is, &itself));
        bool is_natural = strcmp(hol_mechanism_coordinates(itself), "natural") == 0;
        hol_mechanism_destroy(itself);
        hol_model_destroy(as_it_is);
        if (is_natural)
            continue; /* it has elements that exist in no other coordinates */
        CHECK_CONTEXT("%s", hol_library_model(i).name);
        REQUIRE(start_run(library_model(i, "reference-point"), &plain));
        REQUIRE(start_run(library_model(i, "natural"), &natural));
        for (int k = 0; k < 3; ++k) {
            read_at(&plain, times[k]);
            read_at(&natural, times[k]);
            compare_columns(&plain, &natural);
        }
        stop_run(&plain);
        stop_run(&natural);
    }
}

static double value_of(const Run *run, const char *column)
{
    int index = hol_recorder_find(run->recorder, column);
    return CHECK(index >= 0) ? run->values[index] : NAN;
}

/* Three bars of a four-bar, and the same of rods between shared points. */
static void rods_move_like_slender_bars(void)
{
    static const char *const points =
        "plane: xy\n"
        "gravity: [0, -9.81]\n"
        "points: {A: [0, 0], B: {at: [1, 2], on: %s}, C: {at: [4, 3], on: %s}, D: [3, 0]}\n";
    char bars[1000], rods[1000];
    int used = snprintf(bars, sizeof bars, points, "crank", "follower");
    snprintf(bars + used, sizeof bars - (size_t)used, "%s",
             "bodies:\n"
             "  crank: {bar: [A, B], mass: 1}\n"
             "  coupler: {bar: [B, C], mass: 2}\n"
             "  follower: {bar: [D, C], mass: 3}\n"
             "joints:\n"
             "  A: {revolute: [ground, crank], at: A}\n"
             "  B: {revolute: [crank, coupler], at: B}\n"
             "  C: {revolute: [coupler, follower], at: C}\n"
             "  D: {revolute: [ground, follower], at: D}\n");
    used = snprintf(rods, sizeof rods, points, "b", "c");
    snprintf(rods + used, sizeof rods - (size_t)used, "%s",
             "bodies: {b: {particle: B}, c: {particle: C}}\n"
             "joints:\n"
             "  crank: {rod: [ground, b], from: A, to: B, mass: 1}\n"
             "  coupler: {rod: [b, c], from: B, to: C, mass: 2}\n"
             "  follower: {rod: [ground, c], from: D, to: C, mass: 3}\n");
    Run of_bars, of_rods;
    REQUIRE(start_run(parsed_model(bars), &of_bars));
    REQUIRE(start_run(parsed_model(rods), &of_rods));
    for (double t = 0; t < 0.75; t += 0.25) {
        static const char *const columns[] = {
            "B.x", "B.y", "C.x", "C.y", "B.vx", "C.vy", "energy.kinetic", "energy.potential"};
        read_at(&of_bars, t);
        read_at(&of_rods, t);
        for (int i = 0; i < 8; ++i)
            CHECK_NEAR(value_of(&of_rods, columns[i]), value_of(&of_bars, columns[i]), 1e-8);
    }
    stop_run(&of_bars);
    stop_run(&of_rods);
}

/* A direction turned by a driven body: T = J w^2 / 2 of the vector itself. */
static void a_direction_follows_what_holds_it(void)
{
    Run run;
    REQUIRE(start_run(parsed_model("plane: xy\n"
                                   "bodies:\n"
                                   "  b: {rigid: [0, 0], mass: 1, inertia: 0.5}\n"
                                   "  u: {direction: [0, 1], inertia: 0.25}\n"
                                   "joints:\n"
                                   "  pin: {revolute: [ground, b], at: [0, 0]}\n"
                                   "  lock: {lock-angle: [b, u]}\n"
                                   "forces: {motor: {torque: b, vector: 3}}\n"),
                      &run));
    read_at(&run, 1);
    double angle = 0.5 * 3 / 0.75; /* torque over both inertias, for one second */
    CHECK_NEAR(value_of(&run, "u.x"), -sin(angle), 1e-9);
    CHECK_NEAR(value_of(&run, "u.y"), cos(angle), 1e-9);
    CHECK_NEAR(value_of(&run, "b.w"), 4, 1e-9);
    CHECK_NEAR(value_of(&run, "energy.kinetic"), 0.5 * 0.75 * 16, 1e-8);
    CHECK_NEAR(value_of(&run, "lock.tz"), 0.25 * 4, 1e-8);
    stop_run(&run);
}

CHECK_MAIN(TEST(every_model_moves_alike), TEST(rods_move_like_slender_bars), TEST(a_direction_follows_what_holds_it))
