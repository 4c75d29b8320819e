/* SPDX-License-Identifier: BSD-3-Clause */
/* Reactions of redundantly constrained models by stiffness, of minimum norm, by elimination and with preloads.
 *
 * A bob of 1 kg on two rods of 2 m from one point to one point, released from the horizontal at 9.81 m/s^2: both
 * together pull with -3 m g sin(theta). The first is 1e7 N/m stiff, the second 2e7 N/m. 6e-7 m too long, the first
 * pushes with k1 k2 / (k1 + k2) 6e-7 m = 4 N and the second pulls with as much. */
#include <holon/mechanism.h>

#include "check.h"

static const char *const rods = "plane: xy\n"
                                "gravity: [0, -9.81]\n"
                                "points: {O: [0, 0], P: [2, 0]}\n"
                                "bodies: {bob: {rigid: P, mass: 1, inertia: 0.1}}\n"
                                "joints:\n"
                                "  rod1: {distance: [ground, bob], from: O, to: P, stiffness: 1e7}\n"
                                "  rod2: {distance: [ground, bob], from: O, to: P, stiffness: 2e7}\n"
                                "run: {until: 1, step: 1 ms, record: [bob, rod1.local, rod2.local, reactions]}\n";

/* What is expected at every step: the share of the first rod, and what it is pulled with besides. */
typedef struct Expected {
    double share, preload, tolerance;
} Expected;

typedef struct Watch {
    HolRecorder *recorder;
    Expected expected;
    double values[60], worst_share, worst_sum, worst_axes;
    int states;
} Watch;

static double value(const Watch *w, const char *column)
{
    int index = hol_recorder_find(w->recorder, column);
    return CHECK(index >= 0) ? w->values[index] : NAN;
}

static HolStatus watch(void *user, const HolState *state, const HolMeasures *measures)
{
    Watch *w = user;
    HolStatus status = hol_recorder_read(w->recorder, state, measures, w->values);
    if (status != HOL_OK)
        return status;
    double x = value(w, "bob.x"), y = value(w, "bob.y"), first = -value(w, "rod1.lfx"), second = -value(w, "rod2.lfx");
    double theta = atan2(y, x), total = first + second;
    w->worst_sum = fmax(w->worst_sum, fabs(total + 3 * 9.81 * sin(theta)));
    w->worst_share = fmax(w->worst_share, fabs(first - w->expected.preload - w->expected.share * total));
    w->worst_axes = fmax(w->worst_axes, fabs(value(w, "rod1.fx") + first * cos(theta)));
    w->worst_axes = fmax(w->worst_axes, fabs(value(w, "rod1.fy") + first * sin(theta)));
    w->states++;
    return HOL_OK;
}

typedef struct Change {
    const char *path, *text;
} Change;

static bool open_model(const char *text, const Change *changes, HolModel **model, HolMechanism **mechanism)
{
    HolMessage message = {{0}};
    *model = hol_model_create();
    *mechanism = NULL;
    CHECK_OK(hol_model_parse(*model, text, "test"));
    for (; changes && changes->path; changes++)
        CHECK_OK(hol_model_set(*model, changes->path, "%s", changes->text));
    HolStatus status = hol_mechanism_create(*model, mechanism);
    for (int i = 0; i < hol_model_error_count(*model); ++i)
        printf("    %s\n", hol_model_error(*model, i));
    return CHECK_OK(status) && CHECK_OK(hol_mechanism_assemble(*mechanism, &message));
}

static void check_rods(const Change *changes, Expected expected)
{
    HolModel *model;
    HolMechanism *mechanism;
    HolSimulation *simulation = NULL;
    HolMessage message = {{0}};
    Watch w = {.expected = expected};
    if (open_model(rods, changes, &model, &mechanism)) {
        HolInitialState start = hol_mechanism_initial_state(mechanism);
        HolSimulationOptions options = hol_mechanism_options(mechanism);
        HolRun run = {.until = 1, .record = watch, .user = &w};
        if (CHECK_OK(hol_recorder_create(mechanism, NULL, 0, &w.recorder, &message)) &&
            CHECK_OK(hol_simulation_create(hol_mechanism_system(mechanism), &start, &options, &simulation, &message)) &&
            CHECK_OK(hol_simulation_run(simulation, &run))) {
            CHECK_EQUAL_INT(w.states, 1001);
            CHECK(w.worst_share < expected.tolerance);
            CHECK(w.worst_sum < 1e-4);
            CHECK(w.worst_axes < 1e-12);
        }
        hol_simulation_destroy(simulation);
        hol_recorder_destroy(w.recorder);
    }
    hol_mechanism_destroy(mechanism);
    hol_model_destroy(model);
}

static const char *const kinds[] = {"reference-point", "natural"};

static void rods_share_by_the_chosen_rule(void)
{
    for (int i = 0; i < 2; i++) {
        const char *const c = kinds[i];
        CHECK_CONTEXT("%s", c);
        check_rods((Change[]){{"run.coordinates", c}, {0}}, (Expected){1.0 / 3, 0, 1e-8});
        check_rods((Change[]){{"run.coordinates", c}, {"run.reactions", "minimum-norm"}, {0}},
                   (Expected){0.5, 0, 1e-10});
        check_rods((Change[]){{"run.coordinates", c}, {"run.reactions", "elimination"}, {0}}, (Expected){1, 0, 1e-300});
        check_rods(
            (Change[]){{"run.coordinates", c}, {"joints.rod1.stiffness", "~"}, {"joints.rod2.stiffness", "~"}, {0}},
            (Expected){0.5, 0, 1e-10});
        /* what is rigid carries all */
        check_rods((Change[]){{"run.coordinates", c}, {"joints.rod1.stiffness", "~"}, {0}}, (Expected){1, 0, 1e-9});
        check_rods((Change[]){{"run.coordinates", c}, {"joints.rod1.stiffness", "{axial: 6e7}"}, {0}},
                   (Expected){0.75, 0, 1e-8});
        check_rods((Change[]){{"run.coordinates", c}, {"joints.rod1.stiffness", "[6e7]"}, {0}},
                   (Expected){0.75, 0, 1e-8});
    }
}

/* Too long, a rod pushes; a preload is a tension of which the part that nobody feels is kept: 6 N in the first is 2 N
 * and 4 N by stiffness, and 4 N against the other. */
static void misfits_and_preloads_stay(void)
{
    for (int i = 0; i < 2; i++) {
        const Change c = {"run.coordinates", kinds[i]};
        CHECK_CONTEXT("%s", kinds[i]);
        check_rods((Change[]){c, {"joints.rod1.misfit", "6e-7"}, {0}}, (Expected){1.0 / 3, -4, 1e-6});
        check_rods((Change[]){c, {"joints.rod2.misfit", "6e-7"}, {0}}, (Expected){1.0 / 3, 4, 1e-6});
        check_rods((Change[]){c, {"joints.rod1.preload", "6"}, {0}}, (Expected){1.0 / 3, 4, 1e-6});
        check_rods((Change[]){c, {"joints.rod1.preload", "6"}, {"run.reactions", "minimum-norm"}, {0}},
                   (Expected){0.5, 3, 1e-6});
    }
}

/* Penalties share as the model says without further ado; the others neither refuse it nor move differently. */
static void formulations_use_the_stiffness(void)
{
    const Change mend = {"run.integrator", "newmark"}, far = {"joints.rod1.misfit", "6e-7"};
    for (int i = 0; i < 2; i++) {
        const Change c = {"run.coordinates", kinds[i]};
        for (int k = 0; k < 2; k++) {
            const Change rule = {"run.reactions", k ? "as-computed" : "automatic"};
            const Change method = {"run.formulation", "index3-augmented-lagrangian"};
            CHECK_CONTEXT("%s, %s", kinds[i], rule.text);
            check_rods((Change[]){c, rule, method, mend, {0}}, (Expected){1.0 / 3, 0, 1e-6});
            check_rods((Change[]){c, rule, method, mend, far, {0}}, (Expected){1.0 / 3, -4, 1e-6});
        }
        for (int f = 0; f < hol_formulation_count(); f++) {
            HolKindInfo info = hol_formulation_info(f);
            if (hol_pair_supported(info.name, "rk4", NULL) != HOL_OK || strcmp(info.name, "lagrange") == 0 ||
                strcmp(info.name, "baumgarte") == 0)
                continue; /* those that need independent rows, or steps of their own */
            CHECK_CONTEXT("%s, %s", kinds[i], info.name);
            check_rods((Change[]){c, {"run.formulation", info.name}, far, {0}}, (Expected){1.0 / 3, -4, 1e-6});
        }
    }
}

/* ---- A door on two hinges ---- */

static const char *const door =
    "gravity: [0, 0, -9.81]\n"
    "bodies: {door: {box: [1, 0.05, 2], mass: 20, at: [0.5, 0, 1]}}\n"
    "joints:\n"
    "  low: {revolute: [ground, door], at: [0, 0, 0.3], axis: z, stiffness: {axial: 1e6, radial: 1e7},"
    " turning_stiffness: 1e4}\n"
    "  high: {revolute: [ground, door], at: [0, 0, 1.7], axis: z, stiffness: {axial: 3e6, radial: 1e7},"
    " turning_stiffness: 1e4}\n"
    "start: {door: {angular_velocity: [0, 0, 1]}}\n"
    "run: {until: 0.7, step: 1 ms, record: [low.local, low.reaction, high.local]}\n";

/* Its weight hangs on the hinges as 1 to 3. In the hinges' axes, which the ground carries, the weight's moment is taken
 * by radial forces and bending of each hinge such that it turns as a rigid body on springs would:
 *
 *     F = k_r b phi/2,  M = k_t phi,  F b + 2 M = m g c            b = 1.4 m apart, c = 0.5 m
 *
 * where the door is drawn, along x, and there the two radial forces share m w^2 c, which pulls both hinges. */
static void a_door_hangs_as_its_hinges_yield(void)
{
    HolModel *model;
    HolMechanism *mechanism;
    HolSimulation *simulation = NULL;
    HolMessage message = {{0}};
    Watch w = {.states = 0};
    if (open_model(door, NULL, &model, &mechanism)) {
        HolInitialState start = hol_mechanism_initial_state(mechanism);
        HolSimulationOptions options = hol_mechanism_options(mechanism);
        CHECK_OK(hol_recorder_create(mechanism, NULL, 0, &w.recorder, &message));
        CHECK_OK(hol_simulation_create(hol_mechanism_system(mechanism), &start, &options, &simulation, &message));
        HolMeasures measures = hol_simulation_measures(simulation);
        CHECK_OK(hol_recorder_read(w.recorder, hol_simulation_state(simulation), &measures, w.values));
        double b = 1.4, phi = 20 * 9.81 * 0.5 / (1e7 * b * b / 2 + 2 * 1e4);
        CHECK_NEAR(value(&w, "low.lfx"), 20 * 9.81 / 4, 1e-9);
        CHECK_NEAR(value(&w, "high.lfx"), 20 * 9.81 * 3 / 4, 1e-9);
        CHECK_NEAR(value(&w, "low.fz"), 20 * 9.81 / 4, 1e-9);
        CHECK_NEAR(value(&w, "low.fx"), 1e7 * b * phi / 2 - 20 * 0.5 / 2, 1e-9);
        CHECK_NEAR(fabs(value(&w, "low.ty")), 1e4 * phi, 1e-9);
        CHECK_NEAR(hypot(value(&w, "low.lfy"), value(&w, "low.lfz")), value(&w, "low.fx"), 1e-9);
        CHECK_OK(hol_simulation_run(simulation, &(HolRun){.until = 0.7}));
        measures = hol_simulation_measures(simulation);
        CHECK_OK(hol_recorder_read(w.recorder, hol_simulation_state(simulation), &measures, w.values));
        CHECK_NEAR(value(&w, "low.fx"), cos(0.7) * (1e7 * b * phi / 2 - 20 * 0.5 / 2), 1e-8);
        CHECK_NEAR(value(&w, "low.fz"), 20 * 9.81 / 4, 1e-9);
        hol_simulation_destroy(simulation);
        hol_recorder_destroy(w.recorder);
    }
    hol_mechanism_destroy(mechanism);
    hol_model_destroy(model);
}

/* ---- A plate on four bars ---- */

static const char *const table =
    "gravity: [0, 0, -9.81]\n"
    "points: {A: [0, 0, 0], B: [0, 0, 1], C: [1, 0, 0], D: [1, 0, 1], E: [1, 2, 0], F: [1, 2, 1],\n"
    "         G: [0, 2, 0], H: [0, 2, 1]}\n"
    "bodies:\n"
    "  AB: {bar: [A, B], mass: 1, stiffness: 1e6}\n"
    "  CD: {bar: [C, D], mass: 1, stiffness: 2e6}\n"
    "  EF: {bar: [F, E], mass: 1, stiffness: 3e6}\n"
    "  GH: {bar: [G, H], mass: 1, stiffness: 4e6}\n"
    "  plate: {rigid: [0.3, 0.8, 1], mass: 10, inertia: [1, 1, 1]}\n"
    "joints:\n"
    "  A: {spherical: [ground, AB], at: A}\n"
    "  B: {spherical: [AB, plate], at: B}\n"
    "  C: {spherical: [ground, CD], at: C}\n"
    "  D: {spherical: [CD, plate], at: D}\n"
    "  E: {spherical: [ground, EF], at: E}\n"
    "  F: {spherical: [EF, plate], at: F}\n"
    "  G: {spherical: [ground, GH], at: G}\n"
    "  H: {spherical: [plate, GH], at: H}\n"
    "run: {record: [reactions]}\n";

/* Opposite legs can be stressed against the others: c_A N_A - c_C N_C + c_E N_E - c_G N_G = 0, with the mean of the
 * forces at both ends of a leg, which has a weight. */
static void legs_share_as_they_yield(void)
{
    for (int i = 0; i < 2; i++) {
        HolModel *model;
        HolMechanism *mechanism;
        HolSimulation *simulation = NULL;
        HolMessage message = {{0}};
        Watch w = {.states = 0};
        CHECK_CONTEXT("%s", kinds[i]);
        if (open_model(table, (Change[]){{"run.coordinates", kinds[i]}, {0}}, &model, &mechanism)) {
            HolInitialState start = hol_mechanism_initial_state(mechanism);
            HolSimulationOptions options = hol_mechanism_options(mechanism);
            CHECK_OK(hol_recorder_create(mechanism, NULL, 0, &w.recorder, &message));
            REQUIRE(hol_recorder_column_count(w.recorder) <= 60);
            CHECK_OK(hol_simulation_create(hol_mechanism_system(mechanism), &start, &options, &simulation, &message));
            HolMeasures measures = hol_simulation_measures(simulation);
            CHECK_OK(hol_recorder_read(w.recorder, hol_simulation_state(simulation), &measures, w.values));
            double a = value(&w, "A.fz") + value(&w, "B.fz"), c = value(&w, "C.fz") + value(&w, "D.fz");
            double e = value(&w, "E.fz") + value(&w, "F.fz"), g = value(&w, "G.fz") - value(&w, "H.fz");
            CHECK_NEAR(a / 1 - c / 2 + e / 3 - g / 4, 0, 1e-9);
            CHECK_NEAR((a + c + e + g) / 2, 12 * 9.81, 1e-9); /* the plate, and half of each leg */
            CHECK(fabs(a) > 1 && fabs(c) > 1);
            hol_simulation_destroy(simulation);
            hol_recorder_destroy(w.recorder);
        }
        hol_mechanism_destroy(mechanism);
        hol_model_destroy(model);
    }
}

CHECK_MAIN(TEST(rods_share_by_the_chosen_rule), TEST(misfits_and_preloads_stay), TEST(formulations_use_the_stiffness),
           TEST(a_door_hangs_as_its_hinges_yield), TEST(legs_share_as_they_yield))
