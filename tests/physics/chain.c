/* SPDX-License-Identifier: BSD-3-Clause */
/* Chains: the staircase of five bars against an independent reference, and long ones that must remain assembled. */
#include <holon/holon.h>

#include "check.h"
#include "runs.h"
#include "systems/reference_values.h"
#include "systems/scenes.h"

enum { TIMES = sizeof five_bar_values / sizeof *five_bar_values };
static const double G = 9.81;

typedef struct Track {
    HolStatus status;
    HolSummary summary;
    double error[TIMES]; /* of the fifth bar's centre */
} Track;

typedef struct Case {
    const char *scene;
    int n;
    double h, until;
    HolRecord *record;
} Case;

static HolStatus record_fifth_bar(void *user, const HolState *s, const HolMeasures *m)
{
    (void)m;
    Track *k = user;
    const double *r = s->q + 4 * 7;
    for (int i = 0; i < TIMES; i++) {
        const FiveBarValue *expected = &five_bar_values[i];
        if (fabs(s->t - expected->t) > 1e-9)
            continue;
        k->error[i] = 0;
        for (int axis = 0; axis < 3; axis++)
            k->error[i] = fmax(k->error[i], fabs(r[axis] - expected->r[axis]));
    }
    return HOL_OK;
}

static Track run(Case c)
{
    Track track = {.error = {NAN, NAN, NAN}};
    HolSimulationOptions options = run_options("direct-correction", "rk4", c.h);
    HolRun request = {.until = c.until, .record = c.record, .user = &track};
    Result result = run_alone(c.scene, c.n, NULL, &options, &request);
    track.status = result.status;
    track.summary = result.summary;
    return track;
}

static void five_bars_follow_the_reference(void)
{
    static const double tolerance[TIMES] = {1e-8, 1e-8, 1e-5};
    Track k = run((Case){"spatial-chain", 5, 1e-3, 3, record_fifth_bar});
    REQUIRE_OK(k.status);
    for (int i = 0; i < TIMES; i++) {
        CHECK_CONTEXT("t = %g", five_bar_values[i].t);
        CHECK_NEAR(k.error[i], 0, tolerance[i]);
    }
    CHECK_NEAR(k.summary.max_energy_drift, 0, 1e-6);
    CHECK_EQUAL_INT(k.summary.dof, 5);
}

static void five_bars_converge_with_order_four(void)
{
    Track coarse = run((Case){"spatial-chain", 5, 2e-3, 1, record_fifth_bar});
    Track fine = run((Case){"spatial-chain", 5, 1e-3, 1, record_fifth_bar});
    CHECK_OK(coarse.status);
    CHECK_OK(fine.status);
    CHECK(log2(coarse.error[1] / fine.error[1]) >= 3.9);
}

static void planar_chains_keep_their_energy(void)
{
    static const int sizes[] = {1, 2, 10, 40};
    for (int i = 0; i < 4; i++) {
        CHECK_CONTEXT("n = %d", sizes[i]);
        Track k = run((Case){"planar-chain", sizes[i], 1e-3, 1, NULL});
        CHECK_OK(k.status);
        CHECK_NEAR(k.summary.energy_initial, 0, 1e-12);
        CHECK_NEAR(k.summary.max_energy_drift, 0, 1e-6);
        CHECK_EQUAL_INT(k.summary.dof, sizes[i]);
    }
}

static void planar_energy_converges_with_order_four(void)
{
    Track coarse = run((Case){"planar-chain", 10, 2e-3, 2, NULL});
    Track fine = run((Case){"planar-chain", 10, 1e-3, 2, NULL});
    CHECK_OK(coarse.status);
    CHECK_OK(fine.status);
    CHECK(log2(coarse.summary.max_energy_drift / fine.summary.max_energy_drift) >= 3.9);
}

/* A bar let go from the horizontal: phiddot = -(3/2) g / l, so the pin carries the weight less m (l/2) (3/2) g. */
static void the_first_reaction_of_a_single_bar_is_known(void)
{
    Scene *scene = scene_create("planar-chain", 1);
    REQUIRE(scene != NULL);
    HolSimulationOptions options = hol_simulation_options();
    HolSimulation *simulation = NULL;
    if (CHECK_OK(hol_simulation_create(scene->system, &scene->start, &options, &simulation, NULL))) {
        const HolState *s = hol_simulation_state(simulation);
        CHECK_NEAR(s->vdot[2], -1.5 * G, 1e-13);
        CHECK_NEAR(s->lambda[0], 0, 1e-13);
        CHECK_NEAR(s->lambda[1], G / 4, 1e-13);
    }
    hol_simulation_destroy(simulation);
    scene_destroy(scene);
}

static void long_chains_hold_together(void)
{
    static const Case cases[] = {{"planar-chain", 200, 1e-3, 1, NULL}, {"spatial-chain", 200, 1e-3, 0.2, NULL}};
    for (int i = 0; i < 2; i++) {
        CHECK_CONTEXT("%s of %d", cases[i].scene, cases[i].n);
        Track k = run(cases[i]);
        CHECK_OK(k.status);
        CHECK_NEAR(k.summary.reached, cases[i].until, 1e-12);
        CHECK_NEAR(k.summary.max_position_violation, 0, 1e-13);
        CHECK_NEAR(k.summary.max_velocity_violation, 0, 1e-12);
        CHECK_NEAR(k.summary.max_energy_drift, 0, 1e-6);
        CHECK(k.summary.max_position_iterations <= 3);
    }
}

CHECK_MAIN(TEST(five_bars_follow_the_reference), TEST(five_bars_converge_with_order_four),
           TEST(planar_chains_keep_their_energy), TEST(planar_energy_converges_with_order_four),
           TEST(the_first_reaction_of_a_single_bar_is_known), TEST(long_chains_hold_together))
