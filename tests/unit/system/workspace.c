/* SPDX-License-Identifier: BSD-3-Clause */
/* The workspace: nothing is evaluated twice, nothing outdated is used, and the stamp changes with the matrices. */
#include "system/workspace.h"

#include "check.h"

/* Writes down what it is asked for. All terms are simple functions of the point, so that old values show. */
typedef struct Log {
    int calls;
    unsigned last, all; /* what the latest call was asked for, and all of them together */
    HolStatus answer;
} Log;

static Log evaluations;

static HolStatus evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    (void)self;
    const double *q = at->q, *v = at->v;
    evaluations.calls++;
    evaluations.last = want;
    evaluations.all |= want;
    if (want & HOL_WANT_MASS)
        terms->M[0] = terms->M[3] = 1 + q[0];
    if (want & HOL_WANT_FORCE)
        terms->Q[0] = at->t + v[0];
    if (want & HOL_WANT_PHI && terms->pattern->nh > 0)
        terms->Phi[0] = q[0];
    if (want & HOL_WANT_JACOBIAN) {
        terms->D[0] = 3 + q[0];
        terms->D[1] = v[1];
    }
    if (want & HOL_WANT_NU)
        terms->nu[0] = at->t;
    if (want & HOL_WANT_GAMMA)
        terms->gamma[0] = -v[0];
    if (want & HOL_WANT_ENERGY)
        terms->kinetic = v[0] * v[0];
    return evaluations.answer;
}

typedef struct Bench {
    HolSystem *system;
    HolArena *arena;
    HolWorkspace *work;
    double q[2], v[2];
} Bench;

enum { CONSTANT = 1, SCLERONOMIC = 2, NONHOLONOMIC = 4, NO_ROWS = 8 };

static bool bench_open(Bench *b, int sort)
{
    static const HolSystemOps ops = {.evaluate = evaluate};
    *b = (Bench){.arena = hol_arena_create(), .q = {0.5, 0}, .v = {2, 0.25}};
    HolSystemSpec spec = hol_system_spec();
    spec.ops = &ops;
    spec.nq = spec.nv = 2;
    spec.nh = sort & (NONHOLONOMIC | NO_ROWS) ? 0 : 1;
    spec.nn = sort & NONHOLONOMIC ? 1 : 0;
    spec.constant_mass = sort & CONSTANT;
    spec.scleronomic = sort & SCLERONOMIC;
    evaluations = (Log){.answer = HOL_OK};
    if (!CHECK(b->arena != NULL) || !CHECK_OK(hol_system_create(&spec, &b->system, NULL)) ||
        !CHECK_OK(hol_workspace_create(b->system, b->arena, &b->work)))
        return false;
    hol_workspace_move(b->work, 1, b->q, b->v);
    return true;
}

static void bench_close(Bench *b)
{
    hol_workspace_destroy(b->work);
    hol_system_destroy(b->system);
    hol_arena_destroy(b->arena);
}

/* Asks for terms and checks that exactly these were evaluated, in one call; 0: none, in no call. */
static void check_need(Bench *b, unsigned want, unsigned expected)
{
    int before = evaluations.calls;
    CHECK_OK(hol_workspace_need(b->work, want));
    CHECK_EQUAL_INT(evaluations.calls - before, expected != 0);
    if (expected)
        CHECK_EQUAL_INT(evaluations.last, expected);
    CHECK((b->work->have & want) == want);
}

static void only_what_is_missing_is_evaluated(void)
{
    Bench b;
    REQUIRE(bench_open(&b, 0));
    CHECK_EQUAL_INT(evaluations.calls, 0);
    check_need(&b, 0, 0);
    check_need(&b, HOL_WANT_MASS, HOL_WANT_MASS);
    check_need(&b, HOL_WANT_MASS, 0);
    check_need(&b, HOL_WANT_MASS | HOL_WANT_JACOBIAN | HOL_WANT_PHI, HOL_WANT_JACOBIAN | HOL_WANT_PHI);
    check_need(&b, HOL_WANT_PHI | HOL_WANT_FORCE, HOL_WANT_FORCE);
    check_need(&b, HOL_WANT_ALL, HOL_WANT_NU | HOL_WANT_GAMMA | HOL_WANT_ENERGY);
    check_need(&b, HOL_WANT_ALL, 0);
    bench_close(&b);
}

static void a_new_point_outdates_everything(void)
{
    Bench b;
    REQUIRE(bench_open(&b, 0));
    const double q[2] = {0.75, 1}, v[2] = {3, 4};
    check_need(&b, HOL_WANT_ALL, HOL_WANT_ALL);
    hol_workspace_move(b.work, 2, q, v);
    CHECK_EQUAL_INT(b.work->have, 0);
    check_need(&b, HOL_WANT_ALL, HOL_WANT_ALL);
    const HolTerms *terms = b.work->terms;
    CHECK(terms->M[0] == 1.75 && terms->Q[0] == 5 && terms->Phi[0] == 0.75 && terms->D[0] == 3.75);
    CHECK(terms->nu[0] == 2 && terms->gamma[0] == -3 && terms->kinetic == 9);
    bench_close(&b);
}

static void a_new_velocity_keeps_what_depends_on_the_position(void)
{
    const unsigned of_velocity = HOL_WANT_FORCE | HOL_WANT_NU | HOL_WANT_GAMMA | HOL_WANT_ENERGY;
    Bench b;
    REQUIRE(bench_open(&b, 0));
    check_need(&b, HOL_WANT_ALL, HOL_WANT_ALL);
    b.v[0] = 7;
    hol_workspace_new_velocity(b.work);
    check_need(&b, HOL_WANT_MASS | HOL_WANT_PHI | HOL_WANT_JACOBIAN, 0);
    check_need(&b, HOL_WANT_ALL, of_velocity);
    CHECK(b.work->terms->Q[0] == 8 && b.work->terms->gamma[0] == -7 && b.work->terms->kinetic == 49);
    bench_close(&b);
}

/* The D of a row that is not linear in v changes with v. */
static void a_new_velocity_outdates_nonholonomic_rows(void)
{
    Bench b;
    REQUIRE(bench_open(&b, NONHOLONOMIC));
    check_need(&b, HOL_WANT_JACOBIAN | HOL_WANT_MASS, HOL_WANT_JACOBIAN | HOL_WANT_MASS);
    long stamp = b.work->stamp;
    b.v[1] = 9;
    hol_workspace_new_velocity(b.work);
    check_need(&b, HOL_WANT_JACOBIAN | HOL_WANT_MASS, HOL_WANT_JACOBIAN);
    CHECK(b.work->terms->D[1] == 9);
    CHECK(b.work->stamp != stamp);
    bench_close(&b);
}

static void the_stamp_changes_with_the_matrices_only(void)
{
    const unsigned others = HOL_WANT_ALL & ~(unsigned)(HOL_WANT_MASS | HOL_WANT_JACOBIAN);
    Bench b;
    REQUIRE(bench_open(&b, 0));
    long stamp = b.work->stamp;
    check_need(&b, others, others);
    CHECK(b.work->stamp == stamp);
    check_need(&b, HOL_WANT_JACOBIAN, HOL_WANT_JACOBIAN);
    CHECK(b.work->stamp != stamp);
    stamp = b.work->stamp;
    check_need(&b, HOL_WANT_MASS, HOL_WANT_MASS);
    CHECK(b.work->stamp != stamp);
    stamp = b.work->stamp;
    check_need(&b, HOL_WANT_ALL, 0);
    hol_workspace_new_velocity(b.work);
    check_need(&b, others, others & ~(unsigned)HOL_WANT_PHI);
    CHECK(b.work->stamp == stamp); /* a factorisation made before still holds */
    hol_workspace_move(b.work, 1, b.q, b.v);
    check_need(&b, HOL_WANT_JACOBIAN, HOL_WANT_JACOBIAN);
    CHECK(b.work->stamp != stamp); /* even at the same place: it cannot know */
    bench_close(&b);
}

static void constant_masses_and_resting_rows_are_not_asked_again(void)
{
    const unsigned moving = HOL_WANT_ALL & ~(unsigned)(HOL_WANT_MASS | HOL_WANT_NU);
    Bench b;
    REQUIRE(bench_open(&b, CONSTANT | SCLERONOMIC));
    check_need(&b, HOL_WANT_ALL, HOL_WANT_ALL & ~(unsigned)HOL_WANT_NU);
    for (int i = 0; i < 3; i++) {
        hol_workspace_move(b.work, i, b.q, b.v);
        check_need(&b, HOL_WANT_MASS | HOL_WANT_NU, 0);
        check_need(&b, HOL_WANT_ALL, moving);
    }
    CHECK(b.work->terms->nu[0] == 0 && !(evaluations.all & HOL_WANT_NU));
    bench_close(&b);
}

static void without_rows_nothing_is_asked_of_them(void)
{
    Bench b;
    REQUIRE(bench_open(&b, NO_ROWS));
    check_need(&b, HOL_WANT_PHI | HOL_WANT_JACOBIAN | HOL_WANT_NU | HOL_WANT_GAMMA, 0);
    check_need(&b, HOL_WANT_ALL, HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_ENERGY);
    double none;
    CHECK(hol_workspace_velocity_residual(b.work, &none) == 0);
    bench_close(&b);
}

/* What failed counts as not evaluated: the next one who needs it asks again. */
static void failures_are_passed_on_and_forgotten(void)
{
    Bench b;
    REQUIRE(bench_open(&b, 0));
    check_need(&b, HOL_WANT_FORCE, HOL_WANT_FORCE);
    evaluations.answer = HOL_NOT_FINITE;
    CHECK_STATUS(hol_workspace_need(b.work, HOL_WANT_PHI | HOL_WANT_FORCE), HOL_NOT_FINITE);
    CHECK_EQUAL_INT(b.work->have, HOL_WANT_FORCE);
    evaluations.answer = HOL_SINGULAR;
    CHECK_STATUS(hol_workspace_need(b.work, HOL_WANT_MASS), HOL_SINGULAR);
    evaluations.answer = HOL_OK;
    check_need(&b, HOL_WANT_PHI | HOL_WANT_FORCE, HOL_WANT_PHI);
    check_need(&b, HOL_WANT_MASS, HOL_WANT_MASS);
    bench_close(&b);
}

/* A mass that could not be evaluated is not taken for known because it is constant. */
static void a_failed_constant_mass_is_asked_again(void)
{
    Bench b;
    REQUIRE(bench_open(&b, CONSTANT));
    evaluations.answer = HOL_SINGULAR;
    CHECK_STATUS(hol_workspace_need(b.work, HOL_WANT_MASS), HOL_SINGULAR);
    evaluations.answer = HOL_OK;
    check_need(&b, HOL_WANT_MASS, HOL_WANT_MASS);
    CHECK(b.work->terms->M[0] == 1.5);
    bench_close(&b);
}

/* D v - nu = (3.5, 0.25) . (2, 0.25) - 1 */
static void the_velocity_residual_is_that_of_the_rows(void)
{
    Bench b;
    double r = NAN;
    REQUIRE(bench_open(&b, 0));
    check_need(&b, HOL_WANT_JACOBIAN | HOL_WANT_NU, HOL_WANT_JACOBIAN | HOL_WANT_NU);
    CHECK_NEAR(hol_workspace_velocity_residual(b.work, &r), 6.0625, 0);
    CHECK_NEAR(r, 6.0625, 0);
    b.v[0] = -2;
    CHECK_NEAR(hol_workspace_velocity_residual(b.work, &r), 7.9375, 0);
    CHECK_NEAR(r, -7.9375, 0);
    b.v[0] = NAN;
    CHECK(isnan(hol_workspace_velocity_residual(b.work, &r)));
    bench_close(&b);
}

/* A system of this size at rest, run with this step. */
static double unit_at(double length, double step, double velocity)
{
    HolSystemSpec spec = hol_system_spec();
    static const HolSystemOps ops = {.evaluate = evaluate};
    spec.name = "size";
    spec.ops = &ops;
    spec.nq = spec.nv = 2;
    spec.nh = 1;
    spec.length = length;
    HolSystem *system;
    HolWorkspace *work;
    HolArena *arena = hol_arena_create();
    CHECK_OK(hol_system_create(&spec, &system, NULL));
    CHECK_OK(hol_workspace_create(system, arena, &work));
    if (step > 0)
        hol_workspace_set_step(work, step);
    double v[2] = {0, velocity}, unit = hol_velocity_unit(work, v);
    CHECK_NEAR(work->gentle * work->time * work->time, work->pattern->length, 0);
    hol_workspace_destroy(work);
    hol_arena_destroy(arena);
    hol_system_destroy(system);
    return unit;
}

/* Powers of two: the size in a thousand steps, or the velocity if that is larger, in all units alike. */
static void velocities_are_compared_with_the_size_in_a_thousand_steps(void)
{
    const double k = 1024;
    CHECK_NEAR(unit_at(1, 0, 0), 1, 0);
    CHECK_NEAR(unit_at(1, 1e-3, 0), 1, 0);
    CHECK_NEAR(unit_at(1e-3, 1e-3, 0), 1 / k, 0); /* millimetres */
    CHECK_NEAR(unit_at(1e3, 1e-3, 0), k, 0);
    CHECK_NEAR(unit_at(1e3, 1, 0), 1, 0); /* in milliseconds */
    CHECK_NEAR(unit_at(1, 1e-6, 0), k, 0);
    CHECK_NEAR(unit_at(1e-3, 1e-3, 2), 1, 0); /* it moves */
    CHECK_NEAR(unit_at(1, 1e-3, 1e-9), 1, 0); /* rounding does not count as motion */
    CHECK_NEAR(unit_at(1e-9, 1e3, 1e-15), 1 / (k * k * k * k * k), 0);
}

CHECK_MAIN(TEST(only_what_is_missing_is_evaluated), TEST(a_new_point_outdates_everything),
           TEST(a_new_velocity_keeps_what_depends_on_the_position), TEST(a_new_velocity_outdates_nonholonomic_rows),
           TEST(the_stamp_changes_with_the_matrices_only), TEST(constant_masses_and_resting_rows_are_not_asked_again),
           TEST(without_rows_nothing_is_asked_of_them), TEST(failures_are_passed_on_and_forgotten),
           TEST(a_failed_constant_mass_is_asked_again), TEST(the_velocity_residual_is_that_of_the_rows),
           TEST(velocities_are_compared_with_the_size_in_a_thousand_steps))
