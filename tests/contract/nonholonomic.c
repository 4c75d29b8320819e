/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows on velocities alone, linear in v (rolling) and not (constant speed), through every formulation with an integrator
 * that fits it: it goes where closed forms and references say, and keeps the rows as well as it promises, or it says
 * that it does not take such systems. */
#include "check.h"
#include "runs.h"
#include "systems/reference_values.h"
#include "systems/scenes.h"

#include <math.h>

typedef struct Case {
    const char *formulation;
    Traits traits;
    int order; /* of its integrator */
} Case;

/* Calls check with every formulation, or sees to it that it refuses. */
static void with_every_formulation(const char *name, double length, void (*check)(const Case *test, const Result *end))
{
    int served = 0;
    Scene *scene = scene_create(name, 0);
    REQUIRE(scene != NULL);
    for (int i = 0; i < hol_formulation_count(); i++) {
        const char *formulation = hol_formulation_info(i).name;
        HolSimulationOptions options = fitting_options(formulation, "rk4", 1e-3);
        Case test = {formulation, formulation_traits(formulation), pair_order(formulation, options.integrator)};
        Result end = run_scene(scene, &options, length);
        CHECK_CONTEXT("%s with %s on %s: %s", formulation, options.integrator, name, end.message.text);
        CHECK_STATUS(end.status, is_served(formulation, scene->system) ? HOL_OK : HOL_UNSUPPORTED);
        if (end.status == HOL_OK)
            check(&test, &end);
        served += end.status == HOL_OK;
    }
    CHECK(served > hol_formulation_count() / 2);
    scene_destroy(scene);
}

/* Errors of order 2 and 4 at h = 1e-3; a penalty yields. */
static double tolerance(const Case *test)
{
    return test->traits.penalty ? 1e-6 : test->order < 4 ? 2e-5 : 3e-9;
}

/* A projection meets the rows to rounding, and so does an implicit step, which solves for positions on them and projects
 * the velocities. The others let them drift as far as the integrator errs. */
static void check_rows(const Case *test, const Result *end)
{
    bool to_rounding = test->traits.projects || test->order < 4;
    CHECK_NEAR(end->summary.max_velocity_violation, 0, to_rounding ? 1e-12 : tolerance(test));
    CHECK_NEAR(end->summary.max_position_violation, 0, to_rounding ? 1e-13 : tolerance(test));
}

/* s = g t / v0, vx = v0 / cosh s, vy = -v0 tanh s, x = v0^2/g gd s, y = -v0^2/g ln cosh s, gd s = atan sinh s */
static void check_constant_speed(const Case *test, const Result *end)
{
    const double v0 = 3, g = 9.81, s = g * end->t / v0, room = tolerance(test);
    CHECK_NEAR(end->v[0], v0 / cosh(s), room);
    CHECK_NEAR(end->v[1], -v0 * tanh(s), room);
    CHECK_NEAR(end->q[0], v0 * v0 / g * atan(sinh(s)), room);
    CHECK_NEAR(end->q[1], -v0 * v0 / g * log(cosh(s)), room);
    check_rows(test, end);
}

static void rows_that_are_not_linear_in_v_are_met_or_refused(void)
{
    with_every_formulation("constant-speed", 0.5, check_constant_speed);
}

static void check_ball(const Case *test, const Result *end)
{
    const BallInBowlValue *expected = &ball_in_bowl_values[0];
    const double room = tolerance(test);
    CHECK_NEAR(end->q[1], expected->alpha, room);
    CHECK_NEAR(end->q[2], expected->beta, room);
    CHECK_NEAR(end->v[1], expected->alpha_rate, room);
    CHECK_NEAR(end->v[2], expected->beta_rate, room);
    check_rows(test, end);
}

static void a_ball_rolls_or_is_refused(void)
{
    with_every_formulation("ball-in-bowl", ball_in_bowl_values[0].t, check_ball);
}

/* Rolling does no work. */
static void check_disc(const Case *test, const Result *end)
{
    CHECK_NEAR(end->summary.max_energy_drift, 0, 10 * tolerance(test));
    check_rows(test, end);
}

static void a_disc_rolls_or_is_refused(void)
{
    with_every_formulation("rolling-disc", 1, check_disc);
}

CHECK_MAIN(TEST(rows_that_are_not_linear_in_v_are_met_or_refused), TEST(a_ball_rolls_or_is_refused),
           TEST(a_disc_rolls_or_is_refused))
