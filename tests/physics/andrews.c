/* SPDX-License-Identifier: BSD-3-Clause */
/* Andrews' squeezing mechanism against the literature: E. Hairer, G. Wanner, Solving Ordinary Differential Equations II,
 * 2nd ed., Springer, 1996, section VII.7, and the values at 0.03 s of the test set for initial value problem solvers
 * (F. Mazzia, C. Magherini, 2008), whose angle beta has nine correct decimals. */
#include <holon/holon.h>

#include "check.h"

/* The angle of a body at the end minus that at the beginning. */
typedef struct Angle {
    const char *column;
    double from, to;
} Angle;

static const Angle angles[] = {
    {"K1.phi", -0.0617138900142764496, 15.81077119629904},
    {"K3.phi", 0.455279819163070380, 0.04082224013073101},
    {"K5.phi", 0.487364979543842550, 0.5244099658805304},
    {"K7.phi", 1.23054744454982119, 1.048080741042263},
};

static HolRecording *run_andrews(const char *integrator, const char *tolerance)
{
    HolModel *model = hol_model_create();
    HolRecording *recording = NULL;
    HolMessage message = {{0}};
    CHECK_OK(hol_model_load(model, HOLON_SOURCE_DIR "/tests/systems/andrews.yaml"));
    CHECK_OK(hol_model_set(model, "run.integrator", "{kind: %s, tolerance: %s, absolute: %s}", integrator, tolerance,
                           tolerance));
    CHECK_OK(hol_model_run(model, NULL, 0, &recording, &message));
    hol_model_destroy(model);
    return recording;
}

static void adaptive_integrators_agree_with_the_literature(void)
{
    static const char *const integrators[] = {"dopri5", "dop853"};
    for (int k = 0; k < 2; ++k) {
        HolRecording *recording = run_andrews(integrators[k], "1e-12");
        REQUIRE(recording != NULL);
        for (int i = 0; i < 4; ++i) {
            CHECK_CONTEXT("%s, %s", integrators[k], angles[i].column);
            CHECK_NEAR(hol_recording_value(recording, -1, angles[i].column), angles[i].to - angles[i].from,
                       i == 0 ? 2e-9 : 2e-11);
        }
        CHECK(recording->summary.max_energy_drift < 1e-12);
        hol_recording_destroy(recording);
    }
}

/* At 1e-12 it takes a quarter of the evaluations of dopri5, for a smaller error. */
static void dop853_needs_far_fewer_evaluations(void)
{
    HolRecording *fifth = run_andrews("dopri5", "1e-12"), *eighth = run_andrews("dop853", "1e-12");
    HolRecording *reference = run_andrews("dop853", "1e-14");
    REQUIRE(fifth != NULL && eighth != NULL && reference != NULL);
    double exact = hol_recording_value(reference, -1, "K1.phi");
    double of_fifth = fabs(hol_recording_value(fifth, -1, "K1.phi") - exact);
    double of_eighth = fabs(hol_recording_value(eighth, -1, "K1.phi") - exact);
    CHECK_CONTEXT("errors %.3g and %.3g", of_fifth, of_eighth);
    CHECK(of_eighth < of_fifth && of_fifth < 1e-11);
    CHECK(3 * eighth->summary.evaluations < fifth->summary.evaluations);
    hol_recording_destroy(fifth);
    hol_recording_destroy(eighth);
    hol_recording_destroy(reference);
}

CHECK_MAIN(TEST(adaptive_integrators_agree_with_the_literature), TEST(dop853_needs_far_fewer_evaluations))
