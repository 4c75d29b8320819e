/* SPDX-License-Identifier: BSD-3-Clause */
/* One, two and ten parallelogram loops against the closed form: theta is the angle of all cranks.
 *
 * Whenever the cranks lie flat D loses rank. For two loops and more the exact x reactions diverge there, so they are
 * compared only at the times of the table, all of which are far from a passage. */
#include <holon/holon.h>

#include "check.h"
#include "hermite.h"
#include "runs.h"
#include "systems/reference_values.h"
#include "systems/scenes.h"

enum { VALUES = sizeof n_four_bar_values / sizeof *n_four_bar_values };
enum { CONSTANTS = sizeof n_four_bar_constants / sizeof *n_four_bar_constants };
static const double PI = 3.14159265358979323846;

typedef struct Track {
    int n;
    HolStatus status;
    HolSummary summary;
    bool seen[VALUES];
    double theta[VALUES], rate[VALUES], tip[VALUES], reaction[VALUES]; /* errors */
    double apart;                                                      /* of the crank angles, while running */
    double first_passage;                                              /* when theta first passed 0 */
    double t;                                                          /* one step before, or at the end: */
    HermiteEnd crank;                                                  /* theta */
} Track;

static double worse(double a, double b)
{
    return fmax(fabs(a), fabs(b));
}

static void compare(Track *k, int i, const HolState *s)
{
    const NFourBarValue *r = &n_four_bar_values[i];
    k->seen[i] = true;
    k->theta[i] = s->q[2] - r->theta;
    k->rate[i] = s->v[2] - r->theta_rate;
    k->tip[i] = worse(worse(2 * s->q[0] - r->xB0, 2 * s->q[1] - r->yB0), /* B0 is twice as far as the centre */
                      worse(2 * s->v[0] - r->vxB0, 2 * s->v[1] - r->vyB0));
    k->reaction[i] = worse(s->lambda[0] - r->R_A0[0], s->lambda[1] - r->R_A0[1]);
}

static HolStatus record(void *user, const HolState *s, const HolMeasures *m)
{
    (void)m;
    Track *k = user;
    for (int i = 0; i < VALUES; i++) {
        if (n_four_bar_values[i].n == k->n && fabs(s->t - n_four_bar_values[i].t) < 1e-9)
            compare(k, i, s);
    }
    for (int crank = 1; crank <= k->n; crank++)
        k->apart = worse(k->apart, s->q[6 * crank + 2] - s->q[2]);
    HermiteEnd crank = {s->q[2], s->v[2]};
    if (k->crank.value > 0 && crank.value <= 0)
        k->first_passage = k->t + (s->t - k->t) * hermite_sign_change(s->t - k->t, k->crank, crank);
    k->t = s->t;
    k->crank = crank;
    return HOL_OK;
}

static Track run(int n, double h, double until)
{
    Track track = {.n = n, .first_passage = NAN};
    HolSimulationOptions options = run_options("direct-correction", "rk4", h);
    HolRun request = {.until = until, .record = record, .user = &track};
    Result result = run_alone("n-four-bar", n, NULL, &options, &request);
    track.status = result.status;
    track.summary = result.summary;
    return track;
}

static void check_value(const Track *k, int i)
{
    const NFourBarValue *r = &n_four_bar_values[i];
    CHECK_CONTEXT("N = %d, t = %g", r->n, r->t);
    double tolerance = r->t <= 1 ? 1e-7 : 1e-6;
    CHECK(k->seen[i]);
    CHECK_NEAR(k->theta[i], 0, tolerance);
    CHECK_NEAR(k->rate[i], 0, tolerance);
    CHECK_NEAR(k->tip[i], 0, 2 * tolerance);
    CHECK_NEAR(k->reaction[i], 0, 10 * tolerance); /* masses of some kg, rates of some 1/s */
}

static void motion_and_reactions_follow_the_closed_form(void)
{
    for (int c = 0; c < CONSTANTS; c++) {
        CHECK_CONTEXT("N = %d", n_four_bar_constants[c].n);
        Track k = run(n_four_bar_constants[c].n, 1e-3, 5);
        CHECK_OK(k.status);
        for (int i = 0; i < VALUES; i++) {
            if (n_four_bar_values[i].n == k.n)
                check_value(&k, i);
        }
    }
}

static void invariants_hold(void)
{
    for (int c = 0; c < CONSTANTS; c++) {
        const NFourBarConstant *r = &n_four_bar_constants[c];
        CHECK_CONTEXT("N = %d", r->n);
        Track k = run(r->n, 1e-3, 5);
        CHECK_OK(k.status);
        CHECK_EQUAL_INT(k.summary.dof, 1);
        CHECK_NEAR(k.summary.energy_initial, r->energy, 1e-12 * r->energy);
        CHECK_NEAR(k.summary.max_energy_drift, 0, 1e-7 * r->energy);
        CHECK_NEAR(k.summary.max_position_violation, 0, 1e-13);
        CHECK_NEAR(k.summary.max_velocity_violation, 0, 1e-12);
        CHECK_NEAR(k.apart, 0, 1e-9); /* all cranks stay parallel: no loop changes its branch */
        CHECK_NEAR(k.first_passage, r->first_passage, 1e-9);
    }
}

/* After its period every crank has turned once, whatever happened at the two passages in between. */
static void a_turn_takes_its_period(void)
{
    for (int c = 0; c < CONSTANTS; c++) {
        const NFourBarConstant *r = &n_four_bar_constants[c];
        CHECK_CONTEXT("N = %d", r->n);
        Track k = run(r->n, r->turn_period / 2000, r->turn_period);
        CHECK_OK(k.status);
        CHECK_NEAR(k.crank.value, PI / 2 - 2 * PI, 1e-8);
        CHECK_NEAR(k.crank.rate, -1, 1e-7);
    }
}

CHECK_MAIN(TEST(motion_and_reactions_follow_the_closed_form), TEST(invariants_hold), TEST(a_turn_takes_its_period))
