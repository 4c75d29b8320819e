/* SPDX-License-Identifier: BSD-3-Clause */
/* The slider-crank of two equal rods, through its singular configurations.
 *
 * Whenever both rods stand upright (x2 = 0) D loses rank, and two branches meet: the slider may go on through the
 * origin (x3 = 2 x2, the motion of the reference) or stay there while the rods turn together (x3 = 0). The reference
 * gives the time of every passage. */
#include <holon/holon.h>

#include "check.h"
#include "hermite.h"
#include "runs.h"
#include "systems/reference_values.h"
#include "systems/scenes.h"

enum { TIMES = sizeof slider_crank_values / sizeof *slider_crank_values };
enum { PASSAGES = sizeof slider_crank_passages / sizeof *slider_crank_passages, MOST_PASSAGES = PASSAGES + 8 };
enum { X2, Y2, X3 };
static const double PI = 3.14159265358979323846, G = 9.81;

typedef struct Track {
    HolStatus status;
    HolSummary summary;
    double passages[MOST_PASSAGES];
    int passage_count;
    double branch;   /* max |x3 - 2 x2| */
    double phi_step; /* the smallest advance of phi in a step */
    double phi[TIMES], x[TIMES] /* errors at the reference times: angle, coordinates, */;
    double rates[TIMES], force[TIMES]; /* velocities, and the forces that the accelerations imply */
    double t, turned;                  /* one step before */
    HermiteEnd x2;
} Track;

/* The angle of the crank, counted on over full turns from the one before. */
static double angle_after(double before, const double *q)
{
    double phi = atan2(q[Y2], q[X2]);
    return phi + 2 * PI * round((before - phi) / (2 * PI));
}

/* Newton's law for both rods together: m (x2'' + x3''/2) = R_x, m y2'' = R_y + N - 2 m g, with m = 1. */
static double force_error(const SliderCrankValue *r, const double *a)
{
    double x = a[X2] + a[X3] / 2 - r->R_P1[0], y = a[Y2] + 2 * G - r->R_P1[1] - r->N_P3;
    return fmax(fabs(x), fabs(y));
}

static void compare(Track *k, int i, double phi, const HolState *s)
{
    const SliderCrankValue *r = &slider_crank_values[i];
    k->phi[i] = phi - r->phi;
    k->x[i] = fmax(fabs(s->q[X2] - r->x2), fmax(fabs(s->q[Y2] - r->y2), fabs(s->q[X3] - r->x3)));
    k->rates[i] = fmax(fabs(s->v[X3] - r->x3_rate), fabs(s->v[Y2] - r->x2 * r->phi_rate));
    k->force[i] = force_error(r, s->vdot);
}

static HolStatus record(void *user, const HolState *s, const HolMeasures *m)
{
    (void)m;
    Track *k = user;
    bool first = s->t == 0;
    double phi = angle_after(first ? 0 : k->turned, s->q);
    for (int i = 0; i < TIMES; i++) {
        if (fabs(s->t - slider_crank_values[i].t) < 1e-9)
            compare(k, i, phi, s);
    }
    HermiteEnd x2 = {s->q[X2], s->v[X2]};
    if (!first && k->x2.value * x2.value < 0 && k->passage_count < MOST_PASSAGES)
        k->passages[k->passage_count++] = k->t + (s->t - k->t) * hermite_sign_change(s->t - k->t, k->x2, x2);
    if (!first)
        k->phi_step = fmin(k->phi_step, phi - k->turned);
    k->branch = fmax(k->branch, fabs(s->q[X3] - 2 * s->q[X2]));
    k->t = s->t;
    k->x2 = x2;
    k->turned = phi;
    return HOL_OK;
}

static Track track_of_nothing(void)
{
    Track track = {.phi_step = HUGE_VAL};
    for (int i = 0; i < TIMES; i++)
        track.phi[i] = track.x[i] = track.rates[i] = track.force[i] = NAN;
    return track;
}

/* start NULL: that of the scene */
static Track run_from(const HolInitialState *start, const char *formulation, double h, double until)
{
    Track track = track_of_nothing();
    HolSimulationOptions options = run_options(formulation, "rk4", h);
    HolRun request = {.until = until, .record = record, .user = &track};
    Result result = run_alone("slider-crank", 0, start, &options, &request);
    track.status = result.status;
    track.summary = result.summary;
    return track;
}

static Track run(const char *formulation, double h, double until)
{
    return run_from(NULL, formulation, h, until);
}

static void it_passes_every_singular_configuration_in_time(void)
{
    Track k = run("direct-correction", 1e-3, 10);
    REQUIRE_OK(k.status);
    REQUIRE(k.passage_count == PASSAGES);
    for (int i = 0; i < PASSAGES; i++) {
        CHECK_CONTEXT("passage %d", i);
        CHECK_NEAR(k.passages[i], slider_crank_passages[i].t, 1e-6);
    }
    CHECK_NEAR(k.passages[2] - k.passages[0], slider_crank_turn_period, 1e-8);
}

static void it_stays_on_its_branch(void)
{
    Track k = run("direct-correction", 1e-3, 10);
    REQUIRE_OK(k.status);
    CHECK_NEAR(k.branch, 0, 1e-9);
    CHECK(k.phi_step > 0);
    CHECK_NEAR(k.summary.max_position_violation, 0, 1e-13);
    CHECK_NEAR(k.summary.max_velocity_violation, 0, 1e-12);
    CHECK_NEAR(k.summary.energy_initial, slider_crank_energy, 1e-13);
    CHECK_NEAR(k.summary.max_energy_drift, 0, 1e-6);
}

static void motion_follows_the_reference(void)
{
    Track k = run("direct-correction", 1e-3, 2);
    REQUIRE_OK(k.status);
    for (int i = 0; i < TIMES; i++) {
        CHECK_CONTEXT("t = %g", slider_crank_values[i].t);
        CHECK_NEAR(k.phi[i], 0, 1e-6);
        CHECK_NEAR(k.x[i], 0, 1e-6);
        CHECK_NEAR(k.rates[i], 0, 1e-6);
        CHECK_NEAR(k.force[i], 0, 1e-6);
    }
}

/* How close a step comes to the singular point is a matter of luck, and h decides it. */
static void every_step_size_keeps_the_branch(void)
{
    for (int i = 0; i < 20; i++) {
        double h = 2e-4 * pow(20, i / 19.0);
        CHECK_CONTEXT("h = %.6g", h);
        Track k = run("direct-correction", h, 10);
        CHECK_OK(k.status);
        CHECK_EQUAL_INT(k.passage_count, PASSAGES);
        CHECK_NEAR(k.branch, 0, 1e-9);
        CHECK(k.phi_step > 0);
        CHECK_NEAR(k.summary.max_energy_drift, 0, 1e-4); /* a near hit costs a jump of some 1e-6 J */
    }
}

/* Coordinates chosen next to a singular point are the best of a bad lot. Once past it they must be measured against
 * what D offers now: when the crank lies flat y2 can no longer follow from the others. With T = phidot^2 (1 + 3 sin^2
 * phi) / 3 the start lies on the motion of the reference. */
static void a_choice_near_a_singular_point_does_not_last(void)
{
    double phi = PI / 2 + 0.01, c = cos(phi), s = sin(phi);
    double rate = sqrt(3 * (slider_crank_energy - G * s) / (1 + 3 * s * s));
    const double q[3] = {c, s, 2 * c}, v[3] = {-s * rate, c * rate, -2 * s * rate};
    const HolInitialState start = {0, q, v};
    Track k = run_from(&start, "coordinate-partitioning", 1e-3, 0.7);
    CHECK_OK(k.status);
    CHECK(k.turned > PI + 0.5);
    CHECK_NEAR(k.summary.max_energy_drift, 0, 1e-6);
    CHECK_NEAR(k.branch, 0, 1e-9);
}

CHECK_MAIN(TEST(it_passes_every_singular_configuration_in_time), TEST(it_stays_on_its_branch),
           TEST(motion_follows_the_reference), TEST(every_step_size_keeps_the_branch),
           TEST(a_choice_near_a_singular_point_does_not_last))
