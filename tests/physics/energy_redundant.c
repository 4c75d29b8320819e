/* SPDX-License-Identifier: BSD-3-Clause */
/* energy-decaying with redundant constraints: multipliers that balance each other at one end of a step do not do so at
 * its inner state, so that redundant constraints must get none. Compared with direct-correction by dopri5. */
#include "recorded.h"

typedef struct Case {
    const char *model, *variant, *columns[3];
    double until, error; /* the largest at 2 ms */
} Case;

static HolModel *model_of(const Case *c, const char *formulation, const char *integrator, double step)
{
    HolModel *model = hol_model_create();
    CHECK_OK(hol_model_load(model, c->model));
    if (c->variant)
        CHECK_OK(hol_model_choose(model, c->variant));
    CHECK_OK(hol_model_set(model, "run.coordinates", "natural"));
    CHECK_OK(hol_model_set(model, "run.formulation", "%s", formulation));
    CHECK_OK(hol_model_set(model, "run.integrator", "%s", integrator));
    CHECK_OK(hol_model_set(model, "run.step", "%g", step));
    return model;
}

static HolSummary end_of(const Case *c, HolModel *model, double end[3])
{
    Recorded r;
    HolSummary summary = {0};
    if (recorded_open(&r, model, "bodies") && recorded_go_to(&r, c->until)) {
        summary = hol_simulation_summary(r.simulation);
        for (int i = 0; i < 3; ++i)
            end[i] = recorded_value(&r, c->columns[i]);
    }
    recorded_close(&r);
    return summary;
}

static double error_of(const Case *c, const double exact[3], double step)
{
    double end[3] = {0}, error = 0;
    HolSummary summary = end_of(c, model_of(c, "energy-decaying", "built-in", step), end);
    CHECK(summary.redundant_rows > 0);
    CHECK(summary.max_energy_rise <= 1e-9 * fabs(summary.energy_initial));
    for (int i = 0; i < 3; ++i)
        error = fmax(error, fabs(end[i] - exact[i]));
    return error;
}

/* Order 3, and no energy gained. */
static void redundant_loops_converge(void)
{
    static const Case cases[] = {{"bricard", NULL, {"rod1.x", "rod2.y", "rod4.z"}, 1, 2e-5},
                                 {"spatial-parallelogram", NULL, {"plate.x", "plate.y", "plate.z"}, 0.5, 5e-4}};
    for (int i = 0; i < 2; ++i) {
        double exact[3] = {0};
        end_of(&cases[i], model_of(&cases[i], "direct-correction", "{kind: dopri5, tolerance: 1e-11}", 1e-3), exact);
        double coarse = error_of(&cases[i], exact, 4e-3), fine = error_of(&cases[i], exact, 2e-3);
        CHECK(fine < cases[i].error);
        CHECK(coarse > 6.5 * fine && coarse < 10 * fine);
    }
}

/* The constraints that can be left out change with every quarter turn. */
static void redundant_constraints_that_turn_change(void)
{
    static const Case governor = {"governor", "hinged", {"ball0.x", "ball0.y", "sleeve.z"}, 0.5, 1e-3};
    double exact[3] = {0};
    end_of(&governor, model_of(&governor, "direct-correction", "{kind: dopri5, tolerance: 1e-11}", 1e-3), exact);
    CHECK(error_of(&governor, exact, 2e-3) < governor.error);
}

CHECK_MAIN(TEST(redundant_loops_converge), TEST(redundant_constraints_that_turn_change))
