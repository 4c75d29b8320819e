/* SPDX-License-Identifier: BSD-3-Clause */
/* Static equilibria against closed forms. */
#include "equilibrium_of.h"

#include <stdlib.h>

static const char *const coordinates[] = {"reference-point", "natural"};

static void a_pendulum_hangs_down_from_wherever_it_starts(void)
{
    for (int k = 0; k < 2; ++k) {
        for (int angle = -179; angle <= 180; angle += 89) {
            Case c;
            char text[600];
            CHECK_CONTEXT("%s, %d degrees", coordinates[k], angle);
            snprintf(text, sizeof text,
                     "plane: xy\ngravity: [0, -9.81]\nparameters: {a: %d deg}\n"
                     "bodies: {bob: {rigid: [2*sin(a), -2*cos(a)], mass: 3, inertia: 0.5}}\n"
                     "joints: {O: {revolute: [ground, bob], at: [0, 0]}}\nrun: {coordinates: %s}\n",
                     angle, coordinates[k]);
            REQUIRE(open_text(&c, text));
            if (find(&c, NULL)) {
                CHECK_NEAR(value(&c, "bob.x"), 0, 1e-8);
                CHECK_NEAR(value(&c, "bob.y"), -2, 1e-12);
                CHECK_NEAR(value(&c, "O.fy"), 3 * 9.81, 1e-7);
                CHECK_NEAR(value(&c, "O.fx"), 0, 1e-7);
                CHECK_NEAR(c.equilibrium->potential, -2 * 3 * 9.81, 1e-10);
                CHECK_EQUAL_INT(c.equilibrium->unstable_count + c.equilibrium->neutral_count, 0);
                CHECK(c.equilibrium->has_stability && c.equilibrium->iterations <= 20);
            }
            close_case(&c);
        }
    }
}

/* Links of a chain between two pins at one height: at the end of link i the horizontal pull H is the same, and the
 * slopes go up by the weight, tan(a_(i+1)) = tan(a_i) + w / H. */
static void a_hanging_chain_has_equal_pull(void)
{
    enum { N = 12 };
    for (int k = 0; k < 2; ++k) {
        Case c;
        char text[4000];
        size_t at = 0;
        CHECK_CONTEXT("%s", coordinates[k]);
        at += (size_t)snprintf(text, sizeof text, "plane: xy\ngravity: [0, -9.81]\nbodies:\n");
        for (int i = 0; i < N; ++i) /* a zigzag that sags nowhere */
            at += (size_t)snprintf(text + at, sizeof text - at,
                                   "  b%d: {bar: [[%.17g, %.17g], [%.17g, %.17g]], mass: 0.5}\n", i, 0.8 * i,
                                   0.6 * (i % 2), 0.8 * (i + 1), 0.6 * ((i + 1) % 2));
        at += (size_t)snprintf(text + at, sizeof text - at, "joints:\n  j0: {revolute: [ground, b0], at: [0, 0]}\n");
        for (int i = 1; i < N; ++i)
            at += (size_t)snprintf(text + at, sizeof text - at, "  j%d: {revolute: [b%d, b%d], at: [%.17g, %.17g]}\n",
                                   i, i - 1, i, 0.8 * i, 0.6 * (i % 2));
        snprintf(text + at, sizeof text - at,
                 "  j%d: {revolute: [b%d, ground], at: [%.17g, 0]}\nrun: {coordinates: %s}\n", N, N - 1, 0.8 * N,
                 coordinates[k]);
        REQUIRE(open_text(&c, text));
        if (find(&c, NULL)) {
            double H = value(&c, "j0.fx"), x = 0;
            CHECK(H < -1);
            for (int i = 0; i < N; ++i) {
                char name[20];
                double tangent = (i - (N - 1) / 2.0) * 0.5 * 9.81 / -H;
                snprintf(name, sizeof name, "b%d.phi", i);
                CHECK_NEAR(tan(value(&c, name)), tangent, 1e-8);
                x += 1 / sqrt(1 + tangent * tangent);
            }
            CHECK_NEAR(x, 0.8 * N, 1e-8);
            CHECK_EQUAL_INT(c.equilibrium->unstable_count, 0);
        }
        close_case(&c);
    }
}

/* A weight on a spring, and a follower: a force that turns with a bar on a torsion spring, k a = F l. */
static void springs_give_by_their_law(void)
{
    Case c;
    REQUIRE(open_text(&c, "gravity: [0, 0, -10]\nbodies: {a: {rigid: [0, 0, -1], mass: 2, inertia: [1, 1, 1]}}\n"
                          "joints: {s: {prismatic: [ground, a], at: [0, 0, 0], axis: z}}\n"
                          "forces: {k: {spring: [ground, a], from: [0, 0, 0], to: [0, 0, -1], stiffness: 80}}\n"));
    REQUIRE(find(&c, NULL));
    CHECK_NEAR(value(&c, "a.z"), -1 - 20.0 / 80, 1e-11);
    CHECK_EQUAL_INT(c.equilibrium->unstable_count, 0);
    close_case(&c);

    REQUIRE(open_text(&c, "plane: xy\nbodies: {a: {bar: [[0, 0], [2, 0]], mass: 2}}\n"
                          "joints: {O: {revolute: [ground, a], at: [0, 0]}}\n"
                          "forces: {k: {torsion: O, stiffness: 10},\n"
                          "         F: {force: a, at: [2, 0], vector: [0, 7], axes: body}}\n"));
    REQUIRE(find(&c, NULL));
    CHECK_NEAR(value(&c, "a.phi"), 1.4, 1e-10);
    CHECK_NEAR(value(&c, "O.fx"), 7 * sin(1.4), 1e-9);
    CHECK_NEAR(value(&c, "O.fy"), -7 * cos(1.4), 1e-9);
    close_case(&c);
}

/* An upright bar that leans by a_0, on a torsion spring, under a weight on top: k (a - a_0) = F l sin(a), which beyond
 * F l = k is far from upright. */
static void a_column_buckles_above_its_load(void)
{
    for (int k = 0; k < 2; ++k) {
        Case c;
        char text[600];
        double F = k ? 12 : 8, l = sqrt(1 + 1e-6), tilt = 1.0;
        CHECK_CONTEXT("load %g", F);
        snprintf(text, sizeof text,
                 "plane: xy\nbodies: {a: {bar: [[0, 0], [0.001, 1]], mass: 1}}\n"
                 "joints: {O: {revolute: [ground, a], at: [0, 0]}}\n"
                 "forces: {k: {torsion: O, stiffness: 10}, F: {force: a, at: [0.001, 1], vector: [0, %g]}}\n",
                 -F);
        REQUIRE(open_text(&c, text));
        REQUIRE(find(&c, NULL));
        for (int i = 0; i < 1000; ++i)
            tilt = atan(0.001) + F * l * sin(tilt) / 10;
        CHECK_NEAR(M_PI / 2 - value(&c, "a.phi"), tilt, 1e-8);
        CHECK(k ? tilt > 0.9 : tilt < 0.01);
        CHECK_EQUAL_INT(c.equilibrium->unstable_count, 0);
        close_case(&c);
    }
}

/* Two masses on a soft spring, a spring of 1e10 N/m between them: its forces round to 1e-6 N. */
static void stiff_springs_do_not_hide_soft_ones(void)
{
    Case c;
    REQUIRE(open_text(&c, "gravity: [0, 0, -10]\n"
                          "bodies: {a: {rigid: [0, 0, -1], mass: 2, inertia: [1, 1, 1]},\n"
                          "         b: {rigid: [0, 0, -2], mass: 3, inertia: [1, 1, 1]}}\n"
                          "joints: {s: {prismatic: [ground, a], at: [0, 0, 0], axis: z},\n"
                          "         r: {prismatic: [ground, b], at: [0, 0, 0], axis: z}}\n"
                          "forces: {k: {spring: [ground, a], from: [0, 0, 0], to: [0, 0, -1], stiffness: 20},\n"
                          "         l: {spring: [a, b], from: [0, 0, -1], to: [0, 0, -2], stiffness: 1e10}}\n"));
    REQUIRE(find(&c, NULL));
    CHECK_NEAR(value(&c, "a.z"), -1 - 50.0 / 20, 1e-6);
    CHECK_NEAR(value(&c, "b.z") - value(&c, "a.z"), -1 - 30 / 1e10, 1e-15);
    CHECK_EQUAL_INT(c.equilibrium->load_steps, 1);
    CHECK_EQUAL_INT(c.equilibrium->unstable_count + c.equilibrium->neutral_count, 0);
    close_case(&c);
}

/* Two pins in one place carry half each if no stiffness is given. */
static void redundant_reactions_are_the_shortest(void)
{
    Case c;
    REQUIRE(open_text(
        &c, "plane: xy\ngravity: [0, -9.81]\nbodies: {bob: {bar: [[0, 0], [2, 0]], mass: 3}}\n"
            "joints: {O: {revolute: [ground, bob], at: [0, 0]}, P: {revolute: [ground, bob], at: [0, 0]}}\n"));
    REQUIRE(find(&c, NULL));
    CHECK_NEAR(value(&c, "bob.y"), -1, 1e-12);
    for (int i = 0; i < 2; ++i)
        CHECK_NEAR(c.equilibrium->state.lambda[2 * i + 1], c.equilibrium->state.lambda[1], 1e-9);
    CHECK_NEAR(fabs(c.equilibrium->state.lambda[1]), 3 * 9.81 / 2, 1e-8);
    close_case(&c);
}

/* Bricard's loop moves although one of its rows is too many, in each position another: where its energy is least. */
static void an_overconstrained_loop_finds_its_lowest_place(void)
{
    Case c = {0};
    HolModel *model = hol_model_create();
    REQUIRE_OK(hol_model_load(model, "bricard"));
    REQUIRE_OK(hol_mechanism_create(model, &c.mechanism));
    hol_model_destroy(model);
    REQUIRE_OK(hol_mechanism_assemble(c.mechanism, &c.message));
    HolStaticOptions options = hol_static_options();
    REQUIRE_OK(hol_mechanism_static(c.mechanism, &options, &c.equilibrium, &c.message));
    CHECK(c.equilibrium->iterations <= 20);
    CHECK(!c.equilibrium->is_singular);
    CHECK(c.equilibrium->violation < 1e-12);
    CHECK_EQUAL_INT(c.equilibrium->dof, 1);
    CHECK_EQUAL_INT(c.equilibrium->unstable_count, 0);
    close_case(&c);
}

typedef struct Steps {
    int count;
    double load[64], angle[64];
    HolStatus answer;
} Steps;

static HolStatus note(void *user, const HolLoadStep *step)
{
    Steps *s = user;
    if (s->count < 64) {
        s->load[s->count] = step->load;
        s->angle[s->count++] = step->state->q[2];
    }
    return step->load > 0.5 ? s->answer : HOL_OK;
}

/* The forces that nothing balances come on in steps: a torsion spring under a torque gives in proportion. */
static void loads_come_on_in_steps(void)
{
    Case c;
    Steps steps = {0};
    HolStaticOptions options = hol_static_options();
    REQUIRE(open_text(&c, "plane: xy\nbodies: {a: {bar: [[0, 0], [2, 0]], mass: 2}}\n"
                          "joints: {O: {revolute: [ground, a], at: [0, 0]}}\n"
                          "forces: {k: {torsion: O, stiffness: 10}, T: {torque: a, vector: 12}}\n"));
    options.steps = 8;
    options.record = note;
    options.user = &steps;
    REQUIRE(find(&c, &options));
    CHECK_EQUAL_INT(c.equilibrium->load_steps, 8);
    CHECK_EQUAL_INT(steps.count, 9);
    for (int i = 0; i < steps.count; ++i) {
        CHECK_NEAR(steps.load[i], i / 8.0, 1e-15);
        CHECK_NEAR(steps.angle[i], 1.2 * i / 8, 1e-9);
    }
    steps = (Steps){.answer = HOL_STOPPED};
    HolEquilibrium *none;
    CHECK_STATUS(hol_mechanism_static(c.mechanism, &options, &none, &c.message), HOL_STOPPED);
    CHECK(none == NULL);
    CHECK_EQUAL_INT(steps.count, 6);
    close_case(&c);
}

static HolStatus note_bob(void *user, const HolLoadStep *step)
{
    Steps *s = user;
    const double *q = step->state->q;
    s->load[s->count] = step->load;
    s->angle[s->count++] = atan2(q[3], q[2]); /* of axis x: natural coordinates */
    return HOL_OK;
}

/* A force that follows is scaled where it stands by then, k a = load F l; a torque in natural coordinates too. */
static void followers_come_on_as_they_turn(void)
{
    static const char *const loads[] = {"{force: a, at: [2, 0], vector: [0, 7], axes: body}",
                                        "{torque: a, vector: 14}"};
    for (int k = 0; k < 2; ++k) {
        Case c;
        Steps steps = {0};
        char text[500];
        HolStaticOptions options = hol_static_options();
        CHECK_CONTEXT("%s", loads[k]);
        snprintf(text, sizeof text,
                 "plane: xy\nbodies: {a: {bar: [[0, 0], [2, 0]], mass: 2}}\n"
                 "joints: {O: {revolute: [ground, a], at: [0, 0]}}\nrun: {coordinates: natural}\n"
                 "forces: {k: {torsion: O, stiffness: 5}, F: %s}\n",
                 loads[k]);
        REQUIRE(open_text(&c, text));
        options.steps = 8;
        options.record = note_bob;
        options.user = &steps;
        REQUIRE(find(&c, &options));
        CHECK_EQUAL_INT(steps.count, 9);
        for (int i = 0; i < steps.count; ++i)
            CHECK_NEAR(steps.angle[i], 2.8 * i / 8, 1e-9);
        CHECK(c.equilibrium->iterations <= 60);
        close_case(&c);
    }
}

/* A spring whose tension is 100 x exp(-x), at most 100/e: beyond that share of 50 N there is nothing to be found. */
static void a_limit_point_is_reported_with_its_load(void)
{
    Case c;
    HolStaticOptions options = hol_static_options();
    REQUIRE(open_text(&c, "plane: xy\nbodies: {a: {rigid: [1, 0], mass: 1, inertia: 1}}\n"
                          "joints: {s: {prismatic: [ground, a], at: [0, 0], axis: x}}\n"
                          "forces:\n"
                          "  k: {spring: [ground, a], from: [0, 0], to: [1, 0], force: \"100*(l-1)*exp(1-l)\"}\n"
                          "  F: {force: a, vector: [50, 0]}\n"));
    options.steps = 10;
    CHECK_STATUS(hol_mechanism_static(c.mechanism, &options, &c.equilibrium, &c.message), HOL_NO_CONVERGENCE);
    const char *factor = strstr(c.message.text, " beyond the load factor ");
    if (CHECK(factor != NULL))
        CHECK_NEAR(strtod(factor + strlen(" beyond the load factor "), NULL), 2 / exp(1), 4e-4);
    CHECK_CONTAINS(c.message.text, " that can be reached from its initial configuration: 'a' is unconstrained");
    close_case(&c);
}

/* A cantilever that a moment at its end bends to a full circle, by few steps and by many. */
static void a_beam_rolls_up_to_a_circle(void)
{
    static const int steps[] = {1, 12, 20};
    for (size_t k = 0; k < sizeof steps / sizeof *steps; ++k) {
        Case c;
        HolStaticOptions options = hol_static_options();
        CHECK_CONTEXT("%d steps", steps[k]);
        REQUIRE(open_text(&c, "points: {A: [0, 0, 0], B: [1, 0, 0]}\n"
                              "beams:\n"
                              "  b: {from: A, to: B, elements: 20,\n"
                              "      section: {EA: 1e4, GA2: 1e4, GA3: 1e4, GJ: 1, EI2: 1, EI3: 1, mass: 1}}\n"
                              "joints: {clamp: {fixed: [ground, b.start], at: A}}\n"
                              "forces: {M: {torque: b.end, vector: [0, 0, 2*pi]}}\n"));
        options.steps = steps[k];
        if (find(&c, &options)) {
            CHECK_NEAR(value(&c, "b.end.x"), 0, 1e-6);
            CHECK_NEAR(value(&c, "b.end.y"), 0, 1e-6);
            CHECK_NEAR(2 * value(&c, "b.end.e3"), 0, 1e-6);
            CHECK_NEAR(c.equilibrium->potential / (2 * M_PI * M_PI), 1, 1e-6);
            if (steps[k] == 20)
                CHECK(c.equilibrium->iterations < 300);
        }
        close_case(&c);
    }
}

static void systems_without_equilibrium_are_reported(void)
{
    const struct {
        const char *text, *sentence;
        HolStatus status;
    } cases[] = {
        {"plane: xy\ngravity: [0, -9.81]\nbodies: {apple: {rigid: [0, 2], mass: 1, inertia: 1}}\n",
         "'apple' is unconstrained along the forces on it", HOL_NO_CONVERGENCE},
        {"plane: xy\nbodies: {a: {rigid: [0, 2], mass: 1, inertia: 1}}\n"
         "joints: {belt: {velocity: [ground, a], at: [0, 2], along: x, value: 3}}\n",
         "has no static equilibrium: 'belt' prescribes a velocity of 3", HOL_BAD_INPUT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        Case c;
        HolStaticOptions options = hol_static_options();
        REQUIRE(open_text(&c, cases[i].text));
        CHECK_STATUS(hol_mechanism_static(c.mechanism, &options, &c.equilibrium, &c.message), cases[i].status);
        CHECK_CONTAINS(c.message.text, cases[i].sentence);
        close_case(&c);
    }
}

CHECK_MAIN(TEST(a_pendulum_hangs_down_from_wherever_it_starts), TEST(a_hanging_chain_has_equal_pull),
           TEST(springs_give_by_their_law), TEST(a_column_buckles_above_its_load),
           TEST(stiff_springs_do_not_hide_soft_ones), TEST(redundant_reactions_are_the_shortest),
           TEST(an_overconstrained_loop_finds_its_lowest_place), TEST(loads_come_on_in_steps),
           TEST(followers_come_on_as_they_turn), TEST(a_limit_point_is_reported_with_its_load),
           TEST(a_beam_rolls_up_to_a_circle), TEST(systems_without_equilibrium_are_reported))
