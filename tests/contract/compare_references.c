/* SPDX-License-Identifier: BSD-3-Clause */
/* References of comparisons cannot be fooled: a second family of methods confirms them. Models where one family alone is
 * wrong or says nothing: an event that error control steps over, motion that is too sensitive, a stiff spring that is
 * met for a short time, a singular configuration, redundant constraints beside a stiff part. */
#include <holon/compare.h>
#include <holon/recording.h>

#include "check.h"

#define PI 3.14159265358979323846

/* Compares these formulations with rk4 or, where that does not fit, their own integrator. NULL after a failure. */
static HolComparison *compare_text(const char *text, const char *formulation, double until)
{
    HolModel *model = hol_model_create();
    HolMechanism *mechanism = NULL;
    HolComparison *c = NULL;
    HolMessage message = {{0}};
    HolCompareOptions options = {.formulations = &formulation, .formulation_count = 1, .until = until};
    HolStatus status = strchr(text, '\n') ? hol_model_parse(model, text, "test.yaml") : hol_model_load(model, text);
    if (status == HOL_OK)
        status = hol_mechanism_create(model, &mechanism);
    for (int i = 0; i < hol_model_error_count(model); ++i)
        printf("    %s\n", hol_model_error(model, i));
    if (CHECK_OK(status) && CHECK_OK(hol_mechanism_assemble(mechanism, &message)))
        CHECK_OK(hol_compare(mechanism, &options, &c, &message));
    hol_mechanism_destroy(mechanism);
    hol_model_destroy(model);
    return c;
}

/* The last x of the same run, alone. */
static double final_x(const char *text)
{
    HolModel *model = hol_model_create();
    HolRecording *recording = NULL;
    CHECK_OK(hol_model_parse(model, text, "test.yaml"));
    CHECK_OK(hol_model_run(model, NULL, 0, &recording, NULL));
    double x = hol_recording_value(recording, -1, "ball.x");
    hol_recording_destroy(recording);
    hol_model_destroy(model);
    return x;
}

/* Free flight lets error control take steps of 10 ms, whose stages all miss a pull over 0.2 mm; the compared steps of
 * 0.1 ms do not. The pull takes sqrt(pi) 0.2 J of 0.5 J. */
static void an_event_that_error_control_misses_leaves_no_reference(void)
{
    HolComparison *c = compare_text("plane: xy\n"
                                    "bodies: {ball: {rigid: [0, 0], mass: 1, inertia: 1}}\n"
                                    "forces: {pull: {spring: [ground, ball], from: [-1, 0], to: [0, 0], force: "
                                    "\"1000*exp(-((l - 6.0055)/2e-4)^2)\"}}\n"
                                    "start: {ball: {velocity: [1, 0]}}\n"
                                    "run: {until: 10, step: 1e-4}\n",
                                    "direct-correction", 0);
    REQUIRE(c != NULL);
    CHECK(!c->has_reference && isnan(c->reference_error) && isnan(c->records[0].position_error));
    CHECK_CONTAINS(c->reference.text, "none: two methods differ by 2");
    CHECK_NEAR(c->second_difference, (1 - sqrt(1 - 0.4 * sqrt(PI))) * (10 - 5.0055), 1e-3);
    CHECK_STRING(c->records[0].remark, "");
    hol_comparison_destroy(c);
}

static void motion_that_is_too_sensitive_has_no_reference(void)
{
    HolComparison *long_run = compare_text("five-bar-pendulum", "direct-correction", 0);
    HolComparison *short_run = compare_text("five-bar-pendulum", "direct-correction", 1);
    REQUIRE(long_run != NULL && short_run != NULL);
    CHECK(!long_run->has_reference);
    CHECK_CONTAINS(long_run->reference.text, "none: the motion is too sensitive");
    CHECK(short_run->has_reference && short_run->reference_error < 1e-7);
    hol_comparison_destroy(long_run);
    hol_comparison_destroy(short_run);
}

/* A ball meets a stiff spring for pi ms of 2 s and returns: x(2 s) = 1 - pi/1000. */
static void a_stiff_spring_that_is_met_for_a_short_time(void)
{
    static const char text[] = "plane: xy\n"
                               "bodies: {ball: {rigid: [1, 0], mass: 1, inertia: 1}}\n"
                               "forces: {stop: {spring: [ground, ball], from: [0, 0], to: [1, 0], along: [1, 0], "
                               "force: \"if(l < 0, 1e6*l, 0)\"}}\n"
                               "start: {ball: {velocity: [-1, 0]}}\n"
                               "run: {until: 2, step: 1e-3, formulation: direct-correction, integrator: rk4}\n";
    HolComparison *c = compare_text(text, "direct-correction", 0);
    REQUIRE(c != NULL);
    CHECK(c->has_reference && c->reference_error < 1e-3);
    CHECK(c->reference_error >= c->second_difference);
    double error = fabs(final_x(text) - (1 - PI / 1000)); /* of rk4 with steps of 1 ms */
    CHECK(error > 1e-4);
    CHECK(c->records[0].position_error + c->reference_error >= error);
    hol_comparison_destroy(c);
}

/* The slider-crank passes singular configurations, where null-space and coordinate-partitioning become inaccurate. */
static void singular_configurations_are_confirmed(void)
{
    HolComparison *c = compare_text("slider-crank", "direct-correction", 3);
    REQUIRE(c != NULL);
    CHECK(c->has_reference && c->reference_error < 1e-7);
    CHECK(c->second_method != NULL && c->second_difference > 0 && c->second_difference <= c->reference_error);
    hol_comparison_destroy(c);
}

/* A pendulum on two pins at one place, beside a part of 2e5 rad/s that rests: the implicit reference of one energy
 * method is confirmed by a scheme of Newmark's family. */
static void redundant_constraints_beside_a_stiff_part(void)
{
    HolComparison *c = compare_text("plane: xy\n"
                                    "gravity: [0, -9.81]\n"
                                    "bodies: {bar: {bar: [[0, 0], [1, 0]], mass: 1},\n"
                                    "         fast: {rigid: [3, 0], mass: 1e-3, inertia: 1}}\n"
                                    "joints: {a: {revolute: [ground, bar], at: [0, 0]},\n"
                                    "         b: {revolute: [ground, bar], at: [0, 0]},\n"
                                    "         guide: {prismatic: [ground, fast], at: [3, 0], axis: [1, 0]}}\n"
                                    "forces: {k: {spring: [ground, fast], from: [2, 0], to: [3, 0], stiffness: 4e9}}\n"
                                    "start: {fast: {velocity: [1e-3, 0]}}\n"
                                    "run: {until: 10, step: 1e-3}\n",
                                    "energy-decaying", 0);
    REQUIRE(c != NULL);
    CHECK(c->is_stiff);
    printf("    %s\n", c->reference.text);
    CHECK(c->has_reference && c->reference_error < 1e-2);
    CHECK_CONTAINS(c->second_method ? c->second_method : "", "newmark");
    CHECK(c->second_difference > 0 && c->second_difference <= c->reference_error);
    CHECK(c->confirmation_count >= 1 + hol_compare_has_ida());
    CHECK(c->confirmations[0].is_independent == hol_compare_has_ida());
    CHECK(c->confirmations[0].difference < 1e-2);
    hol_comparison_destroy(c);
}

CHECK_MAIN(TEST(an_event_that_error_control_misses_leaves_no_reference),
           TEST(motion_that_is_too_sensitive_has_no_reference), TEST(a_stiff_spring_that_is_met_for_a_short_time),
           TEST(singular_configurations_are_confirmed), TEST(redundant_constraints_beside_a_stiff_part))
