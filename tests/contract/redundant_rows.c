/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows that look redundant only because the constraints are violated are no reason to leave them out: a chain that is
 * nearly straight, closed at both ends with one joint too many and started with a velocity against its joints. One step
 * later more rows seem redundant than at the start, for which there was no memory. */
#include <holon/recording.h>

#include "check.h"

static const char chain[] = "plane: xy\n"
                            "gravity: [0, -9.81]\n"
                            "bodies:\n"
                            "  a: {bar: [[0, 0], [100000, 0.0266924653]], mass: 1}\n"
                            "  b: {bar: [[100000, 0.0266924653], [200000, 0]], mass: 1}\n"
                            "  c: {bar: [[200000, 0], [300000, 0.0266924653]], mass: 1}\n"
                            "  d: {bar: [[300000, 0.0266924653], [400000, 0]], mass: 1}\n"
                            "joints:\n"
                            "  A: {revolute: [ground, a], at: [0, 0]}\n"
                            "  B: {revolute: [a, b], at: [100000, 0.0266924653]}\n"
                            "  C: {revolute: [b, c], at: [200000, 0]}\n"
                            "  D: {revolute: [c, d], at: [300000, 0.0266924653]}\n"
                            "  E: {revolute: [ground, d], at: [400000, 0]}\n"
                            "  F: {revolute: [ground, d], at: [400000, 0]}\n"
                            "start: {a: {angular_velocity: 1}}\n"
                            "run: {start: as-given, formulation: generalized-inverse, integrator: rk4, until: 0.05,\n"
                            "      step: 0.001}\n";

static void violated_rows_stay(void)
{
    static const char *const record[] = {"singular"};
    HolModel *model = hol_model_create();
    HolRecording *recording = NULL;
    REQUIRE(model != NULL);
    CHECK_OK(hol_model_parse(model, chain, "chain"));
    hol_model_run(model, record, 1, &recording, NULL); /* ends early: its steps are too long */
    if (CHECK(recording != NULL)) {
        CHECK_EQUAL_INT(recording->summary.redundant_rows, 2); /* of joint F */
        CHECK(recording->row_count > 10);
        CHECK(hol_recording_value(recording, -1, "singular.sigma_min") >= 0);
    }
    hol_recording_destroy(recording);
    hol_model_destroy(model);
}

CHECK_MAIN(TEST(violated_rows_stay))
