/* SPDX-License-Identifier: BSD-3-Clause */
/* What a comparison promises: a record for every combination, the same numbers each time, errors against a reference
 * that can be trusted, failures that are records, and an end when it is asked for. */
#include <holon/compare.h>

#include "check.h"
#include "runs.h"

typedef struct Machine {
    HolModel *model;
    HolMechanism *mechanism;
} Machine;

static bool open_machine(Machine *m, const char *name, double until, const char *formulation)
{
    HolMessage message = {{0}};
    *m = (Machine){.model = hol_model_create()};
    HolStatus status = hol_model_load(m->model, name);
    if (status == HOL_OK)
        status = hol_model_set(m->model, "run.until", "%g", until);
    if (status == HOL_OK && formulation)
        status = hol_model_set(m->model, "run.formulation", "%s", formulation);
    if (status == HOL_OK)
        status = hol_mechanism_create(m->model, &m->mechanism);
    for (int i = 0; i < hol_model_error_count(m->model); ++i)
        printf("    %s\n", hol_model_error(m->model, i));
    return CHECK_OK(status) && CHECK_OK(hol_mechanism_assemble(m->mechanism, &message));
}

static void close_machine(Machine *m)
{
    hol_mechanism_destroy(m->mechanism);
    hol_model_destroy(m->model);
}

static const char *known_of(const char *name)
{
    for (int i = 0; i < hol_library_count(); ++i)
        if (strcmp(hol_library_model(i).name, name) == 0)
            return hol_library_model(i).reference;
    return NULL;
}

static void check_record(const HolCompareRecord *r, double until)
{
    CHECK_CONTEXT("%s with %s", r->formulation, r->integrator);
    if (!CHECK_OK(r->status))
        printf("    %s\n", r->message.text);
    CHECK_NEAR(r->summary.reached, until, 1e-12);
    CHECK(r->summary.evaluations > 0 && r->summary.steps > 0);
    CHECK(r->position_error >= 0 && r->position_error < 1e-3);
    CHECK(r->reaction_error >= 0);
    CHECK(r->wall_s > 0 && r->processor_s > 0 && r->time_ratio > 0 && r->time_ratio_low <= r->time_ratio &&
          r->time_ratio <= r->time_ratio_high);
    CHECK(isnan(r->order));
    CHECK_STRING(r->remark, "");
    double violation = 0, drift = 0;
    for (int i = 0; i < HOL_HISTORY_INTERVALS; ++i) {
        violation = fmax(violation, r->violation[i]);
        drift = fmax(drift, r->drift[i]);
    }
    CHECK(violation <= r->summary.max_position_violation);
    CHECK_NEAR(drift, r->summary.max_energy_drift, 1e-15);
}

static void every_formulation_has_a_complete_record(void)
{
    Machine m;
    HolComparison *c = NULL;
    HolMessage message = {{0}};
    HolCompareOptions options = hol_compare_options();
    options.rounds = 2;
    options.known = known_of("four-bar");
    REQUIRE(open_machine(&m, "four-bar", 0.5, NULL));
    REQUIRE_OK(hol_compare(m.mechanism, &options, &c, &message));
    CHECK(c->has_reference && c->estimated_error > 0 && c->estimated_error < 1e-9);
    CHECK(c->known_count > 0 && c->known_error > 0 && c->known_error < 1e-10);
    CHECK(c->estimated_error >= c->known_error); /* that of a coarser run */
    CHECK_NEAR(c->known_until, 0.5, 0);
    CHECK_NEAR(c->reference_error, c->known_error, 0);
    CHECK_NEAR(c->until, 0.5, 0);
    REQUIRE(c->count == hol_formulation_count());
    for (int i = 0; i < c->count; ++i) {
        CHECK_STRING(c->records[i].formulation, hol_formulation_info(i).name);
        CHECK_STRING(c->records[i].block_integrator, "rk4");
        CHECK_STRING(c->records[i].integrator, fitting_options(c->records[i].formulation, "rk4", 1e-3).integrator);
        check_record(&c->records[i], 0.5);
        if (strcmp(c->records[i].formulation, "direct-correction") == 0)
            CHECK(c->records[i].position_error < 1e-8 && c->records[i].summary.max_position_iterations > 0);
        if (strcmp(c->records[i].formulation, "penalty") == 0)
            CHECK(c->records[i].reaction_error > 1e-4 && c->records[i].reaction_error < 1);
    }
    hol_comparison_destroy(c);
    close_machine(&m);
}

static void all_but_times_is_the_same_each_time(void)
{
    Machine m;
    HolComparison *c[2] = {NULL, NULL};
    const char *const integrators[] = {"rk4", "dopri5"};
    HolCompareOptions options = hol_compare_options();
    options.integrators = integrators;
    options.integrator_count = 2;
    options.until = 0.2;
    REQUIRE(open_machine(&m, "spatial-slider-crank", 5, NULL));
    for (int k = 0; k < 2; ++k) {
        options.rounds = k;
        REQUIRE_OK(hol_compare(m.mechanism, &options, &c[k], NULL));
    }
    REQUIRE(c[0]->count == 2 * hol_formulation_count() && c[1]->count == c[0]->count);
    for (int i = 0; i < c[0]->count; ++i) {
        const HolCompareRecord *a = &c[0]->records[i], *b = &c[1]->records[i];
        CHECK_CONTEXT("%s with %s", a->formulation, a->integrator);
        if (a->status == HOL_UNSUPPORTED)
            continue; /* chosen integrators are not replaced */
        CHECK_NEAR(a->position_error, b->position_error, 0);
        CHECK_NEAR(a->reaction_error, b->reaction_error, 0);
        CHECK_NEAR(a->summary.max_energy_drift, b->summary.max_energy_drift, 0);
        CHECK_NEAR(a->summary.max_acceleration_violation, b->summary.max_acceleration_violation, 0);
        CHECK_EQUAL_INT(a->summary.evaluations, b->summary.evaluations);
        CHECK(isnan(a->time_ratio) && b->time_ratio > 0);
    }
    hol_comparison_destroy(c[0]);
    hol_comparison_destroy(c[1]);
    close_machine(&m);
}

/* Time ratios are relative to lagrange even if it is not chosen; orders follow from successive steps. */
static void steps_show_the_order(void)
{
    Machine m;
    HolComparison *c = NULL;
    const char *const formulations[] = {"direct-correction"}, *const integrators[] = {"euler", "rk4", "dopri5"};
    const double steps[] = {0.02, 0.01}, expected[] = {NAN, 1, NAN, 4, NAN};
    HolCompareOptions options = {.formulations = formulations,
                                 .formulation_count = 1,
                                 .integrators = integrators,
                                 .integrator_count = 3,
                                 .steps = steps,
                                 .step_count = 2,
                                 .rounds = 1};
    REQUIRE(open_machine(&m, "pendulum", 1, NULL));
    REQUIRE_OK(hol_compare(m.mechanism, &options, &c, NULL));
    REQUIRE(c->count == 5);
    for (int i = 0; i < c->count; ++i) {
        CHECK_CONTEXT("%s, step %g: order %g", c->records[i].integrator, c->records[i].step, c->records[i].order);
        CHECK(c->records[i].time_ratio > 0);
        CHECK(isnan(expected[i]) == isnan(c->records[i].order));
        CHECK(isnan(expected[i]) || fabs(c->records[i].order - expected[i]) < 0.5);
    }
    int best = hol_comparison_fastest(c, HOL_GOAL_POSITION, 1e-6, -1);
    REQUIRE(best >= 2);
    CHECK(hol_comparison_reaches(c, best, HOL_GOAL_POSITION, 1e-6));
    CHECK(hol_comparison_fastest(c, HOL_GOAL_POSITION, 1e-6, best) != best);
    CHECK_EQUAL_INT(hol_comparison_fastest(c, HOL_GOAL_ENERGY, 1e-30, -1), -1);
    hol_comparison_destroy(c);
    close_machine(&m);
}

static void a_failure_is_a_record(void)
{
    Machine m;
    HolComparison *c = NULL;
    const char *const formulations[] = {"lagrange", "penalty"}, *const integrators[] = {"euler"};
    HolCompareOptions options = {.formulations = formulations,
                                 .formulation_count = 2,
                                 .integrators = integrators,
                                 .integrator_count = 1,
                                 .rounds = 1};
    REQUIRE(open_machine(&m, "four-bar", 0.2, "{kind: penalty, omega: 1e6}"));
    REQUIRE_OK(hol_compare(m.mechanism, &options, &c, NULL));
    REQUIRE(c->count == 2);
    CHECK_OK(c->records[0].status);
    CHECK(c->records[1].status != HOL_OK);
    CHECK(strlen(c->records[1].message.text) > 10);
    CHECK(isnan(c->records[1].position_error) && isnan(c->records[1].time_ratio) && isnan(c->records[1].wall_s));
    CHECK(!hol_comparison_reaches(c, 1, HOL_GOAL_ENERGY, HUGE_VAL));
    hol_comparison_destroy(c);
    close_machine(&m);
}

/* The reference, a second method and, where it is there, IDA. */
static void check_families(const HolComparison *c)
{
    bool has_ida = false;
    CHECK(c->reference_method && c->second_method && strcmp(c->reference_method, c->second_method) != 0);
    CHECK(c->confirmation_count >= 1 + hol_compare_has_ida());
    for (int i = 0; i < c->confirmation_count; ++i) {
        CHECK_CONTEXT("%s", c->confirmations[i].method);
        CHECK(c->confirmations[i].difference < 1e-6);
        has_ida = has_ida || c->confirmations[i].is_independent;
    }
    CHECK_CONTEXT("%s", c->without_ida.text);
    CHECK(has_ida == hol_compare_has_ida() && has_ida == (*c->without_ida.text == '\0'));
}

/* Every model, redundant rows, drivers and nonholonomic rows included, has a reference and small errors. */
static void every_model_can_be_compared(void)
{
    const char *const formulations[] = {"direct-correction"};
    int compared = 0;
    for (int i = 0; i < hol_library_count(); ++i) {
        Machine m;
        HolComparison *c = NULL;
        HolLibraryModel library = hol_library_model(i);
        HolCompareOptions options = {
            .formulations = formulations, .formulation_count = 1, .until = 0.05, .known = library.reference};
        CHECK_CONTEXT("%s", library.name);
        REQUIRE(open_machine(&m, library.name, 1, NULL));
        if (hol_mechanism_beam_count(m.mechanism) > 0) { /* too stiff for explicit steps, which the reference takes */
            close_machine(&m);
            continue;
        }
        ++compared;
        REQUIRE_OK(hol_compare(m.mechanism, &options, &c, NULL));
        CHECK(c->has_reference && c->reference_error < 1e-8);
        check_families(c);
        CHECK(c->known_count == 0 || c->known_error < 1e-8);
        CHECK_OK(c->records[0].status);
        CHECK(c->records[0].position_error < 1e-4);
        hol_comparison_destroy(c);
        close_machine(&m);
    }
    CHECK(compared >= 30);
}

typedef struct Patience {
    int announced, last, all, steps, most_announced, most_steps;
} Patience;

static HolStatus hear(void *user, const char *what, int done, int all)
{
    Patience *p = user;
    CHECK(what && *what && done == p->announced && done < all);
    ++p->announced;
    p->all = all;
    return p->announced > p->most_announced ? HOL_STOPPED : HOL_OK;
}

static HolStatus look(void *user)
{
    Patience *p = user;
    return ++p->steps > p->most_steps ? HOL_STOPPED : HOL_OK;
}

static void it_tells_what_comes_and_stops(void)
{
    Machine m;
    HolComparison *c = NULL;
    HolMessage message = {{0}};
    Patience p = {.most_announced = 1000, .most_steps = 1 << 30};
    HolCompareOptions options = {.until = 0.05, .rounds = 1, .progress = hear, .after_step = look, .user = &p};
    REQUIRE(open_machine(&m, "pendulum", 1, NULL));
    REQUIRE_OK(hol_compare(m.mechanism, &options, &c, &message));
    CHECK_EQUAL_INT(p.announced, p.all);
    CHECK_EQUAL_INT(p.all, 4 + hol_compare_has_ida() + 2 * hol_formulation_count());
    hol_comparison_destroy(c);
    int measuring = 4 + hol_compare_has_ida() + hol_formulation_count();
    for (int k = 0; k < 8; ++k) {
        p = (Patience){.most_announced = k < 4 ? k * measuring / 4 : 1000,
                       .most_steps = k < 4 ? 1 << 30 : 100 * (k - 4)};
        CHECK_STATUS(hol_compare(m.mechanism, &options, &c, &message), HOL_STOPPED);
        CHECK(c == NULL && strlen(message.text) > 0);
    }
    close_machine(&m);
}

/* Everything is there but the times of the rounds that were not completed. */
static void a_stop_while_timing_leaves_the_rest(void)
{
    Machine m;
    int measuring = 2 + hol_compare_has_ida() + hol_formulation_count();
    REQUIRE(open_machine(&m, "pendulum", 1, NULL));
    for (int rounds = 0; rounds < 2; ++rounds) {
        HolComparison *c = NULL;
        HolMessage message = {{0}};
        Patience p = {.most_announced = measuring + rounds * hol_formulation_count() + 2, .most_steps = 1 << 30};
        HolCompareOptions options = {.until = 0.05, .rounds = 3, .progress = hear, .after_step = look, .user = &p};
        CHECK_STATUS(hol_compare(m.mechanism, &options, &c, &message), HOL_STOPPED);
        REQUIRE(c != NULL);
        CHECK_EQUAL_INT(c->rounds, rounds);
        CHECK_EQUAL_INT(c->count, hol_formulation_count());
        CHECK(c->records[1].position_error >= 0 && c->records[1].processor_s > 0);
        CHECK(isnan(c->records[1].time_ratio) == (rounds == 0));
        hol_comparison_destroy(c);
    }
    close_machine(&m);
}

/* The reference is compared with known values that differ by this much, up to the end of the run and not so far. */
static void known_values_give_their_difference(void)
{
    Machine m;
    const char *const formulations[] = {"direct-correction"};
    const double off = 1e3;
    REQUIRE(open_machine(&m, "pendulum", 1, NULL));
    const char *body = hol_mechanism_body(m.mechanism, 0);
    for (int k = 0; k < 2; ++k) {
        HolComparison *c = NULL;
        char text[200];
        int length = snprintf(text, sizeof text, "t,quantity,value\n0.5,%s.x,%g\n", body, off);
        if (k == 0)
            snprintf(text + length, sizeof text - (size_t)length, "1,%s.x,0\n", body);
        HolCompareOptions options = {.formulations = formulations, .formulation_count = 1, .known = text};
        REQUIRE_OK(hol_compare(m.mechanism, &options, &c, NULL));
        CHECK_EQUAL_INT(c->known_count, k == 0 ? 2 : 1);
        CHECK_NEAR(c->known_until, k == 0 ? 1 : 0.5, 0);
        CHECK_NEAR(c->known_error, off, 10);
        CHECK_NEAR(c->reference_error, c->estimated_error, 0);
        hol_comparison_destroy(c);
    }
    close_machine(&m);
}

/* Known positions of the centre of a top in steady precession say nothing about its fast spin. */
static void known_values_of_some_coordinates_bound_nothing(void)
{
    Machine m;
    HolComparison *c = NULL;
    const char *const formulations[] = {"lagrange"};
    HolCompareOptions options = {.formulations = formulations, .formulation_count = 1, .known = known_of("gyroscope")};
    REQUIRE(open_machine(&m, "gyroscope", 2, NULL));
    REQUIRE_OK(hol_compare(m.mechanism, &options, &c, NULL));
    CHECK(c->known_count > 0 && c->known_until >= 2 && c->known_error < c->estimated_error);
    CHECK_NEAR(c->reference_error, c->estimated_error, 0);
    hol_comparison_destroy(c);
    close_machine(&m);
}

/* Steps that do not divide the time between samples: errors are those of the steps, not of an interpolation. */
static void odd_steps_show_the_order_too(void)
{
    Machine m;
    HolComparison *c = NULL;
    const char *const formulations[] = {"direct-correction"}, *const integrators[] = {"rk4"};
    const double steps[] = {7e-3, 3.5e-3, 1.75e-3};
    HolCompareOptions options = {.formulations = formulations,
                                 .formulation_count = 1,
                                 .integrators = integrators,
                                 .integrator_count = 1,
                                 .steps = steps,
                                 .step_count = 3};
    REQUIRE(open_machine(&m, "double-pendulum", 0.1, NULL));
    REQUIRE_OK(hol_compare(m.mechanism, &options, &c, NULL));
    CHECK(c->records[0].position_error < 1.5e-9);
    for (int i = 1; i < 3; ++i) {
        CHECK_CONTEXT("step %g: order %g, error %g", steps[i], c->records[i].order, c->records[i].position_error);
        CHECK(c->records[i].order > 3.8 && c->records[i].order < 4.2);
    }
    hol_comparison_destroy(c);
    close_machine(&m);
}

static void what_is_named_twice_counts_once(void)
{
    Machine m;
    HolComparison *c = NULL;
    const char *const formulations[] = {"penalty", "baumgarte", "penalty"}, *const integrators[] = {"rk4", "rk4"};
    const double steps[] = {0.02, 0.01, 0.02};
    HolCompareOptions options = {.formulations = formulations,
                                 .formulation_count = 3,
                                 .integrators = integrators,
                                 .integrator_count = 2,
                                 .steps = steps,
                                 .step_count = 3,
                                 .until = 0.1,
                                 .rounds = 1};
    REQUIRE(open_machine(&m, "pendulum", 1, NULL));
    REQUIRE_OK(hol_compare(m.mechanism, &options, &c, NULL));
    REQUIRE(c->count == 4);
    for (int i = 0; i < 4; ++i) {
        CHECK_STRING(c->records[i].formulation, formulations[i % 2]);
        CHECK_EQUAL_INT(c->records[i].block, i / 2);
        CHECK(c->records[i].time_ratio > 0);
    }
    hol_comparison_destroy(c);
    close_machine(&m);
}

/* A run that comes to its end on nonsense is called so. */
static void nonsense_is_far_off(void)
{
    Machine m;
    HolComparison *c = NULL;
    const char *const formulations[] = {"lagrange"}, *const integrators[] = {"euler"};
    const double steps[] = {0.1, 1e-4};
    HolCompareOptions options = {.formulations = formulations,
                                 .formulation_count = 1,
                                 .integrators = integrators,
                                 .integrator_count = 1,
                                 .steps = steps,
                                 .step_count = 2};
    REQUIRE(open_machine(&m, "pendulum", 2, NULL));
    REQUIRE_OK(hol_compare(m.mechanism, &options, &c, NULL));
    CHECK_OK(c->records[0].status);
    CHECK_STRING(c->records[0].remark, "inaccurate");
    CHECK_STRING(c->records[1].remark, "");
    hol_comparison_destroy(c);
    close_machine(&m);
}

static void mistakes_are_refused(void)
{
    Machine m;
    HolComparison *c = NULL;
    HolMessage message = {{0}};
    const char *const wrong[] = {"lagrang"};
    const double steps[] = {1e-3, -1, 1e-15};
    REQUIRE(open_machine(&m, "pendulum", 1, NULL));
    const HolCompareOptions mistakes[] = {
        {.formulations = wrong, .formulation_count = 1},
        {.integrators = wrong, .integrator_count = 1},
        {.steps = steps, .step_count = 2},
        {.steps = steps, .step_count = 0},
        {.steps = steps + 2, .step_count = 1},
        {.until = -1},
        {.rounds = -1},
        {.until = HUGE_VAL},
        {.rounds = 1 << 30},
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; ++i) {
        CHECK_CONTEXT("mistake %zu", i);
        CHECK_STATUS(hol_compare(m.mechanism, &mistakes[i], &c, &message), HOL_BAD_INPUT);
        CHECK(c == NULL && strlen(message.text) > 10);
    }
    CHECK_STATUS(hol_compare(NULL, &mistakes[0], &c, NULL), HOL_BAD_INPUT);
    CHECK_STATUS(hol_compare(m.mechanism, NULL, &c, NULL), HOL_BAD_INPUT);
    close_machine(&m);
}

static void quantities_are_read_with_units(void)
{
    double value = 0;
    HolMessage message = {{0}};
    CHECK_OK(hol_quantity_parse("2 ms", "s", &value, &message));
    CHECK_NEAR(value, 2e-3, 0);
    CHECK_OK(hol_quantity_parse("1e-3", "s", &value, &message));
    CHECK_NEAR(value, 1e-3, 0);
    CHECK_STATUS(hol_quantity_parse("1 kg", "s", &value, &message), HOL_BAD_INPUT);
    CHECK_STRING(message.text, "a value in s is expected, not in kg");
    CHECK_STATUS(hol_quantity_parse("soon", "s", &value, &message), HOL_BAD_INPUT);
    CHECK_CONTAINS(message.text, "soon");
    CHECK_STATUS(hol_quantity_parse("", "s", &value, NULL), HOL_BAD_INPUT);
}

CHECK_MAIN(TEST(every_formulation_has_a_complete_record), TEST(all_but_times_is_the_same_each_time),
           TEST(steps_show_the_order), TEST(a_failure_is_a_record), TEST(every_model_can_be_compared),
           TEST(it_tells_what_comes_and_stops), TEST(a_stop_while_timing_leaves_the_rest),
           TEST(known_values_give_their_difference), TEST(known_values_of_some_coordinates_bound_nothing),
           TEST(odd_steps_show_the_order_too), TEST(what_is_named_twice_counts_once), TEST(nonsense_is_far_off),
           TEST(mistakes_are_refused), TEST(quantities_are_read_with_units))
