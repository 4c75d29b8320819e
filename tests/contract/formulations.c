/* SPDX-License-Identifier: BSD-3-Clause */
/* What every formulation owes, on every scene: accelerations that solve the equations, trajectories that agree with
 * those of the others, redundant rows that do no harm, and what it promises of the constraints and the energy. */
#include "check.h"
#include "dense.h"
#include "runs.h"
#include "systems/scenes.h"
#include "wrapped.h"

#include <stdlib.h>

enum { LARGEST_SCENE = 3 }; /* links or loops: what holds for three holds for ten */

typedef struct Case {
    const Scene *scene;
    const char *formulation;
    Traits traits;
    bool weighted;           /* it has an option alpha, which is 1e7 or less here */
    const Result *reference; /* where the scene is at short_time() */
} Case;

static double short_time(const Scene *scene)
{
    return fmin(0.2, scene->until / 10);
}

static void with_every_formulation(const Scene *scene, void (*check)(const Case *test))
{
    Result reference = run_reference(scene, short_time(scene));
    for (int i = 0; i < hol_formulation_count(); i++) {
        HolKindInfo kind = hol_formulation_info(i);
        Case test = {scene, kind.name, formulation_traits(kind.name), has_option(kind, "alpha"), &reference};
        CHECK_CONTEXT("%s on %s", kind.name, hol_system_name(scene->system));
        if (is_served(kind.name, scene->system))
            check(&test);
    }
}

static void with_every_case(void (*check)(const Case *test))
{
    for (int k = 0; k < scene_kind_count; k++) {
        Scene *scene =
            scene_create(scene_kinds[k]->name, scene_kinds[k]->default_n > LARGEST_SCENE ? LARGEST_SCENE : 0);
        REQUIRE(scene != NULL);
        with_every_formulation(scene, check);
        scene_destroy(scene);
    }
}

static void with_scene(const char *name, void (*check)(const Case *test))
{
    Scene *scene = scene_create(name, 0);
    REQUIRE(scene != NULL);
    with_every_formulation(scene, check);
    scene_destroy(scene);
}

/* Accelerations */

/* A simulation at its start, and the equations there written out by the test itself. */
typedef struct Bench {
    HolSimulation *simulation;
    const HolState *state;
    HolTerms *terms;
    Dense dense;
} Bench;

static bool bench_look(Bench *bench, const HolSystem *system)
{
    HolPoint at = {bench->state->t, bench->state->q, bench->state->v};
    dense_close(&bench->dense);
    return CHECK_OK(hol_system_evaluate(system, &at, HOL_WANT_ALL, bench->terms)) &&
           CHECK(dense_open(bench->terms, &bench->dense));
}

static bool bench_open(const Case *test, const HolSetting *setting, Bench *bench)
{
    HolSimulationOptions options = fitting_options(test->formulation, "rk4", 1e-3);
    HolMessage message = {""};
    Settings settings = settings_with(test->formulation, setting, setting ? 1 : 0);
    options.settings = settings.list;
    options.setting_count = settings.count;
    *bench = (Bench){.simulation = NULL};
    if (!CHECK_OK(
            hol_simulation_create(test->scene->system, &test->scene->start, &options, &bench->simulation, &message))) {
        printf("    %s\n", message.text);
        return false;
    }
    bench->state = hol_simulation_state(bench->simulation);
    return CHECK_OK(hol_terms_create(test->scene->system, &bench->terms)) && bench_look(bench, test->scene->system);
}

static void bench_close(Bench *bench)
{
    dense_close(&bench->dense);
    hol_terms_destroy(bench->terms);
    hol_simulation_destroy(bench->simulation);
}

/* Rounding of sums whose parts are as large as the forces and accelerations; weights multiply that of D vdot. */
static double force_rounding(const Case *test, const Bench *bench)
{
    double weights = test->weighted ? 1e-14 * 1e7 : 0;
    return (1e-13 + weights) *
           (1 + max_norm(bench->dense.nv, bench->dense.Q) + max_norm(bench->dense.nv, bench->state->vdot));
}

/* An error of vdot counts as often as the largest of D says: rows given twice are three times as large. */
static double row_rounding(const Bench *bench)
{
    const Dense *d = &bench->dense;
    return 1e-13 * (1 + max_norm(d->m, d->gamma) + max_norm(d->m * d->nv, d->D) * max_norm(d->nv, bench->state->vdot));
}

/* A penalty gives way by lambda / alpha. */
static double row_tolerance(const Case *test, const Bench *bench)
{
    double yielding = test->traits.penalty ? 1.01 * max_norm(bench->dense.m, bench->state->lambda) / 1e7 : 0;
    return row_rounding(bench) + yielding;
}

static void check_equations(const Case *test)
{
    Bench bench;
    if (bench_open(test, NULL, &bench)) {
        const HolState *state = bench.state;
        CHECK_NEAR(dense_motion_residual(&bench.dense, state->vdot, state->lambda), 0, force_rounding(test, &bench));
        CHECK_NEAR(dense_row_residual(&bench.dense, state->vdot), 0, row_tolerance(test, &bench));
        CHECK_NEAR(hol_simulation_measures(bench.simulation).acceleration,
                   dense_row_residual(&bench.dense, state->vdot), row_rounding(&bench));
    }
    bench_close(&bench);
}

static void accelerations_solve_the_equations(void)
{
    with_every_case(check_equations);
}

/* Away from the start a stabilised acceleration also corrects, but (1), M vdot = Q + D^T lambda, holds for all. */
static void check_motion_later(const Case *test)
{
    Bench bench;
    if (bench_open(test, NULL, &bench)) {
        for (int step = 0; step < 20; step++)
            CHECK_OK(hol_simulation_step(bench.simulation, NULL));
        if (bench_look(&bench, test->scene->system))
            CHECK_NEAR(dense_motion_residual(&bench.dense, bench.state->vdot, bench.state->lambda), 0,
                       force_rounding(test, &bench));
    }
    bench_close(&bench);
}

static void the_equations_of_motion_hold_after_steps(void)
{
    with_every_case(check_motion_later);
}

/* vdot and D^T lambda are unique, lambda itself only where the rows are independent. */
static void compare_with_dense(const Case *test, const Bench *bench)
{
    const Dense *d = &bench->dense;
    double *x = calloc(3 * (size_t)d->nv + (size_t)d->m + 1, sizeof *x);
    double *vdot = x, *force = x + d->nv, *expected_force = force + d->nv, *lambda = expected_force + d->nv;
    int rank = dense_solve(d, vdot, lambda);
    dense_constraint_force(d, lambda, expected_force);
    dense_constraint_force(d, bench->state->lambda, force);
    /* the condition of the problem, below 1e3, stands between a residual and its solution */
    double yielding = test->traits.penalty ? max_norm(d->m, lambda) / 1e7 : 0;
    double tolerance = 1e3 * (yielding + force_rounding(test, bench));
    CHECK_EQUAL_INT(d->m - rank, test->scene->redundant_rows);
    CHECK_NEAR(max_difference(d->nv, bench->state->vdot, vdot), 0, tolerance);
    CHECK_NEAR(max_difference(d->nv, force, expected_force), 0, tolerance);
    if (rank == d->m)
        CHECK_NEAR(max_difference(d->m, bench->state->lambda, lambda), 0, tolerance);
    free(x);
}

static void check_dense(const Case *test)
{
    Bench bench;
    if (bench_open(test, NULL, &bench))
        compare_with_dense(test, &bench);
    bench_close(&bench);
}

static void accelerations_agree_with_a_dense_solution(void)
{
    with_every_case(check_dense);
}

static double row_error(const Case *test, const HolSetting *alpha, double *rounding)
{
    Bench bench;
    double error = INFINITY;
    if (bench_open(test, alpha, &bench)) {
        error = dense_row_residual(&bench.dense, bench.state->vdot);
        *rounding = row_rounding(&bench);
    }
    bench_close(&bench);
    return error;
}

static int yielding_seen;

/* lambda hardly changes, so a hundred times the penalty yields a hundredth as much; some scenes start without load. */
static void check_penalty(const Case *test)
{
    static const HolSetting soft = {"formulation.alpha", "1e7"}, hard = {"formulation.alpha", "1e9"};
    double rounding = 0;
    if (!test->traits.penalty)
        return;
    double yielding = row_error(test, &soft, &rounding);
    yielding_seen += yielding > 1e3 * rounding;
    CHECK_NEAR(row_error(test, &hard, &rounding), yielding / 100, yielding / 1e4 + 2 * rounding);
}

static void a_penalty_yields_in_proportion_to_its_inverse(void)
{
    yielding_seen = 0;
    with_every_case(check_penalty);
    CHECK(yielding_seen >= 5);
}

/* Trajectories */

/* The rounding of a penalty, alpha times that of D vdot, would look like an error of the step below 1e-10. */
static Result run_tightly(const Case *test, const char *alpha)
{
    const char *tolerance = test->traits.penalty ? "1e-10" : "1e-13";
    const HolSetting tight[] = {
        {"integrator.tolerance", tolerance}, {"integrator.absolute", tolerance}, {"formulation.alpha", alpha}};
    HolSimulationOptions options = run_options(test->formulation, "dopri5", 1e-3);
    Settings settings = settings_with(test->formulation, tight, alpha ? 3 : 2);
    options.settings = settings.list;
    options.setting_count = settings.count;
    return run_scene(test->scene, &options, short_time(test->scene));
}

/* Hundreds of steps of 1e-13 each leave 1e-11 in a smooth system. A penalty method solves other equations: its path
 * differs by the yielding of the rows, which is about (forces: 100) / alpha at the velocity level. */
static void check_tight_run(const Case *test)
{
    if (!is_supported(test->formulation, "dopri5"))
        return; /* step_halving_tells_the_error() has to do */
    Result result = run_tightly(test, NULL);
    CHECK_NEAR(result_distance(&result, test->reference), 0, test->traits.penalty ? 1e-5 : 1e-11);
    if (test->traits.penalty) {
        Result hard = run_tightly(test, "1e9");
        CHECK_NEAR(result_distance(&hard, test->reference), 0, 1e-7);
    }
}

static void trajectories_agree_with_each_other(void)
{
    with_every_case(check_tight_run);
}

/* With a fixed step a result is as good as halving the step says: the error of order p is what changes, times
 * 2^p / (2^p - 1). Twice that is allowed, since h = 2 ms is not the limit, nor 0.5 ms for order 2. */
static void check_fixed_step(const Case *test)
{
    HolSimulationOptions coarse = fitting_options(test->formulation, "rk4", 2e-3), fine;
    int order = pair_order(test->formulation, coarse.integrator);
    coarse.step = order < 4 ? 5e-4 : 2e-3;
    fine = coarse;
    fine.step /= 2;
    Result expected = test->traits.penalty ? run_tightly(test, NULL) : *test->reference;
    Result result = run_scene(test->scene, &coarse, short_time(test->scene));
    Result halved = run_scene(test->scene, &fine, short_time(test->scene));
    double estimate = pow(2, order) / (pow(2, order) - 1) * result_distance(&halved, &result);
    CHECK(estimate < 1e-4);
    CHECK_NEAR(result_distance(&result, &expected), 0, 2 * estimate + (test->traits.penalty ? 1e-8 : 1e-11));
}

static void step_halving_tells_the_error(void)
{
    with_every_case(check_fixed_step);
}

static void check_counts(const Case *test)
{
    HolSimulationOptions options = fitting_options(test->formulation, "rk4", 1e-3);
    Result result = run_scene(test->scene, &options, 2e-3);
    CHECK_OK(result.status);
    CHECK_EQUAL_INT(result.summary.redundant_rows, test->scene->redundant_rows);
    CHECK_EQUAL_INT(result.summary.dof, test->scene->dof);
    CHECK_STRING(result.summary.formulation, test->formulation);
    CHECK_STRING(result.summary.system, hol_system_name(test->scene->system));
}

static void summaries_count_redundant_rows(void)
{
    with_every_case(check_counts);
}

/* A formulation that does not serve a system says so when a simulation is made, in a sentence with both names. */
static void a_system_that_is_not_served_is_refused(void)
{
    int refused = 0;
    for (int k = 0; k < scene_kind_count * hol_formulation_count(); k++) {
        Scene *scene = scene_create(scene_kinds[k / hol_formulation_count()]->name, 2);
        REQUIRE(scene != NULL);
        const char *formulation = hol_formulation_info(k % hol_formulation_count()).name;
        CHECK_CONTEXT("%s on %s", formulation, hol_system_name(scene->system));
        HolSimulationOptions options = fitting_options(formulation, "rk4", 1e-3);
        Result result = run_scene(scene, &options, 1e-3);
        CHECK_STATUS(result.status, is_served(formulation, scene->system) ? HOL_OK : HOL_UNSUPPORTED);
        if (result.status == HOL_UNSUPPORTED) {
            CHECK_CONTAINS(result.message.text, formulation);
            CHECK_CONTAINS(result.message.text, hol_system_name(scene->system));
            refused++;
        }
        scene_destroy(scene);
    }
    CHECK(refused > 0);
}

/* Redundant rows */

/* A scene with every row twice, the second time tripled: the holonomic groups, their copies, the others, theirs. */
enum { MOST_PARTS = 64 };

typedef struct Doubled {
    Wrapped wrapped;
    Scene scene;
    struct {
        int group;
        double factor;
    } origin[MOST_PARTS];
    int block_sizes[MOST_PARTS], group_sizes[MOST_PARTS];
    HolPair pairs[4 * MOST_PARTS];
} Doubled;

static void copy_numbers(double factor, int n, const double *from, double *to)
{
    for (int i = 0; i < n; i++)
        to[i] = factor * from[i];
}

static void copy_rows(const Doubled *d, int group, HolTerms *terms)
{
    const HolTerms *inner = d->wrapped.terms;
    const HolPattern *from = inner->pattern, *to = terms->pattern;
    int origin = d->origin[group].group, row = from->group_start[origin], new_row = to->group_start[group];
    int count = from->group_start[origin + 1] - row;
    int first = from->pair_start[from->group_pairs[origin]], end = from->pair_start[from->group_pairs[origin + 1]];
    double factor = d->origin[group].factor;
    copy_numbers(factor, end - first, inner->D + first, terms->D + to->pair_start[to->group_pairs[group]]);
    copy_numbers(factor, count, inner->nu + row, terms->nu + new_row);
    copy_numbers(factor, count, inner->gamma + row, terms->gamma + new_row);
    if (row < from->nh)
        copy_numbers(factor, count, inner->Phi + row, terms->Phi + new_row);
}

static HolStatus doubled_evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    HolStatus status = wrapped_evaluate(self, at, want, terms);
    for (int g = 0; g < terms->pattern->group_count; g++)
        copy_rows(self, g, terms);
    return status;
}

static HolStatus doubled_evaluate_mean(const void *self, const HolPoint *middle, const double *q_a, const double *q_b,
                                       unsigned want, HolTerms *terms)
{
    HolStatus status = wrapped_evaluate_mean(self, middle, q_a, q_b, want, terms);
    for (int g = 0; g < terms->pattern->group_count; g++)
        copy_rows(self, g, terms);
    return status;
}

/* Adds the groups from first to end once more, or for the first time, to the spec. */
static void add_groups(Doubled *d, HolSystemSpec *spec, int first, int end, double factor)
{
    const HolPattern *p = d->wrapped.terms->pattern;
    for (int g = first; g < end; g++) {
        int group = spec->group_count++;
        d->origin[group].group = g;
        d->origin[group].factor = factor;
        d->group_sizes[group] = p->group_start[g + 1] - p->group_start[g];
        for (int k = p->group_pairs[g]; k < p->group_pairs[g + 1]; k++)
            d->pairs[spec->pair_count++] = (HolPair){group, p->pairs[k].column};
    }
}

static void divide(Doubled *d, HolSystemSpec *spec)
{
    const HolPattern *p = d->wrapped.terms->pattern;
    int holonomic = 0;
    while (holonomic < p->group_count && p->group_start[holonomic] < p->nh)
        holonomic++;
    for (int b = 0; b < p->block_count; b++)
        d->block_sizes[b] = p->block_start[b + 1] - p->block_start[b];
    add_groups(d, spec, 0, holonomic, 1);
    add_groups(d, spec, 0, holonomic, 3);
    add_groups(d, spec, holonomic, p->group_count, 1);
    add_groups(d, spec, holonomic, p->group_count, 3);
    spec->block_count = p->block_count;
    spec->block_sizes = d->block_sizes;
    spec->group_sizes = d->group_sizes;
    spec->pairs = d->pairs;
}

static bool doubled_open(const Scene *scene, Doubled *d)
{
    static const HolSystemOps ops = {.evaluate = doubled_evaluate, .qdot = wrapped_qdot, .retract = wrapped_retract};
    static const HolSystemOps flat_ops = {.evaluate = doubled_evaluate};
    static const HolSystemOps mean_ops = {.evaluate = doubled_evaluate,
                                          .qdot = wrapped_qdot,
                                          .retract = wrapped_retract,
                                          .displace = wrapped_displace,
                                          .evaluate_mean = doubled_evaluate_mean};
    const HolPattern *p = hol_system_pattern(scene->system);
    HolSystemSpec spec = hol_system_spec();
    *d = (Doubled){.scene = *scene};
    d->scene.system = NULL;
    if (!CHECK(2 * p->group_count <= MOST_PARTS && p->block_count <= MOST_PARTS && p->pair_count <= 2 * MOST_PARTS) ||
        !CHECK(p->mass_pair_count == p->block_count) || !CHECK_OK(wrapped_open(scene->system, &d->wrapped)))
        return false;
    spec.ops = hol_system_is_flat(scene->system) ? &flat_ops : hol_system_has_mean(scene->system) ? &mean_ops : &ops;
    spec.constant_mass = hol_system_has_constant_mass(scene->system);
    spec.self = d;
    spec.nq = p->nq;
    spec.nv = p->nv;
    spec.nh = 2 * p->nh;
    spec.nn = 2 * p->nn;
    divide(d, &spec);
    d->scene.redundant_rows = p->m + scene->redundant_rows;
    return CHECK_OK(hol_system_create(&spec, &d->scene.system, NULL));
}

static void doubled_close(Doubled *d)
{
    hol_system_destroy(d->scene.system);
    wrapped_close(&d->wrapped);
}

/* The same motion as without the copies, with either kind of step. */
static void check_doubled(const Case *test)
{
    Doubled d;
    if (doubled_open(test->scene, &d)) {
        Case doubled = *test;
        doubled.scene = &d.scene;
        if (is_supported(test->formulation, "dopri5")) {
            Result result = run_tightly(&doubled, NULL);
            CHECK_NEAR(result_distance(&result, test->reference), 0, test->traits.penalty ? 1e-5 : 1e-11);
        }
        check_counts(&doubled);
        check_fixed_step(&doubled);
        check_equations(&doubled);
    }
    doubled_close(&d);
}

static void rows_given_twice_do_no_harm(void)
{
    with_every_case(check_doubled);
}

/* Constraints and energy */

/* The equal rods of the slider-crank meet a singular configuration near 0.39 s, where no choice of independent
 * coordinates serves both sides. */
static double regular_time(const Scene *scene)
{
    return strcmp(hol_system_name(scene->system), "slider-crank") == 0 ? 0.3 : fmin(1, scene->until);
}

static void check_constraints(const Case *test)
{
    HolSimulationOptions options = fitting_options(test->formulation, "rk4", 2e-3);
    if (!test->traits.projects)
        return;
    Result result = run_scene(test->scene, &options, regular_time(test->scene));
    CHECK_OK(result.status);
    CHECK_NEAR(result.summary.max_position_violation, 0, 1e-13);
    CHECK_NEAR(result.summary.max_velocity_violation, 0, 1e-12);
}

static void projecting_formulations_keep_the_constraints(void)
{
    with_every_case(check_constraints);
}

static double drift_of(const Case *test, const char *integrator, double step)
{
    HolSimulationOptions options = run_options(test->formulation, integrator, step);
    Result result = run_scene(test->scene, &options, 0.4);
    CHECK_OK(result.status);
    return result.summary.max_energy_drift;
}

/* The drive works on the crank; the balance of energy and work closes with the order of the integrator, or better. A
 * penalty yields, and the work of that is not counted. */
static void check_balance(const Case *test)
{
    for (int i = 0; i < hol_integrator_count(); i++) {
        const char *integrator = hol_integrator_info(i).name;
        int order = pair_order(test->formulation, integrator);
        if (order < 1 || !is_supported(test->formulation, integrator))
            continue;
        double coarse = drift_of(test, integrator, 4e-3), fine = drift_of(test, integrator, 2e-3);
        double floor = test->traits.penalty ? 1e-5 : 1e-10;
        CHECK(coarse > 0 && coarse < 10);
        CHECK(fine < floor || observed_order(coarse, fine, 2) > order - 0.3);
    }
}

static void energy_and_work_balance(void)
{
    with_scene("rheonomic-crank", check_balance);
}

CHECK_MAIN(TEST(accelerations_solve_the_equations), TEST(the_equations_of_motion_hold_after_steps),
           TEST(accelerations_agree_with_a_dense_solution), TEST(a_penalty_yields_in_proportion_to_its_inverse),
           TEST(trajectories_agree_with_each_other), TEST(step_halving_tells_the_error),
           TEST(summaries_count_redundant_rows), TEST(a_system_that_is_not_served_is_refused),
           TEST(rows_given_twice_do_no_harm), TEST(projecting_formulations_keep_the_constraints),
           TEST(energy_and_work_balance))
