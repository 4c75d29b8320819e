/* SPDX-License-Identifier: BSD-3-Clause */
/* Points of application and distribution of reactions, by statics: no moment at a rolling contact; legs with elastic
 * ends and elastic legs; rigid legs beside a soft one; and orientations beyond a whole turn. */
#include "recorded.h"

static bool open_scene(Recorded *s, const char *text, const char *coordinates, const char *formulation)
{
    HolModel *model = hol_model_create();
    CHECK_OK(hol_model_parse(model, text, "test"));
    CHECK_OK(hol_model_set(model, "run.coordinates", "%s", coordinates));
    CHECK_OK(hol_model_set(model, "run.formulation", "%s", formulation));
    return recorded_open(s, model, "all");
}

static const char *const kinds[] = {"reference-point", "natural"};

/* ---- Rolling ---- */

static const char *const disc = "extends: rolling-disc\n";

static const char *const ball = "gravity: [1, 0, -10]\n"
                                "bodies: {ball: {rigid: [0, 0, 0.1], mass: 2, inertia: [0.008, 0.008, 0.008]}}\n"
                                "joints: {floor: {rolling: [ground, ball], radius: 0.1, through: [0, 0, 0]}}\n"
                                "start: {ball: {velocity: [0, 1, 0], angular_velocity: [-10, 0, 3]}}\n";

/* 0.8 m from the centre, at 3 to 4. */
static const char *const bowl =
    "gravity: [0, 0, -10]\n"
    "bodies: {ball: {rigid: [0.48, 0, 0.36], mass: 2, inertia: [0.032, 0.032, 0.032]}}\n"
    "joints: {floor: {rolling: [ground, ball], radius: 0.2, inside: 1, through: [0, 0, 1]}}\n"
    "start: {ball: {velocity: [0, 1, 0]}}\n";

static void check_contact(const char *text, const char *name)
{
    static const char *const moments[] = {"floor.tx", "floor.ty", "floor.tz"};
    for (int c = 0; c < 2; c++) {
        Recorded s;
        CHECK_CONTEXT("%s, %s", name, kinds[c]);
        if (open_scene(&s, text, kinds[c], "direct-correction"))
            for (double t = 0; t < 0.35 && recorded_go_to(&s, t); t += 0.1) {
                for (int i = 0; i < 3; i++)
                    CHECK_NEAR(recorded_value(&s, moments[i]), 0, 1e-9);
                CHECK(hypot(recorded_value(&s, "floor.fx"), recorded_value(&s, "floor.fy")) >
                      0.1); /* else none would be anywhere */
            }
        recorded_close(&s);
    }
}

static void a_contact_bears_no_moment(void)
{
    check_contact(disc, "disc");
    check_contact(ball, "ball");
    check_contact(bowl, "bowl");
}

/* ---- Legs ---- */

/* Bars yield, and so do the joints at their ends: 1/k = 2/k_joint + 1/k_bar, 0.5, 2 and 3 MN/m at x = 0, 1, 2. */
static const char *const legs = "plane: xy\n"
                                "gravity: [0, 0]\n"
                                "points: {A: [0, 0], B: [0, 1], C: [1, 0], D: [1, 1], E: [2, 0], F: [2, 1]}\n"
                                "bodies:\n"
                                "  AB: {bar: [A, B], mass: 1}\n"
                                "  CD: {bar: [C, D], mass: 1, stiffness: 4e6}\n"
                                "  EF: {bar: [F, E], mass: 1, stiffness: 6e6}\n"
                                "  plate: {rigid: [1, 1], mass: 10, inertia: 1}\n"
                                "joints:\n"
                                "  A: {revolute: [ground, AB], at: A, stiffness: 1e6}\n"
                                "  B: {revolute: [AB, plate], at: B, stiffness: 1e6}\n"
                                "  C: {revolute: [ground, CD], at: C, stiffness: 8e6}\n"
                                "  D: {revolute: [CD, plate], at: D, stiffness: 8e6}\n"
                                "  E: {revolute: [ground, EF], at: E, stiffness: 12e6}\n"
                                "  F: {revolute: [EF, plate], at: F, stiffness: 12e6}\n"
                                "forces: {load: {force: plate, vector: [0, -100], at: [0.8, 1]}}\n";

/* F_i = k_i (a + b x_i) with sum F_i = 100 N, sum x_i F_i = 80 N m: a = 760/13 um, b = -360/13 um/m. */
static void a_leg_yields_at_both_ends_and_in_itself(void)
{
    for (int c = 0; c < 2; c++) {
        Recorded s;
        CHECK_CONTEXT("%s", kinds[c]);
        if (open_scene(&s, legs, kinds[c], "direct-correction")) {
            CHECK_NEAR(recorded_value(&s, "B.fy"), 0.5 * 760 / 13, 1e-9);
            CHECK_NEAR(recorded_value(&s, "D.fy"), 2.0 * (760 - 360) / 13, 1e-9);
            CHECK_NEAR(recorded_value(&s, "F.fy"), 3.0 * (760 - 720) / 13, 1e-9);
        }
        recorded_close(&s);
    }
}

/* A table of 100 N on four rigid legs, and a soft one that then carries nothing. The smallest forces with the weight at
 * (0.35, 0.4) are 25 N - 15 N/m (x - 0.5 m) - 10 N/m (y - 0.5 m). */
static const char *const table =
    "gravity: [0, 0, -10]\n"
    "bodies: {table: {rigid: [0.35, 0.4, 1], mass: 10, inertia: [1, 1, 1]}}\n"
    "joints:\n"
    "  soft: {distance: [ground, table], from: [0.2, 0.7, 0], to: [0.2, 0.7, 1], stiffness: 1e6}\n"
    "  a: {distance: [ground, table], from: [0, 0, 0], to: [0, 0, 1]}\n"
    "  b: {distance: [ground, table], from: [1, 0, 0], to: [1, 0, 1]}\n"
    "  c: {distance: [ground, table], from: [1, 1, 0], to: [1, 1, 1]}\n"
    "  d: {distance: [ground, table], from: [0, 1, 0], to: [0, 1, 1]}\n";

static void rigid_legs_share_as_the_smallest_beside_soft_ones(void)
{
    static const char *const formulations[] = {"direct-correction", "elimination", "generalized-inverse"};
    for (int f = 0; f < 6; f++) {
        Recorded s;
        CHECK_CONTEXT("%s, %s", formulations[f / 2], kinds[f % 2]);
        if (open_scene(&s, table, kinds[f % 2], formulations[f / 2])) {
            CHECK_NEAR(recorded_value(&s, "soft.fz"), 0, 1e-9);
            CHECK_NEAR(recorded_value(&s, "a.fz"), 37.5, 1e-9);
            CHECK_NEAR(recorded_value(&s, "b.fz"), 22.5, 1e-9);
            CHECK_NEAR(recorded_value(&s, "c.fz"), 12.5, 1e-9);
            CHECK_NEAR(recorded_value(&s, "d.fz"), 27.5, 1e-9);
        }
        recorded_close(&s);
    }
}

/* ---- Orientations ---- */

/* About z with 1 rad/s: e = (cos(t/2), 0, 0, sin(t/2)), which is the opposite after a turn. */
static void orientations_turn_on(void)
{
    static const char *const wheel = "bodies: {wheel: {rigid: [0, 0, 0], mass: 1, inertia: [1, 1, 1]}}\n"
                                     "joints: {pin: {revolute: [ground, wheel], at: [0, 0, 0], axis: z}}\n"
                                     "start: {wheel: {angular_velocity: [0, 0, 1]}}\n"
                                     "run: {step: 10 ms}\n";
    for (int c = 0; c < 2; c++) {
        Recorded s;
        CHECK_CONTEXT("%s", kinds[c]);
        if (open_scene(&s, wheel, kinds[c], "direct-correction"))
            for (int k = 1; k <= 20 && recorded_go_to(&s, k); k++) {
                CHECK_NEAR(recorded_value(&s, "wheel.e0"), cos(0.5 * k), 1e-6);
                CHECK_NEAR(recorded_value(&s, "wheel.e3"), sin(0.5 * k), 1e-6);
            }
        recorded_close(&s);
    }
}

CHECK_MAIN(TEST(a_contact_bears_no_moment), TEST(a_leg_yields_at_both_ends_and_in_itself),
           TEST(rigid_legs_share_as_the_smallest_beside_soft_ones), TEST(orientations_turn_on))
