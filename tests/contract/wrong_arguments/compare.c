/* SPDX-License-Identifier: BSD-3-Clause */
#include <holon/compare.h>

#include "wrong_arguments.h"

static void wrong_hol_compare_options(void)
{
    CHECK(hol_compare_options().rounds > 0); /* it has no argument */
}

/* Options that are not NULL but wrong. */
static void check_wrong_options(const HolMechanism *mechanism)
{
    static const char *const hole[] = {"lagrange", NULL}, *const unknown[] = {"nothing"};
    HolCompareOptions good = hol_compare_options(), wrong = good;
    HolComparison *found = NULL;
    wrong.formulations = wrong.integrators = hole;
    REFUSED("list", hol_compare(mechanism, &wrong, &found, message)); /* counts of 0 */
    wrong.formulation_count = wrong.integrator_count = 2;
    REFUSED("formulations[1]", hol_compare(mechanism, &wrong, &found, message));
    wrong.formulations = NULL;
    REFUSED("integrators[1]", hol_compare(mechanism, &wrong, &found, message));
    wrong = good;
    wrong.formulations = unknown;
    wrong.formulation_count = 1;
    REFUSED("'nothing'", hol_compare(mechanism, &wrong, &found, message));
    wrong = good;
    wrong.rounds = -1;
    REFUSED("rounds", hol_compare(mechanism, &wrong, &found, message));
    wrong.rounds = INT_MAX;
    REFUSED("rounds", hol_compare(mechanism, &wrong, &found, message));
    for (int i = 0; i < WRONG_NUMBERS; ++i) {
        wrong = good;
        wrong.until = wrong_numbers[i];
        REFUSED("until", hol_compare(mechanism, &wrong, &found, message));
        wrong = good;
        wrong.steps = &wrong_numbers[i];
        wrong.step_count = 1;
        REFUSED("step", hol_compare(mechanism, &wrong, &found, message));
    }
    wrong = good;
    wrong.stiff_time_limit = NAN;
    REFUSED("stiff_time_limit", hol_compare(mechanism, &wrong, &found, message));
    CHECK(found == NULL);
}

static void wrong_hol_compare(void)
{
    HolCompareOptions options = hol_compare_options();
    HolComparison *found = (HolComparison *)&said;
    Subject s;
    if (subject_open(&s, "four-bar")) {
        REFUSED("hol_compare: mechanism", hol_compare(NULL, &options, &found, message));
        CHECK(found == NULL);
        REFUSED("hol_compare: options", hol_compare(s.mechanism, NULL, &found, message));
        REFUSED("hol_compare: comparison", hol_compare(s.mechanism, &options, NULL, message));
        check_wrong_options(s.mechanism);
    }
    subject_close(&s);
}

static void wrong_hol_comparison_destroy(void)
{
    hol_comparison_destroy(NULL);
    CHECK(true);
}

static void wrong_hol_compare_open(void)
{
    HolCompareRecord good = {.formulation = "lagrange", .integrator = "rk4", .step = 1e-3}, wrong = good;
    HolSimulation *simulation = (HolSimulation *)&said;
    Subject s;
    if (subject_open(&s, "four-bar")) {
        REFUSED("hol_compare_open: mechanism", hol_compare_open(NULL, &good, &simulation, message));
        CHECK(simulation == NULL);
        REFUSED("hol_compare_open: record", hol_compare_open(s.mechanism, NULL, &simulation, message));
        REFUSED("hol_compare_open: simulation", hol_compare_open(s.mechanism, &good, NULL, message));
        wrong.formulation = NULL;
        REFUSED("hol_compare_open: record->formulation", hol_compare_open(s.mechanism, &wrong, &simulation, message));
        wrong = good;
        wrong.integrator = NULL;
        REFUSED("hol_compare_open: record->integrator", hol_compare_open(s.mechanism, &wrong, &simulation, message));
        wrong = good;
        wrong.step = NAN;
        REFUSED("step", hol_compare_open(s.mechanism, &wrong, &simulation, message));
        CHECK(simulation == NULL);
    }
    subject_close(&s);
}

static const HolCompareRecord one_record[] = {
    {.formulation = "lagrange", .integrator = "rk4", .remark = "", .position_error = 1e-6}};
static const HolComparison one = {.count = 1, .records = one_record};

static void wrong_hol_comparison_reaches(void)
{
    CHECK(hol_comparison_reaches(&one, 0, HOL_GOAL_POSITION, 1));
    CHECK(!hol_comparison_reaches(NULL, 0, HOL_GOAL_POSITION, 1));
    CHECK(!hol_comparison_reaches(&one, 1, HOL_GOAL_POSITION, 1));
    CHECK(!hol_comparison_reaches(&one, 0, (HolCompareGoal)5, 1));
    CHECK(!hol_comparison_reaches(&one, 0, HOL_GOAL_POSITION, NAN));
    for (int i = 0; i < WRONG_INDICES; ++i)
        CHECK(!hol_comparison_reaches(&one, wrong_indices[i], HOL_GOAL_POSITION, 1));
}

static void wrong_hol_comparison_fastest(void)
{
    CHECK_EQUAL_INT(hol_comparison_fastest(&one, HOL_GOAL_POSITION, 1, -1), 0);
    CHECK_EQUAL_INT(hol_comparison_fastest(NULL, HOL_GOAL_POSITION, 1, -1), -1);
    CHECK_EQUAL_INT(hol_comparison_fastest(&one, (HolCompareGoal)-3, 1, -1), -1);
    CHECK_EQUAL_INT(hol_comparison_fastest(&one, HOL_GOAL_POSITION, NAN, -1), -1);
    CHECK_EQUAL_INT(hol_comparison_fastest(&one, HOL_GOAL_POSITION, 1, 1), -1);
    CHECK_EQUAL_INT(hol_comparison_fastest(&one, HOL_GOAL_POSITION, 1, INT_MAX), -1);
    CHECK_EQUAL_INT(hol_comparison_fastest(&one, HOL_GOAL_POSITION, 1, INT_MIN), -1);
}

static void wrong_hol_compare_same_methods(void)
{
    const HolCompareRecord empty = {0};
    CHECK(!hol_compare_same_methods(NULL, one_record));
    CHECK(!hol_compare_same_methods(one_record, NULL));
    CHECK(!hol_compare_same_methods(one_record, &empty));
    CHECK(!hol_compare_same_methods(&empty, &empty));
}

static void wrong_hol_compare_is_adaptive(void)
{
    CHECK(!hol_compare_is_adaptive(NULL));
    CHECK(!hol_compare_is_adaptive("nothing"));
}

static void wrong_hol_compare_has_ida(void)
{
    CHECK(hol_compare_has_ida() == hol_compare_has_ida()); /* it has no arguments */
}

static void wrong_hol_history_begin(void)
{
    const HolMeasures measures = {.position = 1};
    for (int i = 0; i < WRONG_NUMBERS; ++i) {
        HolHistory history = hol_history_begin(wrong_numbers[i], wrong_numbers[i]);
        hol_history_add(&history, 0, &measures);
        CHECK(isnan(history.violation[HOL_HISTORY_INTERVALS / 2]));
    }
}

static void wrong_hol_history_add(void)
{
    const HolMeasures measures = {.position = 1};
    HolHistory history = hol_history_begin(0, 1);
    hol_history_add(NULL, 0, &measures);
    hol_history_add(&history, 0, NULL);
    hol_history_add(&history, NAN, &measures);
    CHECK(isnan(history.violation[0]));
    hol_history_add(&history, HUGE_VAL, &measures);
    hol_history_add(&history, -HUGE_VAL, &measures);
    CHECK(history.violation[0] == 1 && history.violation[HOL_HISTORY_INTERVALS - 1] == 1);
}

WRONG_ARGUMENTS_MAIN()
