/* SPDX-License-Identifier: BSD-3-Clause */
/* The ball that rolls in a bowl, by explicit-dae: where it goes, and what is left of constraints, energy and a first
 * integral after 100 s. */
#include <holon/holon.h>

#include "check.h"
#include "runs.h"
#include "systems/reference_values.h"
#include "systems/scenes.h"

#include <string.h>

/* The largest of each over the first and the second half of a run. */
typedef struct Halves {
    double middle;
    double position[2], velocity[2], drift[2], integral[2];
} Halves;

/* beta' cos^2 alpha + 2 r / (7 (R - r)) w.e_rho sin alpha, w = 1/2 sum e_i x e_i' */
static double first_integral(const HolState *s)
{
    const double *q = s->q, *v = s->v, c = cos(q[1]), sine = sin(q[1]);
    const double e_rho[3] = {c * cos(q[2]), c * sin(q[2]), -sine};
    double w_rho = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const double *e = q + 3 + 3 * i, *rate = v + 3 + 3 * i;
            int l = (k + 1) % 3, n = (k + 2) % 3;
            w_rho += 0.5 * e_rho[k] * (e[l] * rate[n] - e[n] * rate[l]);
        }
    return v[2] * c * c + 2.0 / 49 * w_rho * sine;
}

static HolStatus record_ball(void *user, const HolState *s, const HolMeasures *m)
{
    Halves *h = user;
    int k = s->t > h->middle;
    h->position[k] = fmax(h->position[k], m->position);
    h->velocity[k] = fmax(h->velocity[k], m->velocity);
    h->drift[k] = fmax(h->drift[k], fabs(m->drift));
    h->integral[k] = fmax(h->integral[k], fabs(first_integral(s) - ball_in_bowl_integral));
    return HOL_OK;
}

/* 100 s with h = 1e-2, as in the paper. */
static Halves roll(const char *formulation, const HolSetting *settings, int count)
{
    Halves halves = {.middle = 50};
    HolRun request = {.until = 100, .record = record_ball, .user = &halves};
    HolSimulationOptions options = run_options(formulation, "rk4", 1e-2);
    options.settings = settings;
    options.setting_count = count;
    Result result = run_alone("ball-in-bowl", 0, NULL, &options, &request);
    CHECK_OK(result.status);
    return halves;
}

static Halves roll_explicit(const char *correction, const char *energy)
{
    const HolSetting settings[] = {{"formulation.correction", correction}, {"formulation.energy", energy}};
    return roll("explicit-dae", settings, 2);
}

static void check_steady(Halves h)
{
    CHECK(h.position[1] < 1.1 * h.position[0] + 1e-15);
    CHECK(h.velocity[1] < 1.1 * h.velocity[0] + 1e-14);
}

static void check_ball_at(const BallInBowlValue *expected, const char *energy)
{
    const HolSetting setting = {"formulation.energy", energy};
    HolSimulationOptions options = run_options("explicit-dae", "rk4", 1e-2);
    options.settings = &setting;
    options.setting_count = 1;
    HolRun request = {.until = expected->t};
    Result result = run_alone("ball-in-bowl", 0, NULL, &options, &request);
    CHECK_CONTEXT("energy %s, t = %g", energy, expected->t);
    CHECK_NEAR(result.summary.energy_initial, ball_in_bowl_energy, 1e-13);
    CHECK_NEAR(result.q[1], expected->alpha, 1e-6);
    CHECK_NEAR(result.q[2], expected->beta, 1e-6);
    CHECK_NEAR(result.v[1], expected->alpha_rate, 1e-6);
    CHECK_NEAR(result.v[2], expected->beta_rate, 1e-6);
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(result.q[3 + k], expected->e1[k], 1e-5);
        CHECK_NEAR(result.q[6 + k], expected->e2[k], 1e-5);
        CHECK_NEAR(result.q[9 + k], expected->e3[k], 1e-5);
    }
}

static void the_ball_goes_where_it_should(void)
{
    for (int i = 0; i < 2; i++) {
        check_ball_at(&ball_in_bowl_values[i], "off");
        check_ball_at(&ball_in_bowl_values[i], "smooth");
    }
}

/* Constraints stay where they are; without a correction of energy it drifts. */
static void the_ball_rolls_for_100_s_with_corrections_of_steps(void)
{
    Halves plain = roll_explicit("step", "off"), kept = roll_explicit("step", "smooth");
    check_steady(plain);
    check_steady(kept);
    CHECK_NEAR(plain.position[1], 0, 1e-14);
    CHECK_NEAR(kept.position[1], 0, 1e-14);
    CHECK_NEAR(kept.velocity[1], 0, 1e-13);
    CHECK(plain.drift[1] > 1e-5 && plain.drift[1] > 1.5 * plain.drift[0]);
    CHECK_NEAR(kept.drift[1], 0, 1e-10);
    CHECK(kept.drift[1] < 1.2 * kept.drift[0]);
    CHECK(kept.integral[1] < plain.integral[1] / 3);
}

static void the_ball_rolls_for_100_s_with_corrections_of_stages(void)
{
    Halves plain = roll_explicit("stages", "off"), kept = roll_explicit("stages", "smooth");
    check_steady(plain);
    check_steady(kept);
    CHECK_NEAR(plain.position[1], 7.5e-5, 1e-5);
    CHECK_NEAR(plain.velocity[1], 2.9e-3, 3e-4);
    CHECK(plain.drift[1] > 1.5 * plain.drift[0]);
    CHECK(kept.drift[1] < 1.1 * kept.drift[0] && kept.drift[1] < 3e-3); /* O(h^2), as the rows */
    CHECK(kept.integral[1] < plain.integral[1] / 2);
}

/* Against Baumgarte's gains for this step, and against small ones, which do much better. */
static void the_first_integral_is_kept_better_than_by_baumgarte(void)
{
    static const HolSetting automatic = {"formulation.gains", "automatic"},
                            best[] = {{"formulation.a", "1"}, {"formulation.b", "0.5"}};
    Halves ours = roll_explicit("step", "smooth");
    CHECK(ours.integral[1] < roll("baumgarte", &automatic, 1).integral[1] / 1000);
    CHECK(ours.integral[1] < roll("baumgarte", best, 2).integral[1] / 10);
}

/* The forces at the two latest records. */
typedef struct Forces {
    int records;
    double before[9], latest[9];
} Forces;

static HolStatus record_forces(void *user, const HolState *s, const HolMeasures *m)
{
    Forces *forces = user;
    (void)m;
    memcpy(forces->before, forces->latest, sizeof forces->before);
    memcpy(forces->latest, s->lambda, sizeof forces->latest);
    ++forces->records;
    return HOL_OK;
}

/* A last step that is shorter than the others divides by the same: else it would make forces of violations. */
static void a_short_last_step_has_the_forces_of_the_others(void)
{
    static const char *const energies[] = {"off", "smooth"};
    for (int i = 0; i < 2; i++) {
        const HolSetting settings[] = {{"formulation.correction", "stages"}, {"formulation.energy", energies[i]}};
        HolSimulationOptions options = run_options("explicit-dae", "rk4", 1e-2);
        Forces forces = {0};
        HolRun request = {.until = 0.05 + 1e-7, .record = record_forces, .user = &forces};
        options.settings = settings;
        options.setting_count = 2;
        CHECK_CONTEXT("energy %s", energies[i]);
        CHECK_OK(run_alone("ball-in-bowl", 0, NULL, &options, &request).status);
        CHECK_EQUAL_INT(forces.records, 7);
        for (int k = 0; k < 9; k++)
            CHECK_NEAR(forces.latest[k], forces.before[k], 1e-4);
    }
}

CHECK_MAIN(TEST(the_ball_goes_where_it_should), TEST(the_ball_rolls_for_100_s_with_corrections_of_steps),
           TEST(the_ball_rolls_for_100_s_with_corrections_of_stages),
           TEST(the_first_integral_is_kept_better_than_by_baumgarte),
           TEST(a_short_last_step_has_the_forces_of_the_others))
