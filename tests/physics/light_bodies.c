/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies far lighter than their neighbours: the Schur complement loses the digits of the load that passes through them,
 * and iterative refinement must give them back. The comparison is null-space, which divides by the mass of no single
 * body: without projection both integrate the same equations with the same steps. */
#include "recorded.h"

enum { LINKS = 7 };

/* A spatial arm of seven links, hinged about changing axes, falls under gravity. Body `light` has this mass. */
static HolModel *arm(const char *formulation, const char *integrator, int light, double mass)
{
    HolModel *model =
        parsed_model("gravity: [0, 0, -9.81]\n"
                     "parameters: {mass_1: 1, mass_2: 1, mass_3: 1, mass_4: 1, mass_5: 1, mass_6: 1, "
                     "mass_7: 1}\n"
                     "points: {P0: [0, 0, 0], P1: [0.3, 0.05, 0.1], P2: [0.6, 0, 0.2], P3: [0.9, 0.05, 0],"
                     " P4: [1.2, 0, 0.1], P5: [1.5, 0.05, 0.2], P6: [1.8, 0, 0]}\n"
                     "repeat:\n"
                     "  - for: i\n"
                     "    from: 1\n"
                     "    to: 7\n"
                     "    bodies: {b$i: {rigid: P$(i-1), mass: mass_$i, inertia: "
                     "[mass_$i/50, mass_$i/40, mass_$i/30]}}\n"
                     "joints:\n"
                     "  J1: {revolute: [ground, b1], at: P0, axis: z}\n"
                     "  J2: {revolute: [b1, b2], at: P1, axis: y}\n"
                     "  J3: {revolute: [b2, b3], at: P2, axis: x}\n"
                     "  J4: {revolute: [b3, b4], at: P3, axis: z}\n"
                     "  J5: {revolute: [b4, b5], at: P4, axis: y}\n"
                     "  J6: {revolute: [b5, b6], at: P5, axis: x}\n"
                     "  J7: {revolute: [b6, b7], at: P6, axis: z}\n"
                     "run: {step: 1 ms}\n");
    char path[40];
    snprintf(path, sizeof path, "parameters.mass_%d", light);
    CHECK_OK(hol_model_set(model, path, "%g", mass));
    CHECK_OK(hol_model_set(model, "run.formulation", "%s", formulation));
    CHECK_OK(hol_model_set(model, "run.integrator", "%s", integrator));
    return model;
}

/* Positions of all bodies after half a second; then the force in the first joint. */
static void fall(HolModel *model, double end[3 * LINKS + 1])
{
    Recorded r;
    char column[20];
    if (recorded_open(&r, model, "all") && recorded_go_to(&r, 0.5))
        for (int i = 0; i < 3 * LINKS; ++i) {
            snprintf(column, sizeof column, "b%d.%c", i / 3 + 1, "xyz"[i % 3]);
            end[i] = recorded_value(&r, column);
        }
    end[3 * LINKS] = recorded_value(&r, "J1.fz");
    recorded_close(&r);
}

static double distance(const double *a, const double *b)
{
    double largest = 0;
    for (int i = 0; i < 3 * LINKS; ++i)
        largest = fmax(largest, fabs(a[i] - b[i]));
    return largest;
}

static void compare(const char *formulation, int light, double mass, double tolerance)
{
    double dense[3 * LINKS + 1], blocks[3 * LINKS + 1];
    fall(arm("null-space", "rk4", light, mass), dense);
    fall(arm(formulation, "rk4", light, mass), blocks);
    CHECK(distance(dense, blocks) < tolerance);
    CHECK_NEAR(blocks[3 * LINKS] / dense[3 * LINKS], 1, 10 * tolerance);
}

static void light_bodies_cost_no_digits(void)
{
    static const double masses[] = {1e-5, 1e-9, 1e-12};
    for (int k = 0; k < 3; ++k)
        for (int light = 1; light <= LINKS; light += 3) {
            compare("lagrange", light, masses[k], 1e-12);
            compare("elimination", light, masses[k], 1e-12);
        }
}

/* The projected run differs from null-space by the error of its steps, which is that of ordinary masses. */
static void projected_runs_have_the_error_of_their_steps(void)
{
    double exact[3 * LINKS + 1], end[3 * LINKS + 1];
    for (int light = 1; light <= LINKS; light += 3) {
        fall(arm("null-space", "{kind: dopri5, tolerance: 1e-13}", light, 1e-12), exact);
        fall(arm("direct-correction", "rk4", light, 1e-12), end);
        CHECK(distance(exact, end) < 1e-9);
        fall(arm("explicit-dae", "rk4", light, 1e-12), end);
        CHECK(distance(exact, end) < 1e-9);
    }
}

CHECK_MAIN(TEST(light_bodies_cost_no_digits), TEST(projected_runs_have_the_error_of_their_steps))
