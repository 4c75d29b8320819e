/* SPDX-License-Identifier: BSD-3-Clause */
/* Mechanisms that miss a singular configuration by a small misfit of their lengths: the motion turns there, from one
 * branch into the other. A slider-crank with rods of 1 m and 1 m + d is compared with the quadrature of its energy in
 * one coordinate, the angle of the shorter rod, which rotates. A four-bar with unequal cranks is compared with its run
 * under error control. Misfits near rounding must be reported, lengths without misfit must not. */
#include <holon/verdict.h>

#include "simulated.h"

#include <stdlib.h>

static const double GRAVITY = 9.81;

static const char *const slider_crank = "plane: xy\n"
                                        "gravity: [0, -9.81]\n"
                                        "parameters: {d: 0 m, s: sqrt(0.5)}\n"
                                        "points: {P1: [0, 0], P2: [s, s], P3: [s + sqrt((1 + d)^2 - s^2), 0]}\n"
                                        "bodies:\n"
                                        "  crank: {bar: [P1, P2], mass: 1}\n"
                                        "  rod: {bar: [P2, P3], mass: 1}\n"
                                        "joints:\n"
                                        "  P1: {revolute: [ground, crank], at: P1}\n"
                                        "  P2: {revolute: [crank, rod], at: P2}\n"
                                        "  P3: {point-on-line: [ground, rod], at: P3, axis: x}\n"
                                        "start: {crank: {angular_velocity: 3}}\n";

static const char *const four_bar = "plane: xy\n"
                                    "gravity: [0, -9.81]\n"
                                    "parameters: {d: 0 m}\n"
                                    "points: {A0: [0, 0], A1: [1, 0], B0: [0, 1], B1: [1 + d, 1]}\n"
                                    "bodies:\n"
                                    "  crank0: {bar: [A0, B0], mass: 1}\n"
                                    "  crank1: {bar: [A1, B1], mass: 1}\n"
                                    "  coupler: {bar: [B0, B1], mass: 1}\n"
                                    "joints:\n"
                                    "  A0: {revolute: [ground, crank0], at: A0}\n"
                                    "  A1: {revolute: [ground, crank1], at: A1}\n"
                                    "  left: {revolute: [crank0, coupler], at: B0}\n"
                                    "  right: {revolute: [crank1, coupler], at: B1}\n"
                                    "start: {crank0: {angular_velocity: -1}}\n";

/* The state of the slider-crank at an angle of the shorter rod, of length r; the other one has length R. */
typedef struct Pose {
    double inertia;   /* 2 T / (d angle / dt)^2 */
    double potential; /* of both rods */
} Pose;

/* Twice the kinetic energy of a rod of 1 kg with the velocities of its ends. */
static double rod_energy(const double a[2], const double b[2])
{
    return (a[0] * a[0] + a[1] * a[1] + a[0] * b[0] + a[1] * b[1] + b[0] * b[0] + b[1] * b[1]) / 3;
}

/* The angle is that of the crank from P1 if the crank is shorter, else that of the rod from P3, mirrored: either way
 * P2 is at the height y = r sin(angle), and the longer rod spans R cos > 0 horizontally. */
static Pose pose_at(double d, double angle)
{
    double r = d > 0 ? 1 : 1 + d, excess = fabs(d) * (2 + d); /* R^2 - r^2 */
    double y = r * sin(angle), dy = r * cos(angle), span = sqrt(dy * dy + excess), dspan = -y * dy / span;
    double zero[2] = {0, 0}, first[2] = {-y, dy}, end[2] = {-y + dspan, 0};
    double second[2] = {dspan, dy}; /* P2, if the longer rod is the crank */
    const double *P2 = d > 0 ? first : second;
    return (Pose){rod_energy(zero, P2) + rod_energy(P2, end), GRAVITY * y};
}

/* The time in which the angle goes from a to b inside one half turn about a vertical position, by the midpoint rule in
 * u, angle = middle + w sinh u, which resolves the turn there. */
static double time_within(double d, double energy, double middle, double a, double b)
{
    enum { PARTS = 20000 };
    double w = sqrt(2 * fabs(d)), from = asinh((a - middle) / w), to = asinh((b - middle) / w), h = (to - from) / PARTS;
    double sum = 0;
    for (int i = 0; i < PARTS; ++i) {
        double u = from + (i + 0.5) * h;
        Pose pose = pose_at(d, middle + w * sinh(u));
        sum += w * cosh(u) * sqrt(pose.inertia / (2 * (energy - pose.potential)));
    }
    return sum * h;
}

static double time_until(double d, double energy, double a, double b)
{
    const double pi = acos(-1);
    double sum = 0;
    while (a < b) {
        double half_turn = pi * floor(a / pi + 1e-9), end = fmin(b, half_turn + pi);
        sum += time_within(d, energy, half_turn + pi / 2, a, end);
        a = end;
    }
    return sum;
}

typedef struct Choice {
    const char *text, *d, *integrator;
    double step, until;
} Choice;

static bool run_formulation(Choice choice, const char *formulation, Simulated *run)
{
    static const HolSetting tight[] = {{"integrator.tolerance", "1e-11"}, {"integrator.absolute", "1e-11"}};
    HolModel *model = hol_model_create();
    CHECK_OK(hol_model_parse(model, choice.text, "near_singular"));
    CHECK_OK(hol_model_set(model, "parameters.d", "%s", choice.d));
    if (!simulated_assemble(run, model))
        return false;
    HolInitialState start = hol_mechanism_initial_state(run->mechanism);
    HolSimulationOptions options = hol_mechanism_options(run->mechanism);
    options.formulation = formulation;
    options.integrator = choice.integrator;
    options.step = choice.step;
    if (strcmp(choice.integrator, "dopri5") == 0) {
        options.settings = tight;
        options.setting_count = 2;
    }
    return simulated_start(run, &start, &options) &&
           CHECK_OK(hol_simulation_run(run->simulation, &(HolRun){.until = choice.until}));
}

static bool run_choice(Choice choice, Simulated *run)
{
    return run_formulation(choice, "direct-correction", run);
}

/* The angle of the shorter rod, which increases: that of the crank, or minus that of the rod plus a half turn. */
static double short_angle(double d, const double *q)
{
    return d > 0 ? q[2] : -q[5];
}

static void check_against_quadrature(const char *text_d, double step, double tolerance)
{
    Simulated run;
    double d = strtod(text_d, NULL), begin = d > 0 ? acos(-1) / 4 : asin(sqrt(0.5) / (1 + d));
    if (run_choice((Choice){slider_crank, text_d, "rk4", step, 4}, &run)) {
        HolSummary summary = hol_simulation_summary(run.simulation);
        double angle = short_angle(d, hol_simulation_state(run.simulation)->q);
        double t = time_until(d, summary.energy_initial, begin, angle);
        if (!CHECK(fabs(t - 4) <= tolerance))
            printf("    d = %s, step %g: %g s off\n", text_d, step, t - 4);
        CHECK(summary.singular_events == 0 && summary.recoveries == 0);
        CHECK(summary.max_energy_drift < 0.02);
    }
    simulated_close(&run);
}

static void slider_cranks_follow_the_turn(void)
{
    static const char *const misfits[] = {"1e-3", "-1e-3", "1e-4", "-1e-5", "1e-6", "1e-7", "-1e-7", "1e-8", "1e-9"};
    for (size_t i = 0; i < sizeof misfits / sizeof *misfits; ++i) {
        check_against_quadrature(misfits[i], 1e-3, 1e-4);
        check_against_quadrature(misfits[i], 1e-2, 5e-3);
    }
}

static void four_bars_agree_with_error_control(void)
{
    static const char *const misfits[] = {"1e-2", "-1e-2", "1e-3", "-1e-4", "1e-4", "1e-6", "-1e-6", "1e-8"};
    for (size_t i = 0; i < sizeof misfits / sizeof *misfits; ++i) {
        Simulated exact, fixed;
        bool is_exact = run_choice((Choice){four_bar, misfits[i], "dopri5", 1e-3, 3}, &exact);
        if (run_choice((Choice){four_bar, misfits[i], "rk4", 1e-3, 3}, &fixed) && is_exact) {
            HolSummary summary = hol_simulation_summary(fixed.simulation);
            const double *a = hol_simulation_state(exact.simulation)->q, *b = hol_simulation_state(fixed.simulation)->q;
            if (!CHECK(fabs(a[2] - b[2]) < 1e-3 && fabs(a[5] - b[5]) < 1e-3))
                printf("    d = %s: %g %g\n", misfits[i], a[2] - b[2], a[5] - b[5]);
            CHECK(summary.singular_events == 0 && summary.recoveries == 0);
            CHECK(hol_simulation_summary(exact.simulation).max_energy_drift < 1e-6);
        }
        simulated_close(&exact);
        simulated_close(&fixed);
    }
}

static void long_steps_are_divided(void)
{
    Simulated run;
    if (run_choice((Choice){four_bar, "1e-4", "rk4", 1e-2, 3}, &run)) {
        HolSummary summary = hol_simulation_summary(run.simulation);
        CHECK(summary.steps == 300 && summary.divisions > 100 && summary.max_energy_drift < 0.01);
    }
    simulated_close(&run);
}

static void misfits_near_rounding_are_ambiguous(void)
{
    static const char *const texts[] = {slider_crank, four_bar};
    for (int k = 0; k < 2; ++k)
        for (int i = 0; i < 2; ++i) {
            Simulated run;
            if (run_choice((Choice){texts[k], i ? "0" : "2e-12", "rk4", 1e-3, 2}, &run)) {
                HolSummary summary = hol_simulation_summary(run.simulation);
                CHECK(summary.singular_events > 1);
                CHECK(summary.ambiguous_branches == (i ? 0 : summary.singular_events));
                CHECK(summary.branch_changes == 0);
            }
            simulated_close(&run);
        }
}

/* Euler's method lets the pins of the rods drift apart by more than the misfit, or nearly so: the drift decides the
 * turn. */
static void drift_makes_turns_ambiguous(void)
{
    static const struct {
        const char *d, *formulation, *integrator;
        bool is_ambiguous;
    } cases[] = {{"1e-6", "lagrange", "euler", true},
                 {"1e-6", "lagrange", "rk4", false},
                 {"1e-6", "direct-correction", "euler", false},
                 {"1e-6", "elimination", "euler", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        Simulated run;
        Choice choice = {slider_crank, cases[i].d, cases[i].integrator, 1e-3, 1.5};
        if (run_formulation(choice, cases[i].formulation, &run)) {
            CHECK((hol_simulation_summary(run.simulation).ambiguous_branches > 0) == cases[i].is_ambiguous);
            CHECK(!cases[i].is_ambiguous || hol_simulation_verdict(run.simulation) != HOL_VERDICT_GOOD);
        }
        simulated_close(&run);
    }
}

static void other_minima_are_no_passages(void)
{
    static const char *const runs[][3] = {{"iltis-suspension", "light-links", "direct-correction"},
                                          {"governor", "hinged", "lagrange"},
                                          {"governor", "hinged", "baumgarte"}};
    for (int i = 0; i < 3; ++i) {
        Simulated run;
        HolModel *model = hol_model_create();
        CHECK_OK(hol_model_load(model, runs[i][0]));
        CHECK_OK(hol_model_choose(model, runs[i][1]));
        if (simulated_assemble(&run, model)) {
            HolInitialState start = hol_mechanism_initial_state(run.mechanism);
            HolSimulationOptions options = hol_mechanism_options(run.mechanism);
            options.formulation = runs[i][2];
            if (simulated_start(&run, &start, &options) &&
                CHECK_OK(hol_simulation_run(run.simulation, &(HolRun){.until = 2})))
                CHECK(hol_simulation_summary(run.simulation).singular_events == 0);
        }
        simulated_close(&run);
    }
}

/* A choice of coordinates made in a singular configuration has one dependent coordinate too few elsewhere. */
static void partitions_begin_in_singular_configurations(void)
{
    static const char *const formulations[] = {"direct-correction", "coordinate-partitioning"};
    double x[2] = {0, 1};
    for (int i = 0; i < 2; ++i) {
        Simulated run;
        HolModel *model = hol_model_create();
        CHECK_OK(hol_model_load(model, "slider-crank"));
        CHECK_OK(hol_model_choose(model, "from-singularity"));
        if (simulated_assemble(&run, model)) {
            HolInitialState start = hol_mechanism_initial_state(run.mechanism);
            HolSimulationOptions options = hol_mechanism_options(run.mechanism);
            options.formulation = formulations[i];
            if (simulated_start(&run, &start, &options) &&
                CHECK_OK(hol_simulation_run(run.simulation, &(HolRun){.until = 1})))
                x[i] = hol_simulation_state(run.simulation)->q[2];
        }
        simulated_close(&run);
    }
    CHECK_NEAR(x[0], x[1], 1e-4);
}

CHECK_MAIN(TEST(slider_cranks_follow_the_turn), TEST(four_bars_agree_with_error_control), TEST(long_steps_are_divided),
           TEST(misfits_near_rounding_are_ambiguous), TEST(drift_makes_turns_ambiguous),
           TEST(other_minima_are_no_passages), TEST(partitions_begin_in_singular_configurations))
