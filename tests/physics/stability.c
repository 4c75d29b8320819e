/* SPDX-License-Identifier: BSD-3-Clause */
/* Rounding errors of rigid-body modes are not reported as instabilities; slowly growing modes are. */
#include "modes_of.h"

static const char *const coordinates[] = {"reference-point", "natural"};

/* A body that nothing holds, bodies that hold each other alone, one that is held where it is balanced: nothing of them
 * leaves or comes back. Masses of several sizes make rounding coarse. */
static void free_bodies_are_neutral(void)
{
    static const struct {
        int dof;
        const char *text;
    } cases[] = {
        {6, "bodies: {a: {box: [1, 0.5, 0.2], at: [0.3, 0.1, 2], density: 2700}}\n"},
        {10,
         "bodies: {a: {box: [1, 0.5, 0.2], at: [0.3, 0.1, 2], density: 2700},\n"
         "         b: {box: [1, 0.5, 0.2], at: [3.3, 0.1, 2], density: 2e-3},\n"
         "         c: {box: [1, 0.5, 0.2], at: [3.3, 2.1, 2], density: 27}}\n"
         "joints: {h: {spherical: [a, b], at: [2, 0, 1]}, k: {revolute: [b, c], at: [3, 1, 2], axis: [1, 1, 3]}}\n"},
        {3, "gravity: [0, 0, -9.81]\n"
            "bodies: {a: {box: [1, 0.5, 0.2], at: [0.3, 0.1, 2], density: 2700}}\n"
            "joints: {p: {spherical: [ground, a], at: [0.3, 0.1, 2]}}\n"},
        {2, "gravity: [0, 0, -9.81]\n"
            "bodies: {a: {rigid: [-1.1, 0, 0.3], mass: 3.3, inertia: [1, 1, 1]},\n"
            "         b: {rigid: [1.1, 0, -0.3], mass: 3.3, inertia: [1, 2, 3]}}\n"
            "joints: {p: {universal: [ground, a], at: [0, 0, 0], axes: [x, y]},\n"
            "         q: {fixed: [a, b], at: [0.7, 0.3, 0]}}\n"},
        {2,
         "gravity: [0, 0, -9.81]\n"
         "bodies: {a: {rigid: [-1.1, 0, 0.3], mass: 3.3, inertia: [1, 1, 1]},\n"
         "         b: {rigid: [1.1, 0, -0.3], mass: 3.3, inertia: [1, 2, 3]}}\n"
         "joints: {p: {universal: [ground, a], at: [0, 0, 0], axes: [x, y]}, q: {fixed: [a, b], at: [0.7, 0.3, 0]}}\n"
         "forces: {oil: {bushing: [ground, b], at: [0, 0, 0], stiffness: [0, 0, 0], turning_stiffness: [0, 0, 0],\n"
         "               damping: [0, 0, 0], turning_damping: [1, 2, 3]}}\n"},
    };
    for (int i = 0; i < 20; ++i) {
        Case c;
        char text[800];
        HolModesMethod method = i / 10 ? HOL_MODES_LOWEST : HOL_MODES_COMPLETE;
        int k = i / 2 % 5;
        CHECK_CONTEXT("case %d, %s, method %d", k, coordinates[i % 2], (int)method);
        snprintf(text, sizeof text, "%srun: {coordinates: %s}\n", cases[k].text, coordinates[i % 2]);
        REQUIRE(open_text(&c, text));
        if (about_equilibrium(&c, 10, method)) {
            CHECK_EQUAL_INT(c.modes->dof, cases[k].dof);
            CHECK_EQUAL_INT(c.modes->zero_count, cases[k].dof);
            CHECK_EQUAL_INT(c.equilibrium->neutral_count, cases[k].dof);
            CHECK_EQUAL_INT(c.equilibrium->unstable_count + c.modes->unstable_count, 0);
            CHECK(c.equilibrium->growth_rate == 0);
        }
        close_case(&c);
    }
}

/* A box that nothing holds and that starts like this, seen from a frame that turns with it: one mode is s. */
static void check_spin(const char *start, const double turning[3], double real, double imaginary, double tolerance)
{
    for (int i = 0; i < 2; ++i) {
        Case c;
        char text[400];
        CHECK_CONTEXT("%s", coordinates[i]);
        snprintf(text, sizeof text,
                 "bodies: {a: {box: [1, 0.5, 0.2], at: [0, 0, 0], density: 2700}}\n"
                 "start: {a: {%s}}\n"
                 "run: {coordinates: %s}\n",
                 start, coordinates[i]);
        REQUIRE(open_text(&c, text));
        if (about_start(&c, turning, HOL_MODES_COMPLETE)) {
            CHECK_EQUAL_INT(c.modes->unstable_count, real > 0);
            check_mode(c.modes, real, imaginary, tolerance);
        }
        close_case(&c);
    }
}

/* Euler, with moments of inertia A < B < C by squares of edges. About the longest axis of inertia it wobbles, by
 * 3 sqrt((C - A) (C - B) / (A B)); since it moves on, s = 3i is there twice with one shape, which rounding tears apart
 * to 3i +- 3e-8. About the middle one it grows, by 3 sqrt((B - A) (C - B) / (A C)). */
static void a_free_body_turns_as_euler_says(void)
{
    const double A = 0.25 + 0.04, B = 1 + 0.04, C = 1 + 0.25;
    check_spin("velocity: [0, 0, 1], angular_velocity: [0, 0, 3]", (const double[3]){0, 0, 3}, 0,
               3 * sqrt((C - A) * (C - B) / (A * B)), 1e-9);
    check_spin("angular_velocity: [0, 3, 0]", (const double[3]){0, 3, 0}, 3 * sqrt((B - A) * (C - B) / (A * C)), 0,
               1e-8);
}

/* A bar that stands on its pin, s^2 = 3 g / (2 l), however small g is; beside a spring as soft, and one of
 * 1e4 rad/s. */
static void slow_falls_are_reported_as_unstable(void)
{
    for (int i = 0; i < 4; ++i) {
        Case c;
        char text[700];
        double g = i / 2 ? 1e-3 : 1e-16;
        CHECK_CONTEXT("g = %g, %s", g, coordinates[i % 2]);
        snprintf(text, sizeof text,
                 "plane: xy\n"
                 "gravity: [0, %.17g]\n"
                 "bodies: {bar: {bar: [[0, 0], [0, 1]], mass: 1}, m: {rigid: [3, 0], mass: 1, inertia: 1}}\n"
                 "joints: {O: {revolute: [ground, bar], at: [0, 0]},\n"
                 "         s: {prismatic: [ground, m], at: [3, 0], axis: x}}\n"
                 "forces: {k: {spring: [ground, m], from: [2, 0], to: [3, 0], stiffness: %s}}\n"
                 "run: {coordinates: %s}\n",
                 -g, i / 2 ? "1e8" : "1e-16", coordinates[i % 2]);
        REQUIRE(open_text(&c, text));
        if (about_equilibrium(&c, 0, HOL_MODES_COMPLETE)) {
            double s = sqrt(1.5 * g);
            CHECK_EQUAL_INT(c.modes->unstable_count, 1);
            CHECK_EQUAL_INT(c.equilibrium->unstable_count, 1);
            check_mode(c.modes, s, 0, 1e-4 * s);
            CHECK_NEAR(c.equilibrium->growth_rate, s, 1e-4 * s);
        }
        close_case(&c);
    }
}

/* Two masses alike, of which one is driven by as little as the other is damped: growth of 1e-7 of the frequency. They
 * have shapes of their own, so that their mean says nothing. */
static void little_growth_beside_as_little_damping_is_reported(void)
{
    Case c;
    REQUIRE(open_text(&c, "plane: xy\n"
                          "bodies: {a: {rigid: [0, 0], mass: 1, inertia: 1}, b: {rigid: [0, 2], mass: 1, inertia: 1}}\n"
                          "joints: {p: {prismatic: [ground, a], at: [0, 0], axis: x},\n"
                          "         q: {prismatic: [ground, b], at: [0, 2], axis: x}}\n"
                          "forces:\n"
                          "  k: {spring: [ground, a], from: [-1, 0], to: [0, 0], stiffness: 100, damping: -2e-6}\n"
                          "  l: {spring: [ground, b], from: [-1, 2], to: [0, 2], stiffness: 100, damping: 2e-6}\n"));
    if (about_equilibrium(&c, 0, HOL_MODES_COMPLETE)) {
        CHECK_EQUAL_INT(c.modes->unstable_count, 1);
        CHECK_NEAR(c.equilibrium->growth_rate, 1e-6, 1e-9);
    }
    close_case(&c);
}

/* J. P. Meijaard et al., 2007: weave is stable from 4.29238 m/s on, capsize up to 6.02426 m/s. */
static void a_bicycle_knows_its_limits(void)
{
    static const double weave = 4.29238253634111, capsize = 6.02426201538837;
    const double speeds[] = {weave - 1e-5, weave + 1e-5, capsize - 1e-5, capsize + 1e-5};
    for (int i = 0; i < 4; ++i) {
        Case c = {0};
        HolModel *model = hol_model_create();
        CHECK_CONTEXT("%.8g m/s", speeds[i]);
        CHECK_OK(hol_model_load(model, "bicycle"));
        CHECK_OK(hol_model_set(model, "parameters.speed", "%.15g", speeds[i]));
        CHECK_OK(hol_model_set(model, "parameters.lean_rate", "%s", "0"));
        bool is_open = assembled_open(model, &c.mechanism, &c.message);
        hol_model_destroy(model);
        REQUIRE(is_open);
        if (about_start(&c, (const double[3]){0, 0, 0}, HOL_MODES_COMPLETE))
            CHECK_EQUAL_INT(c.modes->unstable_count, i == 0 || i == 3);
        close_case(&c);
    }
}

/* Ziegler's column of two bars with masses 2 and 1 at their ends, k = l = 1, under a load P that follows it:
 *
 *     2 s^4 + (7 - 2 P) s^2 + 1 = 0,
 *
 * so that it flutters from P = 7/2 - sqrt(2) = 2.086 on. A stiff spring that does not touch it changes nothing. */
static void a_column_flutters_whatever_is_stiff_beside_it(void)
{
    static const double loads[] = {2, 2.2}, stiffnesses[] = {1, 1e9, 1e11};
    for (int i = 0; i < 6; ++i) {
        Case c;
        char text[900];
        double P = loads[i % 2], K = stiffnesses[i / 2], half = (7 - 2 * P) / 4, rest = half * half - 0.5;
        CHECK_CONTEXT("P = %g, K = %g", P, K);
        snprintf(text, sizeof text,
                 "plane: xy\n"
                 "gravity: [0, 0]\n"
                 "bodies: {a: {rigid: [1, 0], mass: 2, inertia: 1e-12}, b: {rigid: [2, 0], mass: 1, inertia: 1e-12},\n"
                 "         c: {rigid: [5, 0], mass: 1, inertia: 1}}\n"
                 "joints: {A: {revolute: [ground, a], at: [0, 0]}, B: {revolute: [a, b], at: [1, 0]},\n"
                 "         C: {prismatic: [ground, c], at: [5, 0], axis: x}}\n"
                 "forces: {ka: {torsion: A, stiffness: 1}, kb: {torsion: B, stiffness: 1},\n"
                 "         f: {force: b, vector: [%g, 0], axes: body},\n"
                 "         kc: {spring: [ground, c], from: [4, 0], to: [5, 0], stiffness: %g}}\n",
                 -P, K);
        REQUIRE(open_text(&c, text));
        if (about_start(&c, NULL, HOL_MODES_COMPLETE)) {
            CHECK_EQUAL_INT(c.modes->unstable_count, i % 2);
            if (rest > 0) {
                check_mode(c.modes, 0, sqrt(half - sqrt(rest)), 1e-6);
                check_mode(c.modes, 0, sqrt(half + sqrt(rest)), 1e-6);
            } else {
                double size = sqrt(hypot(half, sqrt(-rest))), angle = atan2(sqrt(-rest), -half) / 2;
                check_mode(c.modes, size * cos(angle), size * sin(angle), 1e-6);
            }
        }
        close_case(&c);
    }
}

CHECK_MAIN(TEST(free_bodies_are_neutral), TEST(a_free_body_turns_as_euler_says),
           TEST(slow_falls_are_reported_as_unstable), TEST(little_growth_beside_as_little_damping_is_reported),
           TEST(a_bicycle_knows_its_limits), TEST(a_column_flutters_whatever_is_stiff_beside_it))
