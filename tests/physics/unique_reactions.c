/* SPDX-License-Identifier: BSD-3-Clause */
/* Components of reactions that are unique along the motion, against dense matrices at many of its states.
 *
 * A component is a linear function c^T lambda of the multipliers. All multipliers of one motion differ by null vectors of
 * D^T, so it is unique if c is orthogonal to these, that is, a combination of the rows of D^T:
 *
 *     rank [D c]^T = rank D^T                                                                                 (1)
 *
 * Initial configurations are special: parallel rods and right angles make components vanish. */
#include "dense.h"
#include "recorded.h"
#include "singular_values.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_JOINTS = 20, STATES = 40 };

typedef bool Flags[MOST_JOINTS][6];

static const char *const components[] = {"fx", "fy", "fz", "tx", "ty", "tz"};

static void fill(Flags unique)
{
    for (int i = 0; i < 6 * MOST_JOINTS; ++i)
        unique[i / 6][i % 6] = true;
}

static int rank_of(int rows, int cols, const double *A)
{
    int rank = 0, count = rows < cols ? rows : cols;
    double *sigma = calloc((size_t)count + 1, sizeof *sigma);
    if (CHECK(sigma != NULL) && CHECK_OK(singular_values(rows, cols, A, sigma)))
        while (rank < count && sigma[rank] > 1e-8 * sigma[0])
            ++rank;
    free(sigma);
    return rank;
}

/* c of every column of the recorder, from multipliers of one newton: column_count times m. */
static double *read_components(Recorded *r, HolState state, int m)
{
    int count = hol_recorder_column_count(r->recorder);
    double *c = calloc((size_t)(count * m) + 1, sizeof *c), *lambda = calloc((size_t)m + 1, sizeof *lambda);
    HolMeasures measures = {0};
    state.lambda = lambda;
    for (int row = 0; c && lambda && row < m; ++row) {
        lambda[row] = 1;
        CHECK_OK(hol_recorder_read(r->recorder, &state, &measures, r->values));
        lambda[row] = 0;
        for (int i = 0; i < count; ++i)
            c[i * m + row] = r->values[i];
    }
    free(lambda);
    return c;
}

/* (1) for the component in `column`, scaled to the size 1. */
static bool is_unique(const Dense *dense, int rank, const double *c)
{
    size_t m = (size_t)dense->m, n = (size_t)dense->nv;
    double size = max_norm(dense->m, c), *A = calloc((n + 1) * m, sizeof *A);
    for (size_t i = 0; A && i < m; ++i) {
        for (size_t k = 0; k < n; ++k)
            A[k * m + i] = dense->D[i * n + k];
        A[n * m + i] = size > 1e-9 ? c[i] / size : 0;
    }
    bool unique = A && rank_of(dense->nv + 1, dense->m, A) == rank;
    free(A);
    return unique;
}

/* Clears what is not unique in the present state; the recorder must show reactions as computed. */
static void examine(Recorded *r, Flags unique)
{
    HolTerms *terms;
    Dense dense;
    HolState state = *hol_simulation_state(r->simulation);
    const HolSystem *system = hol_mechanism_system(r->mechanism);
    const HolPoint at = {state.t, state.q, state.v};
    REQUIRE(hol_terms_create(system, &terms) == HOL_OK);
    CHECK_OK(hol_system_evaluate(system, &at, HOL_WANT_MASS | HOL_WANT_JACOBIAN, terms));
    REQUIRE(dense_open(terms, &dense));
    double *c = read_components(r, state, dense.m);
    int rank = rank_of(dense.m, dense.nv, dense.D);
    for (int i = 0; c && i < 6 * MOST_JOINTS && i / 6 < hol_mechanism_joint_count(r->mechanism); ++i) {
        char name[80];
        snprintf(name, sizeof name, "%s.%s", hol_mechanism_joint(r->mechanism, i / 6).name, components[i % 6]);
        int column = hol_recorder_find(r->recorder, name);
        unique[i / 6][i % 6] =
            unique[i / 6][i % 6] && (column < 0 || is_unique(&dense, rank, c + (size_t)(column * dense.m)));
    }
    free(c);
    dense_close(&dense);
    hol_terms_destroy(terms);
}

static bool open_model(Recorded *r, const char *name, const char *text)
{
    HolModel *model = hol_model_create();
    CHECK_OK(text ? hol_model_parse(model, text, name) : hol_model_load(model, name));
    CHECK_OK(hol_model_set(model, "run.reactions", "as-computed"));
    return recorded_open(r, model, "reactions");
}

static void compare_flags(const Recorded *r, const HolDiagnosis *diagnosis, Flags expected)
{
    for (int i = 0; i < 6 * diagnosis->joint_count; ++i) {
        CHECK_CONTEXT("%s.%s", hol_mechanism_joint(r->mechanism, i / 6).name, components[i % 6]);
        CHECK_EQUAL_INT(diagnosis->joints[i / 6].unique[i % 6], expected[i / 6][i % 6]);
    }
}

/* Three vertical cranks of equal length carry a coupler in the plane. Forces along the cranks are not unique. */
#define CRANKS                                                                                                         \
    "plane: xy\n"                                                                                                      \
    "gravity: [0, -9.81]\n"                                                                                            \
    "points: {A: [0, 0], B: [1, 0], C: [3, 0], D: [0, 1], E: [1, 1], F: [3, 1]}\n"                                     \
    "bodies:\n"                                                                                                        \
    "  a: {bar: [A, D], mass: 1}\n"                                                                                    \
    "  b: {bar: [B, E], mass: 1}\n"                                                                                    \
    "  c: {bar: [C, F], mass: 1}\n"                                                                                    \
    "  coupler: {bar: [D, F], mass: 2}\n"                                                                              \
    "joints:\n"                                                                                                        \
    "  A: {revolute: [ground, a], at: A}\n"                                                                            \
    "  B: {revolute: [ground, b], at: B}\n"                                                                            \
    "  C: {revolute: [ground, c], at: C}\n"                                                                            \
    "  D: {revolute: [a, coupler], at: D}\n"                                                                           \
    "  E: {revolute: [b, coupler], at: E}\n"                                                                           \
    "  F: {revolute: [c, coupler], at: F}\n"

static const char released[] = CRANKS "start: {a: {angular_velocity: -1}}\nrun: {until: 1, step: 1 ms}\n";
/* The driver rests for half a second. */
static const char driven[] =
    CRANKS "drivers: {turn: {angle: A, value: 'if(t < 0.5, 0, (t - 0.5)^2)'}}\nrun: {until: 1, step: 1 ms}\n";
static const char still[] = CRANKS "drivers: {turn: {angle: A, value: 0}}\nrun: {until: 1, step: 1 ms}\n";

/* Runs in pieces to its end, with the dense flags of the states between. */
static void run_pieces(Recorded *r, Flags expected)
{
    double until = hol_mechanism_until(r->mechanism);
    fill(expected);
    examine(r, expected);
    for (int i = 1; i <= STATES && recorded_go_to(r, until * i / STATES); ++i)
        examine(r, expected);
}

static void runs_are_judged_along_their_motion(void)
{
    static const struct {
        const char *name, *text;
    } models[] = {{"spatial-parallelogram", NULL}, {"bricard", NULL},        {"pendulum-two-rods", NULL},
                  {"pendulum-two-bearings", NULL}, {"planetary-gear", NULL}, {"differential", NULL},
                  {"released", released},          {"driven", driven},       {"still", still}};
    for (size_t k = 0; k < sizeof models / sizeof *models; ++k) {
        Recorded r;
        Flags expected;
        HolDiagnosis *diagnosis;
        HolMessage message;
        CHECK_CONTEXT("%s", models[k].name);
        if (open_model(&r, models[k].name, models[k].text)) {
            run_pieces(&r, expected);
            CHECK(hol_simulation_configuration_count(r.simulation) >= 16);
            CHECK(hol_simulation_configuration_count(r.simulation) <= 34);
            if (CHECK_OK(hol_mechanism_diagnose_run(r.mechanism, r.simulation, &diagnosis, &message)))
                compare_flags(&r, diagnosis, expected);
            hol_diagnosis_destroy(diagnosis);
        }
        recorded_close(&r);
    }
}

/* Without a run, the configurations that the diagnosis finds for itself stand for the motion. */
static void initial_configurations_stand_for_the_motion(void)
{
    static const struct {
        const char *name, *text;
    } models[] = {{"spatial-parallelogram", NULL},
                  {"bricard", NULL},
                  {"pendulum-two-rods", NULL},
                  {"pendulum-two-bearings", NULL},
                  {"released", released},
                  {"driven", driven},
                  {"still", still},
                  {"differential", NULL}};
    for (size_t k = 0; k < sizeof models / sizeof *models; ++k) {
        Recorded r;
        Flags expected;
        HolDiagnosis *diagnosis;
        HolMessage message;
        CHECK_CONTEXT("%s", models[k].name);
        if (open_model(&r, models[k].name, models[k].text)) {
            run_pieces(&r, expected);
            if (CHECK_OK(hol_mechanism_diagnose(r.mechanism, NULL, &diagnosis, &message)))
                compare_flags(&r, diagnosis, expected);
            hol_diagnosis_destroy(diagnosis);
        }
        recorded_close(&r);
    }
}

static const HolJointDiagnosis *joint_named(const HolMechanism *mechanism, const HolDiagnosis *diagnosis,
                                            const char *name)
{
    int i = 0;
    while (i < diagnosis->joint_count - 1 && strcmp(hol_mechanism_joint(mechanism, i).name, name) != 0)
        ++i;
    return &diagnosis->joints[i];
}

static void run_whole(Recorded *r, HolDiagnosis **diagnosis)
{
    HolMessage message;
    CHECK_OK(hol_simulation_run(r->simulation, &(HolRun){.until = hol_mechanism_until(r->mechanism)}));
    CHECK_OK(hol_mechanism_diagnose_run(r->mechanism, r->simulation, diagnosis, &message));
}

/* The horizontal forces are unique as long as the cranks are vertical. */
static void times_of_changes_are_reported(void)
{
    Recorded r;
    HolDiagnosis *diagnosis = NULL;
    REQUIRE(open_model(&r, "driven", driven));
    run_whole(&r, &diagnosis);
    REQUIRE(diagnosis);
    const HolJointDiagnosis *joint = joint_named(r.mechanism, diagnosis, "A");
    CHECK(diagnosis->configuration_count >= 17);
    CHECK(!joint->unique[0] && joint->first[0] > 1);
    CHECK(joint->from[0] > 0.5 && joint->from[0] < 0.5 + 1.0 / 15);
    CHECK_NEAR(joint->until[0], 1, 1e-12);
    CHECK_EQUAL_INT(joint->last[0], diagnosis->configuration_count);
    CHECK_EQUAL_INT(joint->not_unique[1], diagnosis->configuration_count); /* fy */
    CHECK_EQUAL_INT(joint->not_unique[5], 0);
    CHECK(isnan(joint->from[5]) && isnan(joint->until[5]));
    hol_diagnosis_destroy(diagnosis);
    recorded_close(&r);
}

/* A flat parallelogram: its rows are dependent in this configuration only. */
static void special_configurations_are_told_from_the_others(void)
{
    static const char flat[] = "plane: xy\n"
                               "points: {A: [0, 0], B: [1, 0], C: [3, 0], D: [2, 0]}\n"
                               "bodies:\n"
                               "  crank: {bar: [A, B], mass: 1}\n"
                               "  rod: {bar: [B, C], mass: 1}\n"
                               "  rocker: {bar: [D, C], mass: 1}\n"
                               "joints:\n"
                               "  A: {revolute: [ground, crank], at: A}\n"
                               "  B: {revolute: [crank, rod], at: B}\n"
                               "  C: {revolute: [rod, rocker], at: C}\n"
                               "  D: {revolute: [ground, rocker], at: D}\n"
                               "start: {crank: {angular_velocity: 1}, rocker: {angular_velocity: 1}}\n"
                               "run: {until: 0.5, step: 1 ms}\n";
    Recorded r;
    HolDiagnosis *diagnosis = NULL;
    REQUIRE(open_model(&r, "flat", flat));
    run_whole(&r, &diagnosis);
    REQUIRE(diagnosis);
    const HolJointDiagnosis *joint = joint_named(r.mechanism, diagnosis, "A");
    CHECK(diagnosis->configuration_count >= 17);
    CHECK(!joint->unique[0]);
    CHECK_EQUAL_INT(joint->not_unique[0], 1);
    CHECK(joint->from[0] == 0 && joint->until[0] == 0);
    hol_diagnosis_destroy(diagnosis);
    recorded_close(&r);
}

/* States that have drifted are projected: a drift is no change of the redundant rows. */
static void drift_changes_nothing(void)
{
    Recorded exact, drifting;
    HolDiagnosis *expected = NULL, *found = NULL;
    HolModel *model = hol_model_create();
    CHECK_OK(hol_model_load(model, "spatial-parallelogram"));
    CHECK_OK(hol_model_set(model, "run.formulation", "lagrange"));
    CHECK_OK(hol_model_set(model, "run.step", "20 ms"));
    REQUIRE(open_model(&exact, "spatial-parallelogram", NULL) && recorded_open(&drifting, model, "reactions"));
    run_whole(&exact, &expected);
    run_whole(&drifting, &found);
    CHECK(hol_simulation_summary(drifting.simulation).max_position_violation > 1e-8);
    for (int i = 0; expected && found && i < 6 * expected->joint_count; ++i)
        CHECK_EQUAL_INT(found->joints[i / 6].unique[i % 6], expected->joints[i / 6].unique[i % 6]);
    hol_diagnosis_destroy(expected);
    hol_diagnosis_destroy(found);
    recorded_close(&exact);
    recorded_close(&drifting);
}

/* Configurations are kept only where they are needed. */
static void models_without_redundancy_keep_nothing(void)
{
    Recorded r;
    HolDiagnosis *diagnosis = NULL;
    HolMessage message;
    REQUIRE(open_model(&r, "four-bar", NULL));
    recorded_go_to(&r, 0.1);
    CHECK_EQUAL_INT(hol_simulation_configuration_count(r.simulation), 0);
    CHECK_OK(hol_mechanism_diagnose_run(r.mechanism, r.simulation, &diagnosis, &message));
    for (int i = 0; diagnosis && i < 6 * diagnosis->joint_count; ++i)
        CHECK(diagnosis->joints[i / 6].unique[i % 6]);
    hol_diagnosis_destroy(diagnosis);
    CHECK_STATUS(hol_mechanism_diagnose_motion(r.mechanism, NULL, 0, &diagnosis, &message), HOL_BAD_INPUT);
    recorded_close(&r);
}

CHECK_MAIN(TEST(runs_are_judged_along_their_motion), TEST(initial_configurations_stand_for_the_motion),
           TEST(times_of_changes_are_reported), TEST(special_configurations_are_told_from_the_others),
           TEST(drift_changes_nothing), TEST(models_without_redundancy_keep_nothing))
