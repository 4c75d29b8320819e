/* SPDX-License-Identifier: BSD-3-Clause */
/* What a run says of itself is true: times on the ruler, measures of the very state that is recorded, sums and extremes
 * over all of them. And the processor is left as it was found. */
#include <holon/holon.h>

#include "check.h"
#include "dense.h"
#include "faulty.h"
#include "runs.h"

#include <float.h>

/* Times */

static HolStatus evaluate_free(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    (void)self, (void)want;
    terms->M[0] = 1;
    terms->kinetic = at->v[0] * at->v[0] / 2;
    return HOL_OK;
}

static HolSystem *free_system(void)
{
    static const HolSystemOps ops = {.evaluate = evaluate_free};
    HolSystemSpec spec = hol_system_spec();
    spec.ops = &ops;
    spec.nq = spec.nv = 1;
    spec.constant_mass = spec.scleronomic = true;
    HolSystem *system = NULL;
    CHECK_OK(hol_system_create(&spec, &system, NULL));
    return system;
}

typedef struct Ruler {
    double origin, step;
    long count, wrong;
} Ruler;

static HolStatus compare_time(void *user, const HolState *state, const HolMeasures *measures)
{
    Ruler *ruler = user;
    (void)measures;
    double expected = ruler->origin + (double)ruler->count * ruler->step;
    ruler->wrong += !(fabs(state->t - expected) <= 2 * DBL_EPSILON * expected);
    ruler->count++;
    return HOL_OK;
}

/* Sums of so many steps would be off by 1e-10. */
static void equal_steps_end_on_a_ruler(void)
{
    enum { STEPS = 100000 };
    static const double zero[1] = {0};
    Ruler ruler = {.origin = 0.3, .step = 0.1 / 3};
    HolSystem *system = free_system();
    HolSimulationOptions options = run_options("lagrange", "euler", ruler.step);
    HolInitialState start = {ruler.origin, zero, zero};
    HolRun request = {.until = ruler.origin + STEPS * ruler.step, .record = compare_time, .user = &ruler};
    Result end = run_system(system, &start, &options, &request);
    CHECK_OK(end.status);
    CHECK_EQUAL_INT(ruler.count, STEPS + 1);
    CHECK_EQUAL_INT(ruler.wrong, 0);
    hol_system_destroy(system);
}

/* A run that ends just after a step makes the next step no shorter. */
static void a_step_cut_short_does_not_shorten_the_next(void)
{
    Scene *scene = scene_create("pendulum", 0);
    HolSimulationOptions options = run_options("direct-correction", "dopri5", 1e-3);
    HolStepReport usual = {.h = 0}, after = {.h = 0};
    HolSimulation *simulation = NULL;
    REQUIRE(scene != NULL);
    REQUIRE_OK(hol_simulation_create(scene->system, &scene->start, &options, &simulation, NULL));
    for (int i = 0; i < 10; i++)
        CHECK_OK(hol_simulation_step(simulation, &usual));
    CHECK_OK(hol_simulation_run(simulation, &(HolRun){.until = hol_simulation_state(simulation)->t + 1e-7}));
    CHECK_OK(hol_simulation_step(simulation, &after));
    CHECK(after.h > usual.h / 4);
    hol_simulation_destroy(simulation);
    scene_destroy(scene);
}

/* Measures */

typedef struct Audit {
    const HolSystem *system;
    HolTerms *terms;
    int nh, m, count;
    double position, velocity, acceleration, drift, last_drift; /* the largest so far */
    double position_sum, velocity_sum, acceleration_sum;
    double t, position_sq, velocity_sq, acceleration_sq; /* of the record before */
} Audit;

static double squared(int n, const double *x)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sum;
}

static bool same(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fabs(b) + 1e-14;
}

enum { MOST_ROWS = 64 };

static void check_measures(const Audit *audit, const HolState *state, const HolMeasures *measures)
{
    Dense dense;
    double residual[MOST_ROWS];
    HolTerms *terms = audit->terms;
    CHECK_OK(hol_system_evaluate(audit->system, &(HolPoint){state->t, state->q, state->v}, HOL_WANT_ALL, terms));
    REQUIRE(audit->m <= MOST_ROWS && dense_open(terms, &dense));
    CHECK(measures->off_manifold_energy == 0);
    CHECK(same(measures->kinetic, terms->kinetic) && same(measures->potential, terms->potential));
    CHECK(same(measures->position, max_norm(audit->nh, terms->Phi)));
    CHECK(same(measures->position_sq, squared(audit->nh, terms->Phi)));
    dense_times(dense.m, dense.nv, dense.D, state->v, residual);
    for (int i = 0; i < audit->m; i++)
        residual[i] -= terms->nu[i];
    CHECK(same(measures->velocity, max_norm(audit->m, residual)));
    CHECK(same(measures->velocity_sq, squared(audit->m, residual)));
    CHECK_NEAR(measures->acceleration, dense_row_residual(&dense, state->vdot), 1e-12);
    CHECK(measures->acceleration_sq >= measures->acceleration * measures->acceleration * (1 - 1e-12));
    CHECK(measures->acceleration_sq <= audit->m * measures->acceleration * measures->acceleration * (1 + 1e-12));
    dense_close(&dense);
}

static HolStatus audit_record(void *user, const HolState *state, const HolMeasures *measures)
{
    Audit *audit = user;
    check_measures(audit, state, measures);
    if (audit->count++ > 0) {
        double h = state->t - audit->t;
        audit->position_sum += h * (audit->position_sq + measures->position_sq) / 2;
        audit->velocity_sum += h * (audit->velocity_sq + measures->velocity_sq) / 2;
        audit->acceleration_sum += h * (audit->acceleration_sq + measures->acceleration_sq) / 2;
    }
    audit->t = state->t;
    audit->position_sq = measures->position_sq;
    audit->velocity_sq = measures->velocity_sq;
    audit->acceleration_sq = measures->acceleration_sq;
    audit->position = fmax(audit->position, measures->position);
    audit->velocity = fmax(audit->velocity, measures->velocity);
    audit->acceleration = fmax(audit->acceleration, measures->acceleration);
    audit->drift = fmax(audit->drift, fabs(measures->drift));
    audit->last_drift = fabs(measures->drift);
    return HOL_OK;
}

static void check_books(const Audit *audit, const HolSummary *summary)
{
    double length = summary->reached - summary->start;
    CHECK_EQUAL_INT(audit->count, summary->steps + 1);
    CHECK(summary->max_position_violation == audit->position);
    CHECK(summary->max_velocity_violation == audit->velocity);
    CHECK(summary->max_acceleration_violation == audit->acceleration);
    CHECK(summary->max_energy_drift == audit->drift);
    CHECK(fabs(summary->mean_position_violation_sq - audit->position_sum / length) <= 1e-9 * audit->position_sum);
    CHECK(fabs(summary->mean_velocity_violation_sq - audit->velocity_sum / length) <= 1e-9 * audit->velocity_sum);
    CHECK(fabs(summary->mean_acceleration_violation_sq - audit->acceleration_sum / length) <=
          1e-9 * audit->acceleration_sum);
    CHECK(audit->velocity_sum > 0 && audit->acceleration > 0);
}

/* Returns whether the largest drift was not the last one. */
static bool audit_run(const char *name, const char *formulation, const char *integrator)
{
    Scene *scene = scene_create(name, 0);
    const HolPattern *p = hol_system_pattern(scene->system);
    Audit audit = {.system = scene->system, .nh = p->nh, .m = p->m};
    HolSimulationOptions options = run_options(formulation, integrator, 5e-3);
    HolRun request = {.until = scene->start.t + 1, .record = audit_record, .user = &audit};
    CHECK_CONTEXT("%s with %s on %s", formulation, integrator, name);
    CHECK_OK(hol_terms_create(scene->system, &audit.terms));
    Result end = run_system(scene->system, &scene->start, &options, &request);
    CHECK_OK(end.status);
    check_books(&audit, &end.summary);
    hol_terms_destroy(audit.terms);
    scene_destroy(scene);
    return audit.last_drift < 0.9 * audit.drift;
}

static void records_and_summaries_tell_the_truth(void)
{
    static const char *const scenes[] = {"pendulum", "four-bar", "rolling-disc", "constant-speed", "rheonomic-crank"};
    int turned = 0;
    for (int k = 0; k < 5; k++) {
        turned += audit_run(scenes[k], "lagrange", "rk4");
        turned += audit_run(scenes[k], "lagrange", "euler");
        turned += audit_run(scenes[k], "penalty", "rk4");
    }
    CHECK(turned >= 3);
}

/* The processor */

static bool tiny_numbers_count(void)
{
    volatile double tiny = 4.9e-324;
    return tiny * 1 != 0 && tiny * 3 > tiny && DBL_MIN / 2 * (double)(tiny > 0) > 0;
}

static HolStatus refuse(void *user, const HolState *state, const HolMeasures *measures)
{
    (void)user, (void)state, (void)measures;
    return HOL_STOPPED;
}

static HolStatus assemble(const Scene *scene)
{
    double q[MOST_ROWS], v[MOST_ROWS];
    const HolPattern *p = hol_system_pattern(scene->system);
    if (p->nq > MOST_ROWS)
        return HOL_NO_MEMORY;
    memcpy(q, scene->start.q, (size_t)p->nq * sizeof *q);
    memcpy(v, scene->start.v, (size_t)p->nv * sizeof *v);
    return hol_assemble(scene->system, scene->start.t, q, v, NULL);
}

static void check_failures(const Scene *scene, Faulty *faulty)
{
    HolSimulationOptions options = run_options("direct-correction", "rk4", 1e-3);
    HolSimulation *simulation = NULL;
    const Fault fault = {.status = HOL_NOT_FINITE, .after = -1};
    REQUIRE_OK(hol_simulation_create(scene->system, &scene->start, &options, &simulation, NULL));
    faulty_set(faulty, &fault);
    CHECK(hol_simulation_step(simulation, NULL) != HOL_OK && tiny_numbers_count());
    CHECK(hol_simulation_run(simulation, &(HolRun){.until = 1}) != HOL_OK && tiny_numbers_count());
    CHECK(hol_simulation_accelerate(simulation) != HOL_OK && tiny_numbers_count());
    hol_simulation_destroy(simulation);
    CHECK(hol_simulation_create(scene->system, &scene->start, &options, &simulation, NULL) != HOL_OK);
    CHECK(tiny_numbers_count());
    CHECK(assemble(scene) != HOL_OK && tiny_numbers_count());
}

static void tiny_numbers_count_after_every_call(void)
{
    Scene *scene = scene_create("four-bar", 0);
    HolSimulationOptions options = run_options("direct-correction", "rk4", 1e-3);
    HolSimulation *simulation = NULL;
    REQUIRE(scene != NULL && tiny_numbers_count());
    CHECK(assemble(scene) == HOL_OK && tiny_numbers_count());
    REQUIRE_OK(hol_simulation_create(scene->system, &scene->start, &options, &simulation, NULL));
    CHECK(tiny_numbers_count());
    CHECK(hol_simulation_step(simulation, NULL) == HOL_OK && tiny_numbers_count());
    CHECK(hol_simulation_run(simulation, &(HolRun){.until = 0.01}) == HOL_OK && tiny_numbers_count());
    CHECK(hol_simulation_accelerate(simulation) == HOL_OK && tiny_numbers_count());
    CHECK(hol_simulation_run(simulation, &(HolRun){.until = 1, .record = refuse}) == HOL_STOPPED);
    CHECK(tiny_numbers_count());
    hol_simulation_destroy(simulation);
    Faulty *faulty = faulty_create(scene);
    REQUIRE(faulty != NULL);
    check_failures(faulty_scene(faulty), faulty);
    faulty_destroy(faulty);
    scene_destroy(scene);
}

CHECK_MAIN(TEST(equal_steps_end_on_a_ruler), TEST(a_step_cut_short_does_not_shorten_the_next),
           TEST(records_and_summaries_tell_the_truth), TEST(tiny_numbers_count_after_every_call))
