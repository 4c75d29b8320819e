/* SPDX-License-Identifier: BSD-3-Clause */
/* The integrators on small systems without constraints, M = I, whose solutions are known. */
#include "allocations.h"
#include "base/message.h"
#include "base/options.h"
#include "check.h"
#include "integrators/integrator.h"

#include <stdlib.h>

enum { MOST = 2, SIZE = 2 * MOST + 1 };

/* qddot = Q(t, q, v). Q includes the forces with potential, power is that of the others. */
typedef struct Problem {
    const char *name;
    int n;
    HolStatus (*force)(double t, const double *q, const double *v, double *Q, double *power);
    void (*exact)(double t, double *y); /* y = (q, v, W) */
} Problem;

static long evaluations; /* of the forces, by all systems */

static HolStatus evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const Problem *problem = self;
    for (int i = 0; i < problem->n; ++i)
        terms->M[i * problem->n + i] = 1;
    if (!(want & HOL_WANT_FORCE))
        return HOL_OK;
    ++evaluations;
    terms->power = 0;
    return problem->force(at->t, at->q, at->v, terms->Q, &terms->power);
}

/* A spring and a driving force: q = cos t - cos 2t / 3, W = what the energy has gained */
static HolStatus driven_force(double t, const double *q, const double *v, double *Q, double *power)
{
    Q[0] = -q[0] + cos(2 * t);
    *power = cos(2 * t) * v[0];
    return HOL_OK;
}

static void driven_exact(double t, double *y)
{
    y[0] = cos(t) - cos(2 * t) / 3;
    y[1] = -sin(t) + sin(2 * t) * 2 / 3;
    y[2] = (y[0] * y[0] + y[1] * y[1]) / 2 - 2. / 9;
}

static HolStatus spring_force(double t, const double *q, const double *v, double *Q, double *power)
{
    (void)t, (void)v, (void)power;
    Q[0] = -q[0];
    return HOL_OK;
}

static void spring_exact(double t, double *y)
{
    y[0] = cos(t);
    y[1] = -sin(t);
    y[2] = 0;
}

static HolStatus kepler_force(double t, const double *q, const double *v, double *Q, double *power)
{
    (void)t, (void)v, (void)power;
    double r = hypot(q[0], q[1]);
    Q[0] = -q[0] / (r * r * r);
    Q[1] = -q[1] / (r * r * r);
    return HOL_OK;
}

/* The orbit of eccentricity e and period 2 pi, from the pericentre; t = E - e sin E is solved for E by Newton. */
static void kepler_exact(double t, double *y)
{
    const double e = 0.5, b = sqrt(1 - e * e);
    double E = t;
    for (int i = 0; i < 50; ++i)
        E -= (E - e * sin(E) - t) / (1 - e * cos(E));
    double rate = 1 / (1 - e * cos(E));
    y[0] = cos(E) - e;
    y[1] = b * sin(E);
    y[2] = -sin(E) * rate;
    y[3] = b * cos(E) * rate;
    y[4] = 0;
}

/* A stiff spring and damper pull q to cos t, on which the solution stays. */
static HolStatus stiff_force(double t, const double *q, const double *v, double *Q, double *power)
{
    Q[0] = -1e6 * (q[0] - cos(t)) - 2e3 * (v[0] + sin(t)) - cos(t);
    *power = Q[0] * v[0];
    return HOL_OK;
}

static void stiff_exact(double t, double *y)
{
    spring_exact(t, y);
    y[2] = sin(t) * sin(t) / 2;
}

/* Van der Pol's oscillator, stiff where |q| > 1; exact only at the start. */
static HolStatus van_der_pol_force(double t, const double *q, const double *v, double *Q, double *power)
{
    (void)t;
    Q[0] = 100 * (1 - q[0] * q[0]) * v[0] - q[0];
    *power = (Q[0] + q[0]) * v[0];
    return HOL_OK;
}

static void van_der_pol_exact(double t, double *y)
{
    (void)t;
    y[0] = 2;
    y[1] = y[2] = 0;
}

/* Falls with speed 1 towards q = 0, where the system ends: by a status or by a NaN. */
static HolStatus cliff_force(double t, const double *q, const double *v, double *Q, double *power)
{
    (void)t, (void)v, (void)power;
    Q[0] = 0;
    return q[0] > 0 ? HOL_OK : HOL_NOT_FINITE;
}

static HolStatus nan_force(double t, const double *q, const double *v, double *Q, double *power)
{
    (void)t, (void)v, (void)power;
    Q[0] = 0 * sqrt(q[0]);
    return HOL_OK;
}

/* So steep that an iteration from a poor start leaves the range of numbers. */
static HolStatus steep_force(double t, const double *q, const double *v, double *Q, double *power)
{
    (void)t, (void)v, (void)power;
    Q[0] = -sinh(400 * q[0]);
    return HOL_OK;
}

static void steep_exact(double t, double *y)
{
    (void)t;
    y[0] = 1;
    y[1] = y[2] = 0;
}

static void cliff_exact(double t, double *y)
{
    y[0] = 1 - t;
    y[1] = -1;
    y[2] = 0;
}

/* So weak that squares of its errors vanish. */
static HolStatus whisper_force(double t, const double *q, const double *v, double *Q, double *power)
{
    (void)q, (void)v, (void)power;
    Q[0] = 1e-170 * cos(40 * t);
    return HOL_OK;
}

static void whisper_exact(double t, double *y)
{
    y[0] = 1e-170 * (1 - cos(40 * t)) / 1600;
    y[1] = 1e-170 * sin(40 * t) / 40;
    y[2] = 0;
}

static const Problem whisper = {"whisper", 1, whisper_force, whisper_exact};
static const Problem driven = {"driven spring", 1, driven_force, driven_exact};
static const Problem spring = {"spring", 1, spring_force, spring_exact};
static const Problem kepler = {"Kepler", 2, kepler_force, kepler_exact};
static const Problem stiff = {"stiff spring", 1, stiff_force, stiff_exact};
static const Problem van_der_pol = {"Van der Pol", 1, van_der_pol_force, van_der_pol_exact};
static const Problem cliff = {"cliff", 1, cliff_force, cliff_exact};
static const Problem steep = {"steep", 1, steep_force, steep_exact};
static const Problem nan_cliff = {"cliff of NaN", 1, nan_force, cliff_exact};

/* A problem under an integrator, and what the run loop would hold. */
typedef struct Bench {
    const Problem *problem;
    const HolIntegratorKind *kind;
    HolArena *arena;
    HolSystem *system;
    HolWorkspace *work;
    HolRates *rates;
    void *self;
    double t, y[SIZE], ydot[SIZE];
} Bench;

static HolStatus create_rates(Bench *b)
{
    const HolFormulationKind *lagrange = hol_formulation_find("lagrange", NULL);
    const HolFormulationKind *index3 = hol_formulation_find("index3-augmented-lagrangian", NULL);
    const HolFormulationKind *formulation = b->kind->needs & HOL_RATES || b->kind->needs & HOL_SPLIT ? lagrange
                                            : b->kind->needs & HOL_OWN_STEP
                                                ? hol_formulation_find("energy-preserving", NULL)
                                                : index3;
    double options[16] = {0};
    hol_options_defaults(formulation->options, formulation->option_count, options);
    HolSetup setup = {.system = b->system, .arena = b->arena, .work = b->work};
    hol_workspace_move(b->work, b->t, b->y, b->y + b->problem->n);
    HOL_TRY(hol_workspace_need(b->work, HOL_WANT_MASS));
    return hol_rates_create(&setup, formulation, options, &b->rates);
}

static HolStatus create_integrator(Bench *b, const HolSetting *settings)
{
    double options[16] = {0};
    const HolIntegratorKind *kind = b->kind;
    hol_options_defaults(kind->options, kind->option_count, options);
    for (; settings && settings->name; ++settings)
        HOL_TRY(hol_options_set(kind->options, kind->option_count, kind->name, settings->name, settings->value, options,
                                NULL));
    HOL_TRY(kind->create(b->arena, b->rates, options, &b->self));
    hol_arena_freeze(b->arena);
    return HOL_OK;
}

/* What the run loop does with a state that it accepts. */
static HolStatus settle(Bench *b, double h, double *y)
{
    HOL_TRY(hol_rates_accept(b->rates, b->t, h, y, b->ydot));
    memmove(b->y, y, (size_t)b->rates->size * sizeof *y);
    return hol_rates_prepare(b->rates);
}

/* At the exact state of time t; settings end with a NULL name. */
static HolStatus bench_create(Bench *b, const Problem *problem, const char *integrator, const HolSetting *settings)
{
    static const HolSystemOps ops = {.evaluate = evaluate};
    *b = (Bench){.problem = problem, .kind = hol_integrator_find(integrator, NULL), .arena = hol_arena_create()};
    HolSystemSpec spec = hol_system_spec();
    spec.name = problem->name;
    spec.ops = &ops;
    spec.self = problem;
    spec.nq = spec.nv = problem->n;
    spec.constant_mass = true;
    problem->exact(b->t, b->y);
    HOL_TRY(hol_system_create(&spec, &b->system, NULL));
    HOL_TRY(hol_workspace_create(b->system, b->arena, &b->work));
    HOL_TRY(create_rates(b));
    HOL_TRY(create_integrator(b, settings));
    return settle(b, 1e-2, b->y);
}

static void bench_destroy(Bench *b)
{
    hol_workspace_destroy(b->work);
    hol_system_destroy(b->system);
    hol_arena_destroy(b->arena);
}

static HolStatus try_step(Bench *b, double h, double *y_new)
{
    HolStepFrom from = {.t = b->t, .h = h, .y = b->y, .ydot = b->ydot};
    b->rates->report = (HolStepReport){0};
    return b->kind->step(b->self, b->rates, &from, y_new);
}

static HolStatus accept(Bench *b, double h, double *y_new)
{
    b->t += h;
    return settle(b, h, y_new);
}

static HolStatus take_steps(Bench *b, double h, int count)
{
    double y_new[SIZE];
    for (int i = 0; i < count; ++i) {
        HOL_TRY(try_step(b, h, y_new));
        HOL_TRY(accept(b, h, y_new));
    }
    return HOL_OK;
}

/* max |y - exact| over the numbers from `first` to the last */
static double distance(const Bench *b, const double *y, double t, int first)
{
    double exact[SIZE], largest = 0;
    b->problem->exact(t, exact);
    for (int i = first; i < b->rates->size; ++i)
        largest = fmax(largest, fabs(y[i] - exact[i]));
    return largest;
}

static double energy(const Bench *b)
{
    return (b->y[0] * b->y[0] + b->y[1] * b->y[1]) / 2;
}

/* ---- Order ------------------------------------------------------------------------------------- */

/* The largest error after `count` steps, of the numbers from `first` on. */
static double error_at(const Problem *problem, const char *integrator, const HolSetting *settings, double until,
                       int count, int first)
{
    Bench b;
    double error = NAN;
    if (CHECK_OK(bench_create(&b, problem, integrator, settings)) && CHECK_OK(take_steps(&b, until / count, count)))
        error = distance(&b, b.y, b.t, first);
    bench_destroy(&b);
    return error;
}

static void check_order(const Problem *problem, const HolIntegratorKind *kind, const HolSetting *settings, int first)
{
    int count = kind->order >= 8 ? 8 : kind->order >= 4 ? 100 : 800;
    double coarse = error_at(problem, kind->name, settings, 2, count, first);
    double fine = error_at(problem, kind->name, settings, 2, 2 * count, first);
    CHECK_CONTEXT("%s, %s, numbers from %d: errors %.3g, %.3g", kind->name, problem->name, first, coarse, fine);
    bool is_quadrature = kind->order >= 8 && first == problem->n * 2; /* W of dop853 has one order more by itself */
    CHECK_NEAR(log2(coarse / fine), kind->order + is_quadrature, 0.35);
}

static void every_kind_has_its_order(void)
{
    for (int i = 0; hol_integrator_kinds[i]; ++i) {
        if (hol_integrator_kinds[i] == hol_integrator_find("built-in", NULL))
            continue; /* the order is that of the formulation: contract.pairs */
        check_order(&driven, hol_integrator_kinds[i], NULL, 0);
        check_order(&driven, hol_integrator_kinds[i], NULL, 2); /* W by itself */
        check_order(&kepler, hol_integrator_kinds[i], NULL, 0);
    }
}

static void newton_has_the_same_order_as_fixed_point(void)
{
    const HolSetting newton[] = {{"iteration", "newton"}, {NULL, NULL}};
    const HolIntegratorKind *kind = hol_integrator_find("trapezoidal", NULL);
    check_order(&driven, kind, newton, 0);
    check_order(&kepler, kind, newton, 0);
    const HolSetting newton_tight[] = {{"iteration", "newton"}, {"tolerance", "1e-14"}, {NULL, NULL}};
    const HolSetting fixed_tight[] = {{"tolerance", "1e-14"}, {NULL, NULL}};
    double by_newton = error_at(&kepler, "trapezoidal", newton_tight, 2, 100, 0);
    CHECK_NEAR(by_newton, error_at(&kepler, "trapezoidal", fixed_tight, 2, 100, 0), 1e-10 * by_newton);
}

static int passes_of_last(Bench *b, double h, int count)
{
    CHECK_OK(take_steps(b, h, count));
    return b->rates->report.iterations; /* of the last step */
}

/* The fixed point begins with the rates of up to three steps before, if they were as long. */
static void equal_steps_need_fewer_passes(void)
{
    Bench b;
    REQUIRE_OK(bench_create(&b, &kepler, "trapezoidal", NULL));
    int first = passes_of_last(&b, 1e-3, 1), second = passes_of_last(&b, 1e-3, 1), tenth = passes_of_last(&b, 1e-3, 8);
    CHECK(first >= 3);
    CHECK(second < first);
    CHECK_EQUAL_INT(tenth, 1);
    CHECK_EQUAL_INT(passes_of_last(&b, 1.01e-3, 1), first);
    bench_destroy(&b);
}

static void steps_allocate_nothing(void)
{
    const HolSetting newton[] = {{"iteration", "newton"}, {NULL, NULL}};
    for (int i = 0; hol_integrator_kinds[i]; ++i) {
        const char *name = hol_integrator_kinds[i]->name;
        for (int variant = 0; variant < (strcmp(name, "trapezoidal") == 0 ? 2 : 1); ++variant) {
            Bench b;
            REQUIRE_OK(bench_create(&b, &kepler, name, variant ? newton : NULL));
            allocations_start();
            HolStatus status = take_steps(&b, 1e-2, 10);
            long count = allocations_stop();
            CHECK_CONTEXT("%s, variant %d", name, variant);
            CHECK_OK(status);
            CHECK_EQUAL_INT(count, 0);
            bench_destroy(&b);
        }
    }
}

/* ---- Euler and symplectic Euler ---------------------------------------------------------------- */

static void euler_gains_exactly_the_energy_that_theory_says(void)
{
    Bench b;
    REQUIRE_OK(bench_create(&b, &spring, "euler", NULL));
    CHECK_OK(take_steps(&b, 0.05, 1000));
    CHECK_NEAR(energy(&b) / (0.5 * pow(1 + 0.05 * 0.05, 1000)), 1, 1e-12);
    bench_destroy(&b);
}

static void symplectic_euler_keeps_the_energy_for_long(void)
{
    Bench b;
    const double h = 0.05;
    REQUIRE_OK(bench_create(&b, &spring, "symplectic-euler", NULL));
    double worst = 0, worst_modified = 0;
    for (int i = 0; i < 100000; ++i) {
        CHECK_OR_RETURN(take_steps(&b, h, 1) == HOL_OK);
        worst = fmax(worst, fabs(energy(&b) - 0.5));
        worst_modified = fmax(worst_modified, fabs(energy(&b) - h / 2 * b.y[0] * b.y[1] - 0.5));
    }
    CHECK(worst < 0.3 * h && worst > 0.1 * h); /* |h/2 q v| at most, and |q v| <= 1/2 but for O(h) */
    CHECK_NEAR(worst_modified, 0, 1e-11);
    bench_destroy(&b);
}

/* ---- Embedded pairs, dopri5 and dop853 ------------------------------------------------------------- */

typedef struct Adaptive {
    int steps, rejections;
    double error, least_h, most_h, worst_ratio, worst_dense;
} Adaptive;

static void note_step(const Bench *b, double h, Adaptive *run)
{
    double y[SIZE];
    run->steps++;
    run->least_h = fmin(run->least_h, h);
    run->most_h = fmax(run->most_h, h);
    run->worst_ratio = fmax(run->worst_ratio, b->rates->report.error);
    CHECK_OK(b->kind->interpolate(b->self, b->rates, 0.4, y));
    run->worst_dense = fmax(run->worst_dense, distance(b, y, b->t + 0.4 * h, 0));
}

/* The run loop in small. */
static HolStatus run_adaptive(Bench *b, double h, double until, Adaptive *run)
{
    double y_new[SIZE];
    *run = (Adaptive){.least_h = until};
    while (b->t < until && run->steps + run->rejections < 100000) {
        h = fmin(h, until - b->t);
        HOL_TRY(try_step(b, h, y_new));
        double error = b->rates->report.error;
        bool accepted = error <= 1;
        if (accepted) {
            note_step(b, h, run);
            HOL_TRY(accept(b, h, y_new));
        } else {
            run->rejections++;
        }
        h = b->kind->adapt(b->self, h, error, accepted);
    }
    run->error = distance(b, b->y, b->t, 0);
    return HOL_OK;
}

static Adaptive kepler_with(const char *integrator, const char *tolerance)
{
    const HolSetting settings[] = {{"tolerance", tolerance}, {"absolute", tolerance}, {NULL, NULL}};
    Bench b;
    Adaptive run = {.error = NAN};
    if (CHECK_OK(bench_create(&b, &kepler, integrator, settings)))
        CHECK_OK(run_adaptive(&b, 1e-3, 2 * acos(-1), &run));
    bench_destroy(&b);
    return run;
}

static const char *const embedded[] = {"dopri5", "dop853"};

static void embedded_pairs_meet_their_tolerance(void)
{
    const char *tolerances[] = {"1e-4", "1e-6", "1e-8", "1e-10"};
    for (int i = 0; i < 8; ++i) {
        Adaptive run = kepler_with(embedded[i / 4], tolerances[i % 4]);
        double tolerance = strtod(tolerances[i % 4], NULL);
        CHECK_CONTEXT("%s, tolerance %s: error %.3g, dense %.3g, %d steps, %d rejections", embedded[i / 4],
                      tolerances[i % 4], run.error, run.worst_dense, run.steps, run.rejections);
        CHECK(run.error < 300 * tolerance); /* local errors add up, and the orbit spreads them */
        CHECK(run.error > (i < 4 ? 1e-2 : 1e-3) * tolerance);
        CHECK(run.worst_dense < 300 * tolerance);
        CHECK(run.worst_ratio <= 1 && run.worst_ratio > 0.2);
        CHECK(run.rejections * 4 <= run.steps);
        CHECK(run.most_h > 2 * run.least_h);
    }
}

static void embedded_pairs_pay_a_root_for_accuracy(void)
{
    double fifth = (double)kepler_with("dopri5", "1e-10").steps / kepler_with("dopri5", "1e-5").steps;
    double eighth = (double)kepler_with("dop853", "1e-13").steps / kepler_with("dop853", "1e-9").steps;
    CHECK_NEAR(fifth, 10, 3);
    CHECK_NEAR(eighth, 3.16, 0.6);
}

/* One step from the exact state: the local error of an interpolant of order p shrinks like h^(p + 1). */
static double dense_error(const char *integrator, double h, double theta)
{
    Bench b;
    double y[SIZE], error = NAN;
    if (CHECK_OK(bench_create(&b, &kepler, integrator, NULL)) && CHECK_OK(try_step(&b, h, y))) {
        CHECK_OK(b.kind->interpolate(b.self, b.rates, theta, y));
        error = distance(&b, y, h * theta, 0);
    }
    bench_destroy(&b);
    return error;
}

static void dense_output_has_its_order(void)
{
    for (int i = 0; i < 10; ++i) {
        double theta = 0.1 + 0.2 * (i % 5), h = i < 5 ? 0.04 : 0.1;
        double coarse = dense_error(embedded[i / 5], h, theta), fine = dense_error(embedded[i / 5], h / 2, theta);
        CHECK_CONTEXT("%s, theta %g: errors %.3g, %.3g", embedded[i / 5], theta, coarse, fine);
        CHECK(log2(coarse / fine) > (i < 5 ? 4.7 : 7.7));
    }
}

/* Stages that only the states inside a step need are evaluated for the first of them. */
static void further_stages_are_evaluated_once(void)
{
    static const int stages[] = {6, 11}, further[] = {0, 4};
    for (int i = 0; i < 2; ++i) {
        Bench b;
        double y[SIZE];
        REQUIRE_OK(bench_create(&b, &kepler, embedded[i], NULL));
        evaluations = 0;
        CHECK_OK(try_step(&b, 0.1, y));
        CHECK_EQUAL_INT(evaluations, stages[i]);
        for (int k = 1; k < 4; ++k)
            CHECK_OK(b.kind->interpolate(b.self, b.rates, k / 4., y));
        CHECK_EQUAL_INT(evaluations, stages[i] + further[i]);
        bench_destroy(&b);
    }
}

static void check_ends(const char *integrator)
{
    Bench b;
    double y[SIZE], y_new[SIZE];
    REQUIRE_OK(bench_create(&b, &driven, integrator, NULL));
    REQUIRE_OK(try_step(&b, 0.1, y_new));
    for (int end = 0; end < 2; ++end) {
        CHECK_OK(b.kind->interpolate(b.self, b.rates, end, y));
        for (int i = 0; i < b.rates->size; ++i)
            CHECK_NEAR(y[i], end ? y_new[i] : b.y[i], 1e-15);
    }
    CHECK_OK(b.kind->interpolate(b.self, b.rates, 0.5, y));
    CHECK(distance(&b, y, 0.05, 2) < 1e-9); /* W too */
    bench_destroy(&b);
}

static void dense_output_joins_the_ends(void)
{
    check_ends("dopri5");
    check_ends("dop853");
}

static void pi_control_moves_the_step_sensibly(void)
{
    const HolSetting settings[] = {{"max_step", "4"}, {NULL, NULL}};
    Bench b;
    REQUIRE_OK(bench_create(&b, &spring, "dopri5", settings));
    double (*adapt)(void *, double, double, bool) = b.kind->adapt;
    CHECK_NEAR(adapt(b.self, 1, 1, true), 0.9, 1e-12); /* no history yet */
    CHECK_NEAR(adapt(b.self, 0.5, 0, true), 2.5, 1e-12);
    CHECK_NEAR(adapt(b.self, 1, 32, false), 0.45, 1e-12);
    CHECK_NEAR(adapt(b.self, 1, 1e10, false), 0.2, 1e-12);
    CHECK(adapt(b.self, 1, 1e-6, true) <= 1);       /* right after a rejection */
    CHECK_NEAR(adapt(b.self, 3, 1e-9, true), 4, 0); /* max_step */
    double steady = adapt(b.self, 1, 0.5, true);
    CHECK(adapt(b.self, 1, 0.5, true) > steady); /* the error no longer grows: less caution */
    bench_destroy(&b);
}

static void a_failing_stage_is_a_rejection(void)
{
    const Problem *problems[] = {&cliff, &nan_cliff};
    for (int i = 0; i < 2; ++i) {
        Bench b;
        double y_new[SIZE];
        REQUIRE_OK(bench_create(&b, problems[i], "dopri5", NULL));
        CHECK_CONTEXT("%s", problems[i]->name);
        CHECK_OK(try_step(&b, 2, y_new));
        CHECK(b.rates->report.error > 1);
        CHECK_NEAR(b.kind->adapt(b.self, 2, b.rates->report.error, false), 0.4, 1e-12);
        CHECK_OK(try_step(&b, 0.4, y_new));
        CHECK(b.rates->report.error <= 1);
        CHECK_NEAR(y_new[0], 0.6, 1e-14);
        bench_destroy(&b);
    }
}

static void errors_too_small_to_be_squared_are_small(void)
{
    for (int i = 0; i < 2; ++i) {
        Bench b;
        double y_new[SIZE];
        REQUIRE_OK(bench_create(&b, &whisper, embedded[i], NULL));
        CHECK_CONTEXT("%s", embedded[i]);
        CHECK_OK(try_step(&b, 0.1, y_new));
        CHECK(b.rates->report.error < 1e-100);
        bench_destroy(&b);
    }
}

static void the_first_step_obeys_max_step(void)
{
    const HolSetting settings[] = {{"max_step", "0.1"}, {NULL, NULL}};
    Bench b;
    Adaptive run;
    REQUIRE_OK(bench_create(&b, &spring, "dopri5", settings));
    CHECK_OK(run_adaptive(&b, 1, 2, &run));
    CHECK(run.most_h <= 0.1 && run.rejections >= 1);
    bench_destroy(&b);
}

/* ---- Trapezoidal rule -------------------------------------------------------------------------- */

static void fixed_point_sees_that_it_diverges(void)
{
    Bench b;
    double y_new[SIZE];
    REQUIRE_OK(bench_create(&b, &stiff, "trapezoidal", NULL));
    CHECK_STATUS(try_step(&b, 0.01, y_new), HOL_NO_CONVERGENCE);
    CHECK_CONTAINS(b.rates->message.text, "diverges");
    CHECK_CONTAINS(b.rates->message.text, "t = 0");
    CHECK_CONTAINS(b.rates->message.text, "iteration = newton");
    CHECK(b.rates->report.iterations < 6);
    bench_destroy(&b);
}

static void leaving_the_range_of_numbers_is_divergence(void)
{
    Bench b;
    double y_new[SIZE];
    REQUIRE_OK(bench_create(&b, &steep, "trapezoidal", NULL));
    CHECK_STATUS(try_step(&b, 1e-2, y_new), HOL_NO_CONVERGENCE);
    CHECK_CONTAINS(b.rates->message.text, "diverges");
    bench_destroy(&b);
}

static void fixed_point_may_also_not_settle(void)
{
    const HolSetting settings[] = {{"max_iterations", "3"}, {NULL, NULL}};
    Bench b;
    double y_new[SIZE];
    REQUIRE_OK(bench_create(&b, &kepler, "trapezoidal", settings));
    CHECK_STATUS(try_step(&b, 0.1, y_new), HOL_NO_CONVERGENCE);
    CHECK_CONTAINS(b.rates->message.text, "does not converge");
    CHECK_EQUAL_INT(b.rates->report.iterations, 3);
    bench_destroy(&b);
}

static void an_iteration_may_continue_without_convergence(void)
{
    const HolSetting few[] = {{"max_iterations", "3"}, {"divergence", "continue"}, {NULL, NULL}};
    const HolSetting steep_too[] = {{"divergence", "continue"}, {NULL, NULL}};
    Bench b, converged;
    double y_new[SIZE], y_converged[SIZE];
    REQUIRE_OK(bench_create(&b, &kepler, "trapezoidal", few));
    REQUIRE_OK(bench_create(&converged, &kepler, "trapezoidal", NULL));
    CHECK_OK(try_step(&b, 0.1, y_new));
    CHECK_OK(try_step(&converged, 0.1, y_converged));
    CHECK_NEAR(y_new[2], y_converged[2], 1e-3);
    CHECK(y_new[2] != y_converged[2]);
    bench_destroy(&b);
    bench_destroy(&converged);
    REQUIRE_OK(bench_create(&b, &steep, "trapezoidal", steep_too)); /* the first pass is finite, the second is not */
    CHECK_OK(try_step(&b, 1e-2, y_new));
    CHECK(isfinite(y_new[0]) && isfinite(y_new[1]));
    bench_destroy(&b);
}

static void newton_solves_what_fixed_point_cannot(void)
{
    const HolSetting newton[] = {{"iteration", "newton"}, {NULL, NULL}};
    Bench b;
    REQUIRE_OK(bench_create(&b, &stiff, "trapezoidal", newton));
    evaluations = 0;
    CHECK_OK(take_steps(&b, 0.01, 200));
    CHECK(distance(&b, b.y, b.t, 0) < 1e-3); /* W takes part in this */
    CHECK_NEAR(b.y[0], cos(b.t), 1e-7);
    /* one matrix of 3 evaluations for all, then an accepting one and one or two passes per step */
    CHECK(evaluations <= 3 + 3 * 200 + 10);
    bench_destroy(&b);
}

/* The reference is the same rule with 20 times the steps. */
static void newton_renews_its_matrix_on_the_way(void)
{
    const HolSetting newton[] = {{"iteration", "newton"}, {NULL, NULL}};
    Bench coarse, fine;
    REQUIRE_OK(bench_create(&coarse, &van_der_pol, "trapezoidal", newton));
    REQUIRE_OK(bench_create(&fine, &van_der_pol, "trapezoidal", newton));
    evaluations = 0;
    CHECK_OK(take_steps(&coarse, 0.01, 7000)); /* through 70 of the slow time, up to before the jump at about 81 */
    CHECK(evaluations < 4 * 7000);
    CHECK_OK(take_steps(&fine, 0.0005, 140000));
    CHECK_NEAR(coarse.y[0], fine.y[0], 1e-3);
    CHECK_OK(take_steps(&fine, 0.0005, 40000)); /* through the jump, with a matrix that changes */
    CHECK_NEAR(fine.y[0], -1.98, 0.05);
    bench_destroy(&coarse);
    bench_destroy(&fine);
}

static void newton_follows_a_change_of_the_step(void)
{
    const HolSetting newton[] = {{"iteration", "newton"}, {NULL, NULL}};
    Bench b;
    REQUIRE_OK(bench_create(&b, &stiff, "trapezoidal", newton));
    CHECK_OK(take_steps(&b, 0.01, 10));
    CHECK_OK(take_steps(&b, 0.002, 10));
    CHECK_OK(take_steps(&b, 0.05, 10));
    CHECK_NEAR(b.y[0], cos(b.t), 1e-5);
    bench_destroy(&b);
}

static void trapezoidal_keeps_the_energy_of_a_spring(void)
{
    Bench b;
    REQUIRE_OK(bench_create(&b, &spring, "trapezoidal", NULL));
    CHECK_OK(take_steps(&b, 0.1, 1000));
    CHECK_NEAR(energy(&b), 0.5, 1e-8); /* as far as the iteration goes */
    bench_destroy(&b);
}

static void trapezoidal_passes_on_what_the_system_says(void)
{
    Bench b;
    double y_new[SIZE];
    REQUIRE_OK(bench_create(&b, &cliff, "trapezoidal", NULL));
    CHECK_STATUS(try_step(&b, 2, y_new), HOL_NOT_FINITE);
    bench_destroy(&b);
}

/* ---- Registry ---------------------------------------------------------------------------------- */

static void every_kind_is_found_and_described(void)
{
    int count = 0;
    for (; hol_integrator_kinds[count]; ++count) {
        const HolIntegratorKind *kind = hol_integrator_kinds[count];
        HolKindInfo info = hol_integrator_info(count);
        char page[128];
        snprintf(page, sizeof page, "docs/methods/%s.md", kind->name);
        CHECK_CONTEXT("%s", kind->name);
        CHECK(hol_integrator_find(kind->name, NULL) == kind);
        CHECK_STRING(info.name, kind->name);
        CHECK_STRING(info.page, page);
        CHECK(info.options == kind->options && info.option_count == kind->option_count);
        CHECK(kind->options_size <= 16 * sizeof(double)); /* room that these tests give */
    }
    CHECK_EQUAL_INT(count, hol_integrator_count());
    CHECK(hol_integrator_info(count).name == NULL && hol_integrator_info(-1).name == NULL);
}

static void unknown_names_get_advice(void)
{
    HolMessage message;
    CHECK(hol_integrator_find("trapezoid", &message) == NULL);
    CHECK_STRING(message.text, "integrator 'trapezoid' is unknown (did you mean 'trapezoidal'?)");
    CHECK(hol_integrator_find("a name far from all others", &message) == NULL);
    CHECK_CONTAINS(message.text, "is unknown");
    CHECK_STATUS(hol_pair_supported("lagrange", "rk5", &message), HOL_BAD_INPUT);
    CHECK_CONTAINS(message.text, "'rk4'");
    CHECK_STATUS(hol_pair_supported("lagrunge", "rk4", &message), HOL_BAD_INPUT);
    CHECK_CONTAINS(message.text, "'lagrange'");
}

static void pairs_follow_from_offers_and_needs(void)
{
    const HolStateOps state = {.size = NULL};
    const HolNewmarkOps newmark = {.step = NULL};
    const HolFormulationKind rates_only = {.name = "rates-only", .rates = &hol_plain_rates, .state = &state};
    const HolFormulationKind steps_only = {.name = "steps-only", .newmark = &newmark};
    const HolFormulationKind nothing = {.name = "nothing"};
    HolMessage message;
    for (int i = 0; hol_integrator_kinds[i]; ++i) {
        const HolIntegratorKind *kind = hol_integrator_kinds[i];
        HolStatus by_rates = kind->needs & HOL_RATES ? HOL_OK : HOL_UNSUPPORTED;
        HolStatus by_steps = kind->needs & HOL_NEWMARK ? HOL_OK : HOL_UNSUPPORTED;
        CHECK_STATUS(hol_pair_check(&rates_only, kind, &message), by_rates);
        CHECK_STATUS(hol_pair_check(&steps_only, kind, &message), by_steps);
        CHECK_STATUS(hol_pair_check(&nothing, kind, &message), HOL_UNSUPPORTED);
        CHECK_CONTAINS(message.text, kind->name);
        CHECK_STATUS(hol_pair_supported("lagrange", kind->name, &message),
                     kind->needs & (HOL_RATES | HOL_SPLIT) ? HOL_OK : HOL_UNSUPPORTED);
    }
    CHECK_OK(hol_pair_supported("lagrange", "trapezoidal", NULL));
    CHECK_OK(hol_pair_supported("index3-augmented-lagrangian", "trapezoidal", NULL));
    CHECK_STATUS(hol_pair_supported("index3-augmented-lagrangian", "rk4", NULL), HOL_UNSUPPORTED);
    CHECK_STATUS(hol_pair_supported("lagrange", "newmark", NULL), HOL_UNSUPPORTED);
}

CHECK_MAIN(TEST(every_kind_has_its_order), TEST(newton_has_the_same_order_as_fixed_point),
           TEST(equal_steps_need_fewer_passes), TEST(steps_allocate_nothing),
           TEST(euler_gains_exactly_the_energy_that_theory_says), TEST(symplectic_euler_keeps_the_energy_for_long),
           TEST(embedded_pairs_meet_their_tolerance), TEST(embedded_pairs_pay_a_root_for_accuracy),
           TEST(dense_output_has_its_order), TEST(further_stages_are_evaluated_once), TEST(dense_output_joins_the_ends),
           TEST(pi_control_moves_the_step_sensibly), TEST(a_failing_stage_is_a_rejection),
           TEST(errors_too_small_to_be_squared_are_small), TEST(the_first_step_obeys_max_step),
           TEST(fixed_point_sees_that_it_diverges), TEST(leaving_the_range_of_numbers_is_divergence),
           TEST(fixed_point_may_also_not_settle), TEST(an_iteration_may_continue_without_convergence),
           TEST(newton_solves_what_fixed_point_cannot), TEST(newton_renews_its_matrix_on_the_way),
           TEST(newton_follows_a_change_of_the_step), TEST(trapezoidal_keeps_the_energy_of_a_spring),
           TEST(trapezoidal_passes_on_what_the_system_says), TEST(every_kind_is_found_and_described),
           TEST(unknown_names_get_advice), TEST(pairs_follow_from_offers_and_needs))
