/* SPDX-License-Identifier: BSD-3-Clause */
/* Every formulation with every integrator: the pair runs with the order of the integrator, or both the question
 * beforehand and the attempt say that it is not supported. */
#include "check.h"
#include "runs.h"
#include "systems/scenes.h"

static const char *const scenes[] = {"four-bar", "rheonomic-crank"};
enum { SCENE_COUNT = sizeof scenes / sizeof *scenes };

typedef struct Pair {
    const Scene *scene;
    HolKindInfo formulation;
    const char *integrator;
    double length;
    const Result *limit; /* what the formulation itself converges to: its own solution with tiny steps */
} Pair;

/* A penalty method has a solution of its own, and rounding that is alpha times larger. */
static Result run_limit(const Scene *scene, const char *formulation, double length)
{
    const char *tolerance = formulation_traits(formulation).penalty ? "1e-12" : "1e-13";
    return run_tight(scene, is_supported(formulation, "dopri5") ? formulation : "direct-correction", tolerance, length);
}

static void with_every_integrator(const Scene *scene, HolKindInfo formulation, double length,
                                  void (*check)(const Pair *pair))
{
    Result limit = run_limit(scene, formulation.name, length);
    CHECK_CONTEXT("%s with dopri5 on %s: %s", formulation.name, hol_system_name(scene->system), limit.message.text);
    REQUIRE_OK(limit.status);
    for (int i = 0; i < hol_integrator_count(); i++) {
        Pair pair = {scene, formulation, hol_integrator_info(i).name, length, &limit};
        CHECK_CONTEXT("%s with %s on %s", formulation.name, pair.integrator, hol_system_name(scene->system));
        check(&pair);
    }
}

static void with_every_pair(double length, void (*check)(const Pair *pair))
{
    for (int k = 0; k < SCENE_COUNT; k++) {
        Scene *scene = scene_create(scenes[k], 0);
        REQUIRE(scene != NULL);
        for (int i = 0; i < hol_formulation_count(); i++)
            with_every_integrator(scene, hol_formulation_info(i), length, check);
        scene_destroy(scene);
    }
}

/* Both answers agree, and a refusal names what cannot work together. */
static void check_support(const Pair *pair)
{
    HolMessage asked = {""};
    HolSimulationOptions options = run_options(pair->formulation.name, pair->integrator, 1e-3);
    HolStatus answer = hol_pair_supported(pair->formulation.name, pair->integrator, &asked);
    Result result = run_scene(pair->scene, &options, 5e-3);
    CHECK_STATUS(result.status, answer);
    if (answer == HOL_OK)
        return;
    CHECK_STATUS(answer, HOL_UNSUPPORTED);
    CHECK_CONTAINS(asked.text, pair->formulation.name);
    CHECK_CONTAINS(asked.text, pair->integrator);
    CHECK_STRING(result.message.text, asked.text);
}

static void pairs_run_or_say_that_they_do_not(void)
{
    with_every_pair(0.2, check_support);
}

/* The error against the pair's own limit; a failed run is infinitely wrong and says why. */
static double error_of(const Pair *pair, HolSimulationOptions options)
{
    Result result = run_scene(pair->scene, &options, pair->length);
    if (!CHECK_OK(result.status))
        printf("    %s\n", result.message.text);
    return result_distance(&result, pair->limit);
}

/* Three steps show two orders; below the floor rounding and the inner iterations speak. */
static void check_order(const Pair *pair)
{
    const double steps[] = {0.02, 0.01, 0.005}, floor = 1e-11;
    int order = pair_order(pair->formulation.name, pair->integrator);
    CHECK(order >= 0);
    if (strcmp(pair->formulation.name, "energy-decaying") == 0 && !hol_system_is_scleronomic(pair->scene->system))
        order = 2; /* where rows turn with time: it knows their D in the middle of the step only */
    if (order < 1 || !is_supported(pair->formulation.name, pair->integrator))
        return;
    double before = 0;
    for (int k = 0; k < 3; k++) {
        double error = error_of(pair, run_options(pair->formulation.name, pair->integrator, steps[k]));
        CHECK(error < 0.05);
        if (k > 0 && error > floor)
            CHECK_NEAR(observed_order(before, error, 2), order, 0.25);
        before = error;
    }
}

static void fixed_steps_show_the_order(void)
{
    with_every_pair(0.2, check_order);
}

/* Each run has tens of steps that may err by the tolerance; a hundredth of it must give nearly a hundredth, unless the
 * error is far below it by luck or is the rounding of a penalty, which dop853 multiplies by its weights of up to 43. */
static void check_tolerance(const Pair *pair)
{
    static const struct {
        const char *text;
        double value;
    } tolerances[] = {{"1e-5", 1e-5}, {"1e-7", 1e-7}, {"1e-9", 1e-9}};
    double before = 0, rounding = formulation_traits(pair->formulation.name).penalty ? 1e-8 : 0;
    if (pair_order(pair->formulation.name, pair->integrator) != 0 ||
        !is_supported(pair->formulation.name, pair->integrator))
        return;
    for (int k = 0; k < 3; k++) {
        const HolSetting settings[] = {{"integrator.tolerance", tolerances[k].text},
                                       {"integrator.absolute", tolerances[k].text}};
        HolSimulationOptions options = run_options(pair->formulation.name, pair->integrator, 0.01);
        Settings all = settings_with(pair->formulation.name, settings, 2);
        options.settings = all.list;
        options.setting_count = all.count;
        double error = error_of(pair, options);
        CHECK_NEAR(error, 0, 20 * tolerances[k].value);
        if (k > 0)
            CHECK(error < before / 15 || error < fmax(tolerances[k].value / 5, rounding));
        before = error;
    }
}

static void adaptive_steps_meet_their_tolerance(void)
{
    with_every_pair(1, check_tolerance);
}

/* Gains that grow as the step shrinks give up order, since stages lie O(h^2) beside the constraints, but not
 * convergence. They make the equations stiff for an implicit integrator. symplectic-euler does not stand them: with
 * damping 2/h and stiffness 2/h^2 it multiplies a violation by -1 +- sqrt 2 in every step, which is documented. */
static void check_automatic_gains(const Pair *pair)
{
    const HolSetting settings[] = {{"formulation.gains", "automatic"}, {"integrator.iteration", "newton"}};
    HolSimulationOptions options = run_options(pair->formulation.name, pair->integrator, 0.01);
    if (!has_option(pair->formulation, "gains") || pair_order(pair->formulation.name, pair->integrator) < 1 ||
        !is_supported(pair->formulation.name, pair->integrator) || strcmp(pair->integrator, "symplectic-euler") == 0)
        return;
    options.settings = settings;
    options.setting_count = strcmp(pair->integrator, "trapezoidal") == 0 ? 2 : 1;
    double coarse = error_of(pair, options);
    options.step /= 2;
    double fine = error_of(pair, options);
    CHECK(fine < 0.01);
    CHECK(observed_order(coarse, fine, 2) > 0.8);
}

static void automatic_gains_converge(void)
{
    with_every_pair(0.2, check_automatic_gains);
}

/* Options */

/* Where another value than twice the default is needed, and another setting to make the difference visible. */
typedef struct Probe {
    const char *kind, *option, *value;
    HolSetting also;
} Probe;

static const Probe probes[] = {
    {"augmented-hamiltonian", "tolerance", "1", {"formulation.alpha", "1e4"}},
    {"augmented-hamiltonian", "max_iterations", "2", {"formulation.alpha", "1e4"}},
    {"augmented-lagrangian", "tolerance", "1", {"formulation.alpha", "1e4"}},
    {"augmented-lagrangian", "max_iterations", "2", {"formulation.alpha", "1e4"}},
    {"augmented-lagrangian", "divergence", "continue", {"formulation.alpha", "10"}},
    {"augmented-lagrangian-projected", "omega", "10", {NULL, NULL}},
    {"augmented-lagrangian-projected", "xi", "2", {"formulation.omega", "10"}},
    {"augmented-lagrangian-projected", "tolerance", "1", {"formulation.alpha", "1e4"}},
    {"augmented-lagrangian-projected", "max_iterations", "2", {"formulation.alpha", "1e4"}},
    {"augmented-lagrangian-projected", "divergence", "continue", {"formulation.max_iterations", "2"}},
    {"augmented-lagrangian-projected", "projection_tolerance", "1e-3", {NULL, NULL}},
    {"augmented-lagrangian-projected", "max_projections", "1", {NULL, NULL}},
    {"coordinate-partitioning", "amplification", "100", {NULL, NULL}},
    {"coordinate-partitioning", "tolerance", "1e-3", {NULL, NULL}},
    {"coordinate-partitioning", "max_iterations", "1", {NULL, NULL}},
    {"direct-correction", "tolerance", "1e-3", {NULL, NULL}},
    {"direct-correction", "max_iterations", "1", {NULL, NULL}},
    {"explicit-dae", "energy_tolerance", "1e3", {"formulation.energy", "threshold"}},
    {"explicit-dae", "solver", "dense", {NULL, NULL}},
    {"elimination", "rank_tolerance", "0.5", {NULL, NULL}},
    {"generalized-inverse", "rank_tolerance", "0.5", {NULL, NULL}},
    {"dopri5", "safety", "0.5", {NULL, NULL}},
    {"dopri5", "absolute", "1e-3", {NULL, NULL}},
    {"dopri5", "min_factor", "0.9", {"integrator.tolerance", "1e-12"}},
    {"dopri5", "max_factor", "1", {NULL, NULL}},
    {"dopri5", "max_step", "1e-3", {NULL, NULL}},
    {"dop853", "safety", "0.5", {NULL, NULL}},
    {"dop853", "absolute", "1e-3", {NULL, NULL}},
    {"dop853", "min_factor", "0.9", {"integrator.tolerance", "1e-12"}},
    {"dop853", "max_factor", "1", {NULL, NULL}},
    {"dop853", "max_step", "1e-3", {NULL, NULL}},
    {"generalized-alpha", "rho", "0.5", {NULL, NULL}},
    {"index3-augmented-lagrangian", "alpha", "1e8", {NULL, NULL}},
    {"index3-augmented-lagrangian", "tolerance", "1e-3", {NULL, NULL}},
    {"index3-augmented-lagrangian", "absolute_tolerance", "1e-3", {NULL, NULL}},
    {"index3-augmented-lagrangian", "max_iterations", "1", {NULL, NULL}},
    {"index3-augmented-lagrangian", "divergence", "continue", {"formulation.max_iterations", "1"}},
    {"energy-preserving", "tolerance", "1e-6", {NULL, NULL}},
    {"energy-preserving", "max_iterations", "3", {NULL, NULL}},
    {"energy-decaying", "max_iterations", "3", {NULL, NULL}},
    {"energy-momentum-decaying", "order", "1", {NULL, NULL}},
    {"energy-momentum-decaying", "alpha", "0.5", {NULL, NULL}},
    {"energy-momentum-decaying", "max_iterations", "3", {NULL, NULL}},
    {"ggl", "tolerance", "1e-3", {NULL, NULL}},
    {"ggl", "max_iterations", "1", {NULL, NULL}},
    {"rattle", "tolerance", "1e-6", {NULL, NULL}},
    {"rattle", "max_iterations", "1", {NULL, NULL}},
    {"trapezoidal", "tolerance", "1e-3", {NULL, NULL}},
    {"trapezoidal", "max_iterations", "1", {NULL, NULL}},
    {"trapezoidal", "divergence", "continue", {"integrator.max_iterations", "2"}},
};

/* The probe of the table, or one with twice the default or the other choice. */
static Probe probe_for(const char *kind, const HolOption *option, char *text, size_t size)
{
    for (size_t i = 0; i < sizeof probes / sizeof *probes; i++)
        if (strcmp(probes[i].kind, kind) == 0 && strcmp(probes[i].option, option->name) == 0)
            return probes[i];
    if (option->type == HOL_OPTION_CHOICE)
        snprintf(text, size, "%s", option->choices[option->fallback == 0 ? 1 : 0]);
    else
        snprintf(text, size, "%.17g", 2 * option->fallback);
    return (Probe){kind, option->name, text, {NULL, NULL}};
}

static Result run_with(const Scene *scene, HolSimulationOptions options, HolSetting one, HolSetting two)
{
    const HolSetting settings[] = {one.name ? one : two, two};
    options.settings = settings;
    options.setting_count = (one.name != NULL) + (two.name != NULL);
    return run_scene(scene, &options, 1);
}

static bool same_numbers(int n, const double *a, const double *b)
{
    return memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

static bool differs(const Result *a, const Result *b)
{
    const HolSummary *s = &a->summary, *t = &b->summary;
    return a->status != b->status || a->nq != b->nq || !same_numbers(a->nq, a->q, b->q) ||
           !same_numbers(a->nv, a->v, b->v) || s->steps != t->steps || s->rejections != t->rejections ||
           s->evaluations != t->evaluations || s->iterations != t->iterations ||
           s->position_iterations != t->position_iterations || s->repartitions != t->repartitions;
}

static void check_options(const Scene *scene, HolKindInfo kind, const char *prefix, HolSimulationOptions options)
{
    for (int i = 0; i < kind.option_count; i++) {
        char name[128], text[64];
        Probe probe = probe_for(kind.name, &kind.options[i], text, sizeof text);
        snprintf(name, sizeof name, "%s%s", prefix, probe.option);
        CHECK_CONTEXT("%s of %s: %s", probe.option, kind.name, probe.value);
        const HolSetting none = {NULL, NULL}, changed = {name, probe.value};
        Result before = run_with(scene, options, probe.also, none),
               after = run_with(scene, options, probe.also, changed);
        CHECK(before.status == HOL_OK || after.status == HOL_OK);
        CHECK(differs(&after, &before));
    }
}

static void every_option_has_an_effect(void)
{
    Scene *scene = scene_create("four-bar", 0), *elastic = scene_create("elastic-pendulum", 0);
    REQUIRE(scene != NULL && elastic != NULL);
    for (int i = 0; i < hol_formulation_count(); i++) {
        HolKindInfo kind = hol_formulation_info(i);
        check_options(formulation_traits(kind.name).elastic ? elastic : scene, kind, "formulation.",
                      fitting_options(kind.name, "euler", 0.005));
    }
    scene_destroy(elastic);
    for (int i = 0; i < hol_integrator_count(); i++) {
        HolKindInfo kind = hol_integrator_info(i);
        check_options(scene, kind, "integrator.", run_options(formulation_for(kind.name), kind.name, 0.02));
    }
    scene_destroy(scene);
}

/* Ten times the weight on one row is ten times the penalty there: a tenth of the yielding. */
static double first_row_yields(const Scene *scene, const char *formulation, const double *weights)
{
    HolSimulationOptions options = run_options(formulation, "rk4", 1e-3);
    HolSimulation *simulation = NULL;
    HolTerms *terms = NULL;
    double yielding = 0;
    options.row_weights = weights;
    if (CHECK_OK(hol_simulation_create(scene->system, &scene->start, &options, &simulation, NULL)) &&
        CHECK_OK(hol_terms_create(scene->system, &terms))) {
        const HolState *state = hol_simulation_state(simulation);
        HolPoint at = {state->t, state->q, state->v};
        CHECK_OK(hol_system_evaluate(scene->system, &at, HOL_WANT_ALL, terms));
        for (int c = 0; c < 3; c++) /* the first row of the four-bar touches the first body only */
            yielding += terms->D[c] * state->vdot[c];
        yielding -= terms->gamma[0];
    }
    hol_terms_destroy(terms);
    hol_simulation_destroy(simulation);
    return yielding;
}

static void row_weights_scale_the_penalty(void)
{
    static const double equal[8] = {1, 1, 1, 1, 1, 1, 1, 1}, stiff[8] = {10, 1, 1, 1, 1, 1, 1, 1};
    Scene *scene = scene_create("four-bar", 0);
    REQUIRE(scene != NULL);
    for (int i = 0; i < hol_formulation_count(); i++) {
        const char *name = hol_formulation_info(i).name;
        CHECK_CONTEXT("%s", name);
        if (!formulation_traits(name).penalty)
            continue;
        double yielding = first_row_yields(scene, name, NULL);
        CHECK(fabs(yielding) > 1e-8);
        CHECK_NEAR(first_row_yields(scene, name, equal), yielding, 0);
        CHECK_NEAR(first_row_yields(scene, name, stiff), yielding / 10, fabs(yielding) / 1000);
    }
    scene_destroy(scene);
}

CHECK_MAIN(TEST(pairs_run_or_say_that_they_do_not), TEST(fixed_steps_show_the_order),
           TEST(adaptive_steps_meet_their_tolerance), TEST(automatic_gains_converge), TEST(every_option_has_an_effect),
           TEST(row_weights_scale_the_penalty))
