/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps end at the jumps of functions of time: a pulse on a mass gives it its impulse with every pair of methods and
 * at every step, however short it is. */
#include <holon/recording.h>

#include "allocations.h"
#include "runs.h"
#include "simulated.h"
#include "system_of.h"

static const char *const kinds[] = {"reference-point", "natural"};

/* A mass of 1 kg on a slide along x with this force law. */
static bool open_slide(Simulated *run, const char *force, const char *coordinates)
{
    static const char *const text = "plane: xy\n"
                                    "bodies: {m: {rigid: [0, 0], mass: 1, inertia: 1}}\n"
                                    "joints: {slide: {prismatic: [ground, m], at: [0, 0], axis: x}}\n"
                                    "forces: {f: {force: m, at: [0, 0], vector: ['%s', 0]}}\n"
                                    "run: {coordinates: %s}\n";
    char model_text[600];
    snprintf(model_text, sizeof model_text, text, force, coordinates);
    HolModel *model = hol_model_create();
    return CHECK_OK(hol_model_parse(model, model_text, "test")) && simulated_assemble(run, model);
}

typedef struct Motion {
    double x, v, work, drift;
    long steps;
} Motion;

/* The mass at the time `until`. */
static Motion move(Simulated *run, const HolSimulationOptions *options, double until)
{
    Motion motion = {NAN, NAN, NAN, NAN, 0};
    HolInitialState start = hol_mechanism_initial_state(run->mechanism);
    if (!simulated_start(run, &start, options))
        return motion;
    HolRun request = {.until = until};
    if (!CHECK_OK(hol_simulation_run(run->simulation, &request)))
        printf("    %s\n", hol_simulation_message(run->simulation));
    const HolState *state = hol_simulation_state(run->simulation);
    HolMeasures measures = hol_simulation_measures(run->simulation);
    motion = (Motion){state->q[0], state->v[0], measures.work, measures.drift,
                      hol_simulation_summary(run->simulation).steps};
    hol_simulation_destroy(run->simulation);
    run->simulation = NULL;
    return motion;
}

typedef struct Pulse {
    const char *force;
    double impulse, end; /* when it ends */
} Pulse;

static const Pulse pulses[] = {
    {"if(t > 0.3 and t < 0.302, 500, 0)", 1, 0.302},
    {"1e6*(step(t - 0.1) - step(t - 0.100001))", 1, 0.100001},
    {"piecewise(t <= 0.05, 0, t <= 0.06, 50, t <= 0.0625, 200, 0)", 1, 0.0625},
    {"if(abs(t - 0.2) < 0.5e-6, 1e6, 0)", 1, 0.2000005},
    {"if(t > 0, if(t < 0.1, 10, 0), 0)", 1, 0.1},
    {"if(sin(20*t) > 0.5 and t < 0.2, 30/3.14159265358979323846, 0)", 1, 0.2},
};

static bool is_of_order_two(const char *formulation, const char *integrator)
{
    int order = pair_order(formulation, integrator);
    return order == 0 || order >= 2;
}

static void check_pulse(Simulated *run, const Pulse *pulse, const char *formulation, const char *integrator)
{
    static const double steps[] = {1e-3, 7e-3, 5e-2};
    for (int i = 0; i < 3; ++i) {
        HolSimulationOptions options = run_options(formulation, integrator, steps[i]);
        CHECK_CONTEXT("%s, %s with %s, step %g", pulse->force, formulation, integrator, steps[i]);
        Motion m = move(run, &options, 0.45);
        CHECK_NEAR(m.v, pulse->impulse, 1e-9);
        if (is_of_order_two(formulation, integrator)) {
            CHECK_NEAR(m.work, 0.5, 1e-9);
            CHECK_NEAR(m.drift, 0, 1e-9);
        }
    }
}

static void pulses_give_their_impulse(void)
{
    for (int c = 0; c < 2; ++c)
        for (size_t p = 0; p < sizeof pulses / sizeof pulses[0]; ++p) {
            Simulated run;
            REQUIRE(open_slide(&run, pulses[p].force, kinds[c]));
            const HolSystem *system = hol_mechanism_system(run.mechanism);
            for (int k = 0; k < hol_formulation_count() * hol_integrator_count(); ++k) {
                const char *formulation = hol_formulation_info(k / hol_integrator_count()).name;
                const char *integrator = hol_integrator_info(k % hol_integrator_count()).name;
                if (is_supported(formulation, integrator) && is_served(formulation, system))
                    check_pulse(&run, &pulses[p], formulation, integrator);
            }
            simulated_close(&run);
        }
}

/* A mass falls from 1 m on an elastic stop and returns at T = 2 sqrt(2 H/g) + t_c, the contact lasting
 * t_c = 2/w (pi - atan(v w/g)), w^2 = k/m, v^2 = 2 g H. */
static const double G = 10, STIFFNESS = 1e6, MASS = 10, HEIGHT = 1;

static bool open_drop(Simulated *run, const char *more, const char *coordinates)
{
    static const char *const text =
        "plane: xy\n"
        "gravity: [0, -10]\n"
        "bodies: {m: {rigid: [0, 1], mass: 10, inertia: 1}}\n"
        "joints: {slide: {prismatic: [ground, m], at: [0, 0], axis: y}}\n"
        "forces: {end: {bump-stop: [ground, m], from: [0, 0], to: [0, 1], along: y, below: 0, stiffness: 1e6%s}}\n"
        "run: {coordinates: %s}\n";
    char model_text[600];
    snprintf(model_text, sizeof model_text, text, more, coordinates);
    HolModel *model = hol_model_create();
    return CHECK_OK(hol_model_parse(model, model_text, "test")) && simulated_assemble(run, model);
}

static void drop(Simulated *run, const char *formulation, const char *integrator, double h, double tolerance)
{
    HolInitialState start = hol_mechanism_initial_state(run->mechanism);
    HolSimulationOptions options = run_options(formulation, integrator, h);
    const double w = sqrt(STIFFNESS / MASS), v = sqrt(2 * G * HEIGHT), fall = v / G;
    const double contact = 2 / w * (acos(-1) - atan(v * w / G));
    CHECK_CONTEXT("%s with %s, step %g", formulation, integrator, h);
    REQUIRE(simulated_start(run, &start, &options));
    CHECK_OK(hol_simulation_run(run->simulation, &(HolRun){.until = 2 * fall + contact}));
    CHECK_NEAR(hol_simulation_state(run->simulation)->q[1], HEIGHT, tolerance);
    CHECK_EQUAL_INT(hol_simulation_summary(run->simulation).events, 2);
    REQUIRE(hol_simulation_event_count(run->simulation) == 2);
    HolEvent closes = hol_simulation_event(run->simulation, 0), opens = hol_simulation_event(run->simulation, 1);
    CHECK_NEAR(closes.t, fall, fmax(1e-11, 1e-2 * tolerance));
    CHECK_NEAR(opens.t, fall + contact, fmax(1e-10, tolerance));
    CHECK(closes.direction == 1 && opens.direction == -1);
    HolEventName name = hol_system_event_name(hol_mechanism_system(run->mechanism), closes.event);
    CHECK_STRING(name.name, "bump-stop 'end'");
    CHECK_STRING(name.rising, "closes");
    CHECK_STRING(name.falling, "opens");
    hol_simulation_destroy(run->simulation);
    run->simulation = NULL;
}

static void a_mass_returns_from_an_elastic_stop(void)
{
    for (int c = 0; c < 2; ++c) {
        Simulated run;
        REQUIRE(open_drop(&run, "", kinds[c]));
        drop(&run, "direct-correction", "dopri5", 1e-3, 1e-6);
        drop(&run, "direct-correction", "rk4", 1e-3, 1e-3);
        drop(&run, "direct-correction", "rk4", 1e-4, 1e-7);
        drop(&run, "lagrange", "dopri5", 1e-2, 1e-6);
        drop(&run, "null-space", "rk4", 5e-4, 1e-4);
        drop(&run, "index3-augmented-lagrangian", "newmark", 1e-4, 1e-4);
        drop(&run, "augmented-hamiltonian", "rk4", 1e-4, 1e-6);
        simulated_close(&run);
    }
}

/* With damping c the force jumps at the contact: d'' = -w^2 d - 2 z w d' - g from d' = -v. It ends where the force
 * vanishes, while the stop is still compressed. The speed there is that of an independent integration in small steps. */
static double damped_rebound(double z, double *height)
{
    const double w = sqrt(STIFFNESS / MASS), h = 1e-8;
    double d = 0, u = -sqrt(2 * G * HEIGHT); /* d: height of the mass, below 0 */
    for (;;) {
        double a = -w * w * d - 2 * z * w * u;
        if (a <= 0 && u > 0)
            break;
        double u_middle = u + h / 2 * (a - G), d_middle = d + h / 2 * u;
        double a_middle = -w * w * d_middle - 2 * z * w * u_middle;
        d += h * u_middle;
        u += h * (a_middle - G);
    }
    *height = d + u * u / (2 * G);
    return u;
}

static void a_damped_stop_releases_before_it_opens(void)
{
    Simulated run;
    char more[40];
    double height, z = 0.2, c = 2 * z * sqrt(STIFFNESS * MASS);
    double u = damped_rebound(z, &height);
    snprintf(more, sizeof more, ", damping: %.17g", c);
    REQUIRE(open_drop(&run, more, "reference-point"));
    static const struct {
        const char *integrator;
        double h, tolerance;
    } cases[] = {{"dopri5", 1e-3, 1e-6}, {"dop853", 1e-3, 1e-6}, {"rk4", 1e-4, 1e-5}, {"rk4", 2.5e-4, 4e-4}};
    for (int i = 0; i < 4; ++i) {
        HolInitialState start = hol_mechanism_initial_state(run.mechanism);
        HolSimulationOptions options = run_options("direct-correction", cases[i].integrator, cases[i].h);
        CHECK_CONTEXT("%s, step %g", cases[i].integrator, cases[i].h);
        REQUIRE(simulated_start(&run, &start, &options));
        CHECK_OK(hol_simulation_run(run.simulation, &(HolRun){.until = sqrt(2 * HEIGHT / G) + 0.05}));
        const HolState *state = hol_simulation_state(run.simulation);
        CHECK(state->v[1] < u);
        CHECK_NEAR(state->q[1] + state->v[1] * state->v[1] / (2 * G), height, cases[i].tolerance);
        hol_simulation_destroy(run.simulation);
        run.simulation = NULL;
    }
    simulated_close(&run);
}

/* A mass thrown up just above a soft stop crosses its edge twice within one step. */
static void two_crossings_in_one_step_are_found(void)
{
    static const char *const text =
        "plane: xy\n"
        "gravity: [0, -10]\n"
        "bodies: {m: {rigid: [0, 0], mass: 1, inertia: 1}}\n"
        "joints: {slide: {prismatic: [ground, m], at: [0, 0], axis: y}}\n"
        "forces: {end: {bump-stop: [ground, m], from: [0, 0], to: [0, 0], along: y, above: 1, stiffness: 1e-3}}\n"
        "start: {m: {velocity: [0, sqrt(2*10*1.00001)]}}\n";
    static const char *const integrators[] = {"rk4", "trapezoidal", "dopri5", "dop853"};
    for (int i = 0; i < 4; ++i) {
        Simulated run;
        HolModel *model = hol_model_create();
        CHECK_CONTEXT("%s", integrators[i]);
        REQUIRE(CHECK_OK(hol_model_parse(model, text, "test")) && simulated_assemble(&run, model));
        HolInitialState start = hol_mechanism_initial_state(run.mechanism);
        HolSimulationOptions options = run_options("direct-correction", integrators[i], 2e-2);
        REQUIRE(simulated_start(&run, &start, &options));
        CHECK_OK(hol_simulation_run(run.simulation, &(HolRun){.until = 0.6}));
        REQUIRE(hol_simulation_event_count(run.simulation) == 2);
        double apex = sqrt(2 * G * 1.00001) / G, half = sqrt(2 * 1e-5 / G);
        CHECK_NEAR(hol_simulation_event(run.simulation, 0).t, apex - half, 1e-8);
        CHECK_NEAR(hol_simulation_event(run.simulation, 1).t, apex + half, 1e-8);
        simulated_close(&run);
    }
}

/* Dry friction stops a mass at t = v/(mu - a); then it chatters about rest, and the run still ends. */
static void friction_holds_without_end(void)
{
    static const char *const text =
        "plane: xy\n"
        "bodies: {m: {rigid: [0, 0], mass: 1, inertia: 1}}\n"
        "joints: {slide: {prismatic: [ground, m], at: [0, 0], axis: x}}\n"
        "forces:\n"
        "  friction: {spring: [ground, m], from: [-5, 0], to: [0, 0], along: x, force: 4*sign(ldot)}\n"
        "  pull: {force: m, at: [0, 0], vector: [1, 0]}\n"
        "start: {m: {velocity: [2, 0]}}\n";
    static const char *const integrators[] = {"euler", "rk4", "dopri5"};
    for (int i = 0; i < 3; ++i) {
        Simulated run;
        HolModel *model = hol_model_create();
        CHECK_CONTEXT("%s", integrators[i]);
        REQUIRE(CHECK_OK(hol_model_parse(model, text, "test")) && simulated_assemble(&run, model));
        HolInitialState start = hol_mechanism_initial_state(run.mechanism);
        HolSimulationOptions options = run_options("direct-correction", integrators[i], 1e-3);
        REQUIRE(simulated_start(&run, &start, &options));
        CHECK_OK(hol_simulation_run(run.simulation, &(HolRun){.until = 1}));
        HolSummary summary = hol_simulation_summary(run.simulation);
        REQUIRE(summary.events > 0);
        CHECK_NEAR(hol_simulation_event(run.simulation, 0).t, 2. / 3, 1e-9);
        /* Euler's method adds h v/2 to the distance. */
        CHECK_NEAR(hol_simulation_state(run.simulation)->q[0], 2. / 3, i == 0 ? 2e-3 : 1e-3);
        CHECK_NEAR(hol_simulation_state(run.simulation)->v[0], 0, 5e-3);
        CHECK(summary.steps < 20000 && summary.skipped_events > 0);
        simulated_close(&run);
    }
}

/* Drivers */

typedef struct Driver {
    const char *kind, *value, *jumps; /* jumps: what is refused, NULL: nothing */
    double t;
} Driver;

static const Driver drivers[] = {
    {"angle", "if(t < 0.3, 0, 0.5)", "position jumps by 0.5 rad at t = 0.3 s", 0.3},
    {"angle", "table(t, 0, 0, 0.5, 1, 0.8, 1)", "velocity jumps by -2 rad/s at t = 0.5 s", 0.5},
    {"angle", "abs(t - 0.25)", "velocity jumps by 2 rad/s at t = 0.25 s", 0.25},
    {"angle-rate", "if(t < 0.5, 0, 3)", "velocity jumps by 3 rad/s at t = 0.5 s", 0.5},
    {"angle", "mod(20*pi*t, 2*pi)", "position jumps by -6.283 rad at t = 0.1 s", 0.1},
    {"angle", "if(t > 0.7 and t < 0.700001, 1, 0)", "position jumps by 1 rad at t = 0.7 s", 0.7},
    {"angle-rate", "max(0, t - 0.5)", NULL, 0},
    {"angle", "max(0, t - 0.5)^2", NULL, 0},
    {"angle", "if(t < 0.5, t^2, 0.25 + (t - 0.5) + (t - 0.5)^2)", NULL, 0},
    {"angle", "if(t > 0, 2*t, 0)", NULL, 0},                         /* at the start it has been passed */
    {"angle", "if(t >= 1, 5, t)", NULL, 0},                          /* at the end it is not reached */
    {"angle", "if(t < 0.5, t, 0.5 + 1.0000001*(t - 0.5))", NULL, 0}, /* below the limit */
    {"angle", "if(t < 0.5, t, 1e-8 + t)", NULL, 0},
};
enum { DRIVER_COUNT = sizeof drivers / sizeof drivers[0] };

static HolModel *driven_bar(const Driver *d, const char *more)
{
    static const char *const text = "plane: xy\n"
                                    "bodies: {m: {bar: [[0, 0], [1, 0]], mass: 1}}\n"
                                    "joints: {pin: {revolute: [ground, m], at: [0, 0]}}\n"
                                    "drivers: {motor: {%s: pin, value: '%s'}}\n%s";
    char model_text[600];
    HolModel *model = hol_model_create();
    snprintf(model_text, sizeof model_text, text, d->kind, d->value, more);
    CHECK_OK(hol_model_parse(model, model_text, "test"));
    return model;
}

static void drivers_that_jump_are_refused_with_their_place(void)
{
    for (int i = 0; i < DRIVER_COUNT; ++i) {
        const Driver *d = &drivers[i];
        HolModel *model = driven_bar(d, "run: {until: 1}\n");
        HolMechanism *mechanism = NULL;
        CHECK_CONTEXT("%s: %s", d->kind, d->value);
        CHECK_OK(hol_mechanism_create(model, &mechanism)); /* an equilibrium does not depend on it */
        CHECK_EQUAL_INT(hol_mechanism_check_jumps(mechanism, model), d->jumps ? HOL_BAD_INPUT : HOL_OK);
        char sentence[200];
        snprintf(sentence, sizeof sentence,
                 "test:4:%d: driver 'motor': the prescribed %s, which takes an infinite force",
                 28 + (int)strlen(d->kind) + 5, d->jumps ? d->jumps : "");
        CHECK_EQUAL_INT(hol_model_error_count(model), d->jumps != NULL);
        if (d->jumps && hol_model_error_count(model) > 0 && !CHECK(strstr(hol_model_error(model, 0), sentence)))
            printf("    %s\n", hol_model_error(model, 0));
        HolRecording *recording = NULL;
        HolMessage message;
        CHECK_EQUAL_INT(hol_model_run(model, NULL, 0, &recording, &message), d->jumps ? HOL_BAD_INPUT : HOL_OK);
        CHECK((recording == NULL) == (d->jumps != NULL) && (!d->jumps || strstr(message.text, sentence)));
        hol_recording_destroy(recording);
        hol_mechanism_destroy(mechanism);
        hol_model_destroy(model);
    }
}

/* The model ends before the jump: a longer run is refused at its beginning, and steps end at the jump. */
static void drivers_that_jump_are_refused_by_runs(void)
{
    for (int i = 0; i < DRIVER_COUNT; ++i) {
        const Driver *d = &drivers[i];
        char sentence[200] = "";
        Simulated run;
        CHECK_CONTEXT("%s: %s", d->kind, d->value);
        REQUIRE(simulated_assemble(&run, driven_bar(d, "run: {until: 0.05}\n")));
        HolInitialState start = hol_mechanism_initial_state(run.mechanism);
        HolSimulationOptions options = run_options("direct-correction", "rk4", 1e-2);
        REQUIRE(simulated_start(&run, &start, &options));
        HolStatus status = hol_simulation_run(run.simulation, &(HolRun){.until = 1}), stepped = HOL_OK;
        CHECK_EQUAL_INT(status, d->jumps ? HOL_BAD_INPUT : HOL_OK);
        CHECK_NEAR(hol_simulation_state(run.simulation)->t, d->jumps ? 0 : 1, 1e-15);
        snprintf(sentence, sizeof sentence, "test:4:%d: 'motor': the prescribed %s", 28 + (int)strlen(d->kind) + 5,
                 d->jumps ? d->jumps : "");
        CHECK(!d->jumps || strstr(hol_simulation_message(run.simulation), sentence));
        for (int k = 0; k < 200 && d->jumps && stepped == HOL_OK; ++k)
            stepped = hol_simulation_step(run.simulation, NULL);
        CHECK_EQUAL_INT(stepped, status);
        CHECK_NEAR(hol_simulation_state(run.simulation)->t, d->jumps ? d->t : 1, 1e-15);
        CHECK(!d->jumps || strstr(hol_simulation_message(run.simulation), sentence));
        simulated_close(&run);
    }
}

/* Angles in space are known modulo 2 pi. A driver with a million kinks, and a jump after them, is looked at no longer
 * than the limit allows. */
static void the_search_for_jumps_is_bounded(void)
{
    static const Driver turning = {"angle", "mod(20*pi*t, 2*pi)", NULL, 0},
                        kinked = {"angle", "abs(sin(1e4*t))^3 + 9*step(t - 0.9)", NULL, 0};
    HolMechanism *mechanism = NULL;
    HolModel *model = driven_bar(&turning, "run: {until: 1, coordinates: natural}\n");
    CHECK_OK(hol_mechanism_create(model, &mechanism));
    CHECK_OK(hol_mechanism_check_jumps(mechanism, model));
    hol_mechanism_destroy(mechanism);
    hol_model_destroy(model);
    model = driven_bar(&kinked, "run: {until: 300}\n");
    mechanism = NULL;
    CHECK_OK(hol_mechanism_create(model, &mechanism));
    CHECK_OK(hol_mechanism_check_jumps(mechanism, model));
    hol_mechanism_destroy(mechanism);
    hol_model_destroy(model);
}

/* A system in C: a mass that is pushed from t = 0.25 to 0.5, and has twice the weight below x = 0. */

static HolStatus own_evaluate(const void *self, const HolPoint *at, unsigned want, HolTerms *terms)
{
    (void)self, (void)want;
    double push = at->t > 0.25 && at->t < 0.5 ? 8 : 0, weight = at->q[0] < 0 ? 20 : 10;
    terms->M[0] = 1;
    terms->Q[0] = push - weight;
    terms->power = terms->Q[0] * at->v[0];
    terms->kinetic = 0.5 * at->v[0] * at->v[0];
    return HOL_OK;
}

static double own_breakpoint(const void *self, double t, double until)
{
    (void)self, (void)until;
    return t < 0.25 ? 0.25 : t < 0.5 ? 0.5 : HUGE_VAL;
}

static void own_events(const void *self, const HolPoint *at, HolTerms *terms, HolCrossing *crossings)
{
    (void)self, (void)terms;
    crossings[0] = (HolCrossing){at->q[0], at->v[0], 0};
}

static void systems_in_c_have_events(void)
{
    static const HolSystemOps ops = {.evaluate = own_evaluate, .next_breakpoint = own_breakpoint, .events = own_events};
    static const double q = 1, v = 0;
    HolSystemSpec spec = hol_system_spec();
    spec.ops = &ops;
    spec.nq = spec.nv = 1;
    spec.event_count = 1;
    HolSystem *system = system_of(&spec);
    REQUIRE(system != NULL);
    HolSimulationOptions options = run_options("lagrange", "rk4", 0.03);
    Result r = run_system(system, &(HolInitialState){0, &q, &v}, &options, &(HolRun){.until = 1});
    /* Positions and velocities at the ends of the pieces, and the fall to x = 0 with 10 m/s^2. */
    double x1 = 1 - 5 * 0.0625, v1 = -2.5, x2 = x1 + v1 * 0.25 - 0.0625, v2 = v1 - 0.5;
    double fall = (v2 + sqrt(v2 * v2 + 20 * x2)) / 10, v3 = v2 - 10 * fall, rest = 0.5 - fall;
    CHECK_OK(r.status);
    CHECK_NEAR(r.v[0], v3 - 20 * rest, 1e-9);
    CHECK_NEAR(r.q[0], v3 * rest - 10 * rest * rest, 1e-9);
    CHECK_NEAR(r.measures.drift, 0, 1e-9);
    CHECK_EQUAL_INT(r.summary.events, 1);
    hol_system_destroy(system);
    spec.ops = &(HolSystemOps){.evaluate = own_evaluate};
    HolMessage message;
    CHECK_EQUAL_INT(hol_system_create(&spec, &system, &message), HOL_BAD_INPUT);
}

static void events_allocate_nothing_and_repeat_exactly(void)
{
    static const char *const integrators[] = {"rk4", "dopri5", "trapezoidal"};
    for (int i = 0; i < 3; ++i) {
        double height[2];
        for (int k = 0; k < 2; ++k) {
            Simulated run;
            REQUIRE(open_drop(&run, ", damping: 100", kinds[0]));
            HolInitialState start = hol_mechanism_initial_state(run.mechanism);
            HolSimulationOptions options = run_options("direct-correction", integrators[i], 1e-3);
            REQUIRE(simulated_start(&run, &start, &options));
            allocations_start();
            HolStatus status = hol_simulation_run(run.simulation, &(HolRun){.until = 2});
            CHECK_EQUAL_INT(allocations_stop(), 0);
            CHECK_OK(status);
            CHECK(hol_simulation_summary(run.simulation).events > 2);
            height[k] = hol_simulation_state(run.simulation)->q[1];
            simulated_close(&run);
        }
        CHECK(height[0] == height[1]);
    }
}

/* A mass of 1 kg flies between two stops of 1e9 N/m at 3 m/s. Contacts last pi/w, less than a tenth of the nominal step:
 * error control must see them. With 30 contacts within 2 s, the last one left: x = -+(0.1 - 3 (t - t_n)). */
static void brief_contacts_are_accurate(void)
{
    static const char model[] =
        "plane: xy\npoints: {O: [0, 0], W: [-1, 0]}\n"
        "bodies: {c: {rigid: O, mass: 1, inertia: 0.1}}\n"
        "joints: {slide: {prismatic: [ground, c], at: O, axis: x}}\n"
        "forces: {s: {bump-stop: [ground, c], from: W, to: O, along: x, below: 0.9, above: 1.1, stiffness: 1e9}}\n"
        "start: {c: {velocity: [3, 0]}}\nrun: {until: 2, integrator: dopri5}\n";
    const double contact = 3.14159265358979323846 / sqrt(1e9), flight = 0.2 / 3, period = contact + flight;
    const double since = 2 - flight / 2, n = floor(since / period), rest = since - n * period - contact;
    Simulated run;
    if (!simulated_assemble(&run, parsed_model(model)))
        return;
    HolSimulationOptions options = hol_mechanism_options(run.mechanism);
    HolInitialState start = hol_mechanism_initial_state(run.mechanism);
    if (!simulated_start(&run, &start, &options))
        return;
    CHECK_EQUAL_INT(hol_simulation_run(run.simulation, &(HolRun){.until = 2}), HOL_OK);
    const HolState *state = hol_simulation_state(run.simulation);
    CHECK_NEAR(state->q[0], (fmod(n, 2) == 0 ? 1 : -1) * (0.1 - 3 * rest), 1e-5);
    CHECK(hol_simulation_summary(run.simulation).max_energy_drift < 1e-4);
    simulated_close(&run);
}

CHECK_MAIN(TEST(pulses_give_their_impulse), TEST(a_mass_returns_from_an_elastic_stop),
           TEST(brief_contacts_are_accurate), TEST(a_damped_stop_releases_before_it_opens),
           TEST(two_crossings_in_one_step_are_found), TEST(friction_holds_without_end),
           TEST(drivers_that_jump_are_refused_with_their_place), TEST(drivers_that_jump_are_refused_by_runs),
           TEST(the_search_for_jumps_is_bounded), TEST(systems_in_c_have_events),
           TEST(events_allocate_nothing_and_repeat_exactly))
