/* SPDX-License-Identifier: BSD-3-Clause */
/* What a comparison concludes from its numbers: medians and quartiles, orders, remarks, the fastest. */
#include "check.h"
#include "study.h"

static void quartiles_of_few_and_many(void)
{
    double q[3], one[] = {3}, two[] = {4, 2}, five[] = {5, 1, 4, 2, 3}, eight[] = {8, 1, 7, 2, 6, 3, 5, 4};
    hol_study_quartiles(one, 1, q);
    CHECK(q[0] == 3 && q[1] == 3 && q[2] == 3);
    hol_study_quartiles(two, 2, q);
    CHECK(q[0] == 2 && q[1] == 3 && q[2] == 4);
    hol_study_quartiles(five, 5, q);
    CHECK(q[0] == 2 && q[1] == 3 && q[2] == 4);
    hol_study_quartiles(eight, 8, q);
    CHECK(q[0] == 3 && q[1] == 4.5 && q[2] == 6);
}

static void orders_stop_at_the_reference(void)
{
    HolCompareRecord coarse = {.step = 0.02, .position_error = 1.6e-3}, fine = {.step = 0.01, .position_error = 1e-4};
    CHECK_NEAR(hol_study_order(&coarse, &fine, 1e-9), 4, 1e-12);
    CHECK_NEAR(hol_study_order(&coarse, &fine, 0.9e-5), 4, 1e-12);
    CHECK(isnan(hol_study_order(&coarse, &fine, 1.1e-5)));
    CHECK(isnan(hol_study_order(&coarse, &fine, NAN)));
    fine.position_error = NAN;
    CHECK(isnan(hol_study_order(&coarse, &fine, 1e-9)));
}

static void remarks_need_more_than_rounding(void)
{
    const HolScale scale = {.range = 2, .kinetic = 5, .error = 1e-10}, rest = {1e-14, 1e-28, 1e-14, 1};
    HolCompareRecord r = {.position_error = 0.1, .summary = {.max_energy_drift = 1, .energy_initial = 10}};
    CHECK_STRING(hol_study_remark(&r, &scale), "");
    r.position_error = 0.3;
    CHECK_STRING(hol_study_remark(&r, &scale), "inaccurate");
    r.status = HOL_NOT_FINITE;
    CHECK_STRING(hol_study_remark(&r, &scale), "");
    r = (HolCompareRecord){.position_error = NAN, .summary = {.max_energy_drift = 6, .energy_initial = 10}};
    CHECK_STRING(hol_study_remark(&r, &scale), "inaccurate");
    r = (HolCompareRecord){.position_error = 2e-14, .summary = {.max_energy_drift = 1e-15, .energy_initial = 10}};
    CHECK_STRING(hol_study_remark(&r, &rest), "");
    const HolScale fixed = {.size = 2}; /* nothing can move: no range, no error */
    r.position_error = 1e-15;
    CHECK_STRING(hol_study_remark(&r, &fixed), "");
    r.position_error = 1e-11;
    CHECK_STRING(hol_study_remark(&r, &fixed), "inaccurate");
}

/* Long runs of short steps, but neither alone. */
static void stiff_is_many_steps_far_shorter_than_wanted(void)
{
    CHECK(hol_study_is_stiff(1.1e7, 1e-6, 1e-4));
    CHECK(!hol_study_is_stiff(0.9e7, 1e-6, 1e-4));
    CHECK(!hol_study_is_stiff(1e12, 1e-4, 1e-3));
    CHECK(hol_study_is_stiff(1e12, 1e-5, 1e-3));
}

/* d_k r / (1 - r), never better than order 2; without convergence this is reported. */
static void halved_steps_tell_their_error(void)
{
    CHECK_NEAR(hol_study_extrapolated_error(1, 0.5), 0.5, 1e-15);
    CHECK_NEAR(hol_study_extrapolated_error(4, 1), 1.0 / 3, 1e-15);
    CHECK_NEAR(hol_study_extrapolated_error(16, 1), 1.0 / 3, 1e-15);
    CHECK_NEAR(hol_study_extrapolated_error(1, 0.7), 0.7 * 0.7 / 0.3, 1e-15);
    CHECK(isnan(hol_study_extrapolated_error(1, 0.75)));
    CHECK(isnan(hol_study_extrapolated_error(1, 1)));
    CHECK(isnan(hol_study_extrapolated_error(1, 3)));
    CHECK(isnan(hol_study_extrapolated_error(1, NAN)));
    CHECK_NEAR(hol_study_extrapolated_error(0, 0), 0, 0);
}

/* Each coordinate by its own changes: one that grows is not hidden behind another that falls from more. */
static void every_coordinate_must_settle(void)
{
    const HolBounds none = {0, 0, 0};
    const double before[] = {16, 1, 0}, even[] = {4, 0.5, 0}, grows[] = {4, 4, 0}, little[] = {4, 1.1, 0};
    HolConvergence h = hol_study_convergence(before, even, 3, none);
    CHECK_NEAR(h.error, 4.0 / 3, 1e-15);
    CHECK(h.before == 16 && h.last == 4);
    h = hol_study_convergence((double[]){16, 1}, (double[]){0.3, 0.2}, 2, none);
    CHECK_NEAR(h.error, 0.1, 1e-15);
    h = hol_study_convergence((double[]){16, 1}, (double[]){4, 0.7}, 2, none);
    CHECK_NEAR(h.error, 0.7 * 0.7 / 0.3, 1e-15);
    h = hol_study_convergence(before, grows, 3, none);
    CHECK(isnan(h.error) && h.before == 1 && h.last == 4);
    CHECK(isnan(hol_study_convergence(before, little, 3, none).error));
    h = hol_study_convergence((double[]){16, 0.1}, (double[]){4, 0.13}, 2, none); /* less than a tenth of 4/3 */
    CHECK_NEAR(h.error, 4.0 / 3, 1e-15);
    CHECK(isnan(hol_study_convergence((double[]){16, 0.1}, (double[]){4, 0.14}, 2, none).error));
    CHECK(isnan(hol_study_convergence((double[]){1, 1}, (double[]){NAN, 0.2}, 2, none).error));
}

/* Rounding need not fall, nor what is far less than steps may miss. */
static void bounds_of_what_halving_tells(void)
{
    const double before[] = {1e-15, 2e-15}, last[] = {3e-15, 1e-15};
    CHECK_NEAR(hol_study_convergence(before, last, 2, (HolBounds){1e-14, 0, 0}).error, 3e-15, 1e-30);
    CHECK(isnan(hol_study_convergence(before, last, 2, (HolBounds){2e-15, 0, 0}).error));
    CHECK_NEAR(hol_study_convergence(before, last, 2, (HolBounds){0, 1e-13, 0}).error, 1e-15, 1e-30);
    CHECK(isnan(hol_study_convergence(before, last, 2, (HolBounds){0, 2.9e-14, 0}).error));
}

/* A change that remains counts ten times, if that is below a hundredth of the motion. */
static void what_vibrates_a_little_is_allowed_for(void)
{
    const double before[] = {16, 4}, last[] = {4, 4}, grows[] = {4, 17};
    CHECK_NEAR(hol_study_convergence(before, last, 2, (HolBounds){0, 0, 4001}).error, 40, 1e-13);
    CHECK(isnan(hol_study_convergence(before, last, 2, (HolBounds){0, 0, 3999}).error));
    CHECK(isnan(hol_study_convergence(before, grows, 2, (HolBounds){0, 0, 1e9}).error));
}

/* Energy that falls with h^2 is motion that is followed. */
static void energy_that_stays_is_unresolved(void)
{
    CHECK_NEAR(hol_unresolved_fraction(4, 1, 10), 0, 0);
    CHECK_NEAR(hol_unresolved_fraction(5, 1, 10), 0, 0);
    CHECK_NEAR(hol_unresolved_fraction(3, 3, 10), 0.3, 1e-15);
    CHECK_NEAR(hol_unresolved_fraction(3 + 4, 3 + 1, 10), 0.3, 1e-15);
    CHECK_NEAR(hol_unresolved_fraction(0, 0, 0), 0, 0);
}

/* By processor time, whatever the clock on the wall says. */
static const HolCompareRecord records[] = {
    {.remark = "",
     .formulation = "a",
     .integrator = "i",
     .step = 2,
     .position_error = 1e-4,
     .processor_s = 1,
     .wall_s = 9},
    {.remark = "",
     .formulation = "a",
     .integrator = "i",
     .step = 1,
     .position_error = 1e-6,
     .processor_s = 2,
     .wall_s = 1},
    {.remark = "",
     .formulation = "b",
     .integrator = "i",
     .step = 1,
     .position_error = 1e-6,
     .processor_s = 3,
     .wall_s = 2},
    {.remark = "",
     .formulation = "a",
     .integrator = "k",
     .step = 1,
     .position_error = 1e-6,
     .processor_s = 4,
     .wall_s = 3},
    {.remark = "",
     .formulation = "c",
     .integrator = "i",
     .step = 1,
     .processor_s = 0.1,
     .wall_s = 0.1,
     .status = HOL_NOT_FINITE},
};

static void the_fastest_is_accurate_and_has_a_rival(void)
{
    HolComparison c = {.count = 5, .records = records, .reference_error = 1e-7};
    CHECK_EQUAL_INT(hol_comparison_fastest(&c, HOL_GOAL_POSITION, 1e-3, -1), 0);
    CHECK_EQUAL_INT(hol_comparison_fastest(&c, HOL_GOAL_POSITION, 1e-3, 0), 2);
    CHECK_EQUAL_INT(hol_comparison_fastest(&c, HOL_GOAL_POSITION, 1e-5, -1), 1);
    CHECK_EQUAL_INT(hol_comparison_fastest(&c, HOL_GOAL_POSITION, 1e-5, 1), 2);
    CHECK_EQUAL_INT(hol_comparison_fastest(&c, HOL_GOAL_POSITION, 1e-5, 2), 1);
    CHECK_EQUAL_INT(hol_comparison_fastest(&c, HOL_GOAL_POSITION, 1e-8, -1), -1);
    CHECK_EQUAL_INT(hol_comparison_fastest(&c, HOL_GOAL_ENERGY, 1e-8, -1), 0);
}

/* Nonsense is not recommended, however small the number that is asked for. */
static void what_is_far_off_is_never_the_fastest(void)
{
    HolCompareRecord two[] = {records[0], records[1]};
    HolComparison c = {.count = 2, .records = two, .reference_error = 1e-7};
    two[0].remark = "inaccurate";
    CHECK_EQUAL_INT(hol_comparison_fastest(&c, HOL_GOAL_POSITION, 1e-3, -1), 1);
    CHECK_EQUAL_INT(hol_comparison_fastest(&c, HOL_GOAL_ENERGY, 1e-3, -1), 1);
    two[1].remark = "inaccurate";
    CHECK_EQUAL_INT(hol_comparison_fastest(&c, HOL_GOAL_ENERGY, 1e-3, -1), -1);
}

/* The reference's own error counts: only what is surely as small is. */
static void accuracy_includes_the_reference(void)
{
    HolComparison c = {.count = 5, .records = records, .reference_error = 1e-7};
    CHECK(hol_comparison_reaches(&c, 1, HOL_GOAL_POSITION, 1.11e-6));
    CHECK(!hol_comparison_reaches(&c, 1, HOL_GOAL_POSITION, 1.09e-6));
    CHECK(!hol_comparison_reaches(&c, 4, HOL_GOAL_POSITION, 1));
    c.reference_error = NAN;
    CHECK(!hol_comparison_reaches(&c, 1, HOL_GOAL_POSITION, 1));
}

static void histories_keep_the_largest_of_each_part(void)
{
    HolHistory h = hol_history_begin(1, 3);
    CHECK(isnan(h.violation[0]) && isnan(h.drift[HOL_HISTORY_INTERVALS - 1]));
    hol_history_add(&h, 1, &(HolMeasures){.position = 1, .drift = -5});
    hol_history_add(&h, 1.01, &(HolMeasures){.position = 2, .drift = 4});
    hol_history_add(&h, 2, &(HolMeasures){.position = 3});
    hol_history_add(&h, 3, &(HolMeasures){.position = 4});
    hol_history_add(&h, 3.5, &(HolMeasures){.position = 3});
    CHECK(h.violation[0] == 2 && h.drift[0] == 5 && h.violation[32] == 3 && h.violation[63] == 4);
    CHECK(isnan(h.violation[1]) && isnan(h.violation[31]) && isnan(h.violation[62]));
}

/* Without a reference, because the motion is sensitive, no run is known to be good; failed runs are bad. */
static void verdicts_need_a_reference(void)
{
    HolCompareRecord r = {.remark = "", .summary = {.steps = 100, .length = 1, .estimated_error = 1e-9}};
    CHECK(hol_study_verdict(&r, false) == HOL_VERDICT_GOOD);
    CHECK(hol_study_verdict(&r, true) == HOL_VERDICT_DOUBTFUL);
    r.remark = "inaccurate";
    CHECK(hol_study_verdict(&r, true) == HOL_VERDICT_BAD);
    r.remark = "";
    r.status = HOL_NOT_FINITE;
    CHECK(hol_study_verdict(&r, false) == HOL_VERDICT_BAD);
}

CHECK_MAIN(TEST(verdicts_need_a_reference), TEST(quartiles_of_few_and_many), TEST(orders_stop_at_the_reference),
           TEST(remarks_need_more_than_rounding), TEST(stiff_is_many_steps_far_shorter_than_wanted),
           TEST(halved_steps_tell_their_error), TEST(every_coordinate_must_settle), TEST(bounds_of_what_halving_tells),
           TEST(energy_that_stays_is_unresolved), TEST(what_vibrates_a_little_is_allowed_for),
           TEST(what_is_far_off_is_never_the_fastest), TEST(the_fastest_is_accurate_and_has_a_rival),
           TEST(accuracy_includes_the_reference), TEST(histories_keep_the_largest_of_each_part))
