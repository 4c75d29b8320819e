/* SPDX-License-Identifier: BSD-3-Clause */
/* Modes of slender beams, whose frequencies lie seven orders of magnitude apart, by both methods. The beam has
 * E I = m = L = 1 in the plane xy; shear and rotary inertia are too small to matter. */
#include "modes_of.h"

static const char *const methods[] = {"automatic", "complete", "lowest"};

static const char *const slender =
    "beams:\n"
    "  b: {from: [0, 0, 0], to: [1, 0, 0], elements: 4, section: {EA: 1e7, GA2: 1e7, GA3: 1e7, GJ: 300, EI2: 300,\n"
    "      EI3: 1, mass: 1, J2: 1e-6, J3: 1e-8}}\n"
    "joints: {clamp: {fixed: [ground, b.start], at: [0, 0, 0]}}\n";

static bool open_slender(Case *c, const char *forces)
{
    char text[2000];
    snprintf(text, sizeof text, "%s%s", slender, forces);
    return open_text(c, text);
}

static void a_slender_cantilever_has_slow_modes(void)
{
    static const double roots[] = {1.8751040687119611, 4.694091132974175, 7.854757438237613};
    for (int method = HOL_MODES_COMPLETE; method <= HOL_MODES_LOWEST; ++method) {
        Case c;
        CHECK_CONTEXT("%s", methods[method]);
        REQUIRE(open_slender(&c, ""));
        if (about_equilibrium(&c, 12, (HolModesMethod)method)) {
            CHECK_EQUAL_INT(c.modes->zero_count + c.modes->unstable_count, 0);
            for (int k = 0; k < 3; ++k)
                check_mode(c.modes, 0, roots[k] * roots[k], 1e-3 * roots[k] * roots[k]);
        }
        close_case(&c);
    }
}

/* All modes, the fast ones too: along the beam free of the rest, omega = (k - 1/2) pi sqrt(EA / m) / L. */
static void fast_modes_are_found_beside_slow_ones(void)
{
    Case c;
    REQUIRE(open_slender(&c, ""));
    if (about_equilibrium(&c, 0, HOL_MODES_COMPLETE)) {
        CHECK_EQUAL_INT(c.modes->count, 72);
        check_mode(c.modes, 0, M_PI / 2 * sqrt(1e7), 1);
        check_mode(c.modes, 0, 3 * M_PI / 2 * sqrt(1e7), 5);
        CHECK(c.modes->modes[71].imaginary > 3e7 && c.modes->modes[71].imaginary < 4e7); /* sqrt(GA / J) is 3.16e7 */
    }
    close_case(&c);
}

/* Euler: pi^2 / 4 for a force that keeps its direction. */
static void a_column_buckles(void)
{
    for (int k = 0; k < 2; ++k) {
        Case c;
        char force[200];
        double P = M_PI * M_PI / 4 * (k ? 1.01 : 0.99);
        snprintf(force, sizeof force, "forces: {F: {force: b.end, at: [1, 0, 0], vector: [%.17g, 0, 0]}}\n", -P);
        CHECK_CONTEXT("P = %g", P);
        REQUIRE(open_slender(&c, force));
        if (about_equilibrium(&c, 0, HOL_MODES_COMPLETE)) {
            CHECK_EQUAL_INT(c.modes->unstable_count, k);
            CHECK_EQUAL_INT(c.modes->zero_count, 0);
        }
        close_case(&c);
    }
}

/* Beck: a force that follows the end lets two modes meet at 20.0509, omega 11.016, and grow from there on. */
static void a_column_flutters_under_a_follower_force(void)
{
    for (int i = 0; i < 4; ++i) {
        Case c;
        char force[200];
        HolModesMethod method = i / 2 ? HOL_MODES_LOWEST : HOL_MODES_COMPLETE;
        double P = i % 2 ? 20.07 : 20.03;
        snprintf(force, sizeof force, "forces: {F: {force: b.end, at: [1, 0, 0], vector: [%g, 0, 0], axes: body}}\n",
                 -P);
        CHECK_CONTEXT("%s, P = %g", methods[method], P);
        REQUIRE(open_slender(&c, force));
        if (about_equilibrium(&c, 6, (HolModesMethod)method)) {
            CHECK_EQUAL_INT(c.modes->unstable_count, i % 2);
            CHECK_NEAR(hypot(c.modes->modes[0].real, c.modes->modes[0].imaginary), 11.016, 0.4);
        }
        close_case(&c);
    }
}

/* A damper c = 1 at the end: 1 + cos l cosh l = (c s / l^3) (cos l sinh l - sin l cosh l), l^4 = -s^2, by Newton's
 * method with 20 digits. It leads modes out of any span of undamped ones. */
static void a_damper_at_the_end_takes_all_modes_with_it(void)
{
    static const double s[3][2] = {{-2.0835394863205197, 2.9226186306961454},
                                   {-1.9689054034346547, 21.636280151342394},
                                   {-1.9856655111553427, 61.457587538892564}};
    for (int method = HOL_MODES_COMPLETE; method <= HOL_MODES_LOWEST; ++method) {
        Case c;
        CHECK_CONTEXT("%s", methods[method]);
        REQUIRE(open_slender(&c, "forces: {d: {spring: [ground, b.end], from: [1, 1, 0], to: [1, 0, 0], stiffness: 0,\n"
                                 "  damping: 1, free_length: 1}}\n"));
        if (about_equilibrium(&c, 6, (HolModesMethod)method)) {
            CHECK_EQUAL_INT(c.modes->zero_count + c.modes->unstable_count, 0);
            for (int k = 0; k < 3; ++k)
                check_mode(c.modes, s[k][0], s[k][1], 2e-3 * hypot(s[k][0], s[k][1]));
        }
        close_case(&c);
    }
}

/* The same at the end of a free beam: six motions are free, one of them damped. */
static void a_free_beam_with_a_damper_has_six_zeros(void)
{
    for (int method = HOL_MODES_COMPLETE; method <= HOL_MODES_LOWEST; ++method) {
        Case c;
        CHECK_CONTEXT("%s", methods[method]);
        REQUIRE(open_text(&c,
                          "beams: {b: {from: [0, 0, 0], to: [2, 0, 0], section: {circle: 0.02, E: 210 GPa, nu: 0.3,\n"
                          "  density: 7850}}}\n"
                          "forces: {d: {spring: [ground, b.end], from: [2, 0, 1], to: [2, 0, 0], stiffness: 0,\n"
                          "  damping: 20, free_length: 1}}\n"));
        if (about_equilibrium(&c, 9, (HolModesMethod)method)) {
            /* A rigid bar: (1/m + l^2/J) c with l = L/2, J = m L^2/12 is 4 c / m. */
            double mass = M_PI * 4e-4 * 2 * 7850;
            CHECK_EQUAL_INT(c.modes->zero_count, 6);
            CHECK_EQUAL_INT(c.modes->unstable_count, 0);
            check_mode(c.modes, -4 * 20 / mass, 0, 1e-2 * 4 * 20 / mass);
        }
        close_case(&c);
    }
}

/* In a turning frame what moves in its plane is softer by Omega^2: 3.516^2 E I / (m L^4) - Omega^2, the line as drawn
 * being without tension. */
static void slow_modes_of_a_rotor_are_not_free(void)
{
    Case c;
    const double turning[3] = {0, 0, 2}, first = 3.5160152685;
    REQUIRE(open_text(&c, "bodies: {hub: {rigid: [0, 0, 0], mass: 1, inertia: [1, 1, 1]}}\n"
                          "beams:\n"
                          "  b: {from: [0, 0, 0], to: [1, 0, 0], section: {EA: 1e7, GA2: 1e7, GA3: 1e7, GJ: 300,\n"
                          "      EI2: 1.5, EI3: 1, mass: 1, J2: 1e-7, J3: 1e-7}}\n"
                          "joints:\n"
                          "  clamp: {fixed: [hub, b.start], at: [0, 0, 0]}\n"
                          "  axle: {revolute: [ground, hub], at: [0, 0, 0], axis: z}\n"
                          "drivers: {motor: {angle: axle, value: 2*t}}\n"
                          "start: {b: {velocity: [0, 0, 0], angular_velocity: [0, 0, 2]}}\n"));
    if (about_start(&c, turning, HOL_MODES_COMPLETE)) {
        CHECK_EQUAL_INT(c.modes->zero_count + c.modes->unstable_count, 0);
        check_mode(c.modes, 0, sqrt(first * first - 4), 1e-3);
        check_mode(c.modes, 0, sqrt(1.5) * first, 1e-3);
    }
    close_case(&c);
}

/* An arc of three quarters of a turn, and a line that wants to be an arc about axis 3. */
static void arcs_are_where_they_should_be(void)
{
    Case c;
    REQUIRE(open_text(&c, "beams: {b: {from: [1, 0, 0], through: [-1, 0, 0], to: [0, -1, 0], elements: 2, order: 1,\n"
                          "  section: {circle: 0.1, E: 210 GPa, nu: 0.3, density: 7850}}}\n"
                          "joints: {clamp: {fixed: [ground, b.start], at: [1, 0, 0]}}\n"));
    if (about_equilibrium(&c, 1, HOL_MODES_COMPLETE)) {
        CHECK_NEAR(c.equilibrium->state.q[12], -sqrt(0.5), 1e-12);
        CHECK_NEAR(c.equilibrium->state.q[13], sqrt(0.5), 1e-12);
    }
    close_case(&c);
    REQUIRE(open_text(&c, "beams: {b: {from: [0, 0, 0], to: [1, 0, 0], free_curvature: [0, 0, 1],\n"
                          "  section: {circle: 0.1, E: 210 GPa, nu: 0.3, density: 7850}}}\n"
                          "joints: {clamp: {fixed: [ground, b.start], at: [0, 0, 0]}}\n"));
    if (about_equilibrium(&c, 1, HOL_MODES_COMPLETE)) {
        CHECK_NEAR(c.equilibrium->state.q[12 * 12], sin(1), 1e-5);
        CHECK_NEAR(c.equilibrium->state.q[12 * 12 + 1], 1 - cos(1), 1e-5);
    }
    close_case(&c);
}

CHECK_MAIN(TEST(a_slender_cantilever_has_slow_modes), TEST(fast_modes_are_found_beside_slow_ones),
           TEST(a_column_buckles), TEST(a_column_flutters_under_a_follower_force),
           TEST(a_damper_at_the_end_takes_all_modes_with_it), TEST(a_free_beam_with_a_damper_has_six_zeros),
           TEST(slow_modes_of_a_rotor_are_not_free), TEST(arcs_are_where_they_should_be))
