/* SPDX-License-Identifier: BSD-3-Clause */
/* The built-in models with beams beyond their references: by other methods, and by general laws:
 * impulse, work, the limit of a rod that does not bend. */
#include <holon/mechanism.h>

#include "check.h"
#include "momenta.h"
#include "recorded.h"

#include <stdlib.h>

/* A built-in model with changes "path=value", the last of them followed by NULL; a variant is "variant=name". */
static bool open_model(Recorded *r, const char *name, const char *const *changes)
{
    HolModel *model = hol_model_create();
    CHECK_OK(hol_model_load(model, name));
    for (; *changes; ++changes) {
        char path[100];
        const char *equals = strchr(*changes, '=');
        snprintf(path, sizeof path, "%.*s", (int)(equals - *changes), *changes);
        if (strcmp(path, "variant") == 0)
            CHECK_OK(hol_model_choose(model, equals + 1));
        else
            CHECK_OK(hol_model_set(model, path, "%s", equals + 1));
    }
    return recorded_open(r, model, NULL);
}

/* ---- By other methods ---- */

static const char *const names[] = {"cantilever", "princeton-beam", "bend-45", "flying-spaghetti",
                                    "slider-crank-flexible"};
static const char *const methods[][2] = {
    {"run.formulation=index3-augmented-lagrangian", "run.integrator=newmark"},
    {"run.formulation=index3-augmented-lagrangian", "run.integrator=generalized-alpha"},
    {"run.formulation=energy-preserving", "run.integrator=built-in"},
    {"run.formulation=energy-decaying", "run.integrator=built-in"},
};
enum { METHODS = sizeof methods / sizeof *methods };

/* Forty steps by each method; they agree as well as their order lets them, in parts of the way of the end. */
static void every_model_runs_by_every_whole_step_method(void)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        double end[METHODS][3], start[3] = {0}, way = 0;
        for (int k = 0; k < METHODS; ++k) {
            Recorded r;
            CHECK_CONTEXT("%s, %s, %s", names[i], methods[k][0], methods[k][1]);
            const char *const changes[] = {methods[k][0], methods[k][1], NULL};
            const char *column[] = {"b.end.x", "b.end.y", "b.end.z", "rod.end.x", "rod.end.y", "rod.end.z"};
            int first = i == 4 ? 3 : 0;
            REQUIRE(open_model(&r, names[i], changes));
            for (int c = 0; c < 3; ++c)
                start[c] = recorded_value(&r, column[first + c]);
            CHECK(recorded_go_to(&r, 40 * hol_mechanism_options(r.mechanism).step));
            for (int c = 0; c < 3; ++c) {
                end[k][c] = recorded_value(&r, column[first + c]);
                way = fmax(way, fabs(end[k][c] - start[c]));
            }
            CHECK_NEAR(hol_simulation_summary(r.simulation).max_position_violation, 0, 1e-8);
            for (int c = 0; c < 3 && k > 0; ++c)
                CHECK_NEAR(end[k][c], end[0][c], 0.02 * way);
            recorded_close(&r);
        }
    }
}

/* ---- Impulses ---- */

/* Force along x of the flying spaghetti, in parts of its largest. */
static double load_at(bool spatial, double t)
{
    return spatial ? fmax(0, 1 - fabs(t / 2.5 - 1)) : t < 2.5 ? 1 : 0;
}

/* Momentum is the impulse, 20 N s, and angular momentum the sum of h (r x F + T) over the middles of the steps, as long
 * as steps keep them; behind the loads they and the energy stay, which is the work. */
static void check_impulses(bool spatial)
{
    Recorded r;
    double P[3], L[3], P_5[3], L_5[3] = {0}, sum[3] = {0}, h = 0.02;
    const char *const changes[] = {"run.step=20 ms", spatial ? "variant=spatial" : "run.until=8", NULL};
    CHECK_CONTEXT("%s", spatial ? "in space" : "in the plane");
    REQUIRE(open_model(&r, "flying-spaghetti", changes));
    double y[2] = {recorded_value(&r, "b.start.y")}, z[2] = {recorded_value(&r, "b.start.z")}, E_5 = 0, E = 0;
    for (int k = 1; k <= 300; ++k) {
        double F = load_at(spatial, (k - 0.5) * h);
        CHECK(recorded_go_to(&r, k * h));
        y[1] = recorded_value(&r, "b.start.y");
        z[1] = recorded_value(&r, "b.start.z");
        sum[1] += h * F * (8 * (z[0] + z[1]) / 2 - (spatial ? 80 : 0));
        sum[2] += h * F * (-8 * (y[0] + y[1]) / 2 - (spatial ? 40 : 80));
        y[0] = y[1];
        z[0] = z[1];
        E = recorded_value(&r, "energy.total");
        if (k == 250) {
            E_5 = E;
            find_momenta(hol_mechanism_system(r.mechanism), hol_simulation_state(r.simulation), P_5, L_5);
        }
    }
    find_momenta(hol_mechanism_system(r.mechanism), hol_simulation_state(r.simulation), P, L);
    CHECK_NEAR(P[0], 20, 1e-8);
    CHECK_NEAR(hypot(P[1], P[2]), 0, 1e-8);
    for (int i = 0; i < 3; ++i)
        CHECK_NEAR(L[i], sum[i], 1e-4 * 100), CHECK_NEAR(L[i], L_5[i], 1e-7);
    CHECK(E_5 > 20);
    CHECK_NEAR(E, E_5, 1e-8 * E_5);
    CHECK_NEAR(hol_simulation_summary(r.simulation).max_energy_drift, 0, 1e-8 * E_5);
    recorded_close(&r);
}

static void impulses_become_momenta(void)
{
    check_impulses(false);
    check_impulses(true);
}

/* ---- A rod that does not bend ---- */

/* x = r cos(Wt) + sqrt(l^2 - r^2 sin(Wt)^2), and the middle of the rod on the chord. */
static void a_stiff_rod_makes_a_rigid_slider_crank(void)
{
    Recorded r;
    const char *const changes[] = {"parameters.E=2e15 Pa", NULL};
    REQUIRE(open_model(&r, "slider-crank-flexible", changes));
    for (int k = 1; k <= 12; ++k) {
        double t = 5e-3 * k, c = 0.15 * cos(150 * t), s = 0.15 * sin(150 * t);
        CHECK_CONTEXT("t = %g", t);
        CHECK(recorded_go_to(&r, t));
        CHECK_NEAR(recorded_value(&r, "slider.x"), c + sqrt(0.09 - s * s), 1e-7);
        CHECK_NEAR(recorded_value(&r, "rod.6.y"), s / 2, 2e-6);
    }
    recorded_close(&r);
}

CHECK_MAIN(TEST(every_model_runs_by_every_whole_step_method), TEST(impulses_become_momenta),
           TEST(a_stiff_rod_makes_a_rigid_slider_crank))
