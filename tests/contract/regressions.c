/* SPDX-License-Identifier: BSD-3-Clause */
/* What once went wrong, or nearly so: gains in a last step cut short, statuses nobody knows, sentences that lost their
 * cause, correct systems that the check refused, sizes at which the dense methods give up and the sparse ones must not. */
#include <holon/holon.h>

#include "check.h"
#include "dense.h"
#include "faulty.h"
#include "random.h"
#include "runs.h"

#include <stdlib.h>
#include <time.h>

static bool is_sentence(const char *text)
{
    return strlen(text) >= 15 && strchr(text, ' ') != NULL;
}

static HolSystem *system_of(const HolSystemSpec *spec)
{
    HolSystem *system = NULL;
    HolMessage message = {""};
    if (!CHECK_OK(hol_system_create(spec, &system, &message)))
        printf("    %s\n", message.text);
    return system;
}

/* Automatic gains */

static const char *const stabilized[] = {"baumgarte", "penalty", "augmented-lagrangian",
                                         "augmented-lagrangian-projected"};
static const HolSetting automatic = {"formulation.gains", "automatic"};
enum { STABILIZED = sizeof stabilized / sizeof *stabilized };

static HolSimulation *automatic_simulation(const HolSystem *system, const HolInitialState *start,
                                           const char *formulation, const char *integrator, bool keep)
{
    HolSimulationOptions options = run_options(formulation, integrator, 1e-3);
    HolSimulation *simulation = NULL;
    options.settings = &automatic;
    options.setting_count = 1;
    options.keep_start = keep;
    CHECK_OK(hol_simulation_create(system, start, &options, &simulation, NULL));
    return simulation;
}

typedef struct End {
    double q[2], lambda, drift, position;
} End;

static End run_automatically(const Scene *scene, const char *formulation, double until)
{
    End end = {.lambda = NAN};
    HolSimulation *simulation = automatic_simulation(scene->system, &scene->start, formulation, "rk4", false);
    if (simulation && CHECK_OK(hol_simulation_run(simulation, &(HolRun){.until = until}))) {
        const HolState *state = hol_simulation_state(simulation);
        HolMeasures measures = hol_simulation_measures(simulation);
        double lambda = state->lambda[0];
        end = (End){{state->q[0], state->q[1]}, lambda, measures.drift, measures.position};
        CHECK_OK(hol_simulation_accelerate(simulation));
        CHECK_NEAR(state->lambda[0], lambda, 1e-9 * fabs(lambda));
    }
    hol_simulation_destroy(simulation);
    return end;
}

static void a_last_step_cut_short_is_as_good_as_any(void)
{
    static const double rests[] = {1e-5, 1e-8};
    Scene *scene = scene_create("pendulum", 0);
    REQUIRE(scene != NULL);
    for (int i = 0; i < STABILIZED * 2; i++) {
        double rest = rests[i % 2];
        CHECK_CONTEXT("%s, %g", stabilized[i / 2], rest);
        End full = run_automatically(scene, stabilized[i / 2], 0.5);
        End cut = run_automatically(scene, stabilized[i / 2], 0.5 + rest);
        CHECK_NEAR(cut.q[0], full.q[0], 10 * rest);
        CHECK_NEAR(cut.q[1], full.q[1], 10 * rest);
        CHECK_NEAR(cut.lambda, full.lambda, 1e3 * rest);
        CHECK_NEAR(cut.drift, full.drift, fabs(full.drift) + 1e-9);
        CHECK(cut.position <= 2 * full.position + 1e-13);
    }
    scene_destroy(scene);
}

typedef struct Again {
    const HolSystem *system;
    const char *formulation, *integrator;
    int count;
} Again;

/* A simulation that starts at the recorded state finds the recorded lambda. */
static HolStatus start_again(void *user, const HolState *state, const HolMeasures *measures)
{
    Again *again = user;
    HolInitialState start = {state->t, state->q, state->v};
    (void)measures;
    HolSimulation *simulation =
        automatic_simulation(again->system, &start, again->formulation, again->integrator, true);
    if (simulation)
        CHECK_NEAR(hol_simulation_state(simulation)->lambda[0], state->lambda[0], 1e-6 * (1 + fabs(state->lambda[0])));
    hol_simulation_destroy(simulation);
    again->count++;
    return HOL_OK;
}

static void records_between_steps_have_the_gains_of_the_steps(void)
{
    Scene *scene = scene_create("pendulum", 0);
    REQUIRE(scene != NULL);
    for (int i = 0; i < STABILIZED * 2; i++) {
        Again again = {scene->system, stabilized[i / 2], i % 2 ? "dopri5" : "rk4", 0};
        HolSimulation *simulation =
            automatic_simulation(scene->system, &scene->start, again.formulation, again.integrator, false);
        CHECK_CONTEXT("%s with %s", again.formulation, again.integrator);
        CHECK_OK(hol_simulation_run(simulation,
                                    &(HolRun){.until = 0.05, .every = 0.37e-3, .record = start_again, .user = &again}));
        CHECK_EQUAL_INT(again.count, 137); /* the end included */
        hol_simulation_destroy(simulation);
    }
    scene_destroy(scene);
}

/* x'' = -2/h x' - 2/h^2 x is what a violation obeys; RK4 makes of it z -> P(h A) z in units of h. */
static void held(double *x, double *u)
{
    double dx = 0, du = 0, kx = 0, ku = 0;
    static const double weights[4] = {1, 2, 2, 1}, places[4] = {0, 0.5, 0.5, 1};
    for (int i = 0; i < 4; i++) {
        double xi = *x + places[i] * kx, ui = *u + places[i] * ku;
        kx = ui;
        ku = -2 * ui - 2 * xi;
        dx += weights[i] / 6 * kx;
        du += weights[i] / 6 * ku;
    }
    *x += dx;
    *u += du;
}

static HolStatus evaluate_held(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    (void)self, (void)want;
    terms->M[0] = 1;
    terms->D[0] = 1;
    terms->Phi[0] = at->q[0];
    terms->kinetic = at->v[0] * at->v[0] / 2;
    return HOL_OK;
}

static void automatic_gains_are_what_they_say(void)
{
    static const HolSystemOps ops = {.evaluate = evaluate_held};
    const double q[1] = {0.1}, v[1] = {0};
    HolSystemSpec spec = hol_system_spec();
    spec.ops = &ops;
    spec.nq = spec.nv = spec.nh = 1;
    spec.constant_mass = spec.scleronomic = true;
    HolSystem *system = system_of(&spec);
    for (int i = 0; i < 3; i++) {
        HolSimulation *simulation =
            automatic_simulation(system, &(HolInitialState){0, q, v}, stabilized[i], "rk4", true);
        double x = 0.1, u = 0;
        CHECK_CONTEXT("%s", stabilized[i]);
        for (int k = 0; simulation && k < 3; k++) {
            held(&x, &u);
            CHECK_OK(hol_simulation_step(simulation, NULL));
            CHECK_NEAR(hol_simulation_state(simulation)->q[0], x, 1e-7);
            CHECK_NEAR(hol_simulation_state(simulation)->v[0] * 1e-3, u, 1e-7);
        }
        hol_simulation_destroy(simulation);
    }
    hol_system_destroy(system);
}

/* The check of a system */

typedef enum Kind { DRIVEN, KNIFE, WHEEL, CHANGING } Kind;

/* A driven coordinate q = sin w t; a knife edge turning with any spin, its row scaled; a bead on a circle; a mass
 * 2 + cos q. */
typedef struct Sample {
    Kind kind;
    double w, scale;
} Sample;

static void evaluate_driven(const Sample *s, const HolPoint *at, HolTerms *terms)
{
    terms->M[0] = 1;
    terms->D[0] = 1;
    terms->Phi[0] = at->q[0] - sin(s->w * at->t);
    terms->nu[0] = s->w * cos(s->w * at->t);
    terms->gamma[0] = -s->w * s->w * sin(s->w * at->t);
    terms->kinetic = at->v[0] * at->v[0] / 2;
}

static void evaluate_knife(const Sample *s, const HolPoint *at, HolTerms *terms)
{
    const double *v = at->v, c = cos(at->q[2]), d = sin(at->q[2]);
    for (int i = 0; i < 3; i++)
        terms->M[4 * i] = 1;
    terms->D[0] = s->scale * d;
    terms->D[1] = -s->scale * c;
    terms->gamma[0] = -s->scale * (v[0] * c + v[1] * d) * v[2];
    terms->kinetic = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 2;
}

static void evaluate_wheel(const Sample *s, const HolPoint *at, HolTerms *terms)
{
    const double *q = at->q, *v = at->v;
    terms->M[0] = terms->M[3] = 1;
    terms->Phi[0] = s->scale * (q[0] * q[0] + q[1] * q[1] - 1) / 2;
    terms->D[0] = s->scale * q[0];
    terms->D[1] = s->scale * q[1];
    terms->gamma[0] = -s->scale * (v[0] * v[0] + v[1] * v[1]);
    terms->kinetic = (v[0] * v[0] + v[1] * v[1]) / 2;
}

static void evaluate_changing(const HolPoint *at, HolTerms *terms)
{
    double q = at->q[0], v = at->v[0];
    terms->M[0] = 2 + cos(q);
    terms->Q[0] = sin(q) * v * v / 2;
    terms->kinetic = (2 + cos(q)) * v * v / 2;
}

static HolStatus evaluate_sample(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const Sample *s = self;
    (void)want;
    switch (s->kind) {
    case DRIVEN: evaluate_driven(s, at, terms); break;
    case KNIFE: evaluate_knife(s, at, terms); break;
    case WHEEL: evaluate_wheel(s, at, terms); break;
    case CHANGING: evaluate_changing(at, terms); break;
    }
    return HOL_OK;
}

static HolSystem *sample_system(const Sample *sample, bool constant_mass, bool constant_force)
{
    static const HolSystemOps ops = {.evaluate = evaluate_sample};
    static const int sizes[] = {[DRIVEN] = 1, [KNIFE] = 3, [WHEEL] = 2, [CHANGING] = 1};
    HolSystemSpec spec = hol_system_spec();
    spec.name = "sample";
    spec.ops = &ops;
    spec.self = sample;
    spec.nq = spec.nv = sizes[sample->kind];
    spec.nh = sample->kind == DRIVEN || sample->kind == WHEEL;
    spec.nn = sample->kind == KNIFE;
    spec.constant_mass = constant_mass;
    spec.constant_force = constant_force;
    return system_of(&spec);
}

/* w is also the spin. */
static HolStatus check_sample(const Sample *sample, bool constant_mass, bool constant_force, HolMessage *message)
{
    HolSystem *system = sample_system(sample, constant_mass, constant_force);
    const double q[3] = {0.6, -0.8, 0.7},
                 v[3] = {sample->kind == WHEEL ? 0.8 * sample->w : 1, 0.6 * sample->w, sample->w};
    HolStatus status = hol_system_check(system, &(HolPoint){0.1, q, v}, message);
    hol_system_destroy(system);
    return status;
}

static void correct_systems_pass_the_check(void)
{
    static const Sample samples[] = {
        {DRIVEN, 1, 1}, {DRIVEN, 100, 1}, {WHEEL, 1, 1},   {WHEEL, 100, 1},  {WHEEL, 1, 1e8}, {WHEEL, 1, 1e-8},
        {KNIFE, 1, 1},  {KNIFE, 100, 1},  {KNIFE, 3, 1e3}, {KNIFE, 3, 1e-8}, {KNIFE, 3, 1e6}, {KNIFE, 3, 1e8},
    };
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        HolMessage message = {""};
        CHECK_CONTEXT("sample %d, rate %g, scale %g", samples[i].kind, samples[i].w, samples[i].scale);
        if (!CHECK_OK(check_sample(&samples[i], samples[i].kind != CHANGING, samples[i].kind != CHANGING, &message)))
            printf("    %s\n", message.text);
    }
}

static void a_mass_or_force_that_is_not_constant_is_named(void)
{
    static const Sample changing = {CHANGING, 1, 1};
    HolMessage message = {""};
    CHECK_OK(check_sample(&changing, false, false, &message));
    CHECK_STATUS(check_sample(&changing, true, false, &message), HOL_BAD_INPUT);
    CHECK_CONTAINS(message.text, "the mass changes");
    CHECK_CONTAINS(message.text, "constant_mass");
    CHECK_STATUS(check_sample(&changing, false, true, &message), HOL_BAD_INPUT);
    CHECK_CONTAINS(message.text, "the force changes");
    CHECK_CONTAINS(message.text, "constant_force");
}

/* Statuses and sentences */

static const HolStatus UNHEARD_OF = (HolStatus)42;

static void check_unknown_status(const Scene *scene, Faulty *faulty, const char *formulation, const char *integrator)
{
    HolSimulationOptions options = run_options(formulation, integrator, 1e-2);
    HolSimulation *simulation = NULL;
    const Fault later = {.status = UNHEARD_OF, .after = scene->start.t};
    CHECK_CONTEXT("%s with %s", formulation, integrator);
    REQUIRE_OK(hol_simulation_create(scene->system, &scene->start, &options, &simulation, NULL));
    faulty_set(faulty, &later);
    CHECK(hol_simulation_step(simulation, NULL) == UNHEARD_OF);
    CHECK_CONTAINS(hol_simulation_message(simulation), "unknown status");
    CHECK(hol_simulation_run(simulation, &(HolRun){.until = 1}) == UNHEARD_OF);
    CHECK_CONTAINS(hol_simulation_message(simulation), "unknown status");
    faulty_set(faulty, NULL);
    CHECK_OK(hol_simulation_step(simulation, NULL));
    hol_simulation_destroy(simulation);
}

static void check_unknown_start(const Scene *scene, Faulty *faulty)
{
    const Fault fault = {.status = UNHEARD_OF, .after = -1};
    HolSimulationOptions options = hol_simulation_options();
    HolSimulation *simulation = NULL;
    HolMessage message = {""};
    faulty_set(faulty, &fault);
    for (int i = 0; i < 2; i++) {
        options.keep_start = i == 1;
        CHECK(hol_simulation_create(scene->system, &scene->start, &options, &simulation, &message) == UNHEARD_OF);
        CHECK_CONTAINS(message.text, "unknown status");
    }
    CHECK(hol_system_check(scene->system, &(HolPoint){0, scene->start.q, scene->start.v}, &message) == UNHEARD_OF);
    CHECK_CONTAINS(message.text, "unknown status");
    faulty_set(faulty, NULL);
}

static void a_status_nobody_knows_is_passed_on(void)
{
    Scene *scene = scene_create("four-bar", 0);
    Faulty *faulty = scene ? faulty_create(scene) : NULL;
    REQUIRE(faulty != NULL);
    for (int k = 0; k < hol_formulation_count() * hol_integrator_count(); k++) {
        const char *formulation = hol_formulation_info(k / hol_integrator_count()).name;
        const char *integrator = hol_integrator_info(k % hol_integrator_count()).name;
        if (is_supported(formulation, integrator) && is_served(formulation, faulty_scene(faulty)->system))
            check_unknown_status(faulty_scene(faulty), faulty, formulation, integrator);
    }
    CHECK_CONTEXT("start");
    check_unknown_start(faulty_scene(faulty), faulty);
    faulty_destroy(faulty);
    scene_destroy(scene);
}

static HolStatus stop_at_second(void *user, const HolState *state, const HolMeasures *measures)
{
    (void)state, (void)measures;
    return ++*(int *)user == 2 ? HOL_STOPPED : HOL_OK;
}

/* The first step is rejected many times, the last times for other reasons than the stop. */
static void a_stop_is_not_blamed_on_what_was_overcome(void)
{
    Scene *scene = scene_create("pendulum", 0);
    Faulty *faulty = scene ? faulty_create(scene) : NULL;
    REQUIRE(faulty != NULL);
    HolSimulationOptions options = run_options("direct-correction", "dopri5", 10);
    HolSimulation *simulation = NULL;
    const Fault later = {.status = HOL_NOT_FINITE, .after = 0.5};
    int records = 0;
    REQUIRE_OK(hol_simulation_create(faulty_scene(faulty)->system, &scene->start, &options, &simulation, NULL));
    faulty_set(faulty, &later);
    CHECK_STATUS(
        hol_simulation_run(simulation, &(HolRun){.until = 100, .every = 0, .record = stop_at_second, .user = &records}),
        HOL_STOPPED);
    CHECK(hol_simulation_summary(simulation).rejections > 0);
    CHECK_CONTAINS(hol_simulation_message(simulation), "record");
    CHECK(strstr(hol_simulation_message(simulation), "finite") == NULL);
    hol_simulation_destroy(simulation);
    faulty_destroy(faulty);
    scene_destroy(scene);
}

static void absurd_intervals_are_refused(void)
{
    static const double intervals[] = {1e-20, 1e-300, 4.9e-324};
    Scene *scene = scene_create("pendulum", 0);
    HolSimulationOptions options = hol_simulation_options();
    HolSimulation *simulation = NULL;
    REQUIRE(scene != NULL);
    REQUIRE_OK(hol_simulation_create(scene->system, &scene->start, &options, &simulation, NULL));
    for (int i = 0; i < 3; i++) {
        int records = 0;
        CHECK_STATUS(
            hol_simulation_run(
                simulation, &(HolRun){.until = 1, .every = intervals[i], .record = stop_at_second, .user = &records}),
            HOL_BAD_INPUT);
        CHECK_CONTAINS(hol_simulation_message(simulation), "every");
        CHECK_EQUAL_INT(records, 0);
    }
    hol_simulation_destroy(simulation);
    scene_destroy(scene);
}

static void assembly_needs_a_time(void)
{
    static const double times[] = {NAN, INFINITY, -INFINITY};
    Scene *scene = scene_create("pendulum", 0);
    REQUIRE(scene != NULL);
    for (int i = 0; i < 3; i++) {
        double q[2] = {1, 2}, v[2] = {3, 4};
        HolMessage message = {""};
        CHECK_STATUS(hol_assemble(scene->system, times[i], q, v, &message), HOL_BAD_INPUT);
        CHECK_CONTAINS(message.text, "finite");
        CHECK(q[0] == 1 && q[1] == 2 && v[0] == 3 && v[1] == 4);
    }
    scene_destroy(scene);
}

static void settings_are_counted_from_zero(void)
{
    Scene *scene = scene_create("pendulum", 0);
    REQUIRE(scene != NULL);
    for (int i = 0; i < 2; i++) {
        HolSimulationOptions options = run_options("baumgarte", "rk4", 1e-3);
        HolSimulation *simulation = NULL;
        HolMessage message = {""};
        options.settings = i ? &automatic : NULL;
        options.setting_count = -1;
        CHECK_STATUS(hol_simulation_create(scene->system, &scene->start, &options, &simulation, &message),
                     HOL_BAD_INPUT);
        CHECK_CONTAINS(message.text, "setting_count");
        CHECK(simulation == NULL);
    }
    scene_destroy(scene);
}

/* They act or they are refused. */
static void row_weights_are_not_ignored(void)
{
    static const double ones[1] = {1}, light[1] = {1e-3};
    Scene *scene = scene_create("pendulum", 0);
    REQUIRE(scene != NULL);
    for (int i = 0; i < hol_formulation_count(); i++) {
        HolSimulationOptions options = fitting_options(hol_formulation_info(i).name, "rk4", 1e-3);
        bool weighs = has_option(hol_formulation_info(i), "alpha") && !formulation_traits(options.formulation).flat;
        options.settings = &(HolSetting){"formulation.alpha", "1e10"};
        options.setting_count = weighs;
        CHECK_CONTEXT("%s", options.formulation);
        options.row_weights = ones;
        Result a = run_scene(scene, &options, 0.2);
        options.row_weights = light;
        Result b = run_scene(scene, &options, 0.2);
        CHECK_STATUS(a.status, weighs ? HOL_OK : HOL_UNSUPPORTED);
        CHECK_STATUS(b.status, weighs ? HOL_OK : HOL_UNSUPPORTED);
        if (weighs)
            CHECK(a.q[0] != b.q[0] || a.v[0] != b.v[0] || a.summary.iterations != b.summary.iterations);
        else
            CHECK_CONTAINS(b.message.text, "row_weights");
    }
    scene_destroy(scene);
}

/* Contradicting rows x = 0, x = 1, or a point where nothing can be evaluated. */
static HolStatus evaluate_impossible(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    const HolStatus *status = self;
    (void)want;
    if (*status != HOL_OK)
        return *status;
    terms->M[0] = 1;
    terms->D[0] = terms->D[1] = 1;
    terms->Phi[0] = at->q[0];
    terms->Phi[1] = at->q[0] - 1;
    terms->gamma[1] = 1; /* wrong */
    return HOL_OK;
}

static void check_long_names(HolStatus status, const char *cause)
{
    static const HolSystemOps ops = {.evaluate = evaluate_impossible};
    static const int sizes[1] = {2};
    static char name[3000];
    memset(name, 'x', sizeof name - 1);
    const char *const names[1] = {name};
    const double zero[1] = {0};
    HolSystemSpec spec = hol_system_spec();
    HolSimulationOptions options = hol_simulation_options();
    HolSimulation *simulation = NULL;
    HolMessage message = {""};
    spec.name = name;
    spec.ops = &ops;
    spec.self = &status;
    spec.nq = spec.nv = 1;
    spec.nh = 2;
    spec.group_count = 1;
    spec.group_sizes = sizes;
    spec.group_names = names;
    HolSystem *system = system_of(&spec);
    for (int i = 0; i < 2; i++) {
        options.keep_start = i == 1 && status != HOL_OK;
        CHECK(hol_simulation_create(system, &(HolInitialState){0, zero, zero}, &options, &simulation, &message) !=
              HOL_OK);
        CHECK_CONTAINS(message.text, cause);
    }
    CHECK(hol_system_check(system, &(HolPoint){0, zero, zero}, &message) != HOL_OK);
    CHECK_CONTAINS(message.text, status == HOL_OK ? "finite differences" : cause);
    hol_system_destroy(system);
}

static void long_names_leave_room_for_the_cause(void)
{
    CHECK_CONTEXT("contradiction");
    check_long_names(HOL_OK, "remains violated by");
    CHECK_CONTEXT("no numbers");
    check_long_names(HOL_NOT_FINITE, "a number is not finite: check the model");
}

/* A step that fails for good, after some attempts or at once, leaves nothing behind: the next one is the one that a
 * simulation without failure makes. */
static void fail_once(HolSimulation *simulation, Faulty *faulty, int calls, HolStatus status)
{
    const Fault fault = {.status = status, .after = -1, .calls = calls};
    faulty_set(faulty, &fault);
    CHECK_STATUS(hol_simulation_step(simulation, NULL), status == HOL_NOT_FINITE ? HOL_NO_CONVERGENCE : status);
    faulty_set(faulty, NULL);
}

static void check_next_step(const Scene *scene, HolSimulation *failed, HolSimulation *plain)
{
    const HolPattern *p = hol_system_pattern(scene->system);
    const HolState *a = hol_simulation_state(failed), *b = hol_simulation_state(plain);
    HolStepReport report_a = {.h = 0}, report_b = {.h = 0};
    CHECK_OK(hol_simulation_step(failed, &report_a));
    CHECK_OK(hol_simulation_step(plain, &report_b));
    CHECK(a->t == b->t && report_a.h == report_b.h && report_a.error == report_b.error);
    CHECK_EQUAL_INT(report_a.rejections, report_b.rejections);
    CHECK(memcmp(a->q, b->q, (size_t)p->nq * sizeof *a->q) == 0);
    CHECK(memcmp(a->v, b->v, (size_t)p->nv * sizeof *a->v) == 0);
    CHECK(memcmp(a->lambda, b->lambda, (size_t)p->m * sizeof *a->lambda) == 0);
}

static void check_forgotten(const Scene *scene, Faulty *faulty, const char *formulation)
{
    HolSimulationOptions options = run_options(formulation, "dopri5", 1e-3);
    HolSimulation *failed = NULL, *plain = NULL;
    CHECK_OK(hol_simulation_create(scene->system, &scene->start, &options, &failed, NULL));
    CHECK_OK(hol_simulation_create(scene->system, &scene->start, &options, &plain, NULL));
    for (int i = 0; failed && plain && i < 12; i++) {
        CHECK_CONTEXT("%s, step %d", formulation, i);
        if (i % 3 == 1)
            fail_once(failed, faulty, i % 2 ? 0 : 5, HOL_NOT_FINITE);
        if (i % 3 == 2)
            fail_once(failed, faulty, i / 2, HOL_BAD_INPUT);
        check_next_step(scene, failed, plain);
    }
    hol_simulation_destroy(failed);
    hol_simulation_destroy(plain);
}

static void failed_adaptive_steps_are_forgotten(void)
{
    static const char *const names[] = {"pendulum", "four-bar"};
    for (int k = 0; k < 2; k++) {
        Scene *scene = scene_create(names[k], 0);
        Faulty *faulty = scene ? faulty_create(scene) : NULL;
        REQUIRE(faulty != NULL);
        for (int i = 0; i < hol_formulation_count(); i++)
            if (is_supported(hol_formulation_info(i).name, "dopri5"))
                check_forgotten(faulty_scene(faulty), faulty, hol_formulation_info(i).name);
        faulty_destroy(faulty);
        scene_destroy(scene);
    }
}

/* Large systems */

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static void dense_methods_refuse_long_chains_at_once(void)
{
    static const char *const dense[] = {"null-space", "coordinate-partitioning", "generalized-inverse"};
    Scene *scene = scene_create("planar-chain", 10000);
    REQUIRE(scene != NULL);
    for (int i = 0; i < 3; i++) {
        HolSimulationOptions options = run_options(dense[i], "rk4", 1e-3);
        HolSimulation *simulation = NULL;
        HolMessage message = {""};
        double begin = seconds();
        CHECK_CONTEXT("%s", dense[i]);
        CHECK_STATUS(hol_simulation_create(scene->system, &scene->start, &options, &simulation, &message),
                     HOL_UNSUPPORTED);
        CHECK(seconds() - begin < 10);
        CHECK(is_sentence(message.text));
        CHECK_CONTAINS(message.text, dense[i]);
        CHECK(simulation == NULL);
    }
    scene_destroy(scene);
}

/* None of its rows is redundant, close as some come to it. */
static void a_long_spatial_chain_can_be_pushed(void)
{
    Scene *scene = scene_create("spatial-chain", 10000);
    REQUIRE(scene != NULL);
    const HolPattern *p = hol_system_pattern(scene->system);
    double *q = malloc((size_t)p->nq * sizeof *q), *v = malloc((size_t)p->nv * sizeof *v);
    HolSimulationOptions options = hol_simulation_options();
    HolSimulation *simulation = NULL;
    HolMessage message = {""};
    REQUIRE(q != NULL && v != NULL);
    memcpy(q, scene->start.q, (size_t)p->nq * sizeof *q);
    random_seed(1);
    for (int i = 0; i < p->nv; i++)
        v[i] = scene->start.v[i] + random_number();
    HolStatus status =
        hol_simulation_create(scene->system, &(HolInitialState){scene->start.t, q, v}, &options, &simulation, &message);
    if (!CHECK_OK(status))
        printf("    %s\n", message.text);
    if (simulation) {
        CHECK_EQUAL_INT(hol_simulation_summary(simulation).redundant_rows, 0);
        CHECK_OK(hol_simulation_step(simulation, NULL));
        CHECK_NEAR(hol_simulation_measures(simulation).position, 0, 1e-12);
    }
    hol_simulation_destroy(simulation);
    free(q);
    free(v);
    scene_destroy(scene);
}

CHECK_MAIN(TEST(a_last_step_cut_short_is_as_good_as_any), TEST(records_between_steps_have_the_gains_of_the_steps),
           TEST(automatic_gains_are_what_they_say), TEST(correct_systems_pass_the_check),
           TEST(a_mass_or_force_that_is_not_constant_is_named), TEST(a_status_nobody_knows_is_passed_on),
           TEST(a_stop_is_not_blamed_on_what_was_overcome), TEST(absurd_intervals_are_refused),
           TEST(assembly_needs_a_time), TEST(settings_are_counted_from_zero), TEST(row_weights_are_not_ignored),
           TEST(long_names_leave_room_for_the_cause), TEST(failed_adaptive_steps_are_forgotten),
           TEST(dense_methods_refuse_long_chains_at_once), TEST(a_long_spatial_chain_can_be_pushed))
