/* SPDX-License-Identifier: BSD-3-Clause */
/* Modes about a state, against closed forms and the literature. */
#include "check.h"
#include "modes_of.h"

#include <stdlib.h>

static const char *const coordinates[] = {"reference-point", "natural"};

static const char *const pendulum = "plane: xy\ngravity: [0, -9.81]\n"
                                    "bodies: {bob: {rigid: [2*sin(angle), -2*cos(angle)], mass: 3, inertia: 0.5}}\n"
                                    "parameters: {angle: 100 deg}\n"
                                    "joints: {O: {revolute: [ground, bob], at: [0, 0]}}\n";

static void a_pendulum_swings_with_its_frequency(void)
{
    double omega = sqrt(3 * 9.81 * 2 / (3 * 4 + 0.5));
    for (int k = 0; k < 2; ++k) {
        Case c;
        char text[1000];
        snprintf(text, sizeof text, "%srun: {coordinates: %s}\n", pendulum, coordinates[k]);
        CHECK_CONTEXT("%s", coordinates[k]);
        REQUIRE(open_text(&c, text));
        if (about_equilibrium(&c, 0, HOL_MODES_AUTOMATIC)) {
            CHECK_EQUAL_INT(c.modes->count, 1);
            CHECK_EQUAL_INT(c.modes->dof, 1);
            CHECK_EQUAL_INT(c.modes->unstable_count, 0);
            CHECK(c.modes->is_steady && c.modes->is_complete && c.modes->is_undamped);
            check_mode(c.modes, 0, omega, 1e-9);
            CHECK_NEAR(c.modes->modes[0].frequency, omega / (2 * M_PI), 1e-9);
            CHECK_NEAR(c.modes->modes[0].damping, 0, 0);
        }
        close_case(&c);
    }
}

static void an_inverted_pendulum_is_unstable(void)
{
    Case c;
    double omega = sqrt(3 * 9.81 * 2 / (3 * 4 + 0.5));
    REQUIRE(open_text(&c, "plane: xy\ngravity: [0, 9.81]\n"
                          "bodies: {bob: {rigid: [0, -2], mass: 3, inertia: 0.5}}\n"
                          "joints: {O: {revolute: [ground, bob], at: [0, 0]}}\n"));
    REQUIRE(about_equilibrium(&c, 0, HOL_MODES_AUTOMATIC));
    CHECK_EQUAL_INT(c.equilibrium->unstable_count, 1);
    CHECK_NEAR(c.equilibrium->growth_rate, omega, 1e-12);
    CHECK_EQUAL_INT(c.modes->count, 2);
    CHECK_EQUAL_INT(c.modes->unstable_count, 1);
    CHECK_NEAR(c.modes->modes[0].real, omega, 1e-12);
    CHECK_NEAR(c.modes->modes[1].real, -omega, 1e-12);
    CHECK_NEAR(c.modes->modes[0].damping, -1, 0);
    close_case(&c);
}

/* Point masses m at the ends of massless rods l: omega^2 = (2 +- sqrt 2) g / l. */
static void a_double_pendulum_has_two_modes(void)
{
    for (int k = 0; k < 2; ++k) {
        Case c;
        char text[1000];
        CHECK_CONTEXT("%s", coordinates[k]);
        snprintf(text, sizeof text,
                 "gravity: [0, 0, -9.81]\n"
                 "bodies:\n  a: {rigid: [0.7, 0, 0], mass: 2, inertia: [1e-9, 1e-9, 1e-9]}\n"
                 "  b: {rigid: [1.4, 0, 0], mass: 2, inertia: [1e-9, 1e-9, 1e-9]}\n"
                 "joints:\n  A: {revolute: [ground, a], at: [0, 0, 0], axis: y}\n"
                 "  B: {revolute: [a, b], at: [0.7, 0, 0], axis: y}\n"
                 "run: {coordinates: %s}\n",
                 coordinates[k]);
        REQUIRE(open_text(&c, text));
        if (about_equilibrium(&c, 0, HOL_MODES_AUTOMATIC)) {
            CHECK_EQUAL_INT(c.modes->count, 2);
            for (int i = 0; i < 2; ++i)
                CHECK_NEAR(c.modes->modes[i].imaginary, sqrt((2 + (i ? 1 : -1) * sqrt(2)) * 9.81 / 0.7), 1e-7);
        }
        close_case(&c);
    }
}

/* Two masses on a spring of 20 N/m, one of 1e10 N/m between them. */
static void a_stiff_spring_leaves_the_soft_mode(void)
{
    Case c;
    REQUIRE(open_text(&c, "gravity: [0, 0, -10]\n"
                          "bodies: {a: {rigid: [0, 0, -1], mass: 2, inertia: [1, 1, 1]},\n"
                          "         b: {rigid: [0, 0, -2], mass: 3, inertia: [1, 1, 1]}}\n"
                          "joints: {s: {prismatic: [ground, a], at: [0, 0, 0], axis: z},\n"
                          "         r: {prismatic: [ground, b], at: [0, 0, 0], axis: z}}\n"
                          "forces: {k: {spring: [ground, a], from: [0, 0, 0], to: [0, 0, -1], stiffness: 20},\n"
                          "         l: {spring: [a, b], from: [0, 0, -1], to: [0, 0, -2], stiffness: 1e10}}\n"));
    for (int k = 0; k < 2; ++k) {
        CHECK_CONTEXT("method %d", k);
        REQUIRE(about_equilibrium(&c, 1, k ? HOL_MODES_LOWEST : HOL_MODES_COMPLETE));
        CHECK(c.modes->is_steady);
        check_mode(c.modes, 0, 2, 1e-5);
    }
    close_case(&c);
}

static void damping_has_its_ratio(void)
{
    Case c;
    REQUIRE(open_text(&c, "plane: xy\nbodies: {a: {rigid: [1, 0], mass: 2, inertia: 1}}\n"
                          "joints: {s: {prismatic: [ground, a], at: [0, 0], axis: x}}\n"
                          "forces: {k: {spring: [ground, a], stiffness: 50, damping: 4,\n"
                          "             from: [0, 0], to: [1, 0]}}\n"));
    REQUIRE(about_equilibrium(&c, 0, HOL_MODES_AUTOMATIC));
    CHECK_EQUAL_INT(c.modes->count, 1);
    check_mode(c.modes, -1, sqrt(25 - 1), 1e-12);
    CHECK_NEAR(c.modes->modes[0].damping, 0.2, 1e-13);
    CHECK(c.modes->is_steady);
    CHECK(!c.modes->is_undamped);
    close_case(&c);
}

/* A mass that slides in a rotor, held by a spring against being flung out: omega^2 = k / m - Omega^2. */
static void a_mass_on_a_rotor_feels_the_turning(void)
{
    const double turning[3] = {0, 0, 3};
    for (int k = 0; k < 2; ++k) {
        Case c;
        char text[1000];
        CHECK_CONTEXT("%s", coordinates[k]);
        snprintf(
            text, sizeof text,
            "plane: xy\nparameters: {k: 100, m: 2, r: 1.5, W: 3}\n"
            "bodies: {rotor: {rigid: [0, 0], mass: 1, inertia: 1}, bob: {rigid: [r*cos(0.3), r*sin(0.3)], mass: m, inertia: 0.1}}\n"
            "joints:\n  O: {revolute: [ground, rotor], at: [0, 0]}\n"
            "  slide: {prismatic: [rotor, bob], at: [r*cos(0.3), r*sin(0.3)], axis: [cos(0.3), sin(0.3)]}\n"
            "drivers: {turn: {angle: O, value: W*t}}\n"
            "forces: {s: {spring: [rotor, bob], from: [0, 0], to: [r*cos(0.3), r*sin(0.3)], stiffness: k, free_length: r - m*W^2*r/k}}\n"
            "run: {coordinates: %s}\n",
            coordinates[k]);
        REQUIRE(open_text(&c, text));
        if (about_start(&c, turning, HOL_MODES_AUTOMATIC)) {
            CHECK(c.modes->is_steady);
            CHECK_EQUAL_INT(c.modes->count, 1);
            check_mode(c.modes, 0, sqrt(50 - 9), 1e-8);
        }
        close_case(&c);
    }
}

/* A mass on equal springs in both directions of a rotor goes round in circles, with omega_0 - Omega ahead of the rotor
 * and with omega_0 + Omega against it: y = -i x and y = i x. */
static void a_mass_on_a_rotor_circles(void)
{
    const double turning[3] = {0, 0, 3};
    for (int k = 0; k < 2; ++k) {
        Case c;
        char text[600];
        CHECK_CONTEXT("%s", coordinates[k]);
        snprintf(text, sizeof text,
                 "plane: xy\nbodies: {rotor: {rigid: [0, 0], mass: 1, inertia: 1}, bob: {rigid: [0, 0], mass: 2, "
                 "inertia: 0.1}}\n"
                 "joints: {O: {revolute: [ground, rotor], at: [0, 0]}, straight: {lock-angle: [rotor, bob]}}\n"
                 "drivers: {turn: {angle: O, value: 3*t}}\n"
                 "forces: {s: {bushing: [rotor, bob], at: [0, 0], stiffness: 98}}\nrun: {coordinates: %s}\n",
                 coordinates[k]);
        REQUIRE(open_text(&c, text));
        REQUIRE(about_start(&c, turning, HOL_MODES_AUTOMATIC));
        CHECK(c.modes->is_steady);
        CHECK_EQUAL_INT(c.modes->count, 2);
        for (int i = 0; i < 2; ++i) {
            const HolMode *mode = &c.modes->modes[i];
            const double *re = mode->shape + (k ? 4 : 3), *im = mode->shape_imaginary + (k ? 4 : 3);
            CHECK_NEAR(mode->imaginary, i ? 10 : 4, 1e-8);
            CHECK_NEAR(re[1], (i ? -1 : 1) * im[0], 1e-8);
            CHECK_NEAR(im[1], (i ? 1 : -1) * re[0], 1e-8);
            CHECK_NEAR(hypot(re[0], im[0]), 1, 1e-8);
        }
        close_case(&c);
    }
}

/* On springs that are as good as none both frequencies are Omega. All numbers of the frame are large beside those of
 * such springs, and none of them is rounding. */
static void a_weak_spring_leaves_the_rotation(void)
{
    static const char *const stiffness[] = {"1e-8", "1e-20", "1e-30"};
    const double turning[3] = {0, 0, 3};
    for (int k = 0; k < 3; ++k) {
        Case c;
        char text[600];
        CHECK_CONTEXT("stiffness %s", stiffness[k]);
        snprintf(text, sizeof text,
                 "plane: xy\nbodies: {rotor: {rigid: [0, 0], mass: 1, inertia: 1}, bob: {rigid: [0, 0], mass: 2, "
                 "inertia: 0.1}}\n"
                 "joints: {O: {revolute: [ground, rotor], at: [0, 0]}, straight: {lock-angle: [rotor, bob]}}\n"
                 "drivers: {turn: {angle: O, value: 3*t}}\n"
                 "forces: {s: {bushing: [rotor, bob], at: [0, 0], stiffness: %s}}\n",
                 stiffness[k]);
        REQUIRE(open_text(&c, text));
        if (about_start(&c, turning, HOL_MODES_AUTOMATIC)) {
            CHECK_EQUAL_INT(c.modes->count, 2);
            for (int i = 0; i < c.modes->count; ++i) {
                CHECK_NEAR(c.modes->modes[i].real, 0, 1e-6);
                CHECK_NEAR(fabs(c.modes->modes[i].imaginary), 3, 1e-3);
            }
        }
        close_case(&c);
    }
}

/* A blade on a hinge at R: lagging omega^2 = Omega^2 m R l / (m l^2 + Jz), flapping
 * Omega^2 (m l (R + l) + Jz - Jx) / (m l^2 + Jy), with inertia about its own axes. */
static void a_turning_blade_is_stiffened(void)
{
    const double W = 5, R = 0.4, l = 1.1, m = 2, J[3] = {0.02, 0.3, 0.31}, turning[3] = {0, 0, W};
    const double squares[2] = {W * W * m * R * l / (m * l * l + J[2]),
                               W * W * (m * l * (R + l) + J[2] - J[0]) / (m * l * l + J[1])};
    for (int k = 0; k < 4; ++k) {
        Case c;
        char text[1200];
        CHECK_CONTEXT("%s, axis %s", coordinates[k / 2], k % 2 ? "y" : "z");
        snprintf(text, sizeof text,
                 "bodies:\n  hub: {rigid: [0, 0, 0], mass: 1, inertia: [1, 1, 1]}\n"
                 "  blade: {rigid: [1.5, 0, 0], mass: 2, inertia: [0.02, 0.3, 0.31]}\n"
                 "joints:\n  O: {revolute: [ground, hub], at: [0, 0, 0], axis: z}\n"
                 "  hinge: {revolute: [hub, blade], at: [0.4, 0, 0], axis: %s}\n"
                 "drivers: {turn: {angle: O, value: 5*t}}\n"
                 "start: {blade: {angular_velocity: [0, 0, 5]}}\n"
                 "run: {coordinates: %s}\n",
                 k % 2 ? "y" : "z", coordinates[k / 2]);
        REQUIRE(open_text(&c, text));
        if (about_start(&c, turning, HOL_MODES_AUTOMATIC)) {
            CHECK(c.modes->is_steady);
            CHECK_EQUAL_INT(c.modes->count, 1);
            check_mode(c.modes, 0, sqrt(squares[k % 2]), 1e-8);
        }
        close_case(&c);
    }
}

/* A symmetric top that stands upright: Jx s^2 - i Jz w s - m g l = 0 for its tilt in global axes. */
static void a_top_sleeps_if_it_turns_fast(void)
{
    const double Jx = 0.3 + 2 * 0.25, Jz = 0.2, weight = 2 * 9.81 * 0.5;
    for (int k = 0; k < 2; ++k) {
        const double w = k ? 60 : 20, square = Jz * w * Jz * w - 4 * Jx * weight, still[3] = {0, 0, 0};
        Case c;
        char text[1000];
        CHECK_CONTEXT("w = %g", w);
        snprintf(text, sizeof text,
                 "gravity: [0, 0, -9.81]\nbodies: {top: {rigid: [0, 0, 0.5], mass: 2, inertia: [0.3, 0.3, 0.2]}}\n"
                 "joints: {O: {spherical: [ground, top], at: [0, 0, 0]}}\n"
                 "start: {top: {angular_velocity: [0, 0, %g]}}\n",
                 w);
        REQUIRE(open_text(&c, text));
        REQUIRE(about_start(&c, still, HOL_MODES_AUTOMATIC));
        CHECK(c.modes->is_steady);
        CHECK_EQUAL_INT(c.modes->zero_count, 1); /* about its axis */
        CHECK_EQUAL_INT(c.modes->count, 3);
        CHECK_EQUAL_INT(c.modes->unstable_count, square < 0);
        for (int sign = -1; sign <= 1; sign += 2) {
            if (square < 0)
                check_mode(c.modes, sign * sqrt(-square) / (2 * Jx), Jz * w / (2 * Jx), 1e-8);
            else
                check_mode(c.modes, 0, (Jz * w + sign * sqrt(square)) / (2 * Jx), 1e-8);
        }
        close_case(&c);
    }
}

/* The rear wheel does not slip sideways: the rate of its contact across the track is the speed times the yaw. The frame
 * comes first, its centre being 0.3 m before and 0.9 m above the contact. */
static void check_rear_wheel(const HolMode *mode)
{
    double across[2], yaw[2];
    for (int part = 0; part < 2; ++part) {
        const double *y = part ? mode->shape_imaginary : mode->shape;
        across[part] = y[1] - 0.3 * y[5] + 0.9 * y[3];
        yaw[part] = y[5];
    }
    CHECK(hypot(yaw[0], yaw[1]) > 1e-3);
    CHECK_NEAR(mode->real * across[0] - mode->imaginary * across[1], 5 * yaw[0], 1e-7);
    CHECK_NEAR(mode->real * across[1] + mode->imaginary * across[0], 5 * yaw[1], 1e-7);
}

/* J. P. Meijaard et al., Proceedings of the Royal Society A 463, 2007: the eigenvalues at 5 m/s. */
static void a_bicycle_weaves_as_in_the_literature(void)
{
    static const double weave[2] = {-0.77534188219585, 4.46486771378823}, capsize = -0.32286642900409;
    static const double caster = -14.07838969279822;
    Case c = {0};
    HolModel *model = hol_model_create();
    CHECK_OK(hol_model_load(model, "bicycle"));
    CHECK_OK(hol_model_set(model, "parameters.speed", "%s", "5"));
    CHECK_OK(hol_model_set(model, "parameters.lean_rate", "%s", "0"));
    bool is_open = assembled_open(model, &c.mechanism, &c.message);
    hol_model_destroy(model);
    REQUIRE(is_open);
    REQUIRE(about_start(&c, (const double[3]){0, 0, 0}, HOL_MODES_AUTOMATIC));
    CHECK(c.modes->is_steady);
    CHECK_EQUAL_INT(c.modes->unstable_count, 0);
    check_mode(c.modes, weave[0], weave[1], 1e-6);
    check_mode(c.modes, capsize, 0, 1e-6);
    check_mode(c.modes, caster, 0, 1e-6);
    CHECK_EQUAL_INT(c.modes->count - c.modes->zero_count, 3);
    check_rear_wheel(nearest(c.modes, weave[0], weave[1]));
    check_rear_wheel(nearest(c.modes, capsize, 0));
    close_case(&c);
}

/* n masses between walls: omega_k = 2 sqrt(k / m) sin(k pi / (2 (n + 1))). */
static char *chain_text(int n, const char *more)
{
    size_t size = 400 * (size_t)n + 1000, at = 0;
    char *text = malloc(size);
    at += (size_t)snprintf(text + at, size - at, "plane: xy\nbodies:\n");
    for (int i = 1; i <= n; ++i)
        at += (size_t)snprintf(text + at, size - at, "  b%d: {rigid: [%d, 0], mass: 2, inertia: 1}\n", i, i);
    at += (size_t)snprintf(text + at, size - at, "joints:\n");
    for (int i = 1; i <= n; ++i)
        at += (size_t)snprintf(text + at, size - at, "  s%d: {prismatic: [ground, b%d], at: [%d, 0], axis: x}\n", i, i,
                               i);
    at += (size_t)snprintf(text + at, size - at, "forces:\n");
    for (int i = 0; i <= n; ++i) {
        char left[20] = "ground", right[20] = "ground";
        if (i > 0)
            snprintf(left, sizeof left, "b%d", i);
        if (i < n)
            snprintf(right, sizeof right, "b%d", i + 1);
        at += (size_t)snprintf(text + at, size - at,
                               "  k%d: {spring: [%s, %s], from: [%d, 0], to: [%d, 0], stiffness: 800%s}\n", i, left,
                               right, i, i + 1, more);
    }
    return text;
}

static double chain_frequency(int n, int k)
{
    return 2 * sqrt(800.0 / 2) * sin(k * M_PI / (2 * (n + 1)));
}

static void a_long_chain_has_the_frequencies_of_the_sine(void)
{
    const struct {
        int n;
        HolModesMethod method;
        const char *damping;
    } cases[] = {{30, HOL_MODES_COMPLETE, ""},
                 {30, HOL_MODES_LOWEST, ""},
                 {2000, HOL_MODES_AUTOMATIC, ""},
                 {30, HOL_MODES_LOWEST, ", damping: 8"},
                 {30, HOL_MODES_COMPLETE, ", damping: 8"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        Case c;
        int n = cases[i].n;
        CHECK_CONTEXT("%d masses, method %d%s", n, (int)cases[i].method, cases[i].damping);
        char *text = chain_text(n, cases[i].damping);
        bool open = open_text(&c, text);
        free(text);
        REQUIRE(open && about_equilibrium(&c, 8, cases[i].method));
        CHECK_EQUAL_INT(c.modes->count, 8);
        CHECK_EQUAL_INT(c.modes->dof, n);
        CHECK_EQUAL_INT(c.modes->zero_count + c.modes->unstable_count, 0);
        for (int k = 1; k <= 8; ++k) {
            /* Damping in proportion to the stiffness: zeta = c omega / (2 k). */
            double omega = chain_frequency(n, k), zeta = *cases[i].damping ? 8 * omega / (2 * 800) : 0;
            CHECK_NEAR(c.modes->modes[k - 1].imaginary, omega * sqrt(1 - zeta * zeta), 1e-9 * omega);
            CHECK_NEAR(c.modes->modes[k - 1].damping, zeta, 1e-9);
        }
        close_case(&c);
    }
}

/* Bars of length h with torsion springs E I / h between them, half as soft at the wall, tend to a cantilever with
 * omega_1 = 1.8751^2 sqrt(E I / (rho A L^4)), by the square of h. */
static double cantilever(int n)
{
    Case c;
    size_t at = 0, size = 400 * (size_t)n + 1000;
    char *text = malloc(size);
    double h = 2.0 / n, omega = NAN;
    at += (size_t)snprintf(text + at, size - at, "bodies:\n");
    for (int i = 0; i < n; ++i)
        at += (size_t)snprintf(text + at, size - at,
                               "  b%d: {bar: [[%.17g, 0, 0], [%.17g, 0, 0]], mass: %.17g, section: 1e-4}\n", i, i * h,
                               (i + 1) * h, 0.6 * h);
    at += (size_t)snprintf(text + at, size - at, "joints:\n");
    for (int i = 0; i < n; ++i)
        at += i ? (size_t)snprintf(text + at, size - at, "  j%d: {revolute: [b%d, b%d], at: [%.17g, 0, 0], axis: y}\n",
                                   i, i - 1, i, i * h)
                : (size_t)snprintf(text + at, size - at, "  j0: {revolute: [ground, b0], at: [0, 0, 0], axis: y}\n");
    at += (size_t)snprintf(text + at, size - at, "forces:\n");
    for (int i = 0; i < n; ++i)
        at += (size_t)snprintf(text + at, size - at, "  t%d: {torsion: j%d, stiffness: %.17g}\n", i, i,
                               (i ? 50 : 100) / h);
    if (open_text(&c, text) && about_equilibrium(&c, 3, HOL_MODES_AUTOMATIC))
        omega = c.modes->modes[0].imaginary;
    close_case(&c);
    free(text);
    return omega;
}

static void bars_with_torsion_springs_become_a_cantilever(void)
{
    double exact = 1.8751040687119611 * 1.8751040687119611 * sqrt(50 / (0.6 * 16));
    double coarse = cantilever(10), fine = cantilever(20), large = cantilever(80);
    CHECK_NEAR(fine, exact, 2e-3 * exact);
    CHECK_NEAR((coarse - exact) / (fine - exact), 4, 0.4);
    CHECK_NEAR((fine - exact) / (large - exact), 16, 2); /* 480 velocities: the sparse method */
}

static void a_free_body_has_six_zeros(void)
{
    for (int k = 0; k < 4; ++k) {
        Case c;
        char text[600];
        CHECK_CONTEXT("%s, method %d", coordinates[k / 2], k % 2 + 1);
        snprintf(
            text, sizeof text,
            "bodies: {a: {rigid: [1, 2, 3], mass: 2, inertia: [1, 2, 3]}, b: {rigid: [2, 2, 3], mass: 1, inertia: [1, 1, 1]}}\n"
            "forces: {f: {bushing: [a, b], at: [1.4, 2, 3], stiffness: [5, 6, 7], turning_stiffness: [8, 9, 10]}}\n"
            "run: {coordinates: %s}\n",
            coordinates[k / 2]);
        REQUIRE(open_text(&c, text));
        REQUIRE(about_equilibrium(&c, 12, k % 2 ? HOL_MODES_LOWEST : HOL_MODES_COMPLETE));
        CHECK_EQUAL_INT(c.modes->dof, 12);
        CHECK_EQUAL_INT(c.modes->zero_count, 6);
        CHECK_EQUAL_INT(c.equilibrium->neutral_count, 6);
        CHECK_EQUAL_INT(c.modes->unstable_count, 0);
        check_mode(c.modes, 0, sqrt(5 * (1 / 2.0 + 1)), 1e-9); /* along x */
        check_mode(c.modes, 0, sqrt(8 * (1 / 1.0 + 1)), 1e-9); /* about x */
        close_case(&c);
    }
}

/* q1 of mass 1 on a spring 1, q2 without mass on a spring 1 to it and 1 to the wall, q3 without mass held by a row
 * q3 = q1: omega^2 = 1 + 1/2 and a spring of 1e10 that nothing moves. */
static HolStatus massless_evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const double *q = at->q;
    (void)self;
    (void)want;
    terms->M[0] = 1;
    terms->Q[0] = -q[0] - (q[0] - q[1]) - 1e10 * (q[0] - q[2]);
    terms->Q[1] = -(q[1] - q[0]) - q[1];
    terms->Q[2] = 1e10 * (q[0] - q[2]);
    terms->Phi[0] = q[2] - q[0];
    terms->D[0] = -1;
    terms->D[2] = 1;
    return HOL_OK;
}

static HolStatus massless_tangent(const void *self, const HolPoint *at, const double *vdot, const double *lambda,
                                  HolTerms *terms)
{
    static const double K[9] = {2 + 1e10, -1, -1e10, -1, 2, 0, -1e10, 0, 1e10};
    (void)self;
    (void)at;
    (void)vdot;
    (void)lambda;
    memcpy(terms->K, K, sizeof K);
    memset(terms->C, 0, sizeof K);
    return HOL_OK;
}

static void directions_without_mass_follow(void)
{
    static const HolSystemOps ops = {.evaluate = massless_evaluate, .tangent = massless_tangent};
    HolSystemSpec spec = hol_system_spec();
    HolSystem *system;
    HolMessage message;
    double q[3] = {0}, lambda[1] = {0};
    spec.name = "massless";
    spec.ops = &ops;
    spec.nq = spec.nv = 3;
    spec.nh = 1;
    spec.constant_mass = spec.scleronomic = true;
    REQUIRE_OK(hol_system_create(&spec, &system, &message));
    for (int k = 0; k < 2; ++k) {
        HolModesOptions options = {.method = k ? HOL_MODES_LOWEST : HOL_MODES_COMPLETE};
        HolState at = {.q = q, .lambda = lambda};
        HolModes *modes;
        CHECK_CONTEXT("method %d", k);
        if (!CHECK_OK(hol_modes(system, &at, &options, &modes, &message))) {
            printf("    %s\n", message.text);
            continue;
        }
        CHECK_EQUAL_INT(modes->count, 1);
        CHECK_NEAR(modes->modes[0].imaginary, sqrt(1.5), 1e-6);
        CHECK_NEAR(fabs(modes->modes[0].shape[1] / modes->modes[0].shape[0]), 0.5, 1e-6);
        hol_modes_destroy(modes);
    }
    hol_system_destroy(system);
}

/* Two masses on a spring: omega^2 = k (1/m_1 + 1/m_2) beside eleven zeros, to rounding. */
static void zeros_leave_the_others_exact(void)
{
    for (int method = HOL_MODES_COMPLETE; method <= HOL_MODES_LOWEST; ++method) {
        Case c;
        CHECK_CONTEXT("method %d", method);
        REQUIRE(open_text(&c, "bodies:\n"
                              "  a: {rigid: [0, 0, 0], mass: 1, inertia: [1, 1, 1]}\n"
                              "  b: {rigid: [1, 0, 0], mass: 2, inertia: [1, 1, 1]}\n"
                              "forces: {s: {spring: [a, b], from: [0, 0, 0], to: [1, 0, 0], stiffness: 100,\n"
                              "  free_length: 1}}\n"));
        if (about_equilibrium(&c, 12, (HolModesMethod)method)) {
            CHECK_EQUAL_INT(c.modes->zero_count, 11);
            check_mode(c.modes, 0, sqrt(150), 1e-12 * sqrt(150));
        }
        close_case(&c);
    }
}

CHECK_MAIN(TEST(a_pendulum_swings_with_its_frequency), TEST(an_inverted_pendulum_is_unstable),
           TEST(a_double_pendulum_has_two_modes), TEST(a_stiff_spring_leaves_the_soft_mode),
           TEST(damping_has_its_ratio), TEST(a_mass_on_a_rotor_feels_the_turning), TEST(a_mass_on_a_rotor_circles),
           TEST(a_weak_spring_leaves_the_rotation), TEST(a_turning_blade_is_stiffened),
           TEST(a_top_sleeps_if_it_turns_fast), TEST(a_bicycle_weaves_as_in_the_literature),
           TEST(a_long_chain_has_the_frequencies_of_the_sine), TEST(bars_with_torsion_springs_become_a_cantilever),
           TEST(a_free_body_has_six_zeros), TEST(directions_without_mass_follow), TEST(zeros_leave_the_others_exact))
