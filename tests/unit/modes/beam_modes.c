/* SPDX-License-Identifier: BSD-3-Clause */
/* Small vibrations of beams about equilibria, against Euler and Bernoulli's beam. */
#include "modes_of.h"
#include "unit/flexible.h"

/* ---- A cantilever ---- */

/* L = 10 m, EI = 14 kN m^2, m = 1.2 kg/m; rotary inertia and shear are made small. */
static void a_cantilever_has_its_frequencies(void)
{
    static const double known[] = {3.797730541132062, 23.79997104197677, 66.64060807138063, 130.58899464594472};
    double omega[8];
    Flexible *f = flexible_open("points: {A: [0, 0, 0], B: [10, 0, 0]}\n"
                                "beams: {b: {from: A, to: B, elements: 8, section: {EA: 1e8, GA2: 1e8, GA3: 1e8,\n"
                                "            GJ: 1e4, EI2: 14000, EI3: 14000, mass: 1.2, J2: 1e-4, J3: 1e-4}}}\n"
                                "joints: {clamp: {fixed: [ground, b.start], at: A}}\n");
    REQUIRE(f != NULL);
    flexible_evaluate(f, 0);
    if (CHECK(flexible_modes(f, 8, omega, NULL)))
        for (int i = 0; i < 8; ++i) {
            CHECK_CONTEXT("mode %d", i);
            CHECK_NEAR(omega[i], known[i / 2], (i < 6 ? 1e-4 : 1e-3) * known[i / 2]); /* two directions each */
        }
    flexible_close(f);
}

/* ---- A tower with a mass on top ---- */

/* Euler and Bernoulli leave out shear and rotary inertia, which a stout tube has: once as it is, once without. */
static void check_tower(const char *section, int count, double tolerance)
{
    static const double known[] = {4.279092701406772, 32.39086020580334, 97.3130931864692};
    char text[1000];
    double omega[6];
    snprintf(text, sizeof text,
             "points: {A: [0, 0, 0], B: [0, 0, 41.98]}\n"
             "bodies: {top: {rigid: B, mass: 7227.2394349, inertia: [1, 1, 1]}}\n"
             "beams: {tower: {from: A, to: B, elements: 4, section: %s}}\n"
             "joints: {clamp: {fixed: [ground, tower.start], at: A}, head: {fixed: [tower.end, top], at: B}}\n",
             section);
    Flexible *f = flexible_open(text);
    CHECK_CONTEXT("%s", section);
    REQUIRE(f != NULL);
    flexible_evaluate(f, 0);
    if (CHECK(flexible_modes(f, 2 * count, omega, NULL)))
        for (int i = 0; i < 2 * count; ++i)
            CHECK_NEAR(omega[i], known[i / 2], tolerance * known[i / 2]);
    flexible_close(f);
}

static void a_tower_has_its_frequencies(void)
{
    check_tower("{tube: [0.9, 0.012], E: 210 GPa, nu: 0.3, density: 7850}", 1, 0.003);
    check_tower("{EA: 14155262515, GA2: 1e12, GA3: 1e12, GJ: 4351543359, EI2: 5656952490.38, EI3: 5656952490.38, "
                "mass: 529.137194007, J2: 0.1, J3: 0.1}",
                3, 5e-4);
}

/* ---- A blade ---- */

/* The AWT-27CR, as its certification tests of 2001 describe it: 12.573 m from 1.184 m on, with 11.34 kg at the tip.
 * Untwisted; x outwards, y in the plane of turning, z the axis. Other bodies, what it is held by, and sections of the
 * model that follow can be put in. */
static const char blade[] =
    "tables:\n"
    "  m: {points: [[0, 90.37], [0.05, 58.496], [0.1, 47.192], [0.15, 49.105], [0.2, 50.333], [0.25, 48.912],\n"
    "      [0.3, 45.977], [0.35, 42.735], [0.4, 39.243], [0.45, 36.024], [0.5, 33.118], [0.55, 30.272],\n"
    "      [0.6, 27.523], [0.65, 24.996], [0.7, 22.991], [0.75, 20.925], [0.8, 18.628], [0.85, 16.201],\n"
    "      [0.9, 12.871], [0.95, 9.536], [1, 6.1]]}\n"
    "  flap: {points: [[0, 44.2], [0.05, 27.59554], [0.1, 19.61536], [0.15, 15.821054], [0.2, 12.799255],\n"
    "         [0.25, 10.42746], [0.3, 8.427317], [0.35, 6.826572], [0.4, 5.550799], [0.45, 4.462882],\n"
    "         [0.5, 3.589918], [0.55, 2.821277], [0.6, 2.221759], [0.65, 1.677427], [0.7, 1.264032],\n"
    "         [0.75, 0.883482], [0.8, 0.625509], [0.85, 0.382064], [0.9, 0.239543], [0.95, 0.103], [1, 0.103]]}\n"
    "  edge: {points: [[0, 117], [0.05, 86.179694], [0.1, 82.402923], [0.15, 97.721049], [0.2, 107.45796],\n"
    "         [0.25, 106.54458], [0.3, 99.541685], [0.35, 89.815283], [0.4, 77.872895], [0.45, 66.399835],\n"
    "         [0.5, 55.463803], [0.55, 45.077024], [0.6, 35.580668], [0.65, 27.506483], [0.7, 22.806625],\n"
    "         [0.75, 18.187986], [0.8, 13.872449], [0.85, 9.65795], [0.9, 6.1453], [0.95, 2.78], [1, 2.78]]}\n"
    "points: {A: [1.184, 0, 0], B: [13.757, 0, 0]}\n"
    "bodies: {%s tip: {rigid: B, mass: 11.34, inertia: [1e-3, 1e-3, 1e-3]}}\n"
    "beams:\n"
    "  blade: {from: A, to: B, elements: 6, axis2: y,\n"
    "          section: {EA: 5e9, GA2: 5e9, GA3: 5e9, GJ: 1e7,\n"
    "                    EI2: flap(s/12.573)*1e6, EI3: edge(s/12.573)*1e6, mass: m(s/12.573), J2: 1e-3, J3: 1e-3}}\n"
    "joints:\n"
    "  root: {fixed: [%s, blade.start], at: A}\n"
    "  brake: {fixed: [blade.end, tip], at: B}\n"
    "%s";

static Flexible *open_blade(void)
{
    char text[sizeof blade + 100];
    snprintf(text, sizeof text, blade, "", "ground", "");
    return flexible_open(text);
}

/* From Euler and Bernoulli's equation with the tension of the masses beyond: standing still, at 6 rad/s. */
static const double flap[2][3] = {{15.47093188528599, 49.797825641317765, 112.74268739590099},
                                  {17.351142323175445, 52.01326668938185, 115.06035399926428}};
static const double edge[2][2] = {{44.97612216506859, 171.37680846627296}, {45.13584823405284, 171.84133825514579}};

/* The lowest modes that move mostly along y (edge) and along z (flap). */
static void find_modes(Flexible *f, double *flaps, double *edges)
{
    double omega[8], share[8][3];
    int flap_count = 0, edge_count = 0;
    if (!CHECK(flexible_modes(f, 8, omega, share)))
        return;
    for (int i = 0; i < 8; ++i) {
        if (share[i][2] > 0.5 && flap_count < 3)
            flaps[flap_count++] = omega[i];
        else if (share[i][1] > 0.5 && edge_count < 2)
            edges[edge_count++] = omega[i];
    }
}

static void a_blade_stiffens_as_it_turns(void)
{
    Flexible *f = open_blade();
    REQUIRE(f != NULL);
    for (int k = 0; k < 2; ++k) {
        double flaps[3] = {0}, edges[2] = {0};
        f->Omega = 6 * k;
        CHECK(flexible_settle(f, 0) > 0);
        find_modes(f, flaps, edges);
        for (int i = 0; i < 2; ++i) {
            CHECK_CONTEXT("%d rad/s, mode %d", 6 * k, i);
            CHECK_NEAR(flaps[i], flap[k][i], 0.01 * flap[k][i]);
            CHECK_NEAR(edges[i], edge[k][i], 0.01 * edge[k][i]);
        }
    }
    /* The reaction at the root, on the blade: Omega^2 times the first moment, 2631.04 kg m. */
    const int *rows = hol_mechanism_joint(f->mechanism, 0).rows;
    CHECK_NEAR(fabs(f->lambda[rows[0]]), 94717.36050054675, 1e-3 * 94717.36);
    flexible_close(f);
}

/* ---- The same as a motion, behind steps whose stresses are means ---- */

/* The blade on a hub that turns, let go without tension, in steps of 5 ms, which its stretch is faster than. */
static HolSimulation *turn_blade(Case *c, double speed)
{
    char text[sizeof blade + 700], rest[600];
    HolSimulation *simulation = NULL;
    snprintf(rest, sizeof rest,
             "  axle: {revolute: [ground, hub], at: [0, 0, 0], axis: z}\n"
             "parameters: {w: %g}\n"
             "drivers: {motor: {angle: axle, value: w*t}}\n"
             "start: {hub: {angular_velocity: [0, 0, w]}, tip: {angular_velocity: [0, 0, w]},\n"
             "        blade: {velocity: [0, 1.184*w, 0], angular_velocity: [0, 0, w]}}\n"
             "run: {until: 1, step: 5 ms, coordinates: natural, formulation: energy-decaying}\n",
             speed);
    snprintf(text, sizeof text, blade, "hub: {rigid: [0, 0, 0], mass: 100, inertia: [10, 10, 10]},", "hub", rest);
    if (!open_text(c, text))
        return NULL;
    HolInitialState start = hol_mechanism_initial_state(c->mechanism);
    HolSimulationOptions options = hol_mechanism_options(c->mechanism);
    HolStatus status =
        hol_simulation_create(hol_mechanism_system(c->mechanism), &start, &options, &simulation, &c->message);
    if (status == HOL_OK)
        status = hol_simulation_run(simulation, &(HolRun){.until = 0.2513}); /* a shorter step at the end */
    if (!CHECK_OK(status))
        printf("    %s\n", simulation ? hol_simulation_message(simulation) : c->message.text);
    return simulation;
}

static HolStatus about_motion(Case *c, const HolSimulation *simulation, double speed)
{
    HolModesOptions wanted = {.count = 4};
    const double turning[3] = {0, 0, speed};
    hol_modes_destroy(c->modes);
    return hol_mechanism_modes(c->mechanism, hol_simulation_state(simulation), speed > 0 ? turning : NULL, &wanted,
                               &c->modes, &c->message);
}

/* Frequencies are those of the steady motion beside the state; without such a motion, or in another frame, this is reported. */
static void modes_behind_decaying_steps_are_those_of_the_motion(void)
{
    Case c;
    HolSimulation *simulation = turn_blade(&c, 6);
    REQUIRE(simulation != NULL);
    if (CHECK_OK(about_motion(&c, simulation, 6))) {
        CHECK(c.modes->state_refined && c.modes->is_steady);
        CHECK_EQUAL_INT(c.modes->unstable_count, 0);
        check_mode(c.modes, 0, flap[1][0], 1e-3 * flap[1][0]);
        check_mode(c.modes, 0, flap[1][1], 1e-3 * flap[1][1]);
        check_mode(c.modes, 0, edge[1][0], 2e-3 * edge[1][0]);
    }
    const double others[] = {0, 5.9};
    for (int i = 0; i < 2; ++i) {
        CHECK_CONTEXT("%g rad/s", others[i]);
        CHECK_EQUAL_INT(about_motion(&c, simulation, others[i]), HOL_UNSUPPORTED);
        CHECK(c.modes == NULL);
        CHECK(strstr(c.message.text, "run with generalized-alpha") != NULL);
    }
    hol_simulation_destroy(simulation);
    close_case(&c);
}

/* A mass on a stiff spring that turns freely: the state determines its angular velocity, not --turning. */
static void a_frame_must_have_the_speed_of_the_motion(void)
{
    Case c;
    HolSimulation *simulation = NULL;
    REQUIRE(open_text(
        &c, "points: {O: [0, 0, 0], P: [1, 0, 0]}\n"
            "bodies: {hub: {rigid: O, mass: 1, inertia: [1, 1, 1]}, m: {box: [0.1, 0.1, 0.1], at: P, mass: 1}}\n"
            "joints: {pin: {revolute: [ground, hub], at: O, axis: z}, slide: {prismatic: [hub, m], at: P, axis: x}}\n"
            "forces: {s: {spring: [hub, m], from: O, to: P, stiffness: 1e7, free_length: 1}}\n"
            "start: {hub: {angular_velocity: [0, 0, 6]}, m: {velocity: [0, 6, 0]}}\n"
            "run: {until: 1, step: 5 ms, coordinates: natural, formulation: energy-decaying}\n"));
    HolInitialState start = hol_mechanism_initial_state(c.mechanism);
    HolSimulationOptions options = hol_mechanism_options(c.mechanism);
    CHECK_OK(hol_simulation_create(hol_mechanism_system(c.mechanism), &start, &options, &simulation, &c.message));
    REQUIRE(simulation != NULL);
    CHECK_OK(hol_simulation_run(simulation, &(HolRun){.until = 0.02}));
    if (CHECK_OK(about_motion(&c, simulation, 6)))
        check_mode(c.modes, 0, sqrt(1e7), 1e-5 * sqrt(1e7));
    CHECK_EQUAL_INT(about_motion(&c, simulation, 5.7), HOL_UNSUPPORTED);
    hol_simulation_destroy(simulation);
    close_case(&c);
}

/* Means that are those of the state itself are no hindrance. */
static void modes_behind_decaying_steps_at_rest_need_no_frame(void)
{
    Case c;
    HolSimulation *simulation = turn_blade(&c, 0);
    REQUIRE(simulation != NULL);
    CHECK(hol_simulation_state(simulation)->q_before != NULL);
    if (CHECK_OK(about_motion(&c, simulation, 0))) {
        CHECK(!c.modes->state_refined);
        check_mode(c.modes, 0, flap[0][0], 1e-3 * flap[0][0]);
    }
    hol_simulation_destroy(simulation);
    close_case(&c);
}

CHECK_MAIN(TEST(a_cantilever_has_its_frequencies), TEST(a_tower_has_its_frequencies),
           TEST(a_blade_stiffens_as_it_turns), TEST(modes_behind_decaying_steps_are_those_of_the_motion),
           TEST(modes_behind_decaying_steps_at_rest_need_no_frame), TEST(a_frame_must_have_the_speed_of_the_motion))
