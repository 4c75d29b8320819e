/* SPDX-License-Identifier: BSD-3-Clause */
/* Beams in motion: a cantilever that sinks under its weight against the sum over its modes, a free beam that keeps its
 * momenta, and the same motion by methods that share nothing but the terms. */
#include <holon/mechanism.h>

#include "check.h"
#include "momenta.h"
#include "recorded.h"

static bool open_run(const char *text, Recorded *run)
{
    HolModel *model = hol_model_create();
    CHECK_OK(hol_model_parse(model, text, "beams"));
    return recorded_open(run, model, NULL);
}

/* A column at the time t, to which the run goes on. */
static double value_at(Recorded *run, double t, const char *column)
{
    if (t > hol_simulation_state(run->simulation)->t && !recorded_go_to(run, t))
        printf("    %s\n", hol_simulation_message(run->simulation));
    return recorded_value(run, column);
}

/* ---- A cantilever under its weight ---- */

/* With cos(b) cosh(b) = -1 and sigma = (sinh b - sin b)/(cosh b + cos b), the end of a cantilever that a load p per
 * length meets at rest is at
 *
 *     w = p L^4 / EI  sum +-4 sigma / b^5 (1 - cos(omega t)),   omega = b^2 sqrt(EI / m L^4)                 (1) */
static double sinking(double t, double p, double EI, double m, double L)
{
    double sum = 0, b[6] = {1.87510406871196, 4.69409113297417, 7.85475743823761,
                            10.9955407348755, 14.1371683910465, 17.2787595320882};
    for (int i = 0; i < 6; ++i) {
        double sigma = (sinh(b[i]) - sin(b[i])) / (cosh(b[i]) + cos(b[i]));
        double omega = b[i] * b[i] * sqrt(EI / m) / (L * L);
        sum += (i % 2 ? -4 : 4) * sigma / pow(b[i], 5) * (1 - cos(omega * t));
    }
    return p * pow(L, 4) / EI * sum;
}

static void a_cantilever_sinks_as_its_modes_say(void)
{
    static const char text[] =
        "gravity: [0, 0, -1e-3]\n"
        "points: {A: [0, 0, 0], B: [10, 0, 0]}\n"
        "beams: {b: {from: A, to: B, elements: 4, section: {EA: 1e7, GA2: 1e7, GA3: 1e7, GJ: 1e4, EI2: 14000,\n"
        "            EI3: 14000, mass: 1.2, J2: 1e-3, J3: 1e-3}}}\n"
        "joints: {clamp: {fixed: [ground, b.start], at: A}}\n"
        "run: {until: 2, step: 2 ms, record: [b.end, B, clamp.reaction, b@0]}\n";
    Recorded run;
    if (!open_run(text, &run))
        return;
    HolSummary summary = hol_simulation_summary(run.simulation); /* steps that beams bear are what is usual for them */
    CHECK_STRING(summary.formulation, "index3-augmented-lagrangian");
    for (int i = 1; i <= 8; ++i) {
        double t = 0.2 * i, known = -sinking(t, 1.2e-3, 14000, 1.2, 10);
        CHECK_CONTEXT("t = %g", t);
        CHECK_NEAR(value_at(&run, t, "b.end.z"), known, 3e-3 * fabs(known) + 2e-7);
        CHECK_NEAR(value_at(&run, t, "B.z"), value_at(&run, t, "b.end.z"), 1e-15); /* the point is the end's */
        /* The clamp holds what the first section feels; the stress there is extrapolated. */
        CHECK_NEAR(value_at(&run, t, "clamp.ty"), -value_at(&run, t, "b@0.M2"), 0.02 * 0.1);
    }
    recorded_close(&run);
}

/* ---- A free beam ---- */

static const char flying[] =
    "points: {A: [6, 0, 0], B: [0, 8, 0]}\n"
    "beams:\n"
    "  b: {from: A, to: B, elements: 4, order: 2, section: {EA: 1e4, GA2: 1e4, GA3: 1e4, GJ: 500, EI2: 500, EI3: 500,\n"
    "      mass: 1, J2: 10, J3: 10}}\n"
    "forces:\n"
    "  push: {force: b.start, vector: [\"if(t < 2.5, 3.2*t, if(t < 5, 16 - 3.2*t, 0))\", 0, 0]}\n"
    "  twist: {torque: b.start, vector: [0, \"-if(t < 2.5, 32*t, if(t < 5, 160 - 32*t, 0))\",\n"
    "          \"-if(t < 2.5, 16*t, if(t < 5, 80 - 16*t, 0))\"]}\n"
    "run: {until: 8, step: %g, formulation: {kind: %s, tolerance: 1e-11}, integrator: newmark, record: [b.end, b.start, energy]}\n";

/* Simo and Vu-Quoc's flying spaghetti: a triangle of force and torque over 5 s gives it the momentum 20 N s along x. */
static void a_thrown_beam_keeps_its_momenta(void)
{
    char text[1500];
    Recorded run;
    double P[3], L[3], P_5[3], L_5[3];
    snprintf(text, sizeof text, flying, 0.02, "index3-augmented-lagrangian");
    if (!open_run(text, &run))
        return;
    double E_5 = value_at(&run, 5, "energy.total");
    find_momenta(hol_mechanism_system(run.mechanism), hol_simulation_state(run.simulation), P_5, L_5);
    CHECK_NEAR(P_5[0], 20, 1e-6 * 20);
    CHECK_NEAR(hypot(P_5[1], P_5[2]), 0, 1e-6);
    double E = value_at(&run, 8, "energy.total");
    find_momenta(hol_mechanism_system(run.mechanism), hol_simulation_state(run.simulation), P, L);
    for (int i = 0; i < 3; ++i) {
        CHECK_NEAR(P[i], P_5[i], 1e-7);
        CHECK_NEAR(L[i], L_5[i], 2e-3);
    }
    CHECK_NEAR(E, E_5, 1e-4 * E_5);
    recorded_close(&run);
}

static double place_at_the_end(double step)
{
    char text[1500];
    Recorded run;
    snprintf(text, sizeof text, flying, step, "index3-augmented-lagrangian");
    if (!open_run(text, &run))
        return HUGE_VAL;
    double z = value_at(&run, 3, "b.end.z");
    recorded_close(&run);
    return z;
}

static void shorter_steps_converge_with_the_order_of_the_scheme(void)
{
    double z[3];
    for (int i = 0; i < 3; ++i)
        z[i] = place_at_the_end(0.05 / (1 << i));
    CHECK_NEAR(log2(fabs((z[0] - z[1]) / (z[1] - z[2]))), 2, 0.15);
}

/* ---- A start that turns ---- */

/* T = m L^3 w^2 / 6 + J L w^2 / 2 about the first end, and M v^2 / 2 across; the whole beam is given its motion at once. */
static void a_whole_beam_starts_as_a_rigid_body(void)
{
    Recorded run;
    if (!open_run("points: {A: [1, 2, 3], B: [1, 5, 3]}\n"
                  "beams: {b: {from: A, to: B, elements: 2, section: {EA: 1e4, GA2: 1e4, GA3: 1e4, GJ: 1, EI2: 1,\n"
                  "            EI3: 1, mass: 2, J2: 0.1, J3: 0.2}}}\n"
                  "start: {b: {velocity: [0, 0, 5], angular_velocity: [0, 0, 4]}}\n"
                  "run: {until: 1, record: [b.end, b.start, A, B, energy, b@0.5]}\n",
                  &run))
        return;
    CHECK_NEAR(value_at(&run, 0, "energy.kinetic"), 2 * 27 * 16 / 6.0 + 3 * 0.2 * 16 / 2 + 6 * 25 / 2.0, 1e-9);
    CHECK_NEAR(value_at(&run, 0, "b.end.vx"), -12, 1e-12);
    CHECK_NEAR(value_at(&run, 0, "b.end.wz"), 4, 1e-12);
    CHECK_NEAR(value_at(&run, 0, "b.start.vx"), 0, 1e-12);
    CHECK_NEAR(value_at(&run, 0, "b.start.vz"), 5, 1e-12);
    CHECK_NEAR(value_at(&run, 0, "A.vx"), 0, 1e-12); /* points move with the ends that they are of */
    CHECK_NEAR(value_at(&run, 0, "B.vx"), -12, 1e-12);
    CHECK_NEAR(value_at(&run, 0, "b@0.5.N"), 0, 1e-9);
    recorded_close(&run);
}

/* ---- The same motion by different methods ---- */

static void formulations_agree(void)
{
    static const char *const methods[] = {"direct-correction", "augmented-lagrangian", "null-space", "penalty"};
    double known = 0;
    for (int i = 0; i < 4; ++i) {
        char text[1000];
        Recorded run;
        snprintf(
            text, sizeof text,
            "gravity: [0, 0, -1]\n"
            "points: {A: [0, 0, 0], B: [1, 0, 0], C: [1, 1, 0]}\n"
            "beams:\n"
            "  a: {from: A, to: B, elements: 1, section: {EA: 50, GA2: 50, GA3: 50, GJ: 1, EI2: 1, EI3: 1, mass: 1}}\n"
            "  b: {from: B, to: C, elements: 1, order: 1,\n"
            "      section: {EA: 50, GA2: 50, GA3: 50, GJ: 1, EI2: 1, EI3: 1, mass: 1}}\n"
            "joints:\n"
            "  clamp: {fixed: [ground, a.start], at: A}\n"
            "  corner: {fixed: [a.end, b.start], at: B}\n"
            "run: {until: 0.5, step: 1 ms, formulation: %s, record: [b.end, energy]}\n",
            methods[i]);
        CHECK_CONTEXT("%s", methods[i]);
        if (!open_run(text, &run))
            return;
        double z = value_at(&run, 0.5, "b.end.z");
        known = i == 0 ? z : known;
        CHECK_NEAR(z, known, strcmp(methods[i], "penalty") == 0 ? 1e-9 : 1e-12);
        /* Rows that penalties leave open store energy. */
        CHECK_NEAR(value_at(&run, 0.5, "energy.drift"), 0, strcmp(methods[i], "penalty") == 0 ? 1e-8 : 1e-11);
        recorded_close(&run);
    }
}

CHECK_MAIN(TEST(a_cantilever_sinks_as_its_modes_say), TEST(a_thrown_beam_keeps_its_momenta),
           TEST(shorter_steps_converge_with_the_order_of_the_scheme), TEST(a_whole_beam_starts_as_a_rigid_body),
           TEST(formulations_agree))
